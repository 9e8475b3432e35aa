#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| onewrite_fuzz::page::page(data));
