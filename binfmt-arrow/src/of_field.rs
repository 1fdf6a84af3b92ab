//! Nodes of the fields of Arrow: those that were made here, and those of everybody else.

use crate::logical;
use crate::marks;
use crate::node::{Coding, Member, Node};
use arrow_schema::extension::{EXTENSION_TYPE_NAME_KEY, FixedShapeTensor};
use arrow_schema::{DataType, Field, Fields, UnionMode};
use binfmt::numbers::NumberType;
use binfmt::schema::Name;
use binfmt::table::{Logical, TimeUnit};
use binfmt::{Error, Result, Step};

/// How deep types are in each other at most.
const DEEPEST: usize = 64;

/// The parts of a table or a struct; fields with codes belong to the one before.
pub(crate) fn members(fields: &Fields, depth: usize) -> Result<Vec<(Member, usize)>> {
    let mut all: Vec<(Member, usize)> = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        if let (Some(name), Some((last, _))) = (field.metadata().get(marks::CODES_OF), all.last_mut()) {
            let missing = matches!(last.node, Node::Nullable { .. }) && *field.data_type() == DataType::UInt8;
            if last.name == name.as_str() && missing && !last.codes {
                last.codes = true;
                continue;
            }
        }
        let name = Name::from(field.name().as_str());
        let node = of(field, depth).map_err(|e| e.within(Step::Name(name.to_string())))?;
        all.push((Member { name, node, codes: false }, place));
    }
    Ok(all)
}

fn said<'a>(field: &'a Field, key: &str) -> Option<&'a str> {
    field.metadata().get(key).map(String::as_str)
}

/// What is said of the values, by us or by their type.
pub(crate) fn logical_of(field: &Field) -> Option<Logical> {
    if let Some(known) = said(field, marks::LOGICAL).and_then(logical::parse) {
        return Some(known);
    }
    Some(match inside(field.data_type()) {
        DataType::Date32 => Logical::Timestamp(TimeUnit::Day),
        DataType::Date64 => Logical::Timestamp(TimeUnit::Milli),
        DataType::Timestamp(unit, _) => Logical::Timestamp(logical::ours(*unit)),
        DataType::Duration(unit) | DataType::Time32(unit) | DataType::Time64(unit) => {
            Logical::Duration(logical::ours(*unit))
        }
        DataType::FixedSizeList(..) if said(field, marks::NESTED).is_none() => {
            let tensor = field.try_extension_type::<FixedShapeTensor>().ok()?;
            let rank = tensor.dimensions();
            let shape = tensor_shape(field)?;
            let plain = tensor.permutations().is_none_or(|order| order.iter().copied().eq(0..rank));
            if !plain {
                return None;
            }
            Logical::Tensor { shape, column_major: false }
        }
        _ => return None,
    })
}

/// The lengths that the metadata of a tensor have, which the type does not hand out.
fn tensor_shape(field: &Field) -> Option<Vec<u64>> {
    let text = said(field, arrow_schema::extension::EXTENSION_TYPE_METADATA_KEY)?;
    let list = text.split_once("\"shape\"")?.1.split_once('[')?.1.split_once(']')?.0;
    list.split(',').map(|n| n.trim().parse().ok()).collect()
}

fn inside(ty: &DataType) -> &DataType {
    match ty {
        DataType::Dictionary(_, values) => values,
        ty => ty,
    }
}

fn of(field: &Field, depth: usize) -> Result<Node> {
    if depth > DEEPEST {
        return Err(Error::other("types that are nested too deeply"));
    }
    let node = values(field, depth)?;
    let present = said(field, marks::PRESENT).and_then(|text| text.parse().ok());
    // what was made here says which of the two it is
    Ok(match (present, said(field, marks::OPTIONAL)) {
        (None, Some("true")) => Node::Optional(Box::new(node)),
        (Some(present), _) => Node::Nullable { present, values: Box::new(node) },
        (None, _) if field.is_nullable() || *field.data_type() == DataType::Null => {
            Node::Nullable { present: 0xFF, values: Box::new(node) }
        }
        (None, _) => node,
    })
}

