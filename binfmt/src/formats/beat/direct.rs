//! Objects read and written along the declaration itself: the same bytes, values and errors as by its description, without
//! asking of every field what it may be.

use super::declaration::{Basic, FieldType, Format};
use super::describe::{description, description_of_field};
use super::dims::{another, dimensions};
use crate::codec::compound::encode_items;
use crate::codec::field::first_short;
use crate::codec::form::DecodeAs;
use crate::codec::scalar::BoolLax;
use crate::codec::{Decode, Encode};
use crate::containers::DecodeBody;
use crate::containers::items::{Items, too_many_empty};
use crate::containers::prefixed::read_len;
use crate::containers::shaped::overflow;
use crate::containers::text::{Text, Utf8};
use crate::error::{Error, Result, Step};
use crate::numbers::{Element, Number, Numbers};
use crate::value::{Elements, Name, Value, grow};
use crate::wire::limits::{checked, max_empty_items};
use crate::wire::{Le, Sink, Sizes, Source};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Reads an object, and whether its arrays have the dimensions that the declaration fixes.
pub(super) fn object<'de, S: Source<'de>>(src: &mut S, format: &Format) -> Result<(Value, bool)> {
    let mut reader = Reader { src, fits: true };
    let value = reader.object(format)?;
    Ok((value, reader.fits))
}

struct Reader<'s, S> {
    src: &'s mut S,
    fits: bool,
}

