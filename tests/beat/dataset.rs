//! Sets of data files in folders: found, checked, read by ranges of indices, written as the platform writes them.

use crate::support::beat::{cases, is, prefix};
use binfmt::formats::beat::{Chunks, DataSet, Declaration, Object, Writer, missing_indices};
use binfmt::{BinFormat, Options};
use std::path::{Path, PathBuf};

/// A folder for one test, removed afterwards.
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
        let verified = set.verify().unwrap();
        assert_eq!(
            (verified.chunks, &verified.gaps[..]),
            (json["chunks"].as_array().unwrap().len() as u64, &[][..]),
            "{name}"
        );
        assert!(verified.bytes > 0 && set.gaps().is_empty());
        let declaration = Declaration::load(json["format"].as_str().unwrap(), prefix()).unwrap();
        let options = Options::new().ctx(&declaration);
        let mut expected = json["chunks"].as_array().unwrap().iter();
        for chunk in set.within(0..=u64::MAX) {
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
            Writer::create(&again, json["format"].as_str().unwrap(), file.start, file.end).unwrap();
        for chunk in set.within(0..=u64::MAX) {
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
        let mut writer = Writer::create(&base, "u/int/1", first, first + 9).unwrap();
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
    // names that are not in the set
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
        assert_eq!(set.verify().unwrap().gaps, [20..=29]);
        assert_eq!(set.format().unwrap(), "u/int/1");
        let read = |chunks: Chunks| -> Vec<u64> {
            let values = chunks.map(|chunk| chunk.unwrap().decode::<Int>().unwrap());
            values
                .map(|chunk| {
                    assert_eq!(chunk.value.value as u64, chunk.start);
                    chunk.start
                })
                .collect()
        };
        assert_eq!(read(set.within(0..=u64::MAX)).len(), 15);
        assert_eq!(read(set.touching(0..=u64::MAX)).len(), 15);
        // as the backend's `setup(start_index, end_index)`
        assert_eq!(read(set.within(7..=11)), [8, 10]);
        assert_eq!(read(set.within(8..=10)), [8]);
        assert_eq!(read(set.touching(7..=11)), [6, 8, 10]);
        assert_eq!(read(set.touching(8..=10)), [8, 10]);
        assert_eq!(read(set.touching(19..=30)), [18, 30]);
        assert!(read(set.within(19..=30)).is_empty());
        assert!(read(set.touching(20..=29)).is_empty());
        // ranges one after the other give each chunk once at most
        let split: Vec<u64> =
            [0..=6, 7..=14, 15..=u64::MAX].into_iter().flat_map(|r| read(set.within(r))).collect();
        assert_eq!(split, [0, 2, 4, 8, 10, 12, 16, 18, 30, 32, 34, 36, 38]);
    }
}

#[test]
fn the_last_of_all_indices_leaves_no_gap() {
    let scratch = Scratch::new("last");
    let base = scratch.0.join("set");
    let mut writer = Writer::create(&base, "u/int/1", u64::MAX - 3, u64::MAX).unwrap();
    writer.write(u64::MAX - 2, u64::MAX, &1i32).unwrap();
    writer.finish().unwrap();
    let set = DataSet::open(&base).unwrap();
    assert_eq!(set.verify().unwrap().gaps, [u64::MAX - 3..=u64::MAX - 3]);
    assert_eq!(set.touching(u64::MAX..=u64::MAX).count(), 1);
    assert_eq!(set.within(u64::MAX - 2..=u64::MAX).count(), 1);
    assert_eq!(set.within(u64::MAX..=u64::MAX).count(), 0);
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
    assert!(verify().contains("set.10.19.data: checksum: expected "), "{}", verify());
    std::fs::write(&data, &bytes).unwrap();

    let index = scratch.0.join("set.10.19.index");
    let text = std::fs::read(&index).unwrap();
    std::fs::write(&index, b"10 11\n").unwrap();
    assert!(verify().contains("set.10.19.index: checksum: expected "), "{}", verify());
    std::fs::write(&index, &text).unwrap();

    let sum = scratch.0.join("set.10.19.index.checksum");
    std::fs::remove_file(&sum).unwrap();
    assert!(verify().contains("set.10.19.index.checksum: "), "{}", verify());

    // the file ends inside its last chunk
    std::fs::write(&data, &bytes[..bytes.len() - 2]).unwrap();
    let set = DataSet::open(&base).unwrap();
    let e = set.touching(18..=18).last().unwrap().unwrap_err();
    assert!(e.to_string().ends_with("set.10.19.data at byte 0x4b: 5 bytes needed, 3 remain"), "{e}");

    std::fs::copy(scratch.0.join("set.0.9.data"), scratch.0.join("set.5.20.data")).unwrap();
    let e = DataSet::open(&base).unwrap_err();
    assert!(e.to_string().contains("set.5.20.data: invalid range of indices 5 to 20"), "{e}");
}

#[test]
fn writers_that_cannot_finish_leave_nothing() {
    let scratch = Scratch::new("unfinished");
    let base = scratch.0.join("set");
    assert!(Writer::create(&base, "no name", 0, 1).is_err());
    assert!(Writer::create(&base, "u/int/1", 2, 1).is_err());

    let mut writer = Writer::create(&base, "u/int/1", 0, 9).unwrap();
    writer.write(0, 4, &1i32).unwrap();
    let refused = |e: binfmt::Error| e.kind().to_string();
    assert_eq!(
        refused(writer.write(4, 5, &1i32).unwrap_err()),
        "invalid range of indices 4 to 5: the chunk before ends at 4"
    );
    assert_eq!(
        refused(writer.write(5, 10, &1i32).unwrap_err()),
        "invalid range of indices 5 to 10: the file has 0 to 9"
    );
    assert_eq!(refused(writer.finish().unwrap_err()), "last index: expected 9, found 4");
    drop(Writer::create(&base, "u/int/1", 0, 9).unwrap());
    assert_eq!(scratch.names(), Vec::<String>::new());
}

