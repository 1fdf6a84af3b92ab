//! Pages that are longer than any block: the ways past the blocks give what the plain ones give, and take no more memory than
//! the columns.

use crate::support::memory::memory_of;
use binfmt::Endian;
use binfmt::formats::sdds::{
    Column, ColumnBlocks, DataType, Elements, Header, Mode, Options, Page, Value, Writer, X87,
};
use std::fs;
use std::io::Read;

const ROWS: usize = 70_000;

/// A reader that gives a different number of bytes each time.
struct Uneven<'a>(&'a [u8], usize);

impl Read for Uneven<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.1 = (self.1 * 31 + 7) % 9973;
        let n = (self.1 + 1).min(out.len());
        self.0.read(&mut out[..n])
    }
}

fn columns(strings: bool) -> Vec<Elements> {
    let rows = 0..ROWS as u32;
    let mixed = |i: u32| i.wrapping_mul(0x9e37_79b9);
    let mut all = vec![
        Elements::from(rows.clone().map(|i| f64::from(mixed(i)) / 3.0).collect::<Vec<_>>()),
        Elements::from(rows.clone().map(|i| mixed(i) as i16).collect::<Vec<_>>()),
        Elements::from(rows.clone().map(mixed).collect::<Vec<_>>()),
        Elements::from(rows.clone().map(|i| i as u8).collect::<Vec<_>>()),
    ];
    if strings {
        // of every length, some longer than a block
        let text =
            |i: u32| vec![b'a' + (i % 26) as u8; if i == 7777 { 100_000 } else { (mixed(i) >> 27) as usize }];
        all.insert(1, Elements::strings(rows.map(text)));
    }
    all
}

/// Two pages of the same columns.
fn file(columns: &[Elements], endian: Endian, column_major: bool) -> Vec<u8> {
    let mut header = Header::new(Mode::Binary);
    let named = |(i, c): (usize, &Elements)| Column::new(format!("c{i}"), c.data_type().unwrap());
    header.columns = columns.iter().enumerate().map(named).collect();
    (header.endian, header.column_major) = (Some(endian), column_major);
    let page = Page::new(&header, [], [], columns.to_vec()).unwrap();
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    writer.write_page(&page).unwrap();
    writer.write_page(&page).unwrap();
    writer.finish().unwrap()
}

fn arrangements() -> impl Iterator<Item = (bool, Endian, bool)> {
    (0..8).map(|i| (i & 1 != 0, if i & 2 != 0 { Endian::Big } else { Endian::Little }, i & 4 != 0))
}

fn decoded_size(columns: &[Elements]) -> usize {
    let size = |c: &Elements| match c {
        Elements::String(v) => v.items().len() + size_of::<usize>() * v.len(),
        other => other.len() * other.data_type().unwrap().size().unwrap(),
    };
    columns.iter().map(size).sum()
}

