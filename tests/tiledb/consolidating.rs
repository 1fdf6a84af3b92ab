//! Fragments put together: what is read stays the same, and what is left over can be removed.

use crate::support::tiledb::path;
use binfmt::formats::tiledb::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");

fn dim(name: &str, low: i32, high: i32, extent: i32) -> Dimension {
    Dimension::new(name, Number::I32(low), Number::I32(high), Number::I32(extent))
}

/// Two attributes, one of them variable, in tiles that do not end where the domain does.
fn schema(dense: bool, orders: [Layout; 2]) -> ArraySchema {
    let dims = [dim("r", -3, 30, 5), dim("c", 1, 20, 4)];
    let mut schema = if dense {
        ArraySchema::dense(Datatype::Int32, dims)
    } else {
        ArraySchema::sparse(Datatype::Int32, dims)
    };
    schema.capacity = 7;
    [schema.tile_order, schema.cell_order] = orders;
    let pair = CellValNum::new(2).unwrap();
    schema
        .attribute(
            Attribute::new("n", Datatype::Int16)
                .values(pair)
                .filtered([Filter::byteshuffle(), Filter::zstd(3)]),
        )
        .attribute(
            Attribute::new("s", Datatype::StringAscii).values(CellValNum::VAR).filtered([Filter::lz4(-1)]),
        )
}