#[test]
fn a_lost_file_is_noticed_wherever_it_stood() {
    for lost in ["set.0.9", "set.10.19", "set.30.39"] {
        let scratch = Scratch::new(&format!("lost-{lost}"));
        let base = write_set(&scratch.0);
        std::fs::remove_file(scratch.0.join(format!("{lost}.data"))).unwrap();
        let path = scratch.0.join(format!("{lost}.data"));
        let said = format!("{}: no such file: only its index or checksum is there", path.display());
        // any one of the three files beside it tells
        let beside = ["index", "index.checksum", "data.checksum"].map(|ending| format!("{lost}.{ending}"));
        for left in &beside {
            for other in beside.iter().filter(|other| *other != left) {
                std::fs::rename(scratch.0.join(other), scratch.0.join(format!("kept.{other}"))).unwrap();
            }
            let set = DataSet::open(&base).unwrap();
            assert_eq!(set.lost().unwrap(), std::slice::from_ref(&path));
            assert_eq!(set.verify().unwrap_err().to_string(), said);
            for other in beside.iter().filter(|other| *other != left) {
                std::fs::rename(scratch.0.join(format!("kept.{other}")), scratch.0.join(other)).unwrap();
            }
        }
        beside.iter().for_each(|file| std::fs::remove_file(scratch.0.join(file)).unwrap());
        let set = DataSet::open(&base).unwrap();
        assert!(set.lost().unwrap().is_empty());
        // of what left nothing only a gap can tell
        let gaps = if lost == "set.10.19" { vec![10..=29] } else { set.gaps() };
        assert_eq!(set.verify().unwrap().gaps, gaps);
    }
}

#[test]
fn files_of_one_set_have_one_format() {
    let scratch = Scratch::new("formats");
    let base = write_set(&scratch.0);
    let mut writer = Writer::create(&base, "u/other/9", 40, 41).unwrap();
    writer.write(40, 41, &1i32).unwrap();
    writer.finish().unwrap();
    let set = DataSet::open(&base).unwrap();
    assert_eq!(set.files()[3].format().unwrap(), "u/other/9");
    let first = set.files()[0].path.display().to_string();
    let e = set.verify().unwrap_err().to_string();
    assert!(
        e.ends_with(&format!("set.40.41.data: format: expected u/int/1 as in {first}, found u/other/9")),
        "{e}"
    );
    assert_eq!(set.format().unwrap_err().to_string(), e);
}

#[cfg(unix)]
#[test]
fn what_stands_under_another_name_is_never_written_to() {
    let scratch = Scratch::new("planted");
    let base = scratch.0.join("set");
    let victim = scratch.0.join("victim");
    std::fs::write(&victim, "kept").unwrap();
    let stem = format!("set.0.9.data.{}", std::process::id());
    let planted: Vec<String> = ["data", "data.checksum", "index", "index.checksum"]
        .iter()
        .map(|ending| format!("set.0.9.{ending}.part"))
        .chain((0..3).map(|n| format!(".{stem}-{n}.part")))
        .collect();
    for name in &planted {
        std::os::unix::fs::symlink(&victim, scratch.0.join(name)).unwrap();
    }
    // two writers of one file do not share what they write to: the one that ends last wins, whole
    let mut writers = [1i32, 2].map(|n| (n, Writer::create(&base, "u/int/1", 0, 9).unwrap()));
    for (n, writer) in &mut writers {
        writer.write(0, 9, n).unwrap();
    }
    let [(_, first), (_, second)] = writers;
    second.finish().unwrap();
    assert_eq!(DataSet::open(&base).unwrap().verify().unwrap().gaps, []);
    first.finish().unwrap();
    let set = DataSet::open(&base).unwrap();
    assert_eq!(set.verify().unwrap().gaps, []);
    assert_eq!(set.within(0..=9).next().unwrap().unwrap().decode::<i32>().unwrap().value, 1);
    assert_eq!(std::fs::read(&victim).unwrap(), b"kept");
    let links = planted.iter().filter(|name| scratch.0.join(name).is_symlink()).count();
    assert_eq!(links, planted.len());
    assert_eq!(scratch.names().len(), planted.len() + 1 + 4);
}

#[test]
fn indices_that_no_range_has() {
    let missing = |ranges: &[(u64, u64)], within| missing_indices(ranges.iter().copied(), within);
    assert_eq!(missing(&[(0, 1), (2, 2)], None), []);
    assert_eq!(missing(&[(2, 3), (8, 8)], None), [4..=7]);
    assert_eq!(missing(&[(2, 3), (8, 8)], Some((0, 9))), [0..=1, 4..=7, 9..=9]);
    // in any order, and where they overlap
    assert_eq!(missing(&[(8, 9), (0, 5), (1, 2)], Some((0, 9))), [6..=7]);
    assert_eq!(missing(&[(0, u64::MAX)], Some((0, u64::MAX))), []);
    assert_eq!(missing(&[], Some((3, 4))), [3..=4]);
    assert_eq!(missing(&[], None), []);
}
