//! Reading a value: one function for each kind of type, each with the wire code of the derived codec.

use super::arrays;
use super::expr::Earlier;
use super::integers;
use super::lists;
use super::otherwise::Otherwise;
use super::place::{Frame, Place, too_deep};
use super::program::{Code, FixedOrder, Kind, Length, Magic, Node, Program, Word};
use super::records;
use super::text;
use super::{Value, bits, choice};
use crate::codec::field::{is_end, there, wrong_bytes};
use crate::codec::form::{DecodeAs, no_blank};
use crate::codec::scalar::BoolLax;
use crate::codec::{Decode, Layout};
use crate::containers::at::elsewhere;
use crate::containers::ended::read_ended;
use crate::containers::magic::different;
use crate::containers::nullable::{Presence, presence};
use crate::containers::padding::{gap, pass};
use crate::containers::peek::ahead;
use crate::containers::prefixed::read_len;
use crate::containers::region::pass_rest;
use crate::error::{Error, Result};
use crate::numbers::{NumberType, with_numbers};
use crate::schema::expr::{Expression, shortened};
use crate::schema::{Description, Type};
use crate::wire::amount::{between, known};
use crate::wire::limits::checked;
use crate::wire::raw::bulk;
use crate::wire::{
    Be, Cursor, Endian, Erased, Facts, Hooks, Kind as Mark, Label, Le, Len, OPEN, Order, Origin, Source,
};
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

impl Layout for Value {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de, 'p> Decode<'de, &'p Program> for Value {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, program: &'p Program) -> Result<Self> {
        run(src.erase(), O::LE, program.code())
    }

    fn min_size(program: &&'p Program) -> usize {
        program.code().root().sizes.min
    }
}

/// A layout whose root has a `ctx`, and the values of its parameters in their order.
impl<'de, 'p> Decode<'de, (&'p Program, &'p [Value])> for Value {
    fn decode<O: Order, S: Source<'de>>(
        src: &mut S,
        (program, arguments): (&'p Program, &'p [Value]),
    ) -> Result<Self> {
        let arguments = passed(program, arguments, src.pos())?;
        run_passed(src.erase(), O::LE, program.code(), &Earlier::passed(&arguments))
    }

    fn min_size((program, _): &(&'p Program, &'p [Value])) -> usize {
        program.code().root().sizes.min
    }
}

/// The description is compiled for this one value: whoever reads more than a few makes a [`Program`].
impl<'de, 'd> Decode<'de, &'d Description> for Value {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, description: &'d Description) -> Result<Self> {
        run(src.erase(), O::LE, &Code::new(description)?)
    }

    fn min_size(description: &&'d Description) -> usize {
        Code::new(description).map_or(0, |code| code.root().sizes.min)
    }
}

/// Reads a value of the whole layout.
///
/// As the other functions through which compiled code comes here it has no type parameters: with one, each crate that calls it would compile
/// all of this module again.
pub(crate) fn run(src: Erased<'_, '_>, little: bool, code: &Code) -> Result<Value> {
    run_passed(src, little, code, &code.passed_nothing())
}

fn run_passed(mut src: Erased<'_, '_>, little: bool, code: &Code, passed: &Earlier<'_>) -> Result<Value> {
    let frame = Frame::root(code, passed, src.pos());
    match little {
        true => value::<Le>(&mut src, code.root(), frame.place()),
        false => value::<Be>(&mut src, code.root(), frame.place()),
    }
}

/// The arguments of a root: as many as it has parameters, with the defaults of what is left out.
pub(super) fn passed<'v>(program: &Program, arguments: &'v [Value], at: u64) -> Result<Vec<Cow<'v, Value>>> {
    match program.code().defaults_after(arguments.len()) {
        Some(rest) => Ok(arguments.iter().map(Cow::Borrowed).chain(rest.iter().cloned()).collect()),
        None => Err(wrong_number(program, arguments.len(), at)),
    }
}

#[cold]
fn wrong_number(program: &Program, found: usize, at: u64) -> Error {
    let description = program.description();
    let parameters = known(description.resolve(&description.root).map(Type::parameters));
    let names: Vec<_> = parameters.iter().map(|(name, _)| *name).collect();
    Error::message(format!("the layout has `ctx({})`, and {found} values are passed", names.join(", ")), at)
}

