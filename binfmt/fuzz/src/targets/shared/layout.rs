//! Descriptions of layouts, made from bytes: every kind of type, sizes at the edge of what numbers hold, expressions that
//! mean something and expressions that mean nothing.

use crate::targets::shared::input::Choices;
use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Description, Encoding, Extent, Fate, Field, Integer, Magic, Record, Tag,
    Terminator, Type, Variant, Varint,
};

const EXPRESSIONS: &[&str] = &[
    "a",
    "b",
    "n",
    "a + 1",
    "a * b",
    "n - 1",
    "a as usize",
    "*a",
    "a & 3",
    "if a > 1 { 2 } else { b }",
    "a / b",
    "a % b",
    "a << b",
    "-a",
    "!a",
    "a == 1",
    "a > b && n < 3",
    "a.len()",
    "true",
    "9999999999999999999",
    "a as u8 as i64",
    "(a)",
    "a -",
    "i128::MAX",
    "a * a * a * a * a",
    "1 << 127",
    "x",
    "*a == 0",
    "|x| *x == 0",
    "|x| x.a == 1",
    "0",
    "2",
    "a % 4",
];
const RULES: &[&str] = &[
    "range = 1..=12",
    "range = ..5",
    "range = -3..=100",
    "assert(*a > 1)",
    "assert(a != 2)",
    "assert(*b == 3)",
    "max_depth = 3",
    "range = 1..=",
    "len_of(b)",
    "len_of(b, bytes)",
    "assert(x",
    "",
];
const PAGES: &[&str] = &[
    "text = encoding(ibm437)",
    "text = encoding(windows_1252)",
    "text = encoding(shift_jis)",
    "text = encoding(koi8_r)",
    "text = encoding(gb18030)",
    "text = encoding(euc_jp)",
    "text = encoding(nothing)",
];
const TAGS: &[&str] =
    &["0", "1", "2..=4", "_", "3 | 7", "a", "b\"x\"", "'a'", "255", "1 + 1", "0..", "-1", "1..=0"];

pub(crate) fn layout(c: &mut Choices<'_>) -> Description {
    let root = if c.is(4) { any(c, 4) } else { Type::Record(record(c, 4)) };
    let mut layout = Description::new(root);
    for name in ["a", "b"] {
        if c.is(2) {
            layout.definitions.insert(name.into(), any(c, 3));
        }
    }
    layout
}

fn size(c: &mut Choices<'_>) -> u64 {
    match c.byte() {
        255 => u64::MAX,
        254 => i64::MAX as u64,
        253 => 1 << 63,
        252 => 1 << 32,
        251 => u64::MAX / 3 + 1,
        250 => u64::MAX / 8 + 1,
        249 => 1 << 20,
        n => u64::from(n % 9),
    }
}

fn text(c: &mut Choices<'_>, list: &[&str]) -> String {
    c.pick(list).into()
}

fn extent(c: &mut Choices<'_>, is_list: bool) -> Extent {
    match c.byte() % 10 {
        0 | 1 => Extent::Fixed(size(c)),
        2..=5 => Extent::Prefixed { len: integer(c), max: c.is(4).then(|| size(c)), inclusive: c.is(4) },
        6 => Extent::Expr(text(c, EXPRESSIONS)),
        7 if is_list => Extent::Until(text(c, EXPRESSIONS)),
        8 => Extent::ToEnd,
        9 => Extent::Each(text(c, EXPRESSIONS)),
        7 => Extent::Ends(terminator(c)),
        _ => Extent::Terminated,
    }
}

fn terminator(c: &mut Choices<'_>) -> Terminator {
    let end = Terminator::new(c.pick(&[&b"a"[..], b"\0", b"\r\n", b"aab", b"\xff"])).expect("not empty");
    let end = end.with_fate(c.pick(&[Fate::Dropped, Fate::Kept, Fate::Unread]));
    if c.is(2) { end.or_eof() } else { end }
}

fn integer(c: &mut Choices<'_>) -> Integer {
    match c.byte() % 8 {
        6 => Integer::Varint { code: varint(c), bytes: c.pick(&[8, 4, 1, 2, 16, 3]) },
        n => Integer::Fixed { bytes: [1, 2, 4, 8, 3, 9, 0, 7][usize::from(n)], signed: c.is(2) },
    }
}

