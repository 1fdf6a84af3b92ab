//! Values from JSON and its kin: what a number or a string stands for follows from the layout.
//!
//! JSON has one kind of number and no bytes, so a value that is read without its layout cannot be written again. The seed goes
//! through the program while it reads: it knows which type is expected at each place, and says so where something else is found.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of fields in memory")]

mod words;

use super::program::{Choice, Code, Kind, Node, Program, Record, Tag};
use super::serial::from_hex;
use super::{Elements, Fields, Name, Value};
use crate::numbers::serial::from_bits;
use crate::numbers::{Number, NumberType, Numbers, to_f32};
use crate::schema::Encoding;
use crate::wire::amount::times64;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use words::{MissingCode, Wanted};

/// Reads a [`Value`] of a layout from JSON and its kin: the other direction of its `Serialize`.
///
/// A record may be an object, with its fields in any order, or a list of them. For floats that come back to the same bits,
/// `serde_json` wants its feature `float_roundtrip`.
///
/// ```
/// use binfmt::schema::{Description, Field, Record, Type};
/// use binfmt::value::{Program, Value, ValueSeed};
/// use serde::de::DeserializeSeed;
///
/// let x = Field::new("x", Type::Float { bytes: 4 });
/// let point = Program::new(&Description::new(Type::Record(Record::new("Point", [x])))).unwrap();
/// let mut json = serde_json::Deserializer::from_str(r#"{"x": "inf"}"#);
/// let value = ValueSeed::new(&point).deserialize(&mut json)?;
/// assert_eq!(value.get("x"), Some(&Value::from(f32::INFINITY)));
/// assert_eq!(serde_json::to_string(&value)?, r#"{"x":"inf"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ValueSeed<'a> {
    code: &'a Code,
    of: Expected<'a>,
    /// What the language or format of the description calls the type; may be empty.
    native: &'a str,
}

/// Types around a type that are looked through.
const DEEPEST: usize = 64;

