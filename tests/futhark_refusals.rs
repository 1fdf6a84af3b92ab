//! What promises more than there is, is refused before memory is taken for it.

#[path = "support/memory.rs"]
mod memory;

use binfmt::formats::futhark::{
    Generator, Value, arguments, arguments_from_reader, read, values_from_reader,
};
use binfmt::{Array, BinFormat};
use memory::memory_of;

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
    refused(SMALL, "[0] at byte 0x1e: an empty array needs a dimension of 0", || {
        read(b"empty([4294967296][4294967296]i32)")
    });
    let deep = [b'['; 10_000];
    let expected = format!("{} at byte 0x7f: more than 127 dimensions", "[0]".repeat(128));
    refused(32 << 10, &expected, || read(&deep));
    // a word of a megabyte
    let word = vec![b'1'; 1 << 20];
    let (result, peak, _) = memory_of(|| read(&word));
    assert!(result.is_err());
    assert!(peak <= 3 << 20, "{peak}");
}

#[test]
fn values_that_cannot_be_made() {
    for of in ["[4294967296][4294967296]f64", "[18446744073709551615]u8", "[4611686018427387904]f16"] {
        let (result, peak, _) = memory_of(|| Generator::new(1).value(of, None));
        println!("{}", result.unwrap_err());
        assert!(peak <= SMALL, "{of}: {peak}");
    }
    let (result, peak, _) = memory_of(|| Value::new([1 << 32, 1 << 32], Vec::<u8>::new()));
    assert!(result.is_err());
    assert!(peak <= SMALL, "{peak}");
}
