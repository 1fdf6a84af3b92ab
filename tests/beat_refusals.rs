//! What promises more than there is, and what never ends, is refused before memory is taken for it.

#[path = "support/memory.rs"]
mod memory;

use binfmt::formats::beat::{Chunk, DataFile, Declaration, Object};
use binfmt::{Array, BinFormat, Options};
use memory::memory_of;

const SMALL: usize = 4 << 10;
const BUFFER: usize = 256 << 10;

#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic, len = u64)]
struct Fields {
    #[binfmt(var_len)]
    b: String,
    #[binfmt(shape(u64))]
    a: Array<f64, 2>,
}

fn bytes(dims: [u64; 2], len: u64) -> Vec<u8> {
    [dims[0], dims[1], len].map(u64::to_le_bytes).concat()
}

#[track_caller]
fn refused<R: std::fmt::Debug, E: std::fmt::Display + std::fmt::Debug>(
    most: usize,
    expected: &str,
    read: impl FnOnce() -> Result<R, E>,
) {
    let (result, peak, total) = memory_of(read);
    assert_eq!(result.unwrap_err().to_string(), expected);
    assert!(peak <= most && total <= 2 * most, "{peak} bytes at once, {total} in all");
}

#[test]
fn lengths_and_dimensions_that_no_memory_holds() {
    let declaration = Declaration::parse(r#"{"a": [0, 0, "float64"], "b": "string"}"#).unwrap();
    let options = Options::new().ctx(&declaration);
    for (dims, len, expected) in [
        (
            [0, 0],
            1 << 63,
            "b at byte 0x10: count 9223372036854775808 needs 9223372036854775808 bytes, 0 remain",
        ),
        (
            [0, 0],
            u64::MAX,
            "b at byte 0x10: count 18446744073709551615 is larger than the input can hold, 0 bytes remain",
        ),
        (
            [1 << 32, 1 << 32],
            0,
            "a at byte 0x0: the product of the dimensions [4294967296, 4294967296] overflows",
        ),
        ([1 << 40, 1], 0, "a at byte 0x0: count 1099511627776 needs 8796093022208 bytes, 8 remain"),
    ] {
        let bytes = bytes(dims, len);
        refused(SMALL, expected, || binfmt::from_slice::<Fields>(&bytes));
        refused(SMALL, expected, || binfmt::from_slice_with::<Object, _>(&bytes, &options));
        let (result, peak, _) = memory_of(|| binfmt::from_reader::<Fields, _>(&bytes[..]));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{peak}");
        let (result, peak, _) = memory_of(|| binfmt::from_reader_with::<Object, _, _>(&bytes[..], &options));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{peak}");
    }
}

#[test]
fn chunks_larger_than_their_file() {
    for size in ["9223372036854775808", "18446744073709551615", "18446744073709551616", "1e3", "-5"] {
        let file = format!("binary\nu/i/1\n0 0 {size}\n\x03\0\0\0\n");
        let (result, peak, _) = memory_of(|| binfmt::from_slice::<DataFile<i32>>(file.as_bytes()));
        println!("{}", result.unwrap_err());
        assert!(peak <= SMALL, "{size}: {peak}");
        let (result, peak, _) = memory_of(|| binfmt::from_reader::<DataFile<i32>, _>(file.as_bytes()));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{size}: {peak}");
    }
    let (result, peak, _) = memory_of(|| binfmt::from_slice::<Chunk<i32>>(&[b'1'; 1 << 20]));
    println!("{}", result.unwrap_err());
    assert!(peak <= 16 << 10, "{peak}");
}

/// Levels of a declaration that nobody writes by hand.
const DEEP: usize = 10_000;

#[test]
fn declarations_nested_deep() {
    let nested = |open: &str, close: &str| format!("{}\"int8\"{}", open.repeat(DEEP), close.repeat(DEEP));
    for (json, expected) in [
        (nested("{\"a\":", "}"), "declaration, byte 500: nested deeper than 100 levels"),
        (format!("{{\"a\":{}}}", nested("[0,", "]")), "declaration, byte 302: nested deeper than 100 levels"),
    ] {
        let (result, peak, _) = memory_of(|| Declaration::parse(&json));
        assert_eq!(result.unwrap_err().to_string(), expected);
        assert!(peak <= 64 << 10, "{peak}");
    }
}

#[test]
fn references_that_go_deep() {
    for (word, expected) in [("a", "objects nested deeper"), ("#extends", "objects nested deeper")] {
        let mut asked = 0;
        let (result, peak, _) = memory_of(|| {
            Declaration::resolve("u/n/1", |name| {
                asked += 1;
                let n: usize = name.rsplit('/').next().unwrap().parse().unwrap();
                Ok(format!("{{\"{word}\": \"u/n/{}\"}}", n + 1))
            })
        });
        let text = result.unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
        assert!(asked <= 101, "{asked}");
        assert!(peak <= 64 << 10, "{peak}");
    }
}

#[test]
fn references_that_multiply() {
    // each level twice the one below: a million fields are the most
    let (result, peak, _) = memory_of(|| {
        Declaration::resolve("u/n/1", |name| {
            let n: usize = name.rsplit('/').next().unwrap().parse().unwrap();
            let below = format!("u/n/{}", n + 1);
            let json = format!(r#"{{"a": "{below}", "b": "{below}"}}"#);
            Ok(if n == 60 { "{\"x\": \"int8\"}".to_owned() } else { json })
        })
    });
    let text = result.unwrap_err().to_string();
    assert!(text.contains("more than 1048576 fields"), "{text}");
    assert!(peak <= 256 << 10, "{peak}");
}
