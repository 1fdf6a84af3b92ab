//! Writing a value: what `decode` reads. A value that contradicts its layout is an error.
#![allow(clippy::arithmetic_side_effects, reason = "places among the bytes that are written")]

use super::Value;
use super::arrays::put_shaped;
use super::bits::put_bits;
use super::choice::put_choice;
use super::decode::{no_length, passed, said, unknown_codec};
use super::expr::Earlier;
use super::integers;
use super::lists::put_list;
use super::otherwise::Otherwise;
use super::place::{Frame, Place, expected, too_deep};
use super::program::{Code, FixedOrder, Kind, Length, Node, Program, Word};
use super::records::put_record;
use super::text::{put_bytes, put_paged, put_text};
use crate::codec::Encode;
use crate::codec::form::no_blank;
use crate::containers::at::{Elsewhere, put_elsewhere};
use crate::containers::counted::mismatch;
use crate::containers::ended;
use crate::containers::nullable::put_missing;
use crate::containers::padding::gap;
use crate::containers::prefixed::put_len;
use crate::containers::region::{fill_rest, fills_to};
use crate::containers::tail::has_bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Number, NumberType, with_numbers};
use crate::schema::Description;
use crate::schema::expr::Expression;
use crate::wire::amount::after;
use crate::wire::out::patch;
use crate::wire::{Be, Counter, Endian, Le, Order, Origin, Sink};
use alloc::format;
use core::marker::PhantomData;

impl<'p> Encode<&'p Program> for Value {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, program: &'p Program) -> Result<()> {
        put_run::<O, W>(self, program.code(), out)
    }
}

/// A layout whose root has a `ctx`, and the values of its parameters in their order.
impl<'p> Encode<(&'p Program, &'p [Value])> for Value {
    fn encode<O: Order, W: Sink>(
        &self,
        out: &mut W,
        (program, arguments): (&'p Program, &'p [Value]),
    ) -> Result<()> {
        let arguments = passed(program, arguments, out.pos())?;
        put_run_passed::<O, W>(self, program.code(), &Earlier::passed(&arguments), out)
    }
}

/// The description is compiled for this one value: for more than a few, make a [`Program`].
impl<'d> Encode<&'d Description> for Value {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, description: &'d Description) -> Result<()> {
        let code = Code::new(description)?;
        put_run::<O, W>(self, &code, out)
    }
}

/// Writes a value of the whole layout.
#[inline]
pub(crate) fn put_run<O: Order, W: Sink>(value: &Value, code: &Code, out: &mut W) -> Result<()> {
    put_run_passed::<O, W>(value, code, &code.passed_nothing(), out)
}

#[inline]
fn put_run_passed<O: Order, W: Sink>(
    value: &Value,
    code: &Code,
    passed: &Earlier<'_>,
    out: &mut W,
) -> Result<()> {
    let frame = Frame::root(code, passed, out.pos());
    put::<O, W>(value, code.root(), out, frame.place())
}

/// Writes a value of any type: most are numbers, texts, records, arrays and lists, which are found here at once.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put<O: Order, W: Sink>(
    value: &Value,
    node: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match &node.kind {
        Kind::Number(kind) => put_number::<O, W>(value, *kind, out),
        Kind::Bool { .. } => put_number::<O, W>(value, NumberType::Bool, out),
        Kind::Text { encoding, nul, len } => {
            put_text::<O, W>(value, (*encoding, *nul), (len, None), out, place)
        }
        Kind::Record(record) => {
            place.descend(node, || out.pos())?;
            put_record::<O, W>(value, record, out, place)
        }
        Kind::Shaped(shaped) => {
            place.descend(node, || out.pos())?;
            put_shaped::<O, W>(value, shaped, out, place)
        }
        Kind::List { item, len } => {
            place.descend(node, || out.pos())?;
            put_list::<O, W>(value, item, len, out, place)
        }
        _ => put_other::<O, W>(value, node, out, place),
    }
}

/// The same as a call, where it does not matter that it is one.
#[inline(never)]
fn put_inside<O: Order, W: Sink>(value: &Value, node: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    put::<O, W>(value, node, out, place)
}

