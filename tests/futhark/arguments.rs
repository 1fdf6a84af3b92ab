//! Inputs of entry points as structs: which argument is wrong, and why.

use crate::support::full::Full;
use binfmt::formats::futhark::{
    OutputStyle, Value, arguments, arguments_from_reader, write, write_arguments, write_arguments_to,
};
use binfmt::numbers::F16;
use binfmt::{Array, BinFormat};
use half::f16;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, len = u64)]
struct Args {
    n: i32,
    flag: bool,
    #[binfmt(var_len)]
    xs: Vec<f64>,
    half: f16,
    #[binfmt(var_len)]
    bits: Vec<bool>,
}

fn args() -> Args {
    Args { n: -3, flag: true, xs: vec![1.5, -0.0], half: f16::ONE, bits: vec![true, false, true] }
}

fn values() -> [Value; 5] {
    let args = args();
    [
        args.n.into(),
        args.flag.into(),
        Value::new([2], args.xs).unwrap(),
        F16::from(args.half).into(),
        Value::new([3], args.bits).unwrap(),
    ]
}

#[test]
fn binary_text_and_mixed() {
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let bytes = write(&values(), style).unwrap();
        assert_eq!(write_arguments(&args(), style).unwrap(), bytes);
        assert_eq!(arguments::<Args>(&bytes).unwrap(), args());
        assert_eq!(arguments_from_reader::<Args, _>(&bytes[..]).unwrap(), args());
    }
    let mut mixed = b"-- n, flag\n-3\ntrue ".to_vec();
    mixed.extend(binfmt::to_vec(&values()[2]).unwrap());
    mixed.extend(b" 1 [true,false,\ntrue,] -- end");
    assert_eq!(arguments::<Args>(&mixed).unwrap(), args());
}

#[test]
fn what_is_wrong_is_named() {
    for (input, expected) in [
        (&b""[..], "n at byte 0x0: expected i32, found the end of the input"),
        (b"1i64", "n at byte 0x0: `1i64`: expected i32, found i64"),
        (b"[1]", "n at byte 0x0: expected i32, found [1]i32"),
        (b"2147483648", "n at byte 0x0: `2147483648` is not in the range of i32"),
        (b"b\x02\x00 u32\x01\0\0\0", "n at byte 0x0: expected i32, found u32"),
        (b"1 b\x02\x01bool\x01\0\0\0\0\0\0\0\x01", "flag at byte 0x2: expected bool, found []bool"),
        (b"1 b\x02\x00bool\x02", "flag at byte 0x9: 0x02 is not a bool, expected 0 or 1"),
        (b"1 true [[1]]", "xs at byte 0x7: expected []f64, found [1][1]f64"),
        (b"1 true empty([0]f32)", "xs at byte 0x7: expected []f64, found [0]f32"),
        (
            b"1 true b\x02\x01 f64\xff\xff\xff\xff\0\0\0\0",
            "xs at byte 0xe: count 4294967295 needs 34359738360 bytes, 0 remain",
        ),
        (b"1 true [] 1f16 [true,2]", "bits[1] at byte 0x15: expected bool, found `2`"),
        (b"1 true [] 1f16 [] 1", "at byte 0x12: expected 5 arguments, found 6"),
        (b"1 true b\x01\x01 f64", "xs.version at byte 0x8: expected the bytes 02, found 01"),
    ] {
        let e = arguments::<Args>(input).unwrap_err();
        assert_eq!(e.to_string(), expected, "{}", input.escape_ascii());
        assert!(arguments_from_reader::<Args, _>(input).is_err());
    }
}

