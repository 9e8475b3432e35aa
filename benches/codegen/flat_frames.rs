//! A slice of records of 20 bytes into memory: the room is checked once.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::record::write_slice;
use onewrite::render_batch::FrameRecord;
use onewrite_codegen as _;

#[unsafe(no_mangle)]
fn bench_flat_frames(frames: &[FrameRecord], out: &mut [u8]) -> bool {
    write_slice(frames, out).is_ok()
}
