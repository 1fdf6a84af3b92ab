//! Rooms and names of the formats are those of the table in `binfmt/docs/design.md`.

use super::formats::formats;
use super::layering::{File, files};
use super::{file, root};
use std::collections::BTreeSet;
use std::path::Path;

/// What a format may have, by the same name in each.
const ROOMS: [&str; 7] = ["layout", "text", "read", "write", "check", "table", "serial"];

/// Names that mean the same in each.
const NAMES: [&str; 10] = [
    "Reader",
    "Writer",
    "Options",
    "Tables",
    "Verified",
    "description",
    "check_struct",
    "verify",
    "rows_as",
    "columns",
];

const DESIGN: &str = "binfmt/docs/design.md";
const HEAD: &str = "| format | rooms | rooms of its own | names |\n|---|---|---|---|\n";

/// The files of a format.
fn of<'a>(format: &str, all: &'a [File]) -> Vec<&'a File> {
    all.iter().filter(|file| file.path.starts_with(Path::new("formats").join(format))).collect()
}

/// The files and folders beside its `mod.rs`.
fn rooms(files: &[&File]) -> BTreeSet<String> {
    files.iter().filter_map(|file| file.module().get(2).cloned()).collect()
}

/// Whether a format has a public function or type of this name.
fn has(files: &[&File], name: &str) -> bool {
    ["fn", "struct", "type"].iter().any(|kind| {
        let item = format!("pub {kind} {name}");
        let follows = |rest: &str| rest.starts_with(['(', '<', ' ', ';', '{']);
        files.iter().any(|file| file.code.split(&item).skip(1).any(follows))
    })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

/// The table as the tree has it.
fn table(all: &[File]) -> String {
    let row = |format: String| {
        let files = of(&format, all);
        let rooms = rooms(&files);
        let common = list(ROOMS.into_iter().filter(|room| rooms.contains(*room)));
        let own = list(rooms.iter().map(String::as_str).filter(|room| !ROOMS.contains(room)));
        let names = list(NAMES.into_iter().filter(|name| has(&files, name)));
        format!("| {format} | {common} | {own} | {names} |\n")
    };
    HEAD.chars()
        .chain(formats().into_iter().flat_map(|format| row(format).chars().collect::<Vec<_>>()))
        .collect()
}

/// `BINFMT_BLESS=1` writes it: read the difference before you commit it.
#[test]
fn the_table_of_rooms_is_that_of_the_tree() {
    let (design, table) = (file(DESIGN), table(files("binfmt")));
    let start = design.find(HEAD).expect("design.md has the table of rooms");
    let end = design[start..].find("\n\n").map_or(design.len(), |end| start + end + 1);
    if std::env::var_os("BINFMT_BLESS").is_some() {
        let page = [&design[..start], &table, &design[end..]].concat();
        std::fs::write(root().join(DESIGN), page).unwrap();
        return;
    }
    assert!(
        design[start..end] == table,
        "{DESIGN} has another table than the tree: BINFMT_BLESS=1 writes\n{table}"
    );
}

#[test]
fn a_room_of_its_own_has_a_reason() {
    let (design, all) = (file(DESIGN), files("binfmt"));
    let known = |room: &String| ROOMS.contains(&room.as_str());
    let found = formats().into_iter().flat_map(|format| {
        let rooms: Vec<String> = rooms(&of(&format, all)).into_iter().filter(|room| !known(room)).collect();
        rooms.into_iter().map(move |room| format!("{format}::{room}"))
    });
    let found: BTreeSet<String> = found.collect();
    let chapter =
        design.split("\n| room of its own | what it holds |\n").nth(1).expect("design.md has their table");
    let rows = chapter.lines().take_while(|line| line.starts_with('|')).flat_map(|row| {
        let names = row.split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect::<Vec<_>>()
    });
    let told: BTreeSet<String> = rows.collect();
    let (silent, gone): (Vec<_>, Vec<_>) =
        (found.difference(&told).collect(), told.difference(&found).collect());
    assert!(
        silent.is_empty() && gone.is_empty(),
        "without a row in {DESIGN}: {silent:?}; not there: {gone:?}"
    );
}