/// What lies elsewhere.
struct Inside<'a, O> {
    value: &'a Value,
    body: &'a Node,
    place: Place<'a>,
    order: PhantomData<O>,
}

impl<O: Order> Elsewhere for Inside<'_, O> {
    fn put<W: Sink>(self, out: &mut W) -> Result<()> {
        put_inside::<O, W>(self.value, self.body, out, self.place)
    }
}

/// Writes text or bytes with a filling at their end.
fn put_trimmed<O: Order, W: Sink>(
    value: &Value,
    byte: u8,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match &body.kind {
        Kind::Text { encoding, len, .. } => {
            put_text::<O, W>(value, (*encoding, false), (len, Some(byte)), out, place)
        }
        Kind::Bytes { len } => put_bytes::<O, W>(value, (len, Some(byte)), out, place),
        Kind::Paged { page, len, .. } => {
            put_paged::<O, W>(value, (*page, false), (len, Some(byte)), out, place)
        }
        _ => Err(no_length(out.pos())),
    }
}

/// Writes a value of any other type. Each kind is a function of its own, as those that read.
#[inline(never)]
fn put_other<O: Order, W: Sink>(value: &Value, node: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    match &node.kind {
        Kind::Integer(integer, kind) => return integers::put::<O, W>(value, integer, *kind, out),
        Kind::Bytes { len } => return put_bytes::<O, W>(value, (len, None), out, place),
        Kind::Paged { page, nul, len } => {
            return put_paged::<O, W>(value, (*page, *nul), (len, None), out, place);
        }
        Kind::Bits { place: bits, body } => return put_bits::<O, W>(value, *bits, body, out, place),
        Kind::Trimmed { byte, body } => return put_trimmed::<O, W>(value, *byte, body, out, place),
        Kind::Named(number) if !place.frame.code.is_recursive() => {
            return put_called::<O, W>(value, node, *number, out, place);
        }
        _ => {}
    }
    place.descend(node, || out.pos())?;
    match &node.kind {
        Kind::Conditional { condition, otherwise, body } => {
            put_conditional::<O, W>(value, (condition, otherwise.as_deref()), body, out, place)
        }
        Kind::Region { len, fill, body } => put_region::<O, W>(value, len, *fill, body, out, place),
        Kind::At { position, from, body } => put_at::<O, W>(value, position, *from, body, out, place),
        Kind::Tail { body } => put_tail::<O, W>(value, body, out, place),
        Kind::Nullable { present, missing, blank, body } => {
            put_nullable::<O, W>(value, (*present, *missing), *blank, body, out, place)
        }
        Kind::Ordered { order, body } => put_ordered::<W>(value, order, body, out, place),
        Kind::Passing { arguments, body } => put_passing::<O, W>(value, arguments, body, out, place),
        Kind::Padded { size, fill, body, .. } => put_padded::<O, W>(value, *size, *fill, body, out, place),
        Kind::Choice(choice) => put_choice::<O, W>(value, choice, out, place),
        Kind::Named(number) => put_named::<O, W>(value, node, *number, out, place),
        kind => put_rest::<O, W>(value, kind, out, place),
    }
}

/// Writes a definition of a program in which no type is in itself.
fn put_called<O: Order, W: Sink>(
    value: &Value,
    call: &Node,
    number: usize,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let frame = place.called(call);
    put_inside::<O, W>(value, place.frame.code.definition(number), out, frame.place())
}

/// Writes a definition of a program in which types are in themselves.
fn put_named<O: Order, W: Sink>(
    value: &Value,
    call: &Node,
    number: usize,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let (definition, _) = place.definition(number);
    let frame = place.called(call);
    let frame = frame.inside(&definition);
    put_inside::<O, W>(value, frame.code.definition(number), out, frame.place())
}

fn put_at<O: Order, W: Sink>(
    value: &Value,
    position: &Expression,
    from: Origin,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let n = position.int(place.earlier, out.pos())?;
    let part = Inside::<O> { value, body, place, order: PhantomData };
    let base = if from == Origin::File { 0 } else { place.frame.start };
    put_elsewhere(out, (base, n), from, part)
}

