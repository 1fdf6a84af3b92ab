//! Each word in each other one: types that ask where the input ends, and what may be around them.

use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Description, Encoding, Extent, Fate, Field, Integer, Magic, Origin, Record,
    Tag, Terminator, Type, Variant, Varint,
};

fn boxed(ty: Type) -> Box<Type> {
    Box::new(ty)
}

fn byte() -> Type {
    Type::Int { bytes: 1, signed: false }
}

fn counted() -> Extent {
    Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false }
}

fn end(bytes: &[u8], fate: Fate) -> Extent {
    Extent::Ends(Terminator::new(bytes).unwrap().with_fate(fate).or_eof())
}

fn magic(bytes: &[u8]) -> Field {
    Field::new("", Type::Magic { value: Magic::Bytes(bytes.to_vec()) })
}

/// Types without others inside.
pub(crate) fn items() -> Vec<(&'static str, Type)> {
    let text = |encoding, nul, len| Type::Text { encoding, nul, len };
    let bytes = |len| Type::Bytes { len };
    let sure = |fate| Extent::Ends(Terminator::new(b"|").unwrap().with_fate(fate));
    vec![
        ("u8", byte()),
        ("u16", Type::Int { bytes: 2, signed: false }),
        ("leb128", Type::Varint { code: Varint::Leb128, bytes: 4 }),
        ("bool", Type::Bool { lax: true }),
        ("or_eof", bytes(end(b"|", Fate::Dropped))),
        ("keep, or_eof", bytes(end(b"|", Fate::Kept))),
        ("unread, or_eof", bytes(end(b"|", Fate::Unread))),
        ("two bytes, or_eof", bytes(end(b"|a", Fate::Dropped))),
        ("text, or_eof", text(Encoding::Latin1, false, end(b"|", Fate::Dropped))),
        ("utf8, keep, or_eof", text(Encoding::Utf8, false, end(b"|", Fate::Kept))),
        ("trim", Type::Trimmed { byte: b'b', body: boxed(bytes(end(b"|", Fate::Dropped))) }),
        (
            "region, or_eof",
            Type::Region {
                len: end(b"|", Fate::Dropped),
                fill: None,
                body: boxed(Type::List { item: boxed(byte()), len: Extent::ToEnd }),
            },
        ),
        ("ends", bytes(sure(Fate::Dropped))),
        ("unread", bytes(sure(Fate::Unread))),
        ("nul", text(Encoding::Latin1, true, Extent::Terminated)),
        ("utf16", text(Encoding::Utf16Le, true, Extent::Terminated)),
        ("prefixed", bytes(counted())),
        ("until_eof", bytes(Extent::ToEnd)),
        ("text, until_eof", text(Encoding::Any, true, Extent::ToEnd)),
        (
            "list, until_eof",
            Type::List { item: boxed(Type::Int { bytes: 2, signed: true }), len: Extent::ToEnd },
        ),
        (
            "packed, until_eof",
            Type::List {
                item: boxed(Type::Packed {
                    bits: 12,
                    order: Some(BitOrder::Lsb),
                    strict: false,
                    body: boxed(Type::Int { bytes: 2, signed: false }),
                }),
                len: Extent::ToEnd,
            },
        ),
        ("untagged", untagged([vec![Field::new("a", Type::Int { bytes: 4, signed: false }), magic(b"|")]])),
        (
            "untagged, or_eof",
            untagged([
                vec![Field::new("a", bytes(end(b"|", Fate::Dropped))), magic(b"a")],
                vec![Field::new("a", byte()), magic(b"b")],
            ]),
        ),
    ]
}

/// Some variants, of which the last is a byte.
fn untagged<const N: usize>(fields: [Vec<Field>; N]) -> Type {
    let mut variants: Vec<Variant> = Vec::new();
    for (i, fields) in fields.into_iter().enumerate() {
        variants.push(Variant::new(format!("V{i}"), "_", fields));
    }
    variants.push(Variant::new("Last", "_", [Field::new("b", byte())]));
    Type::Choice(Choice::new("Tried", Tag::Untagged, variants))
}

/// Puts a type into another one, which may be a new named type of the description.
type Wrap = fn(&mut Description, Type) -> Type;

