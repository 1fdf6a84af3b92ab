//! What is read as a layout is printed as a text that is read again, and says the same; what is none is told at its place.

use crate::support::nested::{WRAPS, items, layout};
use crate::support::random::{Random, any_layout};
use binfmt::Options;
use binfmt::schema::{Description, Schema};
use binfmt::value::{Program, Value};

const TEXTS: usize = if cfg!(debug_assertions) { 20_000 } else { 400_000 };

/// Layouts that say much, to be changed.
const SEEDS: &[&str] = &[
    include_str!("../../binfmt/fuzz/seeds/layout_text/bits.txt"),
    include_str!("../../binfmt/fuzz/seeds/layout_text/parts.txt"),
    include_str!("../../binfmt/fuzz/seeds/layout_text/texts.txt"),
    include_str!("described/all.txt"),
    include_str!("described/by_hand.txt"),
];

/// What is put between or in the place of other pieces.
const PIECES: &[&str] = &[
    "if(",
    "if(n)",
    "if(n > 1, else = 3)",
    "if(n >)",
    "count =",
    "count = 4",
    "count = n",
    ")",
    "(",
    "]",
    "[",
    "\"",
    "'",
    ",",
    ", ",
    ": ",
    "=",
    "//",
    "b\"M\"u8",
    "magic = b\"M\"",
    "magic = 0x12u16",
    "magic = M",
    "size(1)",
    "size(2, ..)",
    "bits(4, of = u16)",
    "bits(4)",
    "bits(4, reserved)",
    "nullable",
    "nullable(present = 1, missing = 3)",
    "strict",
    "fill = 3",
    "le",
    "be",
    "endian = n",
    "nul",
    "trim = b' '",
    "text = latin1",
    "text = latin1(2)",
    "text = encoding(ibm437)",
    "until_eof",
    "until = |x| x == 0",
    "each(n)",
    "gaps",
    "peek",
    "optional_tail",
    "pad_to = 4",
    "region = n",
    "region(n, rest = skip)",
    "region(ends(b'|'))",
    "ends(b'|', keep)",
    "ends(b\"ab\", or_eof)",
    "length_prefixed(u8)",
    "length_prefixed(u16, in = bytes)",
    "shape(u8, rank = 1)",
    "shape(u8, rank = each(n))",
    "at = n",
    "at(file) = n",
    "at(end) = 3",
    "tag(u8)",
    "tag_from = n",
    "untagged",
    "record",
    "choice",
    "record(A)",
    "opaque(x)",
    "text",
    "bytes",
    "u8",
    "[u8; 3]",
    "skip(bytes = 2)",
    "align(4)",
    "reserved(1)",
    "ignored",
    "process(decode = a, encode = b)",
    "args(n)",
    "ctx(n: u8)",
    "range = 1..=9",
    "range = 1..=",
    "assert(n > 1)",
    "assert(n >)",
    "assert",
    "as = leb128",
    "bool_lax",
    "()",
    "\n",
    "  ",
    "1 => A",
    "_ => B",
    "{",
    "}",
    ";",
    "<",
    ">",
    "\\",
    "\u{e9}",
    "n",
    "_",
    "\"u8\"",
    "\"a, b\"",
];

/// Holds a text to what must be true of any.
fn holds(text: &str) -> Option<Description> {
    let layout = match text.parse::<Description>() {
        Ok(layout) => layout,
        Err(e) => {
            let line = text.lines().nth(e.line() - 1).unwrap_or_default();
            assert!(e.column() - 1 <= line.chars().count(), "{e}\n{text}");
            return None;
        }
    };
    layout.validate().ok()?;
    let shown = layout.to_string();
    let again = shown.parse::<Description>().unwrap_or_else(|e| panic!("{e}\n{shown}\nwas\n{text}"));
    assert_eq!(again.to_string(), shown, "was\n{text}");
    let number = |layout: &Description| Schema::from(layout.clone()).fingerprint();
    assert_eq!(number(&again), number(&layout), "{shown}\nwas\n{text}");
    Some(layout)
}

