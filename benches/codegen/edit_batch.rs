//! A slice of records of 16 bytes into memory.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::record::write_slice;
use onewrite::render_batch::EditRecord;
use onewrite_codegen as _;

#[unsafe(no_mangle)]
fn bench_edit_batch(edits: &[EditRecord], out: &mut [u8]) -> bool {
    write_slice(edits, out).is_ok()
}