/// What may be around a type: its name, and the type around it. Expressions are over a field `n`.
pub(crate) const WRAPS: &[(&str, Wrap)] = &[
    ("[_; 1]", |_, ty| Type::List { item: boxed(ty), len: Extent::Fixed(1) }),
    ("[_; 2]", |_, ty| Type::List { item: boxed(ty), len: Extent::Fixed(2) }),
    ("count", |_, ty| Type::List { item: boxed(ty), len: Extent::Expr("n & 3".into()) }),
    ("length_prefixed", |_, ty| Type::List { item: boxed(ty), len: counted() }),
    ("until_eof", |_, ty| Type::List { item: boxed(ty), len: Extent::ToEnd }),
    ("until", |_, ty| Type::List {
        item: boxed(Type::Record(Record::new("Item", [Field::new("n", byte()), Field::new("of", ty)]))),
        len: Extent::Until("|x| x.n & 1 == 1".into()),
    }),
    ("rank = 0", |_, ty| shaped(ty, Extent::Fixed(0))),
    ("rank = 1", |_, ty| shaped(ty, Extent::Fixed(1))),
    ("rank = n", |_, ty| shaped(ty, Extent::Expr("n & 1".into()))),
    ("rank before", |_, ty| shaped(ty, counted())),
    ("nullable", |_, ty| Type::Nullable { present: b'|', missing: (0, 64), blank: true, body: boxed(ty) }),
    ("nullable, absent", |_, ty| Type::Nullable {
        present: 1,
        missing: (b'a', b'a'),
        blank: false,
        body: boxed(ty),
    }),
    ("if", |_, ty| Type::Conditional { condition: "n & 1 == 1".into(), otherwise: None, body: boxed(ty) }),
    ("le", |_, ty| Type::Ordered { order: ByteOrder::Little, body: boxed(ty) }),
    ("endian", |_, ty| Type::Ordered {
        order: ByteOrder::Expr("if n & 1 == 1 { Endian::Big } else { Endian::Little }".into()),
        body: boxed(ty),
    }),
    ("region before", |_, ty| Type::Region { len: counted(), fill: Some(0), body: boxed(ty) }),
    ("region", |_, ty| Type::Region { len: Extent::Expr("n & 7".into()), fill: None, body: boxed(ty) }),
    ("region to the end", |_, ty| Type::Region { len: Extent::ToEnd, fill: None, body: boxed(ty) }),
    ("region, or_eof", |_, ty| Type::Region { len: end(b"\0", Fate::Dropped), fill: None, body: boxed(ty) }),
    ("pad_to", |_, ty| Type::Padded { size: 5, fill: 0, strict: false, body: boxed(ty) }),
    ("record", |_, ty| {
        Type::Record(Record::new("Inner", [Field::new("a", ty), Field::new("b", Type::Bool { lax: true })]))
    }),
    ("record alone", |_, ty| Type::Record(Record::new("Inner", [Field::new("a", ty)]))),
    ("named", |layout, ty| {
        let name = format!("Named{}", layout.definitions.len());
        layout.definitions.insert(name.clone(), Type::Record(Record::new(&name, [Field::new("a", ty)])));
        Type::Named(name)
    }),
    ("args", |layout, ty| {
        let name = format!("Called{}", layout.definitions.len());
        let mut record = Record::new(&name, [Field::new("a", ty)]);
        record.rules.push("ctx(n: u8)".into());
        layout.definitions.insert(name.clone(), Type::Record(record));
        let mut field = Field::new("called", Type::Named(name));
        field.rules.push("args(n)".into());
        Type::Record(Record::new("Caller", [field]))
    }),
    ("choice", |_, ty| {
        let tag = Tag::Front(boxed(byte()));
        let variants = [
            Variant::new("One", "97", [Field::new("a", ty)]),
            Variant::new("Rest", "_", [Field::new("b", byte())]),
        ];
        Type::Choice(Choice::new("Choice", tag, variants))
    }),
    ("tag", |_, ty| {
        let none = std::iter::empty::<Field>;
        let variants = [Variant::new("One", "b\"a\"", none()), Variant::new("Rest", "_", none())];
        Type::Choice(Choice::new("Tagged", Tag::Front(boxed(ty)), variants))
    }),
    ("tag_from", |_, ty| {
        let variants = [
            Variant::new("One", "..=97", [Field::new("a", ty)]),
            Variant::new("Rest", "_", [Field::new("b", byte())]),
        ];
        Type::Choice(Choice::new("Chosen", Tag::Expr("n".into()), variants))
    }),
    ("untagged", |_, ty| untagged([vec![Field::new("a", ty), magic(b"|")]])),
    ("peek", |_, ty| Type::Peeked { body: boxed(ty) }),
    ("optional_tail", |_, ty| Type::Tail { body: boxed(ty) }),
    ("at", |_, ty| Type::At { position: "n & 15".into(), from: Origin::File, body: boxed(ty) }),
];

fn shaped(item: Type, rank: Extent) -> Type {
    Type::Shaped { item: boxed(item), dim_bytes: 1, dim_signed: false, rank, column_major: false }
}

/// A layout of a type with others around it, the innermost first; `None` if it contradicts itself. With `after`, another field follows.
pub(crate) fn layout(item: &Type, around: &[usize], after: bool) -> Option<Description> {
    let mut layout = Description::new(Type::Unit);
    let mut ty = item.clone();
    for wrap in around {
        ty = WRAPS[*wrap].1(&mut layout, ty);
    }
    let mut fields = vec![Field::new("n", byte()), Field::new("f", ty)];
    if after {
        fields.push(Field::new("z", byte()));
    }
    layout.root = Type::Record(Record::new("Row", fields));
    layout.validate().is_ok().then_some(layout)
}

/// What a layout is made of, for messages.
pub(crate) fn shown(name: &str, around: &[usize]) -> String {
    let names: Vec<&str> = around.iter().map(|wrap| WRAPS[*wrap].0).collect();
    format!("{name} in {names:?}")
}
