//! Layouts at random, and values of them: with rules, conditions and counts over earlier fields, alignments, ends, named
//! types and such that hold themselves; and layouts that contradict themselves.

use binfmt::numbers::{F16, Number, NumberType, Numbers};
use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Description, Encoding, Extent, Fate, Field, Integer, Magic, Origin, Record,
    Tag, Terminator, Type, Variant, Varint,
};
use binfmt::value::{Name, Value};

/// Numbers at random, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    pub(crate) fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize].clone()
    }
}

fn prefix(r: &mut Random) -> Extent {
    if r.below(5) == 0 {
        let len = Integer::Varint { code: varint(r), bytes: r.pick(&[1, 2, 4, 8]) };
        return Extent::Prefixed { len, max: r.pick(&[None, Some(100)]), inclusive: false };
    }
    let widths = [
        (1, false),
        (2, false),
        (3, false),
        (4, false),
        (7, false),
        (8, false),
        (1, true),
        (2, true),
        (3, true),
    ];
    let (bytes, signed) = r.pick(&widths);
    Extent::Prefixed {
        len: Integer::Fixed { bytes, signed },
        max: r.pick(&[None, Some(100)]),
        inclusive: r.below(4) == 0,
    }
}

fn varint(r: &mut Random) -> Varint {
    r.pick(&[Varint::Leb128, Varint::Sleb128, Varint::Zigzag, Varint::Vlq])
}

fn scalar(r: &mut Random) -> Type {
    match r.below(10) {
        8 => Type::Int { bytes: r.pick(&[3, 5, 6, 7]), signed: r.below(2) == 0 },
        9 => Type::Varint { code: varint(r), bytes: r.pick(&[1, 2, 4, 8, 16]) },
        0 => Type::Bool { lax: r.below(2) == 0 },
        1 | 2 => Type::Float { bytes: r.pick(&[2, 4, 8]) },
        _ => Type::Int { bytes: r.pick(&[1, 2, 4, 8, 16]), signed: r.below(2) == 0 },
    }
}

/// A terminator that no random text contains.
fn end(r: &mut Random) -> Terminator {
    let end = Terminator::new(r.pick(&[&b"\0"[..], b"\0\x01"])).unwrap();
    end.with_fate(r.pick(&[Fate::Dropped, Fate::Kept]))
}

fn textual(r: &mut Random) -> Type {
    let encoding = r.pick(&[Encoding::Utf8, Encoding::Ascii, Encoding::Latin1, Encoding::Any]);
    let wide = r.pick(&[Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be]);
    let encoding_of = |r: &mut Random| if r.below(4) == 0 { wide } else { encoding };
    match r.below(9) {
        0 => Type::Text { encoding: encoding_of(r), nul: true, len: Extent::Fixed(1 + r.below(12)) },
        1 => Type::Text { encoding: Encoding::Any, nul: false, len: Extent::Fixed(r.below(5)) },
        2 => Type::Text { encoding: encoding_of(r), nul: true, len: Extent::Terminated },
        3 => Type::Bytes { len: r.pick(&[Extent::Fixed(3), Extent::Terminated]) },
        6 => Type::Text { encoding, nul: false, len: Extent::Ends(end(r)) },
        7 => Type::Bytes { len: Extent::Ends(end(r)) },
        8 => {
            let len = if r.below(2) == 0 { Extent::Fixed(1 + r.below(12)) } else { prefix(r) };
            let encoding = encoding_of(r);
            Type::Trimmed { byte: b' ', body: Box::new(Type::Text { encoding, nul: false, len }) }
        }
        4 => Type::Bytes { len: prefix(r) },
        _ => Type::Text { encoding, nul: r.below(2) == 0, len: prefix(r) },
    }
}

