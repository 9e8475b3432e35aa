//! How each work is done, and how its result is checked before anything is counted.

use core::hint::black_box;

use onewrite::bsatn::{Array, Decode, Encode, RowList, Tail};
use onewrite::compression::Tables;
use onewrite::error::DecodeError;
use onewrite::reader::Reader;
use onewrite::sink::embedded_io::StreamSink;
use onewrite::spacetimedb::List;
use onewrite::spacetimedb::Payload;
use onewrite::spacetimedb::multi_dictionary::Mode;
use onewrite::spacetimedb::stream::{Event, MessageStream, Version};
use onewrite::spacetimedb::v2::{
    ProcedureStatus, QuerySetUpdate, ReducerOutcome, ServerMessage, TableUpdateRows,
};
use onewrite_boards::embedded_io::{SliceWriteError, Write};

use crate::memory::{Changes, Input, Memory, Table};
use crate::rows::{Id, Row};
use crate::stored::{CONNECTION, PLAIN_CONNECTION, Stored, UPDATES};
use crate::tasks::{Kind, Task, Way, Work};

/// A place for bytes of which nothing is known.
type Outlet<'o> = dyn Write<Error = SliceWriteError> + 'o;

/// What came out was not what it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

/// Does a piece of work as often as it likes.
pub(crate) trait Timer {
    fn time<R>(&mut self, records: usize, work: impl FnMut() -> R);
}

impl Task {
    /// Does the work once, checks it, and hands it to `timer`.
    #[inline(never)]
    pub(crate) fn run<T: Timer>(&self, memory: &mut Memory, timer: &mut T) -> Result<(), Refused> {
        let Self { kind, at, work } = *self;
        let stored = UPDATES.get(at).ok_or(Refused)?;
        match work {
            Work::ReducerPayload => {
                let payload = *memory.reducers.get(at).ok_or(Refused)?;
                let rows = memory.ids.get(..self.records());
                check(rows, |each| reducer(payload, |row| each(&row)))?;
                timer.time(self.records(), || reducer(black_box(payload), done));
                Ok(())
            }
            Work::ProcedurePayload => {
                let payload = *memory.procedures.get(at).ok_or(Refused)?;
                let rows = memory.ids.get(..self.records());
                check(rows, |each| procedure(payload, |row| each(&row)))?;
                timer.time(self.records(), || procedure(black_box(payload), done));
                Ok(())
            }
            Work::Apply if self.records() <= 100 => {
                self.apply(memory.ids, &mut memory.small, timer)
            }
            Work::Apply => self.apply(memory.ids, &mut memory.large, timer),
            Work::Inflate(way) => {
                let plain = memory.id_inputs.get(at).ok_or(Refused)?.update;
                let payload = stored.get(way, plain);
                let Memory { tables, out, .. } = memory;
                let mut inflate = || {
                    let payload = Payload::new(black_box(payload)).map_err(|_| Refused)?;
                    let body = payload.decompress_with(tables, out).map_err(|_| Refused)?;
                    Ok::<_, Refused>(body.len())
                };
                let len = inflate()?;
                timer.time(self.records(), inflate);
                // What was inflated last still lies there.
                let plain = plain.get(1..).unwrap_or_default();
                if len == plain.len() && memory.out.starts_with(plain) {
                    Ok(())
                } else {
                    Err(Refused)
                }
            }
            Work::Update(way) => {
                let plain = memory.id_inputs.get(at).ok_or(Refused)?.update;
                let payload = stored.get(way, plain);
                let Memory { ids, tables, out, .. } = memory;
                check(ids.get(..self.records()), |each| {
                    update(payload, tables, out, |row| each(&row))
                })?;
                timer.time(self.records(), || update(black_box(payload), tables, out, done));
                Ok(())
            }
            Work::Connection(way) => {
                let payload = CONNECTION.get(way, PLAIN_CONNECTION);
                let Memory { tables, out, .. } = memory;
                let mut token = || {
                    let payload = Payload::new(black_box(payload)).map_err(|_| Refused)?;
                    let body = payload.decompress_with(tables, out).map_err(|_| Refused)?;
                    match ServerMessage::from_slice(body) {
                        Ok(ServerMessage::InitialConnection { identity, connection_id, token }) => {
                            black_box((identity, connection_id));
                            Ok(token.len())
                        }
                        _ => Err(Refused),
                    }
                };
                if token()? != TOKEN {
                    return Err(Refused);
                }
                timer.time(1, token);
                Ok(())
            }
            Work::Claim => {
                let claim = || Array::<()>::from_slice(black_box(&[0xff; 4])).is_err();
                if !claim() {
                    return Err(Refused);
                }
                timer.time(1, claim);
                Ok(())
            }
            _ => {
                let Memory { id_inputs, fixed_inputs, mixed_inputs, out, .. } = memory;
                match kind {
                    Kind::U32 => self.rows(memory.ids, id_inputs, out, timer),
                    Kind::Fixed => self.rows(memory.fixed, fixed_inputs, out, timer),
                    Kind::Mixed => self.rows(memory.mixed, mixed_inputs, out, timer),
                }
            }
        }
    }

