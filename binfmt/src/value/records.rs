//! Records: their fields in order, each with the earlier ones in sight.

use super::decode::value;
use super::encode::{put, put_number};
use super::expr::{Fields, Scope};
use super::place::{Place, expected};
use super::program::{Code, Field, Kind, Node, Record, Rule};
use super::{Name, Value};
use crate::codec::Decode;
use crate::codec::field::first_short;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Number, NumberType, with_numbers};
use crate::schema::expr::{self, shortened};
use crate::wire::raw::bulk;
use crate::wire::{Be, Endian, Le, Order, Sink, Source};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// A field with its name.
pub(super) type Named = (Name, Value);

/// Reads a record.
#[inline]
pub(super) fn record<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    record: &Record,
    place: &Place<'_>,
) -> Result<Value> {
    let inside = place.record(src.pos());
    match &record.order {
        None => fields::<O, S>(src, record, None, &inside),
        Some(order) => match place.order(order, src.pos())? {
            Endian::Little => fields::<Le, S>(src, record, None, &inside),
            Endian::Big => fields::<Be, S>(src, record, None, &inside),
        },
    }
}

/// Reads fields one after the other, after one that is known already.
pub(super) fn fields<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    record: &Record,
    first: Option<Named>,
    place: &Place<'_>,
) -> Result<Value> {
    src.charge(record.fields.len().saturating_mul(size_of::<Named>()))?;
    let mut done: Vec<Named> = Vec::new();
    bulk::try_room_exact(&mut done, record.values.len().saturating_add(usize::from(first.is_some())))
        .map_err(|e| e.at(src.pos()))?;
    done.extend(first);
    for (i, field) in record.fields.iter().enumerate() {
        if field.run > 0
            && let Err(e) = src.ensure(field.run)
        {
            return Err(short(e, record.fields.get(i..).unwrap_or(&[]), place.code));
        }
        if let Kind::Number(of) = field.node.kind
            && field.rules.is_empty()
            && !S::TRACED
        {
            // most fields are numbers, and need nothing of what is around them
            match push_number::<O, S>(src, of, &field.name, &mut done) {
                Ok(()) => continue,
                Err(e) => return Err(e.within(field.step())),
            }
        }
        let at = src.pos();
        if S::TRACED {
            let (label, native) = field.label();
            src.open(label, native);
        }
        match value::<O, S>(src, &field.node, &place.with(&Done(&done))) {
            Ok(value) => {
                src.close();
                if field.silent {
                    continue;
                }
                if !field.rules.is_empty() {
                    check(&value, field, &Done(&done), at)?;
                }
                done.push((field.name.clone(), value));
            }
            Err(e) => return Err(e.within(field.step())),
        }
    }
    Ok(if record.is_tuple {
        Value::List(done.into_iter().map(|(_, value)| value).collect())
    } else {
        Value::Record(done)
    })
}

/// Reads a number to where it stays: what is put together of pieces first costs more than the reading.
#[inline]
fn push_number<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    of: NumberType,
    name: &Name,
    done: &mut Vec<Named>,
) -> Result<()> {
    with_numbers!(of, type T => {
        let n = T::decode::<O, S>(src, ())?;
        done.push((name.clone(), Value::Number(n.into())));
    });
    Ok(())
}

/// Holds a value to the rules of its field, whose first byte is `at`.
fn check(value: &Value, field: &Field, scope: Scope<'_>, at: u64) -> Result<()> {
    for rule in &field.rules {
        let found = match rule {
            Rule::Range(rule) => in_range(value, rule, scope, at),
            Rule::Dimensions(dimensions) => in_shape(value, dimensions, at),
        };
        found.map_err(|e| e.within(field.step()))?;
    }
    Ok(())
}

/// `range = 1..=9` of numbers; what else a range may be is left to the types that say it.
fn in_range(value: &Value, rule: &expr::Rule, scope: Scope<'_>, at: u64) -> Result<()> {
    let Some(range) = rule.range(scope) else { return Ok(()) };
    match value {
        Value::Number(number) if !range.has(*number) => Err(outside(*number, rule.text(), at)),
        _ => Ok(()),
    }
}

#[cold]
fn outside(number: Number, range: &str, at: u64) -> Error {
    let found = with_numbers!(number, one n => format!("{n:?}"));
    Error::message(format!("{found} is not in {}", shortened(range)), at)
}

/// The dimensions that a description fixes; they stand before the elements, eight bytes each.
fn in_shape(value: &Value, dimensions: &[u64], at: u64) -> Result<()> {
    let Value::Array { shape, .. } = value else { return Ok(()) };
    for (i, (expected, found)) in dimensions.iter().zip(shape).enumerate() {
        if *expected != 0 && expected != found {
            let at = at.saturating_add((i as u64).saturating_mul(8));
            return Err(Error::message(
                format!("dimension {i} is {found}, the declaration says {expected}"),
                at,
            ));
        }
    }
    Ok(())
}