/// A value of any type: most are numbers, texts, records and arrays, which are found here at once.
///
/// Inlined only by an optimised build, as everything in this module that says so: without optimisation each inlined call has a
/// place of its own on the stack of its caller, and values inside others would need more stack than a thread has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn value<O: Order>(src: &mut Erased<'_, '_>, node: &Node, place: Place<'_>) -> Result<Value> {
    match &node.kind {
        Kind::Number(kind) => number::<O>(src, *kind),
        Kind::Bool { lax } => flag::<O>(src, *lax).map(Value::from),
        Kind::Text { encoding, nul, len } => text::text::<O>(src, *encoding, *nul, (len, None), place),
        Kind::Record(record) => {
            place.descend(node, || src.pos())?;
            records::record::<O>(src, record, place)
        }
        Kind::Shaped(shaped) => {
            place.descend(node, || src.pos())?;
            arrays::shaped::<O>(src, shaped, place)
        }
        _ => other::<O>(src, node, place),
    }
}

/// The same as a call, where it does not matter that it is one.
#[inline(never)]
fn value_inside<O: Order>(src: &mut Erased<'_, '_>, node: &Node, place: Place<'_>) -> Result<Value> {
    value::<O>(src, node, place)
}

/// Text or bytes with a filling at their end.
fn trimmed<O: Order>(src: &mut Erased<'_, '_>, byte: u8, body: &Node, place: Place<'_>) -> Result<Value> {
    match &body.kind {
        Kind::Text { encoding, len, .. } => text::text::<O>(src, *encoding, false, (len, Some(byte)), place),
        Kind::Bytes { len } => text::bytes::<O>(src, (len, Some(byte)), place),
        Kind::Paged { page, len, .. } => text::paged::<O>(src, (*page, false), (len, Some(byte)), place),
        _ => Err(no_length(src.pos())),
    }
}

/// A value of any other type. Each kind is a function of its own, so that a value deep inside others takes no stack for the
/// kinds that it is not.
#[inline(never)]
fn other<O: Order>(src: &mut Erased<'_, '_>, node: &Node, place: Place<'_>) -> Result<Value> {
    if let Some(read) = leaf::<O>(src, node, place) {
        return read;
    }
    if let Kind::Named(definition) = &node.kind
        && !place.frame.code.is_recursive()
    {
        return called::<O>(src, node, *definition, place);
    }
    place.descend(node, || src.pos())?;
    match &node.kind {
        Kind::List { item, len } => lists::list::<O>(src, item, len, place),
        Kind::Region { len, fill, body } => region::<O>(src, len, fill.is_some(), body, place),
        Kind::At { position, from, body } => at::<O>(src, position, *from, body, place),
        Kind::Peeked { body } => peeked::<O>(src, body, place),
        Kind::Tail { body } => tail::<O>(src, body, place),
        Kind::Nullable { present, missing, blank, body } => {
            nullable::<O>(src, (*present, *missing), *blank, body, place)
        }
        Kind::Conditional { condition, otherwise, body } => {
            conditional::<O>(src, condition, otherwise.as_deref(), body, place)
        }
        Kind::Ordered { order, body } => ordered(src, order, body, place),
        Kind::Passing { arguments, body } => passing::<O>(src, arguments, body, place),
        Kind::Padded { size, fill, strict, body } => padded::<O>(src, *size, (*fill, *strict), body, place),
        Kind::Choice(choice) => choice::choice::<O>(src, choice, place),
        Kind::Named(definition) => named::<O>(src, node, *definition, false, place),
        Kind::Opaque { by, min, max } => opaque::<O>(src, by, (*min, *max), place),
        Kind::Unreachable => Err(too_deep(src.pos())),
        kind => {
            pass_silent::<O>(src, kind, place)?;
            Ok(Value::Unit)
        }
    }
}

/// A type that has no others inside.
#[cfg_attr(not(debug_assertions), inline(always))]
fn leaf<O: Order>(src: &mut Erased<'_, '_>, node: &Node, place: Place<'_>) -> Option<Result<Value>> {
    Some(match &node.kind {
        Kind::Unit => Ok(Value::Unit),
        Kind::Integer(integer, kind) => integers::read::<O>(src, integer, *kind).map(Value::Number),
        Kind::Bytes { len } => text::bytes::<O>(src, (len, None), place),
        Kind::Paged { page, nul, len } => text::paged::<O>(src, (*page, *nul), (len, None), place),
        Kind::Bits { place: bits, body } => bits::bits::<O>(src, *bits, body, place),
        Kind::Trimmed { byte, body } => trimmed::<O>(src, *byte, body, place),
        _ => return None,
    })
}

