//! Everything that reads ends when its reader fails, and does not ask a reader again that has failed.

use crate::support::failing::Failing;
use binfmt::columns::Plan;
use binfmt::dump::{self, PartOptions};
use binfmt::formats::packed::{Compression, Packed, Unpacked};
use binfmt::formats::{futhark, scidb, sdds};
use binfmt::schema::Description;
use binfmt::storage::Storage;
use binfmt::table::{Section, Settings, Table, Wanted};
use binfmt::value::{Program, Value};
use binfmt::wire::{Cursor, Stream};
use binfmt::{BinFormat, Options, TypedColumns};
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::sync::Arc;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Row {
    n: u16,
    #[binfmt(length_prefixed(u8))]
    text: String,
}

#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct File {
    #[binfmt(ends(b"\n"))]
    title: String,
    #[binfmt(until_eof)]
    rows: Vec<Row>,
}

#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Placed {
    at: u8,
    #[binfmt(at(file) = at)]
    there: [u8; 4],
}

/// Reads all that comes: some values, then one error and the end.
#[track_caller]
fn ends<T, E: Debug>(items: impl IntoIterator<Item = Result<T, E>>) {
    let all: Vec<bool> = items.into_iter().take(10_000).map(|item| item.is_ok()).collect();
    assert!(all.iter().filter(|is_ok| !**is_ok).count() == 1 && all.last() == Some(&false), "{all:?}");
}

/// The bytes, cut anywhere, and every way to fail after them.
fn cut(bytes: &[u8]) -> impl Iterator<Item = Failing> + '_ {
    (0..bytes.len()).step_by(1 + bytes.len() / 40).flat_map(|n| Failing::all(&bytes[..n]))
}

const ROW: &str = "record, le\n  n: u16\n  text: bytes, length_prefixed(u8)\n";

const FILE: &[u8] = b"title\n\x01\0\x03abc\x02\0\0\x03\0\x01x";

#[test]
fn typed_values() {
    for reader in cut(FILE) {
        binfmt::from_reader::<File>(reader.clone()).unwrap_err();
        let seen = |part: &dump::Trace| part.text(&dump::Style::new()).to_string().len() < usize::MAX;
        dump::trace_in_parts::<File, (), _>(reader.clone(), &Options::new(), PartOptions::new(), seen)
            .unwrap_err();
        let in_pieces = PartOptions::new().in_pieces().nodes(1);
        dump::trace_in_parts::<File, (), _>(reader.clone(), &Options::new(), in_pieces, seen).unwrap_err();
        for section in [Section::of::<File>(), Section::of::<Row>().rows(), Section::of::<File>().whole()] {
            section.trace(reader.clone(), (0, 0), PartOptions::new(), seen).unwrap_err();
            section.row_at(9, reader.clone()).unwrap();
        }
    }
    for reader in cut(&FILE[6..]) {
        ends(binfmt::records_from_reader::<Row, _>(reader.clone()));
        let traces: Vec<_> = dump::trace_reader::<Row, _>(reader.clone()).take(100).collect();
        assert!(traces.len() < 10 && traces.last().unwrap().error().is_some());
        RowColumns::from_reader(reader.clone(), &Options::new()).unwrap_err();
        let section = Section::described(&ROW.parse().unwrap()).unwrap().rows();
        section.row_at(9, reader).unwrap();
    }
    for reader in Failing::all(b"\x02a") {
        binfmt::from_seeker::<Placed>(reader).unwrap_err();
    }
}

#[test]
fn a_source_stays_failed() {
    for reader in Failing::all(b"abc") {
        let mut src = Stream::new(reader);
        assert_eq!(src.look(2).unwrap()[..2], *b"ab");
        let first = src.ensure(9).unwrap_err();
        for _ in 0..3 {
            let again = src.find(b'x').unwrap_err();
            assert_eq!(again.to_string(), first.to_string());
            assert!(src.skip(1 << 20).is_err() && src.look(10).is_err());
        }
        // what was read is there
        assert_eq!(src.array::<3>().unwrap(), *b"abc");
        assert!(src.at_end().is_err() && src.chunk().is_err());
    }
}