fn varint(c: &mut Choices<'_>) -> Varint {
    c.pick(&[Varint::Leb128, Varint::Sleb128, Varint::Zigzag, Varint::Vlq])
}

fn order(c: &mut Choices<'_>) -> ByteOrder {
    match c.byte() % 5 {
        0 | 1 => ByteOrder::Little,
        2 | 3 => ByteOrder::Big,
        _ => ByteOrder::Expr(text(c, EXPRESSIONS)),
    }
}

fn name(c: &mut Choices<'_>) -> &'static str {
    c.pick(&["a", "b", "c", "d", "e", "n", "m", ""])
}

fn simple(c: &mut Choices<'_>) -> Type {
    match c.byte() % 12 {
        0..=2 => match c.byte() % 8 {
            7 => Type::Varint { code: varint(c), bytes: c.pick(&[8, 4, 1, 2, 16, 3]) },
            n => Type::Int { bytes: [1, 2, 4, 8, 16, 3, 9, 0][usize::from(n)], signed: c.is(2) },
        },
        3 => Type::Float { bytes: c.pick(&[4, 8, 2, 3]) },
        4 => Type::Bool { lax: c.is(2) },
        5 | 6 => Type::Text {
            encoding: c.pick(&[
                Encoding::Utf8,
                Encoding::Ascii,
                Encoding::Latin1,
                Encoding::Any,
                Encoding::Utf16Le,
                Encoding::Utf32Be,
            ]),
            nul: c.is(2),
            len: extent(c, false),
        },
        7 => {
            let bytes = Type::Bytes { len: extent(c, false) };
            if c.is(4) { Type::Trimmed { byte: b'a', body: Box::new(bytes) } } else { bytes }
        }
        8 => Type::Named(name(c).into()),
        9 => Type::Padding { len: extent(c, false), fill: c.byte(), strict: c.is(2) },
        10 => Type::Alignment { to: size(c), fill: c.byte(), strict: c.is(2) },
        _ => match c.byte() % 4 {
            0 => Type::Unit,
            1 => Type::Magic { value: Magic::Bytes(c.bytes(2).to_vec()) },
            2 => Type::Magic { value: Magic::Number { value: text(c, EXPRESSIONS), bytes: c.byte() % 9 } },
            _ => Type::Opaque { by: "x".into(), min: size(c), max: c.is(2).then(|| size(c)) },
        },
    }
}

fn any(c: &mut Choices<'_>, depth: u32) -> Type {
    if depth == 0 || c.is(3) {
        return simple(c);
    }
    let body = |c: &mut Choices<'_>| Box::new(any(c, depth - 1));
    let n = c.byte();
    if n >= RARE {
        return packed(c);
    }
    match n % 16 {
        0..=2 => Type::List { len: extent(c, true), item: body(c) },
        3 => Type::Shaped {
            dim_bytes: c.pick(&[1, 2, 4, 8, 3]),
            dim_signed: c.is(2),
            rank: extent(c, false),
            column_major: c.is(2),
            item: body(c),
        },
        4 | 5 => Type::Region { len: extent(c, false), fill: c.pick(&[None, Some(9)]), body: body(c) },
        6 | 7 => {
            let (present, missing) =
                c.pick(&[(255, (0, 127)), (1, (0, 0)), (0, (3, 9)), (14, (0, 14)), (7, (9, 8))]);
            Type::Nullable { present, missing, blank: c.is(2), body: body(c) }
        }
        8 => {
            let otherwise = c.is(2).then(|| text(c, EXPRESSIONS));
            Type::Conditional { condition: text(c, EXPRESSIONS), otherwise, body: body(c) }
        }
        9 => Type::Ordered { order: order(c), body: body(c) },
        10 => Type::Padded { size: size(c), fill: c.byte(), strict: c.is(2), body: body(c) },
        11..=13 => Type::Record(record(c, depth - 1)),
        _ => Type::Choice(choice(c, depth - 1)),
    }
}

/// A list whose elements have any number of bits.
fn packed(c: &mut Choices<'_>) -> Type {
    let body = Box::new(match c.byte() % 4 {
        0 => Type::Record(Record::new("R", bits(c))),
        1 => simple(c),
        _ => Type::Int { bytes: c.pick(&[1, 2, 4, 8, 16]), signed: c.is(2) },
    });
    let item = Type::Packed { bits: c.byte() % 130, order: bit_order(c), strict: c.is(2), body };
    Type::List { len: extent(c, true), item: Box::new(item) }
}

fn bit_order(c: &mut Choices<'_>) -> Option<BitOrder> {
    c.pick(&[None, Some(BitOrder::Msb), Some(BitOrder::Lsb)])
}

/// Fields that are the bits of one integer, mostly all of them.
fn bits(c: &mut Choices<'_>) -> Vec<Field> {
    let (bytes, order) = (c.pick(&[1, 2, 3, 4, 8, 16]), bit_order(c));
    let (mut fields, mut left) = (Vec::new(), 8 * bytes);
    while left > 0 {
        let bits = c.pick(&[1, 3, 7, 8, 16, 32, left]).min(left);
        let body = match c.byte() % 8 {
            0 => Type::Bool { lax: false },
            1 => Type::Padding { len: Extent::Fixed(0), fill: 0, strict: c.is(2) },
            2 => simple(c),
            3 => Type::Record(Record::new("R", [Field::new("a", simple(c)), Field::new("b", simple(c))])),
            _ => Type::Int { bytes: c.pick(&[1, 2, 4, 8, 16]), signed: c.is(2) },
        };
        let name = if body_is_silent(&body) { String::new() } else { format!("b{left}") };
        let run = (left == 8 * bytes).then_some(bytes);
        let ty = Type::Bits { bits, run, order, body: Box::new(body) };
        let mut field = Field::new(name, ty);
        field.rules = rules(c);
        fields.push(field);
        left -= bits;
    }
    fields
}

fn body_is_silent(body: &Type) -> bool {
    matches!(body, Type::Padding { .. } | Type::Alignment { .. } | Type::Magic { .. })
}

/// A byte of this size chooses what few descriptions have.
const RARE: u8 = 224;

fn rules(c: &mut Choices<'_>) -> Vec<String> {
    match c.byte() {
        RARE.. => vec![text(c, PAGES)],
        n if n % 6 == 5 => vec![text(c, RULES)],
        _ => vec![],
    }
}

fn record(c: &mut Choices<'_>, depth: u32) -> Record {
    let n = c.byte();
    let mut all = if n >= RARE { bits(c) } else { vec![] };
    let fields = (0..n % 5).map(|i| {
        let name = if c.is(4) { name(c) } else { ["a", "b", "c", "d", "e"][usize::from(i)] };
        let mut field = Field::new(name, any(c, depth));
        field.rules = rules(c);
        field
    });
    all.extend(fields);
    let mut record = Record::new("R", all);
    record.order = c.is(6).then(|| order(c));
    record.rules = rules(c);
    record
}

fn choice(c: &mut Choices<'_>, depth: u32) -> Choice {
    let (tag, opens) = match c.byte() {
        RARE.. => tag_of_bits(c),
        n if n % 3 == 2 => (Tag::Expr(text(c, EXPRESSIONS)), None),
        _ => (Tag::Front(Box::new(simple(c))), None),
    };
    let variants = (0..c.byte() % 4).map(|i| {
        let tag = text(c, TAGS);
        let fields = opens.iter().cloned().chain(record(c, depth).fields);
        Variant::new(format!("V{i}"), tag, fields)
    });
    let variants: Vec<Variant> = variants.collect();
    let mut choice = Choice::new("C", tag, variants);
    choice.rules = rules(c);
    choice
}

/// A tag that opens a run of bits, and the field that has the rest of them.
fn tag_of_bits(c: &mut Choices<'_>) -> (Tag, Option<Field>) {
    let (bytes, order) = (c.pick(&[1, 2, 4, 8, 16]), bit_order(c));
    let all: u8 = 8 * bytes;
    let of_tag = (1 + c.byte() % 16).min(all);
    let part = |bits, run| {
        let body = Box::new(Type::Int { bytes: 16, signed: false });
        Type::Bits { bits, run, order, body }
    };
    let rest = (of_tag < all).then(|| Field::new("rest", part(all - of_tag, None)));
    (Tag::Front(Box::new(part(of_tag, Some(bytes)))), rest)
}