/// A definition of a program in which no type is in itself.
#[cfg_attr(not(debug_assertions), inline(always))]
fn called<O: Order>(src: &mut Erased<'_, '_>, call: &Node, number: usize, place: Place<'_>) -> Result<Value> {
    let frame = place.called(call);
    value_inside::<O>(src, place.frame.code.definition(number), frame.place())
}

/// A bool.
#[inline]
pub(super) fn flag<O: Order>(src: &mut Erased<'_, '_>, lax: bool) -> Result<bool> {
    if lax { BoolLax::decode::<O, _>(src, ()) } else { bool::decode::<O, _>(src, ()) }
}

/// A number.
#[inline]
fn number<O: Order>(src: &mut Erased<'_, '_>, kind: NumberType) -> Result<Value> {
    with_numbers!(kind, type T => T::decode::<O, _>(src, ()).map(Value::from))
}

fn nullable<O: Order>(
    src: &mut Erased<'_, '_>,
    (present, missing): (u8, (u8, u8)),
    blank: bool,
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    match presence(src, present, missing)? {
        Presence::Value => named_value::<O>(src, body, place),
        Presence::Missing(code) => {
            if blank {
                src.open(Label::Piece("blank"), "");
                src.mark(Mark::Blank, true);
                pass_blank::<O>(src, body, place)?;
                src.close();
            }
            Ok(Value::Missing(code))
        }
    }
}

fn conditional<O: Order>(
    src: &mut Erased<'_, '_>,
    condition: &Expression,
    otherwise: Option<&Otherwise>,
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    if condition.flag(place.earlier, src.pos())? {
        return value_inside::<O>(src, body, place);
    }
    src.mark(Mark::Absent, true);
    match otherwise {
        None => Ok(Value::Absent),
        Some(otherwise) => {
            let value = otherwise.value(body, place, src.pos())?;
            src.charge(value.as_bytes().map_or(0, <[u8]>::len))?;
            Ok(value)
        }
    }
}

fn peeked<O: Order>(src: &mut Erased<'_, '_>, body: &Node, place: Place<'_>) -> Result<Value> {
    let is_fixed = body.sizes.exact().is_some();
    ahead(src, is_fixed, |src| value_inside::<O>(src, body, place))
}

fn tail<O: Order>(src: &mut Erased<'_, '_>, body: &Node, place: Place<'_>) -> Result<Value> {
    if !src.at_end()? {
        return value_inside::<O>(src, body, place);
    }
    src.mark(Mark::Absent, true);
    Ok(Value::Absent)
}

fn ordered(src: &mut Erased<'_, '_>, order: &FixedOrder, body: &Node, place: Place<'_>) -> Result<Value> {
    match place.order(order, src.pos())? {
        Endian::Little => value_inside::<Le>(src, body, place),
        Endian::Big => value_inside::<Be>(src, body, place),
    }
}

/// A type that is passed arguments.
fn passing<O: Order>(
    src: &mut Erased<'_, '_>,
    arguments: &[Expression],
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    place.passing(arguments, src.pos(), |place| value_inside::<O>(src, body, place))
}

fn padded<O: Order>(
    src: &mut Erased<'_, '_>,
    size: u64,
    (fill, strict): (u8, bool),
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    let start = src.pos();
    let window = src.narrow(size)?;
    let v = named_value::<O>(src, body, place)?;
    let used = between(start, src.pos());
    src.open(Label::Piece("padding"), "");
    src.mark(Mark::Padding, true);
    pass(src, between(used, size), fill, strict)?;
    src.close();
    src.widen(window)?;
    Ok(v)
}

/// A value beside the pieces that serve it.
fn named_value<O: Order>(src: &mut Erased<'_, '_>, node: &Node, place: Place<'_>) -> Result<Value> {
    src.open(Label::Value, "");
    let v = value_inside::<O>(src, node, place)?;
    src.close();
    Ok(v)
}

