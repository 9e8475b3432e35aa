//! The tables of the client, each with room for so many rows.

use core::fmt;

use heapless::String;
use onewrite::bsatn::{Decode, RowList, Tail};
use onewrite::spacetimedb::multi_dictionary::{Applied, Delta, Mode, MultiDictionary};
use onewrite::spacetimedb::v2::{QuerySetUpdate, TableUpdateRows};
use onewrite::spacetimedb::{List, TableRows};
use onewrite_boards::Failure;

/// Slots of each table: room for 224 rows, and for changes to as many.
const SLOTS: usize = 256;

/// A row of `tick`.
#[derive(Clone, Copy, Debug, PartialEq, Decode)]
struct Tick {
    id: u32,
    v: i16,
    on: bool,
}

/// A row of `note` where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Decode)]
struct NoteRow<'a> {
    id: u32,
    text: &'a str,
}

/// A row of `note` as it is kept: the message that it came in is gone by then.
type Text = String<24>;

/// All rows that the client sees.
#[derive(Debug)]
pub(crate) struct Tables {
    ticks: MultiDictionary<u32, Tick, SLOTS>,
    notes: MultiDictionary<u32, Text, SLOTS>,
    tick_changes: Delta<u32, Tick, SLOTS>,
    note_changes: Delta<u32, Text, SLOTS>,
    /// Rows of other tables, in the message that is being collected.
    others: usize,
}

/// What a message has changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    ticks: Applied,
    notes: Applied,
    others: usize,
}

impl Tables {
    pub(crate) const fn new() -> Self {
        Self {
            ticks: MultiDictionary::new(),
            notes: MultiDictionary::new(),
            tick_changes: Delta::new(),
            note_changes: Delta::new(),
            others: 0,
        }
    }

    /// Rows of `tick` and of `note`.
    pub(crate) const fn len(&self) -> (usize, usize) {
        (self.ticks.len(), self.notes.len())
    }

    /// Applies what a transaction changed.
    pub(crate) fn update(
        &mut self,
        query_sets: List<'_, QuerySetUpdate<'_>>,
    ) -> Result<Changed, Failure> {
        for table in query_sets.iter().flat_map(|set| set.tables) {
            for rows in table.rows {
                match rows {
                    TableUpdateRows::PersistentTable { inserts, deletes } => {
                        self.collect(table.table, deletes, Delta::remove, Delta::remove)?;
                        self.collect(table.table, inserts, Delta::add, Delta::add)?;
                    }
                    // Nothing keeps them: they would be handed to whoever waits for such events.
                    TableUpdateRows::EventTable { events } => self.others += events.len(),
                }
            }
        }
        self.apply()
    }

    /// Applies that these rows have come.
    pub(crate) fn insert(&mut self, tables: List<'_, TableRows<'_>>) -> Result<Changed, Failure> {
        for TableRows { table, rows } in tables {
            self.collect(table, rows, Delta::add, Delta::add)?;
        }
        self.apply()
    }

    /// Applies that these rows no longer match.
    pub(crate) fn remove(&mut self, tables: List<'_, TableRows<'_>>) -> Result<Changed, Failure> {
        for TableRows { table, rows } in tables {
            self.collect(table, rows, Delta::remove, Delta::remove)?;
        }
        self.apply()
    }

    fn collect(
        &mut self,
        table: &str,
        rows: RowList<'_>,
        tick: Count<Tick>,
        note: Count<Text>,
    ) -> Result<(), Failure> {
        match table {
            "tick" => {
                for row in rows.typed::<Tick>(Tail::AllowTail) {
                    let row = row.map_err(|_| "a row is no tick")?;
                    tick(&mut self.tick_changes, row.id, row).map_err(|_| "too many changes")?;
                }
            }
            "note" => {
                for row in rows.typed::<NoteRow<'_>>(Tail::AllowTail) {
                    let NoteRow { id, text } = row.map_err(|_| "a row is no note")?;
                    let text = Text::try_from(text).map_err(|_| "a note is too long")?;
                    note(&mut self.note_changes, id, text).map_err(|_| "too many changes")?;
                }
            }
            _ => self.others += rows.len(),
        }
        Ok(())
    }

    /// Applies what was collected: to all tables, or to none.
    ///
    /// `Lenient`, because the capture lacks messages: a change of a row that was never seen to come
    /// is counted and leaves the table as it is. With all messages it would be `Strict`.
    fn apply(&mut self) -> Result<Changed, Failure> {
        let refused = |_| "the tables have no room for these rows";
        let ticks = self.ticks.prepare(&mut self.tick_changes, Mode::Lenient).map_err(refused)?;
        let notes = self.notes.prepare(&mut self.note_changes, Mode::Lenient).map_err(refused)?;
        let (ticks, notes) = (ticks.commit().applied(), notes.commit().applied());
        Ok(Changed { ticks, notes, others: core::mem::take(&mut self.others) })
    }
}

/// [`Delta::add`] or [`Delta::remove`].
type Count<V> = fn(
    &mut Delta<u32, V, SLOTS>,
    u32,
    V,
) -> Result<(), onewrite::spacetimedb::multi_dictionary::DeltaError>;

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut nothing = true;
        for (name, applied) in [("tick", self.ticks), ("note", self.notes)] {
            let Applied { inserted, updated, deleted, pseudo_throws } = applied;
            if applied != Applied::default() {
                nothing = false;
                write!(f, "; {name} +{inserted} ~{updated} -{deleted}")?;
            }
            if pseudo_throws != 0 {
                write!(f, ", {pseudo_throws} of rows never seen")?;
            }
        }
        if self.others != 0 {
            nothing = false;
            write!(f, "; {} rows of other tables", self.others)?;
        }
        if nothing {
            f.write_str("; no rows")?;
        }
        Ok(())
    }
}