/// Whether something stands for a missing value of a type.
fn has_blank(ty: &Type) -> bool {
    match ty {
        Type::Int { .. } | Type::Varint { .. } | Type::Float { .. } | Type::Bool { .. } => true,
        Type::Text { len, .. } | Type::Bytes { len } | Type::Region { len, .. } => {
            !matches!(len, Extent::ToEnd)
        }
        Type::Trimmed { body, .. } => has_blank(body),
        Type::List { len: Extent::Prefixed { .. }, .. } => true,
        Type::List { item, .. } => is_fixed(item),
        _ => is_fixed(ty),
    }
}

fn is_fixed(ty: &Type) -> bool {
    match ty {
        Type::Int { .. } | Type::Float { .. } | Type::Bool { .. } => true,
        Type::Text { len, .. } | Type::Bytes { len } => matches!(len, Extent::Fixed(_)),
        Type::Trimmed { body, .. } => is_fixed(body),
        Type::List { item, len: Extent::Fixed(_) } => is_fixed(item),
        Type::Packed { .. } => true,
        Type::Nullable { body, blank: true, .. } | Type::Ordered { body, .. } => is_fixed(body),
        Type::Padded { .. } | Type::Padding { len: Extent::Fixed(_), .. } | Type::Magic { .. } => true,
        Type::Record(record) => record.fields.iter().all(|field| is_fixed(&field.ty)),
        _ => false,
    }
}

/// Whether a type may be missing itself: a value does not say at which of two places.
fn is_maybe(ty: &Type) -> bool {
    match ty {
        Type::Nullable { .. } | Type::Conditional { .. } => true,
        Type::Ordered { body, .. } | Type::Region { body, .. } => is_maybe(body),
        _ => false,
    }
}

/// A type that has a form as a column; with `all`, any type.
pub(crate) fn any_type(r: &mut Random, depth: u32, all: bool) -> Type {
    if depth == 0 {
        return if r.below(2) == 0 { scalar(r) } else { textual(r) };
    }
    let inner = |r: &mut Random| Box::new(any_type(r, depth - 1, all));
    match r.below(if all { 15 } else { 12 }) {
        // the types of `definitions`
        0 if all && r.below(2) == 0 => Type::Named("Tree".into()),
        1 if r.below(3) == 0 => Type::Named("Part".into()),
        0 | 1 => scalar(r),
        2 => textual(r),
        3 | 4 => {
            let body = inner(r);
            if is_maybe(&body) {
                return *body;
            }
            let blank = has_blank(&body) && r.below(4) > 0;
            let (present, missing) = r.pick(&[(255, (0, 127)), (1, (0, 0)), (0, (3, 9))]);
            Type::Nullable { present, missing, blank, body }
        }
        5 if r.below(3) == 0 => {
            let len = if r.below(2) == 0 { Extent::Fixed(r.below(12)) } else { prefix(r) };
            Type::List { item: Box::new(element(r)), len }
        }
        5 => Type::List { item: inner(r), len: Extent::Fixed(r.below(4)) },
        6 => Type::List { item: inner(r), len: prefix(r) },
        7 => Type::Ordered { order: r.pick(&[ByteOrder::Little, ByteOrder::Big]), body: inner(r) },
        8 => Type::Region {
            len: Extent::Prefixed { len: Integer::unsigned(2), max: None, inclusive: false },
            fill: r.pick(&[None, Some(0), Some(7)]),
            body: inner(r),
        },
        9 => Type::Record(any_record(r, depth - 1, all)),
        10 => Type::Padded {
            size: 19 + r.below(4),
            fill: r.pick(&[0, 9]),
            strict: r.below(2) == 0,
            body: Box::new(scalar(r)),
        },
        // what takes everything takes no more than its region
        11 => Type::Region { len: prefix(r), fill: None, body: Box::new(to_the_end(r)) },
        12 => Type::Shaped {
            item: inner(r),
            dim_bytes: r.pick(&[1, 4, 8]),
            dim_signed: r.below(2) == 0,
            rank: r.pick(&[
                Extent::Fixed(2),
                Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false },
            ]),
            column_major: r.below(2) == 0,
        },
        13 => any_choice(r, depth),
        _ => match inner(r) {
            body if is_maybe(&body) => *body,
            body => Type::Conditional {
                condition: r.pick(&["true", "1 + 1 == 3"]).into(),
                otherwise: (is_plain_int(&body) && r.below(2) == 0).then(|| "1".to_owned()),
                body,
            },
        },
    }
}

