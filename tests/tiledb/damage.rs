//! Damaged arrays, and writes that crash.
//!
//! Every file of each array is cut at 200 places and changed at 2,000; where the library is built without optimization, at
//! a twentieth of them.

use crate::support::memory::memory_of;
use crate::support::tiledb::load;
use binfmt::formats::tiledb::*;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const ARRAYS: [&str; 25] = [
    "d1_consolidated",
    "d1_i32",
    "d1_var",
    "d2_col_row",
    "d2_fragments",
    "d2_sparse_frag_in_dense",
    "e_dense",
    "e_sparse",
    "f_bit_width_reduction",
    "f_bitshuffle",
    "f_byteshuffle",
    "f_bzip2",
    "f_double_delta",
    "f_gzip",
    "f_lz4",
    "f_noop",
    "f_positive_delta",
    "f_rle",
    "f_zstd",
    "p_bitshuffle_lz4",
    "p_posdelta_bwr_zstd",
    "s1_i32",
    "s2_fragments",
    "s2_row_col",
    "s2_rtree3",
];
const SHARE: usize = if cfg!(debug_assertions) { 20 } else { 1 };
const CUTS: usize = 200 / SHARE;
const CHANGES: usize = 2000 / SHARE;
/// No tile and no column of these arrays is larger.
const LIMIT: u64 = 1 << 16;

fn options(name: &str) -> Options {
    let options = Options::new().limit(LIMIT);
    match name.starts_with("e_") {
        true => options.key(Key::new(*b"0123456789abcdeF0123456789abcdeF")),
        false => options,
    }
}

fn bytes_of(files: &Memory, path: &str) -> Vec<u8> {
    let mut bytes = vec![0; files.size(path).unwrap().unwrap() as usize];
    files.read(path, 0, &mut bytes).unwrap();
    bytes
}

/// An array with one file instead of that of the same path.
struct Damaged<'a> {
    files: &'a Memory,
    path: &'a str,
    bytes: Mutex<Vec<u8>>,
}

impl Storage for Damaged<'_> {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        if path == self.path {
            Ok(Some(self.bytes.lock().unwrap().len() as u64))
        } else {
            self.files.size(path)
        }
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if path != self.path {
            return self.files.read(path, offset, out);
        }
        let bytes = self.bytes.lock().unwrap();
        let found = bytes.get(offset as usize..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        unreachable!("nothing is written")
    }
}

/// What is read again when a file has changed: everything where it says what the others are, otherwise what it holds.
fn read(name: &str, files: &Damaged<'_>, open: &Array<&Damaged<'_>>) -> binfmt::Result<Cells> {
    let file = files.path.rsplit('/').next().unwrap();
    match file {
        "__array_schema.tdb" | "__fragment_metadata.tdb" => options(name).open(files)?.read(),
        "__coords.tdb" => open.query().attributes([""; 0]).read(),
        _ => {
            let stem = file.strip_suffix(".tdb").unwrap();
            let attributes = &open.schema().attributes;
            let named = |name: &str| attributes.iter().find(|a| a.name == name);
            let attribute = named(stem).or_else(|| named(stem.strip_suffix("_var").unwrap())).unwrap();
            open.query().attributes([&attribute.name]).read()
        }
    }
}

/// Bytes of memory that reading takes at most: what the limit says of a tile and of a column, some of them at a time, and
/// the metadata, whose boxes take more room in memory than in files.
const MOST_MEMORY: usize = 16 * LIMIT as usize;

#[test]
fn every_file_cut_and_changed() {
    let (mut cuts, mut changes, mut noticed) = (0, 0, 0);
    for name in ARRAYS {
        let (files, paths) = load(name);
        for path in paths.iter().filter(|path| !path.ends_with("__lock.tdb")) {
            let whole = bytes_of(&files, path);
            let damaged = Damaged { files: &files, path, bytes: Mutex::new(whole.clone()) };
            let open = options(name).open(&damaged).unwrap();
            let wanted = read(name, &damaged, &open).unwrap();
            let len = whole.len();
            let attempt = |what: &dyn Fn() -> String| {
                let (found, peak, _) = memory_of(|| read(name, &damaged, &open));
                // the state of a bzip2 decompressor, which the stream says the size of
                let most = MOST_MEMORY + if name == "f_bzip2" { 5 << 20 } else { 0 };
                assert!(peak <= most, "{name} {path} {}: {peak} bytes of memory", what());
                if let Err(e) = &found {
                    // a schema or a list of tiles that is another one may make other files wrong
                    let others = path.contains("__array_schema") || path.contains("__fragment_metadata");
                    let own = e.path().to_string().starts_with(path.as_str());
                    assert!(own || others, "{name} {path} {}: {e}", what());
                }
                found
            };
            for k in 0..CUTS.min(len) {
                let n = k * len / CUTS.min(len);
                *damaged.bytes.lock().unwrap() = whole[..n].to_vec();
                let e = attempt(&|| format!("cut at {n}")).expect_err("a file that is cut");
                assert!(e.path().to_string().starts_with(path.as_str()), "{path} cut at {n}: {e}");
                cuts += 1;
            }
            *damaged.bytes.lock().unwrap() = whole.clone();
            for k in 0..CHANGES {
                // short files: the same place several times, another change each time
                let (at, round) = if len < CHANGES { (k % len, k / len) } else { (k * len / CHANGES, 0) };
                let change = [0xff, 0x80, 1, 0x10, 0x7f, 2, 0x40, 4, 0x20, 8][(at + round) % 10];
                damaged.bytes.lock().unwrap()[at] ^= change;
                let found = attempt(&|| format!("byte {at} ^ {change:#x}"));
                noticed += usize::from(!matches!(found, Ok(found) if found == wanted));
                damaged.bytes.lock().unwrap()[at] = whole[at];
                changes += 1;
            }
        }
    }
    assert!(cuts * SHARE > 25_000 && changes * SHARE > 300_000, "{cuts} {changes}");
    // what no one reads, such as the fan-out of the R-tree, may change
    assert!(noticed * 100 > changes * 90, "{noticed} of {changes}");
}

