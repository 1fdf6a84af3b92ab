//! Texts of other hands: what the official library reads is read here, too, with the same values. `tests/interop/sdds.py`
//! asks the library itself.

use crate::support::memory::memory_of;
use binfmt::formats::sdds::{
    Compression, DataType, Elements, Options, Packed, Page, Unclosed, Value, Writer,
};
use std::io::Write;
use std::time::{Duration, Instant};

/// The pages, or the error after them.
fn read(text: &str) -> (Vec<Page>, Option<String>) {
    let mut reader = match Options::new().slice(text.as_bytes()) {
        Ok(reader) => reader,
        Err(e) => return (vec![], Some(e.to_string())),
    };
    let mut pages = vec![];
    loop {
        match reader.next_page() {
            Ok(Some(page)) => pages.push(page),
            Ok(None) => return (pages, None),
            Err(e) => return (pages, Some(e.to_string())),
        }
    }
}

fn sound(text: &str) -> Vec<Page> {
    let (pages, error) = read(text);
    assert_eq!(error, None, "{text}");
    pages
}

const X: &str = "&column name=x, type=double &end\n";

#[test]
fn rows_of_a_text_that_is_being_written() {
    for (head, data) in [
        ("SDDS1\n!# fixed-rowcount\n", "&data mode=ascii &end\n"),
        ("SDDS3\n", "&data mode=ascii, fixed_row_count=1 &end\n"),
    ] {
        for end in ["", "\n", "x\n", "x\n3.5\n", "! a remark\n"] {
            let text = format!("{head}{X}{data}500\n1.5\n2.5\n{end}");
            let mut reader = Options::new().slice(text.as_bytes()).unwrap();
            let page = reader.next_page().unwrap().unwrap();
            assert_eq!(page.columns(), [Elements::from(vec![1.5f64, 2.5])], "{text}");
            assert_eq!((page.rows(), reader.is_cut(), reader.stated_rows()), (2, true, Some(500)));
            assert_eq!(reader.next_page().unwrap(), None);
        }
        let whole = format!("{head}{X}{data}2\n1.5\n2.5\n");
        let mut reader = Options::new().slice(whole.as_bytes()).unwrap();
        assert!(reader.next_page().unwrap().is_some() && reader.stated_rows().is_none());
    }
    // what is not a number of rows is wrong nevertheless
    let text = format!("SDDS1\n!# fixed-rowcount\n{X}&data mode=ascii &end\nmany\n1.5\n");
    assert!(read(&text).1.unwrap().contains("`many` is not a number of rows"));
}

#[test]
fn blank_lines_behind_the_last_page() {
    let data = "&data mode=ascii &end\n";
    let array = "&array name=a, type=long &end\n";
    for (header, page) in [
        (format!("&parameter name=L, type=string &end\n{X}"), "run one\n2\n1.5\n2.5\n"),
        (format!("&parameter name=L, type=string &end\n{array}"), "run one\n1\n5\n"),
        (format!("&parameter name=n, type=long &end\n{X}"), "7\n2\n1.5\n2.5\n"),
        (X.to_owned(), "2\n1.5\n2.5\n"),
        (array.to_owned(), "1\n5\n"),
    ] {
        for end in ["", "\n", "\n\n\n", "  \n", "! the end\n", "\n! the end\n"] {
            let pages = sound(&format!("SDDS1\n{header}{data}{page}{end}"));
            assert_eq!(pages.len(), 1, "{header}{page}{end}");
        }
    }
    // a line with something in it is the beginning of a page
    let text = format!("SDDS1\n&parameter name=L, type=string &end\n{X}{data}run one\n0\nrun two\n");
    assert!(read(&text).1.unwrap().contains("the file ends before the number of rows"));
    // where there is nothing but a text, an empty one is a page
    let text = format!("SDDS1\n&parameter name=L, type=string &end\n{data}one\n\n");
    assert_eq!(sound(&text).len(), 2);
}

#[test]
fn an_empty_word_is_a_nul() {
    let text = "SDDS1\n&parameter name=p, type=character &end\n&array name=a, type=character &end\n\
        &column name=c, type=character &end\n&column name=x, type=double &end\n&data mode=ascii &end\n\
        \"\"\n2\n\"\" b\n2\n\"\" 1\n a 2\n";
    let page = sound(text).remove(0);
    assert_eq!(page.parameters(), [Value::from(0u8)]);
    assert_eq!(page.arrays()[0].elements(), &Elements::from(vec![0u8, b'b']));
    assert_eq!(page.columns()[0], Elements::from(vec![0u8, b'a']));
    // as a fixed value nothing is not a character
    for fixed in ["\"\"", "\" \""] {
        let text = format!("SDDS1\n&parameter name=c, type=character, fixed_value={fixed} &end\n");
        let e = read(&(text + "&data mode=ascii &end\n")).1.unwrap();
        assert!(e.contains("is not a character"), "{e}");
    }
}

#[test]
fn remarks_are_no_additional_lines() {
    let header =
        "SDDS1\n&parameter name=p, type=long &end\n&data mode=ascii, additional_header_lines=1 &end\n";
    let pages = sound(&format!("{header}! remark\n1\n2\n"));
    assert_eq!(pages.iter().map(Page::parameters).collect::<Vec<_>>(), [[Value::from(2i32)]]);
    assert_eq!(sound(&format!("{header}more\n2\n3\n")).len(), 2);
    assert_eq!(sound(header).len(), 0);
}

