//! A schema through serde and back.

use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Describe, Description, Encoding, Extent, Fate, Field, Integer, Magic,
    Origin, Record, Schema, Tag, Terminator, Type, Variant,
};
use binfmt::{BinFormat, Nullable};

fn flag(bits: u8, run: Option<u8>) -> Field {
    Field::new(
        format!("b{bits}"),
        Type::Bits { bits, run, order: Some(BitOrder::Lsb), body: Box::new(int(1)) },
    )
}

fn int(bytes: u8) -> Type {
    Type::Int { bytes, signed: false }
}

fn ruled_record() -> Record {
    let mut record = Record::new("R", [Field::new("a", int(1)).native("u8")]).ordered(ByteOrder::Little);
    (record.doc, record.rules) = ("A record.".into(), vec!["ctx(n: u8)".into()]);
    record
}

fn documented_variant() -> Variant {
    let mut variant = Variant::new("V", "3", [ruled_field()]);
    variant.doc = "A variant.".into();
    variant
}

fn ruled_choice() -> Choice {
    let mut choice = Choice::new("", Tag::Expr("kind".into()), []);
    choice.rules = vec!["ctx(kind: u8)".into()];
    choice
}

fn ruled_field() -> Field {
    let mut field = Field::new("", Type::Unit);
    field.rules = vec!["range = 1..=2".into()];
    field
}

/// One of each kind.
fn types() -> Vec<Type> {
    let body = || Box::new(int(2));
    let prefix = Extent::Prefixed { len: Integer::signed(4), max: Some(9), inclusive: true };
    let plain = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    vec![
        Type::Unit,
        Type::Int { bytes: 16, signed: true },
        Type::Float { bytes: 8 },
        Type::Bool { lax: true },
        Type::Text { encoding: Encoding::Latin1, nul: true, len: prefix.clone() },
        Type::Text { encoding: Encoding::Utf8, nul: false, len: Extent::Terminated },
        Type::Bytes { len: Extent::Ends(Terminator::new(b"ab").unwrap().with_fate(Fate::Unread).or_eof()) },
        Type::Text { encoding: Encoding::Ascii, nul: false, len: plain },
        Type::Text { encoding: Encoding::Any, nul: false, len: Extent::ToEnd },
        Type::Bytes { len: Extent::Expr("n * 2".into()) },
        Type::List { item: body(), len: Extent::Each("rows".into()) },
        Type::List { item: body(), len: Extent::Until("|x| *x == 0".into()) },
        Type::Shaped {
            item: body(),
            dim_bytes: 8,
            dim_signed: true,
            rank: Extent::Fixed(2),
            column_major: true,
        },
        Type::Region { len: prefix, fill: None, body: body() },
        Type::At { position: "offset".into(), from: Origin::End, body: body() },
        // a field or a tag alone is read ahead
        Type::Record(Record::new("Ahead", [Field::new("a", Type::Peeked { body: body() })])),
        Type::Processed { by: "decode = f, encode = g".into(), body: body() },
        Type::Tail { body: body() },
        Type::Nullable { present: 1, missing: (2, 3), blank: false, body: body() },
        Type::Conditional { condition: "*a > 1".into(), otherwise: None, body: body() },
        Type::Ordered { order: ByteOrder::Expr("order".into()), body: body() },
        Type::Ordered { order: ByteOrder::Big, body: body() },
        Type::Record(Record::new("", [flag(3, Some(1)), flag(5, None)])),
        Type::Trimmed { byte: 32, body: Box::new(Type::Bytes { len: Extent::Fixed(4) }) },
        Type::Padded { size: 8, fill: 1, strict: true, body: body() },
        Type::Padding { len: Extent::Fixed(3), fill: 0, strict: false },
        Type::Alignment { to: 8, fill: 0, strict: true },
        Type::Magic { value: Magic::Bytes(vec![1, 255]) },
        Type::Magic { value: Magic::Number { value: "VERSION".into(), bytes: 2 } },
        Type::Record(ruled_record()),
        Type::Choice(Choice::new("C", Tag::Front(body()), [documented_variant()]).ordered(ByteOrder::Big)),
        Type::Choice(ruled_choice()),
        Type::Named("Other".into()),
        Type::Opaque { by: "with = u24".into(), min: 3, max: None },
    ]
}

