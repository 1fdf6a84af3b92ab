#![no_main]

use binfmt_fuzz::targets::layout_run::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
