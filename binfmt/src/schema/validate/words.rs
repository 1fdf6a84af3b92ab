//! What expressions, rules and tags say, as far as they are understood.

use super::{Checked, DescriptionError, quoted};
use crate::numbers::{Number, NumberType};
use crate::schema::DEEPEST;
use crate::schema::call::parameters;
use crate::schema::expr::{self, Patterns, Rule, Tag, Tags};
use crate::schema::types::{self, Choice, Extent, Field, Type};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A count that no field changes.
pub(super) fn count(text: &str) -> Checked {
    match expr::constant(text, 0) {
        Ok(n) if n < 0 => Err(DescriptionError::new(format!("a count of {n} is below zero"))),
        _ => Ok(()),
    }
}

/// A position that no field changes.
pub(super) fn position(text: &str) -> Checked {
    match expr::constant(text, 0) {
        Ok(n) if n < 0 => Err(DescriptionError::new(format!("a position of {n} is below zero"))),
        _ => Ok(()),
    }
}

/// A number that must fit its bytes.
pub(super) fn magic(value: &str, bytes: u8) -> Checked {
    let Ok(n) = expr::constant(value, 0) else { return Ok(()) };
    match fits(n, bytes, true) || fits(n, bytes, false) {
        true => Ok(()),
        false => Err(DescriptionError::new(format!("the magic {n} does not fit {bytes} bytes"))),
    }
}

fn fits(n: i128, bytes: u8, signed: bool) -> bool {
    NumberType::int(bytes, signed).is_none_or(|kind| Number::from_i128(kind, n).is_some())
}

/// Fields of one name, ranges without a value, and expressions that name a field which comes later.
pub(super) fn fields(fields: &[Field], rules: &[String]) -> Checked {
    let mut first = BTreeMap::new();
    for (i, field) in fields.iter().enumerate() {
        if first.insert(field.name.as_str(), i).is_some() && !field.name.is_empty() {
            let text = format!("two fields are called `{}`", quoted(&field.name));
            return Err(DescriptionError::new(text));
        }
    }
    // a parameter may have the name of a field
    for (name, _) in parameters(rules) {
        first.remove(name);
    }
    for (i, field) in fields.iter().enumerate() {
        for rule in &field.rules {
            if let Some(rule) = Rule::new(rule, &|_| None)
                && rule.constant().is_some_and(|range| range.is_empty())
            {
                let text = format!("no value is in {}", quoted(rule.text()));
                return Err(DescriptionError::new(text).within(&field.name));
            }
        }
        let mut late = None;
        let mut look = |text: &str| {
            expr::names(text, &mut |name| {
                if expr::named(name, |name| first.get(name)).is_some_and(|at| *at >= i) {
                    late = late.take().or_else(|| Some(quoted(name)));
                }
            });
        };
        expressions(&field.ty, 0, &mut look);
        field.arguments().into_iter().for_each(look);
        if let Some(name) = late {
            let text = format!("`{name}` is needed here, which comes later");
            return Err(DescriptionError::new(text).within(&field.name));
        }
    }
    Ok(())
}

/// The expressions of a field over the fields beside it.
fn expressions(ty: &Type, depth: u32, found: &mut dyn FnMut(&str)) {
    if depth >= DEEPEST {
        return;
    }
    ty.expressions().for_each(&mut *found);
    if let Some(body) = ty.body() {
        expressions(body, depth + 1, found);
    }
}

/// Tags that no value of their type is, and tags that two variants have.
pub(super) fn tags(choice: &Choice) -> Checked {
    if choice.tag == types::Tag::Untagged {
        return untagged(choice);
    }
    let (mut rest, mut taken) = (None, Taken::default());
    for (k, variant) in choice.variants.iter().enumerate() {
        let patterns = Patterns::new(&variant.tag);
        let wrong = |text: String| Err(DescriptionError::new(text).within(&variant.name));
        if patterns.is_empty() == Some(true) {
            return wrong(format!("no tag is in {}", quoted(&variant.tag)));
        }
        if let Ok(Some(tag)) = patterns.one(0)
            && !tag_fits(tag, choice)
        {
            return wrong(format!("{tag} is not a tag of this type"));
        }
        let (first, text) = match patterns.is_rest() {
            // it has what the others leave
            true => match rest.replace(k) {
                Some(first) => (first, "_ is already the tag".to_owned()),
                None => continue,
            },
            false => match taken.add(k, patterns.tags()) {
                Some((first, tags)) if tags.is_one() => (first, format!("the tag {tags} is already a tag")),
                Some((first, tags)) => (first, format!("the tags {tags} are already tags")),
                None => continue,
            },
        };
        let first = choice.variants.get(first).map_or("", |variant| &variant.name);
        return wrong(format!("{text} of `{}`", quoted(first)));
    }
    Ok(())
}