/// A definition of a program in which types are in themselves: what is in itself counts as a level, but for the elements of a
/// list, which is one.
pub(super) fn named<O: Order>(
    src: &mut Erased<'_, '_>,
    node: &Node,
    number: usize,
    in_list: bool,
    place: Place<'_>,
) -> Result<Value> {
    let (definition, again) = place.definition(number);
    let frame = place.called(node);
    let frame = frame.inside(&definition);
    let body = frame.code.definition(number);
    if in_list || !again {
        return value_inside::<O>(src, body, frame.place());
    }
    src.enter()?;
    src.charge(size_of::<Value>())?;
    let read = value_inside::<O>(src, body, frame.place());
    src.leave();
    read
}

/// Bytes without a value.
fn pass_silent<O: Order>(src: &mut Erased<'_, '_>, kind: &Kind, place: Place<'_>) -> Result<()> {
    src.mark(if matches!(kind, Kind::Magic { .. }) { Mark::Magic } else { Mark::Padding }, true);
    match kind {
        Kind::Padding { len: Length::ToEnd, .. } => loop {
            let n = src.chunk()?;
            if n == 0 {
                return Ok(());
            }
            src.skip(n as u64)?;
        },
        Kind::Padding { len: Length::Fixed(n), fill, strict } => pass(src, *n, *fill, *strict),
        Kind::Padding { len, fill, strict } => {
            let n = count::<O>(src, len, (1, 1), place)?;
            src.open(Label::Value, "");
            src.mark(Mark::Padding, true);
            pass(src, n as u64, *fill, *strict)?;
            src.close();
            Ok(())
        }
        Kind::Alignment { to, fill, strict } => {
            pass(src, gap(place.frame.start, src.pos(), *to), *fill, *strict)
        }
        Kind::Magic(magic) => pass_magic::<O>(src, magic),
        _ => Ok(()),
    }
}

pub(super) fn pass_magic<O: Order>(src: &mut Erased<'_, '_>, magic: &Magic) -> Result<()> {
    let at = src.pos();
    let expected = magic.of(O::LE, at)?;
    let e = match src.take(expected.len()) {
        Ok(found) if found.bytes() == expected => return Ok(()),
        Ok(found) => return Err(different(expected.to_vec(), found.bytes().to_vec(), at)),
        Err(e) => e,
    };
    match magic.plain().filter(|_| is_end(&e)) {
        Some(magic) => Err(wrong_bytes(magic, there(src, magic.len()), at).unwrap_or(e)),
        None => Err(e),
    }
}

/// A count that stands in front, is fixed, or follows from earlier fields: `item` is the size of one element.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count<O: Order>(
    src: &mut Erased<'_, '_>,
    len: &Length,
    item: (usize, usize),
    place: Place<'_>,
) -> Result<usize> {
    match len {
        Length::Prefixed { word: Some(word), max, inclusive, .. } => {
            read_word::<O>(src, *word, *inclusive, item, *max)
        }
        Length::Prefixed { len, max, inclusive, .. } => {
            integers::read_count::<O>(src, len, *inclusive, item, *max)
        }
        Length::Fixed(n) => {
            let at = src.pos();
            checked(src, i128::from(*n), item, u64::MAX, at)
        }
        len => {
            let at = src.pos();
            checked(src, said(len, place, at)?, item, u64::MAX, at)
        }
    }
}

/// A length of a usual form: a number of elements of these sizes that may be there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read_word<O: Order>(
    src: &mut Erased<'_, '_>,
    word: Word,
    inclusive: bool,
    item: (usize, usize),
    max: u64,
) -> Result<usize> {
    match word {
        Word::U8 => read_count::<O, u8>(src, inclusive, item, max),
        Word::U16 => read_count::<O, u16>(src, inclusive, item, max),
        Word::U32 => read_count::<O, u32>(src, inclusive, item, max),
        Word::U64 => read_count::<O, u64>(src, inclusive, item, max),
    }
}

/// A length of a type, an inclusive one without its own bytes: a number of elements of these sizes that may be there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read_count<'de, O: Order, P: Len + Decode<'de>>(
    src: &mut Erased<'_, 'de>,
    inclusive: bool,
    item: (usize, usize),
    max: u64,
) -> Result<usize> {
    let at = src.pos();
    let n = read_len::<O, P, _>(src, inclusive)?;
    checked(src, n, item, max, at)
}

/// A count that is not on the wire: a type or earlier fields say it.
#[inline(never)]
pub(super) fn said(len: &Length, place: Place<'_>, at: u64) -> Result<i128> {
    match len {
        Length::Fixed(n) => Ok(i128::from(*n)),
        Length::Expr(n) => n.int(place.earlier, at),
        Length::Each(list) => Ok(list.num_items(place.earlier, at)? as i128),
        _ => Err(no_length(at)),
    }
}

