//! Errors are made and moved; printing them is left to `core::fmt`.

use core::convert::Infallible;
use core::hint::black_box;

use onewrite::error::{
    DecodeError, DecodeErrorKind, ReadError, ReadErrorKind, WriteError, WriteErrorKind,
};

#[inline(never)]
pub(crate) fn call() {
    let error = DecodeError::new(black_box(7), black_box(DecodeErrorKind::InvalidUtf8));
    black_box(DecodeError::shifted(black_box(error), black_box(usize::MAX)));
    black_box(ReadError::new(black_box(7), black_box(ReadErrorKind::Source(error))));
    let kind: WriteErrorKind<u8> = WriteErrorKind::Full { needed: 7, available: 3 };
    let error: WriteError<u8, Infallible> = WriteError::new(black_box(7), black_box(kind));
    black_box(WriteError::widen::<u16>(black_box(error)));
}
