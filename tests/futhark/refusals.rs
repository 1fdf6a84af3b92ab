//! What promises more than there is, is refused before memory is taken for it.

use crate::support::memory::memory_of;
use binfmt::formats::futhark::{
    Generator, Value, arguments, arguments_from_reader, outlines_from_reader, read, values_from_reader,
};
use binfmt::{Array, BinFormat};

/// Room for an error and its message, and for the buffer of a reader.
const SMALL: usize = 4 << 10;
const BUFFER: usize = 256 << 10;

#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Grid<T> {
    #[binfmt(shape(u64))]
    grid: Array<T, 2>,
}

fn header(of: &[u8; 4], dims: &[u64]) -> Vec<u8> {
    let mut bytes = vec![b'b', 2, dims.len() as u8];
    bytes.extend(of);
    bytes.extend(dims.iter().flat_map(|dim| dim.to_le_bytes()));
    bytes
}

#[track_caller]
fn refused<R: std::fmt::Debug>(most: usize, expected: &str, read: impl FnOnce() -> binfmt::Result<R>) {
    let (result, peak, total) = memory_of(read);
    assert_eq!(result.unwrap_err().to_string(), expected);
    assert!(peak <= most && total <= 2 * most, "{peak} bytes at once, {total} in all");
}

#[test]
fn dimensions_that_no_memory_holds() {
    let overflow = "[0].dims at byte 0x7: the product of the dimensions is too large";
    for (dims, expected) in [
        (&[1u64 << 32, 1 << 32][..], overflow),
        (&[u64::MAX], overflow),
        (&[1 << 63, 0], overflow),
        (&[1 << 31, 1 << 31, 2], overflow),
        (&[1 << 40], "[0].elements at byte 0xf: count 1099511627776 needs 8796093022208 bytes, 8 remain"),
        (
            &[1 << 30, 1 << 30],
            "[0].elements at byte 0x17: count 1152921504606846976 needs 9223372036854775808 bytes, 8 remain",
        ),
    ] {
        let mut bytes = header(b" f64", dims);
        bytes.extend([0; 8]);
        refused(SMALL, expected, || read(&bytes));
        // a reader does not know what is still to come: it takes memory for what has come
        let (result, peak, _) = memory_of(|| values_from_reader(&bytes[..]).next().unwrap());
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{dims:?}: {peak}");
    }
}

#[test]
fn dimensions_of_arguments() {
    let mut bytes = header(b" f32", &[1 << 32, 1 << 32]);
    bytes.extend([0; 64]);
    let expected = "grid at byte 0x7: the product of the dimensions [4294967296, 4294967296] overflows";
    refused(SMALL, expected, || arguments::<Grid<f32>>(&bytes));
    let (result, peak, _) = memory_of(|| arguments_from_reader::<Grid<f32>, _>(&bytes[..]));
    assert!(result.is_err());
    assert!(peak <= BUFFER, "{peak}");
}

#[test]
fn text_that_promises_and_nests() {
    refused(SMALL, "[0] at byte 0x1e: invalid empty array: no dimension is 0", || {
        read(b"empty([4294967296][4294967296]i32)")
    });
    refused(
        SMALL,
        "[0] at byte 0x1e: the product of the dimensions [0, 9223372036854775808] overflows",
        || read(b"empty([0][9223372036854775808]i32)"),
    );
    let deep = [b'['; 10_000];
    let ends = "[0]".repeat(9);
    let expected = format!("{ends} … {ends} at byte 0x7f: invalid array: more than 127 dimensions");
    refused(32 << 10, &expected, || read(&deep));
    // a word of a megabyte
    let word = vec![b'1'; 1 << 20];
    let (result, peak, _) = memory_of(|| read(&word));
    assert!(result.is_err());
    assert!(peak <= 3 << 20, "{peak}");
}

#[test]
fn values_that_cannot_be_made() {
    for (of, expected) in [
        ("[4294967296][4294967296]f64", "the product of the dimensions [4294967296, 4294967296] overflows"),
        ("[18446744073709551615]u8", "the product of the dimensions [18446744073709551615] overflows"),
        ("[4611686018427387904]f16", "cannot allocate 9223372036854775808 bytes"),
    ] {
        refused(SMALL, expected, || Generator::new(1).value(of, None));
    }
    refused(SMALL, "dims at byte 0x7: the product of the dimensions is too large", || {
        Value::new([1 << 32, 1 << 32], Vec::<u8>::new())
    });
}

/// A reader that makes its bytes up: a front, then the same byte again and again.
struct Made<'a>(&'a [u8], u8, u64);

impl std::io::Read for Made<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if !self.0.is_empty() {
            return self.0.read(buf);
        }
        let n = usize::try_from(self.2).unwrap_or(usize::MAX).min(buf.len());
        buf[..n].fill(self.1);
        self.2 -= n as u64;
        Ok(n)
    }
}

#[test]
fn outlines_take_no_memory_for_elements() {
    for of in [b" f64", b"  u8", b"bool"] {
        let size = if of == b" f64" { 8 } else { 1 };
        let front = header(of, &[1 << 20, 32]);
        let (found, peak, _) = memory_of(|| {
            let made = Made(&front, 1, (32 << 20) * size);
            outlines_from_reader(made).collect::<binfmt::Result<Vec<_>>>().unwrap()
        });
        assert_eq!(found[0].dims, [1 << 20, 32]);
        assert!(peak <= BUFFER, "{peak}");
        // one byte too few, and one that is not a bool
        let (e, _, _) =
            memory_of(|| outlines_from_reader(Made(&front, 1, (32 << 20) * size - 1)).last().unwrap());
        assert!(e.unwrap_err().is_incomplete());
    }
    let e = outlines_from_reader(Made(&header(b"bool", &[1 << 20]), 2, 1 << 20)).last().unwrap().unwrap_err();
    assert_eq!(e.to_string(), "[0].elements[0] at byte 0xf: 0x02 is not a bool, expected 0 or 1");
}
