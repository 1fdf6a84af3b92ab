//! Objects of a declaration that is known only at run time.

use crate::BinFormat;
use crate::formats::beat::text::{Declaration, FieldType, Format};
use crate::numbers::{NumberType, with_numbers};
use crate::value::Value;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// An object of a declaration, which is its context: fields in the order of the wire.
///
/// What the declaration says of dimensions is checked in both directions.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::beat::{Declaration, Object};
/// use binfmt::value::Value;
/// let declaration = Declaration::parse(r#"{"text": "string", "n": [0, 2, "int8"]}"#).unwrap();
/// let options = Options::new().ctx(&declaration);
/// let bytes = b"\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x07\x08\x01\0\0\0\0\0\0\0a";
/// let object: Object = binfmt::from_slice_with(bytes, &options)?;
/// assert_eq!(object.0.get("text"), Some(&Value::from("a")));
/// assert_eq!(binfmt::to_vec_with(&object, &options)?, bytes);
///
/// let wrong = b"\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\0";
/// let e = binfmt::from_slice_with::<Object, _>(wrong, &options).unwrap_err();
/// assert_eq!(e.to_string(), "n at byte 0x8: dimension 1 is 1, the declaration says 2");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(transparent, ctx(declaration: &Declaration))]
pub struct Object(#[binfmt(args(declaration.program()))] pub Value);

#[cfg(feature = "serde")]
impl serde::Serialize for Object {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(s)
    }
}

/// The most fields and elements that a blank object contains.
const MAX_BLANK: u64 = 1 << 20;

impl Declaration {
    /// The object whose fields are not set: zeros, empty text, arrays with 0 along each free dimension.
    ///
    /// `None` if the declaration fixes more than a million elements.
    ///
    /// ```
    /// use binfmt::Options;
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"a": [0, 3, "string"], "b": [2, "int8"], "c": "bool"}"#).unwrap();
    /// let bytes = binfmt::to_vec_with(&declaration.blank().unwrap(), &Options::new().ctx(&declaration))?;
    /// assert_eq!(bytes, b"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn blank(&self) -> Option<Object> {
        blank_object(self.format(), &mut MAX_BLANK.clone()).map(Object)
    }
}

fn blank_object(format: &Format, room: &mut u64) -> Option<Value> {
    let fields = format.fields().iter().map(|(name, ty)| Some((name, blank(ty, room)?)));
    fields.collect::<Option<_>>().map(Value::Record)
}

fn blank(ty: &FieldType, room: &mut u64) -> Option<Value> {
    *room = room.checked_sub(1)?;
    Some(match ty {
        FieldType::Object(format) => blank_object(format, room)?,
        FieldType::Array(dims, item) => {
            let num = dims.iter().try_fold(1u64, |n, dim| n.checked_mul(*dim));
            let num = if dims.contains(&0) { 0 } else { num? };
            let mut values = Vec::new();
            for _ in 0..num {
                values.push(blank(item, room)?);
            }
            Value::array(dims.as_slice(), values)
        }
        FieldType::Basic(basic) => match (basic.number_type(), basic.half()) {
            (Some(kind), _) => zero(kind),
            (None, Some(half)) => Value::List(vec![zero(half); 2]),
            (None, None) => Value::Text(String::new()),
        },
    })
}

fn zero(kind: NumberType) -> Value {
    with_numbers!(kind, type T => T::default().into())
}
