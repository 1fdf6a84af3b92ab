//! Damaged files: the conformance kit on small files of each kind, and headers that ask for too much.

use crate::sdds::fixtures::folder;
use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::sdds::{File, Mode, Options};
use binfmt::{ErrorKind, Result};
use std::fs;
use std::io::{Read, Write};

struct Sdds;

impl Conformance for Sdds {
    type Value = File;

    fn name(&self) -> &str {
        "sdds"
    }

    fn samples(&self) -> Vec<Sample> {
        let names = [
            // the shortest of each kind: the kit tries every byte
            "hand/ascii_nrc",
            "hand/cm_2",
            "hand/order_mixed",
            "hand/rowcount64_be",
            "official/norowcounts_ascii",
            "official/linesperrow_ascii",
            "official/params_allfixed_le",
            "official/params_fixed_be",
            "official/strings_be_cm",
            "official/zerocols_arrays_le",
        ];
        let mut all: Vec<Sample> = names
            .iter()
            .map(|name| {
                let bytes = fs::read(folder().join(format!("{name}.sdds"))).unwrap();
                let sample = Sample::new(*name, bytes);
                if name.starts_with("hand/") { sample.not_canonical() } else { sample }
            })
            .collect();
        all.push(Sample::new("strings in rows", STRINGS));
        all.push(Sample::new("ascii arrays", ARRAYS));
        all
    }

    fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<File> {
        binfmt::from_slice(bytes)
    }

    fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<File> {
        binfmt::from_reader(reader)
    }

    fn encode(&self, _: &Sample, file: &File, out: &mut dyn Write) -> Result<()> {
        binfmt::to_writer(file, out).map(|_| ())
    }

    fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace::<File>(bytes)]
    }

    /// After the header, with or without its last line feed, and after each page with up to three bytes more. Ascii
    /// pages have no end but that of the file: numbers and texts are whole when a byte of them is there.
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
        let mut reader = Options::new().slice(&sample.bytes).unwrap();
        let mut ends = vec![reader.offset() as usize];
        let header = ends[0];
        if reader.header().mode == Mode::Ascii {
            return len + 1 >= header
                && binfmt::from_slice::<File>(&sample.bytes[..len.min(sample.bytes.len())]).is_ok();
        }
        while reader.skip_page().unwrap() {
            ends.push(reader.offset() as usize);
        }
        len + 1 == header || ends.iter().any(|end| (*end..end + 4).contains(&len))
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }

    /// The version does not matter: the lowest that will do is written.
    fn same(&self, a: &File, b: &File) -> bool {
        let (mut a, mut b) = (a.clone(), b.clone());
        for file in [&mut a, &mut b] {
            file.header.version = file.header.required_version();
        }
        format!("{a:?}") == format!("{b:?}")
    }
}

const STRINGS: &[u8] = b"SDDS1\n!# big-endian\n\
    &description text=\"of strings\", contents=\"\", &end\n\
    &column name=a, units=\"$gm$rm\", type=string,  &end\n\
    &column name=n, type=short,  &end\n\
    &data mode=binary, &end\n\
    \0\0\0\x02\0\0\0\x01a\0\x01\0\0\0\0\0\x02";

const ARRAYS: &[u8] = b"SDDS1\n&parameter name=s, type=string, &end\n\
    &array name=a, group_name=g, type=short, dimensions=2,  &end\n\
    &data mode=ascii, &end\n! page number 1\n\"a b\"\n2 2           ! 2-dimensional array a:\n1 2 3 4\n";

#[test]
fn conformance() {
    let report = check(&Sdds);
    assert!(report.is_ok(), "{report}");
}

/// The file is refused without much memory, from memory and from a stream.
fn refused(text: &str, page: &[u8]) {
    let file = [text.as_bytes(), page].concat();
    for stream in [false, true] {
        let mut e = None;
        let (_, memory, _) = memory_of(|| {
            let read =
                if stream { binfmt::from_reader::<File>(&file[..]) } else { binfmt::from_slice(&file) };
            e = read.err();
        });
        assert!(e.is_some(), "{text}");
        assert!(memory < 300 << 10, "{memory} bytes for {text}");
    }
}