fn put_tail<O: Order, W: Sink>(value: &Value, body: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    if let Value::Absent = value {
        out.seal();
        return Ok(());
    }
    let at = out.pos();
    put_inside::<O, W>(value, body, out, place)?;
    has_bytes(at, out.pos())
}

fn put_nullable<O: Order, W: Sink>(
    value: &Value,
    (present, missing): (u8, (u8, u8)),
    blank: bool,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match value {
        // of a value that may be missing in two ways, the codes say in which
        Value::Missing(code) if is_own(*code, missing) || !place.frame.code.is_nullable(body) => {
            put_missing(*code, missing, out)?;
            if blank { put_blank::<O, W>(body, out, place) } else { Ok(()) }
        }
        value => {
            out.array([present])?;
            put_inside::<O, W>(value, body, out, place)
        }
    }
}

fn is_own(code: u8, (low, high): (u8, u8)) -> bool {
    (low..=high).contains(&code)
}

fn put_ordered<W: Sink>(
    value: &Value,
    order: &FixedOrder,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match place.order(order, out.pos())? {
        Endian::Little => put_inside::<Le, W>(value, body, out, place),
        Endian::Big => put_inside::<Be, W>(value, body, out, place),
    }
}

fn put_passing<O: Order, W: Sink>(
    value: &Value,
    arguments: &[Expression],
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    place.passing(arguments, out.pos(), |place| put_inside::<O, W>(value, body, out, place))
}

fn put_padded<O: Order, W: Sink>(
    value: &Value,
    size: u64,
    fill: u8,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let (start, region) = (out.pos(), out.begin_region());
    put_inside::<O, W>(value, body, out, place)?;
    out.fills_to(after(start, size), region)?;
    out.end_region(region)?;
    let found = out.pos().wrapping_sub(start);
    match size.checked_sub(found) {
        Some(left) => out.fill(fill, left),
        None => Err(Error::new(ErrorKind::TooLong { found, max: size }, start)),
    }
}

/// Writes what has no others inside.
fn put_rest<O: Order, W: Sink>(value: &Value, kind: &Kind, out: &mut W, place: Place<'_>) -> Result<()> {
    match kind {
        // compared when the record is written
        Kind::Peeked { .. } => Ok(()),
        Kind::Unit => match value {
            Value::Unit => Ok(()),
            other => Err(expected("nothing", other, out.pos())),
        },
        Kind::Opaque { min, max, .. } if *max == Some(*min) => {
            put_bytes::<O, W>(value, (&Length::Fixed(*min), None), out, place)
        }
        Kind::Opaque { by, .. } => Err(unknown_codec(by, out.pos())),
        Kind::Unreachable => Err(too_deep(out.pos())),
        kind => put_silent::<O, W>(kind, out, place),
    }
}

fn put_conditional<O: Order, W: Sink>(
    value: &Value,
    (condition, otherwise): (&Expression, Option<&Otherwise>),
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    if let Some(otherwise) = otherwise {
        return match condition.flag(place.earlier, out.pos())? {
            true => put_inside::<O, W>(value, body, out, place),
            false => otherwise.check(value, body, place, out.pos()),
        };
    }
    match (condition.flag(place.earlier, out.pos())?, value) {
        (false, Value::Absent) => Ok(()),
        (expected, Value::Absent) | (expected @ false, _) => {
            Err(Error::new(ErrorKind::PresenceMismatch { expected }, out.pos()))
        }
        (true, value) => put_inside::<O, W>(value, body, out, place),
    }
}

