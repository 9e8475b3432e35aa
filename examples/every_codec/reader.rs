//! The cursor over input in memory.

use core::hint::black_box;

use onewrite::error::DecodeErrorKind;
use onewrite::reader::Reader;

#[inline(never)]
pub(crate) fn call() {
    let input: &[u8] = &[1; 100];
    numbers(&mut Reader::new(black_box(input)));
    runs(&mut Reader::starting_at(black_box(7), black_box(input)));
}

#[inline(never)]
fn numbers(reader: &mut Reader<'_>) {
    black_box(Reader::u8(black_box(reader))).ok();
    black_box(Reader::i8(black_box(reader))).ok();
    black_box(Reader::bool(black_box(reader))).ok();
    black_box(Reader::u16_le(black_box(reader))).ok();
    black_box(Reader::u16_be(black_box(reader))).ok();
    black_box(Reader::i16_le(black_box(reader))).ok();
    black_box(Reader::i16_be(black_box(reader))).ok();
    black_box(Reader::u32_le(black_box(reader))).ok();
    black_box(Reader::u32_be(black_box(reader))).ok();
    black_box(Reader::i32_le(black_box(reader))).ok();
    black_box(Reader::i32_be(black_box(reader))).ok();
    black_box(Reader::u64_le(black_box(reader))).ok();
    black_box(Reader::u64_be(black_box(reader))).ok();
    black_box(Reader::i64_le(black_box(reader))).ok();
    black_box(Reader::i64_be(black_box(reader))).ok();
    black_box(Reader::u128_le(black_box(reader))).ok();
    black_box(Reader::u128_be(black_box(reader))).ok();
    black_box(Reader::i128_le(black_box(reader))).ok();
    black_box(Reader::i128_be(black_box(reader))).ok();
    black_box(Reader::f32_le(black_box(reader))).ok();
    black_box(Reader::f32_be(black_box(reader))).ok();
    black_box(Reader::f64_le(black_box(reader))).ok();
    black_box(Reader::f64_be(black_box(reader))).ok();
    black_box(Reader::leb_u32(black_box(reader))).ok();
    black_box(Reader::leb_u32_lenient(black_box(reader))).ok();
    black_box(Reader::leb_u64(black_box(reader))).ok();
    black_box(Reader::leb_u64_lenient(black_box(reader))).ok();
}

#[inline(never)]
fn runs(reader: &mut Reader<'_>) {
    black_box(Reader::array::<3>(black_box(reader))).ok();
    black_box(Reader::array::<0>(black_box(reader))).ok();
    black_box(Reader::arrays::<3>(black_box(reader), black_box(2))).ok();
    black_box(Reader::arrays::<3>(black_box(reader), black_box(usize::MAX))).ok();
    black_box(Reader::bytes(black_box(reader), black_box(3))).ok();
    black_box(Reader::str(black_box(reader), black_box(3))).ok();
    black_box(Reader::sub(black_box(reader), black_box(3))).ok();
    black_box(Reader::position(black_box(reader)));
    black_box(Reader::remaining(black_box(reader)));
    black_box(Reader::rest(black_box(reader)));
    black_box(Reader::error(black_box(reader), black_box(DecodeErrorKind::InvalidUtf8)));
    black_box(Reader::finish(*black_box(reader))).ok();
}