#[test]
fn long_pages_from_everywhere() {
    for (strings, endian, column_major) in arrangements() {
        let columns = columns(strings);
        let bytes = file(&columns, endian, column_major);
        let path = std::env::temp_dir().join(format!("binfmt-large-{}.sdds", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        let all = [
            Options::new()
                .slice(&bytes)
                .unwrap()
                .map(|page| page.unwrap().into_columns())
                .collect::<Vec<_>>(),
            Options::new()
                .reader(Uneven(&bytes, 0))
                .unwrap()
                .map(|page| page.unwrap().into_columns())
                .collect(),
            Options::new().file(&path).unwrap().map(|page| page.unwrap().into_columns()).collect(),
        ];
        for pages in all {
            assert!(
                pages.len() == 2 && pages.iter().all(|page| *page == columns),
                "{endian:?} {column_major}"
            );
        }
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn ranges_of_long_pages() {
    for (strings, endian, column_major) in arrangements() {
        let whole = columns(strings);
        let bytes = file(&whole, endian, column_major);
        for (from, to) in [(0, 1), (7000, 7800), (69_000, 400_000), (23_456, 54_567)] {
            let mut reader = Options::new().reader(Uneven(&bytes, 3)).unwrap().rows(from as u64..to as u64);
            let first = reader.next_page().unwrap().unwrap();
            assert_eq!(first, reader.next_page().unwrap().unwrap());
            for (part, whole) in first.columns().iter().zip(&whole) {
                assert_eq!(part.len(), to.min(ROWS) - from);
                assert!(part.iter().eq(whole.iter().skip(from).take(to - from)));
            }
        }
    }
}

/// The whole rows before a cut are there, wherever it falls.
#[test]
fn cut_in_the_middle_of_a_long_page() {
    for (strings, endian, column_major) in arrangements() {
        let whole = columns(strings);
        let bytes = file(&whole, endian, column_major);
        let header = Options::new().slice(&bytes).unwrap().offset() as usize;
        let end = header + (bytes.len() - header) / 2;
        for cut in [header + 5, header + 40_000, header + 300_001, end - 70_000, end - 1] {
            let slice = Options::new().slice(&bytes[..cut]).unwrap().next_page().unwrap_err();
            let stream = Options::new().reader(Uneven(&bytes[..cut], 0)).unwrap().next_page().unwrap_err();
            for e in [slice, stream] {
                let offset = e.error().offset().unwrap() as usize;
                assert!(offset <= cut, "{e}");
                let Some(page) = e.recover() else {
                    assert!(column_major);
                    continue;
                };
                assert!(!column_major);
                let rows = page.rows() as usize;
                for (found, whole) in page.columns().iter().zip(&whole) {
                    assert!(found.len() == rows && found.iter().eq(whole.iter().take(rows)));
                }
                // and no whole row is lost: the next would not have fitted
                let row = |c: &Elements| match c.get(rows) {
                    Some(Value::String(text)) => 4 + text.as_bytes().len(),
                    _ => c.data_type().unwrap().size().unwrap(),
                };
                let before = file(&whole.iter().map(|c| first(c, rows)).collect::<Vec<_>>(), endian, false);
                let used = (before.len() - header) / 2;
                assert!(
                    header + used + whole.iter().map(row).sum::<usize>() > cut,
                    "{rows} rows up to {cut}"
                );
            }
        }
    }
}

fn first(column: &Elements, rows: usize) -> Elements {
    let mut part = column.clone();
    part.truncate(rows);
    part
}

/// The peak is the columns and little more, where the size of the file is known.
#[test]
fn memory_of_long_pages() {
    for (strings, endian, column_major) in arrangements() {
        let whole = columns(strings);
        let bytes = file(&whole, endian, column_major);
        let path = std::env::temp_dir().join(format!("binfmt-memory-{}.sdds", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        let (_, slice, _) = memory_of(|| Options::new().slice(&bytes).unwrap().next_page().unwrap());
        let (_, file, _) = memory_of(|| Options::new().file(&path).unwrap().next_page().unwrap());
        fs::remove_file(path).unwrap();
        let most = decoded_size(&whole) * 13 / 10;
        assert!(slice < most && file < most, "{slice} and {file} bytes of {most}: {endian:?} {column_major}");
        // nothing is taken that the caller has not allowed
        for limit in [1000, decoded_size(&whole) / 2] {
            let open = Options::new().max_memory(limit);
            assert!(open.slice(&bytes).unwrap().next_page().is_err());
            let (read, peak, _) = memory_of(|| open.reader(&bytes[..]).unwrap().next_page());
            assert!(read.is_err() && peak < 3 * limit + (300 << 10), "{peak} bytes within {limit}");
        }
    }
    let mut header = Header::new(Mode::Binary);
    header.columns.push(Column::new("x", DataType::Double));
    let page = Page::new(&header, [], [], [Elements::from(vec![0.5f64; ROWS])]).unwrap();
    // numbers that are their bytes are written without a copy, others block by block
    for endian in [Endian::Little, Endian::Big] {
        header.endian = Some(endian);
        header.column_major = true;
        let mut writer = Writer::new(std::io::sink(), header.clone()).unwrap();
        let (_, peak, _) = memory_of(|| writer.write_page(&page).unwrap());
        assert!(peak < 200 << 10, "{peak} bytes to write a page");
    }
}

/// A file whose size says that there are 2³⁶ rows, and which is nothing but a hole after the second of them: no memory is made
/// for the others before one of them has been read.
#[cfg(unix)]
#[test]
fn a_hole_is_no_content() {
    const ROWS: u64 = 1 << 36;
    for column_major in [false, true] {
        let mut header = Header::new(Mode::Binary);
        header.endian = Some(Endian::Little);
        header.column_major = column_major;
        header.columns = vec![Column::new("name", DataType::String)];
        let mut bytes = Writer::new(Vec::new(), header).unwrap().finish().unwrap();
        bytes.extend(i32::MIN.to_le_bytes());
        bytes.extend(ROWS.to_le_bytes());
        bytes.extend([1, 0, 0, 0, b'a', 255, 255, 255, 255]);
        let path = std::env::temp_dir().join(format!("binfmt-hole-{}.sdds", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_len(5 * ROWS).unwrap();
        let (read, peak, _) = memory_of(|| Options::new().file(&path).unwrap().next_page());
        fs::remove_file(path).unwrap();
        assert!(read.unwrap_err().to_string().contains("-1 is not a valid length"));
        assert!(peak < 1 << 20, "{peak} bytes");
    }
}

/// What is stepped over is not read: a page of a terabyte, nothing of which is stored, is looked at in no time.
#[cfg(unix)]
#[test]
fn a_hole_is_stepped_over() {
    const ROWS: u64 = 1 << 36;
    for (column_major, cut) in [(false, 0), (true, 0), (false, 5)] {
        let mut header = Header::new(Mode::Binary);
        header.endian = Some(Endian::Little);
        header.column_major = column_major;
        header.columns = vec![Column::new("x", DataType::Double), Column::new("n", DataType::Long64)];
        let mut bytes = Writer::new(Vec::new(), header).unwrap().finish().unwrap();
        bytes.extend(i32::MIN.to_le_bytes());
        bytes.extend(ROWS.to_le_bytes());
        let end = bytes.len() as u64 + ROWS * 16;
        let path = std::env::temp_dir().join(format!("binfmt-leap-{}.sdds", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        if file.set_len(end - cut).is_err() {
            println!("not run: the file system holds no file of a terabyte");
            return;
        }
        let begun = std::time::Instant::now();
        let mut reader = Options::new().file(&path).unwrap();
        let stepped = reader.skip_page();
        let pages = Options::new().file(&path).unwrap().rows(ROWS - 2..ROWS - 1).next_page();
        assert!(begun.elapsed().as_secs() < 5);
        fs::remove_file(&path).unwrap();
        if cut > 0 {
            let e = stepped.unwrap_err().to_string();
            let at = end - 16;
            assert_eq!(
                e,
                format!("pages[0].table[{}] at byte {at:#x}: 16 bytes needed, 11 remain", ROWS - 1)
            );
            continue;
        }
        assert!(stepped.unwrap() && reader.offset() == end);
        let page = pages.unwrap().unwrap();
        assert_eq!((page.rows(), &page.columns()[0]), (1, &Elements::from(vec![0.0f64])));
    }
}

#[test]
fn rows_of_columns_are_read_where_they_are() {
    for (endian, strings) in
        [(Endian::Little, false), (Endian::Big, false), (Endian::Little, true), (Endian::Big, true)]
    {
        let mut columns = columns(strings);
        columns.push(Elements::LongDouble((0..ROWS).map(|i| X87::from(i as f64)).collect()));
        let bytes = file(&columns, endian, true);
        let mut reader = Options::new().slice(&bytes).unwrap().columns(&[]).unwrap();
        let mut blocks = ColumnBlocks::of(reader.file_header()).unwrap().unwrap();
        let from = |bytes: &[u8], ranges: &mut [(u64, &mut [u8])]| {
            ranges.iter_mut().try_for_each(|(at, out)| {
                let found = bytes.get(*at as usize..).and_then(|rest| rest.get(..out.len()));
                out.copy_from_slice(found.ok_or(std::io::ErrorKind::UnexpectedEof)?);
                Ok(())
            })
        };
        while let Some(page) = reader.next_page().unwrap() {
            let page = (reader.rows_offset(), page.rows());
            for (rows, places) in [(69_990..70_000, vec![4, 3, 0]), (0..1, vec![1, 1]), (7..7, vec![2])] {
                let found = blocks.read(page, rows.clone(), &places, |ranges| from(&bytes, ranges)).unwrap();
                assert_eq!(found.rows(), rows.end - rows.start);
                for (column, place) in found.columns().iter().zip(places) {
                    for (i, row) in rows.clone().enumerate() {
                        assert_eq!(column.get(i), columns[place].get(row as usize), "{endian:?} {place}");
                    }
                }
            }
            for (rows, place) in [(5..70_001, 0), (70_001..70_002, 0), (0..1, columns.len())] {
                assert!(blocks.read(page, rows, &[place], |ranges| from(&bytes, ranges)).is_err());
            }
            let last = columns.len() - 1;
            // as many as fit, one after the other
            let (mut row, mut blocks_read) = (0, 0);
            while row < page.1 {
                let places = [last, 4, 1];
                let fetch = |ranges: &mut [(u64, &mut [u8])]| from(&bytes, ranges);
                let count = blocks.fitting(page, row..page.1, &places, fetch).unwrap();
                let found = blocks.read(page, row..row + count, &places, fetch).unwrap();
                for (column, place) in found.columns().iter().zip(places) {
                    assert_eq!(column.len() as u64, count);
                    for i in 0..count as usize {
                        assert_eq!(column.get(i), columns[place].get(row as usize + i), "{endian:?} {place}");
                    }
                }
                (row, blocks_read) = (row + count, blocks_read + 1);
            }
            assert_eq!(blocks_read > 1, strings, "{blocks_read}");
            let mut blocks = ColumnBlocks::of(reader.file_header()).unwrap().unwrap();
            let cut = blocks.read(page, 0..9, &[0], |ranges| from(&bytes[..200], ranges)).unwrap_err();
            assert_eq!(cut.to_string(), "the file has become shorter");
        }
    }
    let bytes = file(&columns(false), Endian::Little, false);
    let reader = Options::new().slice(&bytes).unwrap();
    assert!(ColumnBlocks::of(reader.file_header()).unwrap().is_none());
}
