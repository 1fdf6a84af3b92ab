//! Pages in blocks of rows are the pages, however long the blocks are, and are written as them.

use crate::sdds::fixtures::cases;
use binfmt::formats::sdds::{Elements, Header, Mode, Options, Page, Reader, Writer};
use binfmt::{Endian, Source};

/// All pages, or what is there before the error.
fn whole<'de>(mut reader: Reader<'de, impl Source<'de>>) -> (Vec<Page>, Option<String>) {
    let mut pages = Vec::new();
    loop {
        match reader.next_page() {
            Ok(Some(page)) => pages.push(page),
            Ok(None) => return (pages, None),
            Err(e) => {
                let text = e.to_string();
                pages.extend(e.recover().filter(|page| page.rows() > 0));
                return (pages, Some(text));
            }
        }
    }
}

fn joined(blocks: Vec<Page>) -> Option<(u64, Vec<Elements>)> {
    let rows = blocks.iter().map(Page::rows).sum();
    let mut all: Option<Vec<Elements>> = None;
    for block in blocks {
        match &mut all {
            None => all = Some(block.into_columns()),
            Some(all) => {
                for (to, from) in all.iter_mut().zip(block.columns()) {
                    from.iter().for_each(|value| to.push(value).unwrap());
                }
            }
        }
    }
    all.map(|all| (rows, all))
}

/// The same pages, read in blocks: parameters and arrays are compared on the way.
fn in_blocks<'de>(mut reader: Reader<'de, impl Source<'de>>, most: usize) -> (Vec<Page>, Option<String>) {
    let (mut pages, mut error) = (Vec::new(), None);
    while error.is_none() {
        let start = match reader.begin_page() {
            Ok(Some(start)) => start,
            Ok(None) => break,
            Err(e) => {
                error = Some(e.to_string());
                // of a page that is one block
                pages.extend(e.recover().filter(|page| page.rows() > 0));
                break;
            }
        };
        let mut blocks = Vec::new();
        loop {
            match reader.next_rows(most) {
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => break,
                Err(e) => {
                    error = Some(e.to_string());
                    break;
                }
            }
        }
        let header = reader.header();
        let columns = joined(blocks).map_or_else(|| start.content.columns().to_vec(), |(_, columns)| columns);
        if error.is_none() || columns.first().is_some_and(|column| !column.is_empty()) {
            let content = (start.content.parameters().to_vec(), start.content.arrays().to_vec());
            pages.push(Page::new(header, content.0, content.1, columns).unwrap());
        }
    }
    (pages, error)
}

/// What tells pages apart; NaN included.
fn shown(pages: &[Page]) -> Vec<String> {
    pages
        .iter()
        .map(|page| format!("{:?} {:?} {:?}", page.parameters(), page.arrays(), page.columns()))
        .collect()
}

#[test]
fn pages_come_in_blocks() {
    let mut damaged = 0;
    for (name, bytes, _) in cases() {
        let open = || Options::new().slice(&bytes);
        let Ok(reader) = open() else { continue };
        let (pages, error) = whole(reader);
        damaged += usize::from(error.is_some());
        for most in [1, 3, 1000] {
            for (found, source) in [
                (in_blocks(open().unwrap(), most), "memory"),
                (in_blocks(Options::new().reader(&bytes[..]).unwrap(), most), "a stream"),
            ] {
                assert_eq!(shown(&found.0), shown(&pages), "{name} in blocks of {most} from {source}");
                // a stream does not know how much is left
                if source == "memory" {
                    assert_eq!(found.1, error, "{name} in blocks of {most}");
                } else {
                    assert_eq!(found.1.is_some(), error.is_some(), "{name} in blocks of {most}");
                }
            }
        }
    }
    assert!(damaged > 10, "{damaged}");
}

#[test]
fn rows_are_chosen_among_blocks() {
    for (name, bytes, _) in cases() {
        let open = || Options::new().slice(&bytes).map(|reader| reader.rows(1..4));
        let Ok(reader) = open() else { continue };
        let (pages, None) = whole(reader) else { continue };
        assert_eq!(shown(&in_blocks(open().unwrap(), 2).0), shown(&pages), "{name}");
    }
}

