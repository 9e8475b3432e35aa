//! A literal into a sink: one check and one copy of a known length.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::sink::{Sink as _, SliceSink};
use onewrite_codegen as _;

const GREETING: &[u8] = onewrite::literal!("hello, world ", dec(2026), "\r\n");

#[unsafe(no_mangle)]
fn bench_literal_write(sink: &mut SliceSink<'_>) -> bool {
    sink.write(GREETING).is_ok()
}