#[test]
fn structs_that_are_no_arguments() {
    #[derive(BinFormat, Debug)]
    struct Nested {
        a: u8,
        inner: (u8, u8),
    }
    let e = arguments::<Nested>(b"1").unwrap_err();
    assert_eq!(e.to_string(), "Futhark does not support the type of field `inner`");
    let e = write_arguments(&Nested { a: 1, inner: (2, 3) }, OutputStyle::Text).unwrap_err();
    assert_eq!(e.to_string(), "Futhark does not support the type of field `inner`");

    #[derive(BinFormat, Debug)]
    #[binfmt(be)]
    struct Big {
        a: u16,
    }
    let e = arguments::<Big>(b"1").unwrap_err();
    assert_eq!(e.to_string(), "a: Futhark does not support big-endian fields");
    let e = write_arguments(&Big { a: 1 }, OutputStyle::Packed).unwrap_err();
    assert_eq!(e.to_string(), "a: Futhark does not support big-endian fields");
}

#[test]
fn tuples_are_arguments_too() {
    assert_eq!(arguments::<(u8, f32)>(b"255 0x1p-1").unwrap(), (255, 0.5));
    assert_eq!(write_arguments(&(255u8, 0.5f32), OutputStyle::Text).unwrap(), b"255u8\n0.5f32\n");
    assert_eq!(arguments::<(i32,)>(b"5").unwrap(), (5,));
    assert_eq!(arguments::<()>(b" -- nothing").unwrap(), ());
    for e in [arguments::<i32>(b"5").unwrap_err(), write_arguments(&[5u8; 3], OutputStyle::Text).unwrap_err()]
    {
        let expected = "arguments are the fields of a struct or tuple: one alone is `(T,)`";
        assert_eq!(e.to_string(), expected);
    }
    assert_eq!(arguments::<(u64, i64)>(b"18446744073709551615 -1i64").unwrap(), (u64::MAX, -1));
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Grids {
    #[binfmt(shape(u64))]
    a: Array<f32, 2>,
    #[binfmt(shape(u64))]
    b: Array<bool, 3>,
}

#[test]
fn arrays_of_any_rank() {
    let a = Array::new([2, 3], vec![1.0f32, -2.0, 0.5, f32::INFINITY, 0.0, 1e-40]).unwrap();
    let b = Array::new([0, 4, 2], vec![]).unwrap();
    let values = [Value::from_array(a.clone()).unwrap(), Value::from_array(b.clone()).unwrap()];
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let bytes = write(&values, style).unwrap();
        let grids = Grids { a: a.clone(), b: b.clone() };
        assert_eq!(write_arguments(&grids, style).unwrap(), bytes);
        assert_eq!(arguments::<Grids>(&bytes).unwrap(), Grids { a: a.clone(), b: b.clone() });
        assert_eq!(
            arguments_from_reader::<Grids, _>(&bytes[..]).unwrap(),
            Grids { a: a.clone(), b: b.clone() }
        );
    }
    let e = arguments::<Grids>(b"[[1]] b\x02\x02bool").unwrap_err();
    assert_eq!(e.to_string(), "b at byte 0x6: expected [][][]bool, found [][]bool");
    let mut overflow = b"b\x02\x02 f32".to_vec();
    overflow.extend([1u64 << 32; 2].map(u64::to_le_bytes).concat());
    let e = arguments::<Grids>(&overflow).unwrap_err();
    assert_eq!((e.path().to_string(), e.offset()), ("a".into(), Some(7)), "{e}");
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, len = u64)]
struct Plain {
    a: u32,
    b: u32,
    c: i16,
    d: i16,
    e: f32,
}

#[test]
fn neighbouring_numbers_are_values_of_their_own() {
    let plain = Plain { a: 1, b: 2, c: -3, d: 4, e: 5.0 };
    let values = [1u32.into(), 2u32.into(), Value::from(-3i16), Value::from(4i16), Value::from(5f32)];
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let bytes = write_arguments(&plain, style).unwrap();
        assert_eq!(bytes, write(&values, style).unwrap());
        assert_eq!(arguments::<Plain>(&bytes).unwrap(), plain);
    }
}

