//! Records: their fields in order, each with the earlier ones in sight.

use super::decode::value;
use super::encode::put;
use super::expr::{Fields, Scope};
use super::measure::{Known, run};
use super::unwrap::{Place, expected, is_silent, is_tuple, owner, step};
use super::{Name, Value};
use crate::codec::field::first_short;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Number, with_numbers};
use crate::schema::expr::{Range, shortened};
use crate::schema::{Description, Field, Record, Type};
use crate::wire::raw::bulk;
use crate::wire::{Be, Endian, Label, Le, Order, Sink, Sizes, Source};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// A field with its name.
pub(super) type Named = (Name, Value);

/// Reads a record.
pub(super) fn record<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    record: &Record,
    place: Place<'_>,
) -> Result<Value> {
    let inside = place.record(src.pos());
    match &record.order {
        None => fields::<O, S>(src, &record.fields, None, inside),
        Some(order) => match place.order(order, src.pos())? {
            Endian::Little => fields::<Le, S>(src, &record.fields, None, inside),
            Endian::Big => fields::<Be, S>(src, &record.fields, None, inside),
        },
    }
}

/// Reads fields one after the other, behind one that is known already.
pub(super) fn fields<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    fields: &[Field],
    first: Option<Named>,
    place: Place<'_>,
) -> Result<Value> {
    let tuple = first.is_none() && is_tuple(fields);
    src.charge(fields.len().saturating_mul(size_of::<Named>()))?;
    let mut done: Vec<Named> = Vec::new();
    bulk::try_room_exact(&mut done, fields.len().saturating_add(usize::from(first.is_some())))
        .map_err(|e| e.at(src.pos()))?;
    done.extend(first);
    let mut all: Vec<Sizes> = Vec::new();
    bulk::try_room_exact(&mut all, fields.len()).map_err(|e| e.at(src.pos()))?;
    all.extend(fields.iter().map(|field| place.sizes(&field.ty)));
    let mut begins = true;
    for (i, field) in fields.iter().enumerate() {
        if begins {
            begin(src, fields, &all, i, place.known)?;
        }
        begins = all.get(i).is_some_and(|of| of.exact().is_none());
        let at = src.pos();
        match owner(field) {
            None => src.open(label(field), &field.native),
            Some(owner) => src.open(Label::Field(owner), ""),
        }
        let read = value::<O, S>(src, &field.ty, place.with(&Done(&done)));
        match read {
            Ok(_) if is_silent(&field.ty) => src.close(),
            Ok(value) => {
                src.close();
                in_range(&value, field, &Done(&done), at)?;
                done.push((field.name.clone(), value));
            }
            Err(e) => return Err(e.within(step(field))),
        }
    }
    Ok(if tuple {
        Value::List(done.into_iter().map(|(_, value)| value).collect())
    } else {
        Value::Record(done)
    })
}

/// `range = 1..=9` of numbers; what else a range may be is left to the types that say it.
#[inline]
fn in_range(value: &Value, field: &Field, scope: Scope<'_>, at: u64) -> Result<()> {
    if field.rules.is_empty() { Ok(()) } else { each_range(value, field, scope, at) }
}

fn each_range(value: &Value, field: &Field, scope: Scope<'_>, at: u64) -> Result<()> {
    for rule in &field.rules {
        if Range::text(rule).is_none() {
            continue;
        }
        let Some(range) = Range::of(rule, scope) else { continue };
        let Value::Number(number) = value else { continue };
        let holds = range.has(*number);
        if !holds {
            return Err(outside(*number, Range::text(rule).unwrap_or_default(), at).within(step(field)));
        }
    }
    Ok(())
}

#[cold]
fn outside(number: Number, range: &str, at: u64) -> Error {
    let found = with_numbers!(number, one n => format!("{n:?}"));
    Error::message(format!("{found} is not in {}", shortened(range)), at)
}

/// What a tracing source calls a field.
fn label(field: &Field) -> Label<&str> {
    match (field.name.as_str(), step(field)) {
        ("", Step::Field("")) => Label::Value,
        ("", Step::Field(word)) => Label::Field(word),
        (name, _) => Label::Field(name),
    }
}

/// The check for the run of fields that begins here.
fn begin<'de, S: Source<'de>>(
    src: &mut S,
    fields: &[Field],
    all: &[Sizes],
    first: usize,
    known: &Known<'_>,
) -> Result<()> {
    let parts = || all.iter().skip(first).copied();
    match src.ensure(run(parts())) {
        Ok(()) => Ok(()),
        Err(e) => {
            let (e, short) = first_short(e, parts());
            match fields.get(first.saturating_add(short.unwrap_or(0))) {
                Some(field) => Err(in_field(e, field, known)),
                None => Err(e),
            }
        }
    }
}

