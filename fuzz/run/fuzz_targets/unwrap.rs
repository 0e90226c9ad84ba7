#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rmlir_fuzz::unwrap(data));
