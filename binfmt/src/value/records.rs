//! Records: their fields in order, each with the earlier ones in sight.
//!
//! Most fields are numbers, and most values that are written were read along the same program. So a number goes from its bytes to
//! its place with nothing asked in between, and a record that shares the names of the program is written in the order in which it
//! stands.

use super::Value;
use super::arrays::put_shaped;
use super::decode::{flag, value};
use super::encode::{put, put_number};
use super::expr::Earlier;
use super::fields::Fields;
use super::place::{Frame, Place, expected};
use super::program::{Code, Field, Kind, Node, Plain, Record};
use super::text;
use crate::codec::field::{first_short, is_end, there, wrong_bytes};
use crate::containers::checksum::in_memory;
use crate::containers::gaps::noting;
use crate::containers::peek::same;
use crate::containers::tail::after_absent;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Element, Number, NumberType, with_numbers};
use crate::schema::expr::{Expression, Rule, Test, shortened};
use crate::wire::Sizes;
use crate::wire::amount;
use crate::wire::out::bytes_apart;
use crate::wire::raw::bulk;
use crate::wire::{Be, Cursor, Endian, Erased, Hooks, Le, Order, Sink, Source};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

/// Reads a record.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn record<O: Order>(src: &mut Erased<'_, '_>, record: &Record, place: Place<'_>) -> Result<Value> {
    if record.has_frame { framed::<O>(src, record, place) } else { ordered::<O>(src, record, place) }
}

/// Reads a record whose fields need to know where it begins, or are bits.
#[inline(never)]
fn framed<O: Order>(src: &mut Erased<'_, '_>, record: &Record, place: Place<'_>) -> Result<Value> {
    let run = Cell::new(0);
    let frame = place.frame.fields(src.pos(), &run);
    if record.keeps_gaps {
        return noting(src, |src| ordered::<O>(src, record, frame.after(place.earlier)));
    }
    ordered::<O>(src, record, frame.after(place.earlier))
}

/// Reads a record in its own byte order.
#[cfg_attr(not(debug_assertions), inline(always))]
fn ordered<O: Order>(src: &mut Erased<'_, '_>, record: &Record, place: Place<'_>) -> Result<Value> {
    let frame = place.frame;
    match &record.order {
        None => fields::<O>(src, record, None, frame),
        Some(order) => match place.order(order, src.pos())? {
            Endian::Little => fields::<Le>(src, record, None, frame),
            Endian::Big => fields::<Be>(src, record, None, frame),
        },
    }
}

/// Reads fields one after the other, after a tag that is known already.
#[inline(never)]
pub(super) fn fields<O: Order>(
    src: &mut Erased<'_, '_>,
    record: &Record,
    tag: Option<Value>,
    frame: &Frame<'_>,
) -> Result<Value> {
    let mut values = room(src, record, tag)?;
    for (i, field) in record.fields.iter().enumerate() {
        if field.run > 0
            && let Err(e) = src.ensure(field.run)
        {
            let there = there(src, field.run);
            let mut rest = record.fields[i..].iter().map(|field| (field, field.part));
            let wrong = wrong_magic(&e, there, &mut rest, frame.code);
            return Err(wrong.unwrap_or_else(|| short(e, &record.fields[i..], frame.code)));
        }
        let done = match plain::<O>(src, field, frame, &mut values) {
            Some(done) => done,
            None => push_field::<O>(src, field, frame, &mut values),
        };
        if let Err(e) = done {
            return Err(e.within(field.step()));
        }
    }
    Ok(whole(record, values))
}

/// Room for the values of a record, and in it the tag that is one of them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn room(src: &mut Erased<'_, '_>, record: &Record, tag: Option<Value>) -> Result<Vec<Value>> {
    let n = record.names.len();
    src.charge(n.wrapping_mul(size_of::<Value>()))?;
    let mut values: Vec<Value> = Vec::new();
    bulk::try_room_exact(&mut values, n).map_err(|e| e.at(src.pos()))?;
    if let Some(tag) = tag {
        bulk::push(&mut values, tag);
    }
    Ok(values)
}

/// All values of a record.
#[cfg_attr(not(debug_assertions), inline(always))]
fn whole(record: &Record, values: Vec<Value>) -> Value {
    if record.is_tuple { Value::List(values) } else { Value::Record(Fields::new(&record.names, values)) }
}