/// The values of so many cells, none of which are those of another seed.
fn columns(cells: usize, seed: i16) -> [(&'static str, Column); 2] {
    let numbers = (0..2 * cells as i16).map(|n| n + 1000 * seed).collect();
    let lengths = (0..cells).map(|cell| (cell + seed as usize) % 4);
    let mut offsets = vec![0];
    offsets.extend(lengths.scan(0, |sum, n| {
        *sum += n;
        Some(*sum)
    }));
    let text = (0..offsets[cells]).map(|i| b'a' + (i as i16 + seed) as u8 % 26).collect();
    [
        ("n", Column::fixed(Datatype::Int16, CellValNum::new(2).unwrap(), Numbers::I16(numbers)).unwrap()),
        ("s", Column::variable(Datatype::StringAscii, Numbers::U8(text), offsets).unwrap()),
    ]
}

fn filled<S: Storage>(insert: Insert<'_, S>, cells: usize, seed: i16) -> FragmentName {
    let insert =
        columns(cells, seed).into_iter().fold(insert, |insert, (name, column)| insert.column(name, column));
    insert.at(10 * seed as u64).write().unwrap()
}

/// Fragments that overlap: boxes with gaps between them, and, in an array of either kind, single cells.
fn write<S: Storage>(array: &mut Array<S>, dense: bool) {
    for seed in 1..=3i16 {
        if dense {
            let first = i32::from(seed) * 4 - 4;
            filled(
                array.insert().range("r", first..first + 9).range("c", 2..2 + 3 * i32::from(seed)),
                27 * seed as usize,
                seed,
            );
            continue;
        }
        let cells = 20 * seed as i32;
        let (r, c) = (0..cells).map(|i| ((i * 7) % 34 - 3, i % 20 + 1)).unzip();
        filled(array.insert().coords([Numbers::I32(r), Numbers::I32(c)]), cells as usize, seed);
    }
    if dense {
        let coords = [Numbers::I32(vec![0, 9, 5]), Numbers::I32(vec![2, 3, 7])];
        filled(array.insert().coords(coords), 3, 4);
    }
}

fn both_orders() -> impl Iterator<Item = [Layout; 2]> {
    let all = [Layout::RowMajor, Layout::ColumnMajor];
    all.into_iter().flat_map(move |tile| all.map(|cell| [tile, cell]))
}

#[test]
fn cells_stay_as_they_were() {
    for (dense, orders) in [true, false].into_iter().flat_map(|dense| both_orders().map(move |o| (dense, o)))
    {
        for (threads, key) in [(1, false), (3, true)] {
            let options = Options::new().threads(threads);
            let options = if key { options.key(KEY) } else { options };
            let mut array = options.create(Memory::new(), schema(dense, orders)).unwrap();
            write(&mut array, dense);
            let (before, parts) = (array.read().unwrap(), array.fragments().len());
            let name = array.consolidate(1.5).unwrap().unwrap();
            assert_eq!(name.timestamps(), (10, if dense { 40 } else { 30 }));
            let anew = options.open(array.storage().clone()).unwrap();
            for array in [&array, &anew] {
                let [fragment] = array.fragments() else { panic!("{:?}", array.fragments()) };
                assert_eq!(*fragment.name(), name);
                assert_eq!(array.read().unwrap(), before, "{dense} {orders:?}");
                let verified = array.verify(fragment).unwrap();
                assert_eq!((verified.duplicates, verified.out_of_order), (0, 0));
            }
            let box_of = anew.fragments()[0].metadata().footer.non_empty_domain.clone();
            let ends = |low: i32, high: i32| [Number::I32(low), Number::I32(high)];
            // no larger than what was written
            assert_eq!(box_of, if dense { [ends(0, 16), ends(2, 10)] } else { [ends(-3, 30), ends(1, 20)] });
            let left = anew.left_over().unwrap();
            assert_eq!(left.len(), parts);
            assert!(left.iter().all(|left| left.reason == IgnoredReason::Replaced));
            left.iter().for_each(|left| anew.remove(left).unwrap());
            assert_eq!(anew.ignored().unwrap(), []);
            assert_eq!(options.open(anew.storage().clone()).unwrap().read().unwrap(), before);
            assert_eq!(array.consolidate(1.0).unwrap(), None);
        }
    }
}

#[test]
fn fragments_of_the_software_stay_as_they_were() {
    let mut several = 0;
    for entry in fs::read_dir(path("")).unwrap().map(Result::unwrap) {
        if !entry.path().join("__array_schema.tdb").is_file() {
            continue;
        }
        let name = entry.file_name().into_string().unwrap();
        let memory = Memory::new();
        for file in fs::read_dir(entry.path()).unwrap().map(Result::unwrap) {
            let of = file.file_name().into_string().unwrap();
            match file.path().is_dir() {
                true => fs::read_dir(file.path()).unwrap().map(Result::unwrap).for_each(|inner| {
                    let path = format!("{of}/{}", inner.file_name().to_str().unwrap());
                    memory.write(&path, &fs::read(inner.path()).unwrap()).unwrap();
                }),
                false => memory.write(&of, &fs::read(file.path()).unwrap()).unwrap(),
            }
        }
        let options = if name.starts_with("e_") { Options::new().key(KEY) } else { Options::new() };
        let mut array = options.open(memory).unwrap();
        if array.fragments().len() < 2 {
            continue;
        }
        let before = array.read().unwrap();
        array.consolidate(100.0).unwrap().unwrap();
        assert_eq!(options.open(array.storage()).unwrap().read().unwrap(), before, "{name}");
        several += 1;
    }
    assert!(several >= 3, "{several}");
}

#[test]
fn later_cells_win_and_earlier_ones_are_gone() {
    let mut array = Options::new().create(Memory::new(), schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    let name = array.consolidate(1.0).unwrap().unwrap();
    let coords = || [Numbers::I32(vec![-3]), Numbers::I32(vec![1])];
    filled(array.insert().coords(coords()), 1, 9);
    let cell = array.query().range("r", -3..=-3).range("c", 1..=1).read().unwrap();
    let n = cell.column("n").unwrap();
    assert_eq!(*n, columns(1, 9)[0].1);
    let e = array.insert().coords(coords()).at(20).column("n", n.clone());
    let e = e.column("s", columns(1, 9)[1].1.clone()).write().unwrap_err();
    assert!(e.to_string().contains(name.as_str()), "{e}");
    // as in libtiledb 1.6: what was put together counts from its first time on
    let at = |time| Options::new().at(time).open(array.storage()).unwrap().fragments().len();
    assert_eq!([at(9), at(10), at(90)], [0, 1, 2]);
}

#[test]
fn fragments_of_one_time_are_hidden() {
    let mut array = Options::new().create(Memory::new(), schema(false, [Layout::RowMajor; 2])).unwrap();
    for r in [1, 2] {
        let insert = array.insert().coords([Numbers::I32(vec![r]), Numbers::I32(vec![1])]);
        filled(insert, 1, 5);
    }
    let before = array.read().unwrap();
    assert_eq!(array.consolidate(1.0).unwrap().unwrap().timestamps(), (50, 51));
    let anew = Options::new().open(array.storage()).unwrap();
    assert_eq!((anew.fragments().len(), anew.read().unwrap()), (1, before));
}

#[test]
fn boxes_far_apart_are_refused() {
    let mut array = Options::new().create(Memory::new(), schema(true, [Layout::RowMajor; 2])).unwrap();
    for (seed, first) in [(1, 0), (2, 29)] {
        filled(array.insert().range("r", first..=first).range("c", 1..=1), 1, seed);
    }
    let before = array.read().unwrap();
    let e = array.consolidate(1.0).unwrap_err();
    let wanted = "the box around all cells has 7 tiles, and the fragments have 2: \
                  that is an amplification of 3.5, and 1 is allowed";
    assert_eq!(e.to_string(), wanted);
    assert_eq!((array.fragments().len(), array.ignored().unwrap().len()), (2, 0));
    array.consolidate(3.5).unwrap().unwrap();
    assert_eq!(array.read().unwrap(), before);
}

#[test]
fn single_cells_far_apart_are_refused() {
    let mut array = Options::new().create(Memory::new(), schema(true, [Layout::RowMajor; 2])).unwrap();
    for seed in 1..=2 {
        let coords = [Numbers::I32(vec![-3, 30]), Numbers::I32(vec![1, 20])];
        filled(array.insert().coords(coords), 2, seed);
    }
    let e = array.consolidate(1.0).unwrap_err();
    assert!(
        e.to_string().starts_with("the box around all cells has 35 tiles, and the fragments have 2:"),
        "{e}"
    );
    assert!(array.consolidate(f64::NAN).is_err());
    assert_eq!(array.fragments().len(), 2);
}

#[test]
fn a_tile_that_nobody_could_read_is_not_written() {
    let mut schema = schema(false, [Layout::RowMajor; 2]);
    schema.capacity = 1000;
    let limited = Options::new().limit(200);
    let mut array = limited.create(Memory::new(), schema).unwrap();
    for seed in 1..=2 {
        // 8 bytes of coordinates each
        let coords = [Numbers::I32((0..20).collect()), Numbers::I32(vec![i32::from(seed); 20])];
        filled(array.insert().coords(coords), 20, seed);
    }
    let before = array.read().unwrap();
    let e = array.consolidate(1.0).unwrap_err().to_string();
    assert!(e.starts_with("tile of ") && e.ends_with("bytes exceeds the limit of 200"), "{e}");
    assert_eq!((array.fragments().len(), array.ignored().unwrap().len()), (2, 0));
    let mut array = Options::new().open(array.storage()).unwrap();
    array.consolidate(1.0).unwrap().unwrap();
    assert_eq!(array.read().unwrap(), before);
}

#[test]
fn what_reaches_beyond_the_domain_is_left_there() {
    let schema = ArraySchema::dense(Datatype::Int32, [dim("x", 1, 10, 4)])
        .attribute(Attribute::new("n", Datatype::Int32));
    let mut array = Options::new().create(Memory::new(), schema).unwrap();
    for (first, value) in [(1, 5), (9, 6)] {
        let n = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![value; 2])).unwrap();
        array.insert().range("x", first..=first + 1).at(first as u64).column("n", n).write().unwrap();
    }
    let before = array.read().unwrap();
    // as libtiledb leaves it, whose box ends where its last tile does
    let fragment = &array.fragments()[1];
    let mut metadata = fragment.metadata().clone();
    metadata.footer.non_empty_domain[0][1] = Number::I32(12);
    let path = format!("{}/__fragment_metadata.tdb", fragment.name());
    let bytes = metadata.to_bytes(array.schema(), None).unwrap();
    array.storage().write(&path, &bytes).unwrap();
    let mut array = Options::new().open(array.storage()).unwrap();
    assert_eq!(array.read().unwrap(), before);
    array.consolidate(100.0).unwrap().unwrap();
    assert_eq!(array.read().unwrap(), before);
    let [fragment] = array.fragments() else { panic!("{:?}", array.fragments()) };
    assert_eq!(fragment.metadata().footer.non_empty_domain, [[Number::I32(1), Number::I32(10)]]);
}

