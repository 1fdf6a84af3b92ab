//! Parts of arrays, earlier times, and damaged arrays. The arrays are those that libtiledb 1.6.3 wrote.

use crate::support::tiledb::{load, path};
use binfmt::formats::tiledb::*;
use binfmt::table::Settings;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");

/// Every array that is small enough to be read many times.
fn names() -> Vec<String> {
    let folders = std::fs::read_dir(path("")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().join("__array_schema.tdb").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| name != "f_big")
        .collect();
    names.sort();
    names
}

fn open<S: Storage>(name: &str, storage: S) -> binfmt::Result<Array<S>> {
    let options = Options::new().limit(1 << 20);
    if name.starts_with("e_") { options.key(KEY) } else { options }.open(storage)
}

/// A storage that counts the bytes that are read of each file.
struct Counting {
    files: Memory,
    read: Mutex<BTreeMap<String, u64>>,
}

impl Counting {
    fn new(files: Memory) -> Self {
        Counting { files, read: Mutex::default() }
    }

    fn take(&self) -> BTreeMap<String, u64> {
        let read = std::mem::take(&mut *self.read.lock().unwrap());
        read.into_iter().map(|(path, n)| (path.rsplit('/').next().unwrap().into(), n)).collect()
    }
}

impl Storage for Counting {
    fn list(&self, folder: &str) -> std::io::Result<Vec<String>> {
        self.files.list(folder)
    }
    fn size(&self, path: &str) -> std::io::Result<Option<u64>> {
        self.files.size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        *self.read.lock().unwrap().entry(path.into()).or_default() += out.len() as u64;
        self.files.read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        self.files.write(path, bytes)
    }
}

/// The coordinates of each cell of a result, with the bounds of the ranges.
fn coords(cells: &Cells, low: &[i128], order: Layout) -> Vec<Vec<i128>> {
    let Some(shape) = cells.shape() else {
        let of = |i| cells.coords().iter().map(|(_, v)| v.get(i).unwrap().as_i128().unwrap()).collect();
        return (0..cells.num_cells()).map(of).collect();
    };
    let of = |mut i: usize| {
        let mut coords = vec![0; shape.len()];
        let dims: Vec<usize> = match order {
            Layout::ColumnMajor => (0..shape.len()).collect(),
            _ => (0..shape.len()).rev().collect(),
        };
        for d in dims {
            coords[d] = low[d] + (i % shape[d]) as i128;
            i /= shape[d];
        }
        coords
    };
    (0..cells.num_cells()).map(of).collect()
}

/// Every cell by its coordinates.
fn by_coords(cells: &Cells, low: &[i128], order: Layout) -> Vec<(Vec<i128>, Vec<Vec<String>>)> {
    let all = coords(cells, low, order).into_iter().enumerate();
    let cell = |column: &Column, i| column.cell(i).map(|v| v.to_string()).collect();
    all.map(|(i, c)| (c, cells.columns().iter().map(|(_, column)| cell(column, i)).collect())).collect()
}

fn bounds(schema: &ArraySchema) -> Option<Vec<[i128; 2]>> {
    let of = |d: &Dimension| Some([d.domain[0].as_i128()?, d.domain[1].as_i128()?]);
    schema.domain.dimensions.iter().map(of).collect()
}

#[test]
fn parts_are_those_of_the_whole() {
    let mut seed = 1u64;
    let mut noise = |n: i128| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from(seed >> 33) % n
    };
    for name in names() {
        let array = open(&name, Folder::new(path(&name))).unwrap();
        let schema = array.schema();
        let Some(domain) = bounds(schema) else { continue };
        let low: Vec<i128> = domain.iter().map(|range| range[0]).collect();
        let whole = by_coords(&array.read().unwrap(), &low, Layout::RowMajor);
        // memory of the round before, for every second one
        let mut cells = Cells::default();
        for round in 0..20 {
            if round % 4 == 0 {
                cells = Cells::default();
            }
            let order = if round % 2 == 0 { Layout::RowMajor } else { Layout::ColumnMajor };
            let mut query = array.query().order(order);
            let mut ranges = Vec::new();
            for (d, [low, high]) in schema.domain.dimensions.iter().zip(&domain) {
                let (a, b) = (low + noise(high - low + 1), low + noise(high - low + 1));
                let range = [a.min(b), a.max(b)];
                ranges.push(range);
                query = query.range(&d.name, i64::try_from(range[0]).unwrap()..=range[1] as i64);
            }
            query.read_into(&mut cells).unwrap_or_else(|e| panic!("{name} {ranges:?}: {e}"));
            let low: Vec<i128> = ranges.iter().map(|range| range[0]).collect();
            let found = by_coords(&cells, &low, order);
            let inside = |c: &[i128]| c.iter().zip(&ranges).all(|(c, [low, high])| low <= c && c <= high);
            let mut expected: Vec<_> = whole.iter().filter(|(c, _)| inside(c)).cloned().collect();
            if order == Layout::ColumnMajor {
                expected.sort_by_key(|(c, _)| c.iter().rev().copied().collect::<Vec<_>>());
            }
            assert_eq!(found, expected, "{name} {ranges:?} {order}");
        }
    }
}

