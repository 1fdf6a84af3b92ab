//! Sets of data files in folders: found, checked, read by ranges of indices, written as the platform writes them.

#[allow(dead_code)]
#[path = "support/beat.rs"]
mod support;

use binfmt::formats::beat::{DataSet, DataWriter, Declaration, Object};
use binfmt::{BinFormat, Options};
use std::path::{Path, PathBuf};
use support::{cases, is, prefix};

/// A folder for one test, removed behind it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("binfmt-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_platforms_own_sets_hold() {
    for case in cases("data") {
        let (name, json) = (&case.name, &case.content);
        let theirs = Scratch::new(&format!("{name}-theirs"));
        let data = json["name"].as_str().unwrap();
        let index = data.replace(".data", ".index");
        for (from, to) in [
            ("input.data", data.to_owned()),
            ("data.checksum", format!("{data}.checksum")),
            ("index", index.clone()),
            ("index.checksum", format!("{index}.checksum")),
        ] {
            std::fs::copy(case.folder.join(from), theirs.0.join(to)).unwrap();
        }
        let base = theirs.0.join(data.split('.').next().unwrap());
        let set = DataSet::open(&base).unwrap();
        assert_eq!(set.verify().unwrap(), [], "{name}");
        assert!(set.gaps().is_empty());
        let declaration = Declaration::load(json["format"].as_str().unwrap(), prefix()).unwrap();
        let options = Options::new().ctx(&declaration);
        let mut expected = json["chunks"].as_array().unwrap().iter();
        for chunk in set.chunks(0..=u64::MAX) {
            let (chunk, expected) = (chunk.unwrap(), expected.next().unwrap());
            assert_eq!(Some(chunk.offset), expected["offset"].as_u64());
            assert_eq!(Some(chunk.bytes.len() as u64), expected["size"].as_u64());
            let chunk = chunk.decode_with::<Object, _>(&options).unwrap();
            assert!(is(&chunk.value.0, &expected["value"]), "{name}: {chunk:?}");
        }
        assert!(expected.next().is_none());

        // written again, with what stands beside it
        let scratch = Scratch::new(name);
        let file = &set.files()[0];
        let again = scratch.0.join(base.file_name().unwrap());
        let mut writer =
            DataWriter::create(&again, json["format"].as_str().unwrap(), file.start, file.end).unwrap();
        for chunk in set.chunks(0..=u64::MAX) {
            let chunk = chunk.unwrap().decode_with::<Object, _>(&options).unwrap();
            writer.write_with(chunk.start, chunk.end, &chunk.value, &options).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(scratch.names().len(), 4);
        for written in scratch.names() {
            let same = std::fs::read(scratch.0.join(&written)).unwrap()
                == std::fs::read(theirs.0.join(&written)).unwrap();
            assert!(same, "{written}");
        }
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, key_order = lexicographic)]
struct Int {
    value: i32,
}

/// Files of the indices 0 to 9, 10 to 19, and 30 to 39; a chunk holds two indices.
fn write_set(folder: &Path) -> PathBuf {
    let base = folder.join("set");
    for first in [0u64, 10, 30] {
        let mut writer = DataWriter::create(&base, "u/int/1", first, first + 9).unwrap();
        for start in (first..first + 10).step_by(2) {
            writer.write(start, start + 1, &Int { value: start as i32 }).unwrap();
        }
        writer.finish().unwrap();
    }
    base
}

#[test]
fn files_are_read_in_order_and_by_ranges() {
    let scratch = Scratch::new("ranges");
    let base = write_set(&scratch.0);
    // names that are none of the set
    for other in ["set.x.9.data", "set.0.9.data.part", "settings.0.9.data", "set.40.data"] {
        std::fs::write(scratch.0.join(other), "").unwrap();
    }
    for base in [base.clone(), base.with_extension("data")] {
        let set = DataSet::open(base).unwrap();
        assert_eq!(
            set.files().iter().map(|f| (f.start, f.end)).collect::<Vec<_>>(),
            [(0, 9), (10, 19), (30, 39)]
        );
        assert_eq!(set.gaps(), [20..=29]);
        assert_eq!(set.verify().unwrap(), [20..=29]);
        let read = |range| -> Vec<u64> {
            let values = set.chunks(range).map(|chunk| chunk.unwrap().decode::<Int>().unwrap());
            values
                .map(|chunk| {
                    assert_eq!(chunk.value.value as u64, chunk.start);
                    chunk.start
                })
                .collect()
        };
        assert_eq!(read(0..=u64::MAX).len(), 15);
        assert_eq!(read(7..=11), [6, 8, 10]);
        assert_eq!(read(19..=30), [18, 30]);
        assert!(read(20..=29).is_empty());
    }
}