#[test]
fn every_type_is_read_again() {
    let mut seen = Vec::new();
    for ty in types() {
        let mut description = Description::new(ty);
        description.definitions.insert("Other".into(), Type::Float { bytes: 4 });
        let json = serde_json::to_string(&description).unwrap();
        let again: Description = serde_json::from_str(&json).unwrap();
        assert_eq!(again, description, "{json}");
        let (schema, again) = (Schema::from(description), Schema::from(again));
        assert_eq!(schema.to_string(), again.to_string());
        assert_eq!(schema.fingerprint(), again.fingerprint());
        assert!(schema.check(&again).is_ok(), "{schema}");
        assert!(!schema.to_string().contains(": \n"), "{schema}");
        // the value that stands for nothing changes no byte
        if !matches!(schema.description().root, Type::Conditional { otherwise: Some(_), .. }) {
            seen.push(schema.fingerprint());
        }
    }
    seen.sort();
    let all = seen.len();
    seen.dedup();
    assert_eq!(seen.len(), all, "two types of one fingerprint");
}

#[test]
fn the_json_of_a_struct() {
    /// One cell.
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Cell {
        id: u16,
        /// In kilograms.
        #[binfmt(nullable, range = None..Some(9.0))]
        mass: Option<f32>,
        #[binfmt(var_len, nul, pad_after = 2)]
        name: String,
    }
    let json = serde_json::to_string_pretty(Cell::SCHEMA).unwrap();
    assert_eq!(
        json,
        r#"{
  "root": {
    "named": "Cell"
  },
  "definitions": {
    "Cell": {
      "record": {
        "name": "Cell",
        "doc": "One cell.",
        "order": "little",
        "fields": [
          {
            "name": "id",
            "type": {
              "int": {
                "bytes": 2,
                "signed": false
              }
            },
            "native": "u16"
          },
          {
            "name": "mass",
            "type": {
              "nullable": {
                "present": 255,
                "missing": [
                  0,
                  127
                ],
                "blank": true,
                "body": {
                  "float": {
                    "bytes": 4
                  }
                }
              }
            },
            "doc": "In kilograms.",
            "native": "Option<f32>",
            "rules": [
              "range = None..Some(9.0)"
            ]
          },
          {
            "name": "name",
            "type": {
              "text": {
                "encoding": "utf8",
                "nul": true,
                "len": {
                  "prefixed": {
                    "bytes": 4,
                    "signed": false,
                    "inclusive": false
                  }
                }
              }
            },
            "native": "String"
          },
          {
            "type": {
              "padding": {
                "len": {
                  "fixed": 2
                },
                "fill": 0,
                "strict": false
              }
            },
            "native": "name (padding)"
          }
        ]
      }
    }
  }
}"#
    );
    let again: Schema = serde_json::from_str(&json).unwrap();
    assert_eq!(again, *Cell::SCHEMA);
    // what may be left out is left out by hand, too
    let short = r#"{"root": {"record": {"fields": [{"name": "a", "type": {"bool": {"lax": false}}}]}}}"#;
    let schema: Schema = serde_json::from_str(short).unwrap();
    assert_eq!(schema.to_string(), "record\n  a: bool\n");
}

#[test]
fn a_nullable_keeps_its_code_or_not() {
    #[derive(BinFormat)]
    struct Kept {
        #[binfmt(nullable)]
        a: Nullable<u8>,
    }
    let description = Kept::SCHEMA.description();
    let Some(Type::Record(kept)) = description.definitions.get("Kept") else { panic!("no record") };
    // an `Option` loses the code of a missing value: its native type says so
    assert_eq!(kept.fields[0].native, "Nullable<u8>");
}