/// The tags of the variants so far.
#[derive(Default)]
struct Taken {
    each: BTreeMap<usize, Tags>,
    /// The end of each range, by its start, and whose it is. None of them overlap.
    numbers: BTreeMap<i128, (i128, usize)>,
    others: BTreeMap<Tag, usize>,
}

impl Taken {
    /// Adds the tags of variant `k`, or says which of them are those of another. Before a pattern there may be variants of which it
    /// has all tags, and more: they are its exceptions.
    fn add(&mut self, k: usize, tags: Tags) -> Option<(usize, Tags)> {
        let (mut owners, mut inside, mut shared) = (BTreeMap::new(), Vec::new(), Tags::default());
        let mut share = |first, range: Option<(i128, i128)>, other: Option<&Tag>| {
            let of: &mut Tags = owners.entry(first).or_default();
            for tags in [of, &mut shared] {
                tags.ranges.extend(range);
                tags.others.extend(other.cloned());
            }
        };
        for &(low, high) in &tags.ranges {
            let found = self.numbers.range(..=high).rev().take_while(|(_, (end, _))| *end >= low);
            for (&from, &(to, first)) in found {
                share(first, Some((low.max(from), high.min(to))), None);
                inside.push(from);
            }
        }
        for tag in &tags.others {
            if let Some(first) = self.others.get(tag) {
                share(*first, None, Some(tag));
            }
        }
        let has_more = !tags.is_within(&shared.in_order());
        let is_exception =
            |first: usize| has_more && self.each.get(&first).is_some_and(|first| first.is_within(&tags));
        if let Some((first, shared)) = owners.into_iter().find(|(first, _)| !is_exception(*first)) {
            return Some((first, shared.in_order()));
        }
        for from in inside {
            self.numbers.remove(&from);
        }
        self.numbers.extend(tags.ranges.iter().map(|(low, high)| (*low, (*high, k))));
        self.others.extend(tags.others.iter().map(|tag| (tag.clone(), k)));
        self.each.insert(k, tags);
        None
    }
}

/// Variants without a tag are all of one that means nothing.
fn untagged(choice: &Choice) -> Checked {
    match choice.variants.iter().find(|variant| variant.tag != "_") {
        Some(variant) => {
            let text = format!("an untagged variant has the tag _, found {}", quoted(&variant.tag));
            Err(DescriptionError::new(text).within(&variant.name))
        }
        None => Ok(()),
    }
}

fn tag_fits(tag: &Tag, choice: &Choice) -> bool {
    let types::Tag::Front(front) = &choice.tag else { return true };
    is_of(front, tag)
}

/// Whether a tag is a value of its type.
fn is_of(front: &Type, tag: &Tag) -> bool {
    match (front.unordered(), tag) {
        (Type::Bits { bits, body, .. }, Tag::Int(n)) => {
            let is_signed = matches!(**body, Type::Int { signed: true, .. });
            let unused = 128u32.wrapping_sub((*bits).into());
            let back = if is_signed {
                n.wrapping_shl(unused).wrapping_shr(unused)
            } else {
                (*n as u128).wrapping_shl(unused).wrapping_shr(unused) as i128
            };
            back == *n && is_of(body, tag)
        }
        (Type::Bits { body, .. }, _) => is_of(body, tag),
        (Type::Int { bytes, signed }, Tag::Int(n)) => fits(*n, *bytes, *signed),
        (Type::Varint { code, bytes }, Tag::Int(n)) => fits(*n, *bytes, code.is_signed()),
        (Type::Bool { .. }, Tag::Bool(_)) => true,
        (Type::Bytes { len: Extent::Fixed(n) }, Tag::Bytes(bytes)) => bytes.len() as u64 == *n,
        (Type::Int { .. } | Type::Varint { .. } | Type::Bool { .. }, _) => false,
        _ => true,
    }
}
