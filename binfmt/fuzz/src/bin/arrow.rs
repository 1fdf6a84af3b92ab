#![no_main]

use binfmt_fuzz::targets::arrow::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
