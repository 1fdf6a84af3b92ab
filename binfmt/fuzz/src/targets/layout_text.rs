//! A layout as text: what is read is written as a text that says the same; and what is no layout is told at a place in the
//! text.

use binfmt::schema::{Description, Schema};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let layout = match text.parse::<Description>() {
        Ok(layout) => layout,
        Err(e) => {
            let line = text.lines().nth(e.line() - 1).unwrap_or_default();
            assert!(e.column() - 1 <= line.chars().count(), "{e}\n{text}");
            return;
        }
    };
    if layout.validate().is_err() {
        return;
    }
    let shown = layout.to_string();
    let again = shown.parse::<Description>().unwrap_or_else(|e| panic!("{e}\n{shown}"));
    assert_eq!(again.to_string(), shown, "{text}");
    assert_eq!(Schema::from(again).fingerprint(), Schema::from(layout).fingerprint(), "{shown}");
}
