#![no_main]

use binfmt_fuzz::targets::r#where::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
