//! Fragments put together: the array says the same as before, and what is removed is what no reader sees.

use crate::support::path;
use binfmt::formats::tiledb::*;

const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");

/// An array of libtiledb in memory.
fn copy(name: &str) -> Memory {
    fn put(memory: &Memory, place: &std::path::Path, below: &str) {
        for entry in std::fs::read_dir(place).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{below}{}", entry.file_name().to_str().unwrap());
            match entry.path().is_dir() {
                true => put(memory, &entry.path(), &format!("{path}/")),
                false => memory.write(&path, &std::fs::read(entry.path()).unwrap()).unwrap(),
            }
        }
    }
    let memory = Memory::new();
    put(&memory, &path(name), "");
    memory
}

#[test]
fn cells_stay_as_they_are() {
    for (name, count) in [
        ("d2_fragments", 4),
        ("d2_sparse_frag_in_dense", 2),
        ("s2_fragments", 3),
        ("d1_i32", 1),
        ("e_sparse", 1),
    ] {
        let options = if name.starts_with("e_") { OpenOptions::new().key(KEY) } else { OpenOptions::new() };
        let files = std::sync::Arc::new(copy(name));
        let mut array = options.open(std::sync::Arc::clone(&files)).unwrap();
        assert_eq!(array.fragments().len(), count, "{name}");
        let (before, early) = (array.read().unwrap(), array.fragments()[0].name().timestamps());
        let done = array.consolidate().unwrap();
        assert_eq!(done.is_some(), count > 1, "{name}");
        let opened = |at: u64| options.clone().at(at).open(std::sync::Arc::clone(&files)).unwrap();
        // here, for who opens it, and with as few files as can be
        assert_eq!(array.read().unwrap(), before, "{name}");
        assert_eq!(opened(u64::MAX).read().unwrap(), before, "{name}");
        assert_eq!(opened(u64::MAX).fragments().len(), 1, "{name}");
        for fragment in opened(u64::MAX).fragments() {
            let verified = array.verify(fragment).unwrap();
            assert_eq!((verified.duplicates, verified.out_of_order), (0, 0), "{name}");
        }
        if let Some(whole) = done {
            assert_eq!(whole.timestamps().0, early.0, "{name}");
            let removed = array.vacuum(0).unwrap();
            assert_eq!((removed.replaced.len(), removed.leftovers.len()), (count, 0), "{name}");
            let left = files.list("").unwrap();
            let left = left.iter().filter(|name| FragmentName::parse(name).is_some()).count();
            assert_eq!(left, 1, "{name}");
            assert_eq!(opened(u64::MAX).read().unwrap(), before, "{name}");
        }
    }
}

fn array() -> Array<std::sync::Arc<Memory>> {
    let x = Dimension::new("x", Number::I32(1), Number::I32(1000), Number::I32(10));
    let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    OpenOptions::new().create(std::sync::Arc::new(Memory::new()), schema).unwrap()
}

fn put(array: &mut Array<std::sync::Arc<Memory>>, at: u64, x: i32) {
    let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![x])).unwrap();
    array.insert().at(at).range("x", x..=x).column("a", a).write().unwrap();
}

#[test]
fn what_others_write_meanwhile_is_not_hidden() {
    let mut first = array();
    put(&mut first, 5, 1);
    put(&mut first, 9, 2);
    let mut other = OpenOptions::new().open(std::sync::Arc::clone(first.storage())).unwrap();
    put(&mut other, 7, 3);
    let e = first.consolidate().unwrap_err().to_string();
    assert!(e.contains("__7_7_") && e.contains("would never be seen: open the array again"), "{e}");
    assert_eq!(first.fragments().len(), 2);
    // opened again it is one of them
    let mut again = OpenOptions::new().open(std::sync::Arc::clone(first.storage())).unwrap();
    assert_eq!(again.consolidate().unwrap().unwrap().timestamps(), (5, 9));
    let cells = again.query().range("x", 1..=4).read().unwrap();
    assert_eq!(cells.column("a").unwrap().values(), &Numbers::I32(vec![1, 2, 3, i32::MIN]));
    // and what comes later is put together with what was
    put(&mut again, 20, 4);
    assert_eq!(again.consolidate().unwrap().unwrap().timestamps(), (5, 20));
    assert_eq!(again.vacuum(0).unwrap().replaced.len(), 5);
}

#[test]
fn fragments_of_one_time_stand_for_each_other() {
    let mut array = array();
    put(&mut array, 5, 1);
    put(&mut array, 5, 2);
    let e = array.consolidate().unwrap_err().to_string();
    assert!(e.contains("all written at one time"), "{e}");
}

#[test]
fn what_killed_writers_have_left_goes_when_it_is_old() {
    let folder = std::env::temp_dir().join(format!("binfmt-vacuum-{}", std::process::id()));
    let x = Dimension::new("x", Number::I32(1), Number::I32(10), Number::I32(5));
    let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    let mut array = OpenOptions::new().create(Folder::new(&folder), schema).unwrap();
    let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![7])).unwrap();
    let whole = array.insert().at(3).range("x", 1..=1).column("a", a).write().unwrap();
    let id = "0123456789abcdef0123456789abcdef";
    for (time, file) in
        [(4, Some("a.tdb")), (5, Some("a.tdb.0123456789abcdef.part")), (6, None), (50, Some("a.tdb"))]
    {
        let place = folder.join(format!("__{time}_{time}_{id}"));
        std::fs::create_dir(&place).unwrap();
        if let Some(file) = file {
            std::fs::write(place.join(file), b"half").unwrap();
        }
    }
    let done = array.vacuum(10).unwrap();
    let times = |names: &[FragmentName]| names.iter().map(|name| name.timestamps().0).collect::<Vec<_>>();
    assert_eq!((times(&done.leftovers), times(&done.spared)), (vec![4, 5, 6], vec![50]));
    assert!(done.replaced.is_empty());
    let mut left = array.storage().list("").unwrap();
    left.retain(|name| FragmentName::parse(name).is_some());
    left.sort();
    assert_eq!(left, [whole.to_string(), format!("__50_50_{id}")]);
    assert_eq!(array.vacuum(u64::MAX).unwrap().leftovers.len(), 1);
    assert_eq!(array.verify(&array.fragments()[0]).unwrap().tiles, 1);
    std::fs::remove_dir_all(folder).unwrap();
}