#[test]
fn long_arrays_go_through_a_writer_in_pieces() {
    let xs: Vec<f64> = (0..300_000).map(f64::from).collect();
    let args = Args { n: 1, flag: false, xs, half: f16::ZERO, bits: vec![] };
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let expected = write_arguments(&args, style).unwrap();
        let mut bytes = Vec::new();
        assert_eq!(write_arguments_to(&args, style, &mut bytes).unwrap(), expected.len() as u64);
        assert_eq!(bytes, expected);
        assert_eq!(arguments::<Args>(&bytes).unwrap(), args);
    }
}

#[test]
fn a_writer_that_fails_says_so() {
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let len = write_arguments(&args(), style).unwrap().len();
        for n in 0..len {
            let e = write_arguments_to(&args(), style, Full(n)).unwrap_err();
            assert!(matches!(e.kind(), binfmt::ErrorKind::Io(_)), "{n}: {e}");
        }
        assert!(write_arguments_to(&args(), style, Full(len)).is_ok());
    }
}

/// The fields of a struct against the values of a stream, before anything is read.
#[test]
fn a_struct_is_compared_with_the_values() {
    use binfmt::formats::futhark::{check_struct, description, outlines_from_reader};
    #[derive(BinFormat)]
    #[binfmt(le, len = u64)]
    struct Mixed {
        steps: i64,
        #[binfmt(shape(u64))]
        grid: binfmt::Array<f64, 2>,
        #[binfmt(var_len)]
        mask: Vec<bool>,
        #[binfmt(var_len)]
        bytes: Vec<u8>,
        #[binfmt(var_len, text = bytes)]
        name: Vec<u8>,
    }
    let values = |text: &str| outlines_from_reader(text.as_bytes()).collect::<Result<Vec<_>, _>>().unwrap();
    let text = "7i64 [[0.5f64]] [true, false] [1u8] [2u8]";
    check_struct::<Mixed>(&values(text)).unwrap();
    assert!(arguments::<Mixed>(text.as_bytes()).is_ok());
    // the same layout, of which everything else is a difference
    let found = description(&values("7i64 [0.5f32] [[true]] [1i8] 3u8 f16.nan"));
    assert_eq!(
        found.to_string(),
        "record, le\n  0: i64\n  1: [f32], length_prefixed(u64)\n  2: [bool], shape(u64, rank = 2)\n  \
         3: [i8], length_prefixed(u64)\n  4: u8\n  5: f16\n"
    );
    let differences = check_struct::<Mixed>(&values("7i64 [0.5f32] [[true]] [1i8] 3u8 f16.nan")).unwrap_err();
    // an array of bytes is one of either sign
    assert_eq!(
        differences.to_string(),
        "4 differences between struct `Mixed` and the values:\n  \
         grid: struct has binfmt::Array<f64, 2> ([f64], shape(u64, rank = 2)), file has []f32 ([f32], length_prefixed(u64))\n  \
         mask: struct has Vec<bool> ([bool], length_prefixed(u64)), file has [][]bool ([bool], shape(u64, rank = 2))\n  \
         name: struct has Vec<u8> (bytes, length_prefixed(u64)), file has u8\n  \
         field 6: struct has nothing, file has f16"
    );
    // a value alone
    check_struct::<f32>(&values("1f32")).unwrap();
    #[derive(BinFormat)]
    #[binfmt(be)]
    struct Big {
        n: i32,
    }
    let differences = check_struct::<Big>(&values("1i32")).unwrap_err();
    assert_eq!(differences.list()[0].kind(), binfmt::schema::DifferenceKind::ByteOrder);
    assert!(arguments::<Big>(b"1i32").is_err());
}

#[test]
fn a_stream_is_verified_to_its_end() {
    use binfmt::formats::futhark::outlines_from_reader;
    let stream = b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]] true\n";
    let verified = outlines_from_reader(&stream[..]).verify().unwrap();
    assert_eq!((verified.values, verified.elements), (3, 6));
    for len in [12, 16, 23] {
        let e = outlines_from_reader(&stream[..len]).verify().unwrap_err().to_string();
        assert!(e.starts_with(if len < 20 { "[0]" } else { "[1]" }), "{e}");
    }
}
