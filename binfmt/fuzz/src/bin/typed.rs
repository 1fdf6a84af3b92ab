#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| binfmt_fuzz::targets::run("typed", data));