#[test]
fn columns_and_values_of_any_layout() {
    let layout: Description = ROW.parse().unwrap();
    let (plan, program) = (Plan::new(&layout).unwrap(), Program::new(&layout).unwrap());
    for reader in cut(&FILE[6..]) {
        let mut rows = plan.reader(reader.clone(), &Options::new());
        ends(std::iter::from_fn(|| rows.next_batch(1).transpose()));
        let mut rows = plan.reader(reader.clone(), &Options::new());
        rows.skip_rows(u64::MAX).unwrap_err();
        assert!(rows.next_batch(1).is_ok_and(|batch| batch.is_none()));
        ends(binfmt::records_from_reader_with::<Value, _, _>(reader, &Options::new().ctx(&program)));
    }
}

#[test]
fn scidb() {
    let format: scidb::Template = "(int16, string)".parse().unwrap();
    let bytes = [&[1, 0][..], &3u32.to_le_bytes(), b"ab\0", &[2, 0], &1u32.to_le_bytes(), b"\0"].concat();
    let (program, plan) =
        (Program::new(&format.description()).unwrap(), Plan::new(&format.description()).unwrap());
    for reader in cut(&bytes) {
        ends(scidb::Reader::new().cells_from_reader::<(u16, u32), _>(reader.clone()));
        ends(scidb::Reader::new().values_from_reader(reader.clone(), &program));
        let mut rows = scidb::Reader::new().columns_from_reader(reader, &plan);
        ends(std::iter::from_fn(|| rows.next_batch(1).transpose()));
    }
}

#[test]
fn futhark() {
    let binary = [b"b\x02\x01 i32\x02\0\0\0\0\0\0\0".as_slice(), &[7; 8]].concat();
    for bytes in [&binary[..], b"[1i8, 2i8] -- more\n true [[1.5]] "] {
        for reader in cut(bytes) {
            ends(futhark::values_from_reader(reader.clone()));
            ends(futhark::pieces_from_reader(reader.clone()));
            ends(futhark::pieces_from_reader(reader.clone()).with_outlines(reader.clone()));
            // which is read only as far as texts need it
            assert!(futhark::pieces_from_reader(bytes).with_outlines(reader.clone()).take(100).count() < 100);
            ends(futhark::outlines_from_reader(reader.clone()));
            futhark::arguments_from_reader::<(i32, bool), _>(reader).unwrap_err();
        }
    }
}

/// Two pages, as text and as bytes.
fn pages() -> [Vec<u8>; 2] {
    let head = "&parameter name=p, type=long &end\n&column name=s, type=string &end\n&column name=x, type=short &end\n";
    let text = format!("SDDS1\n{head}&data mode=ascii &end\n1\n2\na 1\nb 2\n2\n1\nc 3\n");
    let page =
        [&2u32.to_le_bytes()[..], &[7, 0, 0, 0, 1, 0, 0, 0, b'a', 1, 0, 1, 0, 0, 0, b'b', 2, 0]].concat();
    let head = format!("SDDS1\n!# little-endian\n{head}&data mode=binary &end\n");
    [text.into_bytes(), [head.into_bytes(), page.clone(), page].concat()]
}

#[test]
fn sdds_pages() {
    for bytes in pages() {
        for reader in cut(&bytes) {
            let open = sdds::Options::new;
            if let Ok(pages) = open().reader(reader.clone()) {
                ends(pages);
            }
            if let Ok(pages) = open().packed(reader.clone()) {
                ends(pages);
            }
            if let Ok(pages) = open().seekable(reader.clone()) {
                ends(pages);
            }
            if let Ok(mut pages) = open().reader(reader.clone()) {
                ends(std::iter::from_fn(|| match pages.next_rows(1).transpose() {
                    None => pages.begin_page().map(|begun| begun.map(|start| start.content)).transpose(),
                    rows => rows,
                }));
                assert!(pages.skip_page().is_ok_and(|more| !more));
            }
            if let Ok(mut pages) = open().reader(reader) {
                ends(std::iter::from_fn(|| pages.skip_page().map(|more| more.then_some(())).transpose()));
            }
        }
    }
}

