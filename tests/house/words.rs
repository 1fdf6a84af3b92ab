//! What each word of the derive has beside its code: compile errors, tests in both directions, any bytes, values of its schema, a dump, a
//! description, a fingerprint.
//!
//! The sections of the reference are in `docs`. A word is there where it stands in a `#[binfmt(..)]` of the files of a proof; a word that a
//! proof cannot have stands below, with the reason.

use super::docs::words;
use super::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A proof: what it is, and the files in which it is.
struct Proof {
    what: &'static str,
    files: &'static [&'static str],
    /// What a file of the proof names, if not all of the files are one.
    names: &'static str,
    /// Words that cannot have it, each with the reason.
    but: &'static [(&'static [&'static str], &'static str)],
}

const OF_CODE: (&[&str], &str) =
    (&["bound", "crate"], "it is about the code, and leaves no trace in values and bytes");

const PROOFS: &[Proof] = &[
    Proof { what: "compile error", files: &["tests/ui"], names: "", but: &[] },
    Proof {
        what: "test of its bytes",
        files: &["tests/words", "tests/derive", "tests/programs"],
        names: "",
        but: &[(&["schema"], "it has no bytes")],
    },
    Proof {
        what: "test with any bytes",
        files: &["tests/property", "binfmt/fuzz/src/targets/shared/structs.rs", "tests/support/composite.rs"],
        names: "",
        but: &[OF_CODE, (&["rename", "schema"], "no byte depends on it")],
    },
    Proof {
        what: "value at run time that says the same",
        files: &["tests/words", "tests/dynamic"],
        names: "binfmt::value",
        but: &[
            OF_CODE,
            (&["max_depth"], "the limit of a value is that of the call"),
            (&["size", "schema"], "it is a check while compiling"),
            (&["decode_with", "encode_with", "with"], "a codec of the user's own is refused"),
        ],
    },
    Proof {
        what: "dump",
        files: &["tests/dump/words.rs", "tests/support/composite.rs"],
        names: "",
        but: &[
            OF_CODE,
            (&["columns", "fingerprint", "schema"], "the rows are those of the type without it"),
            (&["max_depth", "max_len"], "it is a limit, and a dump shows what is there"),
            (&["borrow"], "the rows are those of an owned value"),
        ],
    },
    Proof {
        what: "fingerprint while compiling",
        files: &["tests/schema/pinned.rs", "tests/schema/described.rs"],
        names: "",
        but: &[
            OF_CODE,
            (&["assert", "max_depth", "max_len"], "a rule of values is not one of the layout"),
            (&["borrow", "columns"], "the bytes are those of the type without it"),
            (
                &["decode_with", "encode_with", "with"],
                "the bytes of a codec of the user's own are not known while compiling",
            ),
        ],
    },
];

/// The words at the front of each item of `#[binfmt(..)]`.
fn said(source: &str, found: &mut BTreeSet<String>) {
    for rest in source.split("#[binfmt(").skip(1) {
        let (mut depth, mut is_front, mut word) = (0usize, true, String::new());
        for c in rest.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth > 0 => depth -= 1,
                ')' => break,
                _ => {}
            }
            if is_front && (c.is_alphanumeric() || c == '_') {
                word.push(c);
            } else if !word.is_empty() || !c.is_whitespace() {
                found.insert(std::mem::take(&mut word));
                is_front = c == ',' && depth == 0;
            }
        }
        found.insert(word);
    }
}

fn words_in(path: &Path, names: &str, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|path| words_in(path, names, found));
    } else if path.extension().is_some_and(|end| end == "rs") {
        let text = fs::read_to_string(path).unwrap();
        if text.contains(names) {
            said(&text, found);
        }
    }
}

#[test]
fn every_word_has_its_proofs() {
    let mut missing = Vec::new();
    for proof in PROOFS {
        let mut found = BTreeSet::new();
        proof.files.iter().for_each(|path| words_in(&root().join(path), proof.names, &mut found));
        let excused: Vec<_> = proof.but.iter().flat_map(|(words, _)| *words).collect();
        for word in words() {
            let (has, may_lack) = (found.contains(&word), excused.iter().any(|excused| **excused == word));
            match (has, may_lack) {
                (false, false) => missing.push(format!("`{word}` has no {}", proof.what)),
                (true, true) => missing.push(format!("`{word}` has a {}: no excuse is needed", proof.what)),
                _ => {}
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn words_are_found_at_the_front_of_items() {
    let mut found = BTreeSet::new();
    said("#[binfmt(le, tag(u8, be))] x #[binfmt(count = f(a, nul), if(b))]", &mut found);
    found.remove("");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["count", "if", "le", "tag"]);
}