/// An element of a list that has some bits.
fn element(r: &mut Random) -> Type {
    let order = r.pick(&[None, Some(BitOrder::Msb), Some(BitOrder::Lsb)]);
    let (bits, body) = match r.below(5) {
        0 => (r.pick(&[1, 7]), Type::Bool { lax: false }),
        1 => (16, Type::Float { bytes: 2 }),
        2 => (7, bits_of_a_byte()),
        _ => (1 + r.below(15) as u8, Type::Int { bytes: 2, signed: r.below(2) == 0 }),
    };
    Type::Packed { bits, order, strict: r.below(2) == 0, body: Box::new(body) }
}

fn to_the_end(r: &mut Random) -> Type {
    let len = Extent::ToEnd;
    match r.below(4) {
        // of fewer than eight bits, not every number of them is read again
        3 => match element(r) {
            Type::Packed { bits: 0..8, .. } => Type::Bytes { len },
            element => Type::List { item: Box::new(element), len },
        },
        0 => Type::Text { encoding: Encoding::Utf8, nul: r.below(2) == 0, len },
        1 => Type::Bytes { len },
        _ => Type::List { item: Box::new(scalar(r)), len },
    }
}

/// Named types: one that has a column, and one that holds itself in two ways.
fn definitions() -> [(String, Type); 2] {
    let mut ruled = Field::new("m", Type::Int { bytes: 1, signed: false });
    ruled.rules = vec![RULES[0].into()];
    let text =
        Type::Bytes { len: Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false } };
    let part = Record::new("Part", [ruled, Field::new("text", text)]).ordered(ByteOrder::Big);
    let tree = || Type::Named("Tree".into());
    let more = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    let node =
        [Field::new("next", tree()), Field::new("more", Type::List { item: Box::new(tree()), len: more })];
    let leaf = [Field::new("n", Type::Int { bytes: 2, signed: true })];
    let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    let variants = [Variant::new("Leaf", "0", leaf), Variant::new("Node", "1", node)];
    let tree = Type::Choice(Choice::new("Tree", tag, variants));
    [("Part".into(), Type::Record(part)), ("Tree".into(), tree)]
}

fn tree(r: &mut Random, depth: u32) -> Value {
    let (name, fields) = match r.below(if depth < 4 { 3 } else { 1 }) {
        0 => ("Leaf", vec![("n", int(r, 2, true))]),
        _ => {
            let more = (0..r.below(3)).map(|_| tree(r, depth + 2)).collect();
            ("Node", vec![("next", tree(r, depth + 1)), ("more", Value::List(more))])
        }
    };
    Value::Variant { name: name.into(), value: Box::new(Value::record(fields)) }
}

/// Ranges that have the numbers from 1 to 12.
const RULES: [&str; 4] = ["range = 1..=12", "range = ..100", "range = -5..", "range = (0..=0x10)"];

/// A layout whose last field lies elsewhere: after all others, at the position that the field before it has. `None` if what is
/// before it takes everything to the end.
#[allow(dead_code, reason = "each program of tests has its own questions")]
pub(crate) fn with_a_part_elsewhere(r: &mut Random) -> Option<Description> {
    let mut layout = any_layout(r, true);
    let takes_all = |field: &Field| {
        matches!(
            &field.ty,
            Type::Text { len: Extent::ToEnd, .. }
                | Type::Bytes { len: Extent::ToEnd }
                | Type::List { len: Extent::ToEnd, .. }
        )
    };
    let body = Box::new(if r.below(2) == 0 { scalar(r) } else { Type::Record(any_record(r, 1, true)) });
    let Type::Record(record) = &mut layout.root else { return None };
    if record.fields.iter().any(|field| field.name == "0" || takes_all(field)) {
        return None;
    }
    record.fields.insert(0, Field::new("place", Type::Int { bytes: 4, signed: false }));
    let at = Type::At { position: "place".into(), from: r.pick(&[Origin::File, Origin::Container]), body };
    record.fields.push(Field::new("part", at));
    layout.validate().is_ok().then_some(layout)
}

