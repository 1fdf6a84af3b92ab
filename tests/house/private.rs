//! What formats use of the crate that users cannot is explained in design.md.

use super::layering::{File, files, imports};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The modules of a folder that only the crate sees: `wire::amount`.
fn private_modules(files: &[File]) -> BTreeSet<[String; 2]> {
    let mut found = BTreeSet::new();
    for file in files {
        let [folder] = &file.module()[..] else { continue };
        for line in file.code.lines() {
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                found.insert([folder.clone(), name.into()]);
            }
        }
    }
    found
}

/// The words in backticks of the table.
fn explained(design: &str) -> BTreeSet<String> {
    let (_, table) = design.split_once("Formats use these parts of the crate that users cannot:").unwrap();
    let table = table.split("\n\n").nth(1).unwrap();
    let ticked = table.split('`').skip(1).step_by(2);
    ticked.flat_map(|words| words.split(|c: char| !c.is_alphanumeric() && c != '_')).map(Into::into).collect()
}

#[test]
fn private_parts_that_formats_use_are_explained() {
    let design = Path::new(env!("CARGO_MANIFEST_DIR")).join("binfmt/docs/design.md");
    let explained = explained(&fs::read_to_string(design).unwrap());
    let files = files("binfmt");
    let private = private_modules(&files);
    assert!(private.len() > 50, "{private:?}");
    let (mut used, mut missing) = (0, Vec::new());
    for file in files.iter().filter(|file| file.path.starts_with("formats/")) {
        for path in imports(file) {
            let Some([folder, module]) = path.first_chunk::<2>() else { continue };
            if folder == "formats" || !private.contains(&[folder.clone(), module.clone()]) {
                continue;
            }
            // users have it under another path
            if path.last().is_some_and(|name| name == "IntegerForm") {
                continue;
            }
            used += 1;
            if !path.iter().skip(1).any(|name| explained.contains(name)) {
                missing.push(format!("{}: {}", file.name(), path.join("::")));
            }
        }
    }
    assert!(used > 40, "the imports are not found: {used}");
    assert!(missing.is_empty(), "design.md does not explain these:\n{}", missing.join("\n"));
}

#[test]
fn the_words_of_the_table_are_read() {
    let design = "Formats use these parts of the crate that users cannot:\n\n| a | b |\n| `x::y`, `Z` | `why` |\n\n`later`";
    let words = explained(design);
    assert!(
        ["x", "y", "Z"].iter().all(|word| words.contains(*word)) && !words.contains("later"),
        "{words:?}"
    );
}
