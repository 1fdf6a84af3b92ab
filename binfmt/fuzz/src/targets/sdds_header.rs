//! A header: written and read again it says the same, but for what writing normalises.

use binfmt::formats::sdds::{Header, Open, Writer};

pub fn run(data: &[u8]) {
    let file = [b"SDDS5\n", data].concat();
    let Ok(reader) = Open::new().slice(&file) else { return };
    let header = reader.header().clone();
    let Ok(writer) = Writer::new(Vec::new(), header.clone()) else { return };
    // rows alone that nobody counts: no page would be one
    let no_page = header.no_row_counts && !header.columns.is_empty();
    let out = match writer.finish() {
        Ok(out) => out,
        Err(e) => return assert!(no_page, "{e}"),
    };
    let shown = || String::from_utf8_lossy(&out).into_owned();
    let again = Open::new().slice(&out).unwrap_or_else(|e| panic!("{e}\n{}", shown()));
    let (was, is) = (plain(header), plain(again.header().clone()));
    assert_eq!(format!("{is:?}"), format!("{was:?}"), "{}", shown());
}

/// Without what a writer chooses or leaves out.
fn plain(mut header: Header) -> Header {
    (header.version, header.endian) = (5, None);
    (header.additional_header_lines, header.lines_per_row) = (0, 0);
    header.associates.clear();
    header.arrays.iter_mut().for_each(|array| array.field_length = 0);
    header.columns.iter_mut().for_each(|column| column.field_length = 0);
    header
}
