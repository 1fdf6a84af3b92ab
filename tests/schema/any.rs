//! Descriptions of any kind, as a file may bring them: nothing panics, and what is written is read again.

use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Description, Encoding, Extent, Fate, Field, Integer, Magic, Origin, Record,
    Schema, Tag, Terminator, Type, Variant,
};
use proptest::prelude::*;

fn text() -> BoxedStrategy<String> {
    prop_oneof![Just(String::new()), "[a-d]{1,2}", "\\PC{0,4}", any::<char>().prop_map(String::from)].boxed()
}

/// The width of a number, mostly one that there is.
fn width() -> BoxedStrategy<u8> {
    prop_oneof![19 => prop::sample::select(&[1u8, 2, 4, 8][..]), 1 => any::<u8>()].boxed()
}

fn extent() -> BoxedStrategy<Extent> {
    prop_oneof![
        any::<u64>().prop_map(Extent::Fixed),
        (width(), any::<bool>(), any::<Option<u64>>(), any::<bool>()).prop_map(
            |(bytes, signed, max, inclusive)| Extent::Prefixed {
                len: Integer::Fixed { bytes, signed },
                max,
                inclusive
            }
        ),
        text().prop_map(Extent::Expr),
        text().prop_map(Extent::Each),
        text().prop_map(Extent::Until),
        Just(Extent::Terminated),
        Just(Extent::Gaps),
        Just(Extent::Ends(Terminator::new(b"\r\n").unwrap())),
        Just(Extent::Ends(Terminator::new(b"|").unwrap().with_fate(Fate::Kept).or_eof())),
        Just(Extent::ToEnd),
    ]
    .boxed()
}

fn order() -> BoxedStrategy<ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big), text().prop_map(ByteOrder::Expr)].boxed()
}

fn leaf() -> BoxedStrategy<Type> {
    let encoding = prop_oneof![Just(Encoding::Utf8), Just(Encoding::Latin1), Just(Encoding::Any)];
    prop_oneof![
        Just(Type::Unit),
        (width(), any::<bool>()).prop_map(|(bytes, signed)| Type::Int { bytes, signed }),
        width().prop_map(|bytes| Type::Float { bytes }),
        any::<bool>().prop_map(|lax| Type::Bool { lax }),
        (encoding, any::<bool>(), extent()).prop_map(|(encoding, nul, len)| Type::Text {
            encoding,
            nul,
            len
        }),
        extent().prop_map(|len| Type::Bytes { len }),
        (extent(), any::<u8>(), any::<bool>()).prop_map(|(len, fill, strict)| Type::Padding {
            len,
            fill,
            strict
        }),
        (any::<u64>(), any::<u8>()).prop_map(|(to, fill)| Type::Alignment { to, fill, strict: false }),
        prop::collection::vec(any::<u8>(), 0..3).prop_map(|b| Type::Magic { value: Magic::Bytes(b) }),
        (text(), width()).prop_map(|(value, bytes)| Type::Magic { value: Magic::Number { value, bytes } }),
        "[a-c]".prop_map(Type::Named),
        (text(), any::<u64>(), any::<Option<u64>>()).prop_map(|(by, min, max)| Type::Opaque { by, min, max }),
    ]
    .boxed()
}

