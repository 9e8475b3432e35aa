//! What transactions change in a table of 100 rows, from the server's bytes to the rows.
//!
//! The updates are captures of a real server: one replaces 100 rows of the table `tick`, the next
//! takes them away, and the last brings 100 others to it and as many to `note`. Each is applied as a
//! whole or not at all, and everything has its place beforehand: no allocator, no copy of a message.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `transaction_update.out` is what all three print.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::ops::Range;

use onewrite::bsatn::{Decode, RowList, Tail};
use onewrite::spacetimedb::List;
use onewrite::spacetimedb::Payload;
use onewrite::spacetimedb::multi_dictionary::{Delta, Mode, MultiDictionary, Visitor};
use onewrite::spacetimedb::v2::{QuerySetUpdate, ReducerOutcome, ServerMessage, TableUpdateRows};
use onewrite_boards::{Console, Failure, entry};
use static_cell::StaticCell;

/// Messages of a connection, back to back; `index.jsonl` beside it tells where each one lies.
const CAPTURE: &[u8] = include_bytes!("../tests/data/spacetimedb_live/v2-none.bin");
/// What these transactions did is in the column `expect` there.
const UPDATES: [(&str, Range<usize>); 3] = [
    ("100 rows replaced", 246..1704),
    ("100 rows deleted", 1737..2497),
    ("100 rows inserted", 5591..8765),
];

/// A row of the table that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Decode)]
struct Tick {
    id: u32,
    v: i16,
    on: bool,
}

impl Tick {
    /// A row as the server makes them: see `tests/data/README.md`.
    const fn made(id: u16, seed: i16) -> Self {
        Self {
            id: id as u32,
            v: id.cast_signed().wrapping_mul(7).wrapping_add(seed),
            on: id.is_multiple_of(3),
        }
    }
}

/// Up to 112 rows, and changes to as many.
type Ticks = MultiDictionary<u32, Tick, 128>;
type Changes = Delta<u32, Tick, 128>;

static TICKS: StaticCell<Ticks> = StaticCell::new();
static CHANGES: StaticCell<Changes> = StaticCell::new();

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let ticks = TICKS.try_init_with(Ticks::new).ok_or("the table is in use")?;
    let changes = CHANGES.try_init_with(Changes::new).ok_or("the changes are in use")?;
    writeln!(console, "room for {} rows in {} bytes", Ticks::CAPACITY, Ticks::SIZE)?;
    writeln!(console, "and for {} changes in {} bytes", Changes::CAPACITY, Changes::SIZE)?;

    // What the subscription had brought before the first of these updates.
    for id in 1008..1108 {
        changes.add(id.into(), Tick::made(id, 3)).map_err(|_| "a row too many")?;
    }
    ticks.apply(changes, Mode::Strict, &mut ()).map_err(|_| "the first rows were refused")?;

    for (what, place) in UPDATES {
        let payload = CAPTURE.get(place).ok_or("the capture is shorter")?;
        writeln!(console, "{what}: a payload of {} bytes", payload.len())?;
        update(console, payload, ticks, changes)?;
        writeln!(console, "  the table has {} rows", ticks.len())?;
    }
    match ticks.get(&299) {
        Some((row, 1)) if *row == Tick::made(299, 1) => Ok(()),
        _ => Err("the table has not what the server sent".into()),
    }
}

/// Applies what a payload says about `ticks`.
fn update(
    console: &mut Console,
    payload: &[u8],
    ticks: &mut Ticks,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let undecodable = |_| "the server sent what is no message";
    // This connection has asked for no compression.
    let body = Payload::new(payload).map_err(undecodable)?;
    let Payload::Plain(body) = body else { return Err("the payload is compressed".into()) };
    let query_sets = match ServerMessage::from_slice(body).map_err(undecodable)? {
        ServerMessage::TransactionUpdate { query_sets } => query_sets,
        // The answer to a call of one's own says in the same way what it changed.
        ServerMessage::ReducerResult { outcome: ReducerOutcome::Ok { query_sets, .. }, .. } => {
            query_sets
        }
        _ => return Err("the message is no update".into()),
    };
    collect(console, query_sets, changes)?;
    let mut changed = Changed { console, shown: [0; 3], result: Ok(()) };
    let applied = ticks.apply(changes, Mode::Strict, &mut changed).map_err(|_| {
        // Table and changes are as they were: a client would subscribe anew.
        "the update does not fit the table"
    })?;
    changed.result?;
    writeln!(
        console,
        "  {} inserted, {} updated, {} deleted",
        applied.inserted, applied.updated, applied.deleted
    )?;
    Ok(())
}

/// Collects what an update says about the table; it may name it more than once.
fn collect(
    console: &mut Console,
    query_sets: List<'_, QuerySetUpdate<'_>>,
    changes: &mut Changes,
) -> Result<(), Failure> {
    for table in query_sets.iter().flat_map(|set| set.tables) {
        for rows in table.rows {
            let (inserts, deletes) = match rows {
                TableUpdateRows::PersistentTable { inserts, deletes } => (inserts, deletes),
                TableUpdateRows::EventTable { events } => (events, RowList::default()),
            };
            if table.table != "tick" {
                let (name, rows) = (table.table, inserts.len() + deletes.len());
                writeln!(console, "  {rows} rows of {name}, which is not kept")?;
                continue;
            }
            for row in deletes.typed::<Tick>(Tail::AllowTail) {
                let row = row.map_err(|_| "a row is no tick")?;
                changes.remove(row.id, row).map_err(|_| "too many changes")?;
            }
            for row in inserts.typed::<Tick>(Tail::AllowTail) {
                let row = row.map_err(|_| "a row is no tick")?;
                changes.add(row.id, row).map_err(|_| "too many changes")?;
            }
        }
    }
    Ok(())
}

/// Prints the first rows that changed in each way, and where the others are left out.
struct Changed<'c> {
    console: &'c mut Console,
    /// New rows, replaced rows and deleted ones.
    shown: [u32; 3],
    result: core::fmt::Result,
}

/// Of the rows that changed in one way, so many are printed.
const SHOWN: u32 = 3;

impl Changed<'_> {
    fn show(&mut self, way: usize, line: core::fmt::Arguments<'_>) {
        let Some(shown) = self.shown.get_mut(way) else { return };
        *shown += 1;
        if *shown <= SHOWN {
            self.result = self.result.and(writeln!(self.console, "  {line}"));
        } else if *shown == SHOWN + 1 {
            self.result = self.result.and(writeln!(self.console, "  .."));
        }
    }
}

impl Visitor<u32, Tick> for Changed<'_> {
    fn on_insert(&mut self, key: &u32, row: &Tick) {
        self.show(0, format_args!("+ {key}: {} {}", row.v, row.on));
    }

    fn on_update(&mut self, key: &u32, old: &Tick, new: &Tick) {
        let (Tick { v, on, .. }, Tick { v: now, on: is_on, .. }) = (old, new);
        self.show(1, format_args!("~ {key}: {v} {on} -> {now} {is_on}"));
    }

    fn on_delete(&mut self, key: &u32, row: &Tick) {
        self.show(2, format_args!("- {key}: {} {}", row.v, row.on));
    }
}