/// Writes bytes that no value has.
fn put_silent<O: Order, W: Sink>(kind: &Kind, out: &mut W, place: Place<'_>) -> Result<()> {
    match kind {
        Kind::Padding { len: Length::ToEnd, .. } => Ok(()),
        Kind::Padding { len: len @ Length::Prefixed { .. }, .. } => put_prefix::<O, W>(len, 0, out),
        Kind::Padding { len, fill, .. } => {
            let n = said(len, place, out.pos())?;
            match u64::try_from(n) {
                Ok(n) => out.fill(*fill, n),
                Err(_) => Err(Error::new(ErrorKind::InvalidLength { found: n }, out.pos())),
            }
        }
        Kind::Alignment { to, fill, .. } => {
            let gap = gap(place.frame.start, out.pos(), *to);
            out.fill(*fill, gap)
        }
        Kind::Magic(magic) => {
            let bytes = magic.of(O::LE, out.pos())?;
            out.bytes(bytes, 0)
        }
        _ => Ok(()),
    }
}

/// Writes a number that may be of another width: an integer if it fits, a floating-point number as the nearest one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_number<O: Order, W: Sink>(value: &Value, kind: NumberType, out: &mut W) -> Result<()> {
    if let Value::Number(n) = value {
        with_numbers!(kind, type T => {
            if let Some(n) = n.get::<T>() {
                return n.encode::<O, W>(out, ());
            }
        });
    }
    put_converted::<O, W>(value, kind, out)
}

#[cold]
#[inline(never)]
fn put_converted<O: Order, W: Sink>(value: &Value, kind: NumberType, out: &mut W) -> Result<()> {
    let number = converted(value, kind, out.pos())?;
    with_numbers!(number, one n => n.encode::<O, W>(out, ()))
}

#[cold]
pub(super) fn converted(value: &Value, kind: NumberType, at: u64) -> Result<Number> {
    let what = match kind {
        NumberType::Bool => "a bool",
        kind if kind.is_float() => "a floating-point number",
        _ => "an integer",
    };
    let Some(number) = value.as_number() else { return Err(expected(what, value, at)) };
    let found = match number.as_f64() {
        Some(n) => Number::from_f64(kind, n),
        None => number.as_i128().and_then(|n| Number::from_i128(kind, n)),
    };
    match found {
        Some(found) => Ok(found),
        None if kind.is_int() && number.number_type().is_int() => {
            Err(Error::message(format!("{number} does not fit {kind}"), at))
        }
        None => Err(expected(what, value, at)),
    }
}

/// Writes the length before it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_prefix<O: Order, W: Sink>(len: &Length, n: usize, out: &mut W) -> Result<()> {
    let Length::Prefixed { word, len, max, inclusive } = len else { return Err(no_length(out.pos())) };
    match word {
        Some(word) => put_word::<O, W>(*word, n, *max, *inclusive, out),
        None => integers::put_len::<O, W>(out, len, n, *max, *inclusive),
    }
}

/// Writes a length of a usual form.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_word<O: Order, W: Sink>(
    word: Word,
    n: usize,
    max: u64,
    inclusive: bool,
    out: &mut W,
) -> Result<()> {
    match word {
        Word::U8 => put_len::<O, u8, W>(out, n, max, inclusive),
        Word::U16 => put_len::<O, u16, W>(out, n, max, inclusive),
        Word::U32 => put_len::<O, u32, W>(out, n, max, inclusive),
        Word::U64 => put_len::<O, u64, W>(out, n, max, inclusive),
    }
}

/// Whether a value has as many elements as its type or earlier fields say.
#[inline]
pub(super) fn check_len(len: &Length, n: usize, at: u64, place: Place<'_>) -> Result<()> {
    match len {
        Length::Fixed(fixed) if *fixed == n as u64 => Ok(()),
        len => match said(len, place, at)? {
            expected if expected == n as i128 => Ok(()),
            expected => Err(mismatch(expected, n as u64, at)),
        },
    }
}