/// A description that says so is refused when it is compiled.
#[cold]
pub(super) fn no_length(at: u64) -> Error {
    Error::message("the description has a type with an extent that it cannot have", at)
}

fn at<O: Order>(
    src: &mut Erased<'_, '_>,
    position: &Expression,
    from: Origin,
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    let n = position.int(place.earlier, src.pos())?;
    let base = if from == Origin::File { 0 } else { place.frame.start };
    elsewhere(src, (base, n), from, |src| value_inside::<O>(src, body, place))
}

fn region<O: Order>(
    src: &mut Erased<'_, '_>,
    len: &Length,
    may_leave: bool,
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    if matches!(len, Length::ToEnd) {
        return value_inside::<O>(src, body, place);
    }
    if let Length::Ends(end) = len {
        return read_ended(src, end, |src| value_inside::<O>(src, body, place));
    }
    let n = count::<O>(src, len, (1, 1), place)? as u64;
    let start = src.pos();
    let window = src.narrow(n)?;
    let v = named_value::<O>(src, body, place)?;
    if may_leave {
        pass_rest(src, start, n)?;
    }
    src.widen(window)?;
    Ok(v)
}

/// The body of a missing value.
fn pass_blank<O: Order>(src: &mut Erased<'_, '_>, body: &Node, place: Place<'_>) -> Result<()> {
    if let Some(n) = body.sizes.exact() {
        return src.blank(n);
    }
    match &body.kind {
        Kind::Ordered { order, body } => match place.order(order, src.pos())? {
            Endian::Little => pass_blank::<Le>(src, body, place),
            Endian::Big => pass_blank::<Be>(src, body, place),
        },
        Kind::Trimmed { body, .. } | Kind::Passing { body, .. } => pass_blank::<O>(src, body, place),
        Kind::Integer(integer, _) => integers::pass_blank(src, integer),
        Kind::Named(number) => match place.definition(*number) {
            (_, true) => Err(no_blank(src.pos())),
            (definition, false) => {
                let frame = place.called(body);
                let frame = frame.inside(&definition);
                pass_blank::<O>(src, frame.code.definition(*number), frame.place())
            }
        },
        Kind::Text { encoding, len, .. } => {
            let unit = encoding.unit().bytes;
            pass_extent::<O>(src, len, (unit, unit))
        }
        Kind::Bytes { len }
        | Kind::Paged { len, .. }
        | Kind::Region { len, .. }
        | Kind::Padding { len, .. } => pass_extent::<O>(src, len, (1, 1)),
        Kind::List { item, len } => pass_extent::<O>(src, len, item.min_max()),
        _ => Err(no_blank(src.pos())),
    }
}

fn pass_extent<O: Order>(src: &mut Erased<'_, '_>, len: &Length, item: (usize, usize)) -> Result<()> {
    let at = src.pos();
    match len {
        Length::Prefixed { len, inclusive, .. } => integers::pass_missing::<O>(src, len, *inclusive, item),
        Length::Terminated => text::pass_terminated::<O>(src, item.0),
        Length::Ends(end) => end.pass_blank(src, item.0),
        _ => Err(no_blank(at)),
    }
}

/// Bytes of a codec that a description does not have: only their number may be known.
fn opaque<O: Order>(
    src: &mut Erased<'_, '_>,
    by: &str,
    (min, max): (u64, Option<u64>),
    place: Place<'_>,
) -> Result<Value> {
    if max == Some(min) {
        return text::bytes::<O>(src, (&Length::Fixed(min), None), place);
    }
    Err(unknown_codec(by, src.pos()))
}

#[cold]
pub(super) fn unknown_codec(by: &str, at: u64) -> Error {
    Error::message(
        format!("these bytes are made by `{}`, which the description does not explain", shortened(by)),
        at,
    )
}

/// Charges for the growth of a vector and grows it, at most by what is still to come.
#[inline]
pub(super) fn grow<T>(src: &mut Erased<'_, '_>, v: &mut Vec<T>, to_come: usize) -> Result<()> {
    if v.len() == v.capacity() {
        let more = v.len().max(16).min(to_come);
        src.charge(more.saturating_mul(size_of::<T>()))?;
        bulk::try_room_exact(v, more).map_err(|e| e.at(src.pos()))?;
    }
    Ok(())
}
