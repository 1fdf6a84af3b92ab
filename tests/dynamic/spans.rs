//! Parts of an input decoded each by itself: the rows and the first error of the whole.

use crate::support::types::*;
use binfmt::columns::{Columns, Plan, RowSpan};
use binfmt::schema::{Description, Encoding, Field};
use binfmt::{Endian, Options};
use std::sync::Mutex;

/// The rows of spans up to the first error are those of the whole input, and so is the error.
pub(crate) fn agree(plan: &Plan, bytes: &[u8], options: &Options) {
    let whole = plan.decode_with(bytes, options);
    for most in [1, 7, 64, usize::MAX] {
        let spans: Vec<RowSpan> = plan.spans(bytes, options).span_bytes(most).collect();
        let (mut at, mut row, mut error) = (0, 0, None);
        for span in &spans {
            assert_eq!((span.bytes.start, span.rows.start), (at, row), "{most}");
            assert!(!span.bytes.is_empty());
            (at, row) = (span.bytes.end, span.rows.end);
            match plan.decode_span(bytes, span, options) {
                Ok(columns) if error.is_none() => {
                    assert_eq!(columns.num_rows() as u64, span.rows.end - span.rows.start);
                    if let Ok(whole) = &whole {
                        rows_of(whole, &columns, span.rows.start as usize);
                    }
                }
                Err(e) => error = error.or(Some(e.to_string())),
                Ok(_) => {}
            }
        }
        assert_eq!(at, bytes.len());
        match &whole {
            Ok(whole) => assert_eq!((whole.num_rows() as u64, error), (row, None), "{most}"),
            Err(e) => assert_eq!(error, Some(e.to_string()), "{most} {bytes:02x?}"),
        }
    }
}

fn rows_of(whole: &Columns, part: &Columns, first: usize) {
    for row in 0..part.num_rows() {
        assert_eq!(format!("{:?}", part.row(row)), format!("{:?}", whole.row(first + row)));
    }
}

fn named() -> Description {
    record([
        Field::new("name", text(Encoding::Utf8, false, prefixed(4))),
        Field::new("n", int(4)),
        Field::new("flag", binfmt::schema::Type::Bool { lax: false }),
    ])
}

/// Rows of several lengths, and where the last byte of each is.
fn many(rows: u32) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let name = "é".repeat(row as usize % 40);
        bytes.extend((name.len() as u32).to_be_bytes());
        bytes.extend(name.bytes());
        bytes.extend(row.to_be_bytes());
        bytes.push(u8::from(row % 3 == 0));
        ends.push(bytes.len());
    }
    (bytes, ends)
}

#[test]
fn threads_share_the_spans() {
    let plan = Plan::new(&named()).unwrap();
    let options = Options::new().endian(Endian::Big);
    let (bytes, ends) = many(20_000);
    let spans = Mutex::new(plan.spans(&bytes, &options).span_bytes(10_000));
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some(span) = spans.lock().unwrap().next() else { return };
                    let columns = plan.decode_span(&bytes, &span, &options).unwrap();
                    found.lock().unwrap().push((span, columns));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(span, _)| span.rows.start);
    assert!(found.len() > 50, "{}", found.len());
    let whole = plan.decode_with(&bytes, &options).unwrap();
    let mut next = 0;
    for (span, columns) in &found {
        assert_eq!((span.rows.start, span.bytes.end), (next, ends[span.rows.end as usize - 1]));
        // as long as was asked for, and no row longer
        assert!(span.bytes.len() < 10_000 + 100);
        rows_of(&whole, columns, next as usize);
        next = span.rows.end;
    }
    assert_eq!(next, 20_000);
}

#[test]
fn errors_have_the_places_of_the_whole() {
    let plan = Plan::new(&named()).unwrap();
    let options = Options::new().endian(Endian::Big);
    let (mut bytes, ends) = many(2000);
    bytes[ends[1500] - 1] = 7;
    // text that is not UTF-8, in an earlier span
    bytes[ends[1019] - 6] = b'x';
    agree(&plan, &bytes, &options);
    let spans: Vec<RowSpan> = plan.spans(&bytes, &options).span_bytes(1000).collect();
    let errors: Vec<String> = spans
        .iter()
        .filter_map(|span| plan.decode_span(&bytes, span, &options).err().map(|e| e.to_string()))
        .collect();
    assert_eq!(errors.len(), 2);
    assert!(errors[0].starts_with("[1019].name at byte "), "{errors:?}");
    assert_eq!(
        errors[1],
        format!("[1500].flag at byte {:#x}: 0x07 is not a bool, expected 0 or 1", ends[1500] - 1)
    );
    // a length that is too large hides all rows after it
    bytes[ends[1699]..][..4].fill(0xff);
    agree(&plan, &bytes, &options);
    let last = plan.spans(&bytes, &options).span_bytes(1000).last().unwrap();
    assert_eq!((last.rows.end, last.bytes.end), (1700, bytes.len()));
    assert!(last.rows.start > 1600);
}

#[test]
fn a_span_of_no_bytes_or_of_others_is_no_panic() {
    let plan = Plan::new(&named()).unwrap();
    let (bytes, ends) = many(10);
    let options = Options::new().endian(Endian::Big);
    assert_eq!(plan.spans(&[], &options).next(), None);
    // whole rows whose numbers no input has
    let span = RowSpan { bytes: 0..ends[3], rows: u64::MAX..u64::MAX };
    assert_eq!(plan.decode_span(&bytes, &span, &options).unwrap().num_rows(), 4);
    for (start, end) in [(0, 0), (5, 3), (3, 9), (7, usize::MAX), (usize::MAX, usize::MAX)] {
        let span = RowSpan { bytes: start..end, rows: u64::MAX..u64::MAX };
        let _ = plan.decode_span(&bytes, &span, &options);
    }
}
