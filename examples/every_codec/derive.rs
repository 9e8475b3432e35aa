//! Records of every shape that the derive lays out.

use core::hint::black_box;
use core::marker::PhantomData;

use onewrite::Record;
use onewrite::record::{Endian, Field, WriteRecord};
use onewrite::sink::{CountingSink, SliceSink};

use crate::record::every_way;

/// One field of each kind.
#[derive(Clone, Copy, Debug, Record)]
#[record(size = 107, pad(reserved = 104..107))]
struct All {
    a: u8,
    b: i8,
    #[record(endian = "big")]
    c: u16,
    d: i16,
    e: u32,
    #[record(endian = "big")]
    f: i32,
    g: u64,
    #[record(endian = "big")]
    h: i64,
    i: u128,
    #[record(endian = "big")]
    j: i128,
    k: bool,
    l: [u8; 3],
    m: [u16; 2],
    #[record(endian = "big")]
    n: [[u16; 1]; 2],
    q: [bool; 4],
    x: f32,
    y: f64,
    #[record(endian = "big")]
    z: [f32; 3],
    marker: PhantomData<u8>,
    end: [u8; 2],
}

const ALL: All = All {
    a: 1,
    b: -2,
    c: 3,
    d: -4,
    e: 5,
    f: -6,
    g: 7,
    h: -8,
    i: 9,
    j: -10,
    k: true,
    l: [1; 3],
    m: [1; 2],
    n: [[1]; 2],
    q: [false; 4],
    x: 1.5,
    y: 2.5,
    z: [0.5; 3],
    marker: PhantomData,
    end: [7; 2],
};

#[derive(Clone, Copy, Debug, Record)]
#[repr(u8)]
enum Kind {
    A = 1,
    B = 7,
}

#[derive(Clone, Copy, Debug, Record)]
#[record(endian = "big")]
#[repr(i16)]
enum Open {
    #[record(other)]
    Other(i16) = 0,
    A = -2,
}

/// Fields behind a tag.
#[derive(Clone, Copy, Debug, Record)]
#[record(size = 20, tag = i32)]
enum Message {
    #[record(tag = 1)]
    Element { subtree: i32, name: i32 },
    #[record(tag = 2)]
    Text(i32),
    #[record(tag = 3)]
    Attribute {
        #[record(at = 12, endian = "big")]
        event: u64,
    },
    #[record(tag = 4)]
    Kinds([Kind; 3]),
    #[record(tag = 5)]
    Empty,
    #[record(other)]
    Unknown { tag: i32, payload: [u8; 16] },
}

#[derive(Clone, Copy, Debug, Record)]
#[record(tag_at = 4, endian = "big", lenient)]
#[repr(u16)]
enum Late {
    A {
        #[record(at = 0)]
        x: u32,
    } = 1,
    B(u8) = 2,
}

/// Records in records, by value and in arrays of both kinds.
#[derive(Clone, Copy, Debug, Record)]
struct Nested {
    message: Message,
    kinds: [Kind; 2],
    many: [Open; 40],
    matrix: [[Late; 2]; 2],
}

#[derive(Clone, Copy, Debug, Record)]
#[record(size = 8, gaps = "zero")]
struct Gaps {
    #[record(at = 6)]
    b: u8,
    #[record(at = 2)]
    a: u16,
}

/// Longer than what is compared gap by gap.
#[derive(Clone, Copy, Debug, Record)]
#[record(size = 300, gaps = "zero")]
struct Long {
    #[record(at = 290)]
    b: u16,
    #[record(at = 2)]
    a: [u8; 3],
}

#[derive(Clone, Copy, Debug, Record)]
#[record(size = 4, pad(a = 0..1, b = 3..4), lenient)]
struct Lenient {
    #[record(at = 1)]
    x: u16,
}

#[derive(Clone, Copy, Debug, Record)]
struct Nothing;

#[derive(Clone, Copy, Debug, Record)]
struct Packet<'a, T, const N: usize> {
    id: u16,
    tag: T,
    data: [u8; N],
    list: [T; 2],
    owner: PhantomData<&'a T>,
}

#[derive(Clone, Copy, Debug, Record)]
#[record(size = 6, endian = "big")]
struct Sized<T>(T, u16);

#[derive(Clone, Copy, Debug, Record)]
#[record(not_const)]
struct Around {
    id: Sized<u32>,
    length: u16,
}

#[derive(Clone, Copy, Debug, Record)]
#[record(tag = u8, endian = "big")]
enum Either<A, B> {
    #[record(tag = 1)]
    Left(A),
    #[record(tag = 2)]
    Right(B),
}

#[inline(never)]
pub(crate) fn call() {
    let mut bytes = All::to_bytes(black_box(&ALL));
    All::write_at(black_box(&ALL), black_box(&mut bytes));
    black_box(All::from_bytes(black_box(&bytes))).ok();

    every_way(&ALL);
    for kind in [Kind::A, Kind::B] {
        every_way(&kind);
    }
    for open in [Open::A, Open::Other(7)] {
        every_way(&open);
    }
    for message in [
        Message::Element { subtree: 1, name: 2 },
        Message::Text(3),
        Message::Attribute { event: 4 },
        Message::Kinds([Kind::A; 3]),
        Message::Empty,
        Message::Unknown { tag: 9, payload: [1; 16] },
    ] {
        every_way(&message);
        every_way(&Nested {
            message,
            kinds: [Kind::B; 2],
            many: [Open::A; 40],
            matrix: [[Late::A { x: 1 }, Late::B(2)]; 2],
        });
    }
    every_way(&Late::B(7));
    every_way(&Gaps { a: 1, b: 2 });
    every_way(&Long { a: [1; 3], b: 2 });
    every_way(&Lenient { x: 1 });
    every_way(&Nothing);
    every_way(&Around { id: Sized(1, 2), length: 3 });
    every_way(&Sized(1u32, 2));
    parameters();
    lists();
}

/// Records with parameters and no size of their own: fields.
#[inline(never)]
fn parameters() {
    let mut out = [0; 64];
    let out = black_box(&mut out[..]);
    let packet = Packet { id: 1, tag: 2u8, data: *b"abc", list: [3; 2], owner: PhantomData };
    Packet::put(black_box(&packet), black_box(Endian::Little), out);
    black_box(Packet::<'_, u8, 3>::get(black_box(Endian::Little), black_box(out))).ok();
    let either: Either<u16, [u8; 3]> = black_box(Either::Left(1));
    Either::put(&either, black_box(Endian::Big), out);
    Either::put(&Either::<u16, u8>::Right(1), black_box(Endian::Big), out);
    black_box(Either::<u16, [u8; 3]>::get(black_box(Endian::Big), black_box(out))).ok();
}

/// Slices of records into what is memory and what is not.
#[inline(never)]
fn lists() {
    let mut buffer = [0; 512];
    let records = [ALL; 3];
    let records = black_box(&records[..]);
    let mut slice = SliceSink::new(black_box(&mut buffer));
    black_box(<SliceSink<'_> as WriteRecord>::write_records(black_box(&mut slice), records)).ok();
    let mut count = CountingSink::new();
    black_box(<CountingSink as WriteRecord>::write_records(black_box(&mut count), records)).ok();
    let long = [Long { a: [1; 3], b: 2 }; 2];
    black_box(<CountingSink as WriteRecord>::write_records(&mut count, black_box(&long))).ok();
}
