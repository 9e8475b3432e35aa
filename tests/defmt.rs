//! Everything public that a firmware would log can be: a list that does not build where one cannot.
//!
//! `examples/every_codec` logs the same types on bare metal, where a logger is linked.
#![cfg(feature = "defmt")]

use core::convert::Infallible;

use onewrite::compression::{DecompressError, DecompressErrorKind};
use onewrite::error::{
    DecodeError, DecodeErrorKind, ReadError, ReadErrorKind, WriteError, WriteErrorKind,
};
use onewrite::literal::HoleError;
use onewrite::reader::Reader;
use onewrite::record::{Endian, Scratch};
use onewrite::render_batch::{
    Batch, BatchError, BatchView, Diff, DiffView, Edit, EditRecord, EditType, EditView, Frame,
    FrameRecord, FrameType, FrameView, Name, Options, Place, TreeError, Value,
};
use onewrite::sink::{CountingSink, SliceSink};
use onewrite::source::SliceSource;
use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, DeltaError, Inconsistency, Mode,
};
use onewrite::spacetimedb::v1::QueryUpdateError;
use onewrite::string_table::Interned;

/// The type's name. For a type that cannot be logged this does not build.
fn logs<T: defmt::Format>() -> &'static str {
    core::any::type_name::<T>()
}

#[test]
fn whatever_a_firmware_would_log_can_be() {
    let names = [
        logs::<DecodeError>(),
        logs::<DecodeErrorKind>(),
        logs::<ReadError<u8>>(),
        logs::<ReadErrorKind<u8>>(),
        logs::<WriteError<Infallible>>(),
        logs::<WriteError<u8, BatchError>>(),
        logs::<WriteErrorKind<Infallible>>(),
        logs::<WriteErrorKind<u8, HoleError>>(),
        logs::<HoleError>(),
        logs::<Reader<'_>>(),
        logs::<Endian>(),
        logs::<Scratch<20>>(),
        logs::<CountingSink>(),
        logs::<SliceSink<'_>>(),
        logs::<SliceSource<'_>>(),
        logs::<Interned>(),
        logs::<DecompressError>(),
        logs::<DecompressErrorKind>(),
        logs::<QueryUpdateError>(),
        logs::<Mode>(),
        logs::<Applied>(),
        logs::<DeltaError>(),
        logs::<ApplyError>(),
        logs::<Inconsistency>(),
        logs::<Name<'_>>(),
        logs::<Value<'_>>(),
        logs::<Frame<'_>>(),
        logs::<FrameRecord>(),
        logs::<FrameType>(),
        logs::<FrameView<'_>>(),
        logs::<Edit<'_>>(),
        logs::<EditRecord>(),
        logs::<EditType>(),
        logs::<EditView<'_>>(),
        logs::<Diff<'_>>(),
        logs::<Batch<'_>>(),
        logs::<Options>(),
        logs::<BatchView<'_>>(),
        logs::<DiffView<'_>>(),
        logs::<BatchError>(),
        logs::<TreeError>(),
        logs::<Place>(),
    ];
    assert!(names.iter().all(|name| name.starts_with("onewrite::")), "{names:?}");
}