/// Reads a field that is as most fields are to where it stays; `None` if it is another.
#[cfg_attr(not(debug_assertions), inline(always))]
fn plain<O: Order>(
    src: &mut Erased<'_, '_>,
    field: &Field,
    frame: &Frame<'_>,
    values: &mut Vec<Value>,
) -> Option<Result<()>> {
    if src.is_heard() {
        return None;
    }
    if let Some(kind) = field.number {
        return Some(push_number::<O>(src, kind, values));
    }
    match field.plain.as_ref()? {
        Plain::Bool { lax } => Some(flag::<O>(src, *lax).map(|flag| bulk::push(values, flag.into()))),
        Plain::Text(word) => {
            Some(text::plain::<O>(src, *word).map(|text| bulk::push(values, Value::Text(text))))
        }
        // where it cannot be computed, the field says why
        Plain::NumberIf(kind, test) => {
            is_there(field, test.as_ref(), values, frame).map(|there| match there {
                true => push_number::<O>(src, *kind, values),
                false => {
                    bulk::push(values, Value::Absent);
                    Ok(())
                }
            })
        }
        Plain::Array => None,
    }
}

/// Whether the condition of a field holds; `None` if it has none, or one that cannot be computed.
#[inline(always)]
fn is_there(field: &Field, test: Option<&Test>, earlier: &[Value], frame: &Frame<'_>) -> Option<bool> {
    if let Some(holds) = test.and_then(|test| test.holds(earlier)) {
        return Some(holds);
    }
    let Kind::Conditional { condition, .. } = &field.node.kind else { return None };
    computed(condition, &frame.earlier(earlier))
}

/// The same of a condition that is not a comparison of a field with a constant.
#[inline(never)]
fn computed(condition: &Expression, earlier: &Earlier<'_>) -> Option<bool> {
    condition.flag(earlier, 0).ok()
}

/// Reads a number to where it stays. Each kind is a function of its own: where they meet, the number would be put together in
/// memory and moved from there, and a move of what was just written in pieces waits until it has arrived.
#[inline]
fn push_number<O: Order>(src: &mut Erased<'_, '_>, kind: NumberType, values: &mut Vec<Value>) -> Result<()> {
    #[inline(never)]
    fn push<O: Order, T: Element>(src: &mut Erased<'_, '_>, values: &mut Vec<Value>) -> Result<()> {
        let n = T::decode::<O, _>(src, ())?;
        bulk::push(values, Value::Number(n.into()));
        Ok(())
    }
    with_numbers!(kind, type T => push::<O, T>(src, values))
}

/// Reads any field.
#[inline]
fn push_field<O: Order>(
    src: &mut Erased<'_, '_>,
    field: &Field,
    frame: &Frame<'_>,
    values: &mut Vec<Value>,
) -> Result<()> {
    let at = if field.rules.is_empty() { 0 } else { src.pos() };
    if src.is_heard() {
        let (label, native) = field.label();
        src.open(label, native);
    }
    // nothing looks at the value before it is in its place, so that it is moved once
    match value::<O>(src, &field.node, frame.after(&frame.earlier(values))) {
        Ok(_) if field.silent => {}
        Ok(read) => bulk::push(values, read),
        Err(e) => return Err(e),
    }
    src.close();
    match values.split_last() {
        Some((read, earlier)) if !field.rules.is_empty() && !field.silent => {
            check(read, field, &frame.earlier(earlier), at)
        }
        _ => Ok(()),
    }
}

/// Holds a value to the rules of its field, whose first byte is `at`.
#[inline(never)]
fn check(value: &Value, field: &Field, earlier: &Earlier<'_>, at: u64) -> Result<()> {
    field.rules.iter().try_for_each(|rule| in_range(value, rule, earlier, at))
}

/// `range = 1..=9` of numbers; what else a range may be is left to the types that say it.
fn in_range(value: &Value, rule: &Rule, scope: &Earlier<'_>, at: u64) -> Result<()> {
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

/// Fields, each with the bytes that it takes.
type InBytes<'f, 'i> = &'i mut dyn Iterator<Item = (&'f Field, Sizes)>;

/// Bytes that end too early, but were wrong before: those of a magic, as far as they are there.
#[cold]
fn wrong_magic(e: &Error, there: &[u8], fields: InBytes<'_, '_>, code: &Code) -> Option<Error> {
    let mut at = e.offset().filter(|_| is_end(e))?;
    let mut rest = there;
    for (field, sizes) in fields {
        let size = sizes.exact()?;
        let found = match inside(&field.node, code) {
            Kind::Magic(magic) => magic.plain().and_then(|magic| wrong_bytes(magic, rest, at)),
            Kind::Record(record) => {
                let mut fields = record.fields.iter().map(|field| (field, field.node.sizes));
                wrong_magic(&Error::short(0, 0, at, false), rest, &mut fields, code)
            }
            _ => None,
        };
        if let Some(e) = found {
            return Some(e.within(field.step()));
        }
        (rest, at) = (rest.get(size..)?, amount::after(at, size as u64));
    }
    None
}

