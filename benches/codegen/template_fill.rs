//! A response's head with three digits in it: the digits are all that is computed.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::template;
use onewrite_codegen as _;

template!(HEAD = "HTTP/1.1 200 OK\r\ncontent-length: ", len: dec(3), "\r\n\r\n");

#[unsafe(no_mangle)]
fn bench_template_fill(out: &mut [u8; HEAD::LEN], len: u64) -> bool {
    HEAD.fill_array(out, len).is_ok()
}
