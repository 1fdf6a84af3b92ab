//! Where arrays are: several programs at one array, and what lies in its folder already.

use binfmt::formats::tiledb::*;
use std::io;
use std::path::PathBuf;
use std::sync::Barrier;
use std::thread;

fn schema(high: i32) -> ArraySchema {
    let x = Dimension::new("x", Number::I32(0), Number::I32(high), Number::I32(4));
    ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32))
}

fn numbers(values: Vec<i32>) -> Column {
    Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(values)).unwrap()
}

/// A folder that is gone in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("binfmt-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Of threads that make an array of different schemas at the same time one succeeds, and the array is that one's.
fn race<S: Storage>(rounds: usize, storage: impl Fn(usize) -> S, files: impl Fn(usize) -> Vec<String>) {
    for round in 0..rounds {
        let storage = storage(round);
        let start = Barrier::new(4);
        let make = |high: i32| {
            start.wait();
            Options::new().create(&storage, schema(high)).map(|_| high).map_err(|e| e.to_string())
        };
        let made: Vec<Result<i32, String>> = thread::scope(|scope| {
            let make = &make;
            let threads: Vec<_> = [7, 15, 31, 63].map(|high| scope.spawn(move || make(high))).into();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
        assert_eq!((won.len(), lost.len()), (1, 3), "{won:?} {lost:?}");
        for e in lost {
            assert_eq!(e.unwrap_err(), "__array_schema.tdb: an array exists already");
        }
        let array = Options::new().open(&storage).unwrap();
        assert_eq!(array.schema(), &schema(*won[0].as_ref().unwrap()));
        let mut names = files(round);
        names.sort();
        assert_eq!(names, ["__array_schema.tdb", "__lock.tdb"]);
    }
}

#[test]
fn of_several_that_make_an_array_one_succeeds() {
    let folder = Temporary::new("race");
    let path = |round: usize| folder.0.join(round.to_string()).join("array");
    race(40, |round| Folder::new(path(round)), |round| Folder::new(path(round)).list("").unwrap());
    let memory: Vec<Memory> = (0..40).map(|_| Memory::new()).collect();
    race(40, |round| &memory[round], |round| memory[round].list("").unwrap());
}

/// Files of a storage that has the least that it must.
struct Least(Memory);

impl Storage for Least {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.0.size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.write(path, bytes)
    }
}

#[test]
fn a_storage_without_the_word_looks_first() {
    let files = Least(Memory::new());
    files.create_new("a", b"1").unwrap();
    assert_eq!(files.create_new("a", b"2").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    let mut found = [0];
    files.read("a", 0, &mut found).unwrap();
    assert_eq!(&found, b"1");
}

#[cfg(unix)]
#[test]
fn nothing_that_lies_there_leads_a_file_elsewhere() {
    let folder = Temporary::new("planted");
    let (array, elsewhere) = (folder.0.join("array"), folder.0.join("elsewhere"));
    std::fs::create_dir(&array).unwrap();
    std::fs::write(&elsewhere, "kept").unwrap();
    for name in ["__array_schema.tdb", "__lock.tdb"] {
        std::os::unix::fs::symlink(&elsewhere, array.join(format!("{name}.part"))).unwrap();
    }
    let mut made = Options::new().create(Folder::new(&array), schema(7)).unwrap();
    made.insert().column("a", numbers((0..8).collect())).write().unwrap();
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "kept");
    // a file that is written over is replaced, not followed
    let lock = array.join("__lock.tdb");
    std::fs::remove_file(&lock).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    Folder::new(&array).write("__lock.tdb", b"new").unwrap();
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "kept");
    assert_eq!(Array::open(&array).unwrap().read().unwrap().num_cells(), 8);
}

#[test]
fn a_failed_write_leaves_no_file() {
    let folder = Temporary::new("failed");
    let files = Folder::new(&folder.0);
    let e = files.write_with("a", &mut |_| Err(io::Error::other("no"))).unwrap_err();
    assert_eq!(e.to_string(), "no");
    assert!(files.list("").unwrap().is_empty());
    files.write("a", b"1").unwrap();
    assert_eq!(files.create_new("a", b"2").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(files.list("").unwrap(), ["a"]);
}

/// An array with a consolidated fragment of the times 3 to 8.
fn consolidated() -> Memory {
    let files = Memory::new();
    let mut array = Options::new().create(&files, schema(7)).unwrap();
    let name = array.insert().column("a", numbers((0..8).collect())).at(3).write().unwrap();
    let id = name.as_str().rsplit('_').next().unwrap();
    for file in files.list(name.as_str()).unwrap() {
        let path = format!("{name}/{file}");
        let mut bytes = vec![0; files.size(&path).unwrap().unwrap() as usize];
        files.read(&path, 0, &mut bytes).unwrap();
        files.write(&format!("__3_8_{id}/{file}"), &bytes).unwrap();
    }
    files
}

#[test]
fn cells_that_no_one_would_see_are_not_written() {
    let files = consolidated();
    let mut array = Options::new().open(&files).unwrap();
    assert_eq!(array.fragments()[0].name().timestamps(), (3, 8));
    let before = files.list("").unwrap();
    for at in [3, 7, 8] {
        let e = array.insert().column("a", numbers(vec![9; 8])).at(at).write().unwrap_err().to_string();
        let says = format!("invalid fragment timestamp {at}: it would never be seen");
        assert!(e.contains(&says) && e.contains("from 3 to 8"), "{e}");
    }
    assert_eq!(files.list("").unwrap(), before);
    // beside it, and now, there is room
    for at in [Some(2), Some(9), None] {
        let insert = array.insert().column("a", numbers(vec![9; 8]));
        let insert = if let Some(at) = at { insert.at(at) } else { insert };
        let name = insert.write().unwrap();
        let again = Options::new().open(&files).unwrap();
        assert!(again.fragments().iter().any(|fragment| *fragment.name() == name), "{at:?}");
    }
}

#[test]
fn what_another_program_has_consolidated_in_the_meantime_counts() {
    let files = Memory::new();
    let mut array = Options::new().create(&files, schema(7)).unwrap();
    let from = consolidated();
    let name = from.list("").unwrap().into_iter().find(|name| name.starts_with("__3_8_")).unwrap();
    // a folder without metadata is not a fragment yet, and hides nothing
    files.write(&format!("{name}/a.tdb"), b"").unwrap();
    array.insert().column("a", numbers(vec![9; 8])).at(7).write().unwrap();
    files.write(&format!("{name}/__fragment_metadata.tdb"), b"whatever").unwrap();
    let e = array.insert().column("a", numbers(vec![9; 8])).at(6).write().unwrap_err();
    assert!(e.to_string().contains(&name), "{e}");
}

#[test]
fn tiles_beyond_the_limit_are_not_written() {
    let x = Dimension::new("x", Number::I32(0), Number::I32(99_999), Number::I32(100_000));
    let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    let files = Memory::new();
    let mut array = Options::new().limit(399_999).create(&files, schema).unwrap();
    let e = array.insert().range("x", 0..=0).column("a", numbers(vec![1])).write().unwrap_err();
    assert_eq!(e.to_string(), "tile of 400000 bytes exceeds the limit of 399999");
    assert_eq!(files.list("").unwrap().len(), 2);
    let mut array = Options::new().limit(400_000).open(&files).unwrap();
    array.insert().range("x", 0..=0).column("a", numbers(vec![1])).write().unwrap();
}
