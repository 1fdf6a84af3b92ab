//! Choices: the tag, and the fields of the variant that it chooses.
#![allow(clippy::arithmetic_side_effects, reason = "the size of a value, and of a name in memory")]

use super::Value;
use super::decode::{pass_magic, value, value as value_of};
use super::encode::put;
use super::expr::Tag;
use super::place::{Frame, Place, expected};
use super::program::{self, Arm, ArmTest, Choice, Kind, Node};
use super::records::{fields, put_fields};
use crate::containers::checksum::in_memory;
use crate::containers::peek::{goes_on, written};
use crate::containers::untagged::{Tries, attempt, none_before};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::Number;
use crate::schema::expr::shortened;
use crate::wire::amount::known;
use crate::wire::raw::{Slice, bulk};
use crate::wire::{Be, Cursor, Endian, Erased, Hooks, Kind as Mark, Label, Le, Order, Sink, Source};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;

/// Reads a choice.
pub(super) fn choice<O: Order>(src: &mut Erased<'_, '_>, choice: &Choice, place: Place<'_>) -> Result<Value> {
    match &choice.order {
        None => ordered::<O>(src, choice, place),
        Some(order) => match place.order(order, src.pos())? {
            Endian::Little => ordered::<Le>(src, choice, place),
            Endian::Big => ordered::<Be>(src, choice, place),
        },
    }
}

fn ordered<O: Order>(src: &mut Erased<'_, '_>, choice: &Choice, place: Place<'_>) -> Result<Value> {
    if let program::Tag::Untagged { .. } = choice.tag {
        let (at, mut tries) = (src.pos(), Tries::all());
        return match first::<O>(src, choice, place, &mut tries)? {
            Some(value) => Ok(value),
            None => Err(tries.none(name(choice), at)),
        };
    }
    let run = Cell::new(0);
    let frame = place.frame.fields(src.pos(), &run);
    let (arm, kept) = arm::<O>(src, choice, place, &frame)?;
    of_arm::<O>(src, arm, kept, &frame)
}

/// Reads the fields of a variant.
fn of_arm<O: Order>(
    src: &mut Erased<'_, '_>,
    arm: &Arm,
    kept: Option<Value>,
    frame: &Frame<'_>,
) -> Result<Value> {
    charge(src, arm)?;
    let value = if arm.record.fields.is_empty() && kept.is_none() {
        Value::Unit
    } else {
        fields::<O>(src, &arm.record, kept, frame)?
    };
    variant(arm, value, src.pos())
}

