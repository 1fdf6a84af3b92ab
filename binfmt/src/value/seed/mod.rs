//! Values from JSON and its kin: what a number or a string stands for follows from the layout.

mod words;

use super::serial::from_hex;
use super::unwrap::{is_silent, is_tuple};
use super::{Elements, Name, Value};
use crate::numbers::serial::from_bits;
use crate::numbers::{Number, NumberType, Numbers, to_f32};
use crate::schema::{Choice, Description, Encoding, Field, Tag, Type};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use words::{Code, Wanted};

/// Reads a [`Value`] of a layout from JSON and its kin: the other direction of its `Serialize`.
///
/// A record may be an object, with its fields in any order, or a list of them. For floats that come back to the same bits,
/// `serde_json` wants its feature `float_roundtrip`.
///
/// ```
/// use binfmt::schema::{Description, Field, Record, Type};
/// use binfmt::value::{Value, ValueSeed};
/// use serde::de::DeserializeSeed;
///
/// let x = Field::new("x", Type::Float { bytes: 4 });
/// let point = Description::new(Type::Record(Record::new("Point", [x])));
/// let mut json = serde_json::Deserializer::from_str(r#"{"x": "inf"}"#);
/// let value = ValueSeed::new(&point).deserialize(&mut json)?;
/// assert_eq!(value.get("x"), Some(&Value::from(f32::INFINITY)));
/// assert_eq!(serde_json::to_string(&value)?, r#"{"x":"inf"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ValueSeed<'a> {
    description: &'a Description,
    of: Of<'a>,
    /// What the language or format of the description calls the type; may be empty.
    native: &'a str,
}

/// Types round a type that are looked through.
const DEEPEST: usize = 64;

