//! What a firmware would log.

use core::hint::black_box;

use onewrite::error::{
    DecodeError, DecodeErrorKind, ReadError, ReadErrorKind, WriteError, WriteErrorKind,
};
use onewrite::literal::HoleError;
use onewrite::record::{Endian, Scratch};
use onewrite::render_batch::{
    BatchError, EditRecord, EditType, EditView, FrameRecord, FrameType, FrameView, Name, Options,
    Place, TreeError, Value,
};
use onewrite::sink::CountingSink;

#[inline(never)]
pub(crate) fn call() {
    let kind = DecodeErrorKind::InvalidUtf8;
    log::<DecodeErrorKind>(kind);
    log::<DecodeError>(DecodeError::new(7, kind));
    log::<ReadErrorKind<u8>>(ReadErrorKind::Source(7));
    log::<ReadError<u8>>(ReadError::new(7, ReadErrorKind::Poisoned));
    log::<WriteErrorKind<u8, u8>>(WriteErrorKind::Encode(7));
    log::<WriteError<u8, u8>>(WriteError::new(7, WriteErrorKind::Stalled));
    log::<HoleError>(HoleError { hole: "len", width: 3 });
    log::<Endian>(Endian::Big);
    log::<Scratch<4>>(Scratch::new());
    log::<CountingSink>(CountingSink::new());
    let at = Place::Frame { index: 7, kind: FrameType::Text };
    log::<Place>(at);
    log::<BatchError>(BatchError::StringTableFull { needed: 7, at });
    log::<TreeError>(TreeError::AttributeNotLeading { at });
    log::<FrameType>(FrameType::Text);
    log::<EditType>(EditType::StepIn);
    log::<Value<'_>>(Value::Str("value"));
    log::<Name<'_>>(Name::new("class"));
    log::<Options>(Options::default());
    log::<FrameView<'_>>(FrameView::Text { content: Some("text") });
    log::<EditView<'_>>(EditView::StepIn { sibling: 7 });
    log::<FrameRecord>(FrameRecord::text(7));
    log::<EditRecord>(EditRecord { kind: 6, sibling: 2, index: 0, name: 0 });
}

fn log<T: defmt::Format>(value: T) {
    defmt::info!("{}", black_box(value));
}