/// A value of such a layout.
#[allow(dead_code, reason = "each program of tests has its own questions")]
pub(crate) fn value_with_a_part(r: &mut Random, layout: &Description) -> Value {
    let Type::Record(record) = &layout.root else { unreachable!() };
    let (part, others) = record.fields.split_last().unwrap();
    let Type::At { body, .. } = &part.ty else { unreachable!() };
    let mut front = layout.clone();
    let mut without = record.clone();
    without.fields = others.to_vec();
    front.root = Type::Record(without);
    let Value::Record(found) = value(r, &front.root) else { unreachable!() };
    let mut all: Vec<(Name, Value)> = found.iter().map(|(n, v)| (n.clone(), v.clone())).collect();
    let len = binfmt::encoded_len_with(&Value::record(all.clone()), &binfmt::Options::new().ctx(&front));
    all[0].1 = u32::try_from(len.unwrap()).unwrap().into();
    all.push((part.name.clone(), value(r, body)));
    Value::record(all)
}

/// A layout with a version and fields that only some versions have.
#[allow(dead_code, reason = "each program of tests has its own questions")]
pub(crate) fn with_versions(r: &mut Random) -> Description {
    let mut fields = vec![Field::new("version", Type::Int { bytes: 1, signed: false })];
    for i in 0..1 + r.below(5) {
        let body = any_type(r, 1, true);
        let (since, until) = (r.below(4), 4 + r.below(3));
        let mut field = Field::new(format!("f{i}"), body);
        if r.below(3) > 0 && !is_maybe(&field.ty) {
            let condition = format!("version >= {since} && version < {until}");
            let body = Box::new(field.ty);
            field.ty = Type::Conditional { condition, otherwise: None, body };
            field.rules = vec![format!("since = {since}"), format!("until_version = {until}")];
        }
        fields.push(field);
    }
    let mut layout = Description::new(Type::Record(Record::new("Versions", fields)));
    layout.definitions = definitions().into();
    layout
}

/// A value of such a layout in one of its versions.
#[allow(dead_code, reason = "each program of tests has its own questions")]
pub(crate) fn value_of_version(r: &mut Random, layout: &Description, version: u8) -> Value {
    let Type::Record(record) = &layout.root else { unreachable!() };
    let mut all: Vec<(Name, Value)> = vec![("version".into(), version.into())];
    for field in &record.fields[1..] {
        let value = match (&field.ty, &field.rules[..]) {
            (Type::Conditional { body, .. }, [since, until]) => {
                let bound = |rule: &str| rule.rsplit(' ').next().unwrap().parse::<u8>().unwrap();
                match (bound(since)..bound(until)).contains(&version) {
                    true => value(r, body),
                    false => Value::Absent,
                }
            }
            (ty, _) => value(r, ty),
        };
        all.push((field.name.clone(), value));
    }
    Value::record(all)
}

/// A layout that contradicts itself, made of one that does not; `None` where there is nothing to spoil.
pub(crate) fn contradictory(r: &mut Random, layout: &Description) -> Option<Description> {
    let mut layout = layout.clone();
    let Type::Record(record) = &mut layout.root else { return None };
    let byte = || Box::new(Type::Int { bytes: 1, signed: false });
    let ty = match r.below(5) {
        0 => {
            // what stands after the end
            record.fields.push(Field::new("last", *byte()));
            to_the_end(r)
        }
        1 => {
            let present = r.below(256) as u8;
            let missing = (present - r.below(u64::from(present) + 1) as u8, present);
            Type::Nullable { present, missing, blank: r.below(2) == 0, body: byte() }
        }
        2 => Type::Float { bytes: r.pick(&[0, 1, 3, 16]) },
        3 => Type::Named("Nobody".into()),
        _ => Type::List { item: Box::new(to_the_end(r)), len: prefix(r) },
    };
    record.fields.insert(0, Field::new("wrong", ty));
    Some(layout)
}