#[test]
fn what_is_unpacked_stays_failed() {
    for how in [Compression::None, Compression::Gzip, Compression::Xz] {
        let mut packed = Packed::new(Vec::new(), how).unwrap();
        packed.write_all(&pages()[1]).unwrap();
        let bytes = packed.finish().unwrap();
        for n in 0..bytes.len() {
            // cut off, and with a reader that fails there
            fails_again(Unpacked::new(&bytes[..n], u64::MAX), how == Compression::None);
            for reader in Failing::all(&bytes[..n]) {
                fails_again(Unpacked::new(reader, u64::MAX), false);
            }
        }
        let mut limited = Unpacked::new(&bytes[..], 10).unwrap();
        let e = limited.read_to_end(&mut Vec::new());
        assert_eq!(
            (e.is_ok(), limited.read(&mut [0]).is_ok()),
            (how == Compression::None, how == Compression::None)
        );
    }
}

fn fails_again(unpacked: io::Result<Unpacked<impl Read>>, may_be_whole: bool) {
    let Ok(mut unpacked) = unpacked else { return };
    let mut block = [0; 7];
    let first = loop {
        match unpacked.read(&mut block) {
            // bytes that say too little to be compressed
            Ok(0) => return,
            Ok(_) => {}
            Err(e) => break e,
        }
    };
    assert!(!may_be_whole);
    for _ in 0..3 {
        let again = unpacked.read(&mut block).unwrap_err();
        assert_eq!((again.kind(), again.to_string()), (first.kind(), first.to_string()));
    }
}

/// One file that fails from a byte on, each time it is asked.
#[derive(Debug)]
struct Fails(Vec<u8>, usize, io::ErrorKind);

impl Storage for Fails {
    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn size(&self, _: &str) -> io::Result<Option<u64>> {
        Ok(Some(self.0.len() as u64))
    }

    fn read(&self, _: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).unwrap();
        if from + out.len() > self.1 {
            return Err(io::Error::new(self.2, "the disk is gone"));
        }
        out.copy_from_slice(&self.0[from..from + out.len()]);
        Ok(())
    }

    fn read_some(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(self.1.saturating_sub(usize::try_from(offset).unwrap())).max(1);
        self.read(path, offset, &mut out[..n])?;
        Ok(n)
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[test]
fn tables() {
    let npy = [
        b"\x93NUMPY\x01\0\x46\0".as_slice(),
        format!("{:<69}\n", "{'descr': '<i4', 'fortran_order': False, 'shape': (20,), }").as_bytes(),
        &[7; 80],
    ]
    .concat();
    let files: [(&str, Vec<u8>); 6] = [
        ("x.csv", "a,b\n".bytes().chain("1,x\n".bytes().cycle().take(800)).collect()),
        ("x.jsonl", "{\"a\":1}\n".repeat(100).into_bytes()),
        ("x.npy", npy),
        ("x.sdds", pages()[0].clone()),
        ("x.sdds", pages()[1].clone()),
        ("x.in", [b"b\x02\x01 i32\x20\0\0\0\0\0\0\0".as_slice(), &[7; 128]].concat()),
    ];
    for (name, bytes) in files {
        for kind in [io::ErrorKind::Other, io::ErrorKind::Interrupted] {
            for n in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
                let storage: Arc<dyn Storage> = Arc::new(Fails(bytes.clone(), n, kind));
                let Ok(table) = binfmt::open_in(binfmt::FORMATS, storage, name, None, &Settings::new())
                else {
                    continue;
                };
                reads_to_an_end(&table);
            }
        }
    }
}

fn reads_to_an_end(table: &Arc<dyn Table>) {
    let wanted = Wanted::new().batch_rows(3);
    let count = |read: &mut dyn Iterator<Item = bool>| {
        let all: Vec<bool> = read.take(10_000).collect();
        assert!(all.iter().filter(|is_ok| !**is_ok).count() <= 1 && all.len() < 1_000, "{all:?}");
    };
    for split in table.splits(&wanted, 2).unwrap_or_default() {
        if let Ok(batches) = Arc::clone(table).read(&split, &wanted) {
            count(&mut batches.map(|batch| batch.is_ok()));
        }
        if let Ok(tasks) = Arc::clone(table).tasks(&split, &wanted) {
            count(&mut tasks.flat_map(|task| task()).map(|batch| batch.is_ok()));
        }
    }
    if let Ok(batches) = Arc::clone(table).batches(&wanted) {
        count(&mut batches.map(|batch| batch.is_ok()));
    }
}
