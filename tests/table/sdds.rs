//! Files of the official library and hand-made ones, as pages and as a table.

use crate::table::support::{Counting, all, file, is_the_same_in_parts, picks, read, rows};
use binfmt::columns::{Column, Columns};
use binfmt::formats::sdds::{self, Elements, Header, Options, Page};
use binfmt::schema::Name;
use binfmt::storage::{Memory, Storage};
use binfmt::table::{Estimate, ScalarRange, Settings, Table, TableFormat, Wanted, keys};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn files() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sdds");
    let mut files = Vec::new();
    for folder in ["hand", "official", "packed"] {
        let entries = std::fs::read_dir(data.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.file_name().unwrap().to_str().unwrap().contains(".sdds")));
    }
    files.sort();
    files
}

/// The rows of a page, its parameters before its columns.
fn columns_of(page: Page, header: &Header) -> Columns {
    let count = page.rows() as usize;
    let constants = header.parameters.iter().map(|parameter| {
        let value = page.parameter(header, &parameter.name).unwrap();
        let mut column = Elements::empty(parameter.data_type);
        (0..count).for_each(|_| column.push(value.clone()).unwrap());
        let clash = header.columns.iter().any(|c| c.name == parameter.name);
        let name = if clash { format!("parameter:{}", parameter.name) } else { parameter.name.clone() };
        (Name::from(name), Column::from(column))
    });
    let constants: Vec<(Name, Column)> = constants.collect();
    let names: Vec<Name> = header.columns.iter().map(|c| Name::from(&c.name)).collect();
    let columns = names.into_iter().zip(page.into_columns().into_iter().map(Column::from));
    Columns::new(constants.into_iter().chain(columns).collect()).unwrap()
}

/// All rows as the format's own reader gives them, and why there are no more.
fn expected(path: &Path) -> Result<(Vec<String>, Option<String>), String> {
    let mut reader = Options::new().file(path).map_err(|e| e.to_string())?;
    let mut found = Vec::new();
    loop {
        match reader.next_page() {
            Ok(None) => return Ok((found, None)),
            Ok(Some(page)) => found.extend(rows([&columns_of(page, reader.header())])),
            Err(e) => {
                let text = e.to_string();
                if let Some(page) = e.recover() {
                    found.extend(rows([&columns_of(page, reader.header())]));
                }
                return Ok((found, Some(text)));
            }
        }
    }
}

#[test]
fn all_parts_together_are_what_the_reader_gives() {
    let (mut whole, mut damaged, mut refused) = (0, 0, 0);
    for path in files() {
        let table = binfmt::open(&path);
        match expected(&path) {
            // files without columns are tables of their arrays or pages
            Ok(_) if Options::new().file(&path).unwrap().header().columns.is_empty() => {}
            Err(_) => {
                assert!(table.is_err(), "{}", path.display());
                refused += 1;
            }
            Ok((expected, Some(e))) => {
                let table = table.unwrap();
                for (parts, batch) in [(1, 8192), (3, 1), (100, 3)] {
                    let (found, told) = all(&table, &Wanted::new().batch_rows(batch), parts);
                    assert_eq!(told.unwrap().to_string(), e, "{}", path.display());
                    assert_eq!(found, expected, "{}", path.display());
                }
                damaged += 1;
            }
            Ok((expected, None)) => {
                let table = table.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                is_the_same_in_parts(&table, &expected);
                if expected.len() > 2 && !table.schema().fields.is_empty() {
                    picks(&table, &expected);
                }
                whole += 1;
            }
        }
    }
    assert!(whole > 60 && damaged > 5 && refused > 5, "{whole} {damaged} {refused}");
}

