//! A header: written and read again it says the same, but for what writing normalises.

use binfmt::formats::sdds::{Header, Mode, Options, Text, Writer};

pub fn run(data: &[u8]) {
    let file = [b"SDDS5\n", data].concat();
    let Ok(reader) = Options::new().slice(&file) else { return };
    let header = reader.header().clone();
    let Ok(writer) = Writer::new(Vec::new(), header.clone()) else { return };
    // no page would be one where rows alone are not counted, and where pages have nothing to write
    let has_values = !header.arrays.is_empty() || header.parameters.iter().any(|p| p.fixed_value.is_none());
    let no_page =
        header.mode == Mode::Ascii && !has_values && (header.no_row_counts || header.columns.is_empty());
    let out = match writer.finish() {
        Ok(out) => out,
        Err(e) => return assert!(no_page, "{e}"),
    };
    let shown = || String::from_utf8_lossy(&out).into_owned();
    let again = Options::new().slice(&out).unwrap_or_else(|e| panic!("{e}\n{}", shown()));
    let (was, is) = (plain(header), plain(again.header().clone()));
    assert_eq!(format!("{is:?}"), format!("{was:?}"), "{}", shown());
}

/// Without what a writer chooses or leaves out: [`Header::to_bytes`] says what that is.
fn plain(mut header: Header) -> Header {
    (header.version, header.endian) = (5, None);
    (header.additional_header_lines, header.lines_per_row) = (0, 0);
    header.associates.clear();
    header.dialect.clear();
    header.column_major &= header.mode == Mode::Binary;
    for p in &mut header.parameters {
        filled([&mut p.symbol, &mut p.units, &mut p.description, &mut p.format_string]);
    }
    for a in &mut header.arrays {
        a.field_length = 0;
        filled([&mut a.symbol, &mut a.units, &mut a.description, &mut a.format_string, &mut a.group_name]);
    }
    for c in &mut header.columns {
        c.field_length = 0;
        filled([&mut c.symbol, &mut c.units, &mut c.description, &mut c.format_string]);
    }
    header
}

/// Takes away texts of blanks alone.
fn filled<const N: usize>(texts: [&mut Option<Text>; N]) {
    for text in texts {
        text.take_if(|text| text.as_bytes().iter().all(|b| matches!(b, b'\t'..=b'\r' | b' ')));
    }
}