/// Files that are nearly all hole take no room on the disk, and must take none in memory.
#[test]
fn metadata_larger_than_the_limit_are_not_read() {
    let folder = std::env::temp_dir().join(format!("binfmt-tiledb-hole-{}", std::process::id()));
    let x = Dimension::new("x", Number::I32(0), Number::I32(9), Number::I32(5));
    let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    let mut array = Options::new().create(Folder::new(&folder), schema).unwrap();
    let column = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32((0..10).collect())).unwrap();
    let fragment = array.insert().column("a", column).write().unwrap();

    for file in [format!("{fragment}/__fragment_metadata.tdb"), "__array_schema.tdb".into()] {
        std::fs::OpenOptions::new().write(true).open(folder.join(&file)).unwrap().set_len(1 << 40).unwrap();
        let (opened, peak, _) = memory_of(|| Array::open(&folder));
        let text = opened.unwrap_err().to_string();
        let reason = "file of 1099511627776 bytes exceeds the limit of 1073741824";
        assert_eq!(text, format!("{file}: {reason}"));
        assert!(peak < 1 << 20, "{peak}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_limit_is_one_of_memory() {
    let x = Dimension::new("x", Number::I64(0), Number::I64(1 << 40), Number::I64(1 << 20));
    let sparse = Dimension::new("x", Number::I64(0), Number::I64(1 << 40), Number::I64(1 << 40));
    let a = || Attribute::new("a", Datatype::Int64).filtered([Filter::zstd(1)]);
    let s = Attribute::new("s", Datatype::Char).values(CellValNum::VAR).filtered([Filter::rle(-1)]);
    let zeros = |n| Column::fixed(Datatype::Int64, CellValNum::ONE, Numbers::I64(vec![0; n])).unwrap();
    let big = 1 << 20;

    let schema = ArraySchema::dense(Datatype::Int64, [x]).attribute(a());
    let mut dense = Options::new().create(Memory::new(), schema).unwrap();
    dense.insert().range("x", ..big).column("a", zeros(big as usize)).write().unwrap();

    let mut schema = ArraySchema::sparse(Datatype::Int64, [sparse]).attribute(a()).attribute(s);
    schema.capacity = 1000;
    schema.coords_filters = FilterPipeline::new([Filter::double_delta(-1)]);
    let mut cells = Options::new().create(Memory::new(), schema).unwrap();
    let n = 1 << 17;
    let s =
        Column::variable(Datatype::Char, Numbers::U8(vec![b'a'; 8 * n]), (0..=n).map(|i| 8 * i).collect())
            .unwrap();
    let coords = Numbers::I64((0..n as i64).collect());
    cells.insert().coords([coords]).column("a", zeros(n)).column("s", s).write().unwrap();

    let stored: u64 = 400_000;
    for files in [dense.storage(), cells.storage()] {
        let opened = || Options::new().limit(LIMIT).open(files);
        let (array, peak, _) = memory_of(opened);
        let array = array.unwrap();
        let most = MOST_MEMORY + stored as usize;
        assert!(peak < most, "{peak}");
        for attribute in array.schema().attributes.iter().map(|a| Some(&a.name)).chain([None]) {
            let (found, peak, _) = memory_of(|| array.query().attributes(attribute).read());
            // cells without values and coordinates take no memory
            assert!(found.is_err() || (attribute.is_none() && files.size("x").is_ok()), "{attribute:?}");
            assert!(peak < most, "{attribute:?}: {peak}");
            if let Err(e) = found {
                assert!(e.to_string().contains("limit of 65536"), "{e}");
            }
        }
    }
    let read = cells.query().batches(LIMIT / 2).map(|cells| cells.unwrap().num_cells());
    let (total, peak, _) = memory_of(|| read.sum::<usize>());
    assert_eq!(total, n);
    assert!(peak < MOST_MEMORY, "{peak}");
}

#[test]
fn batches_of_variable_cells_take_little_memory() {
    // tiles as high as the array: a batch of some rows touches all of them
    let [x, y] = [("x", 256), ("y", 16)]
        .map(|(name, extent)| Dimension::new(name, Number::I32(0), Number::I32(255), Number::I32(extent)));
    let s = Attribute::new("s", Datatype::Char).values(CellValNum::VAR);
    let mut array = Options::new()
        .create(Memory::new(), ArraySchema::dense(Datatype::Int32, [x, y]).attribute(s))
        .unwrap();
    let n = 1 << 16;
    let s =
        Column::variable(Datatype::Char, Numbers::U8(vec![b'a'; 64 * n]), (0..=n).map(|i| 64 * i).collect());
    array.insert().column("s", s.unwrap()).write().unwrap();
    let cells = array.query().batches(4 * LIMIT).map(|cells| cells.unwrap().num_cells());
    let (total, peak, _) = memory_of(|| cells.sum::<usize>());
    assert_eq!(total, n);
    // the whole is 4 MiB; tiles that lie together are read together, up to 1 MiB
    assert!(peak < 3 << 20, "{peak}");
}

/// A storage that crashes after that many bytes: what was being written is there in part, under another name.
struct Crashing {
    files: Mutex<Memory>,
    left: AtomicUsize,
}

impl Crashing {
    fn new(files: &Memory, left: usize) -> Self {
        Crashing { files: Mutex::new(files.clone()), left: AtomicUsize::new(left) }
    }
}

impl Storage for Crashing {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.lock().unwrap().list(folder)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.files.lock().unwrap().size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.files.lock().unwrap().read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let left = self.left.load(Relaxed);
        self.left.store(left.saturating_sub(bytes.len()), Relaxed);
        match bytes.get(..left) {
            Some(written) if written.len() < bytes.len() => {
                self.files.lock().unwrap().write(&format!("{path}.part"), written)?;
                Err(io::Error::other("the machine is off"))
            }
            _ => self.files.lock().unwrap().write(path, bytes),
        }
    }
}