#[test]
fn the_last_of_all_indices_leaves_no_gap() {
    let scratch = Scratch::new("last");
    let base = scratch.0.join("set");
    let mut writer = DataWriter::create(&base, "u/int/1", u64::MAX - 3, u64::MAX).unwrap();
    writer.write(u64::MAX - 2, u64::MAX, &1i32).unwrap();
    writer.finish().unwrap();
    let set = DataSet::open(&base).unwrap();
    assert_eq!(set.verify().unwrap(), [u64::MAX - 3..=u64::MAX - 3]);
    assert_eq!(set.chunks(u64::MAX..=u64::MAX).count(), 1);
}

#[test]
fn what_is_wrong_with_a_set_is_named() {
    let scratch = Scratch::new("wrong");
    let base = write_set(&scratch.0);
    let data = scratch.0.join("set.10.19.data");
    let verify = || DataSet::open(&base).and_then(|set| set.verify()).unwrap_err().to_string();
    let bytes = std::fs::read(&data).unwrap();

    // one byte of a payload
    let mut changed = bytes.clone();
    changed[25] ^= 1;
    std::fs::write(&data, &changed).unwrap();
    assert!(verify().contains("set.10.19.data at byte 0x0: its checksum is "), "{}", verify());
    std::fs::write(&data, &bytes).unwrap();

    let index = scratch.0.join("set.10.19.index");
    let text = std::fs::read(&index).unwrap();
    std::fs::write(&index, b"10 11\n").unwrap();
    assert!(verify().contains("set.10.19.index at byte 0x0: its checksum is "), "{}", verify());
    std::fs::write(&index, &text).unwrap();

    let sum = scratch.0.join("set.10.19.index.checksum");
    std::fs::remove_file(&sum).unwrap();
    assert!(verify().contains("set.10.19.index.checksum at byte 0x0: "), "{}", verify());

    // the file ends inside of its last chunk
    std::fs::write(&data, &bytes[..bytes.len() - 2]).unwrap();
    let set = DataSet::open(&base).unwrap();
    let e = set.chunks(18..=18).last().unwrap().unwrap_err();
    assert!(e.to_string().ends_with("set.10.19.data at byte 0x4b: 5 bytes needed, 3 remain"), "{e}");

    std::fs::copy(scratch.0.join("set.0.9.data"), scratch.0.join("set.5.20.data")).unwrap();
    let e = DataSet::open(&base).unwrap_err();
    assert!(e.to_string().contains("set.5.20.data at byte 0x0: its indices begin at 5"), "{e}");
}

#[test]
fn writers_that_cannot_finish_leave_nothing() {
    let scratch = Scratch::new("unfinished");
    let base = scratch.0.join("set");
    assert!(DataWriter::create(&base, "no name", 0, 1).is_err());
    assert!(DataWriter::create(&base, "u/int/1", 2, 1).is_err());

    let mut writer = DataWriter::create(&base, "u/int/1", 0, 9).unwrap();
    writer.write(0, 4, &1i32).unwrap();
    let refused = |e: binfmt::Error| e.kind().to_string();
    assert_eq!(
        refused(writer.write(4, 5, &1i32).unwrap_err()),
        "a chunk that begins at 4 behind one that ends at 4"
    );
    assert_eq!(
        refused(writer.write(5, 10, &1i32).unwrap_err()),
        "a chunk of the indices 5 to 10, the file has 0 to 9"
    );
    assert_eq!(refused(writer.finish().unwrap_err()), "the last index is 4, the file ends with 9");
    drop(DataWriter::create(&base, "u/int/1", 0, 9).unwrap());
    assert_eq!(scratch.names(), Vec::<String>::new());
}