impl<'de, S: Source<'de>> Reader<'_, S> {
    fn object(&mut self, format: &Format) -> Result<Value> {
        let named = format.fields();
        self.src.charge(named.len().saturating_mul(size_of::<(Name, Value)>()))?;
        let mut fields = Vec::with_capacity(named.len());
        for (i, (name, ty)) in named.iter().enumerate() {
            if format.run(i) > 0
                && let Err(e) = self.src.ensure(format.run(i))
            {
                return Err(short(e, named.get(i..).unwrap_or(&[])));
            }
            match self.field(ty) {
                Ok(value) => fields.push((name.clone(), value)),
                Err(e) => return Err(e.within(Step::Name(name.to_string()))),
            }
        }
        Ok(Value::Record(fields))
    }

    fn field(&mut self, ty: &FieldType) -> Result<Value> {
        match ty {
            FieldType::Basic(basic) => self.basic(*basic),
            FieldType::Array(dims, item) => self.array(dims, item),
            FieldType::Object(format) => self.object(format),
        }
    }

    #[inline]
    fn basic(&mut self, basic: Basic) -> Result<Value> {
        let src = &mut *self.src;
        Ok(match basic {
            Basic::Int8 => i8::decode::<Le, S>(src, ())?.into(),
            Basic::Int16 => i16::decode::<Le, S>(src, ())?.into(),
            Basic::Int32 => i32::decode::<Le, S>(src, ())?.into(),
            Basic::Int64 => i64::decode::<Le, S>(src, ())?.into(),
            Basic::Uint8 => u8::decode::<Le, S>(src, ())?.into(),
            Basic::Uint16 => u16::decode::<Le, S>(src, ())?.into(),
            Basic::Uint32 => u32::decode::<Le, S>(src, ())?.into(),
            Basic::Uint64 => u64::decode::<Le, S>(src, ())?.into(),
            Basic::Float32 => f32::decode::<Le, S>(src, ())?.into(),
            Basic::Float64 => f64::decode::<Le, S>(src, ())?.into(),
            Basic::Bool => BoolLax::decode::<Le, S>(src, ())?.into(),
            Basic::Complex64 => self.complex::<f32>()?,
            Basic::Complex128 => self.complex::<f64>()?,
            Basic::String => {
                let at = src.pos();
                let n = read_len::<Le, u64, S>(src, false)?;
                let n = checked(src, n, (1, 1), u64::MAX, at)?;
                Value::Text(<Text<Utf8, false> as DecodeBody<'de, String>>::body::<Le, S>(src, n, ())?)
            }
        })
    }

    fn array(&mut self, dims: &[u64], item: &FieldType) -> Result<Value> {
        let at = self.src.pos();
        let rank = checked(self.src, dims.len() as i128, (8, 8), u64::MAX, at)?;
        self.src.charge(rank.saturating_mul(size_of::<u64>()))?;
        let mut shape = Vec::with_capacity(rank);
        let mut all = 1i128;
        for dim in dims {
            let n = read_len::<Le, u64, S>(self.src, false)?;
            let found = u64::try_from(n).unwrap_or(u64::MAX);
            self.fits &= *dim == 0 || *dim == found;
            shape.push(found);
            all = all.saturating_mul(n);
        }
        if all > i128::from(u64::MAX) {
            return Err(overflow(shape.into_iter(), at));
        }
        let Sizes { min, max, .. } = item.sizes();
        let n = checked(self.src, all, (min, max), u64::MAX, at)?;
        let values = match item {
            FieldType::Basic(basic) => self.basics(*basic, n)?,
            item => self.items(n, |reader| reader.field(item))?.into(),
        };
        Ok(Value::array(shape, values))
    }

    fn basics(&mut self, basic: Basic, n: usize) -> Result<Elements> {
        Ok(match basic {
            Basic::Int8 => self.numbers::<i8>(n)?.into(),
            Basic::Int16 => self.numbers::<i16>(n)?.into(),
            Basic::Int32 => self.numbers::<i32>(n)?.into(),
            Basic::Int64 => self.numbers::<i64>(n)?.into(),
            Basic::Uint8 => self.numbers::<u8>(n)?.into(),
            Basic::Uint16 => self.numbers::<u16>(n)?.into(),
            Basic::Uint32 => self.numbers::<u32>(n)?.into(),
            Basic::Uint64 => self.numbers::<u64>(n)?.into(),
            Basic::Float32 => self.numbers::<f32>(n)?.into(),
            Basic::Float64 => self.numbers::<f64>(n)?.into(),
            Basic::Bool => self
                .items(n, |reader| <BoolLax as DecodeAs<'de, bool>>::decode::<Le, S>(reader.src, ()))?
                .into(),
            Basic::Complex64 | Basic::Complex128 | Basic::String => {
                self.items(n, |reader| reader.basic(basic))?.into()
            }
        })
    }

    fn numbers<T: Decode<'de>>(&mut self, n: usize) -> Result<Vec<T>> {
        <Items as DecodeBody<'de, Vec<T>>>::body::<Le, S>(self.src, n, ())
    }

    /// The real and the imaginary part.
    #[inline]
    fn complex<T: Element>(&mut self) -> Result<Value> {
        self.src.charge(2usize.saturating_mul(size_of::<Value>()))?;
        let parts = <[T; 2]>::decode::<Le, S>(self.src, ())?;
        Ok(Value::List(parts.map(Value::from).into()))
    }

    fn items<T>(&mut self, n: usize, read: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.src.enter()?;
        let mut values = Vec::new();
        let mut empty = 0usize;
        while values.len() < n {
            let to_come = n.saturating_sub(values.len());
            grow(self.src, &mut values, to_come)?;
            let at = self.src.pos();
            let value = read(self).map_err(|e| e.within(Step::Index(values.len())))?;
            values.push(value);
            empty = empty.saturating_add(usize::from(self.src.pos() == at));
            // nothing on the wire bounds their number
            if empty > max_empty_items::<Value>() {
                return Err(too_many_empty(n, max_empty_items::<Value>(), at));
            }
        }
        self.src.leave();
        Ok(values)
    }
}

/// The error of a run of fields that ends too early, at the field that is cut.
#[cold]
fn short(e: Error, fields: &[(Name, FieldType)]) -> Error {
    let (e, at) = first_short(e, fields.iter().map(|(_, ty)| ty.sizes()));
    match fields.get(at.unwrap_or(0)) {
        Some((name, FieldType::Object(inside))) if !inside.fields().is_empty() => {
            short(e, inside.fields()).within(Step::Name(name.to_string()))
        }
        Some((name, _)) => e.within(Step::Name(name.to_string())),
        None => e,
    }
}

