//! The text of one value: what is understood is printed so that the same is understood again. And types and bounds of
//! random data.

use crate::targets::shared::input::split;
use binfmt::formats::futhark::{Generator, Value};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(value) = Value::from_text(text) {
        let printed = value.to_string();
        let again = Value::from_text(&printed).unwrap_or_else(|e| panic!("{e}: {printed}"));
        assert_eq!(again.to_string(), printed);
    }
    let (of, bounds) = split(data);
    if let (Ok(of), Ok(bounds)) = (std::str::from_utf8(of), std::str::from_utf8(bounds))
        && is_small(of)
    {
        let _ = Generator::new(1).value(of, Some(bounds));
    }
}

/// Few digits in brackets, so that no large array is made.
fn is_small(of: &str) -> bool {
    let dims = of.rsplit_once(']').map_or("", |(dims, _)| dims);
    dims.chars().filter(char::is_ascii_digit).count() < 4
}
