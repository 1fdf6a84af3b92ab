//! Texts of schemas and format strings: what is understood is printed so that the same is understood again, and an error
//! points into the text.

use binfmt::formats::scidb::{AflSchema, Template, TextError};
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(schema) = parsed::<AflSchema>(text) {
        let _ = (schema.description(), schema.template());
    }
    if let Some(template) = parsed::<Template>(text) {
        let _ = (template.description(), template.cell_len());
    }
}

fn parsed<T: FromStr<Err = TextError> + Display + Debug + PartialEq>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            let again: T = printed.parse().unwrap_or_else(|e| panic!("{e}: {printed}"));
            assert_eq!(again.to_string(), printed);
            assert_eq!(again, value, "{printed}");
            Some(value)
        }
        Err(e) => {
            assert!(e.position() <= text.len(), "{e}");
            let _ = (e.to_string(), e.caret(text).to_string());
            None
        }
    }
}
