//! What a sink in memory asks before it lends room for a record.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::sink::{SinkExt as _, SliceSink};
use onewrite_codegen as _;

#[unsafe(no_mangle)]
fn bench_slice_sink_check<'s>(sink: &'s mut SliceSink<'_>) -> Option<&'s mut [u8; 20]> {
    sink.record::<20>().ok().flatten()
}