/// Reads the first variant that the bytes fit, of those that may be tried.
fn first<O: Order>(
    src: &mut Erased<'_, '_>,
    choice: &Choice,
    place: Place<'_>,
    tries: &mut Tries,
) -> Result<Option<Value>> {
    let start = src.pos();
    if let program::Tag::Untagged { by: Some(rule) } = &choice.tag {
        let feature = format!("`{}` of a variant that is tried", shortened(rule)).into();
        return Err(Error::new(ErrorKind::Unsupported { by: "a value", feature }, start));
    }
    front::<O>(src, choice)?;
    for arm in &choice.arms {
        if !tries.begin(|| arm.name.to_string().into()) {
            return Ok(None);
        }
        let found = attempt(src, tries, |src| {
            let run = Cell::new(0);
            src.mark(Mark::Variant(&arm.name), true);
            let frame = place.frame.fields(start, &run);
            let value = of_arm::<O>(src, arm, None, &frame)?;
            holds(arm, &value, &frame, start)?;
            Ok(value)
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Holds a variant that was read to what a struct asks of it besides.
fn holds(arm: &Arm, value: &Value, frame: &Frame<'_>, at: u64) -> Result<()> {
    let fields = match value {
        Value::Variant { value, .. } => match &**value {
            Value::Record(fields) => fields.values(),
            Value::List(fields) => fields,
            _ => &[],
        },
        _ => &[],
    };
    let scope = frame.earlier(fields);
    for test in &arm.tests {
        match test {
            ArmTest::Holds(holds, text) => {
                if !holds.flag(&scope, at)? {
                    return Err(Error::new(ErrorKind::Assertion { text: text.to_string().into() }, at));
                }
            }
            ArmTest::Equals(slot, number) => {
                let expected = number.int(&scope, at)?;
                if scope.get(*slot).and_then(Value::as_i128) != Some(expected) {
                    let text = format!("the number of `calc` is not {expected}");
                    return Err(Error::message(text, at));
                }
            }
        }
    }
    Ok(())
}

/// Charges for the box and the name of a variant.
fn charge(src: &mut Erased<'_, '_>, arm: &Arm) -> Result<()> {
    src.charge(size_of::<Value>() + arm.name.len())
}

/// Reads the magic before the tag.
fn front<O: Order>(src: &mut Erased<'_, '_>, choice: &Choice) -> Result<()> {
    let Some(magic) = &choice.magic else { return Ok(()) };
    src.open(Label::Field("magic"), "");
    src.mark(Mark::Magic, true);
    pass_magic::<O>(src, magic).map_err(|e| e.within(Step::Field("magic")))?;
    src.close();
    Ok(())
}

/// Reads the tag: the variant that it chooses, and the tag itself where the value keeps it.
fn arm<'c, O: Order>(
    src: &mut Erased<'_, '_>,
    choice: &'c Choice,
    place: Place<'_>,
    frame: &Frame<'_>,
) -> Result<(&'c Arm, Option<Value>)> {
    front::<O>(src, choice)?;
    let at = src.pos();
    let (tag, read) = match &choice.tag {
        program::Tag::Front(node) => {
            src.open(Label::Piece("tag"), "");
            let read = value::<O>(src, node, frame.place()).map_err(|e| e.within(Step::Field("tag")))?;
            src.close();
            (tag_of(&read, at)?, Some(read))
        }
        program::Tag::Expr(tag) => (tag.tag(place.earlier, at)?, None),
        program::Tag::Untagged { .. } => return Err(Error::message("variants without a tag are tried", at)),
    };
    let Some(arm) = choice.tagged(&tag, at)? else { return Err(unknown(choice, &tag, at)) };
    src.mark(Mark::Variant(&arm.name), true);
    let kept = if choice.keeps_tag(arm, at)? { read } else { None };
    Ok((arm, kept))
}

/// A value of a variant.
fn variant(arm: &Arm, value: Value, at: u64) -> Result<Value> {
    let value = bulk::boxed(value).map_err(|e| e.at(at))?;
    Ok(Value::Variant { name: arm.name.clone(), value })
}

fn tag_of(value: &Value, at: u64) -> Result<Tag> {
    match value {
        Value::Number(Number::Bool(b)) => Ok(Tag::Bool(*b)),
        Value::Bytes(b) => Ok(Tag::Bytes(b.clone())),
        Value::Text(text) => Ok(Tag::Bytes(text.as_bytes().to_vec())),
        // an array of bytes
        Value::List(items) => {
            let bytes = items.iter().map(|b| b.as_number()?.get::<u8>());
            bytes.collect::<Option<Vec<u8>>>().map(Tag::Bytes).ok_or_else(|| no_tag(value, at))
        }
        value => value.as_i128().map(Tag::Int).ok_or_else(|| no_tag(value, at)),
    }
}

#[cold]
fn no_tag(value: &Value, at: u64) -> Error {
    Error::message(format!("{} cannot be a tag", value.what()), at)
}

#[cold]
fn unknown(choice: &Choice, tag: &Tag, at: u64) -> Error {
    Error::new(ErrorKind::UnknownTag { found: tag.to_string(), of: name(choice).into() }, at)
}

/// What errors call a choice.
#[cold]
fn name(choice: &Choice) -> String {
    match &*choice.name {
        "" => "this choice".into(),
        name => shortened(name).into_owned(),
    }
}

#[cold]
fn contradicts(choice: &Choice, arm: &Arm, at: u64) -> Error {
    Error::message(format!("variant {}::{} contradicts the tag", choice.name, arm.name), at)
}

/// Writes a choice.
pub(super) fn put_choice<O: Order, W: Sink>(
    value: &Value,
    choice: &Choice,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match &choice.order {
        None => put_ordered::<O, W>(value, choice, out, place),
        Some(order) => match place.order(order, out.pos())? {
            Endian::Little => put_ordered::<Le, W>(value, choice, out, place),
            Endian::Big => put_ordered::<Be, W>(value, choice, out, place),
        },
    }
}

fn put_ordered<O: Order, W: Sink>(
    value: &Value,
    choice: &Choice,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let at = out.pos();
    let Value::Variant { name, value } = value else { return Err(expected("a variant", value, at)) };
    let Some((_, arm)) = choice.named(name) else {
        return Err(Error::message(format!("{} has no variant `{name}`", choice.name), at));
    };
    if let program::Tag::Untagged { .. } = choice.tag {
        return put_untagged::<O, W>(value, (choice, arm), out, place);
    }
    let run = Cell::new(0);
    let frame = place.frame.fields(at, &run);
    let kept = choice.keeps_tag(arm, at)?;
    put_front::<O, W>(choice, out)?;
    match &choice.tag {
        program::Tag::Front(node) if node.is_peeked() => {
            return put_tagged::<O, W>(value, (choice, arm), node, out, &frame);
        }
        program::Tag::Untagged { .. } => {}
        program::Tag::Expr(tag) => {
            let tag = tag.tag(place.earlier, at)?;
            if choice.tagged(&tag, at)?.is_none_or(|other| other.name != *name) {
                return Err(contradicts(choice, arm, at));
            }
        }
        program::Tag::Front(node) => {
            let tag = match value.get("tag").filter(|_| kept) {
                Some(tag) => tag.clone(),
                None => own_tag(choice, arm, node, at)?,
            };
            let named = choice.tagged(&tag_of(&tag, at)?, at)?;
            if named.is_none_or(|other| other.name != *name) {
                return Err(contradicts(choice, arm, at));
            }
            put::<O, W>(&tag, node, out, frame.place())?;
        }
    }
    put_fields::<O, W>(value, &arm.record, usize::from(kept), out, &frame)
}

/// Writes the magic before the tag.
fn put_front<O: Order, W: Sink>(choice: &Choice, out: &mut W) -> Result<()> {
    match &choice.magic {
        Some(magic) => out.bytes(magic.of(O::LE, out.pos())?, 0),
        None => Ok(()),
    }
}

/// Writes a variant without a tag, in memory where others are tried before it, and has those read it.
fn put_untagged<O: Order, W: Sink>(
    value: &Value,
    (choice, arm): (&Choice, &Arm),
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let k = known(choice.named(&arm.name).map(|(place, _)| place));
    if k > 0 && !W::COUNT && !W::MEMORY {
        return in_memory(out, |out| put_untagged::<O, _>(value, (choice, arm), out, place));
    }
    let at = out.pos();
    put_front::<O, W>(choice, out)?;
    let run = Cell::new(0);
    put_fields::<O, W>(value, &arm.record, 0, out, &place.frame.fields(at, &run))?;
    if k == 0 || !W::MEMORY {
        return Ok(());
    }
    let names = (name(choice).into(), arm.name.to_string().into());
    none_before(out, at, k, names, |src, tries| {
        Ok(first::<O>(&mut src.erase(), choice, place, tries)?.is_some())
    })
}

/// Writes a variant that begins with its own tag, in memory, and sees whether that tag chooses it.
fn put_tagged<O: Order, W: Sink>(
    value: &Value,
    (choice, arm): (&Choice, &Arm),
    tag: &Node,
    out: &mut W,
    frame: &Frame<'_>,
) -> Result<()> {
    if !W::COUNT && !W::MEMORY {
        return in_memory(out, |out| put_tagged::<O, _>(value, (choice, arm), tag, out, frame));
    }
    let at = out.pos();
    put_fields::<O, W>(value, &arm.record, 0, out, frame)?;
    let Some(bytes) = written(out, at) else { return Ok(()) };
    let Ok(tag) = value_of::<O>(&mut Slice::new(bytes).erase(), tag, frame.place()) else {
        let least = tag.wrapped().map_or(0, |body| body.sizes.min);
        return goes_on(out, at, least);
    };
    match choice.tagged(&tag_of(&tag, at)?, at)? {
        Some(other) if other.name == arm.name => Ok(()),
        _ => Err(contradicts(choice, arm, at)),
    }
}

/// The tag of a variant that has one only, as a value of the tag's type.
fn own_tag(choice: &Choice, arm: &Arm, node: &Node, at: u64) -> Result<Value> {
    Ok(match arm.tags.one(at)? {
        Some(Tag::Int(n)) => (*n).into(),
        Some(Tag::Bool(b)) => (*b).into(),
        Some(Tag::Bytes(b)) if matches!(node.kind, Kind::List { .. }) => {
            Value::List(b.iter().copied().map(Value::from).collect())
        }
        Some(Tag::Bytes(b)) => Value::Bytes(b.clone()),
        None => {
            let text =
                format!("variant {}::{} has several tags, and the value has no `tag`", choice.name, arm.name);
            return Err(Error::message(text, at));
        }
    })
}