/// Some pieces of a text in the place of others.
fn changed(r: &mut Random, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // a few lines say as much as all of them
    let from = r.below(lines.len() as u64) as usize;
    let mut lines: Vec<String> = lines.drain(..).skip(from).take(1 + r.below(8) as usize).collect();
    for _ in 0..1 + r.below(3) {
        let at = r.below(lines.len() as u64) as usize;
        let line = &mut lines[at];
        let places: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let (a, b) = (r.pick(&places), r.pick(&places));
        let (a, b) = (a.min(b), a.max(b));
        match r.below(6) {
            0 => line.replace_range(a..b, ""),
            1 => line.insert_str(a, &line.clone()[a..b]),
            2 => line.insert_str(a, r.pick(PIECES)),
            3 => line.push_str(&format!(", {}", r.pick(PIECES))),
            4 => {
                // a word more, or another one
                let mut words: Vec<&str> = line.split(", ").collect();
                let word = r.below(words.len() as u64) as usize;
                let piece = r.pick(PIECES);
                if r.below(2) == 0 {
                    words[word] = piece
                } else {
                    words.insert(word, piece)
                }
                *line = words.join(", ");
            }
            _ => {
                let other = r.below(lines.len() as u64) as usize;
                lines.swap(at, other);
            }
        }
    }
    lines.join("\n")
}

#[test]
fn texts_that_were_changed() {
    let r = &mut Random::new(5);
    let (mut sound, mut read) = (0, 0);
    for _ in 0..TEXTS {
        let seed = r.pick(SEEDS);
        let Some(layout) = holds(&changed(r, seed)) else { continue };
        sound += 1;
        read += u32::from(comes_back(r, &layout));
    }
    assert!(sound > TEXTS / 100 && read > 20, "{sound}, {read}");
}

/// Reads something as the layout, writes it, and reads it again; whether there was something.
fn comes_back(r: &mut Random, layout: &Description) -> bool {
    let Ok(program) = Program::new(layout) else { return false };
    let with = Options::new().max_memory(1 << 20).ctx(&program);
    let size = r.below(40) as usize;
    let bytes: Vec<u8> = (0..size).map(|_| r.pick(&[0, 1, 2, 3, b'|', b'a', 0xff])).collect();
    let Ok((value, _)) = binfmt::from_prefix_with::<Value, _>(&bytes, &with) else { return false };
    let shown = format!("{layout:?}");
    // what follows has its terminator; and what a variant that is tried reads ahead may be what follows
    if shown.contains("fate: Unread") || (shown.contains("Peeked") && shown.contains("Untagged")) {
        return false;
    }
    let written = match binfmt::to_vec_with(&value, &with) {
        Ok(written) => written,
        Err(_) => return false,
    };
    let again = binfmt::from_slice_with::<Value, _>(&written, &with);
    let again =
        again.unwrap_or_else(|e| panic!("{e}: {value:?} from {bytes:?} is written as {written:?}\n{layout}"));
    assert_eq!(format!("{again:?}"), format!("{value:?}"), "{bytes:?} {written:?}\n{layout}");
    true
}

#[test]
fn texts_of_layouts() {
    let r = &mut Random::new(6);
    for (_, item) in items() {
        for first in 0..WRAPS.len() {
            let around = [first, r.below(WRAPS.len() as u64) as usize];
            for around in [&around[..1], &around] {
                if let Some(layout) = layout(&item, around, false) {
                    assert!(holds(&layout.to_string()).is_some(), "{layout}");
                }
            }
        }
    }
    for seed in 0..400 {
        let layout = any_layout(r, seed % 2 == 0);
        assert!(holds(&layout.to_string()).is_some(), "{layout}");
    }
}

