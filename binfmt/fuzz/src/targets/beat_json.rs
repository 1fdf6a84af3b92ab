//! Declarations with references and `#extends`, and index files.

use binfmt::formats::beat::{Declaration, FormatName, read_index, write_index};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(chunks) = read_index(text) {
        assert_eq!(
            read_index(&write_index(&chunks).expect("its indices rise")).expect("it was written"),
            chunks
        );
    }
    let _ = FormatName::parse(text);
    let mut asked = 0;
    let parsed = Declaration::parse_with(text, |_| {
        asked += 1;
        if asked > 3 { Err("no more".into()) } else { Ok(r#"{"v": "int32"}"#.into()) }
    });
    if let Ok(declaration) = parsed {
        let _ = (format!("{declaration:?}"), declaration.description());
    }
}
