//! Digits, literals, and templates.

use core::hint::black_box;

use onewrite::literal::{self, HoleError};
use onewrite::sink::{CountingSink, SliceSink};
use onewrite::template;

/// Made by the compiler: at run time nothing of it is left.
const GREETING: &[u8] = onewrite::literal!("hello ", dec(7), le(5u32), be(7u16), leb(300));

template!(HEAD = "HTTP/1.1 200 OK\r\ncontent-length: ", len: dec(3), "\r\n\r\n");
template!(
    EVERYTHING = dec(10),
    zeros: dec(20),
    spaces: dec(12, space),
    digits: hex(16),
    "-",
    little: le(u32),
    big: be(u128),
    float: be(f64),
    raw: bytes(6),
    b"\r\n",
);

/// Every width that a number may have.
macro_rules! widths {
    ($how:path: $($width:literal)*) => {
        for value in [0, 9, 12_345, u64::MAX] {
            $(black_box($how(black_box(value)) as Option<[u8; $width]>);)*
        }
    };
}

#[inline(never)]
pub(crate) fn call() {
    black_box(black_box(GREETING));
    let parts: [&[u8]; 3] = [b"abc", b"", b"de"];
    black_box(literal::total_len(black_box(&parts)));
    black_box(literal::concat::<5>(black_box(&parts)));
    black_box(literal::concat::<7>(black_box(&parts)));
    black_box(literal::zero_padded::<3>(black_box(7)));
    black_box(literal::space_padded::<3>(black_box(7)));
    black_box(literal::hex::<3>(black_box(7)));
    widths!(literal::zero_padded: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
    widths!(literal::space_padded: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
    widths!(literal::hex: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    head();
    everything();
}

#[inline(never)]
fn head() {
    let filled: Result<[u8; HEAD::LEN], HoleError> = HEAD::fill(HEAD, black_box(11));
    black_box(filled).ok();
    let mut bytes = HEAD::BYTES;
    black_box(HEAD::fill_array(HEAD, black_box(&mut bytes), black_box(1_000))).ok();
    let mut buffer = [0; 100];
    let slice = black_box(&mut buffer[..]);
    black_box(HEAD::fill_slice(HEAD, slice, black_box(7))).ok();
    let mut sink = SliceSink::new(black_box(&mut buffer));
    black_box(HEAD::write_to(HEAD, black_box(&mut sink), black_box(7))).ok();
    black_box(HEAD::write_to(HEAD, black_box(&mut CountingSink::new()), black_box(7))).ok();
}

#[inline(never)]
fn everything() {
    let (number, word, wide, float, raw) = black_box((7, 7, 7, 1.5, [1; 6]));
    black_box(EVERYTHING::fill(EVERYTHING, number, number, number, word, wide, float, raw)).ok();
    let mut buffer = [0; 100];
    let slice = black_box(&mut buffer[..]);
    black_box(EVERYTHING::fill_slice(
        EVERYTHING, slice, number, number, number, word, wide, float, raw,
    ))
    .ok();
    let mut sink = SliceSink::new(black_box(&mut buffer));
    let sink = black_box(&mut sink);
    black_box(EVERYTHING::write_to(
        EVERYTHING, sink, number, number, number, word, wide, float, raw,
    ))
    .ok();
}
