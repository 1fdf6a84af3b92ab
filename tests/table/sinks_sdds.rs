//! Tables that become SDDS files: pages, parameters, and what is said of columns.

use binfmt::columns::{Column, Columns, NullableColumn};
use binfmt::formats::sdds::{File, Text};
use binfmt::storage::{Memory, Storage};
use binfmt::table::{ColumnsTable, Settings, Table, Wanted};
use std::sync::Arc;

fn bytes(files: &Memory, path: &str) -> Vec<u8> {
    let mut bytes = vec![0; files.size(path).unwrap().unwrap() as usize];
    files.read(path, 0, &mut bytes).unwrap();
    bytes
}

fn write(
    table: &Arc<dyn Table>,
    settings: &Settings,
    batch: usize,
) -> binfmt::Result<(Vec<u8>, Vec<String>)> {
    let files = Arc::new(Memory::new());
    let sink = binfmt::create_in(binfmt::FORMATS, files.clone(), "x", "sdds", table.schema(), settings)?;
    let notes = sink.notes();
    table.write_to(&Wanted::new().batch_rows(batch), sink)?;
    Ok((bytes(&files, "x"), notes))
}

fn open(bytes: &[u8], settings: &Settings) -> Arc<dyn Table> {
    let files = Memory::new();
    files.write("x", bytes).unwrap();
    binfmt::open_in(binfmt::FORMATS, Arc::new(files), "x", Some("sdds"), settings).unwrap()
}

const FILE: &[u8] = b"SDDS1\n&description text=\"two runs\", contents=orbit &end\n\
    &parameter name=Run, type=long, description=\"its number\" &end\n&parameter name=Who, type=string &end\n\
    &column name=s, symbol=$gs$r, units=m, type=double, format_string=%8.3f &end\n&column name=Name, type=string &end\n\
    &data mode=ascii &end\n7\nJane\n2\n0.5 Q1\n1.5 Q2\n8\nJane\n1\n2.5 \"Q 3\"\n8\nJohn\n1\n3.5 Q4\n";

#[test]
fn pages_parameters_and_units_come_back() {
    for numbered in ["true", "false"] {
        let table = open(FILE, &Settings::new().with("page_numbers", numbered));
        for batch in [1, 2, 100] {
            let (written, notes) = write(&table, &Settings::new().with("mode", "binary"), batch).unwrap();
            assert!(notes.is_empty(), "{notes:?}");
            let again = read(&written).unwrap();
            let before = read(FILE).unwrap();
            assert_eq!(again.pages.len(), 3);
            assert_eq!(again.pages, before.pages);
            assert_eq!(again.header.columns, before.header.columns);
            assert_eq!(again.header.parameters, before.header.parameters);
            assert_eq!(again.header.contents, Some(Text::from("orbit")));
            // the same file in ascii, as the official library writes it
            let (ascii, _) = write(&table, &Settings::new(), batch).unwrap();
            assert_eq!(read(&ascii).unwrap().pages, before.pages);
        }
    }
}

#[test]
fn a_file_has_the_same_bytes_however_many_rows_come_at_once() {
    for words in [
        &[("mode", "ascii")][..],
        &[("byte_order", "little")],
        &[("byte_order", "big")],
        &[("order", "column")],
    ] {
        let settings =
            words.iter().fold(Settings::new().with("mode", "binary"), |s, (name, word)| s.with(*name, *word));
        let table = open(FILE, &Settings::new());
        let (whole, _) = write(&table, &settings, 100).unwrap();
        let (parts, _) = write(&table, &settings, 1).unwrap();
        assert_eq!(parts, whole, "{words:?}");
    }
}

fn plain(columns: Vec<(&'static str, Column)>) -> Arc<dyn Table> {
    let columns = columns.into_iter().map(|(name, column)| (name.into(), column)).collect();
    Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()))
}

