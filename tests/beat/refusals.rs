//! What promises more than there is, and what never ends, is refused before memory is taken for it.

use crate::support::memory::memory_of;
use binfmt::formats::beat::{Chunk, DataFile, Declaration, Object};
use binfmt::value::{Elements, Value};
use binfmt::{Array, BinFormat, Options};

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
        let (result, peak, _) = memory_of(|| binfmt::from_reader::<Fields>(&bytes[..]));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{peak}");
        let (result, peak, _) = memory_of(|| binfmt::from_reader_with::<Object, _>(&bytes[..], &options));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{peak}");
    }
}

#[test]
fn chunks_larger_than_their_file() {
    let longer = |size: &str| format!("value at byte {:#x}: {size} bytes needed, 5 remain", 18 + size.len());
    let no_line = |size: &str| format!("value.size at byte 0x11: expected a number, found `{size}`");
    for (size, expected) in [
        ("9223372036854775808", longer("9223372036854775808")),
        ("18446744073709551615", longer("18446744073709551615")),
        ("18446744073709551616", no_line("18446744073709551616")),
        ("1e3", no_line("1e3")),
        ("-5", no_line("-5")),
    ] {
        let file = format!("binary\nu/i/1\n0 0 {size}\n\x03\0\0\0\n");
        refused(SMALL, &format!("chunks[0].{expected}"), || {
            binfmt::from_slice::<DataFile<i32>>(file.as_bytes())
        });
        let (result, peak, _) = memory_of(|| binfmt::from_reader::<DataFile<i32>>(file.as_bytes()));
        assert!(result.is_err());
        assert!(peak <= BUFFER, "{size}: {peak}");
    }
    let line = [b'1'; 1 << 20];
    let expected = "start at byte 0x0: number exceeds the limit of 4096 bytes";
    refused(SMALL, expected, || binfmt::from_slice::<Chunk<i32>>(&line));
    // a reader that never ends a line is not read to its end
    let (result, peak, _) = memory_of(|| binfmt::from_reader::<Chunk<i32>>(std::io::repeat(b'1')));
    assert_eq!(result.unwrap_err().to_string(), expected);
    assert!(peak <= BUFFER, "{peak}");
}

/// Levels of a declaration that no one writes by hand.
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

/// Streams that end inside arrays: what is said does not depend on the way of reading.
#[test]
fn streams_that_end_early() {
    for item in ["int16", "float64", "bool", "complex64", "string"] {
        let declaration = Declaration::parse(&format!(r#"{{"a": [0, "{item}"], "b": "int8"}}"#)).unwrap();
        let options = Options::new().ctx(&declaration);
        let general = Options::new().ctx(declaration.description());
        let bytes = [&3u64.to_le_bytes()[..], &[0; 64]].concat();
        for end in 0..34 {
            let object = binfmt::from_reader_with::<Object, _>(&bytes[..end], &options);
            let value = binfmt::from_reader_with::<Value, _>(&bytes[..end], &general);
            match (object, value) {
                (Ok(object), Ok(value)) => assert_eq!(object.0, value, "{item} {end}"),
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{item} {end}"),
                (a, b) => panic!("{item} {end}: {a:?} {b:?}"),
            }
        }
    }
}

#[test]
fn numbers_take_no_more_memory_than_their_own() {
    const NUM: usize = 1 << 18;
    for (item, size) in
        [("int8", 1), ("bool", 1), ("uint16", 2), ("int32", 4), ("float32", 4), ("uint64", 8), ("float64", 8)]
    {
        let declaration = Declaration::parse(&format!(r#"{{"a": [0, "{item}"]}}"#)).unwrap();
        let bytes = [&(NUM as u64).to_le_bytes()[..], &vec![1; NUM * size]].concat();
        let options = Options::new().ctx(&declaration);
        let general = Options::new().ctx(declaration.description());
        // bools are looked at one by one, in a vector that grows
        let most = if item == "bool" { 3 * NUM } else { NUM * size + SMALL };
        let (object, peak, _) = memory_of(|| binfmt::from_slice_with::<Object, _>(&bytes, &options).unwrap());
        assert!(peak <= most, "{item}: {peak} bytes");
        let (value, peak, _) = memory_of(|| binfmt::from_slice_with::<Value, _>(&bytes, &general).unwrap());
        assert!(peak <= most, "{item}: {peak} bytes");
        assert_eq!(object.0, value);
        let Some((_, values)) = value.get("a").and_then(Value::as_array) else { panic!("{item}") };
        assert!(!matches!(values, Elements::Values(_)) && values.len() == NUM);

        let read = || binfmt::from_reader_with::<Object, _>(&bytes[..], &options).unwrap();
        let (streamed, peak, _) = memory_of(read);
        assert!(peak <= 3 * NUM * size + BUFFER, "{item}: {peak} bytes from a stream");
        assert_eq!(streamed, object);

        // a limit that values one by one would go beyond
        let limited = options.max_memory(NUM * size + SMALL);
        if item != "bool" {
            assert_eq!(binfmt::from_slice_with::<Object, _>(&bytes, &limited).unwrap(), object, "{item}");
        }
        let limited = options.max_memory(NUM * size - 1);
        assert!(binfmt::from_slice_with::<Object, _>(&bytes, &limited).is_err(), "{item}");
    }
}

#[test]
fn objects_share_the_names_of_their_fields() {
    let name = "n".repeat(1000);
    let declaration = Declaration::parse(&format!(r#"{{"{name}": "int8"}}"#)).unwrap();
    let objects = [1u8; 100];
    let (objects, peak, _) = memory_of(|| {
        binfmt::decode_all_with::<Object, _>(&objects, &Options::new().ctx(&declaration)).unwrap()
    });
    assert!(peak <= 100 * 256, "{peak} bytes");
    let (values, peak, _) = memory_of(|| {
        let options = Options::new().ctx(declaration.description());
        binfmt::decode_all_with::<Value, _>(&[1u8; 100], &options).unwrap()
    });
    assert!(peak <= 100 * 256, "{peak} bytes");
    assert_eq!(objects[99].0, values[0]);
    assert_eq!(values[0].get(&name), Some(&Value::from(1i8)));
}
