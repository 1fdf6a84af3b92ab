//! Nodes of the columns of a table.

use crate::error::narrow;
use crate::logical;
use crate::node::{Coding, Member, Node, length, number, timestamp};
use crate::options::{Choices, Conversion, Texts, Times};
use arrow_schema::DataType;
use binfmt::columns::ColumnType;
use binfmt::numbers::NumberType;
use binfmt::schema::Name;
use binfmt::table::{Logical, TableField, TimeUnit};
use binfmt::{Error, Result, Step};

/// The node of a column, which may have codes beside it.
pub(crate) fn member(field: &TableField, how: &Conversion) -> Result<Member> {
    let node = of(&field.ty, field.logical.as_ref(), how)
        .map_err(|e| e.within(Step::Name(field.name.to_string())))?;
    Ok(beside(field.name.clone(), node, how))
}

/// A part of a record or a table: what may be missing has codes beside it, if they are wanted.
fn beside(name: Name, node: Node, how: &Conversion) -> Member {
    let codes = how.codes && matches!(node, Node::Nullable { .. });
    Member { name, node, codes }
}

fn of(ty: &ColumnType, logical: Option<&Logical>, how: &Conversion) -> Result<Node> {
    Ok(match (ty, logical) {
        (ColumnType::Nullable { present, values }, logical) => {
            Node::Nullable { present: *present, values: Box::new(maskable(of(values, logical, how)?, how)) }
        }
        (ColumnType::Optional(values), logical) => {
            Node::Optional(Box::new(maskable(of(values, logical, how)?, how)))
        }
        (ColumnType::Number(NumberType::I64), Some(Logical::Timestamp(TimeUnit::Day)))
            if how.times == Times::Dates =>
        {
            Node::Time { ty: DataType::Date32, factor: 1 }
        }
        (ColumnType::Number(NumberType::I64), Some(Logical::Timestamp(unit))) => {
            time(*unit, how.times, timestamp)
        }
        (ColumnType::Number(NumberType::I64), Some(Logical::Duration(unit))) => {
            time(*unit, how.times, DataType::Duration)
        }
        (ColumnType::Number(kind), _) => plain(*kind)?,
        (ColumnType::Text, _) => Node::Text(match how.texts {
            Texts::Checked => Coding::Utf8,
            Texts::Binary => Coding::Binary,
            Texts::Latin1 => Coding::Latin1,
            Texts::Lossy => Coding::Lossy,
        }),
        (ColumnType::Bytes, _) => Node::Bytes,
        (ColumnType::FixedBytes(n), _) => Node::FixedBytes(sized(*n, "bytes of a row")?),
        (ColumnType::List(items), _) => Node::List(Box::new(inner(items, how)?)),
        (ColumnType::Array { len, items }, logical) => array(*len, items, logical, how)?,
        (ColumnType::Record(fields), Some(Logical::TimestampWithOffset)) => with_offset(fields, how)?,
        // Parquet has no structs without fields
        (ColumnType::Record(fields), _) if fields.is_empty() && how.choices == Choices::Struct => {
            Node::Nothing
        }
        (ColumnType::Record(fields), _) => Node::Record(members(fields, how)?),
        (ColumnType::Choice(variants), _) => choice(variants, how)?,
        (ColumnType::Shaped(item), _) => Node::Shaped(Box::new(inner(item, how)?)),
        (other, _) => return Err(Error::other(format!("{other} has no form in Arrow yet"))),
    })
}

fn plain(kind: NumberType) -> Result<Node> {
    match number(kind) {
        Some(_) => Ok(Node::Number(kind)),
        None if kind.size() == 16 => Ok(Node::Wide(kind)),
        None => Err(Error::other(format!("Arrow has no numbers of type {kind}"))),
    }
}

fn sized(n: usize, what: &str) -> Result<usize> {
    narrow(n, what).map(|_| n)
}

