//! BSATN through serde.

use core::hint::black_box;

use onewrite::bsatn::serde::{self, ValueError};
use onewrite::sink::{CountingSink, SliceSink};

type Row<'a> = (u8, i64, u128, f32, bool, &'a str, Option<(u16, &'a [u8])>, Result<[u32; 3], ()>);

#[inline(never)]
pub(crate) fn call() {
    let row: Row<'_> = (1, -2, 3, 0.5, true, "text", Some((7, b"raw")), Ok([1, 2, 3]));
    let row = black_box(&row);
    let mut out = [0; 128];
    black_box(serde::to_slice(row, black_box(&mut out))).ok();
    black_box(serde::to_slice(row, black_box(&mut [0; 3]))).ok();
    black_box(serde::to_slice(&[*row, *row][..], black_box(&mut [0; 3]))).ok();
    black_box(serde::to_slice(&'c', black_box(&mut [0; 3]))).ok();
    black_box(serde::to_sink(row, &mut CountingSink::new())).ok();
    black_box(serde::to_sink(row, &mut SliceSink::new(black_box(&mut out)))).ok();
    let bytes = black_box(&out[..]);
    black_box(serde::from_slice::<Row<'_>>(bytes)).ok();
    black_box(serde::take_from::<Row<'_>>(bytes)).ok();
    black_box(serde::take_from::<[Option<char>; 2]>(bytes)).ok();
    black_box(ValueError::UnknownLength);
}
