//! Parts of files, files that grow, structs: against the whole.

use crate::sdds::fixtures::{cases, folder};
use binfmt::columns::{Column, Plan};
use binfmt::formats::sdds::{
    DataType, Elements, File, Follower, Header, Mode, Options, Page, Reader, Value, Writer,
};
use binfmt::wire::Slice;
use binfmt::{BinFormat, Endian};
use std::fs;
use std::io::{Cursor, Read, Seek, SeekFrom};

fn pages(reader: Reader<'_, Slice<'_>>) -> Vec<Page> {
    reader.map(Result::unwrap).collect()
}

/// The files that are read without an error.
fn sound() -> impl Iterator<Item = (String, Vec<u8>)> {
    cases()
        .into_iter()
        .filter(|(_, bytes, _)| Options::new().slice(bytes).is_ok_and(|mut r| r.all(|p| p.is_ok())))
        .map(|c| (c.0, c.1))
}

fn part(elements: &Elements, from: usize, to: usize) -> Vec<String> {
    elements.iter().skip(from).take(to.saturating_sub(from)).map(|v| format!("{v:?}")).collect()
}

#[test]
fn every_column_and_row_alone() {
    let mut seen = 0;
    for (name, bytes) in sound() {
        let header = Options::new().slice(&bytes).unwrap().header().clone();
        let whole = pages(Options::new().slice(&bytes).unwrap());
        for (i, column) in header.columns.iter().enumerate() {
            for (from, to) in [(0, 1), (1, 3), (2, 2), (1, 1000)] {
                let reader =
                    Options::new().slice(&bytes).unwrap().columns(&[&column.name]).unwrap().rows(from..to);
                let found = pages(reader);
                assert_eq!(found.len(), whole.len(), "{name}");
                for (found, whole) in found.iter().zip(&whole) {
                    assert_eq!(found.columns().len(), 1);
                    let expected = part(&whole.columns()[i], from as usize, to as usize);
                    assert_eq!(part(&found.columns()[0], 0, usize::MAX), expected, "{name}, {}", column.name);
                    assert_eq!(found.rows(), expected.len() as u64);
                    assert_eq!(format!("{:?}", found.parameters()), format!("{:?}", whole.parameters()));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000);
}

#[test]
fn pages_are_skipped() {
    for (name, bytes) in sound() {
        let whole = pages(Options::new().slice(&bytes).unwrap());
        for (n, expected) in whole.iter().enumerate() {
            let mut reader = Options::new().slice(&bytes).unwrap();
            for _ in 0..n {
                assert!(reader.skip_page().unwrap());
            }
            let page = reader.next_page().unwrap().unwrap();
            assert_eq!(format!("{page:?}"), format!("{expected:?}"), "{name}");
        }
    }
}

#[test]
fn pages_are_appended() {
    for (name, bytes) in sound() {
        let header = Options::new().slice(&bytes).unwrap().header().clone();
        let whole = pages(Options::new().slice(&bytes).unwrap());
        // stray bytes, and pages without a text of their own, leave no room for another
        let stray = ["hand/trailing3", "hand/fixedrow_be", "hand/truncrows_fixed"].contains(&name.as_str());
        let Some(first) = whole.first().filter(|_| !stray && header.additional_header_lines == 0) else {
            continue;
        };
        if header.columns.is_empty() && first.parameters().is_empty() && first.arrays().is_empty() {
            continue;
        }
        if header.columns.iter().any(|c| c.field_length != 0) || header.lines_per_row == 0 {
            continue;
        }
        let mut writer = Writer::append(Cursor::new(bytes.clone()), Options::new()).unwrap();
        writer.write_page(first).unwrap_or_else(|e| panic!("{name}: {e}"));
        let longer = writer.finish().unwrap().into_inner();
        assert!(longer.starts_with(&bytes));
        let mut expected = whole.clone();
        expected.push(first.clone());
        let found = pages(Options::new().slice(&longer).unwrap());
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{name}");
    }
    for name in ["trailing3", "truncrows_fixed", "truncrows"] {
        let bytes = fs::read(folder().join(format!("hand/{name}.sdds"))).unwrap();
        assert!(Writer::append(Cursor::new(bytes), Options::new()).is_err(), "{name}");
    }
}

/// The file is followed while it grows byte by byte.
#[test]
fn growing_files() {
    for name in [
        "official/multipage_le_rm",
        "official/multipage_be_cm",
        "official/strings_be_rm",
        "official/fixedrowcount_le",
        "official/norowcounts_ascii",
        "official/linesperrow_ascii",
        "official/alltypes_ascii",
        "official/arrays_ascii",
        "hand/ascii_stream",
        "hand/ascii_nrc_empty",
        "hand/ascii_crlf",
        "hand/addlines_ascii",
    ] {
        let bytes = fs::read(folder().join(format!("{name}.sdds"))).unwrap();
        let whole = pages(Options::new().slice(&bytes).unwrap());
        let begin = Options::new().slice(&bytes).unwrap().offset() as usize;
        let mut follower = Follower::new(Cursor::new(bytes[..begin].to_vec()), Options::new()).unwrap();
        let mut found: Vec<Vec<Vec<String>>> = vec![];
        for byte in &bytes[begin..] {
            follower.get_mut().get_mut().push(*byte);
            while let Some(news) = follower.poll().unwrap() {
                if news.page == found.len() {
                    found.push(vec![vec![]; news.content.columns().len()]);
                }
                for (all, new) in found[news.page].iter_mut().zip(news.content.columns()) {
                    assert_eq!(all.len() as u64, news.first_row);
                    all.extend(part(new, 0, usize::MAX));
                }
            }
        }
        let expected: Vec<Vec<_>> =
            whole.iter().map(|p| p.columns().iter().map(|c| part(c, 0, usize::MAX)).collect()).collect();
        assert_eq!(found, expected, "{name}");
    }
}

/// Rows of a file, by the header's description and the columns of any run-time layout.
#[test]
fn the_description_of_a_row_is_what_the_rows_are() {
    let mut seen = 0;
    for (name, bytes) in sound() {
        let header = Options::new().slice(&bytes).unwrap().header().clone();
        let ten =
            |c: &binfmt::formats::sdds::Column| c.data_type == binfmt::formats::sdds::DataType::LongDouble;
        if header.mode == Mode::Ascii
            || header.column_major
            || header.columns.iter().any(ten)
            || header.columns.is_empty()
        {
            continue;
        }
        let plan = Plan::new(&header.description()).unwrap();
        for page in pages(Options::new().slice(&bytes).unwrap()) {
            let mut rows = Header::new(Mode::Binary);
            (rows.columns, rows.endian) = (header.columns.clone(), header.endian);
            let columns = page.columns().to_vec();
            let alone = Page::new(&rows, [], [], columns).unwrap();
            let options = binfmt::Options::new().endian(rows.byte_order());
            let bytes = binfmt::to_vec_with(&alone, &options.ctx(&rows)).unwrap();
            let found = plan.decode_with(&bytes[4..], &options).unwrap();
            assert_eq!(
                format!("{found:?}"),
                format!("{:?}", alone.clone().into_batch(&rows).unwrap()),
                "{name}"
            );
            for (elements, (_, column)) in alone.columns().iter().zip(found.iter()) {
                assert_eq!(
                    format!("{:?}", Elements::try_from(column.clone()).unwrap()),
                    format!("{elements:?}")
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 20);
    assert!(Elements::try_from(Column::from(vec![true])).is_err());
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Particle {
    id: u64,
    #[binfmt(length_prefixed(i32))]
    name: String,
    x: f64,
    charge: i16,
}

#[test]
fn structs_there_and_back() {
    let particles: Vec<Particle> = (0..10_000u16)
        .map(|i| Particle {
            id: u64::from(i) << 40,
            name: format!("p{i}"),
            x: f64::from(i) / 3.0,
            charge: -(i as i16),
        })
        .collect();
    for (mode, endian, column_major) in [
        (Mode::Binary, Endian::Little, false),
        (Mode::Binary, Endian::Big, true),
        (Mode::Ascii, Endian::Little, false),
    ] {
        let mut header = Header::new(mode);
        header.columns = Header::columns_of::<Particle>().unwrap();
        // the order of the columns is the file's own
        header.columns.reverse();
        header.column_major = column_major;
        header.endian = (mode == Mode::Binary).then_some(endian);
        let columns = Elements::of_rows(&header, &particles).unwrap();
        let page = Page::new(&header, [], [], columns).unwrap();
        let mut writer = Writer::new(Vec::new(), header).unwrap();
        writer.write_page(&page).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Options::new().reader(&file[..]).unwrap().columns_of::<Particle>().unwrap();
        let page = reader.next_page().unwrap().unwrap();
        assert_eq!(page.rows_as::<Particle>(reader.header()).unwrap(), particles);
    }
}

#[test]
fn a_struct_that_does_not_fit() {
    let file = b"SDDS1\n&column name=id, type=long &end\n&column name=x, type=double &end\n&data mode=ascii &end\n1\n1 2\n";
    let e = Options::new().slice(file).unwrap().columns_of::<Particle>().unwrap_err();
    let text = e.to_string();
    for line in
        ["id: struct has u64, file has long (i32)", "name: ", "charge: struct has i16, file has nothing"]
    {
        assert!(text.contains(line), "{text}");
    }
}

/// A page without rows is one, also at the end and where pages are added after it.
#[test]
fn pages_without_rows_that_nobody_counts() {
    let rows = |n: i32| Elements::from((0..n).collect::<Vec<i32>>());
    for labelled in [false, true] {
        let mut header = Header::new(Mode::Ascii);
        header.no_row_counts = true;
        header.columns.push(binfmt::formats::sdds::Column::new("x", DataType::Long));
        if labelled {
            header.parameters.push(binfmt::formats::sdds::Parameter::new("n", DataType::Long));
        }
        let page = |n| Page::new(&header, labelled.then_some(Value::from(n)), [], [rows(n)]).unwrap();
        for counts in [&[0][..], &[0, 0], &[2, 0], &[0, 3], &[2, 0, 0, 1, 0]] {
            let mut writer = Writer::new(Vec::new(), header.clone()).unwrap();
            counts.iter().for_each(|n| writer.write_page(&page(*n)).unwrap());
            let file = writer.finish().unwrap();
            let found = |file: &[u8]| {
                pages(Options::new().slice(file).unwrap()).iter().map(|p| p.rows() as i32).collect::<Vec<_>>()
            };
            assert_eq!(found(&file), counts, "{}", file.escape_ascii());
            assert_eq!(binfmt::to_vec(&binfmt::from_slice::<File>(&file).unwrap()).unwrap(), file);
            let mut writer = Writer::append(Cursor::new(file), Options::new()).unwrap();
            writer.write_page(&page(1)).unwrap();
            let file = writer.finish().unwrap().into_inner();
            assert_eq!(found(&file), [counts, &[1]].concat(), "{}", file.escape_ascii());
        }
        let none = Writer::new(Vec::new(), header.clone()).unwrap().finish();
        let file = binfmt::to_vec(&File { header: header.clone(), pages: vec![] });
        for e in [none.map(drop).err(), file.map(drop).err()] {
            // where a page has more than rows, its absence can be seen
            let text = e.map(|e| e.to_string());
            assert_eq!(text.is_none(), labelled, "{text:?}");
            assert!(text.is_none_or(|text| text.contains("`no_row_counts` and no page")));
        }
    }
}

/// A file that counts the bytes that are read from it.
struct Counted {
    file: Cursor<Vec<u8>>,
    read: usize,
}

impl Read for Counted {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let n = self.file.read(to)?;
        self.read += n;
        Ok(n)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

/// A log that grows for long is read once, and not from its beginning for every few rows; also where its number of rows
/// grows with it, and when it is closed.
#[test]
fn only_what_is_new_is_read() {
    const POLLS: i32 = 300;
    const ROWS: i32 = 10;
    let strings = "&column name=s, type=string &end\n";
    for (ascii, strings, states) in [
        (false, "", "all"),
        (false, "", "some"),
        (false, strings, "all"),
        (false, strings, "some"),
        (true, strings, "all"),
        (true, strings, "none"),
    ] {
        let said = match (ascii, states) {
            (false, _) => "mode=binary",
            (true, "none") => "mode=ascii, no_row_counts=1",
            (true, _) => "mode=ascii",
        };
        let header = format!(
            "SDDS1\n!# little-endian fixed-rowcount\n&parameter name=p, type=long &end\n\
             &column name=n, type=long &end\n{strings}&data {said} &end\n"
        );
        let mut head = header.clone().into_bytes();
        let count_at = head.len() + if ascii { 2 } else { 0 };
        let count = |n: i32| if ascii { format!("{n:8}\n").into_bytes() } else { n.to_le_bytes().to_vec() };
        match (ascii, states) {
            (true, "none") => head.extend(b"7\n"),
            (true, _) => head.extend([b"7\n".to_vec(), count(POLLS * ROWS + 500)].concat()),
            (false, _) => head.extend([count(POLLS * ROWS + 500), count(7)].concat()),
        }
        let mut follower =
            Follower::new(Counted { file: Cursor::new(head), read: 0 }, Options::new()).unwrap();
        let mut found = vec![];
        for poll in 0..POLLS {
            let file = follower.get_mut().file.get_mut();
            for n in poll * ROWS..(poll + 1) * ROWS {
                let text = "x".repeat(n as usize % 7 + 1);
                match (ascii, strings.is_empty()) {
                    (true, _) => file.extend(format!("{n} {text}\n").into_bytes()),
                    (false, true) => file.extend(n.to_le_bytes()),
                    (false, false) => {
                        file.extend([n.to_le_bytes(), (text.len() as i32).to_le_bytes()].concat());
                        file.extend(text.as_bytes());
                    }
                }
            }
            if states == "some" {
                // it says a few rows more than there are
                let stated = count((poll + 1) * ROWS + 3);
                file[count_at..count_at + stated.len()].copy_from_slice(&stated);
            }
            let news = follower.poll().unwrap().unwrap();
            assert_eq!((news.page, news.first_row, news.is_whole), (0, found.len() as u64, false));
            assert_eq!(news.content.parameters(), [Value::from(7i32)]);
            let Some(n) = news.content.columns()[0].as_slice::<i32>() else { panic!("{news:?}") };
            found.extend_from_slice(n);
            assert!(follower.poll().unwrap().is_none());
        }
        assert!(found.iter().copied().eq(0..POLLS * ROWS));
        let (size, read) = (follower.get_mut().file.get_ref().len(), follower.get_mut().read);
        assert!(read < 3 * size + POLLS as usize * 60, "{read} bytes of {size}: {said} {strings:?} {states}");
        if states != "none" {
            let stated = count(POLLS * ROWS);
            follower.get_mut().file.get_mut()[count_at..count_at + stated.len()].copy_from_slice(&stated);
            let news = follower.poll().unwrap().unwrap();
            assert!(news.is_whole && news.content.rows() == 0 && news.first_row == found.len() as u64);
            // and another page
            let page =
                if ascii { [b"8\n".to_vec(), count(0)].concat() } else { [count(0), count(8)].concat() };
            follower.get_mut().file.get_mut().extend(page);
            let news = follower.poll().unwrap().unwrap();
            assert_eq!((news.page, news.content.parameters()), (1, &[Value::from(8i32)][..]));
        }
    }
}

/// What is damaged after the rows that were handed out is told with its place.
#[test]
fn damage_in_a_file_that_grows() {
    let text = b"SDDS1\n&column name=x, type=long &end\n&data mode=ascii &end\n9\n1\n2\n".to_vec();
    let mut follower = Follower::new(Cursor::new(text), Options::new()).unwrap();
    assert_eq!(follower.poll().unwrap().unwrap().content.rows(), 2);
    follower.get_mut().get_mut().extend(b"3\nx\n");
    for _ in 0..2 {
        let e = follower.poll().unwrap_err().to_string();
        assert_eq!(e, "pages[0].table[3] at byte 0x43: line 5 of the data: column `x`: `x` is not a long");
    }
    let mut bytes =
        b"SDDS1\n!# little-endian\n&column name=s, type=string &end\n&data mode=binary &end\n".to_vec();
    bytes.extend([9, 0, 0, 0, 1, 0, 0, 0, b'a']);
    let mut follower = Follower::new(Cursor::new(bytes), Options::new()).unwrap();
    assert_eq!(follower.poll().unwrap().unwrap().content.rows(), 1);
    follower.get_mut().get_mut().extend([255; 4]);
    let e = follower.poll().unwrap_err().to_string();
    assert_eq!(e, "pages[0].table[1].s at byte 0x58: -1 is not a valid length");
}

/// Pages that would write nothing cannot be counted in ascii.
#[test]
fn pages_that_write_nothing() {
    let header = |mode| {
        let mut header = Header::new(mode);
        let fixed = binfmt::formats::sdds::Parameter::new("n", DataType::Long).fixed_value("3");
        header.parameters.push(fixed);
        header
    };
    for pages in 0..4 {
        for header in [Header::new(Mode::Ascii), header(Mode::Ascii), header(Mode::Binary)] {
            let page = Page::new(&header, [], [], []).unwrap();
            let mut writer = Writer::new(Vec::new(), header.clone()).unwrap();
            (0..pages).for_each(|_| writer.write_page(&page).unwrap());
            let file = File { header: header.clone(), pages: vec![page; pages] };
            match writer.finish() {
                Ok(bytes) => {
                    assert!(pages == 1 || header.mode == Mode::Binary);
                    assert_eq!(self::pages(Options::new().slice(&bytes).unwrap()).len(), pages);
                    assert_eq!(binfmt::to_vec(&file).unwrap(), bytes);
                }
                Err(e) => {
                    assert!(pages != 1 && header.mode == Mode::Ascii);
                    assert!(e.to_string().contains(&format!("has one page, and not {pages}")), "{e}");
                    assert_eq!(binfmt::to_vec(&file).unwrap_err().kind().to_string(), e.kind().to_string());
                }
            }
        }
    }
}