#[test]
fn counts_that_lie() {
    let columns = "SDDS1\n!# little-endian\n&column name=x, type=double &end\n";
    let most = [0, 0, 0, 0x80, 255, 255, 255, 255, 255, 255, 255, 0x7f];
    for page in [&[255, 255, 255, 0x7f][..], &most] {
        refused(&format!("{columns}&data mode=binary &end\n"), page);
        refused(&format!("{columns}&data mode=binary, column_major_order=1 &end\n"), page);
        refused(&format!("{columns}&column name=s, type=string &end\n&data mode=binary &end\n"), page);
        refused(
            &format!(
                "{columns}&column name=s, type=string &end\n&data mode=binary, column_major_order=1 &end\n"
            ),
            page,
        );
    }
    let array =
        "SDDS1\n!# little-endian\n&array name=a, type=string, dimensions=3 &end\n&data mode=binary &end\n";
    refused(array, &[[0, 0, 0, 0].as_slice(), &[255, 255, 255, 0x7f].repeat(3)].concat());
    refused(&array.replace("=3", "=2147483647"), &[0, 0, 0, 0, 1, 0, 0, 0]);
    refused(
        "SDDS1\n&array name=a, type=long, dimensions=2 &end\n&data mode=ascii &end\n9999999999 99999999999\n1\n",
        b"",
    );
    refused("SDDS1\n&column name=a, type=long &end\n&data mode=ascii &end\n9223372036854775807\n1\n", b"");
}

#[test]
fn pages_without_rows_cannot_fill_the_memory() {
    let columns: String = (0..500).map(|i| format!("&column name=c{i}, type=string &end\n")).collect();
    let file = format!("SDDS1\n!# little-endian\n{columns}&data mode=binary &end\n{}", "\0".repeat(20_000));
    let mut found = None;
    let (_, memory, _) = memory_of(|| found = binfmt::from_slice::<File>(file.as_bytes()).err());
    assert!(found.unwrap().to_string().contains("too many pages without rows"));
    assert!(memory < 10 << 20, "{memory}");
    // one after the other they may be any number
    assert_eq!(Options::new().slice(file.as_bytes()).unwrap().map(Result::unwrap).count(), 5000);
}

#[test]
fn a_limit_on_memory() {
    let file = fs::read(folder().join("official/numeric_le_rm.sdds")).unwrap();
    let e = Options::new().max_memory(100).slice(&file).unwrap().next_page().unwrap_err();
    assert!(matches!(e.error().kind(), ErrorKind::MemoryLimit { .. }), "{e}");
}

#[test]
fn texts_of_ascii_pages_count_against_the_limit() {
    let long = "x".repeat(1000);
    let head = |definitions: &str| format!("SDDS1\n{definitions}&data mode=ascii &end\n");
    let column = "&column name=s, type=string &end\n";
    let lines = |line: &str| (0..100).map(|_| format!("{line}\n")).collect::<String>();
    for text in [
        format!("{}100\n{}", head(column), lines(&long)),
        // not as plain lines are read
        format!("{}100\n{}", head(column), lines(&format!("{long} ! comment"))),
        format!("{}{}", head("&parameter name=s, type=string &end\n"), "x".repeat(100_000)),
        format!("{}100\n{}", head("&array name=s, type=string &end\n"), lines(&long)),
    ] {
        let read = |limit| Options::new().max_memory(limit).slice(text.as_bytes()).unwrap().next_page();
        let e = read(90_000).unwrap_err();
        assert!(matches!(e.error().kind(), ErrorKind::MemoryLimit { .. }), "{e}: {}", &text[..60]);
        assert!(read(250_000).unwrap().is_some(), "{}", &text[..60]);
    }
}

#[test]
fn a_page_that_is_being_written() {
    let text = String::from_utf8(STRINGS[..STRINGS.len() - 17].to_vec()).unwrap();
    let text = text.replace("!# big-endian\n", "!# big-endian\n!# fixed-rowcount\n");
    let rows = &STRINGS[STRINGS.len() - 13..];
    for (cut, whole) in [(rows.len(), 2), (rows.len() - 1, 1), (7, 1), (6, 0), (0, 0)] {
        let file = [text.as_bytes(), &[0, 0, 0, 9], &rows[..cut]].concat();
        let from_memory: File = binfmt::from_slice(&file).unwrap();
        assert_eq!(from_memory.pages[0].rows(), whole);
        assert_eq!(binfmt::from_reader::<File>(&file[..]).unwrap(), from_memory);
        let mut reader = Options::new().slice(&file).unwrap();
        assert!(reader.next_page().unwrap().is_some() && reader.is_cut());
        assert!(reader.next_page().unwrap().is_none());
    }
}