/// Writes the cells of one array into another.
fn copy<S: Storage>(cells: &Cells, to: &mut Array<S>) -> binfmt::Result<FragmentName> {
    let dimensions = to.schema().domain.dimensions.clone();
    let mut insert = to.insert();
    if cells.shape().is_some() {
        for d in &dimensions {
            let [low, high] = d.domain.map(|v| v.as_i128().unwrap() as i64);
            insert = insert.range(&d.name, low..=high);
        }
    } else {
        insert = insert.coords(cells.coords().iter().map(|(_, values)| values.clone()));
    }
    for (name, column) in cells.columns() {
        insert = insert.column(name, column.clone());
    }
    insert.write()
}

/// How many fragments have metadata, which is what makes them be there.
fn fragments(files: &Memory) -> usize {
    let names = files.list("").unwrap();
    let is_fragment =
        |name: &&String| files.size(&format!("{name}/__fragment_metadata.tdb")).unwrap().is_some();
    names.iter().filter(is_fragment).count()
}

#[test]
fn a_crash_at_any_byte_of_a_write_leaves_the_array_as_it_was() {
    let names = ["d1_i32", "s1_noattr", "e_dense"];
    for name in &names[..if SHARE == 1 { 3 } else { 2 }] {
        let (files, _) = load(name);
        let before = options(name).open(&files).unwrap().read().unwrap();
        let mut array = options(name).open(Crashing::new(&files, 0)).unwrap();
        let mut crashes = 0;
        loop {
            array.storage().left.store(crashes, Relaxed);
            match copy(&before, &mut array) {
                Ok(_) => break,
                Err(e) => assert!(e.to_string().ends_with("the machine is off"), "{e}"),
            }
            let left = std::mem::replace(&mut *array.storage().files.lock().unwrap(), files.clone());
            assert_eq!(fragments(&left), 1, "{name} after {crashes} bytes");
            if crashes % 16 == 0 {
                assert_eq!(array.read().unwrap(), before, "{name} after {crashes} bytes");
                let again = options(name).open(left).unwrap();
                assert_eq!(again.read().unwrap(), before, "{name} after {crashes} bytes");
            }
            crashes += 1;
        }
        assert!(crashes > 300, "{name}: {crashes}");
        let written = array.storage().files.lock().unwrap().clone();
        assert_eq!(fragments(&written), 2);
        assert_eq!(options(name).open(written).unwrap().read().unwrap(), before);
    }
}

#[test]
fn a_crash_at_any_byte_of_making_an_array_leaves_none() {
    let (files, _) = load("d1_var");
    let schema = options("").open(&files).unwrap().schema().clone();
    for crashes in 0.. {
        let storage = Crashing::new(&Memory::new(), crashes);
        let made = options("").create(&storage, schema.clone()).is_ok();
        let left = storage.files.into_inner().unwrap();
        if made {
            assert!(crashes > 100);
            break;
        }
        let e = options("").open(&left).unwrap_err();
        assert_eq!(e.to_string(), "__array_schema.tdb: no such file: this is not a TileDB array");
        // nothing is in the way of another attempt
        options("").create(&left, schema.clone()).unwrap();
    }
}