/// What is read.
#[derive(Clone, Copy, Debug)]
enum Expected<'a> {
    Node(&'a Node),
    /// The fields of a variant, after its tag where the value keeps it.
    Variant(&'a Record, Option<&'a Node>),
    List(&'a Node),
}

impl<'a> ValueSeed<'a> {
    /// For a value of the whole layout.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Type}, value::{Program, Value, ValueSeed}};
    /// use serde::de::DeserializeSeed;
    /// let program = Program::new(&Description::new(Type::Int { bytes: 1, signed: true })).unwrap();
    /// let mut json = serde_json::Deserializer::from_str("-3");
    /// assert_eq!(ValueSeed::new(&program).deserialize(&mut json).unwrap(), Value::from(-3i8));
    /// ```
    pub fn new(program: &'a Program) -> Self {
        ValueSeed { code: program.code(), of: Expected::Node(program.code().root()), native: "" }
    }

    /// For the values of the fields of a layout that is a record, each with its name: errors call a number's type as the
    /// field does.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Field, Record, Type}, value::{Program, ValueSeed}};
    /// use serde::de::DeserializeSeed;
    /// let field = Field::new("x", Type::Float { bytes: 4 }).native("float");
    /// let program = Program::new(&Description::new(Type::Record(Record::new("Row", [field])))).unwrap();
    /// let (name, seed) = ValueSeed::fields(&program).next().unwrap();
    /// assert_eq!(name, "x");
    /// let value = seed.deserialize(&mut serde_json::Deserializer::from_str("1e39"));
    /// assert!(value.unwrap_err().to_string().starts_with("1e39 is not float"));
    /// ```
    pub fn fields(program: &'a Program) -> impl Iterator<Item = (&'a Name, Self)> {
        let whole = ValueSeed::new(program);
        let fields = match whole.plain() {
            Expected::Node(Node { kind: Kind::Record(record), .. }) => record.fields.as_slice(),
            _ => &[],
        };
        let valued = fields.iter().filter(|field| !field.silent);
        valued.map(move |field| (&field.name, whole.field(&field.node, &field.native)))
    }

    fn inner(&self, of: Expected<'a>) -> Self {
        ValueSeed { code: self.code, of, native: "" }
    }

    /// The type that says what the JSON is, without what changes only the bytes.
    fn plain(&self) -> Expected<'a> {
        let Expected::Node(mut node) = self.of else { return self.of };
        for _ in 0..DEEPEST {
            node = match (node.wrapped(), &node.kind) {
                (Some(body), _) => body,
                (None, Kind::Named(definition)) => self.code.definition(*definition),
                _ => return Expected::Node(node),
            };
        }
        Expected::Node(node)
    }

    /// The kind of the type that says what the JSON is; of a variant or a list of elements none.
    fn kind(&self) -> Option<&'a Kind> {
        match self.plain() {
            Expected::Node(node) => Some(&node.kind),
            _ => None,
        }
    }

    /// For a field of a record.
    fn field(&self, node: &'a Node, native: &'a str) -> Self {
        ValueSeed { native, ..self.inner(Expected::Node(node)) }
    }

    /// What the description's language or format calls a number: a word, not a type built of others.
    fn called(&self) -> Option<&'a str> {
        let name = self.native.strip_suffix(" null").unwrap_or(self.native);
        (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' '))
            .then_some(name)
    }

    /// Whether a type is after a presence byte or a condition: `test` says which.
    fn may_be(&self, test: fn(&Kind) -> bool) -> bool {
        let Expected::Node(node) = self.of else { return false };
        core::iter::successors(Some(node), |node| node.wrapped()).any(|node| test(&node.kind))
    }

    /// The number that is read.
    fn number_type(&self) -> Option<NumberType> {
        match self.kind()? {
            Kind::Number(kind) | Kind::Integer(_, kind) => Some(*kind),
            _ => None,
        }
    }

    fn int<E: Error>(&self, n: i128) -> Result<Value, E> {
        let found = self.number_type().and_then(|kind| match kind {
            // single precision holds every integer of 128 bits, if not exactly
            NumberType::F32 => Some(Number::F32(n as f32)),
            kind if kind.is_float() => {
                Number::from_f64(kind, n as f64).filter(|near| near.to_f64().is_finite())
            }
            kind => Number::from_i128(kind, n),
        });
        found.map(Value::from).ok_or_else(|| self.wrong(&n.to_string()))
    }

    fn float<E: Error>(&self, n: f64) -> Result<Value, E> {
        let near = match self.number_type() {
            Some(NumberType::F32) => Some(Number::F32(to_f32(n))),
            Some(kind) if kind.is_int() && n.abs() >= INTEGERS => {
                return Err(self.wrong(&format!("a number of about {n:?}")));
            }
            Some(kind) => Number::from_f64(kind, n),
            None => None,
        };
        // unlike JSON, other forms have NaN and infinite numbers
        let near = near.filter(|near| near.to_f64().is_finite() || !n.is_finite());
        near.map(Value::from).ok_or_else(|| self.wrong(&format!("{n:?}")))
    }

    fn named_float(&self, name: &str) -> Option<Value> {
        let n = match name {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return None,
        };
        Number::from_f64(self.number_type()?, n).map(Value::from)
    }

    fn text<E: Error>(&self, text: &str) -> Result<Value, E> {
        let wrong = || self.wrong(&format!("{text:?}"));
        match self.kind() {
            Some(Kind::Text { .. } | Kind::Paged { .. }) => Ok(Value::Text(text.into())),
            Some(Kind::Number(NumberType::U128) | Kind::Integer(_, NumberType::U128)) => {
                text.parse::<u128>().map(Value::from).map_err(|_| wrong())
            }
            Some(Kind::Number(NumberType::I128) | Kind::Integer(_, NumberType::I128)) => {
                text.parse::<i128>().map(Value::from).map_err(|_| wrong())
            }
            Some(Kind::Number(_)) => self.named_float(text).ok_or_else(wrong),
            Some(Kind::Choice(choice)) => match choice.named(text) {
                Some((_, arm)) => Ok(Value::Variant { name: arm.name.clone(), value: Box::new(Value::Unit) }),
                None => Err(E::custom(format!("{} has no variant {text:?}", choice.name))),
            },
            _ => Err(wrong()),
        }
    }

    #[cold]
    fn wrong<E: Error>(&self, found: &str) -> E {
        E::custom(format!("{found} is not {}", Wanted(self)))
    }

    /// An object whose first key was read.
    fn object<'de, A: MapAccess<'de>>(&self, key: Cow<'_, str>, mut map: A) -> Result<Value, A::Error> {
        if key == "missing" && self.may_be(|kind| matches!(kind, Kind::Nullable { .. })) {
            let code = map.next_value_seed(MissingCode)?;
            return self.last(Value::Missing(code), map);
        }
        let kind = match self.plain() {
            Expected::Variant(record, tag) => return self.record(record, tag, Some(key), map),
            Expected::List(_) => return Err(self.wrong(&format!("an object with `{key}`"))),
            Expected::Node(node) => &node.kind,
        };
        let value = match kind {
            Kind::Record(record) => return self.record(record, None, Some(key), map),
            Kind::Choice(choice) => self.variant(choice, &key, &mut map)?,
            Kind::Shaped(shaped) => return self.array(&shaped.item, key, map),
            Kind::Number(of) if of.is_float() && key == "bits" => {
                let digits = map.next_value::<String>()?;
                float_of_bits(*of, &digits).ok_or_else(|| self.wrong(&format!("{digits:?}")))?
            }
            Kind::Text { encoding: Encoding::Any, .. } | Kind::Bytes { .. } | Kind::Opaque { .. }
                if key == "hex" =>
            {
                let digits = map.next_value::<String>()?;
                let bytes =
                    from_hex(&digits).ok_or_else(|| A::Error::custom("`hex` wants two digits a byte"))?;
                match (kind, bytes) {
                    (Kind::Text { .. }, bytes) => match String::from_utf8(bytes) {
                        Ok(text) => Value::Text(text),
                        Err(e) => Value::Bytes(e.into_bytes()),
                    },
                    (_, bytes) => Value::Bytes(bytes),
                }
            }
            _ => return Err(self.wrong(&format!("an object with `{key}`"))),
        };
        self.last(value, map)
    }

    /// Nothing may follow in an object of one entry.
    fn last<'de, A: MapAccess<'de>>(&self, value: Value, mut map: A) -> Result<Value, A::Error> {
        match map.next_key::<Cow<'_, str>>()? {
            None => Ok(value),
            Some(key) => Err(A::Error::custom(format!("`{key}` is one entry too many"))),
        }
    }

    fn variant<'de, A: MapAccess<'de>>(
        &self,
        choice: &'a Choice,
        name: &str,
        map: &mut A,
    ) -> Result<Value, A::Error> {
        let Some((_, arm)) = choice.named(name) else {
            return Err(A::Error::custom(format!("{} has no variant `{name}`", choice.name)));
        };
        let kept = choice.keeps_tag(arm, 0).map_err(A::Error::custom)?;
        let tag = match &choice.tag {
            Tag::Front(node) if kept => Some(node),
            _ => None,
        };
        let value = map.next_value_seed(self.inner(Expected::Variant(&arm.record, tag)))?;
        Ok(Value::Variant { name: arm.name.clone(), value: Box::new(value) })
    }

    fn array<'de, A: MapAccess<'de>>(
        &self,
        item: &'a Node,
        first: Cow<'_, str>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        let (mut shape, mut values) = (None, None);
        let mut key = Some(String::from(first));
        while let Some(name) = key {
            match name.as_str() {
                "shape" if shape.is_none() => shape = Some(map.next_value::<Vec<u64>>()?),
                "values" if values.is_none() => {
                    values = Some(map.next_value_seed(self.inner(Expected::List(item)))?)
                }
                _ => {
                    return Err(A::Error::custom(format!(
                        "`{name}` is not a part of an array, or a duplicate"
                    )));
                }
            }
            key = map.next_key::<String>()?;
        }
        let (Some(shape), Some(Value::List(values))) = (shape, values) else {
            return Err(A::Error::custom("an array has `shape` and `values`"));
        };
        let values = Elements::from(values);
        let all = shape.iter().copied().fold(1, times64);
        if all != values.len() as u64 {
            return Err(A::Error::custom(format!(
                "the shape {shape:?} has {all} values, found {}",
                values.len()
            )));
        }
        Ok(Value::array(shape, values))
    }

    fn record<'de, A: MapAccess<'de>>(
        &self,
        record: &'a Record,
        tag: Option<&'a Node>,
        first: Option<Cow<'_, str>>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        let wanted = Entries { record, tag };
        let mut found: Vec<Option<Value>> = vec![None; wanted.len()];
        let (mut key, mut next) = (first.map(String::from), 0usize);
        let mut places: Option<BTreeMap<&str, usize>> = None;
        while let Some(name) = key {
            // most often the fields stand in order, and then each is found at once
            let is = |i: &usize| wanted.get(*i).is_some_and(|(field, ..)| *field == *name);
            let place = Some(next).filter(is).or_else(|| {
                let all = (0..wanted.len()).rev().filter_map(|i| Some((wanted.get(i)?.0, i)));
                places.get_or_insert_with(|| all.collect()).get(&*name).copied()
            });
            let Some(i) = place else {
                return Err(A::Error::custom(format!("there is no field `{name}`")));
            };
            next = i + 1;
            let (Some(slot), Some((_, node, native))) = (found.get_mut(i), wanted.get(i)) else { break };
            if slot.replace(map.next_value_seed(self.field(node, native))?).is_some() {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            key = map.next_key::<String>()?;
        }
        let mut values = Vec::with_capacity(wanted.len());
        for (i, value) in found.into_iter().enumerate() {
            let Some((name, node, _)) = wanted.get(i) else { break };
            let absent = self
                .inner(Expected::Node(node))
                .may_be(|kind| matches!(kind, Kind::Conditional { otherwise: None, .. } | Kind::Tail { .. }));
            match value.or_else(|| absent.then_some(Value::Absent)) {
                Some(value) => values.push(value),
                None => return Err(A::Error::custom(format!("the field `{name}` is missing"))),
            }
        }
        Ok(wanted.named(values))
    }

    fn fields_in_order<'de, A: SeqAccess<'de>>(
        &self,
        record: &'a Record,
        tag: Option<&'a Node>,
        mut seq: A,
    ) -> Result<Value, A::Error> {
        let wanted = Entries { record, tag };
        let mut values = Vec::with_capacity(wanted.len());
        while let Some((_, node, native)) = wanted.get(values.len()) {
            match seq.next_element_seed(self.field(node, native))? {
                Some(value) => values.push(value),
                None => return Err(A::Error::invalid_length(values.len(), &Wanted(self))),
            }
        }
        if seq.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::invalid_length(wanted.len() + 1, &Wanted(self)));
        }
        Ok(wanted.named(values))
    }
}

