//! Which fields of two records belong together, where both have names.

use super::check::DifferenceKind as Kind;
use super::compare::{Comparison, Orders};
use super::item::{Item, items};
use super::types::Field;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Fields of one name belong together; what stands beside them is compared between two of them.
pub(super) fn by_name(c: &mut Comparison<'_>, e: &[Field], f: &[Field], orders: Orders) {
    let (e, f) = (items(e), items(f));
    let (in_e, in_f) = (places(&e), places(&f));
    let common = |list: &[Item<'_>], other: &BTreeMap<&str, usize>| -> Vec<String> {
        let names = list.iter().filter(|i| !i.is_beside() && other.contains_key(&*i.name));
        names.map(|i| i.name.clone().into_owned()).collect()
    };
    let (ours, theirs) = (common(&e, &in_f), common(&f, &in_e));
    if ours != theirs {
        c.push(Kind::Order, ours.join(", "), theirs.join(", "));
    }
    for item in e.iter().filter(|i| !i.is_beside()) {
        let other = in_f.get(&*item.name).and_then(|k| f.get(*k));
        c.within(&item.name, |inner| match other {
            Some(other) => inner.item(item, other, orders),
            None => inner.push(Kind::Missing, item.words(), nothing()),
        });
    }
    for item in f.iter().filter(|i| !i.is_beside() && !in_e.contains_key(&*i.name)) {
        c.within(&item.name, |inner| inner.push(Kind::Extra, nothing(), item.words()));
    }
    if ours == theirs {
        beside(c, &e, &f, &ours, orders);
    }
}

/// Where each name stands first.
fn places<'b>(list: &'b [Item<'_>]) -> BTreeMap<&'b str, usize> {
    let mut places = BTreeMap::new();
    for (i, item) in list.iter().enumerate().filter(|(_, item)| !item.is_beside()) {
        places.entry(&*item.name).or_insert(i);
    }
    places
}

/// The bytes before each common field, and after the last.
fn beside(c: &mut Comparison<'_>, e: &[Item<'_>], f: &[Item<'_>], common: &[String], orders: Orders) {
    for (i, (ours, theirs)) in gaps(e, common).into_iter().zip(gaps(f, common)).enumerate() {
        let same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(e, f)| c.fits(e, f, orders));
        if !same {
            let place = match common.get(i) {
                Some(name) => format!("before {name}"),
                None => "at the end".to_owned(),
            };
            c.within(&place, |inner| inner.push(Kind::Extent, all(&ours), all(&theirs)));
        }
    }
}

/// What stands before each of these fields, and after the last.
fn gaps<'a, 'b>(list: &'b [Item<'a>], names: &[String]) -> Vec<Vec<&'b Item<'a>>> {
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut gaps = vec![Vec::new()];
    for item in list {
        if item.is_beside() {
            gaps.last_mut().into_iter().for_each(|gap: &mut Vec<_>| gap.push(item));
        } else if names.contains(&*item.name) {
            gaps.push(Vec::new());
        }
    }
    gaps
}

fn all(items: &[&Item<'_>]) -> String {
    let words: Vec<String> = items.iter().map(|item| item.words()).collect();
    if words.is_empty() { nothing() } else { words.join(", ") }
}

/// What a message says of a side that has no such field.
pub(super) fn nothing() -> String {
    "nothing".to_owned()
}