#[test]
fn only_what_is_needed_is_read() {
    let (files, _) = load("d2_row_col");
    let array = open("d2_row_col", Counting::new(files)).unwrap();
    array_of(&array).take();
    // tiles of 2 x 3 cells from (1, 1); 4 of them were written
    array.query().range("rows", 2..=2).range("cols", 3..=3).attributes(["a"]).read().unwrap();
    let read = array_of(&array).take();
    assert_eq!(read.keys().collect::<Vec<_>>(), ["a.tdb"]);
    let tile = array.fragments()[0].metadata().tile_offsets[0].values[1];
    assert_eq!(read["a.tdb"], tile);
    array.query().range("rows", 2..=2).range("cols", 5..=6).attributes(["b"]).read().unwrap();
    assert!(array_of(&array).take().contains_key("b.tdb"));
    // in a tile that was written, cells that were not
    array.query().range("rows", 2..=2).range("cols", 1..=1).read().unwrap();
    assert!(array_of(&array).take().is_empty());
    // nothing asked for
    assert_eq!(array.query().range("rows", 9..).read().unwrap().num_cells(), 0);
    assert!(array_of(&array).take().is_empty());
}

fn array_of(array: &Array<Counting>) -> &Counting {
    array.storage()
}

#[test]
fn sparse_tiles_are_found_by_their_boxes() {
    let (files, _) = load("s2_rtree3");
    let array = open("s2_rtree3", Counting::new(files)).unwrap();
    let leaves = array.fragments()[0].metadata().rtree.leaves().len();
    assert!(leaves > 10);
    array_of(&array).take();
    let [x, y] = [0, 1].map(|d| array.schema().domain.dimensions[d].name.clone());
    let mbr = array.fragments()[0].metadata().rtree.leaves()[3].clone();
    let [a, b] = [0, 1].map(|d| mbr.ranges[d].map(|v| v.as_i128().unwrap() as i64));
    let cells = array.query().range(&x, a[0]..=a[1]).range(&y, b[0]..=b[1]).read().unwrap();
    assert!(cells.num_cells() > 0);
    let read = array_of(&array).take();
    let sizes = &array.fragments()[0].metadata().footer.file_sizes;
    assert!(read["__coords.tdb"] * 3 < *sizes.last().unwrap(), "{read:?} of {sizes:?}");
}

#[test]
fn earlier_times() {
    let at = |t: u64| {
        let array = Options::new().at(t).open(Folder::new(path("d2_fragments"))).unwrap();
        let names: Vec<u64> = array.fragments().iter().map(|f| f.name().timestamps().0).collect();
        let cells = array.query().range("r", 3..=3).range("c", 3..=3).attributes(["a"]).read().unwrap();
        (names, cells.column("a").unwrap().values().get(0).unwrap())
    };
    assert_eq!(at(9).0, [0_u64; 0]);
    assert_eq!(at(9).1, Number::I32(i32::MIN));
    assert_eq!(at(10).0, [10]);
    assert_eq!(at(39).0, [10, 20, 30]);
    assert_eq!(at(40).0, [10, 20, 30, 40]);
    let values: Vec<Number> = [10, 20, 40].map(|t| at(t).1).to_vec();
    assert!(values[0] != values[1] && values[1] != values[2]);
}

#[test]
fn a_fragment_without_metadata_is_none() {
    let (files, paths) = load("d2_fragments");
    let copy = Memory::new();
    let hidden = "__40_40_798482399ba3428894c3cc5a9f6d44ec/__fragment_metadata.tdb";
    for path in paths.iter().filter(|path| *path != hidden) {
        let mut bytes = vec![0; files.size(path).unwrap().unwrap() as usize];
        files.read(path, 0, &mut bytes).unwrap();
        copy.write(path, &bytes).unwrap();
    }
    let array = open("d2_fragments", copy).unwrap();
    assert_eq!(array.fragments().len(), 3);
    array.read().unwrap();
}

