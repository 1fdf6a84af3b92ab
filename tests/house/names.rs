//! A public name is used once, so that a name says which thing is meant without its path.

use super::layering::{File, files, without_tests};
use std::collections::BTreeMap;

/// What every format has, by the same name in each.
const OF_EVERY_FORMAT: [&str; 5] = ["Reader", "Writer", "Options", "Tables", "Verified"];

/// The text formats among the tables: their rooms count as those of formats.
const TEXT_FORMATS: [&str; 3] = ["csv", "jsonl", "npy"];

/// The format that a file belongs to; its types are called what its own documentation calls them.
fn format(file: &File) -> Option<String> {
    let module = file.module();
    match &module[..] {
        [formats, format, ..] if formats == "formats" => Some(format.clone()),
        [table, format, ..] if table == "table" && TEXT_FORMATS.contains(&&format[..]) => {
            Some(format.clone())
        }
        _ => None,
    }
}

/// The public types and traits of a file, outside its tests.
fn names(file: &File) -> impl Iterator<Item = &str> {
    let code = without_tests(&file.code);
    code.lines().filter_map(|line| {
        let item = line.trim_start().strip_prefix("pub ")?;
        let name = ["struct ", "enum ", "trait "].iter().find_map(|kind| item.strip_prefix(kind))?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    })
}

/// Where each name is, of what is in one place: the crate without its formats, or one format.
fn twice(files: &[File]) -> Vec<String> {
    let mut places: BTreeMap<(Option<String>, &str), Vec<String>> = BTreeMap::new();
    for file in files {
        for name in names(file) {
            places.entry((format(file), name)).or_default().push(file.name());
        }
    }
    let twice = places.iter().filter(|(_, files)| files.len() > 1);
    twice.map(|((_, name), files)| format!("{name}: {}", files.join(", "))).collect()
}

#[test]
fn a_public_name_is_used_once() {
    let files = files("binfmt");
    assert!(files.iter().flat_map(names).count() > 300, "the names are not found");
    let twice = twice(files);
    assert!(twice.is_empty(), "names that two public types have:\n{}", twice.join("\n"));
}

#[test]
fn formats_share_names_with_each_other_and_with_the_crate_for_a_reason() {
    let files = files("binfmt");
    let mut of: BTreeMap<&str, Vec<Option<String>>> = BTreeMap::new();
    for file in files {
        for name in names(file) {
            of.entry(name).or_default().push(format(file));
        }
    }
    let mut shared: Vec<&str> =
        of.iter().filter(|(_, formats)| formats.len() > 1).map(|(name, _)| *name).collect();
    shared.retain(|name| !OF_EVERY_FORMAT.contains(name));
    // what a dump in parts is of, and terms of the formats: a column, array or value of SDDS, a filter or layout of TileDB, a value or scalar of Futhark
    assert_eq!(shared, ["Array", "Column", "Contents", "Elements", "Filter", "Layout", "Scalar", "Value"]);
}

/// What a generic letter is bound by, where it may mean one kind only.
const LETTERS: [(&str, &[&str]); 4] = [
    ("F", &["Source", "Sink", "Order", "Fn", "FnMut", "FnOnce"]),
    ("S", &["Sink", "Order", "As", "DecodeAs", "EncodeAs", "Fn", "FnMut", "FnOnce"]),
    ("W", &["Source", "Order", "As", "DecodeAs", "EncodeAs", "Fn", "FnMut", "FnOnce"]),
    ("O", &["Source", "Sink", "As", "DecodeAs", "EncodeAs", "Fn", "FnMut", "FnOnce"]),
];

/// The first bound of a letter in a list of parameters or a where-clause that means another kind.
fn other_kind(code: &str) -> Option<String> {
    let mut bounds = code.match_indices(": ").filter_map(|(at, _)| {
        let letter = code.get(at.checked_sub(1)?..at)?;
        let before = code.get(..at - 1)?.chars().next_back()?;
        let bound = code.get(at + 2..)?.split(|c: char| !c.is_alphanumeric()).next()?;
        let kinds = LETTERS.iter().find(|(name, _)| *name == letter)?.1;
        (!before.is_alphanumeric() && before != '_' && kinds.contains(&bound))
            .then(|| format!("{letter}: {bound}"))
    });
    bounds.next()
}

#[test]
fn a_letter_means_one_kind() {
    for file in files("binfmt") {
        if let Some(bound) = other_kind(&file.code) {
            panic!("{}: `{bound}`", file.name());
        }
    }
    assert_eq!(other_kind("fn f<O: Order, F: DecodeAs<T>, G: Fn(T)>()"), None);
    assert_eq!(other_kind("fn f<O: Order, F: Fn(T) -> U>()").as_deref(), Some("F: Fn"));
    assert_eq!(other_kind("where\n    W: EncodeAs<T>,").as_deref(), Some("W: EncodeAs"));
}

#[test]
fn a_name_that_is_used_twice_is_found() {
    let file = |path: &str, text: &str| File {
        path: path.into(),
        text: text.into(),
        code: format!("{text}\n#[cfg(test)]\nmod tests {{ pub struct A; }}"),
    };
    let two = [file("wire/a.rs", "pub struct A;"), file("codec/b.rs", "    pub enum A<T> {}")];
    assert_eq!(twice(&two), ["A: wire/a.rs, codec/b.rs"]);
    let apart = [file("wire/a.rs", "pub struct A;"), file("formats/sdds/b.rs", "pub trait A: B {}")];
    assert_eq!(twice(&apart), Vec::<String>::new());
}