fn any_choice(r: &mut Random, depth: u32) -> Type {
    let variant = |r: &mut Random, name: &str, tag: &str| {
        let fields = if r.below(3) == 0 { vec![] } else { any_record(r, depth - 1, true).fields };
        Variant::new(name, tag, fields)
    };
    let variants =
        [("One", "1"), ("Some", "2..=9 | 200"), ("Rest", "_")].map(|(name, tag)| variant(r, name, tag));
    let tag = Type::Int { bytes: r.pick(&[1, 2]), signed: false };
    if r.below(4) > 0 {
        return Type::Choice(Choice::new("Choice", Tag::Front(Box::new(tag)), variants));
    }
    // a tag that opens a run of bits, with which each variant goes on
    let order = r.pick(&[None, Some(BitOrder::Msb), Some(BitOrder::Lsb)]);
    let bits = |bits, run| {
        let body = Box::new(Type::Int { bytes: 2, signed: false });
        Type::Bits { bits, run, order, body }
    };
    let variants = variants.map(|mut variant| {
        variant.fields.insert(0, Field::new("low", bits(6, None)));
        variant
    });
    Type::Choice(Choice::new("Choice", Tag::Front(Box::new(bits(10, Some(2)))), variants))
}

/// A struct of eight bits, the first of which has no value: it fits in seven.
fn bits_of_a_byte() -> Type {
    let bits = |bits, run, body| Type::Bits { bits, run, order: Some(BitOrder::Msb), body: Box::new(body) };
    let silent = Type::Padding { len: Extent::Fixed(0), fill: 0, strict: false };
    let number = || Type::Int { bytes: 2, signed: false };
    let high = Field::new("", bits(1, Some(1), silent));
    let (user, group) =
        (Field::new("user", bits(3, None, number())), Field::new("group", bits(4, None, number())));
    Type::Record(Record::new("Mode", [high, user, group]))
}

/// Fields that are the bits of one integer; with `all`, of any type.
fn run_of_bits(r: &mut Random, i: u64, all: bool) -> Vec<Field> {
    let bytes = r.pick(&[1, 2, 4, 8]);
    let order = r.pick(&[None, Some(BitOrder::Msb), Some(BitOrder::Lsb)]);
    let (mut fields, mut left) = (Vec::new(), 8 * bytes);
    while left > 0 {
        let bits = (1 + r.below(9) as u8).min(left);
        let (bits, body) = match r.below(if all && left >= 16 { 8 } else { 4 }) {
            0 if bits == 1 => (bits, Type::Bool { lax: false }),
            1 => (bits, Type::Padding { len: Extent::Fixed(0), fill: 0, strict: false }),
            4 => (16, Type::Float { bytes: 2 }),
            5 => {
                let item = Box::new(Type::Int { bytes: 1, signed: r.below(2) == 0 });
                (16, Type::List { item, len: Extent::Fixed(2) })
            }
            6 => (7, bits_of_a_byte()),
            _ => (bits, Type::Int { bytes: 2, signed: r.below(2) == 0 }),
        };
        let run = (left == 8 * bytes).then_some(bytes);
        let ty = Type::Bits { bits, run, order, body: Box::new(body) };
        // what has no value has no name here
        let silent = matches!(&ty, Type::Bits { body, .. } if matches!(**body, Type::Padding { .. }));
        fields.push(Field::new(if silent { String::new() } else { format!("b{i}_{left}") }, ty));
        left -= bits;
    }
    fields
}

