//! Types that are compared with files while compiling: what rustc says of a type is what its schema prints.

use super::pinned::{Around, Attempts, Bytes, Choice, Elsewhere, Message, Numbers, Orders, Whole, Words};
use binfmt::schema::{Describe, Description, Schema};
use binfmt::{BinFormat, Layout};

/// Every kind of type that constants know, in one.
#[derive(BinFormat)]
#[binfmt(fingerprint, schema = "tests/schema/described/all.txt")]
struct All {
    numbers: Numbers,
    choice: Choice,
    bytes: Bytes,
    orders: Orders,
    around: Around,
    message: Message,
    attempts: Attempts,
    #[binfmt(length_prefixed(u32, in = bytes))]
    whole: Whole,
    #[binfmt(length_prefixed(u32, in = bytes))]
    elsewhere: Elsewhere,
    #[binfmt(length_prefixed(u32, in = bytes))]
    words: Words,
}

/// The same from JSON.
#[derive(BinFormat)]
#[binfmt(schema = "tests/schema/described/all.json")]
struct Json {
    all: All,
}

/// Written by hand: names of types do not count, nor do comments and rules; a record may stand where it is used.
#[derive(BinFormat)]
#[binfmt(le, schema = "tests/schema/described/by_hand.txt")]
struct ByHand {
    id: Id,
    #[binfmt(count = 2)]
    pair: Vec<Pair<u8>>,
    #[binfmt(count = pair.len() * 2)]
    points: Vec<Point>,
    #[binfmt(args(3))]
    point: Scaled,
}

#[derive(BinFormat)]
#[binfmt(transparent, fingerprint)]
struct Id(u32);

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Pair<T>(T, T);

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Point {
    x: i16,
    #[binfmt(range = 1..=9)]
    y: i16,
}

#[derive(BinFormat)]
#[binfmt(fingerprint, ctx(by: u8))]
struct Scaled {
    #[binfmt(if(by > 1, else = 7))]
    x: i16,
}

fn file(name: &str) -> String {
    let path = format!("{}/tests/schema/described/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn files_are_what_types_print() {
    if std::env::var_os("BINFMT_BLESS").is_some() {
        let folder = format!("{}/tests/schema/described", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(format!("{folder}/all.txt"), All::SCHEMA.to_string()).unwrap();
        std::fs::write(format!("{folder}/all.json"), serde_json::to_string_pretty(Json::SCHEMA).unwrap())
            .unwrap();
    }
    assert_eq!(file("all.txt"), All::SCHEMA.to_string());
    assert_eq!(serde_json::from_str::<Schema>(&file("all.json")).unwrap(), *Json::SCHEMA);
}

#[test]
fn a_layout_by_hand_is_one() {
    let layout: Description = file("by_hand.txt").parse().unwrap();
    assert!(ByHand::SCHEMA.check(&layout.into()).is_ok());
}

type DescribedPart = binfmt::__private::DescribedPart;

/// What the derive makes of a line of a file.
fn said(name: &'static str, what: &'static str, below: Vec<DescribedPart>) -> DescribedPart {
    DescribedPart { name, what, shown: what, definition: None, below: below.leak() }
}

/// The differences between a type and what the derive makes of a file.
fn differences<T: Layout>(definitions: Vec<DescribedPart>) -> String {
    let found = std::panic::catch_unwind(|| {
        binfmt::__private::described(&T::TREE, definitions.leak(), "T", "file");
    });
    match found {
        Ok(()) => String::new(),
        Err(message) => message.downcast_ref::<String>().unwrap().clone(),
    }
}

/// Each line of the file, changed, is noticed.
#[test]
fn every_line_counts() {
    let fields = || vec![said("x", "i16", vec![]), said("y", "i16", vec![])];
    assert_eq!(differences::<Point>(vec![said("Point", "*", fields())]), "");
    for (i, other) in [("x", "u16"), ("z", "i16"), ("y", "i16, le")].into_iter().enumerate() {
        let mut fields = fields();
        fields[i % 2] = said(other.0, other.1, vec![]);
        assert_ne!(differences::<Point>(vec![said("Point", "*", fields)]), "", "{i}");
    }
}

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Quoted {
    #[binfmt(ends(b"a 'b\" "))]
    line: Vec<u8>,
    #[binfmt(ends(b' '))]
    word: Vec<u8>,
}

/// Blanks are free between words, and not inside of literals.
#[test]
fn blanks_in_literals_count() {
    let with = |line, word| {
        differences::<Quoted>(vec![said(
            "Q",
            "*",
            vec![said("line", line, vec![]), said("word", word, vec![])],
        )])
    };
    let (line, word) = ("bytes, ends(b\"a \\'b\\\" \")", "bytes, ends(b' ')");
    assert_eq!(with(line, word), "");
    assert_eq!(with("bytes,ends( b\"a \\'b\\\" \" )", "bytes ,ends(b' ')"), "");
    assert!(with("bytes, ends(b\"a \\'b\\\"\")", word).contains("1 difference "));
    assert!(with("bytes, ends(b\"a  \\'b\\\" \")", word).contains("1 difference "));
    assert!(with(line, "bytes, ends(b'')").contains("1 difference "));
}

/// The words of a definition count, also those of a tuple, which has no name of its own.
#[test]
fn the_definition_of_a_tuple_counts() {
    let with = |what| {
        let pair = DescribedPart { definition: Some(1), ..said("pair", "*", vec![]) };
        let fields = vec![said("0", "u8", vec![]), said("1", "u16", vec![])];
        differences::<Tuple>(vec![said("Tuple", "*", vec![pair]), said("Two", what, fields)])
    };
    assert_eq!(with("*"), "");
    assert!(with("*, be").ends_with("\n  Two: the type has record, the file has *, be"), "{}", with("*, be"));
}

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Tuple {
    pair: (u8, u16),
}

/// A message has room for so many differences; of the others it says how many there are.
#[test]
fn a_long_list_of_differences_ends_with_their_number() {
    let fields = |num| (0..num).map(|_| said("a_field_of_some_length", "u64, nullable", vec![])).collect();
    let few = differences::<Point>(vec![said("Point", "*", fields(2))]);
    assert!(few.contains("4 differences") && !few.contains("more"), "{few}");
    let many = differences::<Point>(vec![said("Point", "*", fields(3000))]);
    assert!(many.contains("binfmt: 3002 differences between `T` and file:"), "{many}");
    let (list, last) = many.rsplit_once("\n  and ").unwrap();
    let told = list.lines().count() - 1;
    assert!(told > 100 && last == format!("{} more", 3002 - told), "{told} {last}");
    assert!(list.lines().all(|line| line.len() > 10 && !line.contains('\0')), "{list}");
    assert!(list.ends_with("the file has u64, nullable"));
}