#[test]
fn a_column_says_where_pages_begin() {
    let columns = || {
        vec![
            ("_page", Column::from(vec![3i64, 3, 5, 5, 5])),
            ("x", Column::from(vec![1i32, 2, 3, 4, 5])),
            ("run", Column::from(vec![1i16, 1, 1, 1, 1])),
        ]
    };
    let settings = Settings::new().with("as_parameters", "run");
    for batch in 1..6 {
        let (written, _) = write(&plain(columns()), &settings, batch).unwrap();
        let file = read(&written).unwrap();
        assert_eq!(file.pages.iter().map(|page| page.rows()).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(file.header.columns.len(), 1);
        assert_eq!(file.header.parameters[0].name, "run");
    }
    let mut odd = columns();
    odd[2].1 = Column::from(vec![1i16, 1, 1, 2, 2]);
    for batch in 1..6 {
        let e = write(&plain(odd.clone()), &settings, batch).unwrap_err();
        assert!(e.to_string().contains("the value changes within a page"), "{e}");
        assert!(e.to_string().starts_with("[3]"), "{e}");
    }
    // without the numbers of pages the parameters say it
    odd.remove(0);
    let (written, _) = write(&plain(odd), &settings, 2).unwrap();
    let rows: Vec<u64> = read(&written).unwrap().pages.iter().map(|page| page.rows()).collect();
    assert_eq!(rows, [3, 2]);
}

#[test]
fn values_are_widened_and_missing_floats_are_nan() {
    let codes = || vec![255, 0];
    let floats = NullableColumn::from_parts(codes(), Column::from(vec![1.5f64, 0.0]), 255).unwrap();
    let table =
        plain(vec![("flag", Column::from(vec![true, false])), ("x", Column::Nullable(Box::new(floats)))]);
    let (written, notes) = write(&table, &Settings::new(), 10).unwrap();
    assert_eq!(notes, ["column `flag`, bool to i16: true and false become 1 and 0"]);
    let page = &read(&written).unwrap().pages[0];
    assert_eq!(page.columns()[0].as_slice::<i16>(), Some(&[1, 0][..]));
    assert!(page.columns()[1].f64s().unwrap()[1].is_nan());
}

#[test]
fn the_header_of_another_file_is_taken() {
    let path = std::env::temp_dir().join(format!("binfmt-like-{}.sdds", std::process::id()));
    std::fs::write(&path, FILE).unwrap();
    let settings = Settings::new().with("like", path.to_str().unwrap()).with("mode", "binary");
    let all = |more: &[&'static str]| {
        let text = || Column::Text([&b"a"[..], b"b"].into_iter().collect());
        let mut columns = vec![
            ("Name", text()),
            ("Who", Column::Text([&b"J"[..], b"J"].into_iter().collect())),
            ("s", Column::from(vec![1i32, 2])),
        ];
        columns.extend(more.iter().map(|name| (*name, Column::from(vec![4u8, 4]))));
        plain(columns)
    };
    let (written, notes) = write(&all(&["Run", "more"]), &settings, 10).unwrap();
    let (file, like) = (read(&written).unwrap(), read(FILE).unwrap());
    assert_eq!(
        (&file.header.columns, &file.header.parameters),
        (&like.header.columns, &like.header.parameters)
    );
    assert_eq!(file.pages[0].columns()[0].as_slice::<f64>(), Some(&[1.0, 2.0][..]));
    assert!(
        notes.contains(&"column `more` is left out: the header does not have it".to_owned()),
        "{notes:?}"
    );
    let e = write(&all(&[]), &settings, 10).unwrap_err();
    assert!(e.to_string().contains("the header has a parameter `Run`, and the table has none"), "{e}");
    std::fs::remove_file(path).unwrap();
}

fn read(bytes: &[u8]) -> binfmt::Result<File> {
    binfmt::from_slice(bytes)
}

#[test]
fn what_is_no_row_is_told() {
    let text = b"SDDS1\n&parameter name=Run, type=long &end\n&parameter name=Who, type=string, fixed_value=Jane &end\n\
        &array name=a, type=short &end\n&column name=s, type=short &end\n&data mode=ascii &end\n\
        1\n0\n0\n2\n0\n1\n5\n3\n0\n0\n";
    let mut packed = flate2(text);
    for bytes in [text.to_vec(), std::mem::take(&mut packed)] {
        let table = open(&bytes, &Settings::new());
        let (_, notes) = write(&table, &Settings::new(), 10).unwrap();
        assert_eq!(notes, ["parameter `Who`: its fixed value becomes one of each page"]);
        assert_eq!(
            table.left_out(),
            [
                "arrays are not columns, and are left out: `a`",
                "2 pages without rows are left out, and the values of their parameters",
            ]
        );
    }
    assert!(open(FILE, &Settings::new()).left_out().is_empty());
}

fn flate2(bytes: &[u8]) -> Vec<u8> {
    use binfmt::formats::packed::{Compression, Packed};
    let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
    std::io::Write::write_all(&mut packed, bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn a_name_that_the_format_does_not_have_is_told_with_one_that_it_has() {
    for (name, like) in [("a b", "a_b"), ("5x", "n5x"), ("naïve", "na_ve"), ("", "n")] {
        let e = write(&plain(vec![(name, Column::from(vec![1i32]))]), &Settings::new(), 1).unwrap_err();
        let text = e.to_string();
        assert!(
            text.starts_with(&format!("`{name}` is not a name for a column of SDDS: it must begin")),
            "{text}"
        );
        assert!(text.ends_with(&format!("such as `{like}`")) && e.offset().is_none(), "{text}");
    }
}