/// A run of fields that ends too early: the error of the one that is cut. The fields of a record inside belong to the run too.
#[cold]
fn short(e: Error, fields: &[Field], code: &Code) -> Error {
    let (e, short) = first_short(e, fields.iter().map(|field| field.part));
    match fields.get(short.unwrap_or(0)) {
        Some(field) => in_field(e, field, code),
        None => e,
    }
}

fn in_field(e: Error, field: &Field, code: &Code) -> Error {
    let e = match inside(&field.node, code) {
        Kind::Record(record) => {
            let (e, short) = first_short(e, record.fields.iter().map(|field| field.node.sizes));
            match short.and_then(|short| record.fields.get(short)) {
                Some(field) => in_field(e, field, code),
                None => e,
            }
        }
        _ => e,
    };
    e.within(field.step())
}

fn inside<'a>(node: &'a Node, code: &'a Code) -> &'a Kind {
    match &node.kind {
        Kind::Ordered { body, .. } => inside(body, code),
        _ => &code.resolve(node).kind,
    }
}

/// The fields that have been read. The vector itself: a copy of its place and length would be made for each field.
struct Done<'a>(&'a Vec<Named>);

impl Fields<Value> for Done<'_> {
    #[inline]
    fn at(&self, slot: usize) -> Option<&Value> {
        self.0.get(slot).map(|(_, value)| value)
    }
}

/// The fields of a value that is written; the tag that a variant keeps stands before those of the layout.
struct Written<'a> {
    all: &'a Value,
    record: &'a Record,
    tag: bool,
}

impl Fields<Value> for Written<'_> {
    fn at(&self, slot: usize) -> Option<&Value> {
        let place = if self.tag { slot.checked_sub(1) } else { Some(slot) };
        match place {
            Some(place) => {
                let field = self.record.fields.get(*self.record.values.get(place)?)?;
                nth(self.all, slot, &field.name)
            }
            None => self.all.get("tag").or_else(|| self.all.as_list()?.first()),
        }
    }
}

/// Writes a record.
#[inline]
pub(super) fn put_record<O: Order, W: Sink>(
    value: &Value,
    record: &Record,
    out: &mut W,
    place: &Place<'_>,
) -> Result<()> {
    let inside = place.record(out.pos());
    match &record.order {
        None => put_fields::<O, W>(value, record, false, out, &inside),
        Some(order) => match place.order(order, out.pos())? {
            Endian::Little => put_fields::<Le, W>(value, record, false, out, &inside),
            Endian::Big => put_fields::<Be, W>(value, record, false, out, &inside),
        },
    }
}

/// Writes the fields of a value, after its tag where it keeps one: all of them, by name, or by place in a list.
pub(super) fn put_fields<O: Order, W: Sink>(
    all: &Value,
    record: &Record,
    tag: bool,
    out: &mut W,
    place: &Place<'_>,
) -> Result<()> {
    check_fields(all, record, tag, out.pos())?;
    let earlier = Written { all, record, tag };
    let place = &place.with(&earlier);
    let mut next = usize::from(tag);
    for field in &record.fields {
        let value = if field.silent { Some(&Value::Unit) } else { nth(all, next, &field.name) };
        let Some(value) = value else { return Err(no_field(field, out.pos())) };
        if !field.rules.is_empty() {
            check(value, field, &earlier, out.pos())?;
        }
        let done = match field.node.kind {
            Kind::Number(of) => put_number::<O, W>(value, of, out),
            _ => put::<O, W>(value, &field.node, out, place),
        };
        if let Err(e) = done {
            return Err(e.within(field.step()));
        }
        next = next.saturating_add(usize::from(!field.silent));
    }
    Ok(())
}

/// The field at a place, or of a name where it stands elsewhere.
#[inline]
fn nth<'v>(all: &'v Value, i: usize, name: &Name) -> Option<&'v Value> {
    match all {
        Value::Record(fields) => match fields.get(i) {
            Some((found, value)) if found == name => Some(value),
            _ => all.get(name),
        },
        Value::List(values) => values.get(i),
        _ => None,
    }
}

fn check_fields(all: &Value, record: &Record, tag: bool, at: u64) -> Result<()> {
    let wanted = record.values.len().saturating_add(usize::from(tag));
    let found = match all {
        Value::Unit if record.values.is_empty() => return Ok(()),
        Value::Record(found) => found.len(),
        Value::List(found) => found.len(),
        other => return Err(expected("a record", other, at)),
    };
    if found == wanted {
        return Ok(());
    }
    if let (Value::Record(found), true) = (all, found > wanted) {
        let known = |name: &str| record.fields.iter().any(|field| field.name == name) || tag && name == "tag";
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
    Error::message("the value has no such field".to_string(), at).within(field.step())
}