/// Writes an object. What is no record of exactly the declared fields goes the general way, which says what is wrong.
pub(super) fn put_object<W: Sink>(value: &Value, format: &Format, out: &mut W) -> Result<()> {
    let named = format.fields();
    let same = |(field, (name, _)): (&(Name, Value), &(Name, FieldType))| field.0 == *name;
    let fields = match value {
        Value::Record(fields) if fields.len() == named.len() && fields.iter().zip(named).all(same) => fields,
        value => return general(value, format, out),
    };
    for ((name, value), (_, ty)) in fields.iter().zip(named) {
        if let Err(e) = put_field(value, ty, out) {
            return Err(e.within(Step::Name(name.to_string())));
        }
    }
    Ok(())
}

#[cold]
fn general<W: Sink>(value: &Value, format: &Format, out: &mut W) -> Result<()> {
    dimensions(value, format, out.pos())?;
    value.encode::<Le, W>(out, &description(format))
}

#[inline]
fn put_field<W: Sink>(value: &Value, ty: &FieldType, out: &mut W) -> Result<()> {
    match ty {
        FieldType::Basic(basic) => put_basic(value, *basic, out),
        FieldType::Object(format) => put_object(value, format, out),
        FieldType::Array(..) => put_array(value, ty, out),
    }
}

#[inline]
fn put_basic<W: Sink>(value: &Value, basic: Basic, out: &mut W) -> Result<()> {
    match (basic, value) {
        (Basic::Int8, Value::Number(Number::I8(x))) => out.array(x.to_le_bytes()),
        (Basic::Int16, Value::Number(Number::I16(x))) => out.array(x.to_le_bytes()),
        (Basic::Int32, Value::Number(Number::I32(x))) => out.array(x.to_le_bytes()),
        (Basic::Int64, Value::Number(Number::I64(x))) => out.array(x.to_le_bytes()),
        (Basic::Uint8, Value::Number(Number::U8(x))) => out.array(x.to_le_bytes()),
        (Basic::Uint16, Value::Number(Number::U16(x))) => out.array(x.to_le_bytes()),
        (Basic::Uint32, Value::Number(Number::U32(x))) => out.array(x.to_le_bytes()),
        (Basic::Uint64, Value::Number(Number::U64(x))) => out.array(x.to_le_bytes()),
        (Basic::Float32, Value::Number(Number::F32(x))) => out.array(x.to_le_bytes()),
        (Basic::Float64, Value::Number(Number::F64(x))) => out.array(x.to_le_bytes()),
        (Basic::Bool, Value::Number(Number::Bool(x))) => out.array([u8::from(*x)]),
        (Basic::String, Value::Text(text)) => {
            out.array((text.len() as u64).to_le_bytes())?;
            out.bytes(text.as_bytes(), 0)
        }
        (basic, value) => put_complex(value, basic, out),
    }
}

#[inline(never)]
fn put_complex<W: Sink>(value: &Value, basic: Basic, out: &mut W) -> Result<()> {
    if let Value::List(parts) = value {
        match (basic, &parts[..]) {
            (Basic::Complex64, [Value::Number(Number::F32(re)), Value::Number(Number::F32(im))]) => {
                out.array(re.to_le_bytes())?;
                return out.array(im.to_le_bytes());
            }
            (Basic::Complex128, [Value::Number(Number::F64(re)), Value::Number(Number::F64(im))]) => {
                out.array(re.to_le_bytes())?;
                return out.array(im.to_le_bytes());
            }
            _ => {}
        }
    }
    general_field(value, &FieldType::Basic(basic), out)
}

/// Numbers of another width that fit, and what is none of this type.
#[cold]
fn general_field<W: Sink>(value: &Value, ty: &FieldType, out: &mut W) -> Result<()> {
    value.encode::<Le, W>(out, &description_of_field(ty))
}