    /// Work that is done on rows of every kind.
    fn rows<R: Row, T: Timer>(
        &self,
        rows: &'static [R],
        inputs: &[Input; 3],
        out: &mut [u8],
        timer: &mut T,
    ) -> Result<(), Refused> {
        let number = self.records();
        let rows = rows.get(..number).ok_or(Refused)?;
        let Input { array, list, update } = *inputs.get(self.at).ok_or(Refused)?;
        match self.work {
            Work::EncodeWhole => {
                out.fill(0xa5);
                let mut encode = || black_box(rows).encode_to_slice(out).map_err(|_| Refused);
                let len = encode()?;
                timer.time(number, encode);
                is_array(rows, out.get(..len).unwrap_or_default())
            }
            Work::EncodeChunked => {
                out.fill(0xa5);
                let available = out.len();
                let mut encode = || {
                    let mut free = &mut *out;
                    let outlet: &mut Outlet<'_> = &mut free;
                    let mut sink = StreamSink::new(black_box(outlet));
                    black_box(rows).encode(&mut sink).map_err(|_| Refused)?;
                    Ok::<_, Refused>(available - free.len())
                };
                let len = encode()?;
                timer.time(number, encode);
                is_array(rows, out.get(..len).unwrap_or_default())
            }
            Work::DecodeWhole => {
                check(Some(rows), |each| decode_array::<R>(array, |row| each(&row)))?;
                timer.time(number, || decode_array::<R>(black_box(array), done));
                Ok(())
            }
            Work::DecodeChunked => {
                let body = update.get(1..).unwrap_or_default();
                let mut expected = rows.iter();
                let mut same = true;
                stream::<R>(body, |row| same &= expected.next().is_some_and(|e| e.is(&row)))?;
                if !same || expected.next().is_some() {
                    return Err(Refused);
                }
                timer.time(number, || stream::<R>(black_box(body), |row| done(row)));
                Ok(())
            }
            Work::RowList => {
                check(Some(rows), |each| decode_list::<R>(list, |row| each(&row)))?;
                timer.time(number, || decode_list::<R>(black_box(list), done));
                Ok(())
            }
            Work::View => {
                let body = update.get(1..).unwrap_or_default();
                let Ok(ServerMessage::TransactionUpdate { query_sets }) =
                    ServerMessage::from_slice(body)
                else {
                    return Err(Refused);
                };
                let mut found = 0;
                lists(query_sets, |rows| {
                    found += rows.len();
                    Ok(())
                })?;
                if found != number {
                    return Err(Refused);
                }
                timer.time(number, || ServerMessage::from_slice(black_box(body)));
                Ok(())
            }
            _ => Err(Refused),
        }
    }

    /// A table that has all rows, and in which all of them are replaced.
    fn apply<T: Timer, const SLOTS: usize>(
        &self,
        rows: &'static [Id],
        (table, changes): &mut (&mut Table<SLOTS>, &mut Changes<SLOTS>),
        timer: &mut T,
    ) -> Result<(), Refused> {
        let rows = rows.get(..self.records()).ok_or(Refused)?;
        table.clear();
        changes.clear();
        for row in rows {
            changes.add(row.id, *row).map_err(|_| Refused)?;
        }
        table.apply(changes, Mode::Strict, &mut ()).map_err(|_| Refused)?;
        let mut round = 0;
        let mut replace = || {
            for row in black_box(rows) {
                let old = Id { id: row.id + round };
                let new = Id { id: row.id + round + 1 };
                changes.remove(row.id, old).map_err(|_| Refused)?;
                changes.add(row.id, new).map_err(|_| Refused)?;
            }
            round += 1;
            let applied = table.apply(changes, Mode::Strict, &mut ()).map_err(|_| Refused)?;
            if applied.updated == rows.len() { Ok(()) } else { Err(Refused) }
        };
        replace()?;
        timer.time(self.records(), replace);
        for row in rows {
            let now = Id { id: row.id + round };
            if table.get(&row.id) != Some((&now, 1)) {
                return Err(Refused);
            }
        }
        Ok(())
    }
}

/// Bytes of the token in the stored `InitialConnection`.
const TOKEN: usize = 57;

