//! Any description and any bytes: all ways of reading and writing values and columns agree, and the description comes back
//! from its JSON, unless it contradicts itself.

use crate::targets::shared::agree::agree;
use crate::targets::shared::input::{Choices, split};
use crate::targets::shared::layout::layout;
use binfmt::schema::Description;
use binfmt::{Endian, Options};

pub fn run(data: &[u8]) {
    let (choices, bytes) = split(data);
    let c = &mut Choices(choices);
    let options = options(c);
    let layout = layout(c);
    agree(&layout, bytes, options);
    let json = serde_json::to_string(&layout).expect("a description is JSON");
    match serde_json::from_str::<Description>(&json) {
        Ok(back) => assert_eq!(back, layout),
        Err(e) => assert!(layout.validate().is_err(), "its JSON is not read: {e}"),
    }
}

pub(crate) fn options(c: &mut Choices<'_>) -> Options {
    let byte = c.byte();
    Options::new()
        .max_memory(1 << 20)
        .endian(if byte & 1 == 0 { Endian::Little } else { Endian::Big })
        .lenient_presence(byte & 0x12 == 0x12)
        .optional_nul(byte & 0x14 == 0x14)
        .blank_missing(byte & 0x18 == 0x18)
}