pub(crate) fn any_record(r: &mut Random, depth: u32, all: bool) -> Record {
    let mut fields = Vec::new();
    let tuple = r.below(4) == 0;
    let n = 1 + r.below(4);
    for i in 0..n {
        match r.below(12) {
            0 => fields.push(Field::new(
                "",
                Type::Magic { value: Magic::Number { value: "0x1234".into(), bytes: 2 } },
            )),
            1 => fields.push(Field::new(
                "",
                Type::Padding { len: Extent::Fixed(r.below(4)), fill: 5, strict: r.below(2) == 0 },
            )),
            2 => fields.push(Field::new("", Type::Padding { len: prefix(r), fill: 0, strict: false })),
            3 => fields.push(Field::new(
                "",
                Type::Alignment { to: r.pick(&[1, 2, 4]), fill: 0, strict: r.below(2) == 0 },
            )),
            4 if !tuple => fields.extend(run_of_bits(r, i, all)),
            _ => {}
        }
        let name = if tuple { i.to_string() } else { format!("f{i}") };
        let ty = any_type(r, depth, all);
        let earlier = if tuple { None } else { number_of(r, &fields) };
        let ty = match (earlier, r.below(4)) {
            (Some(n), 0) if all && !is_maybe(&ty) => {
                let otherwise = (is_plain_int(&ty) && r.below(2) == 0).then(|| "3 - 2".to_owned());
                Type::Conditional { condition: format!("*{n} & 1 == 1"), otherwise, body: Box::new(ty) }
            }
            (Some(n), 1) => Type::List { item: Box::new(ty), len: Extent::Expr(format!("{n} & 3")) },
            _ => ty,
        };
        let mut field = Field::new(name, ty);
        if r.below(3) == 0 && is_number(&field.ty) {
            field.rules.push(r.pick(&RULES).into());
        }
        fields.push(field);
    }
    let record = Record::new(if tuple { "" } else { "R" }, fields);
    match r.below(3) {
        0 => record.ordered(r.pick(&[ByteOrder::Little, ByteOrder::Big])),
        _ => record,
    }
}

/// An earlier field that is an unsigned number in every row.
fn number_of(r: &mut Random, fields: &[Field]) -> Option<String> {
    let is_number = |field: &&Field| match field.ty {
        Type::Int { signed, bytes } => !signed && bytes <= 8,
        Type::Varint { code, bytes } => !code.is_signed() && bytes <= 8,
        _ => false,
    };
    let numbers: Vec<&Field> = fields.iter().filter(is_number).collect();
    if numbers.is_empty() { None } else { Some(r.pick(&numbers).name.to_string()) }
}

fn is_plain_int(ty: &Type) -> bool {
    matches!(ty, Type::Int { .. } | Type::Varint { .. })
}

fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Int { .. } | Type::Varint { .. } => true,
        Type::Nullable { body, .. } => matches!(**body, Type::Int { .. } | Type::Varint { .. }),
        _ => false,
    }
}

pub(crate) fn any_layout(r: &mut Random, all: bool) -> Description {
    let depth = 1 + r.below(3) as u32;
    let mut record = any_record(r, depth, all);
    if all && r.below(6) == 0 {
        let name = record.fields.iter().filter(|field| !field.name.is_empty()).count();
        let tuple = record.fields.iter().any(|field| field.name == "0");
        let name = if tuple { name.to_string() } else { format!("f{name}") };
        record.fields.push(Field::new(name, to_the_end(r)));
    }
    let mut layout = Description::new(Type::Record(record));
    layout.definitions = definitions().into();
    layout
}

fn int(r: &mut Random, bytes: u8, signed: bool) -> Value {
    let n = if r.below(2) == 0 { r.next() } else { r.below(3) };
    let wide = u128::from(n) << 64 | u128::from(r.next());
    let (size, kind) = (usize::from(bytes), kind(bytes, signed));
    if ![1, 2, 4, 8, 16].contains(&bytes) {
        // the lowest bits, and the sign carried on
        let rest = 128 - 8 * u32::from(bytes);
        let n =
            if signed { (i128::from(n) << rest) >> rest } else { (u128::from(n) << rest >> rest) as i128 };
        return Number::from_i128(kind, n).unwrap().into();
    }
    let bytes = if bytes == 16 { wide.to_le_bytes() } else { u128::from(n).to_le_bytes() };
    Numbers::from_le_bytes(kind, &bytes[..size]).unwrap().get(0).unwrap().into()
}

