//! Whether the kernel is asked for huge pages: by the options of each way of reading, and by the environment, as the map of
//! this process's memory tells.

#![cfg(target_os = "linux")]

use binfmt::formats::sdds::{self, Elements, Page};
use binfmt::formats::{futhark, tiledb};
use binfmt::{BinFormat, Options};
use std::process::Command;

/// More than any memory that the C library keeps for the next one who asks.
const LEN: usize = 5 << 20;

#[derive(BinFormat)]
#[binfmt(le)]
struct Numbers {
    #[binfmt(length_prefixed(u64))]
    numbers: Vec<i64>,
}

/// A vector of numbers, or one column of them, after what stands before.
fn numbers(head: &[u8], count: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(head.len() + count.len() + LEN * 8);
    bytes.extend_from_slice(head);
    bytes.extend_from_slice(count);
    bytes.resize(bytes.len() + LEN * 8, 7);
    bytes
}

/// Whether the middle of this memory was said to want huge pages; nothing, where the kernel has none.
fn is_advised<T>(v: &[T]) -> Option<bool> {
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage/enabled").exists() {
        println!("not run: the kernel has no huge pages");
        return None;
    }
    let address = v[v.len() / 2..].as_ptr() as usize;
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut here = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let hex = |digits| usize::from_str_radix(digits, 16).ok();
        if let Some((Some(from), Some(to))) = range.map(|(from, to)| (hex(from), hex(to))) {
            here = (from..to).contains(&address);
        } else if let (true, Some(flags)) = (here, line.strip_prefix("VmFlags:")) {
            return Some(flags.split_whitespace().any(|flag| flag == "hg"));
        }
    }
    panic!("this memory is in no map");
}

/// What a way of reading does when it is told to, and when it is told not to.
fn follows(mut read: impl FnMut(bool) -> Option<bool>) {
    for on in [true, false, true] {
        if let Some(advised) = read(on) {
            assert_eq!(advised, on);
        }
    }
}

#[test]
fn options_of_a_slice() {
    let bytes = numbers(&[], &(LEN as u64).to_le_bytes());
    follows(|on| {
        let options = Options::new().huge_pages(on);
        is_advised(&binfmt::from_slice_with::<Numbers, _>(&bytes, &options).unwrap().numbers)
    });
}

#[test]
fn options_of_futhark() {
    let bytes = numbers(b"b\x02\x01 i64", &(LEN as i64).to_le_bytes());
    follows(|on| {
        let options = Options::new().huge_pages(on);
        is_advised(&futhark::arguments_with::<Numbers>(&bytes, &options).unwrap().numbers)
    });
}

#[test]
fn options_of_sdds() {
    fn column<E: std::fmt::Debug>(page: Result<Option<Page>, E>) -> Option<bool> {
        let page = page.unwrap().unwrap();
        let Some(x) = page.columns().first().and_then(Elements::as_slice::<i64>) else {
            panic!("another column")
        };
        is_advised(x)
    }
    let path = std::env::temp_dir().join(format!("binfmt-huge-pages-{}.sdds", std::process::id()));
    for order in ["", "column_major_order=1, "] {
        let head = format!(
            "SDDS1\n&column name=x, type=long64 &end\n&data mode=binary, {order}endian=little &end\n"
        );
        let bytes = numbers(head.as_bytes(), &(LEN as u32).to_le_bytes());
        follows(|on| column(sdds::Options::new().huge_pages(on).slice(&bytes).unwrap().next_page()));
        std::fs::write(&path, &bytes).unwrap();
        follows(|on| column(sdds::Options::new().huge_pages(on).file(&path).unwrap().next_page()));
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn options_of_tiledb() {
    use tiledb::*;
    let most = Number::I64(LEN as i64 - 1);
    let x = Dimension::new("x", Number::I64(0), most, Number::I64(1 << 20));
    let schema = ArraySchema::dense(Datatype::Int64, [x]).attribute(Attribute::new("a", Datatype::Int64));
    let path = std::env::temp_dir().join(format!("binfmt-huge-pages-{}.tdb", std::process::id()));
    let mut array = tiledb::Options::new().create(Folder::new(&path), schema).unwrap();
    let a = Column::fixed(Datatype::Int64, CellValNum::ONE, Numbers::I64(vec![7; LEN])).unwrap();
    array.insert().column("a", a).write().unwrap();
    follows(|on| {
        let array = tiledb::Options::new().huge_pages(on).open(Folder::new(&path)).unwrap();
        let read = array.read().unwrap();
        let Some(Numbers::I64(a)) = read.column("a").map(Column::values) else { panic!("another column") };
        is_advised(a)
    });
    std::fs::remove_dir_all(&path).unwrap();
}

#[test]
fn the_environment() {
    let cases = [
        (Some("1"), "", true),
        (Some("0"), "", false),
        (Some("yes"), "", false),
        (None, "", false),
        (None, "preferred", true),
        (Some("0"), "preferred", false),
    ];
    for (value, case, expected) in cases {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["huge_pages::one_process", "--exact", "--nocapture"]).env("HUGE_PAGES_CASE", case);
        match value {
            Some(value) => child.env("BINFMT_HUGE_PAGES", value),
            None => child.env_remove("BINFMT_HUGE_PAGES"),
        };
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{value:?}: {said}");
        let expected = format!("advised: Some({expected})");
        assert!(said.contains(&expected) || said.contains("advised: None"), "{value:?}: {said}");
    }
}

/// What a process does whose options say nothing.
#[test]
fn one_process() {
    if let Ok(case) = std::env::var("HUGE_PAGES_CASE") {
        if case == "preferred" {
            Options::prefer_huge_pages(true);
        }
        let bytes = numbers(&[], &(LEN as u64).to_le_bytes());
        let read: Numbers = binfmt::from_slice(&bytes).unwrap();
        let advised = is_advised(&read.numbers);
        println!("advised: {advised:?}");
        let mut gathered = binfmt::columns::Column::from(Vec::<i64>::new());
        gathered.reserve(LEN).unwrap();
        gathered.append(&read.numbers.into()).unwrap();
        assert_eq!(is_advised(gathered.as_slice::<i64>().unwrap()), advised);
    }
}
