//! The writer's every exit: the same bytes through each of them.

use core::convert::Infallible;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::render_batch::{Batch, BatchError, BatchProducer, encoded_len, write_into};
use onewrite::sink::{self, CountingSink, Producer as _, Sink, SliceSink};
use onewrite::string_table::{Interner, SlimStringTable, StringTable};

use crate::description::{Source, Strings, diffs};
use crate::read;
use crate::vector::{Vector, digest, same};

/// The most that a table can have: a vector fails for its bytes, not for our memory.
const SLOTS: usize = 1 << 16;
const SOURCES: [Source; 3] = [Source::EachItsOwn, Source::OnePointer, Source::Names];
/// Lengths of the scratch: one frame, not quite two, odd ones, usual ones.
const SCRATCHES: [usize; 7] = [20, 21, 39, 40, 64, 256, 1000];
/// From this length on a batch goes through fewer scratches and in larger pieces, for time's sake.
const LARGE: usize = 1 << 20;

/// Bytes of the vector that batches go into as far as they fit.
const ROOM: usize = 1 << 16;
/// That of most: `heapless::Vec` is filled byte by byte, which takes long where nothing is optimized.
const SMALL_ROOM: usize = 1 << 12;

/// The exits that are always compared.
pub(crate) const IN_MEMORY: &str = "write_into, BatchProducer, SliceSink, dyn Sink, CountingSink, \
     heapless::Vec by write_from and by reserve; either table";

/// Features that bring an exit which is compared, and the exits.
pub(crate) const WITH_FEATURES: &[(&str, &str)] = &[
    #[cfg(feature = "embedded-io-07")]
    ("embedded-io-07", "embedded_io::Write, dyn embedded_io::Write"),
    #[cfg(feature = "embedded-io-async-07")]
    ("embedded-io-async-07", "embedded_io_async::Write"),
];

/// Features without which an exit is not compared, and the exits.
pub(crate) const SKIPPED: &[(&str, &str)] = &[
    #[cfg(not(feature = "embedded-io-07"))]
    ("embedded-io-07", "embedded_io::Write, dyn embedded_io::Write"),
    #[cfg(not(feature = "embedded-io-async-07"))]
    ("embedded-io-async-07", "embedded_io_async::Write"),
];

/// What is reused from batch to batch, as a device does.
pub(crate) struct Tools {
    pub(crate) table: Box<StringTable<SLOTS>>,
    slim: Box<SlimStringTable<SLOTS>>,
    strings: Vec<u32>,
    /// Vectors that went through `heapless::Vec`.
    pub(crate) fitted: usize,
}

impl Tools {
    pub(crate) fn new() -> Self {
        Self {
            table: Box::new(StringTable::new()),
            slim: Box::new(SlimStringTable::new()),
            strings: vec![0; 1 << 20],
            fitted: 0,
        }
    }
}

/// The vector's bytes; where it holds none, the writer's, checked against its length and SHA-256.
pub(crate) fn reference(vector: &Vector, tools: &mut Tools) -> Result<Vec<u8>, String> {
    if let Some(bytes) = &vector.bytes {
        return Ok(bytes.clone());
    }
    let mut bytes = vec![0xa5; vector.length];
    with_batch(vector, Source::EachItsOwn, |batch| {
        let len =
            write_into(&mut *tools.table, batch, &mut bytes).map_err(|why| why.to_string())?;
        if len != vector.length {
            return Err(format!("{len} bytes, not {}", vector.length));
        }
        Ok(())
    })?;
    let sha256 = digest(&bytes);
    if sha256 != vector.sha256 {
        return Err(format!("SHA-256 is {sha256}, not {}", vector.sha256));
    }
    Ok(bytes)
}