#[test]
fn times_that_end_leave_no_name() {
    let memory = Memory::new();
    let mut array = Options::new().create(&memory, schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    // fragments of the last of all times, which no later one follows
    let names = memory.list("").unwrap();
    let from = names.iter().find(|name| name.starts_with("__")).unwrap();
    for id in ["a", "b"] {
        for file in memory.list(from).unwrap() {
            let path = format!("{from}/{file}");
            let mut bytes = vec![0; memory.size(&path).unwrap().unwrap() as usize];
            memory.read(&path, 0, &mut bytes).unwrap();
            memory.write(&format!("__5_{}_{id}/{file}", u64::MAX), &bytes).unwrap();
        }
    }
    let mut array = Options::new().open(&memory).unwrap();
    let e = array.consolidate(1.0).unwrap_err();
    assert!(e.to_string().contains("fragment timestamp"), "{e}");
}

#[test]
fn a_fragment_of_another_program_is_not_hidden() {
    let memory = Memory::new();
    let mut array = Options::new().create(&memory, schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    let mut old = Options::new().open(&memory).unwrap();
    let coords = [Numbers::I32(vec![3]), Numbers::I32(vec![3])];
    let insert = array.insert().coords(coords).at(15);
    let insert = columns(1, 1).into_iter().fold(insert, |insert, (name, column)| insert.column(name, column));
    let name = insert.write().unwrap();
    let e = old.consolidate(1.0).unwrap_err();
    let wanted =
        format!("{name}/__fragment_metadata.tdb: another program has written this fragment meanwhile");
    assert_eq!(e.to_string(), wanted);
    assert_eq!(Options::new().open(&memory).unwrap().fragments().len(), 4);
}

/// A storage in which another program puts all fragments together while a file is written.
struct Overtaken<'a> {
    files: &'a Memory,
    is_done: AtomicBool,
}

impl Storage for Overtaken<'_> {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.files.size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.files.read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.is_done.swap(true, Ordering::Relaxed) {
            Options::new().open(self.files).unwrap().consolidate(1.0).unwrap().unwrap();
        }
        self.files.write(path, bytes)
    }
}

