#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| onewrite_fuzz::capi::capi(data));