/// What is read.
#[derive(Clone, Copy, Debug)]
enum Of<'a> {
    Type(&'a Type),
    /// The fields of a variant, behind its tag where the value keeps it.
    Variant(&'a [Field], Option<&'a Type>),
    List(&'a Type),
}

impl<'a> ValueSeed<'a> {
    /// For a value of the whole layout.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Type}, value::{Value, ValueSeed}};
    /// use serde::de::DeserializeSeed;
    /// let layout = Description::new(Type::Int { bytes: 1, signed: true });
    /// let mut json = serde_json::Deserializer::from_str("-3");
    /// assert_eq!(ValueSeed::new(&layout).deserialize(&mut json).unwrap(), Value::from(-3i8));
    /// ```
    pub fn new(description: &'a Description) -> Self {
        ValueSeed::of(description, &description.root)
    }

    /// For a value of one type inside of the layout: of a field, for example.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Type}, value::{Value, ValueSeed}};
    /// use serde::de::DeserializeSeed;
    /// let layout = Description::new(Type::Unit);
    /// let mut json = serde_json::Deserializer::from_str("true");
    /// let value = ValueSeed::of(&layout, &Type::Bool { lax: false }).deserialize(&mut json);
    /// assert_eq!(value.unwrap(), Value::from(true));
    /// ```
    pub fn of(description: &'a Description, ty: &'a Type) -> Self {
        ValueSeed { description, of: Of::Type(ty), native: "" }
    }

    /// For the value of a field: errors call a number's type as the field does.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Field, Type}, value::ValueSeed};
    /// use serde::de::DeserializeSeed;
    /// let layout = Description::new(Type::Unit);
    /// let field = Field::new("x", Type::Float { bytes: 4 }).native("float");
    /// let value = ValueSeed::of_field(&layout, &field).deserialize(&mut serde_json::Deserializer::from_str("1e39"));
    /// assert!(value.unwrap_err().to_string().starts_with("1e39 is not float"));
    /// ```
    pub fn of_field(description: &'a Description, field: &'a Field) -> Self {
        ValueSeed { native: &field.native, ..ValueSeed::of(description, &field.ty) }
    }

    fn inner(&self, of: Of<'a>) -> Self {
        ValueSeed { description: self.description, of, native: "" }
    }

    /// The type that says what the JSON is, without what changes only the bytes.
    fn plain(&self) -> Of<'a> {
        let Of::Type(mut ty) = self.of else { return self.of };
        for _ in 0..DEEPEST {
            ty = match ty {
                Type::Region { body, .. }
                | Type::Ordered { body, .. }
                | Type::Padded { body, .. }
                | Type::Nullable { body, .. }
                | Type::Conditional { body, .. } => body,
                Type::Named(_) => match self.description.resolve(ty) {
                    Some(ty) => ty,
                    None => return Of::Type(ty),
                },
                ty => return Of::Type(ty),
            };
        }
        Of::Type(ty)
    }

    /// For a field of a record.
    fn field(&self, ty: &'a Type, native: &'a str) -> Self {
        ValueSeed { native, ..self.inner(Of::Type(ty)) }
    }

    /// What the description's language or format calls a number: a word, not a type built of others.
    fn called(&self) -> Option<&'a str> {
        let name = self.native.strip_suffix(" null").unwrap_or(self.native);
        (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' '))
            .then_some(name)
    }

    /// Whether a type is behind a presence byte or a condition: `test` says which.
    fn may_be(&self, test: fn(&Type) -> bool) -> bool {
        let Of::Type(mut ty) = self.of else { return false };
        loop {
            ty = match ty {
                ty if test(ty) => return true,
                Type::Region { body, .. }
                | Type::Ordered { body, .. }
                | Type::Padded { body, .. }
                | Type::Nullable { body, .. }
                | Type::Conditional { body, .. } => body,
                _ => return false,
            };
        }
    }

    /// The number that is read.
    fn number_type(&self) -> Option<NumberType> {
        match self.plain() {
            Of::Type(ty) => ty.number_type(),
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
        // other forms than JSON have a number that is no number, and infinite ones
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
        match self.plain() {
            Of::Type(Type::Text { .. }) => Ok(Value::Text(text.into())),
            Of::Type(Type::Float { .. }) => self.named_float(text).ok_or_else(wrong),
            Of::Type(Type::Int { bytes: 16, signed: false }) => {
                text.parse::<u128>().map(Value::from).map_err(|_| wrong())
            }
            Of::Type(Type::Int { bytes: 16, signed: true }) => {
                text.parse::<i128>().map(Value::from).map_err(|_| wrong())
            }
            Of::Type(Type::Choice(choice)) => match choice.variants.iter().find(|v| v.name == text) {
                Some(v) => Ok(Value::Variant { name: v.name.clone(), value: Box::new(Value::Unit) }),
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
        if key == "missing" && self.may_be(|ty| matches!(ty, Type::Nullable { .. })) {
            let code = map.next_value_seed(Code)?;
            return self.last(Value::Missing(code), map);
        }
        let value = match self.plain() {
            Of::Type(Type::Record(record)) => return self.record(&record.fields, None, Some(key), map),
            Of::Variant(fields, tag) => return self.record(fields, tag, Some(key), map),
            Of::Type(Type::Choice(choice)) => self.variant(choice, &key, &mut map)?,
            Of::Type(Type::Shaped { item, .. }) => return self.array(item, key, map),
            Of::Type(ty @ Type::Float { .. }) if key == "bits" => {
                let digits = map.next_value::<String>()?;
                float_of_bits(ty, &digits).ok_or_else(|| self.wrong(&format!("{digits:?}")))?
            }
            Of::Type(
                Type::Text { encoding: Encoding::Any, .. } | Type::Bytes { .. } | Type::Opaque { .. },
            ) if key == "hex" => {
                let digits = map.next_value::<String>()?;
                let bytes =
                    from_hex(&digits).ok_or_else(|| A::Error::custom("`hex` wants two digits a byte"))?;
                match (self.plain(), bytes) {
                    (Of::Type(Type::Text { .. }), bytes) => match String::from_utf8(bytes) {
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
        let Some(variant) = choice.variants.iter().find(|v| v.name == name) else {
            return Err(A::Error::custom(format!("{} has no variant `{name}`", choice.name)));
        };
        let kept = super::choice::is_kept(choice, variant, 0).map_err(A::Error::custom)?;
        let tag = match &choice.tag {
            Tag::Front(ty) if kept => Some(&**ty),
            _ => None,
        };
        let value = map.next_value_seed(self.inner(Of::Variant(&variant.fields, tag)))?;
        Ok(Value::Variant { name: variant.name.clone(), value: Box::new(value) })
    }

    fn array<'de, A: MapAccess<'de>>(
        &self,
        item: &'a Type,
        first: Cow<'_, str>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        let (mut shape, mut values) = (None, None);
        let mut key = Some(String::from(first));
        while let Some(name) = key {
            match name.as_str() {
                "shape" if shape.is_none() => shape = Some(map.next_value::<Vec<u64>>()?),
                "values" if values.is_none() => {
                    values = Some(map.next_value_seed(self.inner(Of::List(item)))?)
                }
                _ => {
                    return Err(A::Error::custom(format!("`{name}` is no part of an array, or there twice")));
                }
            }
            key = map.next_key::<String>()?;
        }
        let (Some(shape), Some(Value::List(values))) = (shape, values) else {
            return Err(A::Error::custom("an array has `shape` and `values`"));
        };
        let values = Elements::from(values);
        let all = shape.iter().fold(1u64, |all, n| all.saturating_mul(*n));
        if all != values.len() as u64 {
            return Err(A::Error::custom(format!(
                "the shape {shape:?} has {all} values, here are {}",
                values.len()
            )));
        }
        Ok(Value::array(shape, values))
    }

    fn record<'de, A: MapAccess<'de>>(
        &self,
        fields: &'a [Field],
        tag: Option<&'a Type>,
        first: Option<Cow<'_, str>>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        let wanted = wanted(fields, tag);
        let mut found: Vec<Option<Value>> = vec![None; wanted.len()];
        let (mut key, mut next) = (first.map(String::from), 0usize);
        while let Some(name) = key {
            // most often the fields stand in order, and then each is found at once
            let is_next = wanted.get(next).is_some_and(|(field, ..)| **field == *name);
            let place =
                if is_next { Some(next) } else { wanted.iter().position(|(field, ..)| **field == *name) };
            let Some(i) = place else {
                return Err(A::Error::custom(format!("there is no field `{name}`")));
            };
            next = i.saturating_add(1);
            let (Some(slot), Some((_, ty, native))) = (found.get_mut(i), wanted.get(i)) else { break };
            if slot.replace(map.next_value_seed(self.field(ty, native))?).is_some() {
                return Err(A::Error::custom(format!("the field `{name}` is there twice")));
            }
            key = map.next_key::<String>()?;
        }
        let mut values = Vec::with_capacity(wanted.len());
        for ((name, ty, _), value) in wanted.iter().zip(found) {
            let absent = self.inner(Of::Type(ty)).may_be(|ty| matches!(ty, Type::Conditional { .. }));
            match value.or_else(|| absent.then_some(Value::Absent)) {
                Some(value) => values.push(value),
                None => return Err(A::Error::custom(format!("the field `{name}` is missing"))),
            }
        }
        Ok(self.named(&wanted, values))
    }

    /// Fields with their names, or a list where their names are numbers.
    fn named(&self, wanted: &[Wants<'_>], values: Vec<Value>) -> Value {
        let tuple = match self.plain() {
            Of::Type(Type::Record(record)) => is_tuple(&record.fields),
            Of::Variant(fields, None) => is_tuple(fields),
            _ => false,
        };
        if tuple {
            return Value::List(values);
        }
        Value::Record(wanted.iter().map(|(name, ..)| name.clone()).zip(values).collect())
    }

    fn fields_in_order<'de, A: SeqAccess<'de>>(
        &self,
        fields: &'a [Field],
        tag: Option<&'a Type>,
        mut seq: A,
    ) -> Result<Value, A::Error> {
        let wanted = wanted(fields, tag);
        let mut values = Vec::with_capacity(wanted.len());
        for (_, ty, native) in &wanted {
            match seq.next_element_seed(self.field(ty, native))? {
                Some(value) => values.push(value),
                None => return Err(A::Error::invalid_length(values.len(), &Wanted(self))),
            }
        }
        if seq.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::invalid_length(wanted.len().saturating_add(1), &Wanted(self)));
        }
        Ok(self.named(&wanted, values))
    }
}

/// The fields that have values, with the tag that a variant keeps in front.
fn wanted<'a>(fields: &'a [Field], tag: Option<&'a Type>) -> Vec<Wants<'a>> {
    let named = fields
        .iter()
        .filter(|field| !is_silent(&field.ty))
        .map(|field| (field.name.clone(), &field.ty, field.native.as_str()));
    tag.map(|ty| (Name::from("tag"), ty, "")).into_iter().chain(named).collect()
}

/// The name of a field, its type, and what its type is called.
type Wants<'a> = (Name, &'a Type, &'a str);

/// Numbers from here on are no integers of 64 bits: a text form hands them out as floats.
const INTEGERS: f64 = 9_223_372_036_854_775_808.0;

fn float_of_bits(ty: &Type, digits: &str) -> Option<Value> {
    let kind = ty.number_type()?;
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
        match self.plain() {
            Of::Type(Type::Bool { .. }) => Ok(b.into()),
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
        match (i128::try_from(n), self.plain()) {
            (Ok(n), _) => self.int(n),
            (Err(_), Of::Type(Type::Int { bytes: 16, signed: false })) => Ok(n.into()),
            (Err(_), _) => Err(self.wrong(&n.to_string())),
        }
    }

    fn visit_f64<E: Error>(self, n: f64) -> Result<Value, E> {
        self.float(n)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        ValueSeed::text(&self, text)
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        if self.may_be(|ty| matches!(ty, Type::Conditional { .. })) {
            return Ok(Value::Absent);
        }
        match self.plain() {
            Of::Type(Type::Unit | Type::Padding { .. } | Type::Alignment { .. } | Type::Magic { .. }) => {
                Ok(Value::Unit)
            }
            _ if self.may_be(|ty| matches!(ty, Type::Nullable { .. })) => {
                Err(self.wrong("null (a missing value is {\"missing\": 0})"))
            }
            _ => Err(self.wrong("null")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let item = match self.plain() {
            Of::Type(Type::Record(record)) => return self.fields_in_order(&record.fields, None, seq),
            Of::Variant(fields, tag) => return self.fields_in_order(fields, tag, seq),
            Of::Type(Type::List { item, .. }) => item,
            Of::List(item) => item,
            _ => return Err(self.wrong("a list")),
        };
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self.inner(Of::Type(item)))? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        match (map.next_key::<Cow<'_, str>>()?, self.plain()) {
            (Some(key), _) => self.object(key, map),
            (None, Of::Type(Type::Record(record))) => self.record(&record.fields, None, None, map),
            (None, Of::Variant(fields, tag)) => self.record(fields, tag, None, map),
            (None, _) => Err(self.wrong("an empty object")),
        }
    }
}
