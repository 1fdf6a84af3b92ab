//! The text of a layout: what is read of it beside what schemas print, and what is wrong with it.

use binfmt::Options;
use binfmt::schema::{Description, Type};
use binfmt::value::{Program, Value};

fn read(text: &str) -> Description {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[track_caller]
fn fails(text: &str, message: &str) {
    let e = text.parse::<Description>().unwrap_err();
    assert_eq!(e.to_string(), message);
    let line = text.lines().nth(e.line() - 1).unwrap_or("");
    assert!(e.column() <= line.chars().count() + 1, "{e}");
}

#[test]
fn blanks_comments_and_order_of_definitions_are_free() {
    let tidy = "A: record\n  n: u8\n  b: [B], count = n  // all of them\nB: record, le\n  x: u16\n";
    let loose = "// a log\n\nA  : record\n\tn:  u8\n\tb: [ B ] ,count= n // all of them\n\n   // inside\nB: record,le\n    x: u16";
    assert_eq!(read(&loose.replace("A  :", "A:")).to_string(), tidy);
}

#[test]
fn a_root_without_a_name() {
    assert_eq!(read("[u16; 3]").to_string(), "[u16; 3]\n");
    assert_eq!(read("u32, be").root, read("u32, be").root);
    assert!(matches!(read("record\n  a: u8").root, Type::Record(r) if r.fields.len() == 1));
}

#[test]
fn a_root_without_a_name_may_have_parameters() {
    let text = "record, ctx(n: u16)\n  a: bytes, count = n\n";
    assert_eq!(read(text).to_string(), text);
    let text = "[record, ctx(n: u16); 2]\n  a: bytes, count = n\n";
    assert_eq!(read(text).to_string(), text);
}

#[test]
fn names_with_brackets() {
    for text in ["a<(u8, u8)>: u8\n", "(u8, [u8]): u8\n", "\"a(b\": u8\n", "\"a]: [b\": u8\n"] {
        assert_eq!(read(text).to_string(), text);
    }
}

/// The name of a definition is that of its record or choice, unless something stands around that.
#[test]
fn names_of_records_in_definitions_are_kept() {
    for text in [
        "A: record(B), region = 3\n  x: u8\n",
        "A: record(A), nullable\n  x: u8\n",
        "A: [record(B); 3]\n  x: u8\n",
        "A: record, le\n  x: u8\n",
        "A: choice(\"B C\"), pad_to = 3, tag(u8)\n  1 => One\n",
    ] {
        let layout = read(text);
        assert_eq!(layout.to_string(), text);
        let again: Description = layout.to_string().parse().unwrap();
        assert_eq!(again, layout);
    }
    let Type::Region { body, .. } = &read("A: record(B), region = 3\n  x: u8").definitions["A"] else {
        panic!()
    };
    assert!(matches!(&**body, Type::Record(record) if record.name == "B"));
}

#[test]
fn names_in_quotes() {
    let text = "\"a: b\": record\n  \"x // y\": u8\n  \"\\u{1}\": \"c, d\"\n\"c, d\": record\n  0: u8\n";
    assert_eq!(read(text).to_string().replace("c, d: ", "\"c, d\": ").replace(": c, d", ": \"c, d\""), text);
}

#[test]
fn what_is_wrong_has_its_place() {
    fails("", "line 1, column 1: there is no type");
    fails("P: record\n  x: f33", "line 2, column 6: unknown type `f33`, did you mean `f32`?");
    fails(
        "P: record\n  x: f32, nulable",
        "line 2, column 11: unknown word `nulable`, did you mean `nullable`?",
    );
    fails("P: record\n  x: Q\nR: record", "line 2, column 6: unknown type `Q`, did you mean `P` or `R`?");
    fails("P: record\n  x", "line 2, column 3: a field is a name, a colon and a type");
    fails("P: record\n  u8", "line 2, column 3: a field is a name, a colon and a type");
    fails("P: u8\n  x: u8", "line 2, column 3: only records and choices have lines of their own");
    fails("P: u8, nul", "line 1, column 8: `nul` does not go with `u8`");
    fails("region = n, [u16]", "line 1, column 1: the type comes first: `[u16], region = n`");
    fails("count = 4", "line 1, column 1: the type comes first: `u16, count = 4`");
    fails("magic = 7u8, nonsense", "line 1, column 14: unknown word `nonsense`");
    fails("leb128", "line 1, column 1: `leb128` is how an integer is written: `u64, as = leb128`");
    fails("zigzag, be", "line 1, column 1: `zigzag` is how an integer is written: `i64, as = zigzag`");
    fails(
        "text(utf16le), nul",
        "line 1, column 1: a text has a length and then its encoding: `text, nul, text = utf16le`",
    );
    let kept =
        "what is kept is a field: a record in the region, whose last field is `rest: bytes, until_eof`";
    fails("u8, region(n, rest = keep)", &format!("line 1, column 15: {kept}"));
    fails("u8, length_prefixed(u8, in = bytes, rest = keep)", &format!("line 1, column 37: {kept}"));
    fails("text, latin1", "line 1, column 7: unknown word `latin1`");
    fails("text, text = latin2", "line 1, column 14: unknown encoding `latin2`, did you mean `latin1`?");
    fails(
        "text",
        "line 1, column 1: `text` does not say where it ends: add `count = 4`, `length_prefixed(u8)` or the like",
    );
    fails("[u8, count = 3]", "line 1, column 6: `count = 3` does not go with `u8`");
    fails(
        "choice\n  1 => A",
        "line 1, column 1: a choice says where its tag is: `tag(u8)` or `tag_from = field`, or that there is none: `untagged`",
    );
    fails("choice, tag(u8)\n  A", "line 2, column 3: a variant is its tag, `=>` and a name");
    fails("A: u8\nA: u16", "line 2, column 1: a second definition of `A`; the first is in line 1, column 1");
    fails(
        "record\n  a: u8\n  \"a\": u8",
        "line 3, column 3: a second field `a`; the first is in line 2, column 3",
    );
    fails("A: recrod, le\n  a: u8", "line 1, column 4: unknown type `recrod`, did you mean `record`?");
    let lines = "only `record` and `choice` have lines of their own, not `Row`";
    fails("A: record\n  b: Row\n    c: u8", &format!("line 2, column 6: {lines}"));
    fails("A: u8\nu16", "line 2, column 1: a definition is a name, a colon and a type");
    fails("bytes, length_prefixed(u9)", "line 1, column 24: `u9` is not an integer");
    fails("bytes, length_prefixed(u8, mx = 3)", "line 1, column 28: unknown word `mx = 3`");
    fails("magic = 7", "line 1, column 9: a magic is bytes, or a number with its type, such as 0x1234u16");
    fails("u16, pad_to = many", "line 1, column 15: `many` is not a number that fits here");
    fails("é: record\n  ü: ö", "line 2, column 6: unknown type `ö`, did you mean `é`?");
}

#[test]
fn deep_texts_end() {
    let lists = format!("{}u8{}", "[".repeat(100_000), "; 1]".repeat(100_000));
    assert!(lists.parse::<Description>().unwrap_err().message().contains("too often"));
    let lines: String = (0..1000).map(|depth| format!("{:depth$}a: record\n", "")).collect();
    assert!(lines.parse::<Description>().unwrap_err().message().contains("too often"));
}

/// Cut anywhere and with any character changed, a text is read or refused.
#[test]
fn damaged_texts() {
    let text = "A: record, le, assert(*n < 9, \"a, b\")  // d\n  n: u8, range = 1..=9\n  _: magic = b\"\\x7f\"\n  \
                t: text, nullable(present = 1, missing = 0), length_prefixed(u16, in = bytes, max = 4), nul\n  \
                \"q\": [[C; 2]], if(*n > 1, else = 3), shape(u32, rank = 2)\nC: choice, tag(u8)\n  1..=2 => X\n    \
                0: bytes, ends(b'|', keep), trim = b' '\n";
    for end in 0..text.len() {
        let _ = text[..end].parse::<Description>();
        for byte in *b"(['\"]),;:=/ \n\\x" {
            let mut bytes = text.as_bytes().to_vec();
            bytes[end] = byte;
            let _ = std::str::from_utf8(&bytes).unwrap().parse::<Description>();
        }
    }
}

/// A struct or enum that stands where it is used keeps its name.
#[test]
fn inline_records_keep_their_names() {
    let text = "record(row), le\n  a: record(Point)\n    x: u8\n  b: [choice(\"a b\"), tag(u8)], count = 2\n    1 => One\n";
    let layout: Description = text.parse().unwrap();
    let Type::Record(row) = &layout.root else { panic!("{layout:?}") };
    assert_eq!(row.name, "row");
    assert!(matches!(&row.fields[0].ty, Type::Record(point) if point.name == "Point"));
    assert_eq!(layout.to_string(), text.replace("], count = 2", "; 2]"));
    assert_eq!(layout.to_string().parse::<Description>().unwrap(), layout);
}

#[test]
fn control_characters_are_refused() {
    let e = "R: record, le\n  n: u8\n  x: u8, if(n == \0)\n".parse::<Description>().unwrap_err();
    assert_eq!(e.to_string(), "line 3, column 18: a control character means nothing here");
    assert!("R: record, le\n  n: u8\t// one\x07\n".parse::<Description>().is_ok());
}

/// Tabs are blanks as spaces are, and what is written has none.
#[test]
fn tabs_are_spaces() {
    let spaced = "R: record, le\n  n: u8 // it isn\"t\n  \"a b\": bytes, count = 2 * (n + 1)\n";
    let tabbed = spaced.replace("  ", "\t").replace(": ", ":\t").replace(" + ", "\t+\t").replace(", ", ",\t");
    assert_eq!(read(&tabbed), read(spaced));
    let written = "R: record, le\n  n: u8  // it isn\"t\n  a b: bytes, count = 2 * (n + 1)\n";
    assert_eq!(read(&tabbed).to_string(), written);
    let e = "R: record, le\n\t\"a\tb\": u8\n".parse::<Description>().unwrap_err();
    assert_eq!(e.to_string(), "line 2, column 4: a tab in quotes is `\\t`");
}

/// The bits of a run have one order, which is said where the run is opened: in front of the variants that go on with it, too.
#[test]
fn the_order_of_bits_goes_on() {
    let text = "\
Message: choice, tag(u8, bits(3, of = u8, order = msb))
  1 => One
    0: u8, bits(5)
  _ => Other
    1: bool, bits(1)
    2: u8, bits(4)
";
    let layout = read(text);
    assert_eq!(layout.to_string(), text);
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    let other = [("tag", Value::from(2u8)), ("1", true.into()), ("2", 3u8.into())];
    for (byte, name, fields) in [
        (0b0011_0010, "One", Value::List([Value::from(18u8)].into_iter().collect())),
        (0b0101_0011, "Other", Value::record(other)),
    ] {
        let value: Value = binfmt::from_slice_with(&[byte], &options).unwrap();
        assert_eq!(value, Value::Variant { name: name.into(), value: Box::new(fields) });
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), [byte]);
    }
}

#[test]
fn bits_of_one_run_have_no_other_order() {
    for (run, bits) in [("order = msb", "order = lsb"), ("order = lsb", "order = msb"), ("be", "order = lsb")]
    {
        let opened = if run == "be" { String::new() } else { format!(", {run}") };
        let text = format!("R: record, be\n  a: u8, bits(3, of = u8{opened})\n  b: u8, bits(5, {bits})\n");
        let e = text.parse::<Description>().unwrap_err().to_string();
        assert!(e.contains("line 3") && e.contains("said where their run begins"), "{e}");
    }
    read("R: record, be\n  a: u8, bits(3, of = u8, order = lsb)\n  b: u8, bits(5, order = lsb)\n");
}
