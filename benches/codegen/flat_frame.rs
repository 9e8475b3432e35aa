//! A record of 20 bytes, four fields of a flat struct, into its place.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::render_batch::FrameRecord;
use onewrite_codegen as _;

#[unsafe(no_mangle)]
fn bench_flat_frame(frame: &FrameRecord, out: &mut [u8; FrameRecord::SIZE]) {
    frame.write_at(out);
}
