#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| onewrite_fuzz::http::http2(data));
