//! Several threads read and write what one does, and say the same of what is damaged.

use binfmt::formats::tiledb::*;
use std::path::{Path, PathBuf};

const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiledb")
}

fn noise(len: usize) -> impl Iterator<Item = u64> {
    let step = |seed: &u64| Some(seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    std::iter::successors(Some(1u64), step).map(|seed| seed >> 33).take(len)
}

fn schema(filters: &[Filter], dense: bool) -> ArraySchema {
    let dim = |name: &str, high, extent| {
        Dimension::new(name, Number::I32(0), Number::I32(high), Number::I32(extent))
    };
    let dims = [dim("r", 99, 9), dim("c", 79, 10)];
    let mut schema = if dense {
        ArraySchema::dense(Datatype::Int32, dims)
    } else {
        ArraySchema::sparse(Datatype::Int32, dims)
    };
    schema.capacity = 61;
    schema.attribute(Attribute::new("n", Datatype::Int64).filtered(filters.to_vec())).attribute(
        Attribute::new("s", Datatype::StringAscii).values(CellValNum::VAR).filtered([Filter::lz4(-1)]),
    )
}

/// So many cells, the first attribute of which rises.
fn columns(cells: usize) -> [(&'static str, Column); 2] {
    let numbers = noise(cells).scan(0, |sum, n| {
        *sum += (n % 100) as i64;
        Some(*sum)
    });
    let offsets: Vec<usize> = std::iter::once(0)
        .chain(noise(cells).scan(0, |sum, n| {
            *sum += n as usize % 6;
            Some(*sum)
        }))
        .collect();
    let text = noise(offsets[cells]).map(|n| b'a' + (n % 26) as u8).collect();
    [
        ("n", Column::fixed(Datatype::Int64, CellValNum::ONE, Numbers::I64(numbers.collect())).unwrap()),
        ("s", Column::variable(Datatype::StringAscii, Numbers::U8(text), offsets).unwrap()),
    ]
}

/// An array of 800 or 8,000 cells in many tiles.
fn array(filters: &[Filter], dense: bool, threads: usize, key: bool) -> Array<Memory> {
    let options = Options::new().threads(threads);
    let options = if key { options.key(KEY) } else { options };
    let mut array = options.create(Memory::new(), schema(filters, dense)).unwrap();
    let mut insert = array.insert().at(1);
    if !dense {
        let (r, c): (Vec<i32>, Vec<i32>) = (0..800).map(|i| (i * 7 % 100, i * 7 / 100)).unzip();
        insert = insert.coords([Numbers::I32(r), Numbers::I32(c)]);
    }
    for (name, column) in columns(if dense { 8000 } else { 800 }) {
        insert = insert.column(name, column);
    }
    insert.write().unwrap();
    array
}

/// The files of the fragment, by their names.
fn files(array: &Array<Memory>) -> Vec<(String, Vec<u8>)> {
    let folder = array.fragments()[0].name().to_string();
    let mut files: Vec<_> = array.storage().list(&folder).unwrap();
    files.sort();
    let read = |name: String| {
        let path = format!("{folder}/{name}");
        let mut bytes = vec![0; array.storage().size(&path).unwrap().unwrap() as usize];
        array.storage().read(&path, 0, &mut bytes).unwrap();
        (name, bytes)
    };
    files.into_iter().map(read).collect()
}

fn pipelines() -> Vec<Vec<Filter>> {
    vec![
        vec![],
        vec![Filter::zstd(3)],
        vec![Filter::bitshuffle(), Filter::lz4(-1)],
        vec![Filter::byteshuffle(), Filter::gzip(6)],
        vec![Filter::bit_width_reduction(256), Filter::bzip2(1)],
        vec![Filter::double_delta(-1)],
        vec![Filter::rle(-1)],
    ]
}

#[test]
fn files_are_those_of_one_thread() {
    for (filters, dense) in pipelines().into_iter().flat_map(|f| [(f.clone(), true), (f, false)]) {
        let wanted = files(&array(&filters, dense, 1, false));
        assert!(wanted.len() >= 4);
        for threads in [2, 7] {
            assert!(
                files(&array(&filters, dense, threads, false)) == wanted,
                "{filters:?} {dense} {threads}"
            );
        }
    }
}

#[test]
fn cells_are_those_of_one_thread() {
    for (filters, dense) in pipelines().into_iter().flat_map(|f| [(f.clone(), true), (f, false)]) {
        for key in [false, true] {
            let files = array(&filters, dense, 2, key).storage().clone();
            let options = |threads| {
                let options = Options::new().threads(threads);
                if key { options.key(KEY) } else { options }
            };
            let one = options(1).open(&files).unwrap();
            for threads in [0, 2, 5] {
                let several = options(threads).open(&files).unwrap();
                let same = |a: Query<'_, &Memory>, b: Query<'_, &Memory>| {
                    let (a, b) = (a.read().unwrap(), b.read().unwrap());
                    assert!(a.num_cells() > 0 && a == b, "{filters:?} {dense} {threads}");
                };
                same(one.query(), several.query());
                same(one.query().order(Layout::ColumnMajor), several.query().order(Layout::ColumnMajor));
                same(one.query().range("r", 5..50), several.query().range("r", 5..50));
                same(one.query().range("c", 3..=7), several.query().range("c", 3..=7));
            }
        }
    }
}

#[test]
fn arrays_of_the_software_are_those_of_one_thread() {
    let mut arrays = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("__array_schema.tdb").exists() {
            continue;
        }
        let encrypted = path.file_name().unwrap().to_str().unwrap().starts_with("e_");
        let open = |threads| {
            let options = Options::new().threads(threads);
            let options = if encrypted { options.key(KEY) } else { options };
            options.open(Folder::new(&path)).unwrap()
        };
        assert_eq!(open(1).read().unwrap(), open(3).read().unwrap(), "{}", path.display());
        arrays += 1;
    }
    assert_eq!(arrays, 72);
}

#[test]
fn the_error_is_that_of_one_thread() {
    let mut errors = 0;
    for dense in [true, false] {
        let whole = array(&[Filter::zstd(3)], dense, 1, false);
        let fragment = whole.fragments()[0].name().to_string();
        for (file, bytes) in files(&whole).into_iter().filter(|(name, _)| !name.starts_with("__fragment")) {
            // three tiles of the middle lose the lengths of their first chunk
            let mut damaged = bytes.clone();
            for at in [bytes.len() / 3, bytes.len() / 2, bytes.len() / 3 * 2] {
                damaged[at..at + 40].fill(0xff);
            }
            let files = whole.storage().clone();
            files.write(&format!("{fragment}/{file}"), &damaged).unwrap();
            let read = |threads| {
                let cells = Options::new().threads(threads).open(&files).unwrap().read();
                cells.map_err(|e| e.to_string())
            };
            let wanted = read(1);
            for _ in 0..20 {
                assert!(read(4) == wanted, "{dense} {file}");
            }
            // text that is stored as it is has no wrong bytes
            if let Err(e) = wanted {
                assert!(e.starts_with(&format!("{fragment}/{file}")), "{e}");
                errors += 1;
            }
        }
    }
    assert!(errors >= 5, "{errors}");
}

#[test]
fn what_a_filter_cannot_take_is_the_error_of_one_thread() {
    let write = |threads| {
        let schema = schema(&[Filter::positive_delta(1024)], true);
        let mut array = Options::new().threads(threads).create(Memory::new(), schema).unwrap();
        let falling = Numbers::I64((0..8000).map(|i| if i > 5000 { -i } else { 1 }).collect());
        let [_, (name, text)] = columns(8000);
        let n = Column::fixed(Datatype::Int64, CellValNum::ONE, falling).unwrap();
        let e = array.insert().at(1).column("n", n).column(name, text).write().unwrap_err().to_string();
        assert!(array.fragments().is_empty());
        assert_eq!(Options::new().open(array.storage()).unwrap().fragments().len(), 0);
        // the name of the fragment is another each time
        e.split_once('/').unwrap().1.to_string()
    };
    let wanted = write(1);
    assert!(wanted.starts_with("n.tdb.tiles[") && wanted.contains(".PositiveDelta: "), "{wanted}");
    assert_eq!(write(3), wanted);
}