fn put_array<W: Sink>(value: &Value, ty: &FieldType, out: &mut W) -> Result<()> {
    let (Value::Array { shape, values }, FieldType::Array(dims, item)) = (value, ty) else {
        return general_field(value, ty, out);
    };
    let all = shape.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    if all != Some(values.len() as u64) || shape.len() != dims.len() {
        return general_field(value, ty, out);
    }
    for (i, (expected, found)) in dims.iter().zip(shape).enumerate() {
        if *expected != 0 && expected != found {
            return Err(another(i, *found, *expected, out.pos()));
        }
        out.array(found.to_le_bytes())?;
    }
    put_elements(values, item, out)
}

/// Writes the elements of an array: numbers of the declared type all at once.
fn put_elements<W: Sink>(elements: &Elements, item: &FieldType, out: &mut W) -> Result<()> {
    use FieldType::Basic as Of;
    match (elements, item) {
        (Elements::Numbers(Numbers::I8(v)), Of(Basic::Int8)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::I16(v)), Of(Basic::Int16)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::I32(v)), Of(Basic::Int32)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::I64(v)), Of(Basic::Int64)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::U8(v)), Of(Basic::Uint8)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::U16(v)), Of(Basic::Uint16)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::U32(v)), Of(Basic::Uint32)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::U64(v)), Of(Basic::Uint64)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::F32(v)), Of(Basic::Float32)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::F64(v)), Of(Basic::Float64)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Numbers(Numbers::Bool(v)), Of(Basic::Bool)) => encode_items::<Le, W, _, ()>(v, out, ()),
        (Elements::Values(v), item) => put_items(v, item, out),
        (elements, item) => put_items(elements, item, out),
    }
}

