//! One field of all objects as an NPY file.

use super::chunks::Chunks;
use super::declared::{Declared, type_name};
use super::flat::{FieldColumn, Origin, inside, leaves};
use super::options::Options;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::npy;
use crate::output::Target;
use binfmt::formats::beat::{Basic, FieldType, Format};
use binfmt::value::Value;

/// Writes the field that `--field` names, or the only one: of an object as it is, of the chunks of a data file one after
/// the other along a first dimension.
pub(super) fn write(options: &Options, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let declared = Declared::of(options, job)?;
    let (name, path) = field(declared.declaration.format(), options.field.value().map(String::as_str))?;
    let ty = type_of(declared.declaration.format(), &path);
    let kind = ty.and_then(kind).ok_or_else(|| {
        let ty = ty.map(type_name).unwrap_or_default();
        Error::data(format_args!("field `{name}` is {ty}: NPY contains numbers and arrays of numbers"))
    })?;
    let (mut shape, mut bytes): (Option<Vec<u64>>, _) = (None, Vec::new());
    let mut chunks = Chunks::open(&declared, job)?;
    while let Some(item) = chunks.next()? {
        let value = inside(&item.value, &path);
        make_room(&mut bytes, value, &kind)?;
        let dims = value.and_then(|value| put(value, &mut bytes));
        let dims = dims.ok_or_else(|| Error::data(format_args!("field `{name}` is not a number")))?;
        let first = shape.get_or_insert_with(|| dims.clone());
        if *first != dims {
            let text = format!("the arrays of field `{name}` have several shapes: {first:?}, {dims:?}");
            return Err(Error::data(text));
        }
    }
    let mut shape = shape.unwrap_or_else(|| vec![0; ty.map_or(0, rank)]);
    if declared.header.is_some() {
        shape.insert(0, chunks.tally().count);
    }
    npy::write(&kind, &shape, &bytes, out)
}

/// Room for a number, or for all of an array.
fn make_room(out: &mut Vec<u8>, value: Option<&Value>, kind: &str) -> Result<()> {
    let count = match value {
        Some(Value::Array { values, .. }) => values.len(),
        _ => 1,
    };
    let width: usize = kind.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(1);
    let size = count * width;
    let room = out.try_reserve(size);
    room.map_err(|_| Error::data(format_args!("no memory for {size} bytes of numbers")))
}

/// The name of the field, and the path to it.
fn field(format: &Format, named: Option<&str>) -> Result<(String, Vec<usize>)> {
    let mut places: Vec<FieldColumn> = Vec::new();
    leaves(format, "", &mut Vec::new(), &mut places);
    let names: Vec<String> = places.iter().map(|place| place.column.name.clone()).collect();
    let wanted = match (named, names.as_slice()) {
        (Some(wanted), _) => wanted,
        (None, [only]) => only.as_str(),
        (None, _) => {
            return Err(Error::usage("an NPY file contains one array: --field must say which")
                .tip(format_args!("the fields are {}", names.join(", "))));
        }
    };
    let found = places.into_iter().find(|place| place.column.name == wanted);
    match found.map(|place| place.origin) {
        Some(Origin::Field(path)) => Ok((wanted.to_owned(), path)),
        _ => Err(Error::usage(format_args!("unknown field `{wanted}`"))
            .tip(format_args!("the fields are {}", names.join(", ")))),
    }
}

fn type_of<'f>(format: &'f Format, path: &[usize]) -> Option<&'f FieldType> {
    let (first, rest) = path.split_first()?;
    match format.fields().get(*first)? {
        (_, FieldType::Object(inner)) => type_of(inner, rest),
        (_, ty) => Some(ty),
    }
}

fn rank(ty: &FieldType) -> usize {
    match ty {
        FieldType::Array(dims, _) => dims.len(),
        _ => 0,
    }
}

/// The letter of NumPy and the bytes of an element.
fn kind(ty: &FieldType) -> Option<String> {
    Some(match ty {
        FieldType::Array(_, item) if matches!(**item, FieldType::Basic(_)) => return kind(item),
        FieldType::Basic(Basic::Complex64) => "c8".to_owned(),
        FieldType::Basic(Basic::Complex128) => "c16".to_owned(),
        FieldType::Basic(basic) => npy::kind(basic.number_type()?)?,
        _ => return None,
    })
}

/// Appends a number, or all of an array; the answer is its shape.
fn put(value: &Value, out: &mut Vec<u8>) -> Option<Vec<u64>> {
    match value {
        Value::Array { shape, values } => {
            match values.numbers() {
                Some(numbers) => numbers.put_le_bytes(out),
                None => values.iter().try_for_each(|value| put(&value, out).map(|_| ()))?,
            }
            return Some(shape.to_vec());
        }
        // complex: the real and the imaginary part
        Value::List(parts) => parts.iter().try_for_each(|value| put(value, out).map(|_| ()))?,
        Value::Number(n) => n.put_le_bytes(out),
        _ => return None,
    }
    Some(Vec::new())
}
