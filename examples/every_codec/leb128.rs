//! Varints, whole and damaged.

use core::hint::black_box;

use onewrite::leb128;

#[inline(never)]
pub(crate) fn call() {
    for value in [0, 300, u32::MAX] {
        black_box(leb128::len_u32(black_box(value)));
        black_box(leb128::encode_u32(black_box(value)));
    }
    for value in [0, 300, u64::MAX] {
        black_box(leb128::len_u64(black_box(value)));
        black_box(leb128::encode_u64(black_box(value)));
    }
    for input in [&[][..], &[0xac, 0x02], &[0x80, 0x00], &[0xff; 12]] {
        black_box(leb128::decode_u32(black_box(input))).ok();
        black_box(leb128::decode_u32_lenient(black_box(input))).ok();
        black_box(leb128::decode_u64(black_box(input))).ok();
        black_box(leb128::decode_u64_lenient(black_box(input))).ok();
    }
}