/// The fields that have values, after the tag that a variant keeps.
#[derive(Clone, Copy)]
struct Entries<'a> {
    record: &'a Record,
    tag: Option<&'a Node>,
}

impl<'a> Entries<'a> {
    fn len(&self) -> usize {
        self.record.names.len()
    }

    /// The name of a field, its type, and what its type is called.
    fn get(&self, i: usize) -> Option<(&'a str, &'a Node, &'a str)> {
        match (self.tag, i) {
            (Some(tag), 0) => Some(("tag", tag, "")),
            _ => {
                let place = i.checked_sub(usize::from(self.tag.is_some()))?;
                let field = &self.record.fields[*self.record.values.get(place)?];
                Some((field.name.as_str(), &field.node, &*field.native))
            }
        }
    }

    /// Fields with their names, or a list where their names are numbers.
    fn named(&self, values: Vec<Value>) -> Value {
        match self.record.is_tuple {
            true => Value::List(values),
            false => Value::Record(Fields::new(&self.record.names, values)),
        }
    }
}

/// Numbers from here on are not integers of 64 bits: a text form hands them out as floats.
const INTEGERS: f64 = 9_223_372_036_854_775_808.0;

fn float_of_bits(kind: NumberType, digits: &str) -> Option<Value> {
    let bits = from_bits(digits, kind.size().checked_mul(2)?)?.to_le_bytes();
    Numbers::from_le_bytes(kind, bits.get(..kind.size())?)?.get(0).map(Value::from)
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Wanted(self), f)
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Value, E> {
        match self.kind() {
            Some(Kind::Bool { .. }) => Ok(b.into()),
            _ => Err(self.wrong(if b { "true" } else { "false" })),
        }
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        self.int(n.into())
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        self.int(n.into())
    }

    fn visit_i128<E: Error>(self, n: i128) -> Result<Value, E> {
        self.int(n)
    }

    fn visit_u128<E: Error>(self, n: u128) -> Result<Value, E> {
        match (i128::try_from(n), self.kind()) {
            (Ok(n), _) => self.int(n),
            (Err(_), Some(Kind::Number(NumberType::U128) | Kind::Integer(_, NumberType::U128))) => {
                Ok(n.into())
            }
            (Err(_), _) => Err(self.wrong(&n.to_string())),
        }
    }

    fn visit_f64<E: Error>(self, n: f64) -> Result<Value, E> {
        self.float(n)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        ValueSeed::text(&self, text)
    }

    // JSON has no bytes; what has some says them as they are
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Value, E> {
        match self.kind() {
            Some(Kind::Bytes { .. } | Kind::Opaque { .. }) => Ok(Value::Bytes(bytes.into())),
            Some(Kind::Text { encoding: Encoding::Any, .. }) => Ok(match String::from_utf8(bytes.into()) {
                Ok(text) => Value::Text(text),
                Err(e) => Value::Bytes(e.into_bytes()),
            }),
            _ => Err(self.wrong("bytes")),
        }
    }

    // what has a word of its own for nothing means the ordinary missing value by it
    fn visit_none<E: Error>(self) -> Result<Value, E> {
        let is_conditional =
            self.may_be(|kind| matches!(kind, Kind::Conditional { otherwise: None, .. } | Kind::Tail { .. }));
        match !is_conditional && self.may_be(|kind| matches!(kind, Kind::Nullable { .. })) {
            true => Ok(Value::Missing(0)),
            false => self.visit_unit(),
        }
    }

    // an array that may stand for one with a shape, or for a list of lists
    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        match self.kind() {
            Some(Kind::Shaped(_)) => d.deserialize_map(self),
            _ => d.deserialize_seq(self),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        if self.may_be(|kind| matches!(kind, Kind::Conditional { otherwise: None, .. } | Kind::Tail { .. })) {
            return Ok(Value::Absent);
        }
        match self.kind() {
            Some(Kind::Unit | Kind::Padding { .. } | Kind::Alignment { .. } | Kind::Magic(_)) => {
                Ok(Value::Unit)
            }
            _ if self.may_be(|kind| matches!(kind, Kind::Nullable { .. })) => {
                Err(self.wrong("null (a missing value is {\"missing\": 0})"))
            }
            _ => Err(self.wrong("null")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let item = match self.plain() {
            Expected::Node(Node { kind: Kind::Record(record), .. }) => {
                return self.fields_in_order(record, None, seq);
            }
            Expected::Variant(record, tag) => return self.fields_in_order(record, tag, seq),
            Expected::Node(Node { kind: Kind::List { item, .. }, .. }) => item,
            Expected::List(item) => item,
            Expected::Node(_) => return Err(self.wrong("a list")),
        };
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self.inner(Expected::Node(item)))? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        match (map.next_key::<Cow<'_, str>>()?, self.plain()) {
            (Some(key), _) => self.object(key, map),
            (None, Expected::Node(Node { kind: Kind::Record(record), .. })) => {
                self.record(record, None, None, map)
            }
            (None, Expected::Variant(record, tag)) => self.record(record, tag, None, map),
            (None, _) => Err(self.wrong("an empty object")),
        }
    }
}