fn put_region<O: Order, W: Sink>(
    value: &Value,
    len: &Length,
    fill: Option<u8>,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let start = out.pos();
    let Length::Prefixed { len: of, .. } = len else {
        if matches!(len, Length::ToEnd) {
            return put_inside::<O, W>(value, body, out, place);
        }
        if let Length::Ends(end) = len {
            return ended::put_ended(out, end, 1, |inner| put_inside::<O, _>(value, body, inner, place));
        }
        let (n, region) = (said(len, place, start)?, out.begin_region());
        put_inside::<O, W>(value, body, out, place)?;
        if fill.is_some() {
            fills_to(out, start, n, region)?;
        }
        out.end_region(region)?;
        return fill_rest(out, start, n, fill);
    };
    if W::COUNT {
        // the counter needs only the width of the length, and counts the inside once
        if len.is_fixed() {
            put_prefix::<O, W>(len, 0, out)?;
            return put_in_region::<O, W>(value, body, out, place);
        }
        put_in_region::<O, W>(value, body, out, place).map_err(|e| e.shifted(of.sizes().0))?;
        let n = usize::try_from(out.pos() - start).unwrap_or(usize::MAX);
        return put_prefix::<O, W>(len, n, out);
    }
    let inside = start + of.sizes().0;
    if W::MEMORY && len.is_fixed() {
        put_prefix::<O, W>(len, 0, out)?;
        if let Err(e) = put_in_region::<O, W>(value, body, out, place) {
            let filled = measured::<O, W>(out, value, body, place, inside)
                .and_then(|n| fill_prefix::<O, W>(len, n, out, start));
            return Err(filled.err().unwrap_or(e));
        }
        return fill_prefix::<O, W>(len, out.pos() - inside, out, start);
    }
    let n = measured::<O, W>(out, value, body, place, inside)?;
    put_prefix::<O, W>(len, usize::try_from(n).unwrap_or(usize::MAX), out)?;
    put_in_region::<O, W>(value, body, out, place)
}

/// What is in a region, with its parts that lie elsewhere.
fn put_in_region<O: Order, W: Sink>(value: &Value, body: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    let region = out.begin_region();
    put_inside::<O, W>(value, body, out, place)?;
    out.end_region(region)
}

/// The bytes inside a region, which begins at a position.
fn measured<O: Order, W: Sink>(
    out: &W,
    value: &Value,
    body: &Node,
    place: Place<'_>,
    at: u64,
) -> Result<u64> {
    let mut counter = Counter::of(out);
    // the counter began at 0
    put_inside::<O, Counter>(value, body, &mut counter, place).map_err(|e| e.shifted(at).or_at(at))?;
    Ok(counter.region())
}

/// Fills in the length at a position.
fn fill_prefix<O: Order, W: Sink>(len: &Length, n: u64, out: &mut W, at: u64) -> Result<()> {
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    patch(out.memory_from(at), |out| put_prefix::<O, _>(len, n, out)).map_err(|e| e.shifted(at))
}

/// Writes what stands for the body of a missing value.
fn put_blank<O: Order, W: Sink>(body: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    if let Some(n) = body.sizes.exact() {
        return out.fill(0, n as u64);
    }
    match &body.kind {
        Kind::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put_blank::<Le, W>(body, out, place),
            Endian::Big => put_blank::<Be, W>(body, out, place),
        },
        Kind::Trimmed { body, .. } | Kind::Passing { body, .. } => put_blank::<O, W>(body, out, place),
        Kind::Integer(..) => out.array([0]),
        Kind::Named(number) => match place.definition(*number) {
            (_, true) => Err(no_blank(out.pos())),
            (definition, false) => {
                let frame = place.called(body);
                let frame = frame.inside(&definition);
                put_blank::<O, W>(frame.code.definition(*number), out, frame.place())
            }
        },
        Kind::Text { encoding, len: Length::Terminated, .. } => out.fill(0, encoding.unit().bytes as u64),
        Kind::Text { len, .. }
        | Kind::Bytes { len }
        | Kind::Paged { len, .. }
        | Kind::Region { len, .. }
        | Kind::Padding { len, .. }
        | Kind::List { len, .. } => match len {
            Length::Prefixed { len, inclusive, .. } => integers::put_no_len::<O, W>(out, len, *inclusive),
            Length::Terminated => out.array([0]),
            Length::Ends(end) => end.put_blank(out),
            _ => Err(no_blank(out.pos())),
        },
        _ => Err(no_blank(out.pos())),
    }
}
