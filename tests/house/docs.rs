//! The attribute reference names every word of the macro, and no other: `binfmt/docs/attributes.md` against the table in
//! `binfmt-derive/src/keyword.rs`.

use super::{file, root};
use std::collections::BTreeSet;
use std::fs;

type Names = BTreeSet<String>;

/// The source text of one `const` of the table.
fn table(name: &str) -> String {
    let source = file("binfmt-derive/src/keyword.rs") + &file("binfmt-derive/src/keyword/peers.rs");
    let start = format!("const {name}: ");
    let from = source.find(&start).unwrap_or_else(|| panic!("keyword.rs has no `{start}`"));
    let to = source[from..].find("\n];").unwrap_or_else(|| panic!("`{start}` has no end"));
    source[from..from + to].to_owned()
}

/// The string literals that stand directly after `mark`.
fn strings_behind(text: &str, mark: &str) -> Names {
    let quoted = |rest: &str| rest.trim_start().strip_prefix('"')?.split('"').next().map(str::to_owned);
    text.split(mark).skip(1).filter_map(quoted).collect()
}

/// The words that the macro understands.
pub(crate) fn words() -> Names {
    let table = table("WORDS");
    let mut names = strings_behind(&table, "word(");
    names.extend(strings_behind(&table, "name:"));
    assert!(names.len() > 40, "the scan of keyword.rs finds {names:?} only");
    names
}

/// The part of the reference under one `## ` heading.
fn chapter<'a>(doc: &'a str, heading: &str) -> &'a str {
    let start = format!("\n## {heading}\n");
    let from =
        doc.find(&start).unwrap_or_else(|| panic!("attributes.md has no chapter `{heading}`")) + start.len();
    &doc[from..doc[from..].find("\n## ").map_or(doc.len(), |n| from + n)]
}

/// The identifiers at the beginning of each pair of backticks.
fn code(text: &str) -> Names {
    let head =
        |code: &str| code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned();
    text.split('`').skip(1).step_by(2).map(head).filter(|name| !name.is_empty()).collect()
}

/// The code in the first column of the tables of a chapter, without their heads and rules.
fn first_column(chapter: &str) -> Names {
    let rows = chapter.lines().filter_map(|line| line.strip_prefix("| "));
    rows.filter_map(|row| row.split(" | ").next()).flat_map(code).collect()
}

fn headings(chapter: &str) -> Names {
    chapter.lines().filter_map(|line| line.strip_prefix("### ")).flat_map(code).collect()
}

fn same(known: &Names, documented: &Names, place: &str) {
    let missing: Vec<_> = known.difference(documented).collect();
    let unknown: Vec<_> = documented.difference(known).collect();
    assert!(missing.is_empty(), "words without {place} in attributes.md: {missing:?}");
    assert!(unknown.is_empty(), "{place} in attributes.md without a word in keyword.rs: {unknown:?}");
}

#[test]
fn every_word_has_a_row() {
    let doc = file("binfmt/docs/attributes.md");
    same(&words(), &first_column(chapter(&doc, "The words")), "a row of the table");
}

/// The page of the derive has the same table, with links to the reference. `BINFMT_BLESS=1` writes it.
#[test]
fn the_derive_shows_the_same_words() {
    let doc = file("binfmt/docs/attributes.md");
    let is_of_table = |line: &&str| line.starts_with("| ") || line.starts_with("|-");
    let table: Vec<_> = chapter(&doc, "The words").lines().filter(is_of_table).collect();
    let reference = "](https://docs.rs/binfmt/latest/binfmt/attributes/index.html#";
    let table = table.join("\n").replace("](#", reference);
    let page = format!("# The words\n\nS is a struct, E an enum, V a variant, F a field.\n\n{table}\n");
    let path = "binfmt-derive/docs/words.md";
    if std::env::var_os("BINFMT_BLESS").is_some() {
        fs::write(root().join(path), &page).unwrap();
    }
    assert!(file(path) == page, "{path} is not the table of attributes.md: BINFMT_BLESS=1 writes it");
    assert!(file("binfmt-derive/src/lib.rs").contains("#[doc = include_str!(\"../docs/words.md\")]"));
}

#[test]
fn every_word_has_a_section() {
    let doc = file("binfmt/docs/attributes.md");
    let mut documented = headings(chapter(&doc, "Words of structs and enums"));
    documented.extend(headings(chapter(&doc, "Words of fields")));
    same(&words(), &documented, "a section");
}

#[test]
fn every_word_has_a_form_in_schemas() {
    let doc = file("binfmt/docs/attributes.md");
    let documented = first_column(chapter(&doc, "What a schema says"));
    let missing: Vec<_> = words().into_iter().filter(|word| !documented.contains(word)).collect();
    assert!(missing.is_empty(), "words without a row in `What a schema says`: {missing:?}");
    let tests = file("tests/schema/words.rs");
    let said = |word: &String| tests.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
    let missing: Vec<_> = words().into_iter().filter(|word| !said(word)).collect();
    assert!(missing.is_empty(), "words without a test of their schema: {missing:?}");
}

#[test]
fn every_foreign_word_is_translated() {
    let doc = file("binfmt/docs/attributes.md");
    let translated = first_column(chapter(&doc, "If you come from binrw, deku or serde"));
    let mut foreign = strings_behind(&table("PEERS"), "(");
    foreign.extend(strings_behind(&table("ABSENT"), "("));
    // tools that are not derives have words of the macro, too, among others
    let tools = first_column(chapter(&doc, "If you come from Kaitai, zerocopy or bincode"));
    let missing: Vec<_> =
        foreign.iter().filter(|w| !translated.contains(*w) && !tools.contains(*w)).collect();
    assert!(missing.is_empty(), "foreign words without a translation in attributes.md: {missing:?}");
    // and the other way: what a table lists, the macro answers with ours
    let ours: Names = words();
    let aliases = strings_behind(&table("ALIASES"), "(");
    let silent: Vec<_> = translated
        .iter()
        .filter(|w| ![&foreign, &ours, &aliases].iter().any(|known| known.contains(*w)))
        .collect();
    assert!(silent.is_empty(), "words in the tables that the macro does not answer: {silent:?}");
}

/// Links inside the page: `[..](#anchor)` must lead to a heading.
#[test]
fn every_link_has_a_target() {
    let doc = file("binfmt/docs/attributes.md");
    let anchor = |line: &str| -> String {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let targets: Names = doc.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
    for link in doc.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(targets.contains(link), "attributes.md links to #{link}, which is not a heading");
    }
}