#[test]
fn a_writer_that_is_overtaken_is_told() {
    let files = Memory::new();
    let mut array = Options::new().create(&files, schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    let before = array.read().unwrap();
    let overtaken = Overtaken { files: &files, is_done: AtomicBool::new(false) };
    let mut late = Options::new().open(overtaken).unwrap();
    let coords = [Numbers::I32(vec![3]), Numbers::I32(vec![3])];
    let insert = late.insert().coords(coords).at(15);
    let insert = columns(1, 1).into_iter().fold(insert, |insert, (name, column)| insert.column(name, column));
    let e = insert.write().unwrap_err().to_string();
    assert!(
        e.contains("it would never be seen: __10_30_") && e.contains("replaces all from 10 to 30"),
        "{e}"
    );
    // no fragment is there that nobody sees
    let anew = Options::new().open(&files).unwrap();
    assert_eq!((anew.fragments().len(), anew.read().unwrap()), (1, before));
}

#[test]
fn what_killed_writers_left_is_told_from_strangers() {
    use IgnoredReason::{Later, Partial, Unfinished, Unknown};
    let memory = Memory::new();
    let mut array = Options::new().create(&memory, schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    let own = array.fragments()[0].name().to_string();
    let files = [
        ("__5_5_00112233445566778899aabbccddeeff/n.tdb".to_owned(), Unfinished),
        ("__array_schema.tdb.0123456789abcdef.part".to_owned(), Partial),
        (format!("{own}/s_var.tdb.0123456789abcdef.part"), Partial),
        (format!("{own}/s_var.tdb.bak"), Unknown),
        ("notes.txt".to_owned(), Unknown),
        ("notes.txt.0123456789abcdef.part".to_owned(), Unknown),
    ];
    files.iter().for_each(|(path, _)| memory.write(path, b"?").unwrap());
    let mut wanted: Vec<(String, IgnoredReason)> = files.to_vec();
    wanted[0].0 = "__5_5_00112233445566778899aabbccddeeff".into();
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    let of =
        |all: Vec<IgnoredFile>| all.into_iter().map(|found| (found.path, found.reason)).collect::<Vec<_>>();
    assert_eq!(of(array.ignored().unwrap()), wanted);
    wanted.retain(|(_, reason)| *reason != Unknown);
    assert_eq!(of(array.left_over().unwrap()), wanted);
    let early = Options::new().at(10).open(&memory).unwrap();
    assert_eq!(early.ignored().unwrap().iter().filter(|found| found.reason == Later).count(), 2);
    assert_eq!(early.left_over().unwrap().len(), 3);
}

#[test]
#[cfg(unix)]
fn folders_are_removed_and_links_lead_nowhere() {
    let folder = std::env::temp_dir().join(format!("binfmt-tiledb-{}-vacuum", std::process::id()));
    let other = folder.with_extension("other");
    let mut array =
        Options::new().create(Folder::new(&folder), schema(false, [Layout::RowMajor; 2])).unwrap();
    write(&mut array, false);
    array.consolidate(1.0).unwrap().unwrap();
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("kept"), "x").unwrap();
    fs::write(other.join("__fragment_metadata.tdb"), "y").unwrap();
    std::os::unix::fs::symlink(&other, folder.join("__20_20_linked")).unwrap();
    array.left_over().unwrap().iter().for_each(|left| array.remove(left).unwrap());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    assert_eq!(fs::read_to_string(other.join("kept")).unwrap(), "x");
    assert_eq!(fs::read_to_string(other.join("__fragment_metadata.tdb")).unwrap(), "y");
    fs::remove_dir_all(folder).unwrap();
    fs::remove_dir_all(other).unwrap();
}