fn put_items<W: Sink>(
    values: impl IntoIterator<Item = impl Borrow<Value>>,
    item: &FieldType,
    out: &mut W,
) -> Result<()> {
    for (i, value) in values.into_iter().enumerate() {
        if let Err(e) = put_field(value.borrow(), item, out) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::beat::{Declaration, Object};
    use crate::numbers::NumberType;
    use crate::wire::Slice;
    use alloc::string::ToString;

    /// By the description: what a tracing source goes through.
    fn general_read(bytes: &[u8], declaration: &Declaration) -> Result<Value> {
        let mut src = Slice::new(bytes);
        let value = Value::decode::<Le, _>(&mut src, declaration.description())?;
        dimensions(&value, declaration.format(), 0)?;
        Ok(value)
    }

    fn direct_read(bytes: &[u8], declaration: &Declaration) -> Result<Value> {
        let mut src = Slice::new(bytes);
        Object::decode::<Le, _>(&mut src, declaration).map(|object| object.0)
    }

    const DECLARATIONS: [&str; 5] = [
        r#"{"a": "int8", "b": "uint16", "c": "float64", "d": "bool", "e": "complex64", "f": "complex128"}"#,
        r#"{"a": "string", "b": {"x": "int32", "y": {"z": "string"}}, "c": [0, "int64"]}"#,
        r#"{"a": [2, 0, "float32"], "b": [0, "string"], "c": [0, "complex64"], "d": [0, "bool"]}"#,
        r#"{"a": [0, {"x": "int16", "y": [0, "uint8"], "z": "string"}], "b": [2, {"x": "bool"}]}"#,
        r#"{"a": {}, "b": [3, {}], "c": [0, 0, "uint64"], "d": "uint8"}"#,
    ];

    /// Bytes that are small numbers where lengths may be.
    fn bytes(seed: u64) -> Vec<u8> {
        let mut n = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut bytes = Vec::new();
        while bytes.len() < 96 {
            n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let small = (n >> 60) % 4;
            bytes.extend(if n >> 40 & 3 == 0 { n.to_le_bytes() } else { small.to_le_bytes() });
        }
        bytes
    }

    /// Of each array, whether it is of numbers and of which.
    fn forms(value: &Value) -> Vec<Option<NumberType>> {
        match value {
            Value::Record(fields) => fields.iter().flat_map(|(_, value)| forms(value)).collect(),
            Value::Array { values, .. } => {
                let inner = values.iter().flat_map(|value| forms(&value));
                [values.numbers().map(Numbers::number_type)].into_iter().chain(inner).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn both_ways_read_the_same() {
        let mut read = 0;
        for json in DECLARATIONS {
            let declaration = Declaration::parse(json).unwrap();
            for seed in 0..100 {
                let bytes = bytes(seed);
                for cut in 0..bytes.len() {
                    let bytes = &bytes[..cut];
                    match (general_read(bytes, &declaration), direct_read(bytes, &declaration)) {
                        (Ok(a), Ok(b)) => {
                            // a NaN is equal to none
                            assert_eq!(alloc::format!("{a:?}"), alloc::format!("{b:?}"), "{json}");
                            assert_eq!(forms(&a), forms(&b), "{json}");
                            read += 1;
                        }
                        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{json} {bytes:?}"),
                        (a, b) => panic!("{json} {bytes:?}: {a:?}, {b:?}"),
                    }
                }
            }
        }
        assert!(read > 300, "{read}");
    }

    fn general_write(value: &Value, declaration: &Declaration) -> Result<Vec<u8>> {
        dimensions(value, declaration.format(), 0)?;
        let mut out = Vec::new();
        crate::wire::vec_sink(&mut out, 0, |out| value.encode::<Le, _>(out, declaration.description()))?;
        Ok(out)
    }

    fn direct_write(value: &Value, declaration: &Declaration) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        crate::wire::vec_sink(&mut out, 0, |out| put_object(value, declaration.format(), out))?;
        Ok(out)
    }

    #[test]
    fn both_ways_write_the_same() {
        let json = r#"{"a": "int8", "b": [0, 2, "int16"], "c": {"s": "string", "z": "complex64"}}"#;
        let declaration = Declaration::parse(json).unwrap();
        let array = |shape: &[u64], n: i128| Value::Array {
            shape: shape.into(),
            values: (0..n).map(Value::from).collect(),
        };
        let typed = |values: Elements| Value::array([1, 2], values);
        let z = || Value::List([1f32.into(), 0.5f64.into()].into());
        let c = || Value::Record([("s".into(), "text".into()), ("z".into(), z())].into());
        let record = |a: Value, b: Value, c: Value| {
            Value::Record([("a".into(), a), ("b".into(), b), ("c".into(), c)].into())
        };
        let small = || Value::from(-7i64);
        let reversed = Value::Record([("z".into(), z()), ("s".into(), "text".into())].into());
        for value in [
            record(small(), array(&[1, 2], 2), c()),
            record(small(), array(&[1, 2], 2), reversed),
            record(300i64.into(), array(&[1, 2], 2), c()),
            record(small(), array(&[2, 1], 2), c()),
            record(small(), typed(alloc::vec![-1i16, 2].into()), c()),
            record(small(), typed(alloc::vec![1u64, 2].into()), c()),
            record(small(), typed(alloc::vec![1i32, 40_000].into()), c()),
            record(small(), typed(alloc::vec![1.0f64, 2.0].into()), c()),
            record(small(), typed(alloc::vec![true, false].into()), c()),
            record(small(), typed(alloc::vec![1i16].into()), c()),
            record(small(), typed(Elements::Values([1i16.into(), Value::Unit].into())), c()),
            record(small(), array(&[2], 2), c()),
            record(small(), array(&[2, 2], 2), c()),
            record(small(), array(&[1, 2], 2), Value::Unit),
            record("text".into(), array(&[1, 2], 2), c()),
            record(small(), Value::List(Vec::new()), c()),
            Value::List([small(), array(&[1, 2], 2), c()].into()),
            Value::Record(Vec::new()),
            Value::from(true),
        ] {
            match (general_write(&value, &declaration), direct_write(&value, &declaration)) {
                (Ok(a), Ok(b)) => assert_eq!(a, b, "{value:?}"),
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{value:?}"),
                (a, b) => panic!("{value:?}: {a:?}, {b:?}"),
            }
        }
    }
}
