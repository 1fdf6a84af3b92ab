//! A file: from a slice, in pieces and through the unpacking reader it has the same pages, and it is read again when
//! written.

use crate::targets::shared::agree::same;
use crate::targets::shared::input::Pieces;
use binfmt::formats::sdds::{Header, Options, Page, PageError, Writer};

const PAGES: usize = 50;

pub fn run(data: &[u8]) {
    let open = || Options::new().max_memory(1 << 20).max_unpacked(1 << 20);
    if let Ok(mut reader) = open().packed(data) {
        let _ = pages(|| reader.next_page());
    }
    let Ok(mut reader) = open().slice(data) else {
        assert!(open().reader(Pieces::new(data)).is_err(), "a stream opens what a slice does not");
        return;
    };
    let (read, end) = pages(|| reader.next_page());
    let header = reader.header().clone();
    let mut stream = open().reader(Pieces::new(data)).expect("a stream opens as a slice does");
    let (streamed, stream_end) = pages(|| stream.next_page());
    assert!(same(&streamed, &read), "{streamed:?}\nslice: {read:?}");
    assert_eq!(end, stream_end);
    if end == End::Whole {
        written(&header, &read);
    }
}

#[derive(Debug, PartialEq)]
enum End {
    Whole,
    /// There are more pages than are looked at.
    More,
    Damaged,
}

fn pages(mut next: impl FnMut() -> Result<Option<Page>, PageError>) -> (Vec<Page>, End) {
    let mut pages = Vec::new();
    loop {
        match next() {
            Ok(Some(page)) => pages.push(page),
            Ok(None) => return (pages, End::Whole),
            Err(e) => {
                let _ = (e.to_string(), e.recover());
                return (pages, End::Damaged);
            }
        }
        if pages.len() == PAGES {
            return (pages, End::More);
        }
    }
}

fn written(header: &Header, pages: &[Page]) {
    let Ok(mut writer) = Writer::new(Vec::new(), header.clone()) else { return };
    if pages.iter().any(|page| writer.write_page(page).is_err()) {
        return;
    }
    let Ok(out) = writer.finish() else { return };
    let shown = || String::from_utf8_lossy(&out).into_owned();
    let mut reader = Options::new().slice(&out).unwrap_or_else(|e| panic!("{e}\n{}", shown()));
    let (again, end) = self::pages(|| reader.next_page());
    assert!(same(&again, &pages.to_vec()), "{again:?}\nwas {pages:?}\n{}", shown());
    assert_ne!(end, End::Damaged, "{}", shown());
}