#[test]
fn a_consolidation_that_was_interrupted_hides_nothing() {
    let (files, _) = load("d2_fragments");
    let before = open("d2_fragments", files.clone()).unwrap().read().unwrap();
    // from the first fragment to the last, its metadata not there yet
    files.write("__10_40_00000000000000000000000000000000/a.tdb", b"half a file").unwrap();
    let array = open("d2_fragments", files).unwrap();
    assert_eq!(array.fragments().len(), 4);
    assert_eq!(array.read().unwrap(), before);
}

#[test]
fn what_is_no_array_says_what_it_is() {
    let e = |file: &str| {
        let files = Memory::new();
        files.write(file, b"").unwrap();
        Options::new().open(files).unwrap_err().to_string()
    };
    assert!(e("__kv_schema.tdb").contains("key-value store"));
    assert!(e("__tiledb_group.tdb").contains("group"));
    assert!(e("__fragment_metadata.tdb").contains("the folder above"));
    let files = Arc::new(Memory::new());
    for file in
        ["__group/__1_1_0123456789abcdef0123456789abcdef", "a/__array_schema.tdb", "b/__schema/x", "c/y"]
    {
        files.write(file, b"").unwrap();
    }
    let told = binfmt::open_in(binfmt::FORMATS, files, "", None, &Settings::new()).unwrap_err().to_string();
    assert!(told.ends_with("this is a group, not an array: the arrays in it are a, b"), "{told}");
    assert!(e("notes.txt").ends_with("this is not a TileDB array"));
}

#[test]
fn a_key_is_one_of_an_encrypted_array() {
    let options = Options::new().key(Key::new([7; 32]));
    let e = options.open(Folder::new(path("d1_i32"))).unwrap_err();
    assert_eq!(e.to_string(), "__array_schema.tdb at byte 0x1d: not encrypted, but a key was given");
}

#[test]
fn names_and_ranges_that_are_not_there() {
    let array = open("d1_i32", Folder::new(path("d1_i32"))).unwrap();
    let e = array.query().attributes(["b"]).read().unwrap_err();
    assert_eq!(e.to_string(), "unknown attribute `b`, expected `a`");
    let e = array.query().range("y", 1..2).read().unwrap_err();
    assert_eq!(e.to_string(), "unknown dimension `y`, expected `x`");
    let e = array.query().range("x", 0.5..2.0).read().unwrap_err();
    assert_eq!(e.to_string(), "x: expected an integer, found a float");
    // beyond the domain there is nothing
    assert_eq!(array.query().range("x", -5..100).read().unwrap().num_cells(), 4);
    assert_eq!(array.query().range("x", 1..1).read().unwrap().num_cells(), 0);
    let e = Options::new().open(Folder::new(path("e_dense"))).unwrap_err();
    assert!(e.to_string().ends_with("encrypted: a key is needed"), "{e}");
    let wrong = Options::new().key(Key::new([1; 32])).open(Folder::new(path("e_dense"))).unwrap_err();
    assert!(wrong.to_string().contains("wrong key"), "{wrong}");
}

/// A schema in a generic tile without filters.
fn unfiltered(schema: &ArraySchema) -> Vec<u8> {
    let data = binfmt::to_vec(schema).unwrap();
    let len = data.len() as u32;
    let chunk = TileChunk {
        len_original: len,
        len_filtered: len,
        len_metadata: 0,
        metadata: &[],
        data: data.as_slice(),
    };
    let tile = binfmt::to_vec(&TileChunks { chunks: vec![chunk] }).unwrap();
    let header = GenericTileHeader {
        version: 3,
        persisted_size: tile.len() as u64,
        tile_size: len.into(),
        datatype: Datatype::Char,
        cell_size: 1,
        encryption: Encryption::None,
        pipeline: FilterPipeline::default(),
    };
    let mut file = binfmt::to_vec(&header).unwrap();
    file.extend(tile);
    file
}

