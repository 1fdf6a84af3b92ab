//! A JSON document through the command: what it makes of it is sound, and its JSON makes the same file.

use super::shared::command::{Folder, OK, run as binfmt};
use serde_json::Value;
use std::path::Path;

pub fn run(data: &[u8]) {
    let folder = Folder::get();
    let json = folder.put("in.json", data);
    let [made, again, twice] = ["made.bin", "again.json", "twice.bin"].map(|name| folder.path(name));
    [&made, &twice].into_iter().for_each(|path| folder.clear(path));
    if binfmt(&["convert", &json, &made]) != OK {
        return;
    }
    let Some(options) = options(data) else { return };
    let said = |words: &[&str]| {
        binfmt(&words.iter().copied().chain(options.iter().map(String::as_str)).collect::<Vec<_>>())
    };
    assert_eq!(said(&["check", &made]), OK, "what was made is not sound");
    assert_eq!(said(&["convert", &made, &again]), OK, "it has no JSON");
    assert_eq!(binfmt(&["convert", &again, &twice]), OK, "its JSON is not taken");
    if Path::new(&made).is_dir() {
        assert_eq!(binfmt(&["check", &twice]), OK, "what was made of its JSON is not sound");
    } else {
        assert_eq!(std::fs::read(&twice).expect("it was made"), std::fs::read(&made).expect("it was made"));
    }
}

/// What must be said about the file, which does not say it itself.
fn options(document: &[u8]) -> Option<Vec<String>> {
    let document: Value = serde_json::from_slice(document).ok()?;
    let mut options = vec!["--format".to_owned(), document["format"].as_str()?.to_owned()];
    match options[1].as_str() {
        "scidb" => options.extend(["--schema".to_owned(), document["schema"].as_str()?.to_owned()]),
        "beat" => options.extend(["--schema".to_owned(), document["declaration"].to_string()]),
        _ => {}
    }
    Some(options)
}
