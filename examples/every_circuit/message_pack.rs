//! MessagePack, read and written.

use core::hint::black_box;

use onewrite::circuit::message_pack::{Head, Unpacker};
use onewrite::error::DecodeErrorKind;

/// Values of each kind, and some that are cut short.
const VALUES: [&[u8]; 9] = [
    b"\x07\xcc\x07\xcd\0\x07\xce\0\0\0\x07\xcf\0\0\0\0\0\0\0\x07",
    b"\xff\xd0\x80\xd1\x80\0\xd2\x80\0\0\0\xd3\x80\0\0\0\0\0\0\0",
    b"\xa2hi\xd9\x02hi\xda\0\x02hi\xdb\0\0\0\x02hi\xdb\xff\xff\xff\xffhi",
    b"\xc4\x02hi\xc5\0\x02hi\xc6\0\0\0\x02hi\xc6\xff\xff\xff\xffhi",
    b"\x92\x01\x02\xdc\0\x01\x01\xdd\0\0\0\x01\x01",
    b"\x81\x01\x02\xde\0\x01\x01\x02\xdf\0\0\0\x01\x01\x02",
    b"\xd4\x01\x02\xc7\x01\x01\x02\xc8\0\x01\x01\x02\xc9\0\0\0\x01\x01\x02",
    b"\xc0\xc2\xc3\xca\0\0\0\0\xcb\0\0\0\0\0\0\0\0\xc1",
    b"\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91",
];

#[inline(never)]
pub(crate) fn call() {
    for values in black_box(VALUES) {
        read(black_box(values));
    }
    for value in black_box([0, 300, u64::MAX]) {
        black_box(Head::as_slice(&Head::unsigned(black_box(value))));
    }
    for value in black_box([0, -1, -300, i32::MIN]) {
        black_box(Head::signed(black_box(value)));
    }
    for len in black_box([0, 300, u32::MAX]) {
        black_box(Head::text(black_box(len)));
        black_box(Head::bytes(black_box(len)));
        black_box(Head::array(black_box(len)));
        black_box(Head::map(black_box(len)));
    }
    black_box(Head::bool(black_box(true)));
}

#[inline(never)]
fn read(values: &[u8]) {
    let from = Unpacker::new(values);
    let mut all = from;
    while let Ok(value) = Unpacker::value(black_box(&mut all)) {
        black_box(value);
    }
    let mut skipping = from;
    while let Ok(bytes) = Unpacker::skip(black_box(&mut skipping)) {
        black_box(bytes);
    }
    black_box(Unpacker::array(&mut black_box(from))).ok();
    black_box(Unpacker::map(&mut black_box(from))).ok();
    black_box(Unpacker::text(&mut black_box(from))).ok();
    black_box(Unpacker::text_or_nil(&mut black_box(from))).ok();
    black_box(Unpacker::bytes(&mut black_box(from))).ok();
    black_box(Unpacker::unsigned(&mut black_box(from))).ok();
    black_box(Unpacker::i32(&mut black_box(from))).ok();
    black_box(Unpacker::bool(&mut black_box(from))).ok();
    black_box(Unpacker::position(&black_box(from)));
    black_box(Unpacker::error(&black_box(from), DecodeErrorKind::Refused));
    black_box(Unpacker::finish(black_box(from))).ok();
}