/// The number that holds an integer of that many bytes.
fn kind(bytes: u8, signed: bool) -> NumberType {
    NumberType::int(bytes.next_power_of_two(), signed).unwrap()
}

fn string(r: &mut Random, encoding: Encoding, most: u64) -> String {
    let letters: &[char] = match encoding {
        Encoding::Ascii => &['a', 'b', '~'],
        Encoding::Latin1 => &['a', 'é', 'ÿ'],
        _ => &['a', 'é', '→', '😀'],
    };
    let mut text = String::new();
    for _ in 0..r.below(most + 1) {
        let c = r.pick(letters);
        let len =
            if encoding == Encoding::Latin1 { text.chars().count() + 1 } else { text.len() + c.len_utf8() };
        if len as u64 <= most {
            text.push(c);
        }
    }
    text
}

fn text(r: &mut Random, encoding: Encoding, nul: bool, len: &Extent) -> Value {
    if encoding == Encoding::Any && (r.below(3) == 0 || matches!(len, Extent::Fixed(_) if !nul)) {
        let n = match len {
            Extent::Fixed(n) if !nul => *n,
            Extent::Fixed(n) => r.below(*n),
            _ => r.below(9),
        };
        let bytes: Vec<u8> = (0..n).map(|_| r.pick(&[0xff, b'a', 0x80])).collect();
        return match String::from_utf8(bytes) {
            Ok(text) => Value::Text(text),
            Err(e) => Value::Bytes(e.into_bytes()),
        };
    }
    let most = match len {
        Extent::Fixed(n) => n - 1,
        _ => 20,
    };
    Value::Text(string(r, encoding, most))
}

/// A text with its terminator, where that is part of it.
fn ended(text: Value, len: &Extent) -> Value {
    let Extent::Ends(end) = len else { return text };
    let more = if end.fate() == Fate::Kept { end.bytes() } else { &[] };
    match text {
        Value::Text(text) => Value::Text(text + std::str::from_utf8(more).unwrap()),
        Value::Bytes(bytes) => Value::Bytes([&bytes[..], more].concat()),
        other => other,
    }
}

/// A value of a type.
pub(crate) fn value(r: &mut Random, ty: &Type) -> Value {
    value_in(r, ty, &[])
}

/// The number that an earlier field of a name has.
fn number(name: &str, scope: &[(Name, Value)]) -> i128 {
    let found = scope.iter().find(|(other, _)| *other == *name);
    found.and_then(|(_, value)| value.as_i128()).unwrap()
}

