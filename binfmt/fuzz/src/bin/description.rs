#![no_main]

use binfmt_fuzz::targets::description::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