/// The node of the values that are there.
fn values(field: &Field, depth: usize) -> Result<Node> {
    let extension = said(field, EXTENSION_TYPE_NAME_KEY);
    let deeper = depth.saturating_add(1);
    let item = |item: &Field| of(item, deeper).map(Box::new);
    Ok(match (field.data_type(), extension) {
        // a column of nothing but missing values
        (DataType::Null, _) => Node::Number(NumberType::Bool),
        (DataType::Int8, _) => Node::Number(NumberType::I8),
        (DataType::Int16, _) => Node::Number(NumberType::I16),
        (DataType::Int32, _) => Node::Number(NumberType::I32),
        (DataType::Int64, _) => Node::Number(NumberType::I64),
        (DataType::UInt8, _) => Node::Number(NumberType::U8),
        (DataType::UInt16, _) => Node::Number(NumberType::U16),
        (DataType::UInt32, _) => Node::Number(NumberType::U32),
        (DataType::UInt64, _) => Node::Number(NumberType::U64),
        (DataType::Float16, _) => Node::Number(NumberType::F16),
        (DataType::Float32, _) => Node::Number(NumberType::F32),
        (DataType::Float64, _) => Node::Number(NumberType::F64),
        (DataType::Boolean, _) if said(field, marks::NOTHING).is_some() => Node::Nothing,
        (DataType::Boolean, _) => Node::Number(NumberType::Bool),
        (DataType::Decimal128(_, 0), _) => Node::Wide(NumberType::I128),
        (
            ty @ (DataType::Timestamp(..)
            | DataType::Duration(_)
            | DataType::Date32
            | DataType::Date64
            | DataType::Time32(_)
            | DataType::Time64(_)),
            _,
        ) => {
            let factor = said(field, marks::FACTOR).and_then(|text| text.parse().ok()).filter(|n| *n > 0);
            Node::Time { ty: ty.clone(), factor: factor.unwrap_or(1) }
        }
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, _) => {
            Node::Text(match said(field, marks::TEXT) {
                Some("latin1") => Coding::Latin1,
                Some("lossy") => Coding::Lossy,
                _ => Coding::Utf8,
            })
        }
        (DataType::Binary | DataType::LargeBinary | DataType::BinaryView, _) => {
            match said(field, marks::TEXT) {
                Some("binary") => Node::Text(Coding::Binary),
                _ => Node::Bytes,
            }
        }
        (DataType::FixedSizeBinary(16), Some(marks::INT128)) => Node::Wide(NumberType::I128),
        (DataType::FixedSizeBinary(16), Some(marks::UINT128)) => Node::Wide(NumberType::U128),
        (DataType::FixedSizeBinary(n), _) => Node::FixedBytes(usize::try_from(*n).unwrap_or(0)),
        (DataType::List(of) | DataType::LargeList(of) | DataType::Map(of, _), _) => Node::List(item(of)?),
        (DataType::FixedSizeList(of, n), _) => {
            let len = usize::try_from(*n).unwrap_or(0);
            let items = item(of)?;
            match said(field, marks::NESTED)
                .and_then(lengths)
                .filter(|lens| lens.iter().product::<usize>() == len)
            {
                Some(lens) => Node::Nested { lens, items },
                None => Node::Array { len, items },
            }
        }
        (DataType::Struct(fields), Some(marks::VALUE)) if !fields.is_empty() => {
            let (member, _) = members(fields, deeper)?.swap_remove(0);
            Node::Value(Box::new(member))
        }
        (DataType::Struct(fields), Some(marks::SHAPED)) if fields.len() == 2 => match fields[0].data_type() {
            DataType::LargeList(of) | DataType::List(of) => Node::Shaped(item(of)?),
            _ => return Err(Error::other("the elements of an array are not a list")),
        },
        (DataType::Struct(fields), _) => match said(field, marks::VARIANTS) {
            Some(_) if !fields.is_empty() => {
                // every variant is null in the rows of another
                let all = fields.iter().skip(1).map(|field| {
                    let node =
                        values(field, deeper).map_err(|e| e.within(Step::Name(field.name().clone())))?;
                    Ok(Member { name: field.name().as_str().into(), node, codes: false })
                });
                Node::Variants(all.collect::<Result<_>>()?)
            }
            _ => Node::Record(members(fields, deeper)?.into_iter().map(|(member, _)| member).collect()),
        },
        (DataType::Union(fields, UnionMode::Dense), _) => {
            let all = fields.iter().map(|(_, field)| match of(field, deeper) {
                Ok(node @ Node::Record(_)) => {
                    Ok(Member { name: field.name().as_str().into(), node, codes: false })
                }
                Ok(_) => Err(refused(field, "the variants of a union must be structs")),
                Err(e) => Err(e.within(Step::Name(field.name().clone()))),
            });
            Node::Union(all.collect::<Result<_>>()?)
        }
        (DataType::Dictionary(_, of), _) => match said(field, marks::VARIANTS) {
            Some(lines) => Node::Names(lines.lines().map(Name::from).collect()),
            None => {
                let values =
                    Field::new("values", (**of).clone(), false).with_metadata(field.metadata().clone());
                Node::Unpacked(Box::new(self::values(&values, deeper)?))
            }
        },
        (DataType::Decimal128(..) | DataType::Decimal256(..), _) => {
            return Err(refused(field, "make it a float, a text or an integer first"));
        }
        _ => return Err(refused(field, "")),
    })
}

fn lengths(text: &str) -> Option<Vec<usize>> {
    let lens: Vec<usize> = text.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
    lens.iter().try_fold(1usize, |all, len| all.checked_mul(*len)).map(|_| lens)
}

#[cold]
fn refused(field: &Field, advice: &str) -> Error {
    let comma = if advice.is_empty() { "" } else { ": " };
    Error::other(format!(
        "there is no column for values of Arrow's type {}{comma}{advice}",
        field.data_type()
    ))
}
