//! Numbers of four bytes into a scratch of 256, as the writer of ids does it.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::Record;
use onewrite::record::write_slice;
use onewrite_codegen as _;

/// The number of a component.
#[derive(Clone, Copy, Debug, Record)]
struct Id(i32);

#[unsafe(no_mangle)]
fn bench_id_array_chunk(ids: &[Id; 64], scratch: &mut [u8; 256]) -> bool {
    write_slice(ids, scratch).is_ok()
}