#[test]
fn expressions_that_are_none() {
    let cases = [
        ("record\n  a: u8, if(", "line 2, column 12: `(` is not closed"),
        ("record\n  a: bytes, count =", "line 2, column 20: an expression is missing"),
        ("record\n  n: u8\n  a: u8, if(n >)", "line 3, column 15: an operand is missing after `>`"),
        ("record\n  a: bytes, count = 4, if(, text = latin1(2)", "line 2, column 26: `(` is not closed"),
        ("record\n  a: u8, if()", "line 2, column 13: an expression is missing"),
        ("record\n  a: u8, if(1 == 1, else =)", "line 2, column 27: an expression is missing"),
        ("record\n  a: bytes, count = n)", "line 2, column 22: `)` closes nothing"),
        ("record\n  a: bytes, count = (n]", "line 2, column 23: `]` does not close `(`"),
        ("record\n  a: u8, at(file) =", "line 2, column 20: an expression is missing"),
        ("record\n  a: u8, at =", "line 2, column 14: an expression is missing"),
        ("record\n  a: [u8], each()", "line 2, column 17: an expression is missing"),
        ("record\n  a: [u8], until =", "line 2, column 19: an expression is missing"),
        ("record\n  a: u8, endian = *", "line 2, column 19: an operand is missing after `*`"),
        ("record\n  a: u8, region =", "line 2, column 18: an expression is missing"),
        ("record\n  a: [u8], shape(u8, rank =)", "line 2, column 28: an expression is missing"),
        ("choice, tag_from =\n  1 => A", "line 1, column 19: an expression is missing"),
        ("choice, tag(u8)\n   => A", "line 2, column 4: a variant is its tag, `=>` and a name"),
        ("choice, tag(u8)\n  1 | => A", "line 2, column 5: an operand is missing after `|`"),
        ("record\n  a: u8, range = 1..=", "line 2, column 21: an operand is missing after `=`"),
        ("record\n  a: u8, range", "line 2, column 15: `range` does not say what"),
        ("record, assert(a >)\n  a: u8", "line 1, column 18: an operand is missing after `>`"),
        (
            "record\n  a: B, args(*)\nB: record, ctx(n: u8)",
            "line 2, column 14: an operand is missing after `*`",
        ),
        ("record\n  a: \"b", "line 2, column 6: a quote is not closed"),
        (
            "record\n  m: magic = b\"M\"u8, bits(4, of = u16)",
            "line 2, column 14: these are no bytes, such as b\"\\x7fELF\"",
        ),
        (
            "record\n  m: magic = b\"M\", bits(4, of = u16)",
            "line 2, column 6: `bits` does not go with `magic = b\"M\"`; bits without a value are `(), bits(4, reserved)`",
        ),
    ];
    let found = cases.map(|(text, _)| (text, text.parse::<Description>().unwrap_err().to_string()));
    assert_eq!(found, cases.map(|(text, message)| (text, message.to_string())));
}

/// In a description of another origin, which has no places.
#[test]
fn expressions_of_descriptions() {
    let json = r#"{"root":{"record":{"fields":[{"name":"n","type":{"int":{"bytes":1,"signed":false}}},{"name":"a","type":{"bytes":{"len":{"expr":"TEXT"}}}}]}}}"#;
    let read = |text: &str| serde_json::from_str::<Description>(&json.replace("TEXT", text));
    assert!(read("n + 1").is_ok() && read("f(n, 1)").is_ok());
    for (text, why) in [
        ("", "an expression is missing"),
        ("n +", "an operand is missing after `+`: n +"),
        ("n, m", "`,` stands in no brackets: n, m"),
        ("(n", "`(` is not closed: (n"),
        ("n // m", "a comment is no part of an expression: n // m"),
    ] {
        let e = read(text).unwrap_err().to_string();
        assert!(e.contains(why), "{e}");
    }
}

#[test]
fn names_that_are_words() {
    for text in [
        "record\n  \"_\": u8\n",
        "record\n  a: \"u8\"\nu8: record\n  b: u16\n",
        "record\n  a: [\"text\"; 2]\ntext: u16\n",
        "record\n  a: \"align(4)\"\nalign(4): u8\n",
        "record\n  a: \"a,b\", nullable\n\"a,b\": u8\n",
        "record\n  a: \"a<b\", nullable\n\"a<b\": u8\n",
        "record\n  a: \"[u8]\"\n[u8]: u16\n",
        "choice, magic = M, size(4), tag(u8)\n  1 => \"a, b\"\n",
    ] {
        assert_eq!(holds(text).unwrap().to_string(), text);
    }
}
