//! What formats have by hand, and what they use of the crate that users cannot, is explained in design.md.

use super::layering::{File, files, imports};
use std::collections::BTreeSet;

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

const PARTS: &str = "Formats use these parts of the crate that users cannot:";
const CODECS: &str = "What is left of hand-written codecs in `formats`, and why:";

fn design() -> String {
    super::file("binfmt/docs/design.md")
}

/// The words in backticks of the table after a sentence.
fn explained(design: &str, sentence: &str) -> BTreeSet<String> {
    let (_, table) = design.split_once(sentence).unwrap();
    let table = table.split("\n\n").nth(1).unwrap();
    let ticked = table.split('`').skip(1).step_by(2);
    ticked.flat_map(|words| words.split(|c: char| !c.is_alphanumeric() && c != '_')).map(Into::into).collect()
}

#[test]
fn private_parts_that_formats_use_are_explained() {
    let explained = explained(&design(), PARTS);
    let files = files("binfmt");
    let private = private_modules(files);
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

/// The types of a file that are decoded or encoded by functions, or by impls, that no derive has made.
fn by_hand(code: &str) -> BTreeSet<&str> {
    fn after<'a>(word: &str, line: &'a str) -> Option<&'a str> {
        line.split_once(word)?.1.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    }
    let (mut found, mut owner) = (BTreeSet::new(), "");
    for line in code.lines() {
        owner = after("struct ", line).or_else(|| after("enum ", line)).unwrap_or(owner);
        if line.contains("binfmt(") && line.contains("with = ") {
            found.insert(owner);
        }
        let is_codec =
            ["Decode", "Encode", "DecodeAs", "EncodeAs", "DecodeBody", "EncodeBody", "IntegerForm"]
                .iter()
                .any(|codec| line.contains(&format!(" {codec}<")) || line.contains(&format!(" {codec} for")));
        if line.starts_with("impl") && is_codec {
            found.extend(after(" for ", line));
        }
    }
    found
}

#[test]
fn hand_written_codecs_of_formats_are_listed() {
    let listed = explained(&design(), CODECS);
    let (mut found, mut missing) = (BTreeSet::new(), Vec::new());
    for file in files("binfmt").iter().filter(|file| file.path.starts_with("formats/")) {
        for name in by_hand(&file.code) {
            found.insert(name.to_owned());
            if !listed.contains(name) {
                missing.push(format!("{}: {name}", file.name()));
            }
        }
    }
    assert!(missing.is_empty(), "design.md does not list these codecs:\n{}", missing.join("\n"));
    // contexts and rows that codecs are about
    let about = ["Datatype", "NumberType", "Plan"];
    let is_type = |name: &&String| name.starts_with(char::is_uppercase) && !about.contains(&name.as_str());
    let gone: Vec<_> = listed.iter().filter(is_type).filter(|name| !found.contains(*name)).collect();
    assert!(gone.is_empty(), "design.md lists codecs that are not written by hand: {gone:?}");
}

#[test]
fn codecs_by_hand_are_found() {
    let code = "struct A {\n    #[binfmt(with = x)]\n    a: u8,\n}\nimpl<'de> Decode<'de, C> for B {\n}\nstruct D;\nimpl Copy for D {}";
    assert_eq!(by_hand(code), BTreeSet::from(["A", "B"]));
}

#[test]
fn the_words_of_the_table_are_read() {
    let design = "Formats use these parts of the crate that users cannot:\n\n| a | b |\n| `x::y`, `Z` | `why` |\n\n`later`";
    let words = explained(design, PARTS);
    assert!(
        ["x", "y", "Z"].iter().all(|word| words.contains(*word)) && !words.contains("later"),
        "{words:?}"
    );
}
