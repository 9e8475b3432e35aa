//! Records of fixed size: 20 bytes (a frame of a render batch) and 16 (an edit).
//!
//! The frames are those of the batches in `batches`, with numbers in place of strings. All
//! candidates read one slice of one host-order struct, which derives what each of them wants.

use std::cell::RefCell;
use std::hint::black_box;

use onewrite::Record;
use onewrite::record::{CopyRecords as _, WriteRecord as _, copy_slice, write_slice};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{Sink as _, SliceSink};
use zerocopy::{Immutable, IntoBytes};

use crate::row::Rows;
use crate::{batches, passing, peers};

/// A frame as a program has it: 24 bytes, four of them padding.
#[derive(
    Clone,
    Copy,
    Debug,
    Record,
    bincode::Encode,
    borsh::BorshSerialize,
    deku::DekuWrite,
    minicbor::Encode,
    musli::Encode,
    rkyv::Archive,
    rkyv::Serialize,
    serde::Serialize,
    speedy::Writable,
    wincode::SchemaWrite,
)]
#[record(size = 20)]
#[deku(endian = "little")]
#[musli(packed)]
pub(crate) struct Frame {
    #[n(0)]
    pub(crate) kind: i32,
    #[n(1)]
    pub(crate) first: i32,
    #[n(2)]
    pub(crate) second: i32,
    #[n(3)]
    pub(crate) event: u64,
}

/// An edit: 16 bytes, in memory as on the wire.
#[derive(
    Clone,
    Copy,
    Debug,
    Record,
    Immutable,
    IntoBytes,
    bincode::Encode,
    borsh::BorshSerialize,
    deku::DekuWrite,
    minicbor::Encode,
    musli::Encode,
    rkyv::Archive,
    rkyv::Serialize,
    serde::Serialize,
    speedy::Writable,
    wincode::SchemaWrite,
)]
#[record(size = 16)]
#[repr(C)]
#[deku(endian = "little")]
#[musli(packed)]
pub(crate) struct Edit {
    #[n(0)]
    pub(crate) kind: i32,
    #[n(1)]
    pub(crate) sibling: i32,
    #[n(2)]
    pub(crate) index: i32,
    #[n(3)]
    pub(crate) name: i32,
}

pub(crate) fn add(rows: &mut Rows) {
    for (name, batch) in [
        ("frames-64", "seed000-frames-64"),
        ("frames-512", "seed000-frames-512"),
        ("frames-4096", "seed000-frames-4096"),
        ("frames-table-200", "seed001-table-200"),
        ("frames-counter", "seed001-counter-update"),
    ] {
        let frames: &'static [Frame] = frames_of(&batches::finished(batch)).leak();
        let wire: Vec<[u8; 20]> = frames.iter().map(Frame::to_bytes).collect();
        let wire: &'static [[u8; 20]] = wire.leak();
        rows.begin(name, frames.len(), wire.as_flattened().to_vec(), ["onewrite", "onewrite"]);
        records(rows, frames, wire);
        passing::add(rows, frames);
        rows.peers();
        // The others are there for the shapes alone.
        if frames.len().is_power_of_two() {
            peers::memory::frames(rows, frames);
            peers::outlet::frames(rows, frames);
        }
    }
    for (name, count) in [("edits-512", 512), ("edits-4096", 4096)] {
        let edits: Vec<Edit> = (0..count).map(edit).collect();
        let edits: &'static [Edit] = edits.leak();
        let wire: Vec<[u8; 16]> = edits.iter().map(Edit::to_bytes).collect();
        let wire: &'static [[u8; 16]] = wire.leak();
        rows.begin(name, edits.len(), wire.as_flattened().to_vec(), ["onewrite", "onewrite"]);
        records(rows, edits, wire);
        copied(rows, edits);
        rows.peers();
        peers::memory::edits(rows, edits);
    }
}

/// The frames of a batch: behind a count, at the place that the second number of the trailer says.
fn frames_of(batch: &[u8]) -> Vec<Frame> {
    let (words, _) = batch.as_chunks::<4>();
    let int = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) as usize;
    let trailer = batch.last_chunk::<20>().expect("a batch has a trailer").as_chunks::<4>().0;
    let at = int(&trailer[1]);
    let count = int(&words[at / 4]);
    let (records, _) = batch[at + 4..].as_chunks::<20>();
    records[..count].iter().map(|bytes| Frame::from_bytes(bytes).expect("any number")).collect()
}

fn edit(i: i32) -> Edit {
    Edit { kind: i % 10 + 1, sibling: i, index: i * 7, name: -1 }
}

/// What the library offers for records, and the limit.
///
/// | shape | is |
/// |---|---|
/// | `onewrite` | all records at once, through 256 bytes where there is no memory |
/// | `onewrite-each` | a call of the sink for each record |
/// | `onewrite-copy` | all records as they lie in memory, in one write |
/// | `onewrite-held` | records that are held as wire bytes, in one write |
/// | `onewrite-buffer` | all records in a buffer of their length first, then one write |
/// | `memcpy` | the finished bytes copied, or in one write |
fn records<R: Record, const N: usize>(
    rows: &mut Rows,
    records: &'static [R],
    wire: &'static [[u8; N]],
) where
    R: 'static,
{
    rows.memory("onewrite", move |out| {
        write_slice(black_box(records), out).expect("the room is there")
    });
    rows.memory("onewrite-each", move |out| {
        let mut sink = SliceSink::new(out);
        for record in black_box(records) {
            sink.write_record(record).expect("the room is there");
        }
        sink.written()
    });
    rows.memory("onewrite-held", move |out| {
        let mut sink = SliceSink::new(out);
        sink.write(black_box(wire).as_flattened()).expect("the room is there");
        sink.written()
    });
    rows.memory("memcpy", move |out| {
        let wire = black_box(wire).as_flattened();
        out[..wire.len()].copy_from_slice(wire);
        wire.len()
    });
    rows.outlet("onewrite", move |outlet| {
        StreamSink::new(outlet).write_records(black_box(records)).expect("the room is there");
    });
    rows.outlet("onewrite-each", move |outlet| {
        let mut sink = StreamSink::new(outlet);
        for record in black_box(records) {
            sink.write_record(record).expect("the room is there");
        }
    });
    let buffer = &*Box::leak(Box::new(RefCell::new(vec![0; N * records.len()])));
    rows.outlet("onewrite-buffer", move |outlet| {
        let buffer = &mut *buffer.borrow_mut();
        write_slice(black_box(records), buffer).expect("the room is there");
        outlet.write_all(buffer).expect("the room is there");
    });
    rows.outlet("memcpy", move |outlet| {
        outlet.write_all(black_box(wire).as_flattened()).expect("the room is there");
    });
}

/// Records that are in memory what they are on the wire.
fn copied(rows: &mut Rows, edits: &'static [Edit]) {
    rows.memory("onewrite-copy", move |out| {
        copy_slice(black_box(edits), out).expect("the room is there")
    });
    rows.outlet("onewrite-copy", move |outlet| {
        StreamSink::new(outlet).copy_records(black_box(edits)).expect("the room is there");
    });
}
