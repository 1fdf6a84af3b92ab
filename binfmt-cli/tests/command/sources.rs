//! Rules for the sources of the command.

use std::path::{Path, PathBuf};

fn sources() -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![src.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(&src).unwrap().to_owned(), text));
            }
        }
    }
    assert!(files.len() > 20, "{files:?}");
    files
}

#[test]
fn formats_are_named_below_formats_only() {
    for (path, text) in sources().iter().filter(|(path, _)| !path.starts_with("formats")) {
        // tests at the end of a file may use a format
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_lowercase();
        for name in ["scidb", "sdds", "futhark", "beat", "tiledb"] {
            assert!(!code.contains(name), "{} names {name}", path.display());
        }
    }
}

#[test]
fn files_are_short() {
    for (path, text) in sources() {
        assert!(text.lines().count() <= 300, "{} is too long", path.display());
    }
}

#[test]
fn nothing_may_panic() {
    for (path, text) in sources() {
        if path.ends_with("tests.rs") || path.ends_with("sample.rs") {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for word in [".unwrap()", ".expect(", "panic!(", "unreachable!(", "todo!(", "unsafe "] {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
}