fn time(unit: TimeUnit, times: Times, ty: impl FnOnce(arrow_schema::TimeUnit) -> DataType) -> Node {
    match logical::unit(unit, times) {
        Some((unit, factor)) => Node::Time { ty: ty(unit), factor },
        // years, and what is less than nanoseconds: numbers, of which the metadata say what they are
        None => Node::Number(NumberType::I64),
    }
}

/// What has no place for codes, or no nulls of its own, is in a struct that has.
fn inner(ty: &ColumnType, how: &Conversion) -> Result<Node> {
    let node = of(ty, None, how)?;
    Ok(match node {
        Node::Nullable { .. } if how.codes => value(node, how),
        node => node,
    })
}

fn maskable(node: Node, how: &Conversion) -> Node {
    match node {
        Node::Nullable { .. } | Node::Optional(_) | Node::Union(_) => value(node, how),
        node => node,
    }
}

fn value(node: Node, how: &Conversion) -> Node {
    Node::Value(Box::new(beside("value".into(), node, how)))
}

fn members(fields: &[(Name, ColumnType)], how: &Conversion) -> Result<Vec<Member>> {
    let of = |(name, ty): &(Name, ColumnType)| {
        let node = of(ty, None, how).map_err(|e| e.within(Step::Name(name.to_string())))?;
        Ok(beside(name.clone(), node, how))
    };
    fields.iter().map(of).collect()
}

/// Arrays of arrays of numbers are one array in memory, and one with several dimensions in Arrow.
fn array(len: usize, items: &ColumnType, logical: Option<&Logical>, how: &Conversion) -> Result<Node> {
    sized(len, "elements of an array")?;
    let (mut lens, mut inside) = (vec![len], items);
    while let ColumnType::Array { len, items } = inside {
        lens.push(*len);
        inside = items;
    }
    let all = lens.iter().try_fold(1usize, |all, len| all.checked_mul(*len)).unwrap_or(usize::MAX);
    match inside {
        ColumnType::Number(kind) if lens.len() > 1 && logical.is_none() && all > 0 => {
            sized(all, "elements of an array")?;
            Ok(Node::Nested { lens, items: Box::new(plain(*kind)?) })
        }
        _ => Ok(Node::Array { len, items: Box::new(inner(items, how)?) }),
    }
}

/// Seconds of a wall clock, and how many it is ahead of UTC.
fn with_offset(fields: &[(Name, ColumnType)], how: &Conversion) -> Result<Node> {
    let mut all = members(fields, how)?;
    if let [
        Member { node: local @ Node::Number(NumberType::I64), .. },
        Member { node: offset @ Node::Number(NumberType::I64), .. },
    ] = &mut all[..]
    {
        *local = time(TimeUnit::Second, how.times, timestamp);
        *offset = time(TimeUnit::Second, how.times, DataType::Duration);
    }
    Ok(Node::Record(all))
}

fn choice(variants: &[(Name, ColumnType)], how: &Conversion) -> Result<Node> {
    let empty = |(_, ty): &(Name, ColumnType)| matches!(ty, ColumnType::Record(fields) if fields.is_empty());
    if variants.iter().all(empty) {
        // a variant for a line in the metadata
        return match variants.iter().find(|(name, _)| name.contains('\n')) {
            None => Ok(Node::Names(variants.iter().map(|(name, _)| name.clone()).collect())),
            Some((name, _)) => Err(Error::other(format!("{name:?} is not the name of a variant"))),
        };
    }
    let all = variants.iter().map(|(name, ty)| {
        let node = of(ty, None, how).map_err(|e| e.within(Step::Name(name.to_string())))?;
        Ok(Member { name: name.clone(), node, codes: false })
    });
    let all = all.collect::<Result<Vec<_>>>()?;
    // the numbers of a union's parts are bytes with a sign
    let few = length(all.len()) <= i32::from(i8::MAX);
    Ok(if how.choices == Choices::Union && few { Node::Union(all) } else { Node::Variants(all) })
}