/// A run of fields that ends too early: the error of the one that is cut. The fields of a record inside belong to the run too.
#[cold]
fn short(e: Error, fields: &[Field], code: &Code) -> Error {
    let (e, short) = first_short(e, fields.iter().map(|field| field.part));
    match short.map_or(fields.first(), |at| fields.get(at)) {
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
        Kind::Ordered { body, .. } | Kind::Passing { body, .. } => inside(body, code),
        _ => &code.resolve(node).kind,
    }
}

/// Writes a record.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_record<O: Order, W: Sink>(
    value: &Value,
    record: &Record,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    if record.has_frame {
        put_framed::<O, W>(value, record, out, place)
    } else {
        put_ordered::<O, W>(value, record, out, place)
    }
}

/// Writes a record whose fields need to know where it begins, or are bits.
#[inline(never)]
fn put_framed<O: Order, W: Sink>(
    value: &Value,
    record: &Record,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let run = Cell::new(0);
    let frame = place.frame.fields(out.pos(), &run);
    put_ordered::<O, W>(value, record, out, frame.after(place.earlier))
}

/// Writes a record in its own byte order.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_ordered<O: Order, W: Sink>(
    value: &Value,
    record: &Record,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let frame = place.frame;
    match &record.order {
        None => put_fields::<O, W>(value, record, 0, out, frame),
        Some(order) => match place.order(order, out.pos())? {
            Endian::Little => put_fields::<Le, W>(value, record, 0, out, frame),
            Endian::Big => put_fields::<Be, W>(value, record, 0, out, frame),
        },
    }
}

/// Writes the fields of a value from a slot on: those before it, a tag, are written already.
#[inline(never)]
pub(super) fn put_fields<O: Order, W: Sink>(
    all: &Value,
    record: &Record,
    first: usize,
    out: &mut W,
    frame: &Frame<'_>,
) -> Result<()> {
    if record.looks_ahead || record.has_tail {
        return put_with_care::<O, W>(all, record, first, out, frame);
    }
    let values = match all {
        Value::Record(fields) if fields.shares(&record.names) => fields.values(),
        all => match given(all, record, frame, out.pos())? {
            Given::InOrder(values) => values,
            Given::ByName(earlier) => return put_by_name::<O, W>(&earlier, record, first, out, frame),
        },
    };
    let all = values;
    let earlier = frame.earlier(all);
    let mut values = if first > 0 { from_slot(values, first) } else { values }.iter();
    for field in &record.fields {
        // a number is never silent: of most fields only one thing is asked
        let value = if field.number.is_none() && field.silent { Some(&Value::Unit) } else { values.next() };
        let Some(value) = value else { return Err(no_field(field, out.pos())) };
        let number = match field.number {
            Some(kind) => Some(kind),
            None => match &field.plain {
                Some(Plain::NumberIf(kind, test)) => match is_there(field, test.as_ref(), all, frame) {
                    Some(false) if matches!(value, Value::Absent) => continue,
                    Some(true) if matches!(value, Value::Number(_)) => Some(*kind),
                    // what is not as it should be says why where any field is written
                    _ => None,
                },
                _ => None,
            },
        };
        let done = match number {
            Some(kind) => put_number::<O, W>(value, kind, out),
            None => match (&field.plain, &field.node.kind) {
                (Some(Plain::Bool { .. }), _) => put_number::<O, W>(value, NumberType::Bool, out),
                (Some(Plain::Text(word)), _) => text::put_plain::<O, W>(value, *word, out),
                (Some(Plain::Array), Kind::Shaped(array)) => {
                    let place = frame.after(&earlier);
                    place.descend(&field.node, || out.pos())?;
                    put_shaped::<O, W>(value, array, out, place)
                }
                _ => put_field::<O, W>(value, field, out, frame.after(&earlier)),
            },
        };
        if let Err(e) = done {
            return Err(e.within(field.step()));
        }
    }
    Ok(())
}

