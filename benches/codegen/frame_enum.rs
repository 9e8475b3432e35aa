//! The same 20 bytes from an enum: a jump by variant, then the stores that the flat form needs alone.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::Record;
use onewrite_codegen as _;

/// Five kinds of frame, as an application would write them down.
#[derive(Clone, Copy, Debug, Record)]
#[record(size = 20, tag = i32)]
enum Frame {
    /// An element and the number of frames in it.
    #[record(tag = 1)]
    Element { subtree: i32, name: i32 },
    /// Text.
    #[record(tag = 2)]
    Text(i32),
    /// An attribute, which may be an event handler.
    #[record(tag = 3)]
    Attribute { name: i32, value: i32, event: u64 },
    /// A component and the number of frames in it.
    #[record(tag = 4)]
    Component { subtree: i32, id: i32 },
    /// A group of frames.
    #[record(tag = 5)]
    Region(i32),
}

#[unsafe(no_mangle)]
fn bench_frame_enum(frame: &Frame, out: &mut [u8; Frame::SIZE]) {
    frame.write_at(out);
}