/// Writes the description through every exit, with every source of strings.
pub(crate) fn every_exit(vector: &Vector, bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    for source in SOURCES {
        with_batch(vector, source, |batch| {
            in_place(batch, bytes, &mut *tools.table)?;
            in_place(batch, bytes, &mut *tools.slim).map_err(|why| format!("slim: {why}"))?;
            slim_producer(batch, bytes, tools)?;
            producer(batch, bytes, tools)?;
            sinks(batch, bytes, tools)?;
            if bytes.len() <= SMALL_ROOM {
                fixed_vector::<SMALL_ROOM>(batch, bytes, tools)?;
            } else if bytes.len() <= ROOM {
                fixed_vector::<ROOM>(batch, bytes, tools)?;
            }
            streams::compare(batch, bytes, tools)?;
            read::tree(batch, bytes)
        })
        .map_err(|why| format!("strings {source:?}: {why}"))?;
    }
    tools.fitted += usize::from(bytes.len() <= ROOM);
    Ok(())
}

fn with_batch(
    vector: &Vector,
    source: Source,
    run: impl FnOnce(&Batch<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let mut strings = Strings::new(source);
    let edits = strings.edits(&vector.batch);
    let frames = strings.frames(&vector.batch);
    run(&Batch {
        diffs: &diffs(&vector.batch, &edits),
        frames: &frames,
        disposed_components: &vector.batch.disposed_components,
        disposed_events: &vector.batch.disposed_events,
        ..Batch::default()
    })
}

/// A buffer of exactly the right length is enough, and one byte less is an error that says so.
fn in_place<T: Interner>(batch: &Batch<'_>, bytes: &[u8], table: &mut T) -> Result<(), String> {
    let predicted = encoded_len(table, batch).map_err(|why| why.to_string())?;
    if predicted != bytes.len() {
        return Err(format!("encoded_len is {predicted}, not {}", bytes.len()));
    }
    for spare in [0, 1, 77] {
        let mut out = vec![0xa5; bytes.len() + spare];
        let len = write_into(table, batch, &mut out).map_err(|why| format!("in place: {why}"))?;
        same("in place", out.get(..len).unwrap_or_default(), bytes)?;
    }
    let mut out = vec![0xa5; bytes.len() - 1];
    let short = write_into(table, batch, &mut out);
    let needed = bytes.len();
    let wanted = BatchError::BufferTooSmall { needed, available: needed - 1 };
    if short != Err(wanted) {
        return Err(format!("one byte short: {short:?}, not {wanted:?}"));
    }
    Ok(())
}

/// Scratches of many lengths, and of another length in each call.
fn producer(batch: &Batch<'_>, bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    let mut plans = vec![vec![bytes.len()], vec![20, 1000, 33, 21, 128]];
    if bytes.len() < LARGE {
        plans.extend(SCRATCHES.map(|len| vec![len]));
    }
    for plan in plans {
        let mut out = Vec::with_capacity(bytes.len());
        let mut scratch = vec![0xa5; plan.iter().copied().max().unwrap_or_default()];
        let mut producer = start(batch, tools)?;
        for len in plan.iter().cycle() {
            let room = &mut scratch[..*len];
            room.fill(0xa5);
            let filled =
                producer.next_chunk(room).map_err(|why| format!("scratch {len}: {why}"))?;
            if filled == 0 {
                break;
            }
            out.extend_from_slice(&room[..filled]);
        }
        same(&format!("scratches of {plan:?}"), &out, bytes)?;
        if producer.next_chunk(&mut scratch) != Ok(0) {
            return Err("a producer that has ended goes on".into());
        }
    }
    let mut producer = start(batch, tools)?;
    let refused = producer.next_chunk(&mut [0; 19]);
    if refused != Err(BatchError::ScratchTooSmall { needed: 20, available: 19 }) {
        return Err(format!("scratch of 19 bytes: {refused:?}"));
    }
    Ok(())
}

/// One pass with the smaller table; what differs lies inside the table.
fn slim_producer(batch: &Batch<'_>, bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    let mut producer = BatchProducer::new(&mut *tools.slim, &mut tools.strings, batch)
        .map_err(|why| why.to_string())?;
    let mut out = vec![0xa5; bytes.len()];
    let mut sink = SliceSink::new(&mut out);
    let written = sink::write_from(&mut sink, &mut producer, &mut [0; 256]);
    if written != Ok(bytes.len()) {
        return Err(format!("slim producer: {written:?}"));
    }
    same("slim producer", &out, bytes)
}

fn start<'a>(
    batch: &'a Batch<'a>,
    tools: &'a mut Tools,
) -> Result<BatchProducer<'a, StringTable<SLOTS>>, String> {
    BatchProducer::new(&mut *tools.table, &mut tools.strings, batch).map_err(|why| why.to_string())
}

