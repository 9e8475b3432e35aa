//! Records that lie in memory as on the wire: the bytes are those of the ordinary way, from the records'
//! own memory where the machine permits, and elsewhere from record by record.
//!
//! What does not build is in `tests/ui/copy_*.rs`; sinks that fail at every byte are in
//! `tests/failing_sinks.rs`.
#![cfg(all(feature = "derive", feature = "zerocopy-08"))]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

mod recording;

use core::fmt::Debug;
use core::marker::PhantomData;

use hex_literal::hex;
use onewrite::Record;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::record::{CopyRecords as _, WriteRecord as _, copy_slice, wire_bytes, write_slice};
use onewrite::sink::{CountingSink, SliceSink};
use recording::Recording;
use zerocopy::{Immutable, IntoBytes};

#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(C)]
struct Edit {
    kind: i32,
    sibling: i32,
    index: u32,
    name: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(u8)]
enum Colour {
    Red = 1,
    Blue = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(i16)]
enum Step {
    Back = -2,
    On {} = 7,
}

type Id = u64;

/// Every kind of field.
#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[record(size = 56)]
#[repr(C)]
struct Everything {
    #[record(as = u64, at = 0)]
    id: Id,
    #[record(at = 8)]
    ratio: f32,
    marker: PhantomData<u32>,
    lit: bool,
    colour: Colour,
    step: Step,
    name: [u8; 5],
    r#type: i8,
    switches: [[bool; 2]; 3],
    pair: [u16; 2],
    nested: [Inner; 2],
    long: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(C)]
struct Inner(u16, [u8; 2], u32);

/// Bytes have no order.
#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[record(endian = "big")]
#[repr(C)]
struct Flags {
    first: u8,
    second: [bool; 2],
}

/// Nothing between the fields, at odd places.
#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(C, packed)]
struct Packed {
    sensor: u8,
    time: u64,
}

/// Where the numbers of most machines have to be turned round.
#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[record(endian = "big")]
#[repr(C)]
struct Header {
    source: u16,
    target: u16,
    sequence: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Record, IntoBytes, Immutable)]
#[repr(C)]
struct Nothing {}

const EDITS: [Edit; 3] = [
    Edit { kind: 6, sibling: 2, index: 0x0102_0304, name: -1 },
    Edit { kind: i32::MIN, sibling: 0, index: u32::MAX, name: i32::MAX },
    Edit { kind: 1, sibling: -2, index: 7, name: 0 },
];

const EVERYTHING: Everything = Everything {
    id: 0x0102_0304_0506_0708,
    ratio: 1.5,
    marker: PhantomData,
    lit: true,
    colour: Colour::Blue,
    step: Step::Back,
    name: *b"hello",
    r#type: -3,
    switches: [[true, false], [false, true], [true, true]],
    pair: [0x0a0b, 0x0c0d],
    nested: [Inner(1, [2, 3], 4), Inner(5, [6, 7], 0xdead_beef)],
    long: -0.25,
};

const HEADERS: [Header; 40] =
    [Header { source: 0x0102, target: 0x0304, sequence: 0x0506_0708 }; 40];

/// Each way to the bytes, at every capacity, beside the ordinary one.
#[track_caller]
fn is_as_written<R: Record + IntoBytes + Immutable + PartialEq + Debug>(records: &[R]) {
    let len = records.len() * R::SIZE;
    let mut expected = vec![0; len];
    write_slice(records, &mut expected).unwrap();
    if let Some(bytes) = wire_bytes(records) {
        assert_eq!(bytes, expected);
        assert_eq!(bytes.as_ptr(), records.as_ptr().cast());
    }
    for room in 0..=len + 3 {
        let (mut ours, mut theirs) = (vec![0xa5; room], vec![0xa5; room]);
        assert_eq!(copy_slice(records, &mut ours), write_slice(records, &mut theirs));
        assert_eq!(ours, theirs, "{room}");

        let (mut ours, mut theirs) = (vec![0xa5; room], vec![0xa5; room]);
        let (mut copied, mut written) = (SliceSink::new(&mut ours), SliceSink::new(&mut theirs));
        assert_eq!(copied.copy_records(records), written.write_records(records));
        assert_eq!(copied.written(), written.written());
        assert_eq!(ours, theirs, "{room}");
    }
    let mut sink = Recording::default();
    sink.copy_records(records).unwrap();
    assert_eq!(sink.bytes, expected);
    let mut counting = CountingSink::new();
    counting.copy_records(records).unwrap();
    assert_eq!(counting.written(), len);
}

#[test]
fn the_bytes_are_those_of_the_wire() {
    is_as_written(&EDITS);
    is_as_written::<Edit>(&[]);
    is_as_written(&[Colour::Red, Colour::Blue]);
    is_as_written(&[Step::On {}, Step::Back]);
    is_as_written(&[EVERYTHING; 2]);
    is_as_written(&[Inner(1, [2, 3], 4)]);
    is_as_written(&[Flags { first: 1, second: [true, false] }; 5]);
    is_as_written(&[Packed { sensor: 7, time: 1 << 40 }; 3]);
    is_as_written(&HEADERS);
    is_as_written(&[Nothing {}; 3]);
    assert_eq!(
        EVERYTHING.to_bytes(),
        hex!(
            "0807060504030201 0000c03f 01 c8 feff 68656c6c6f fd 0100 0001 0101
             0b0a0d0c 0100 0203 04000000 0500 0607 efbeadde 000000000000d0bf"
        )
    );
}

#[test]
fn the_machine_says_what_is_copied() {
    let little = cfg!(target_endian = "little");
    assert_eq!(wire_bytes(&EDITS).is_some(), little);
    assert_eq!(wire_bytes(&[EVERYTHING]).is_some(), little);
    assert_eq!(wire_bytes(&[Step::Back]).is_some(), little);
    assert_eq!(wire_bytes(&[Packed { sensor: 1, time: 2 }]).is_some(), little);
    assert_eq!(wire_bytes(&HEADERS).is_some(), !little);
    assert_eq!(wire_bytes(&[Flags { first: 1, second: [true, false] }]), Some(&[1, 1, 0][..]));
    assert_eq!(wire_bytes(&[Colour::Red, Colour::Blue]), Some(&[1, 200][..]));
}

#[test]
fn records_are_one_write_from_where_they_lie() {
    let flags = [Flags { first: 1, second: [true, false] }; 500];
    let mut sink = Recording::default();
    sink.copy_records(&flags).unwrap();
    assert_eq!(sink.writes, [(flags.as_ptr().cast(), 1500)]);
}

#[test]
fn no_bytes_are_no_write() {
    let mut sink = Recording::default();
    sink.copy_records::<Edit>(&[]).unwrap();
    sink.copy_records::<Header>(&[]).unwrap();
    sink.copy_records(&[Nothing {}; 3]).unwrap();
    assert!(sink.writes.is_empty());
}

/// A sink behind which nothing is copied sees one message all the same.
#[test]
#[cfg(target_endian = "little")]
fn what_is_not_copied_is_one_message_too() {
    let mut sink = Recording::default();
    sink.copy_records(&HEADERS).unwrap();
    assert_eq!((sink.lengths(), sink.poisoned), (vec![256, 64], false));

    for (room, written, poisoned) in [(255, 0, false), (256, 256, true), (319, 256, true)] {
        let mut sink = Recording { room: Some(room), ..Recording::default() };
        let error = sink.copy_records(&HEADERS).unwrap_err();
        assert_eq!(error, WriteError::new(written, WriteErrorKind::Stalled));
        assert_eq!((sink.bytes.len(), sink.poisoned), (written, poisoned), "{room}");
    }
}
