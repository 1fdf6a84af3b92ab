#![no_main]

use binfmt_fuzz::targets::tiledb_many::run;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