/// More lines than there are end with the file.
#[test]
fn additional_lines_end_with_the_file() {
    let text = format!("SDDS1\n{X}&data mode=ascii, additional_header_lines=2147483647 &end\n");
    let begun = Instant::now();
    assert_eq!(sound(&text).len(), 0);
    assert_eq!(sound(&format!("{text}1\n2.5\n")).len(), 0);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn quotes_and_backslashes_of_words() {
    let strings = "&column name=a, type=string &end\n&column name=b, type=string &end\n";
    let rows = r#"5
"a\\" b
"a\\\" b" c
"\\\\" b" c
a"b c"d e
a\"b c
"#;
    let page = sound(&format!("SDDS1\n{strings}&data mode=ascii &end\n{rows}")).remove(0);
    assert_eq!(page.columns()[0], Elements::strings(["a\\", "a\\\" b", "\\\\\" b", "a\"b c\"d", "a\"b"]));
    assert_eq!(page.columns()[1], Elements::strings(["b", "c", "c", "e", "c"]));
}

/// Where it refuses, so does this crate: else what is sound here is not sound there.
#[test]
fn refused_as_by_the_official_library() {
    for (text, why) in [
        (
            "SDDS1\n&column name=x, type=double, field_length=-8 &end\n&data mode=ascii &end\n1\n     2.5\n",
            "only strings can have a negative `field_length`",
        ),
        (
            "SDDS1\n&array name=x, type=long, field_length=-8 &end\n&data mode=ascii &end\n1\n     2\n",
            "only strings can have a negative `field_length`",
        ),
        (
            "SDDS1\n&column name=x, type=long &end\n&column name=y, type=long &end\n\
             &data mode=ascii, lines_per_row=2 &end\n1\n1 2\n3\n",
            "the row has all its columns in 1 of its 2 lines",
        ),
    ] {
        let e = read(text).1.unwrap_or_else(|| panic!("{text} is read"));
        assert!(e.contains(why), "{e}");
    }
}

/// A line of a header that does not end takes no more memory than a command may have, although the file is compressed.
#[test]
fn a_header_line_without_an_end() {
    for front in ["SDDS1\n", "SDDS1\n!", "SDDS1\n&column name=\""] {
        let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
        packed.write_all(front.as_bytes()).unwrap();
        for _ in 0..6 {
            packed.write_all(&[b' '; 1 << 20]).unwrap();
        }
        let bytes = packed.finish().unwrap();
        let (read, peak, _) = memory_of(|| Options::new().packed(&bytes[..]).map(drop));
        let e = read.unwrap_err().to_string();
        assert!(e.contains("header line 2, column 1: line exceeds the limit of 262144 bytes"), "{e}");
        assert!(peak < 2 << 20, "{peak} bytes");
    }
}

/// CERN's names of types are read, and written as those of the format.
#[test]
fn the_dialect_of_cern() {
    let header = "SDDS1\n!# big-endian\n&parameter name=stamp, type=llong &end\n\
        &array name=on, type=boolean &end\n&array name=turns, type=llong &end\n&data mode=binary &end\n";
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(0_i32.to_be_bytes());
    bytes.extend((-5_i64 << 40).to_be_bytes());
    bytes.extend(3_i32.to_be_bytes());
    bytes.extend([1, 0, 1]);
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend(7_i64.to_be_bytes());
    let mut reader = Options::new().slice(&bytes).unwrap();
    assert_eq!(reader.header().dialect_names(), ["llong", "boolean"]);
    let found = reader.header().dialect.iter().map(|of| (of.command, &*of.name, &*of.type_name));
    let expected = [("parameter", "stamp", "llong"), ("array", "on", "boolean"), ("array", "turns", "llong")];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let page = reader.next_page().unwrap().unwrap();
    assert_eq!(page.parameters(), [Value::from(-5i64 << 40)]);
    assert_eq!(page.arrays()[0].elements(), &Elements::from(vec![1u8, 0, 1]));
    assert_eq!(page.arrays()[1].elements(), &Elements::from(vec![7i64]));
    let mut writer = Writer::new(Vec::new(), reader.header().clone()).unwrap();
    writer.write_page(&page).unwrap();
    let written = writer.finish().unwrap();
    let mut again = Options::new().slice(&written).unwrap();
    assert!(again.header().dialect.is_empty());
    assert_eq!((again.header().version, again.header().arrays[0].data_type), (5, DataType::Character));
    assert_eq!(again.next_page().unwrap().unwrap(), page);
}

/// The page that was never closed is the last one.
#[test]
fn the_last_of_several_pages_was_never_closed() {
    let head = format!("SDDS1\n!# little-endian fixed-rowcount\n{X}");
    let ascii = format!("{head}&data mode=ascii &end\n1\n0.5\n2\n1.5\n2.5\n500\n1.5\n2.5\n").into_bytes();
    let mut binary = format!("{head}&data mode=binary &end\n").into_bytes();
    for (stated, rows) in [(1i32, 1), (2, 2), (500, 2)] {
        binary.extend(stated.to_le_bytes());
        (0..rows).for_each(|i| binary.extend(f64::from(i).to_le_bytes()));
    }
    for file in [ascii, binary] {
        let verified = Options::new().slice(&file).unwrap().verify().unwrap();
        assert_eq!((verified.pages, verified.rows), (3, 5));
        assert_eq!(verified.unclosed, Some(Unclosed { page: 2, stated: 500, rows: 2 }));
    }
}