#[test]
fn unknown_numbers_are_kept_and_named() {
    let x = || Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    let good = ArraySchema::dense(Datatype::Int32, [x()]).attribute(Attribute::new("a", Datatype::Int32));
    let error = |change: &dyn Fn(&mut ArraySchema)| {
        let mut schema = good.clone();
        change(&mut schema);
        let bytes = binfmt::to_vec(&schema).unwrap();
        assert_eq!(binfmt::from_slice::<ArraySchema>(&bytes).unwrap(), schema);
        let files = Memory::new();
        files.write("__array_schema.tdb", &unfiltered(&schema)).unwrap();
        let e = Options::new().open(files).and_then(|array| {
            let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![0; 4])).unwrap();
            let mut array = array;
            array.insert().column("a", a).write()
        });
        e.unwrap_err().to_string()
    };
    let of = "__array_schema.tdb.schema";
    assert_eq!(error(&|s| s.array_type = ArrayType::Unknown(9)), format!("{of}: unknown array type 9"));
    assert_eq!(error(&|s| s.cell_order = Layout::Unknown(3)), format!("{of}: unknown order 3"));
    let text = error(&|s| s.attributes[0].datatype = Datatype::Unknown(99));
    assert_eq!(text, format!("{of}.attributes[0].datatype: unknown datatype 99"));
    let text =
        error(&|s| s.attributes[0].filters.filters.push(Filter::Unknown { tag: 77, options: vec![1] }));
    assert!(text.contains("77"), "{text}");
    let compression = CompressionOptions { compressor: Compressor::Unknown(8), level: 1 };
    let text = error(&|s| s.attributes[0].filters.filters.push(Filter::Zstd(compression)));
    let filter = "compressor: expected Zstd, found Unknown(8)";
    assert_eq!(text, format!("{of}.attributes[0].filters[0]: {filter}"));
    let text = error(&|s| s.version = 5);
    assert_eq!(
        text,
        format!("{of}.version: unsupported format version 5, which TileDB 2.0 writes; expected 3")
    );
}

#[test]
fn an_attribute_without_a_name() {
    let x = Dimension::new("", Number::I8(1), Number::I8(1), Number::I8(1));
    let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("", Datatype::Int8));
    let mut array = Options::new().create(Memory::new(), schema).unwrap();
    let five = || Column::fixed(Datatype::Int8, CellValNum::ONE, Numbers::I8(vec![5])).unwrap();
    array.insert().column("__attr", five()).write().unwrap();
    assert_eq!(array.read().unwrap().column("__attr"), Some(&five()));
}

#[test]
fn damaged_arrays_are_errors_or_other_values() {
    for name in ["d1_var", "d2_col_row", "d2_fragments", "s1_i32", "e_sparse", "p_posdelta_bwr_zstd"] {
        let (files, paths) = load(name);
        for path in &paths {
            let len = files.size(path).unwrap().unwrap() as usize;
            let mut bytes = vec![0; len];
            files.read(path, 0, &mut bytes).unwrap();
            let try_it = |bytes: &[u8]| {
                let copy = files.clone();
                copy.write(path, bytes).unwrap();
                open(name, copy).and_then(|array| array.read())
            };
            for cut in (0..len).step_by(len.div_ceil(25).max(1)) {
                let found = try_it(&bytes[..cut]);
                let e = found.expect_err(path);
                assert!(e.path().to_string().starts_with(path.as_str()), "{path} cut at {cut}: {e}");
            }
            for at in (0..len).step_by(len.div_ceil(60).max(1)) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                let _ = try_it(&damaged);
                damaged[at] = 0xff;
                let _ = try_it(&damaged);
            }
        }
    }
}

#[test]
fn every_byte_of_every_file_is_explained() {
    let options = Options::new();
    for name in names() {
        let options = if name.starts_with("e_") { options.clone().key(KEY) } else { options.clone() };
        let files = Folder::new(path(&name));
        let mut paths = vec!["__array_schema.tdb".to_owned()];
        for fragment in options.open(&files).unwrap().fragments() {
            let inside = files.list(fragment.name().as_str()).unwrap().into_iter();
            paths.extend(inside.map(|file| format!("{}/{file}", fragment.name())));
        }
        for path in paths {
            let (mut told, mut unfiltered) = (0, 0);
            let explained = options.explain(&files, &path, 0..u64::MAX, |part| {
                match part {
                    Explained::Stored(trace) => {
                        assert_eq!(trace.range().start, told, "{name}/{path}");
                        assert!(trace.error().is_none(), "{name}/{path}");
                        told = trace.range().end;
                    }
                    Explained::Unfiltered(trace, _) => unfiltered += trace.bytes().len(),
                    _ => {}
                }
                true
            });
            explained.unwrap();
            assert_eq!(Some(told), files.size(&path).unwrap(), "{name}/{path}");
            assert!(unfiltered > 0 || told == 0, "{name}/{path}");
            let mut parts = 0;
            options
                .explain(&files, &path, 0..u64::MAX, |_| {
                    parts += 1;
                    parts < 2
                })
                .unwrap();
            assert!(parts <= 2, "{name}/{path}: {parts}");
        }
    }
}