/// A value of a type after these fields.
fn value_in(r: &mut Random, ty: &Type, scope: &[(Name, Value)]) -> Value {
    match ty {
        Type::Int { bytes, signed } => int(r, *bytes, *signed),
        Type::Varint { code, bytes } => int(r, *bytes, code.is_signed()),
        Type::Float { bytes: 2 } => F16::from_bits(r.next() as u16).into(),
        Type::Float { bytes: 4 } => f32::from_bits(r.next() as u32).into(),
        Type::Float { .. } => f64::from_bits(r.next()).into(),
        Type::Bool { .. } => (r.below(2) == 0).into(),
        Type::Bits { bits, body, .. } | Type::Packed { bits, body, .. } => match &**body {
            Type::Int { signed: true, .. } => {
                (r.below(1 << bits) as i16).wrapping_sub(1 << (bits - 1)).into()
            }
            Type::Int { .. } => (r.below(1 << bits) as u16).into(),
            other => value_in(r, other, scope),
        },
        // a value may be shorter than its field, as one with a NUL
        Type::Trimmed { body, .. } => match &**body {
            Type::Text { encoding, len, .. } => text(r, *encoding, true, len),
            other => value_in(r, other, scope),
        },
        Type::Text { encoding, nul, len } => ended(text(r, *encoding, *nul, len), len),
        Type::Bytes { len } => {
            let n = if let Extent::Fixed(n) = len { *n } else { r.below(9) };
            ended(Value::Bytes((0..n).map(|_| 1 + r.below(255) as u8).collect()), len)
        }
        Type::List { item, len } => {
            let n = match len {
                Extent::Fixed(n) => *n,
                Extent::Expr(text) => (number(text.split_once(' ').unwrap().0, scope) & 3) as u64,
                _ => r.below(6),
            };
            Value::List((0..n).map(|_| value_in(r, item, scope)).collect())
        }
        Type::Shaped { item, rank, .. } => {
            let rank = if let Extent::Fixed(n) = rank { *n } else { r.below(4) };
            let shape: Box<[u64]> = (0..rank).map(|_| r.below(4)).collect();
            let values = (0..shape.iter().product()).map(|_| value_in(r, item, scope)).collect();
            Value::Array { shape, values }
        }
        Type::Nullable { missing, body, .. } => match r.below(3) {
            0 => Value::Missing(missing.0 + r.below(u64::from(missing.1 - missing.0) + 1) as u8),
            _ => value_in(r, body, scope),
        },
        Type::Conditional { condition, otherwise, body } => {
            let name = condition.strip_prefix('*').and_then(|rest| rest.split_once(' '));
            if condition == "true" || name.is_some_and(|(name, _)| number(name, scope) & 1 == 1) {
                value_in(r, body, scope)
            } else if otherwise.is_some() {
                let kind = value_in(r, body, scope).as_number().unwrap().number_type();
                Number::from_i128(kind, 1).unwrap().into()
            } else {
                Value::Absent
            }
        }
        Type::Ordered { body, .. } | Type::Padded { body, .. } | Type::Region { body, .. } => {
            value_in(r, body, scope)
        }
        Type::Named(name) if name == "Tree" => tree(r, 0),
        Type::Named(_) => value(r, &definitions()[0].1),
        Type::Record(record) => fields(r, &record.fields, None),
        Type::Choice(choice) => {
            let variant = r.pick(&choice.variants);
            let Tag::Front(tag) = &choice.tag else { unreachable!() };
            let tag = match (variant.name.as_str(), &**tag) {
                ("One", _) => None,
                (name, Type::Int { bytes: 1, .. }) => {
                    Some(Value::from(if name == "Some" { 5u8 } else { 77 }))
                }
                (name, _) => Some(Value::from(if name == "Some" { 200u16 } else { 700 })),
            };
            let value = match (&tag, variant.fields.is_empty()) {
                (None, true) => Value::Unit,
                _ => fields(r, &variant.fields, tag),
            };
            Value::Variant { name: variant.name, value: Box::new(value) }
        }
        _ => Value::Unit,
    }
}

/// A number that every rule allows.
fn allowed(r: &mut Random, ty: &Type) -> Value {
    let n = 1 + r.below(12) as u8;
    match ty {
        Type::Nullable { body, .. } => allowed(r, body),
        Type::Int { bytes, signed } => Number::from_i128(kind(*bytes, *signed), n.into()).unwrap().into(),
        Type::Varint { code, bytes } => {
            Number::from_i128(kind(*bytes, code.is_signed()), n.into()).unwrap().into()
        }
        ty => Number::from_i128(ty.number_type().unwrap(), n.into()).unwrap().into(),
    }
}

fn fields(r: &mut Random, fields: &[Field], tag: Option<Value>) -> Value {
    let kept = tag.is_some();
    let mut all: Vec<(Name, Value)> = tag.map(|tag| ("tag".into(), tag)).into_iter().collect();
    for field in fields.iter().filter(|field| !field.name.is_empty()) {
        let value = match (field.rules.is_empty(), value_in(r, &field.ty, &all)) {
            (false, value) if !value.is_missing() => allowed(r, &field.ty),
            (_, value) => value,
        };
        all.push((field.name.clone(), value));
    }
    if !kept && all.first().is_some_and(|(name, _)| name == "0") {
        return Value::List(all.into_iter().map(|(_, value)| value).collect());
    }
    Value::record(all)
}