/// Memory behind `SliceSink`, plain and as `dyn`, and a sink that only counts.
fn sinks(batch: &Batch<'_>, bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    let mut out = vec![0xa5; bytes.len()];
    let mut sink = SliceSink::new(&mut out);
    let written = sink::write_from(&mut sink, &mut start(batch, tools)?, &mut [0; 256]);
    if written != Ok(bytes.len()) {
        return Err(format!("slice sink: {written:?}"));
    }
    same("slice sink", &out, bytes)?;

    out.fill(0xa5);
    let mut sink = SliceSink::new(&mut out);
    let sink: &mut dyn Sink<Error = Infallible> = &mut sink;
    let written = sink::write_from(sink, &mut start(batch, tools)?, &mut [0; 64]);
    if written != Ok(bytes.len()) {
        return Err(format!("dyn sink: {written:?}"));
    }
    same("dyn sink", &out, bytes)?;

    let mut sink = SliceSink::new(&mut out[1..]);
    let refused = sink::write_from(&mut sink, &mut start(batch, tools)?, &mut [0; 256]);
    let Err(WriteError { kind: WriteErrorKind::Full { .. }, .. }) = refused else {
        return Err(format!("slice sink that is one byte short: {refused:?}"));
    };

    let mut sink = CountingSink::new();
    sink::write_from(&mut sink, &mut start(batch, tools)?, &mut [0; 256])
        .map_err(|why| format!("counting sink: {why}"))?;
    if sink.written() != bytes.len() {
        return Err(format!("counting sink: {} bytes", sink.written()));
    }
    Ok(())
}

/// `heapless::Vec` takes the chunks, or lends its memory, behind what it holds; to the last byte.
fn fixed_vector<const N: usize>(
    batch: &Batch<'_>,
    bytes: &[u8],
    tools: &mut Tools,
) -> Result<(), String> {
    let mut vec = Box::new(heapless::Vec::<u8, N>::new());
    let room = N - bytes.len();
    for before in [0, room] {
        vec.clear();
        vec.resize(before, 0x5a).map_err(|why| why.to_string())?;
        let written = sink::write_from(&mut *vec, &mut start(batch, tools)?, &mut [0; 256]);
        if written != Ok(bytes.len()) {
            return Err(format!("heapless::Vec behind {before} bytes: {written:?}"));
        }
        same("heapless::Vec", &vec[before..], bytes)?;

        vec.truncate(before);
        let lent = vec.reserve(bytes.len()).map_err(|why| why.to_string())?;
        let lent = lent.ok_or("heapless::Vec lends nothing")?;
        let written = write_into(&mut *tools.table, batch, lent);
        if written != Ok(bytes.len()) {
            return Err(format!("lent by heapless::Vec behind {before} bytes: {written:?}"));
        }
        same("lent by heapless::Vec", &vec[before..], bytes)?;
        if vec[..before].iter().any(|byte| *byte != 0x5a) {
            return Err(format!("heapless::Vec does not keep its {before} bytes"));
        }
    }
    // One byte short.
    vec.clear();
    vec.resize(room + 1, 0).map_err(|why| why.to_string())?;
    let refused = sink::write_from(&mut *vec, &mut start(batch, tools)?, &mut [0; 256]);
    let Err(WriteError { kind: WriteErrorKind::Full { .. }, .. }) = refused else {
        return Err(format!("heapless::Vec that is one byte short: {refused:?}"));
    };
    Ok(())
}

#[cfg(not(any(feature = "embedded-io-07", feature = "embedded-io-async-07")))]
mod streams {
    use super::{Batch, Tools};

    /// Nothing: `main` says which exits are missing.
    pub(crate) fn compare(_: &Batch<'_>, _: &[u8], _: &mut Tools) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
#[path = "streams.rs"]
mod streams;