#[test]
fn damaged_compressed_files() {
    for name in ["cm.sdds.gz", "rm.sdds.xz", "rm.sdds.lzma"] {
        let bytes = fs::read(folder().join("packed").join(name)).unwrap();
        for at in (0..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            for file in [&changed[..], &bytes[..at]] {
                // an error or, in a part that nothing checks, another page: no panic, and memory for the dictionary only
                let (_, memory, _) = memory_of(|| {
                    if let Ok(reader) = Options::new().packed(file) {
                        let _ = reader.count();
                    }
                });
                assert!(memory < 140 << 20, "{name}, byte {at}: {memory}");
            }
        }
    }
}

#[test]
fn more_lines_in_a_row_than_columns() {
    let file = b"SDDS1\n&column name=x, type=long &end\n&data mode=ascii, lines_per_row=2 &end\n1\n5\n\n";
    let e = Options::new().slice(file).unwrap().next_page().unwrap_err();
    assert!(e.to_string().contains("`lines_per_row` is 2, larger than the number of columns"), "{e}");
}

/// A command whose end is damaged does not take the rest of the file with it: neither memory, nor a search from its beginning
/// for each line.
#[test]
fn a_command_without_an_end() {
    let mut bytes = b"SDDS1\n&column name=x, type=short &emd\n&data mode=binary &emd\n".to_vec();
    bytes.resize(bytes.len() + (20 << 20), b'\n');
    for text in [&b"&column"[..], b"&parameter name=\"x"] {
        bytes[6..6 + text.len()].copy_from_slice(text);
        let (read, peak, _) = memory_of(|| Options::new().slice(&bytes).map(drop));
        let e = read.unwrap_err().to_string();
        assert!(e.contains("header line 2, column 1: this command has no `&end`"), "{e}");
        assert!(peak < 32 << 20, "{peak} bytes");
    }
}

#[test]
fn an_end_without_a_command() {
    for text in ["SDDS1\n&end\n", "SDDS1\n&column name=x, type=short &end\n&end\n&data mode=binary &end\n"] {
        let e = Options::new().slice(text.as_bytes()).unwrap_err().to_string();
        assert!(e.contains("column 1: `&end` without a command before it"), "{e}");
    }
}

/// Nor do many names: each is looked for once.
#[test]
fn names_by_the_ten_thousand() {
    let columns = (0..40_000).map(|i| format!("&column name=c{i}, type=short &end\n"));
    let mut text = format!("SDDS1\n{}", columns.collect::<String>());
    let header =
        Options::new().slice(format!("{text}&data mode=binary &end\n").as_bytes()).unwrap().header().clone();
    assert_eq!(header.columns.len(), 40_000);
    text.push_str("&column name=c7, type=long &end\n");
    let e = Options::new().slice(text.as_bytes()).unwrap_err().to_string();
    assert!(e.contains("header line 40002, column 14: there is another column `c7`"), "{e}");
}

/// What is verified is what is read, of every fixture and of every part of one, and nothing of it is kept.
#[test]
fn verifying_finds_what_reading_finds() {
    let mut num = 0;
    let mut unclosed = 0;
    for (name, file, _) in crate::sdds::fixtures::cases() {
        for cut in [0, 1, 7] {
            let bytes = &file[..file.len().saturating_sub(cut)];
            let open = || Options::new().packed(bytes);
            let Ok(mut reader) = open() else { continue };
            let (mut pages, mut rows) = (0, 0);
            let read = loop {
                match reader.next_page() {
                    Ok(None) => break Ok(()),
                    Ok(Some(page)) => (pages, rows) = (pages + 1, rows + page.rows()),
                    Err(e) => break Err(e.to_string()),
                }
            };
            let verified = open().unwrap().columns(&[]).unwrap().rows(0..1).verify();
            match (read, verified) {
                (Ok(()), Ok(verified)) => {
                    assert_eq!((verified.pages, verified.rows), (pages, rows), "{name}");
                    assert_eq!(verified.bytes, reader.offset());
                    assert_eq!(verified.unclosed.map(|last| last.stated), reader.stated_rows());
                    unclosed += u32::from(verified.unclosed.is_some());
                    num += 1;
                }
                (Err(read), Err(verified)) => {
                    let place = |e: &str| e.split('.').next().unwrap_or_default().to_owned();
                    assert_eq!(place(&verified.to_string()), place(&read), "{name}");
                }
                (read, verified) => panic!("{name}: {read:?}, {verified:?}"),
            }
        }
    }
    assert!(num > 20 && unclosed > 0, "{num} files, {unclosed} that are not closed");
}