/// The fields of a record inside belong to the run too.
#[cold]
fn in_field(e: Error, field: &Field, known: &Known<'_>) -> Error {
    let e = match inside(&field.ty, known.description) {
        Type::Record(record) => {
            let parts = record.fields.iter().map(|field| known.sizes(&field.ty));
            let (e, short) = first_short(e, parts);
            match short.and_then(|short| record.fields.get(short)) {
                Some(field) => in_field(e, field, known),
                None => e,
            }
        }
        _ => e,
    };
    e.within(step(field))
}

fn inside<'a>(ty: &'a Type, description: &'a Description) -> &'a Type {
    match ty {
        Type::Ordered { body, .. } => inside(body, description),
        ty => description.resolve(ty).unwrap_or(ty),
    }
}

/// The fields that have been read.
struct Done<'a>(&'a [Named]);

impl Fields<Value> for Done<'_> {
    fn find(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(field, _)| **field == *name).map(|(_, value)| value)
    }
}

/// The fields that have been written, of a value whose first `skip` ones are no fields of the layout.
struct Written<'a> {
    all: &'a Value,
    fields: &'a [Field],
    skip: usize,
}

impl Fields<Value> for Written<'_> {
    fn find(&self, name: &str) -> Option<&Value> {
        let mut named = self.fields.iter().filter(|field| !is_silent(&field.ty));
        match named.position(|field| field.name == name) {
            Some(i) => nth(self.all, i.saturating_add(self.skip), name),
            // the tag that a variant keeps
            None => nth(self.all, 0, name).filter(|_| self.skip > 0 && name == "tag"),
        }
    }
}

/// Writes a record.
pub(super) fn put_record<O: Order, W: Sink>(
    value: &Value,
    record: &Record,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let inside = place.record(out.pos());
    match &record.order {
        None => put_fields::<O, W>(value, &record.fields, 0, out, inside),
        Some(order) => match place.order(order, out.pos())? {
            Endian::Little => put_fields::<Le, W>(value, &record.fields, 0, out, inside),
            Endian::Big => put_fields::<Be, W>(value, &record.fields, 0, out, inside),
        },
    }
}

/// Writes the fields behind the first `skip` ones of a value: all of them, by name, or by place in a list.
pub(super) fn put_fields<O: Order, W: Sink>(
    all: &Value,
    fields: &[Field],
    skip: usize,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let named = fields.iter().filter(|field| !is_silent(&field.ty)).count();
    check_fields(all, fields, skip, named, out.pos())?;
    let mut next = skip;
    for (i, field) in fields.iter().enumerate() {
        let silent = is_silent(&field.ty);
        let value = if silent { Some(&Value::Unit) } else { nth(all, next, &field.name) };
        let Some(value) = value else { return Err(no_field(field, out.pos())) };
        let earlier = Written { all, fields: fields.get(..i).unwrap_or(&[]), skip };
        in_range(value, field, &earlier, out.pos())?;
        if let Err(e) = put::<O, W>(value, &field.ty, out, place.with(&earlier)) {
            return Err(e.within(step(field)));
        }
        next = next.saturating_add(usize::from(!silent));
    }
    Ok(())
}

/// The field at a place, or of a name where it stands elsewhere.
fn nth<'v>(all: &'v Value, i: usize, name: &str) -> Option<&'v Value> {
    match all {
        Value::Record(fields) => match fields.get(i) {
            Some((found, value)) if **found == *name => Some(value),
            _ => all.get(name),
        },
        Value::List(values) => values.get(i),
        _ => None,
    }
}

fn check_fields(all: &Value, fields: &[Field], skip: usize, named: usize, at: u64) -> Result<()> {
    let found = match all {
        Value::Unit if named == 0 => return Ok(()),
        Value::Record(found) => found.len(),
        Value::List(found) => found.len(),
        other => return Err(expected("a record", other, at)),
    };
    let wanted = named.saturating_add(skip);
    if found == wanted {
        return Ok(());
    }
    if let (Value::Record(found), true) = (all, found > wanted) {
        let known = |name: &str| fields.iter().any(|field| field.name == name) || skip > 0 && name == "tag";
        if let Some((name, _)) = found.iter().find(|(name, _)| !known(name)) {
            return Err(Error::message(format!("the layout has no field `{name}`"), at));
        }
    }
    if found < wanted
        && let Value::Record(_) = all
    {
        // the field that is not there is named where it is missed
        return Ok(());
    }
    Err(Error::new(ErrorKind::LengthMismatch { expected: wanted as i128, found: found as u64 }, at))
}

#[cold]
fn no_field(field: &Field, at: u64) -> Error {
    Error::message("the value has no such field".to_string(), at).within(step(field))
}
