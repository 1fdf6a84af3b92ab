//! Every word of the derive: the bytes that it stands for, read from slices and from streams and written to every
//! sink, and the error that it raises.

mod arithmetic;
mod at;
mod at_end;
mod at_places;
mod bit_tags;
mod bits;
mod byte_order;
mod checksum;
mod columns;
mod conditions;
mod context;
mod corners;
mod custom;
mod defaults;
mod ended;
mod ends;
mod enums;
mod filled_tags;
mod follows;
mod functions;
mod gaps;
mod hidden;
mod integers;
mod lazy;
mod len_of;
mod lengths;
mod lent;
mod magic;
mod mapped;
mod measured;
mod nested;
mod nullable;
mod offset_of;
mod packed;
mod padding;
mod pages;
mod peek;
mod peers;
mod process;
mod raised;
mod reached;
mod readers;
mod records;
mod regions;
mod sequences;
mod shape;
mod shapes;
mod skip;
mod standard;
mod tail;
mod text;
mod together;
mod trim;
mod untagged;
mod varints;
mod version;
mod wide;

use std::fs;
use std::path::Path;

/// The words that the macro knows: the first text of each entry of its table.
fn known_words() -> Vec<String> {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("binfmt-derive/src/keyword.rs");
    let table = fs::read_to_string(table).unwrap();
    let table = table.split("const WORDS").nth(1).and_then(|rest| rest.split("\n];").next()).unwrap();
    let names = table.split("word(\"").chain(table.split("name: \"")).skip(1);
    names.filter_map(|rest| rest.split_once('"')).map(|(name, _)| name.to_owned()).collect()
}

/// Every name inside a `binfmt` attribute of these files.
fn tested_words() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let mut names = Vec::new();
    for file in files {
        for attribute in file.split("#[binfmt(").skip(1) {
            let attribute = attribute.split(")]").next().unwrap_or_default();
            names.extend(attribute.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
        }
    }
    names
}

#[test]
fn every_word_is_tested_here() {
    let (known, tested) = (known_words(), tested_words());
    assert!(known.len() > 40, "{known:?}");
    let missing: Vec<_> = known.iter().filter(|word| !word.contains(' ') && !tested.contains(word)).collect();
    assert!(missing.is_empty(), "without a test: {missing:?}");
}
