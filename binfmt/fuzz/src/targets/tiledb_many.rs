//! The arrays of `tests/data` with several files that are edited, removed, doubled or exchanged, and fragments that are there
//! twice: one thread and two read the same, or end with the same error.

use crate::targets::shared::agree::same;
use crate::targets::shared::arrays::{Original, Stored, edit, originals};
use crate::targets::shared::input::Choices;
use binfmt::formats::tiledb::{Cells, Layout, Storage};

/// Changes of one array at most.
const CHANGES: usize = 6;

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let originals = originals();
    let original = &originals[usize::from(c.byte()) % originals.len()];
    let order = c.pick(&[None, Some(Layout::RowMajor), Some(Layout::ColumnMajor)]);
    let changes = c.0;
    let [one, two] = [1, 2].map(|threads| read(original, changes, threads, order));
    match (one, two) {
        (Ok(one), Ok(two)) => assert!(same(&one, &two), "{one:?}\ntwo threads: {two:?}"),
        (Err(one), Err(two)) => assert_eq!(one, two),
        (one, two) => panic!("{one:?}\ntwo threads: {two:?}"),
    }
}

/// All cells and what is said of each fragment, or an error.
fn read(
    original: &Original,
    changes: &[u8],
    threads: usize,
    order: Option<Layout>,
) -> Result<(Cells, Vec<String>), String> {
    let c = &mut Choices(changes);
    let mut files = original.stored();
    for _ in 0..CHANGES {
        if !c.is_empty() && files.paths().len() > 1 {
            change(&mut files, c);
        }
    }
    let array = original.options().threads(threads).open(files).map_err(|e| e.to_string())?;
    let verified = array.fragments().iter().take(4).map(|fragment| format!("{:?}", array.verify(fragment)));
    let verified = verified.collect();
    let query = match order {
        Some(order) => array.query().order(order),
        None => array.query().global_order(),
    };
    Ok((query.read().map_err(|e| format!("{e} {verified:?}"))?, verified))
}

/// Does something to a file, or to two.
fn change(files: &mut Stored<'_>, c: &mut Choices<'_>) {
    let what = c.byte();
    let (one, other) = (path(files, c), path(files, c));
    let Some(bytes) = files.get(&one) else { return };
    match what % 8 {
        0 => drop(files.take(&one)),
        1 => files.put(one, [&*bytes, &*bytes].concat()),
        // one of them with what the other has
        2 => files.put(other, bytes),
        3 => {
            let before = files.get(&other);
            files.put(other, bytes);
            if let Some(before) = before {
                files.put(one, before);
            }
        }
        // the file of another fragment
        4 => {
            if let (Some((_, name)), Some((folder, _))) = (one.rsplit_once('/'), other.rsplit_once('/')) {
                files.put(format!("{folder}/{name}"), bytes);
            }
        }
        5 => twice(files, &one, c.byte()),
        _ => {
            let n = 4 + usize::from(c.byte() % 32);
            files.put(one, edit(bytes.into_owned(), &mut Choices(c.bytes(n))));
        }
    }
}

fn path(files: &Stored<'_>, c: &mut Choices<'_>) -> String {
    let at = usize::from(c.byte()) % files.paths().len();
    files.paths().nth(at).expect("within the number of files").clone()
}

/// The fragment in which a file is, once more under a name that differs in one digit.
fn twice(files: &mut Stored<'_>, file: &str, at: u8) {
    let Some((fragment, _)) = file.split_once('/') else { return };
    let mut name = fragment.as_bytes().to_vec();
    let at = usize::from(at) % name.len();
    name[at] = if name[at] == b'1' { b'2' } else { b'1' };
    let Ok(name) = String::from_utf8(name) else { return };
    for below in files.list(fragment).unwrap_or_default() {
        if let Some(bytes) = files.get(&format!("{fragment}/{below}")) {
            files.put(format!("{name}/{below}"), bytes);
        }
    }
}