#[test]
fn who_goes_on_with_the_next_page_leaves_rows_out() {
    for (name, bytes, _) in cases() {
        let Ok(reader) = Options::new().slice(&bytes) else { continue };
        let (pages, None) = whole(reader) else { continue };
        let mut reader = Options::new().slice(&bytes).unwrap();
        let mut count = 0;
        while reader.begin_page().unwrap().is_some() {
            reader.next_rows(1).unwrap();
            count += 1;
        }
        assert_eq!(count, pages.len(), "{name}");
    }
}

/// The file of these pages, written at once and in blocks.
fn written(header: &Header, pages: &[Page]) -> binfmt::Result<(Vec<u8>, Vec<u8>)> {
    let (mut whole, mut blocks) =
        (Writer::new(Vec::new(), header.clone())?, Writer::new(Vec::new(), header.clone())?);
    for page in pages {
        whole.write_page(page)?;
        blocks.begin_page(page, page.rows())?;
        let part = |column: &Elements, from: usize, n: usize| {
            let mut part = Elements::empty(column.data_type().unwrap());
            (from..from + n).for_each(|i| part.push(column.get(i).unwrap()).unwrap());
            part
        };
        let rows = page.rows() as usize;
        if header.mode == Mode::Binary && header.column_major {
            for column in page.columns() {
                for from in (0..rows).step_by(3) {
                    blocks.write_values(&part(column, from, 3.min(rows - from)))?;
                }
            }
        } else if !page.columns().is_empty() {
            for from in (0..rows).step_by(3) {
                let columns = page.columns().iter().map(|column| part(column, from, 3.min(rows - from)));
                let content = (page.parameters().to_vec(), page.arrays().to_vec());
                blocks.write_rows(&Page::new(header, content.0, content.1, columns.collect::<Vec<_>>())?)?;
            }
        }
    }
    Ok((whole.finish()?, blocks.finish()?))
}

#[test]
fn blocks_are_written_as_pages_are() {
    let mut seen = 0;
    for (name, bytes, _) in cases() {
        let Ok(reader) = Options::new().slice(&bytes) else { continue };
        let mut header = reader.header().clone();
        let (pages, None) = whole(reader) else { continue };
        for (mode, column_major) in [(Mode::Ascii, false), (Mode::Binary, false), (Mode::Binary, true)] {
            (header.mode, header.column_major) = (mode, column_major);
            header.endian = (mode == Mode::Binary).then_some(Endian::Big);
            if let Ok((whole, blocks)) = written(&header, &pages) {
                assert_eq!(blocks.escape_ascii().to_string(), whole.escape_ascii().to_string(), "{name}");
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn other_columns_of_the_next_page() {
    let head = "SDDS1\n!# little-endian\n&column name=x, type=short &end\n&column name=y, type=short &end\n&data mode=binary &end\n";
    let pages = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 10, 0, 1, 0, 0, 0, 2, 0, 20, 0];
    let file = [head.as_bytes(), &pages].concat();
    let mut reader = Options::new().slice(&file).unwrap().columns(&["x"]).unwrap();
    assert_eq!(reader.next_page().unwrap().unwrap().columns(), [Elements::from(vec![0i16])]);
    let mut reader = reader.columns(&["y"]).unwrap();
    assert_eq!(reader.next_page().unwrap().unwrap().columns(), [Elements::from(vec![10i16])]);
    let mut reader = reader.columns(&["x", "y"]).unwrap();
    let both = [Elements::from(vec![2i16]), Elements::from(vec![20i16])];
    assert_eq!(reader.next_page().unwrap().unwrap().columns(), both);
}

#[test]
fn pages_that_are_gone_to_are_those_that_were_passed() {
    for (name, bytes, _) in cases() {
        let Ok(mut reader) = Options::new().seekable(std::io::Cursor::new(&bytes)) else { continue };
        let (mut fronts, mut pages) = (vec![reader.page_front()], Vec::new());
        while let Ok(Some(page)) = reader.next_page() {
            pages.push(page);
            fronts.push(reader.page_front());
        }
        for (number, page) in pages.iter().enumerate().rev() {
            assert!(reader.go_to(&fronts[number]).unwrap(), "{name}");
            assert_eq!(reader.num_read(), number, "{name}");
            let again = reader.next_page().unwrap().unwrap();
            // NaN is what it was, too
            assert_eq!(format!("{again:?}"), format!("{page:?}"), "{name}");
        }
    }
}
