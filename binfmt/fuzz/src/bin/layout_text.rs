#![no_main]

use binfmt_fuzz::targets::layout_text::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
