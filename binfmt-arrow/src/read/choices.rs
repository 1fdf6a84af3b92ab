//! Choices: dictionaries, unions, and structs of variants.

use super::runs::{bytes, taken};
use super::{Mask, column, keys_of, parts_of, wrong};
use crate::error::uneven;
use crate::node::{Member, Node};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use binfmt::columns::{ChoiceColumn, Column};
use binfmt::schema::Name;
use binfmt::{Error, Result, Step};
use std::sync::Arc;

/// Choices without fields, by the names of their variants.
pub(super) fn named(array: &ArrayRef, names: &[Name], mask: Mask<'_>) -> Result<ChoiceColumn> {
    let variants = tags(array, names, mask)?;
    let mut rows = vec![0usize; names.len()];
    for variant in &variants {
        // a row that is not there is one of the first, and there may be none
        let rows = rows.get_mut(*variant as usize).ok_or_else(|| uneven("a choice"))?;
        *rows = rows.saturating_add(1);
    }
    let columns = names
        .iter()
        .zip(rows)
        .map(|(name, rows)| (name.clone(), Column::Record { rows, fields: Vec::new() }));
    ChoiceColumn::from_parts(variants, columns.collect()).ok_or_else(|| uneven("a choice"))
}

/// The number of the variant of each row; the first where a row is not there.
fn tags(array: &ArrayRef, names: &[Name], mask: Mask<'_>) -> Result<Vec<u32>> {
    let text = |text: &[u8]| {
        let place = names.iter().position(|name| name.as_bytes() == text);
        let place = place.ok_or_else(|| {
            Error::other(format!("there is no variant {:?}", String::from_utf8_lossy(text)))
        })?;
        Ok(u32::try_from(place).unwrap_or(u32::MAX))
    };
    let there = |row: usize| mask.is_none_or(|mask| mask.is_valid(row)) && array.is_valid(row);
    let at = |row: usize| move |e: Error| e.within(Step::Index(row));
    if let Some(typed) = array.as_any_dictionary_opt() {
        let known = bytes(Arc::clone(typed.values()), None)?;
        // only the names that are used must be known
        let known: Vec<Result<u32>> = known.iter().map(text).collect();
        let keys = keys_of(typed);
        let tag = |(row, key): (usize, &usize)| match known.get(*key) {
            _ if !there(row) => Ok(0),
            Some(Ok(variant)) => Ok(*variant),
            Some(Err(e)) => Err(at(row)(Error::other(e.to_string()))),
            None => Err(uneven("a dictionary")),
        };
        return keys.iter().enumerate().map(tag).collect();
    }
    let texts = bytes(Arc::clone(array), None)?;
    let tag = |(row, found): (usize, &[u8])| if there(row) { text(found).map_err(at(row)) } else { Ok(0) };
    texts.iter().enumerate().map(tag).collect()
}

pub(super) fn union(array: &ArrayRef, all: &[Member]) -> Result<ChoiceColumn> {
    let typed = array.as_union_opt().ok_or_else(|| wrong(array, "choices"))?;
    let numbers: Vec<i8> = typed.fields().iter().map(|(number, _)| number).collect();
    let places = typed.offsets().ok_or_else(|| wrong(array, "dense unions"))?;
    let mut rows = vec![Vec::new(); all.len()];
    let mut variants = Vec::with_capacity(array.len());
    for (number, place) in typed.type_ids().iter().zip(places) {
        let variant = numbers.iter().position(|known| known == number).ok_or_else(|| uneven("a union"))?;
        let place = usize::try_from(*place).map_err(|_| uneven("a union"))?;
        rows.get_mut(variant).ok_or_else(|| uneven("a union"))?.push(place);
        variants.push(u32::try_from(variant).unwrap_or(u32::MAX));
    }
    let mut columns = Vec::with_capacity(all.len());
    for ((member, number), rows) in all.iter().zip(&numbers).zip(rows) {
        let child = typed.child(*number);
        let in_order = rows.iter().copied().eq(0..child.len());
        let child = match in_order {
            true => Arc::clone(child),
            false => taken(child, rows.into_iter().map(|place| place..place.saturating_add(1)))?,
        };
        columns.push((member.name.clone(), column(child, &member.node, None)?));
    }
    ChoiceColumn::from_parts(variants, columns).ok_or_else(|| uneven("a choice"))
}

/// Choices from the tags, and the rows that each variant has.
pub(super) fn variants(array: ArrayRef, all: &[Member], node: &Node, mask: Mask<'_>) -> Result<ChoiceColumn> {
    let mut parts = parts_of(array, node)?.into_iter();
    let tag = parts.next().ok_or_else(|| uneven("a choice"))?;
    let names: Vec<Name> = all.iter().map(|member| member.name.clone()).collect();
    let variants = tags(&tag, &names, mask)?;
    let mut columns = Vec::with_capacity(all.len());
    for (number, (member, part)) in all.iter().zip(parts).enumerate() {
        let of = |(row, variant): (usize, &u32)| {
            (*variant as usize == number).then_some(row..row.saturating_add(1))
        };
        let rows = taken(&part, variants.iter().enumerate().filter_map(of))?;
        // a row that is not there is one of the first variant, without anything in it
        let nulls = rows.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
        columns.push((member.name.clone(), column(rows, &member.node, nulls.as_ref())?));
    }
    ChoiceColumn::from_parts(variants, columns).ok_or_else(|| uneven("a choice"))
}
