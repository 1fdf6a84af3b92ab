//! Choices: the tag, and the fields of the variant that it chooses.

use super::decode::value;
use super::encode::put;
use super::expr::{self, Tag};
use super::records::{Named, fields, put_fields};
use super::unwrap::{Place, expected};
use super::{Name, Value};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::Number;
use crate::schema::{self, Choice, Type, Variant};
use crate::wire::raw::bulk;
use crate::wire::{Be, Endian, Kind, Label, Le, Order, Sink, Source};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// What messages call a choice: its name is known only at run time.
const OF: &str = "this choice";

/// Reads a choice.
pub(super) fn choice<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    choice: &Choice,
    place: Place<'_>,
) -> Result<Value> {
    match &choice.order {
        None => ordered::<O, S>(src, choice, place),
        Some(order) => match place.order(order, src.pos())? {
            Endian::Little => ordered::<Le, S>(src, choice, place),
            Endian::Big => ordered::<Be, S>(src, choice, place),
        },
    }
}

fn ordered<'de, O: Order, S: Source<'de>>(src: &mut S, choice: &Choice, place: Place<'_>) -> Result<Value> {
    let inside = place.record(src.pos());
    let (variant, kept) = variant::<O, S>(src, choice, place)?;
    src.charge(size_of::<Value>().saturating_add(variant.name.len()))?;
    let value = if variant.fields.is_empty() && kept.is_none() {
        Value::Unit
    } else {
        fields::<O, S>(src, &variant.fields, kept, inside)?
    };
    let value = bulk::boxed(value).map_err(|e| e.at(src.pos()))?;
    Ok(Value::Variant { name: variant.name.clone(), value })
}

/// Reads the tag: the variant that it chooses, and the tag itself where the value keeps it.
fn variant<'c, 'de, O: Order, S: Source<'de>>(
    src: &mut S,
    choice: &'c Choice,
    place: Place<'_>,
) -> Result<(&'c Variant, Option<Named>)> {
    let at = src.pos();
    let inside = place.record(at);
    let (tag, read) = match &choice.tag {
        schema::Tag::Front(ty) => {
            src.open(Label::Piece("tag"), "");
            let read = match value::<O, S>(src, ty, inside.inner(at)?) {
                Ok(read) => {
                    src.close();
                    read
                }
                Err(e) => return Err(e.within(Step::Field("tag"))),
            };
            (tag_of(&read, at)?, Some(read))
        }
        schema::Tag::Expr(text) => (expr::tag(text, place.scope, at)?, None),
    };
    let Some(variant) = chosen(choice, &tag, at)? else { return Err(unknown(&tag, at)) };
    src.mark(Kind::Variant(&variant.name), true);
    let kept = if is_kept(choice, variant, at)? { read } else { None };
    let kept = kept.map(|tag| (Name::from("tag"), tag));
    Ok((variant, kept))
}

/// Whether the value holds the tag, because the variant has several.
pub(super) fn is_kept(choice: &Choice, variant: &Variant, at: u64) -> Result<bool> {
    Ok(matches!(choice.tag, schema::Tag::Front(_)) && expr::is_one(&variant.tag, at)?.is_none())
}

/// The first variant that a tag chooses.
fn chosen<'c>(choice: &'c Choice, tag: &Tag, at: u64) -> Result<Option<&'c Variant>> {
    let mut rest = None;
    for variant in &choice.variants {
        if variant.tag.trim() == "_" {
            // whatever is left, wherever it stands
            rest = rest.or(Some(variant));
        } else if expr::matches(&variant.tag, tag, at)? {
            return Ok(Some(variant));
        }
    }
    Ok(rest)
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
fn unknown(tag: &Tag, at: u64) -> Error {
    Error::new(ErrorKind::UnknownTag { found: tag.to_string(), of: OF }, at)
}

#[cold]
fn contradicts(choice: &Choice, variant: &Variant, at: u64) -> Error {
    Error::message(format!("variant {}::{} contradicts the tag", choice.name, variant.name), at)
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
    let Some(variant) = choice.variants.iter().find(|variant| variant.name == *name) else {
        return Err(Error::message(format!("{} has no variant `{name}`", choice.name), at));
    };
    let inside = place.record(at);
    let kept = is_kept(choice, variant, at)?;
    match &choice.tag {
        schema::Tag::Expr(text) => {
            let tag = expr::tag(text, place.scope, at)?;
            if chosen(choice, &tag, at)?.is_none_or(|other| other.name != *name) {
                return Err(contradicts(choice, variant, at));
            }
        }
        schema::Tag::Front(ty) => {
            let tag = match value.get("tag").filter(|_| kept) {
                Some(tag) => tag.clone(),
                None => own_tag(choice, variant, ty, at)?,
            };
            let named = chosen(choice, &tag_of(&tag, at)?, at)?;
            if named.is_none_or(|other| other.name != *name) {
                return Err(contradicts(choice, variant, at));
            }
            put::<O, W>(&tag, ty, out, inside.inner(at)?)?;
        }
    }
    put_fields::<O, W>(value, &variant.fields, usize::from(kept), out, inside)
}

/// The tag of a variant that has one only, as a value of the tag's type.
fn own_tag(choice: &Choice, variant: &Variant, ty: &Type, at: u64) -> Result<Value> {
    Ok(match expr::is_one(&variant.tag, at)? {
        Some(Tag::Int(n)) => n.into(),
        Some(Tag::Bool(b)) => b.into(),
        Some(Tag::Bytes(b)) if matches!(ty, Type::List { .. }) => {
            Value::List(b.iter().copied().map(Value::from).collect())
        }
        Some(Tag::Bytes(b)) => Value::Bytes(b),
        None => {
            let text = format!(
                "variant {}::{} has several tags, and the value has no `tag`",
                choice.name, variant.name
            );
            return Err(Error::message(text, at));
        }
    })
}