/// Pages of many rows in any form: `order` is row or column.
fn many(strings: bool, column_major: bool, ascii: bool, pages: usize, count: usize) -> Vec<u8> {
    let mode = if ascii { sdds::Mode::Ascii } else { sdds::Mode::Binary };
    let mut header = Header::new(mode);
    header.column_major = column_major;
    header.parameters.push(sdds::Parameter::new("Run", sdds::DataType::Long).units("1"));
    header.parameters.push(sdds::Parameter::new("Name", sdds::DataType::String));
    header.columns.push(sdds::Column::new("x", sdds::DataType::Double).units("m"));
    header.columns.push(sdds::Column::new("wide", sdds::DataType::LongDouble));
    if strings {
        header.columns.push(sdds::Column::new("s", sdds::DataType::String));
    }
    header.columns.push(sdds::Column::new("n", sdds::DataType::Short));
    let mut writer = sdds::Writer::new(Vec::new(), header.clone()).unwrap();
    for page in 0..pages {
        let name = format!("run {page}");
        let row = |i: usize| page * count + i;
        let x = Elements::from((0..count).map(|i| row(i) as f64).collect::<Vec<_>>());
        let mut wide = Elements::empty(sdds::DataType::LongDouble);
        (0..count).for_each(|i| wide.push(sdds::X87::from(row(i) as f64 / 3.0).into()).unwrap());
        let s = Elements::strings((0..count).map(|i| "s".repeat(i % 7)));
        let n = Elements::from((0..count).map(|i| i as i16).collect::<Vec<_>>());
        let columns = if strings { vec![x, wide, s, n] } else { vec![x, wide, n] };
        let parameters = [sdds::Value::from(page as i32 + 100), sdds::Value::from(name.as_str())];
        writer.write_page(&Page::new(&header, parameters, [], columns).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn opened(bytes: &[u8], settings: &Settings) -> Arc<dyn Table> {
    binfmt::open_in(binfmt::FORMATS, file(bytes), "file", None, settings).unwrap()
}

#[test]
fn pages_of_many_rows_are_cut_where_their_rows_can_be_found() {
    for (strings, column_major, ascii) in [
        (false, false, false),
        (false, true, false),
        (true, false, false),
        (true, true, false),
        (true, false, true),
    ] {
        let bytes = many(strings, column_major, ascii, 3, 500);
        let path = std::env::temp_dir().join(format!("binfmt-table-{}.sdds", std::process::id()));
        std::fs::write(&path, &bytes).unwrap();
        let (expected, e) = expected(&path).unwrap();
        assert!(e.is_none());
        let table = binfmt::open(&path).unwrap();
        is_the_same_in_parts(&table, &expected);
        picks(&table, &expected);
        let splits = table.splits(&Wanted::new(), 10).unwrap();
        assert_eq!(splits.len(), if strings { 3 } else { 10 });
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn who_reads_all_rows_goes_over_them_once() {
    let bytes = many(true, false, false, 2, 20_000);
    for by_tasks in [false, true] {
        let files = Arc::new(Counting::default());
        files.write("file", &bytes).unwrap();
        let table = binfmt::open_in(binfmt::FORMATS, files.clone(), "file", None, &Settings::new()).unwrap();
        let wanted = Wanted::new();
        let [split] = table.splits(&wanted, 1).unwrap().try_into().unwrap();
        let batches: Vec<_> = match by_tasks {
            true => table.clone().tasks(&split, &wanted).unwrap().flat_map(|task| task()).collect(),
            false => table.clone().read(&split, &wanted).unwrap().collect(),
        };
        assert_eq!(batches.into_iter().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 40_000);
        let count = files.read.load(Ordering::Relaxed);
        assert!(count < bytes.len() as u64 * 5 / 4, "{count} bytes were read of {}", bytes.len());
        // they are looked for where it matters
        assert_eq!(table.num_rows(), Estimate::Exact(40_000));
        assert_eq!(table.splits(&wanted, 2).unwrap().len(), 2);
    }
}

#[test]
fn small_pages_are_batches_together() {
    let settings = Settings::new().with("page_numbers", "true");
    for strings in [true, false] {
        let bytes = many(strings, false, false, 400, 5);
        let path = std::env::temp_dir().join(format!("binfmt-small-{strings}-{}.sdds", std::process::id()));
        for (cut, count) in [(0, 2000), (9, 1999)] {
            let bytes = &bytes[..bytes.len() - cut];
            std::fs::write(&path, bytes).unwrap();
            let (expected, e) = expected(&path).unwrap();
            let table = opened(bytes, &Settings::new());
            let (found, told) = all(&table, &Wanted::new(), 1);
            assert_eq!((found, told.map(|e| e.to_string())), (expected, e));
            let table = opened(bytes, &settings);
            for batch_rows in [8192, 100, 7, 5, 3] {
                let wanted = Wanted::new().batch_rows(batch_rows);
                let splits = table.splits(&wanted, 1).unwrap();
                let batches: Vec<_> =
                    splits.iter().flat_map(|split| read(&table, split, &wanted).0).collect();
                let pages = |batch: &Columns| batch.get("_page").unwrap().as_slice::<i64>().unwrap().to_vec();
                let pages: Vec<i64> = batches.iter().flat_map(pages).collect();
                assert_eq!(pages, (0..count).map(|row| row / 5).collect::<Vec<i64>>());
                assert!(batches.iter().all(|batch| batch.num_rows() <= batch_rows));
                let most = if batch_rows < 5 { 800 } else { 2000 / (batch_rows / 5 * 5) + 3 };
                assert!(batches.len() <= most, "{} batches of {batch_rows}", batches.len());
            }
            // the pages before and after are not among them
            let wanted = Wanted::new().range(1, 150..=249);
            let (found, _) = all(&table, &wanted, 1);
            assert_eq!(found.len(), 500);
            let (found, _) = all(&table, &Wanted::new().rows(3..1003), 3);
            assert_eq!(found.len(), 1000);
        }
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn constants_leave_out_pages() {
    let bytes = many(false, false, false, 10, 50);
    let table = opened(&bytes, &Settings::new().with("page_numbers", "true"));
    let fields: Vec<&str> = table.schema().fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["_page", "Run", "Name", "x", "wide", "n"]);
    let constant: Vec<bool> = table.schema().fields.iter().map(|field| field.constant).collect();
    assert_eq!(constant, [true, true, true, false, false, false]);
    assert_eq!(table.schema().fields[3].get(keys::UNITS), Some("m"));
    assert_eq!(table.num_rows(), Estimate::Exact(500));

    let runs = |wanted: &Wanted| -> Vec<i64> {
        let batches = table.clone().batches(wanted).unwrap().map(|batch| batch.unwrap());
        let mut found: Vec<i64> = batches
            .flat_map(|batch| batch.get("_page").unwrap().as_slice::<i64>().unwrap().to_vec())
            .collect();
        found.dedup();
        found
    };
    assert_eq!(runs(&Wanted::new().range(1, 103..105)), [3, 4]);
    assert_eq!(runs(&Wanted::new().range(0, 8i64..)), [8, 9]);
    assert_eq!(runs(&Wanted::new().range(2, "run 7"..="run 7")), [7]);
    assert_eq!(runs(&Wanted::new().range(1, 103.5..=104.5)), [4]);
    assert!(runs(&Wanted::new().range(1, 200..)).is_empty());
    // what is not constant leaves out nothing
    assert_eq!(runs(&Wanted::new().range(3, 1e9..)).len(), 10);
    let splits = table.splits(&Wanted::new().range(1, 103..105), 2).unwrap();
    assert_eq!(splits.iter().map(|split| split.rows.clone()).collect::<Vec<_>>(), [150..200, 200..250]);
    let bounds = table.bounds(1).unwrap();
    assert!(bounds.may_meet(&100.into(), &100.into()) && !bounds.may_meet(&110.into(), &120.into()));
    assert_eq!(table.bounds(3), None);
}

const PAGES: &[u8] =
    b"SDDS1\n&parameter name=Run, type=long, units=1 &end\n&parameter name=Who, type=string &end\n\
    &column name=s, type=short &end\n&data mode=ascii &end\n1\na\n0\n7\nb\n2\n5\n6\n8\nc\n1\n9\n99\nd\n0\n";

/// What no row has is between no ends.
#[test]
fn bounds_are_those_of_rows() {
    let table = opened(PAGES, &Settings::new().with("page_numbers", "true"));
    assert_eq!(table.bounds(0), Some(ScalarRange::of(1i64..=2)));
    assert_eq!(table.bounds(1), Some(ScalarRange::of(7i32..=8)));
    assert_eq!(table.bounds(2), Some(ScalarRange::of("b"..="c")));
    let none = &PAGES[..PAGES.windows(3).position(|w| w == b"\n7\n").unwrap() + 1];
    assert_eq!(opened(none, &Settings::new().with("page_numbers", "true")).bounds(0), None);
    assert_eq!(opened(none, &Settings::new()).bounds(0), None);
}

#[test]
fn a_page_may_be_a_row() {
    let pages = Settings::new().with("pages", "true");
    let table = opened(PAGES, &pages);
    let fields: Vec<&str> = table.schema().fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["_page", "Run", "Who", "_rows"]);
    assert_eq!(table.schema().fields[1].get(keys::UNITS), Some("1"));
    assert_eq!(table.num_rows(), Estimate::Exact(4));
    let batch = table.batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.get("Run").unwrap().as_slice::<i32>(), Some(&[1, 7, 8, 99][..]));
    assert_eq!(batch.get("_rows").unwrap().as_slice::<i64>(), Some(&[0, 2, 1, 0][..]));
    // a page that is cut off is told
    let files = Memory::new();
    files.write("x.sdds", &PAGES[..PAGES.len() - 4]).unwrap();
    let e = sdds::Tables.open(Arc::new(files), "x.sdds", &pages).unwrap_err();
    assert!(e.to_string().contains("pages[3]"), "{e}");
}

/// Two pages of an image, its marks, which are fewer, and their names; beside a column.
const ARRAYS: &[u8] =
    b"SDDS1\n&parameter name=Run, type=long &end\n&array name=image, type=short, dimensions=2, units=mm &end\n\
    &array name=dark, type=short, dimensions=2 &end\n&array name=mark, type=string &end\n&column name=x, type=short &end\n\
    &data mode=ascii &end\n7\n2 3\n1 2 3 4 5 6\n2 3\n0 0 0 1 1 1\n2\na b\n1\n9\n8\n1 2\n7 8\n1 2\n2 2\n0\n\n0\n";

#[test]
fn elements_of_arrays_are_rows_with_their_indices() {
    let said = Settings::new().with("page_numbers", "true").with("indices", "true");
    let table = opened(ARRAYS, &said.clone().with("arrays", " image, mark,image"));
    let fields: Vec<&str> = table.schema().fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["_page", "Run", "_index", "_index0", "_index1", "image", "mark"]);
    assert_eq!(table.schema().fields[5].get(keys::UNITS), Some("mm"));
    assert_eq!(table.num_rows(), Estimate::Exact(8));
    assert_eq!(table.bounds(0), Some(ScalarRange::of(0i64..=1)));
    assert_eq!(table.bounds(1), Some(ScalarRange::of(7i32..=8)));
    assert_eq!(table.bounds(2), None);
    let numbers = |wanted: &Wanted, name: &str| -> Vec<i64> {
        let batches = table.clone().batches(wanted).unwrap().map(|batch| batch.unwrap());
        batches.flat_map(|batch| batch.get(name).unwrap().as_slice::<i64>().unwrap().to_vec()).collect()
    };
    assert_eq!(numbers(&Wanted::new(), "_index"), [0, 1, 2, 3, 4, 5, 0, 1]);
    assert_eq!(numbers(&Wanted::new(), "_index0"), [0, 0, 0, 1, 1, 1, 0, 0]);
    assert_eq!(numbers(&Wanted::new().rows(2..7), "_index1"), [2, 0, 1, 2, 0]);
    // a page of other parameters is not read
    assert_eq!(numbers(&Wanted::new().range(1, 8i32..), "_page"), [1, 1]);
    let (rows, e) = all(&table, &Wanted::new(), 1);
    assert!(e.is_none() && rows.len() == 8, "{rows:?}");
    is_the_same_in_parts(&table, &rows);

    // arrays of one shape have indices, others have the number of the element
    let names = |arrays: &str| {
        let table = opened(ARRAYS, &said.clone().with("arrays", arrays));
        table.schema().fields.iter().skip(2).map(|field| field.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names("*"), ["_index", "_index0", "_index1", "image", "dark", "mark"]);
    assert_eq!(names("mark"), ["_index", "mark"]);
    let other = String::from_utf8_lossy(ARRAYS).replace("\n2 3\n0 0", "\n3 2\n0 0");
    let other = opened(other.as_bytes(), &said.clone().with("arrays", "image,dark"));
    assert_eq!(other.schema().fields.iter().filter(|field| field.name.starts_with("_index")).count(), 1);

    let refused = |bytes: &[u8], arrays: &str| {
        let files = Memory::new();
        files.write("x.sdds", bytes).unwrap();
        let settings = Settings::new().with("arrays", arrays);
        sdds::Tables.open(Arc::new(files), "x.sdds", &settings).unwrap_err().to_string()
    };
    assert_eq!(refused(ARRAYS, "imag"), "unknown array `imag`, expected one of `image`, `dark`, `mark`");
    assert_eq!(refused(PAGES, "*"), "the file has no arrays");
}

#[test]
fn a_file_that_is_cut_has_all_rows_before_the_place() {
    for (strings, ascii) in [(false, false), (true, false), (true, true)] {
        let bytes = many(strings, false, ascii, 2, 40);
        for cut in [1, 9, 100] {
            let bytes = &bytes[..bytes.len() - cut];
            let mut reader = Options::new().slice(bytes).unwrap();
            let mut count = 0;
            let e = loop {
                match reader.next_page() {
                    Ok(Some(page)) => count += page.rows(),
                    // of text a digit or a line feed may be missed by nobody
                    Ok(None) => break None,
                    Err(e) => {
                        let text = e.to_string();
                        count += e.recover().map_or(0, |page| page.rows());
                        break Some(text);
                    }
                }
            };
            let table = opened(bytes, &Settings::new());
            let known = if e.is_some() { Estimate::About(40) } else { Estimate::Exact(80) };
            assert_eq!(table.num_rows(), known);
            for parts in [1, 5] {
                let (found, told) = all(&table, &Wanted::new().batch_rows(7), parts);
                assert_eq!((found.len() as u64, told.map(|e| e.to_string())), (count, e.clone()));
            }
        }
    }
}

#[test]
fn settings_are_those_of_the_reader() {
    let file = b"SDDS1\n&column name=1x, type=short &end\n&data mode=binary &end\n\0\0\0\x01\0\x07";
    let open =
        |settings: &Settings| binfmt::open_in(binfmt::FORMATS, self::file(file), "file", None, settings);
    assert!(open(&Settings::new()).is_err());
    let table = open(&Settings::new().with("any_names", "true").with("assume_byte_order", "big")).unwrap();
    let batch = table.batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.get("1x").unwrap().as_slice::<i16>(), Some(&[7][..]));
    let e = open(&Settings::new().with("assume_byte_order", "middle")).unwrap_err();
    assert_eq!(e.to_string(), "setting `assume_byte_order`: expected little or big, found \"middle\"");
}
