//! A string of BSATN, its length in front: one check, one store, one copy.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::bsatn::Encode as _;
use onewrite::sink::SliceSink;
use onewrite_codegen as _;

#[unsafe(no_mangle)]
fn bench_string_write(sink: &mut SliceSink<'_>, text: &str) -> bool {
    text.encode(sink).is_ok()
}
