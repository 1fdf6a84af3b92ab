//! The text form of Futhark values: what the reader of compiled programs (C) and futhark-data take, element by element.

use binfmt::formats::futhark::{ElementType, Generator, OutputStyle, Value, read, write};
use binfmt::numbers::F16;

fn hex(text: &str) -> Result<String, String> {
    let value = Value::from_text(text).map_err(|e| e.to_string())?;
    let bytes = binfmt::to_vec(&value).unwrap();
    let elements: String = bytes[7 + 8 * value.dims().len()..].iter().map(|b| format!("{b:02x}")).collect();
    Ok(format!("{} {elements}", value.type_name()))
}

#[test]
fn spellings_of_numbers() {
    for (text, expected) in [
        ("1", "i32 01000000"),
        ("1i32", "i32 01000000"),
        ("-1", "i32 ffffffff"),
        ("+1", "i32 01000000"),
        ("1_000", "i32 e8030000"),
        ("_1", "i32 01000000"),
        ("0x10", "i32 10000000"),
        ("-0x10", "i32 f0ffffff"),
        ("0XfF", "i32 ff000000"),
        ("0x_f_fu8", "u8 ff"),
        ("010", "i32 08000000"),
        ("010u64", "u64 0a00000000000000"),
        ("0", "i32 00000000"),
        ("0i8", "i8 00"),
        ("-0", "i32 00000000"),
        ("0b101", "i32 05000000"),
        ("1i64", "i64 0100000000000000"),
        ("255u8", "u8 ff"),
        ("-128i8", "i8 80"),
        ("18446744073709551615u64", "u64 ffffffffffffffff"),
        ("0xffffffffffffffffu64", "u64 ffffffffffffffff"),
        ("9223372036854775807i64", "i64 ffffffffffffff7f"),
        ("-9223372036854775808i64", "i64 0000000000000080"),
        ("00000000000000000000001i32", "i32 01000000"),
        ("1.0", "f64 000000000000f03f"),
        ("1e3", "f64 0000000000408f40"),
        ("1f64", "f64 000000000000f03f"),
        ("1.5E-3f64", "f64 fa7e6abc7493583f"),
        (".5", "f64 000000000000e03f"),
        ("5.", "f64 0000000000001440"),
        ("1_000.25", "f64 0000000000428f40"),
        ("0x1.8p1", "f64 0000000000000840"),
        ("0x1.8p+1f64", "f64 0000000000000840"),
        ("0x1p1", "f64 0000000000000040"),
        ("-0x.8p1f32", "f32 000080bf"),
        ("f64.nan", "f64 000000000000f87f"),
        ("f64.inf", "f64 000000000000f07f"),
        ("-f64.inf", "f64 000000000000f0ff"),
        ("nan", "f64 000000000000f87f"),
        ("inf", "f64 000000000000f07f"),
        ("-inf", "f64 000000000000f0ff"),
        ("infinity", "f64 000000000000f07f"),
        ("1e400", "f64 000000000000f07f"),
        ("4.9e-324", "f64 0100000000000000"),
        ("-0.0", "f64 0000000000000080"),
        ("0.1f32", "f32 cdcccc3d"),
        ("f32.nan", "f32 0000c07f"),
        ("16777217f32", "f32 0000804b"),
        ("3.5e38f32", "f32 0000807f"),
        ("1.5f16", "f16 003e"),
        ("65504f16", "f16 ff7b"),
        ("f16.nan", "f16 007e"),
        ("f16.inf", "f16 007c"),
        ("-f16.inf", "f16 00fc"),
        ("5.9604645e-8f16", "f16 0100"),
        ("true", "bool 01"),
        ("false", "bool 00"),
    ] {
        assert_eq!(hex(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn floats_are_rounded_to_nearest() {
    // halfway between 2048 and 2050: to even, and a hair more
    for (text, expected) in [
        ("2049f16", "f16 0068"),
        ("2051f16", "f16 0268"),
        ("2049.00000000000000000000000000001f16", "f16 0168"),
        ("2048.99999999999999999999999999999f16", "f16 0068"),
        ("65519.99999999999999999999999f16", "f16 ff7b"),
        ("65520f16", "f16 007c"),
        ("2.98023223876953125e-8f16", "f16 0000"),
        ("2.98023223876953125000000000000001e-8f16", "f16 0100"),
        ("-2.98023223876953125000000000000001e-8f16", "f16 0180"),
        ("0x1.00200000000000000000001p11f16", "f16 0168"),
        ("0x1.002p11f16", "f16 0068"),
        ("0x1.0000010000000000000000001p0f32", "f32 0100803f"),
        ("0x1.000001p0f32", "f32 0000803f"),
        ("0x1p-149f32", "f32 01000000"),
        ("0x1p-150f32", "f32 00000000"),
        ("0x1.8p-150f32", "f32 01000000"),
        ("0x1p128f32", "f32 0000807f"),
        ("0x1.ffffffp127f32", "f32 0000807f"),
        ("0x1p-99999999999999999999", "f64 0000000000000000"),
        ("0x1p99999999999999999999", "f64 000000000000f07f"),
        ("0x10f64", "i32 640f0100"),
        ("0x1.fffffffffffffp1023", "f64 ffffffffffffef7f"),
    ] {
        assert_eq!(hex(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn every_half_survives() {
    for bits in 0..=u16::MAX {
        let x = F16::from_bits(bits);
        if x.is_nan() {
            continue;
        }
        let text = Value::from(x).to_string();
        assert_eq!(Value::from_text(&text).unwrap(), Value::from(x), "{text}");
        // hexadecimal, as a 64-bit float has it
        let wide = f64::from(x);
        let exact = format!("{wide:.60}f16");
        if wide.is_finite() {
            assert_eq!(Value::from_text(&exact).unwrap(), Value::from(x), "{exact}");
        }
    }
}

#[test]
fn arrays() {
    for (text, expected) in [
        ("[1,2,3]", "[3]i32 010000000200000003000000"),
        ("[ 1 , 2 ]", "[2]i32 0100000002000000"),
        ("[1,2,3,]", "[3]i32 010000000200000003000000"),
        ("[1i32,2]", "[2]i32 0100000002000000"),
        ("[1,2i8]", "[2]i8 0102"),
        ("[1,2.5]", "[2]f64 000000000000f03f0000000000000440"),
        ("[1,2.5,3f32]", "[3]f32 0000803f0000204000004040"),
        ("[3000000000, 1u32]", "[2]u32 005ed0b201000000"),
        ("[[1,2],[3,4]]", "[2][2]i32 01000000020000000300000004000000"),
        ("[[1u8,2],[3,4,],]", "[2][2]u8 01020304"),
        ("[[[1u8,2],[3,4]],[[5,6],[7,8]]]", "[2][2][2]u8 0102030405060708"),
        ("[]", "[0]f64 "),
        ("[[],[]]", "[2][0]f64 "),
        ("[[[]],[[]]]", "[2][1][0]f64 "),
        ("[1,-- c\n2]", "[2]i32 0100000002000000"),
        ("-- c\n[true,false]-- c", "[2]bool 0100"),
        ("empty([0]i32)", "[0]i32 "),
        ("empty([0][2]i32)", "[0][2]i32 "),
        ("empty([3][0]f32)", "[3][0]f32 "),
        ("empty([0i64][2]i32)", "[0][2]i32 "),
        ("empty([+0][010]i32)", "[0][10]i32 "),
        ("empty( [0] [2] i32 )", "[0][2]i32 "),
        ("empty ([0][2]bool)", "[0][2]bool "),
        ("\u{b}\u{c}[1u8]\r\n", "[1]u8 01"),
    ] {
        assert_eq!(hex(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_value() {
    for (text, expected) in [
        ("", "at byte 0x0: expected a value, found the end of the input"),
        ("-- c", "at byte 0x4: expected a value, found the end of the input"),
        ("- 1", "at byte 0x0: expected a value, found `-`"),
        ("08", "at byte 0x0: expected i32, found `08`, whose leading 0 begins octal digits"),
        ("0x", "at byte 0x0: expected a value, found `0x`"),
        ("2147483648", "at byte 0x0: `2147483648` is not in the range of i32"),
        ("300i8", "at byte 0x0: `300i8` is not in the range of i8"),
        ("-1u8", "at byte 0x0: `-1u8` is not in the range of u8"),
        ("-1u64", "at byte 0x0: `-1u64` is not in the range of u64"),
        ("18446744073709551616u64", "at byte 0x0: `18446744073709551616u64` is not in the range of u64"),
        (
            "99999999999999999999999999999999999999999999i64",
            "at byte 0x0: `9999999999999999999999999999999999999999…` is not in the range of i64",
        ),
        ("1.0i32", "at byte 0x0: expected i32, found `1.0i32`"),
        ("-f64.nan", "at byte 0x0: expected f64, found `-f64.nan`"),
        ("+f64.inf", "at byte 0x0: expected f64, found `+f64.inf`"),
        ("True", "at byte 0x0: expected a value, found `True`"),
        ("truebool", "at byte 0x0: expected bool, found `truebool`"),
        ("f32nan", "at byte 0x0: expected a value, found `f32nan`"),
        ("1--c", "at byte 0x0: expected i32, found `1--c`"),
        (
            "\"abc\"",
            "at byte 0x0: expected a value, found a string: its bytes as u8 are a value, such as [97u8, 98u8]",
        ),
        ("1\u{a0}2", "at byte 0x1: 3 bytes after the value"),
        ("1,2", "at byte 0x1: 2 bytes after the value"),
        ("[1 2 3]", "[0] at byte 0x3: expected `,` or `]`, found `2`"),
        ("[,1]", "[0] at byte 0x1: expected an element, found `,`"),
        ("[1i64,2i32]", "[1] at byte 0x6: `2i32`: expected i64, found i32"),
        ("[1u8,true]", "[1] at byte 0x5: `true`: expected u8, found bool"),
        ("[1u8,256]", "[1] at byte 0x5: `256` is not in the range of u8"),
        ("[[1,2],[3]]", "[1] at byte 0x9: expected 2 items of the row, found 1"),
        ("[[1,2][3,4]]", "[0] at byte 0x6: expected `,` or `]`, found `[`"),
        ("[[1],2]", "[1] at byte 0x5: expected a row, found `2`"),
        ("[1,[2]]", "[1] at byte 0x3: expected an element, found `[`"),
        ("[[],[[]]]", "[1][0] at byte 0x5: expected an element, found `[`"),
        ("[[1,2],[3,x]]", "[1][1] at byte 0xa: expected i32, found `x`"),
        ("[1,2", "[1] at byte 0x4: expected `,` or `]`, found the end of the input"),
        ("[1]]", "at byte 0x3: 1 byte after the value"),
        ("empty([1]i32)", "at byte 0x9: invalid empty array: no dimension is 0"),
        ("empty(i32)", "at byte 0x6: invalid empty array: no dimension is 0"),
        ("empty([]i32)", "at byte 0x7: expected a dimension, found `]`"),
        ("empty([0]i33)", "at byte 0x9: expected a dimension or a type, found `i33`"),
        ("empty([-1]i32)", "at byte 0x7: expected a dimension, found `-1`"),
        ("empty([-1][0]i32)", "at byte 0x7: expected a dimension, found `-1`"),
        ("empty([0][-2]i32)", "at byte 0xa: expected a dimension, found `-2`"),
        ("empty([1_0][0]i32)", "at byte 0x7: expected a dimension, found `1_0`"),
        ("empty([0x10][0]i32)", "at byte 0x7: expected a dimension, found `0x10`"),
        ("empty([0_]i32)", "at byte 0x7: expected a dimension, found `0_`"),
        ("empty([1e1][0]i32)", "at byte 0x7: expected a dimension, found `1e1`"),
        ("empty([i32]i32)", "at byte 0x7: expected a dimension, found `i32`"),
        (
            "empty([18446744073709551616][0]i32)",
            "at byte 0x7: expected a dimension, found `18446744073709551616`",
        ),
        ("empty", "at byte 0x5: expected `(`, found the end of the input"),
    ] {
        assert_eq!(hex(text), Err(expected.into()), "{text}");
    }
    let deep = "[".repeat(1_000_000);
    let ends = "[0]".repeat(9);
    assert_eq!(
        hex(&deep),
        Err(format!("{ends} … {ends} at byte 0x7f: invalid array: more than 127 dimensions"))
    );
}

#[test]
fn texts_read_back_to_the_same_bits() {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    let wide: Vec<f64> = (0..20_000).map(|_| f64::from_bits(next())).filter(|x| !x.is_nan()).collect();
    let short: Vec<f32> =
        (0..20_000).map(|_| f32::from_bits(next() as u32)).filter(|x| !x.is_nan()).collect();
    let whole: Vec<i64> = (0..20_000).map(|_| next() as i64 >> (next() % 64)).collect();
    let unsigned: Vec<u64> = (0..20_000).map(|_| next() >> (next() % 64)).collect();
    let values = [
        Value::new([wide.len() as u64], wide).unwrap(),
        Value::new([short.len() as u64], short).unwrap(),
        Value::new([100, 200], whole).unwrap(),
        Value::new([2, 100, 100], unsigned).unwrap(),
    ];
    let text = write(&values, OutputStyle::Text).unwrap();
    let again = read(&text).unwrap();
    for (a, b) in values.iter().zip(&again) {
        assert_eq!(binfmt::to_vec(a).unwrap(), binfmt::to_vec(b).unwrap());
    }
    assert_eq!(again.len(), values.len());
}

#[test]
fn printed_as_c_prints() {
    for (value, text) in [
        (Value::from(0.1f32), "0.100000001f32"),
        (Value::from(1e-5f32), "9.99999975e-06f32"),
        (Value::from(123456789f32), "123456792f32"),
        (Value::from(1234567890f32), "1.23456794e+09f32"),
        (Value::from(0.1f64), "0.10000000000000001f64"),
        (Value::from(1e100f64), "1e+100f64"),
        (Value::from(100000f64), "100000f64"),
        (Value::from(-0.0001f64), "-0.0001f64"),
        (Value::from(f64::NAN), "f64.nan"),
        (Value::from(F16::from_f64(0.1)), "0.0999755859f16"),
        (Value::new([2, 0, 3], Vec::<bool>::new()).unwrap(), "empty([2][0][3]bool)"),
    ] {
        assert_eq!(value.to_string(), text);
    }
    assert_eq!(ElementType::ALL.len(), 12);
}

#[test]
fn random_values_stay_within_their_bounds() {
    for of in ElementType::ALL {
        let name = format!("[3][100]{of}");
        let value = Generator::new(5).value(&name, None).unwrap();
        assert_eq!(
            (value.type_name(), &value),
            (name.clone(), &Generator::new(5).value(&name, None).unwrap())
        );
        if of == ElementType::Bool {
            continue;
        }
        let bounded = Generator::new(5).value(&name, Some("3:7")).unwrap();
        let text = bounded.to_string();
        let numbers = text.split([',', '[', ']', ' ']).filter(|word| !word.is_empty());
        let numbers: Vec<f64> =
            numbers.map(|word| word.trim_end_matches(of.name()).parse().unwrap()).collect();
        assert!(numbers.len() == 300 && numbers.iter().all(|n| (3.0..=7.0).contains(n)), "{text}");
        assert!(numbers.iter().any(|n| *n < 4.0) && numbers.iter().any(|n| *n > 6.0));
    }
    let whole = Generator::new(1).value("[4]i64", Some("-9223372036854775808:9223372036854775807")).unwrap();
    assert_eq!(whole, Generator::new(1).value("[4]i64", None).unwrap());
    for (of, bounds, expected) in [
        ("[2", None, "at byte 0x0: expected `]`, found `[2`"),
        ("[x]i8", None, "at byte 0x1: expected a dimension, found `x]i8`"),
        ("[2]int", None, "at byte 0x3: expected a type such as `[2][3]f32`, found `int`"),
        ("i8", Some("1"), "bounds: expected `lo:hi`, found `1`"),
        ("i8", Some("0:300"), "`300` is not in the range of i8"),
        ("u8", Some("-1:3"), "`-1` is not in the range of u8"),
        ("i8", Some("0:1:2"), "expected i8, found `1:2`"),
        ("i8", Some("0:1.5"), "`1.5`: expected i8, found a float"),
        ("i8", Some("0:1u8"), "`1u8`: expected i8, found u8"),
        ("f32", Some("0:nan"), "invalid bounds: not finite, or too far apart"),
        ("f64", Some("-1e308:1e308"), "invalid bounds: not finite, or too far apart"),
        ("f32", Some("1:0.5"), "invalid bounds: the lower one is above the upper one"),
        ("i8", Some("2:1"), "invalid bounds: the lower one is above the upper one"),
        ("bool", Some("0:1"), "bool does not support bounds"),
        (
            "[4294967296][4294967296]i8",
            None,
            "the product of the dimensions [4294967296, 4294967296] overflows",
        ),
        ("[4294967296][2147483647]i8", None, "cannot allocate 9223372032559808512 bytes"),
    ] {
        assert_eq!(Generator::new(1).value(of, bounds).unwrap_err().to_string(), expected);
    }
}

/// Values of any shape come in pieces of any length, and are written as they are at once.
#[test]
fn pieces_make_the_same_files() {
    use binfmt::formats::futhark::{Writer, pieces_from_reader};
    let mut generator = Generator::new(3);
    let types = [
        "[7]i64",
        "[3][40000]f64",
        "[300][2][100]i32",
        "[70000][3]bool",
        "u8",
        "[2][0]i8",
        "[0]f32",
        "[33000]i64",
        "[1][32768][1]i64",
    ];
    let values: Vec<Value> = types.iter().map(|of| generator.value(of, None).unwrap()).collect();
    let file = write(&values, OutputStyle::Packed).unwrap();
    for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
        let mut found = Vec::new();
        let mut writer = Writer::new(&mut found);
        let (mut pieces, mut bytes) = (0, 0);
        for piece in pieces_from_reader(&file[..]) {
            bytes += writer.write_piece(&piece.unwrap(), style).unwrap();
            pieces += 1;
        }
        assert_eq!(pieces, 13);
        assert_eq!(writer.finish().unwrap(), values.len() as u64);
        assert!(found == write(&values, style).unwrap(), "{style:?}");
        assert_eq!(bytes, found.len() as u64);
    }
    // cut anywhere, what came before is sound, and the error says of which value and where
    let one = write(&values[1..2], OutputStyle::Packed).unwrap();
    let cut = &one[..one.len() - 5];
    let mut pieces = pieces_from_reader(cut);
    let sound = pieces.by_ref().take_while(Result::is_ok).count();
    assert_eq!(sound, 3);
    let e = pieces_from_reader(cut).last().unwrap().unwrap_err().to_string();
    assert!(e.starts_with("[0].elements at byte 0xe0017: 42496 bytes needed, 42491 remain"), "{e}");
}