fn field(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Field> {
    (text(), ty, text(), text(), prop::collection::vec(text(), 0..2)).prop_map(
        |(name, ty, doc, native, rules)| {
            let mut field = Field::new(name, ty).native(native);
            (field.doc, field.rules) = (doc, rules);
            field
        },
    )
}

fn any_type() -> BoxedStrategy<Type> {
    leaf()
        .prop_recursive(4, 24, 4, |inner| {
            let body = || inner.clone().prop_map(Box::new);
            let fields = || prop::collection::vec(field(inner.clone()), 0..4);
            let variant = (text(), text(), text(), fields()).prop_map(|(name, doc, tag, fields)| {
                let mut variant = Variant::new(name, tag, fields);
                variant.doc = doc;
                variant
            });
            let tag =
                prop_oneof![body().prop_map(Tag::Front), text().prop_map(Tag::Expr), Just(Tag::Untagged)];
            prop_oneof![
                (body(), extent()).prop_map(|(item, len)| Type::List { item, len }),
                (body(), width(), extent(), any::<bool>()).prop_map(
                    |(item, dim_bytes, rank, column_major)| {
                        Type::Shaped { item, dim_bytes, dim_signed: true, rank, column_major }
                    }
                ),
                (body(), extent(), any::<Option<u8>>()).prop_map(|(body, len, fill)| Type::Region {
                    len,
                    fill,
                    body
                }),
                (body(), any::<u8>(), any::<(u8, u8)>(), any::<bool>()).prop_map(
                    |(body, present, missing, blank)| { Type::Nullable { present, missing, blank, body } }
                ),
                (body(), text(), 0..3usize).prop_map(|(body, position, from)| Type::At {
                    position,
                    from: [Origin::Container, Origin::File, Origin::End][from],
                    body
                }),
                body().prop_map(|body| Type::Peeked { body }),
                body().prop_map(|body| Type::Tail { body }),
                (body(), text()).prop_map(|(body, by)| Type::Processed { by, body }),
                (body(), text(), prop::option::of(text())).prop_map(|(body, condition, otherwise)| {
                    Type::Conditional { condition, otherwise, body }
                }),
                (body(), order()).prop_map(|(body, order)| Type::Ordered { order, body }),
                (body(), 0..9u8, any::<Option<u8>>())
                    .prop_map(|(body, bits, run)| { Type::Bits { bits, run, order: None, body } }),
                (body(), 0..130u8, any::<bool>(), extent()).prop_map(|(body, bits, strict, len)| {
                    let item = Box::new(Type::Packed { bits, order: Some(BitOrder::Lsb), strict, body });
                    Type::List { item, len }
                }),
                (body(), any::<u8>()).prop_map(|(body, byte)| Type::Trimmed { byte, body }),
                (body(), any::<u64>()).prop_map(|(body, size)| Type::Padded {
                    size,
                    fill: 0,
                    strict: true,
                    body
                }),
                (text(), text(), prop::option::of(order()), fields()).prop_map(
                    |(name, doc, order, fields)| {
                        let mut record = Record::new(name, fields);
                        (record.doc, record.order) = (doc, order);
                        Type::Record(record)
                    }
                ),
                (text(), tag, prop::collection::vec(variant, 0..3))
                    .prop_map(|(name, tag, variants)| Type::Choice(Choice::new(name, tag, variants))),
            ]
        })
        .boxed()
}

fn description() -> BoxedStrategy<Description> {
    (any_type(), prop::collection::btree_map("[a-c]", any_type(), 0..3))
        .prop_map(|(root, definitions)| {
            let mut description = Description::new(root);
            description.definitions = definitions;
            description
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again(description in description()) {
        let json = serde_json::to_string(&description).unwrap();
        let again: Description = match (serde_json::from_str(&json), description.validate()) {
            (Ok(again), Ok(())) => again,
            (Err(e), Err(refused)) => {
                prop_assert!(e.to_string().starts_with(&refused.to_string()), "{e}, {refused}");
                description.clone()
            }
            (read, checked) => return Err(TestCaseError::fail(format!("{read:?}, {checked:?}"))),
        };
        prop_assert_eq!(&again, &description);
        let (schema, again) = (Schema::from(description), Schema::from(again));
        prop_assert_eq!(schema.fingerprint(), again.fingerprint());
        let text = schema.to_string();
        prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{:?}", text);
    }

    #[test]
    fn everything_is_compared_with_everything(a in description(), b in description()) {
        let (a, b) = (Schema::from(a), Schema::from(b));
        for (e, f) in [(&a, &b), (&b, &a)] {
            if let Err(differences) = e.check(f) {
                prop_assert!(!differences.list().is_empty());
                prop_assert_eq!(differences.to_string().lines().count(), differences.list().len() + 1);
            }
        }
        if let Err(differences) = a.check(&a) {
            // two variants or fields of one name cannot be told apart
            prop_assert!(!differences.list().is_empty());
        }
    }
}