/// Writes fields of which some are read ahead, in memory, and compares these with what is written there; or may be missing at
/// the end, where nothing comes after one that is.
#[cold]
#[inline(never)]
fn put_with_care<O: Order, W: Sink>(
    all: &Value,
    record: &Record,
    first: usize,
    out: &mut W,
    frame: &Frame<'_>,
) -> Result<()> {
    if record.looks_ahead && !W::COUNT && !W::MEMORY {
        return in_memory(out, |out| put_with_care::<O, _>(all, record, first, out, frame));
    }
    let fields = match given(all, record, frame, out.pos())? {
        Given::InOrder(values) => frame.earlier(values),
        Given::ByName(fields) => fields,
    };
    let mut ahead: Vec<(u64, &Field, &Value)> = Vec::new();
    let (mut slots, mut ended) = (first.., false);
    for field in &record.fields {
        let slot = if field.silent { None } else { slots.next() };
        let value = if field.silent { Some(&Value::Unit) } else { slot.and_then(|slot| fields.get(slot)) };
        let Some(value) = value else { return Err(no_field(field, out.pos())) };
        if field.node.is_tail() {
            if ended && *value != Value::Absent {
                return Err(after_absent(out.pos()).within(field.step()));
            }
            ended = *value == Value::Absent;
        }
        if field.node.is_peeked() && *value != Value::Absent {
            ahead.push((out.pos(), field, value));
        }
        put_field::<O, W>(value, field, out, frame.after(&fields)).map_err(|e| e.within(field.step()))?;
    }
    for (at, field, value) in ahead {
        bytes_apart(out, at, |out| put_peeked::<O, _>(value, &field.node, out, frame.after(&fields)))
            .and_then(|own| same(out, at, own))
            .map_err(|e| e.within(field.step()))?;
    }
    Ok(())
}

/// Writes the value of a field that is read ahead, as if it stood there itself.
fn put_peeked<O: Order, W: Sink>(value: &Value, node: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    match &node.kind {
        Kind::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put_peeked::<Le, W>(value, body, out, place),
            Endian::Big => put_peeked::<Be, W>(value, body, out, place),
        },
        Kind::Peeked { body } | Kind::Conditional { body, .. } | Kind::Tail { body } => {
            put_peeked::<O, W>(value, body, out, place)
        }
        Kind::Passing { arguments, body } => {
            place.passing(arguments, out.pos(), |place| put_peeked::<O, W>(value, body, out, place))
        }
        _ => put::<O, W>(value, node, out, place),
    }
}

#[inline(never)]
fn from_slot(values: &[Value], first: usize) -> &[Value] {
    amount::inside(values, first..)
}

/// The same of a record whose fields stand in another order.
#[cold]
#[inline(never)]
fn put_by_name<O: Order, W: Sink>(
    fields: &Earlier<'_>,
    record: &Record,
    first: usize,
    out: &mut W,
    frame: &Frame<'_>,
) -> Result<()> {
    let mut slots = first..;
    for field in &record.fields {
        let value =
            if field.silent { Some(&Value::Unit) } else { slots.next().and_then(|slot| fields.get(slot)) };
        let Some(value) = value else { return Err(no_field(field, out.pos())) };
        put_field::<O, W>(value, field, out, frame.after(fields)).map_err(|e| e.within(field.step()))?;
    }
    Ok(())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn put_field<O: Order, W: Sink>(value: &Value, field: &Field, out: &mut W, place: Place<'_>) -> Result<()> {
    if !field.rules.is_empty() {
        check(value, field, place.earlier, out.pos())?;
    }
    put::<O, W>(value, &field.node, out, place)
}

/// The fields of a value, as many as its record has.
enum Given<'v> {
    InOrder(&'v [Value]),
    ByName(Earlier<'v>),
}

/// The fields of a value that was not read along the program: in order where the names are, or without names in a list.
#[inline(never)]
fn given<'v>(all: &'v Value, record: &'v Record, frame: &Frame<'v>, at: u64) -> Result<Given<'v>> {
    match all {
        Value::Record(fields) if fields.has_names(&record.names) => Ok(Given::InOrder(fields.values())),
        Value::Record(fields) => by_name(fields, record, frame, at).map(Given::ByName),
        Value::List(values) if values.len() == record.names.len() => Ok(Given::InOrder(values)),
        Value::List(values) => Err(wrong_number(record, values.len(), at)),
        Value::Unit if record.values.is_empty() => Ok(Given::InOrder(&[])),
        other => Err(expected("a record", other, at)),
    }
}

/// A field that is not there is told where it is missed, one too many at once.
#[cold]
fn by_name<'v>(fields: &'v Fields, record: &'v Record, frame: &Frame<'v>, at: u64) -> Result<Earlier<'v>> {
    if fields.len() <= record.names.len() {
        return Ok(frame.earlier_by_name(fields, &record.names));
    }
    Err(match fields.names().iter().find(|name| !record.names.contains(name)) {
        Some(name) => Error::message(format!("the layout has no field `{name}`"), at),
        None => wrong_number(record, fields.len(), at),
    })
}

#[cold]
fn wrong_number(record: &Record, found: usize, at: u64) -> Error {
    let expected = record.names.len() as i128;
    Error::new(ErrorKind::LengthMismatch { expected, found: found as u64 }, at)
}

#[cold]
fn no_field(field: &Field, at: u64) -> Error {
    Error::message("the value has no such field".to_string(), at).within(field.step())
}