impl Stored {
    fn get(&self, way: Way, plain: &'static [u8]) -> &'static [u8] {
        match way {
            Way::None => plain,
            Way::Gzip => self.gzip,
            Way::Brotli => self.brotli,
        }
    }
}

/// Whether a reader hands out just these rows.
fn check<R: Row>(
    rows: Option<&[R]>,
    read: impl FnOnce(&mut dyn FnMut(&R)) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let mut expected = rows.ok_or(Refused)?.iter();
    let mut same = true;
    read(&mut |row| same &= expected.next() == Some(row))?;
    if same && expected.next().is_none() { Ok(()) } else { Err(Refused) }
}

/// Whether `bytes` are these rows with their number in front.
fn is_array<R: Row>(rows: &[R], bytes: &[u8]) -> Result<(), Refused> {
    let Some((count, mut bytes)) = bytes.split_first_chunk() else { return Err(Refused) };
    let counted = usize::try_from(u32::from_le_bytes(*count)) == Ok(rows.len());
    if counted && rows.iter().all(|row| row.is_next(&mut bytes)) && bytes.is_empty() {
        Ok(())
    } else {
        Err(Refused)
    }
}

/// What a program does that wants the rows of an array one after the other, and once.
#[inline(always)]
fn decode_array<R: Row>(input: &'static [u8], mut each: impl FnMut(R)) -> Result<(), Refused> {
    let mut reader = Reader::new(input);
    let count = reader.u32_le().map_err(|_| Refused)?;
    for _ in 0..count {
        each(R::decode(&mut reader).map_err(|_| Refused)?);
    }
    reader.finish().map_err(|_| Refused)
}

#[inline(always)]
fn decode_list<R: Row>(input: &'static [u8], mut each: impl FnMut(R)) -> Result<(), Refused> {
    let list = RowList::from_slice(input).map_err(|_| Refused)?;
    for row in list.typed::<R>(Tail::Strict) {
        each(row.map_err(|_| Refused)?);
    }
    Ok(())
}

/// What is done with a row: it is made, as a whole.
#[inline(always)]
fn done<R>(row: R) {
    let _ = black_box(row);
}

/// Frames of a server are no longer.
const FRAME: usize = 4096;

/// A message in frames.
#[inline(always)]
fn stream<R: Row>(body: &[u8], mut each: impl FnMut(R::At<'_>)) -> Result<(), Refused> {
    let mut stream = MessageStream::<512>::new(Version::V2);
    for mut piece in body.chunks(FRAME) {
        while let Some(event) = stream.next(&mut piece).map_err(|_| Refused)? {
            match event {
                Event::BeginRows { .. } => stream.cut_by(cut::<R>),
                Event::Rows(rows) => {
                    for row in rows.typed::<R::At<'_>>(Tail::Strict) {
                        each(row.map_err(|_| Refused)?);
                    }
                }
                _ => {}
            }
        }
    }
    stream.finish().map_err(|_| Refused)
}

fn cut<R: Row>(reader: &mut Reader<'_>) -> Result<(), DecodeError> {
    <R::At<'_> as Decode<'_>>::decode(reader).map(drop)
}

/// The lists of new rows of an update.
#[inline(always)]
fn lists<'a>(
    query_sets: List<'a, QuerySetUpdate<'a>>,
    mut each: impl FnMut(RowList<'a>) -> Result<(), Refused>,
) -> Result<(), Refused> {
    for table in query_sets.iter().flat_map(|set| set.tables) {
        for rows in table.rows {
            match rows {
                TableUpdateRows::PersistentTable { inserts, .. } => each(inserts)?,
                TableUpdateRows::EventTable { events } => each(events)?,
            }
        }
    }
    Ok(())
}

#[inline(always)]
fn typed(rows: RowList<'_>, each: &mut impl FnMut(Id)) -> Result<(), Refused> {
    for row in rows.typed::<Id>(Tail::AllowTail) {
        each(row.map_err(|_| Refused)?);
    }
    Ok(())
}

#[inline(always)]
fn update(
    payload: &[u8],
    tables: &mut Tables,
    out: &mut [u8],
    mut each: impl FnMut(Id),
) -> Result<(), Refused> {
    let payload = Payload::new(payload).map_err(|_| Refused)?;
    let body = payload.decompress_with(tables, out).map_err(|_| Refused)?;
    match ServerMessage::from_slice(body) {
        Ok(ServerMessage::TransactionUpdate { query_sets }) => {
            lists(query_sets, |rows| typed(rows, &mut each))
        }
        _ => Err(Refused),
    }
}

#[inline(always)]
fn reducer(payload: &[u8], mut each: impl FnMut(Id)) -> Result<(), Refused> {
    let Ok(Payload::Plain(body)) = Payload::new(payload) else { return Err(Refused) };
    match ServerMessage::from_slice(body) {
        Ok(ServerMessage::ReducerResult {
            request_id: 7,
            outcome: ReducerOutcome::Ok { value: [1, 2, 3], query_sets },
            ..
        }) => lists(query_sets, |rows| typed(rows, &mut each)),
        _ => Err(Refused),
    }
}

#[inline(always)]
fn procedure(payload: &[u8], mut each: impl FnMut(Id)) -> Result<(), Refused> {
    let Ok(Payload::Plain(body)) = Payload::new(payload) else { return Err(Refused) };
    match ServerMessage::from_slice(body) {
        Ok(ServerMessage::ProcedureResult {
            status: ProcedureStatus::Returned(value),
            request_id: 7,
            ..
        }) => {
            for row in Array::<Id>::from_slice(value).map_err(|_| Refused)?.iter() {
                each(row);
            }
            Ok(())
        }
        _ => Err(Refused),
    }
}
