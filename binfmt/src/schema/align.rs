//! Which fields of two records belong together, where both have names.

use super::check::DifferenceKind as Kind;
use super::compare::Comparison;
use super::item::{Item, items};
use super::orders::Orders;
use super::types::Field;
use crate::wire::amount::plus;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A name, and how many fields of this name there are before: the second of two fields that share one belongs to the second.
type Key<'a> = (&'a str, usize);

/// Fields of one name belong together; what stands beside them is compared between two of them.
pub(super) fn by_name(c: &mut Comparison<'_>, e: &[Field], f: &[Field], orders: Orders) {
    let (e, f) = (items(e), items(f));
    let (keys_e, keys_f) = (keys(&e), keys(&f));
    let (in_e, in_f) = (places(&keys_e), places(&keys_f));
    let ours: Vec<Key<'_>> = keys_e.iter().flatten().copied().filter(|key| in_f.contains_key(key)).collect();
    let theirs: Vec<Key<'_>> =
        keys_f.iter().flatten().copied().filter(|key| in_e.contains_key(key)).collect();
    if ours != theirs {
        c.push(Kind::Order, names(&ours), names(&theirs));
    }
    for (item, key) in e.iter().zip(&keys_e).filter_map(|(item, key)| Some((item, (*key)?))) {
        let other = in_f.get(&key).and_then(|k| f.get(*k));
        c.within(&item.name, |inner| match other {
            Some(other) => inner.item(item, other, orders),
            None => inner.push(Kind::Missing, item.words(), nothing()),
        });
    }
    for (item, key) in f.iter().zip(&keys_f) {
        if key.is_some_and(|key| !in_e.contains_key(&key)) {
            c.within(&item.name, |inner| inner.push(Kind::Extra, nothing(), item.words()));
        }
    }
    if ours == theirs {
        let common: BTreeSet<Key<'_>> = ours.iter().copied().collect();
        let (gaps_e, gaps_f) = (gaps(&e, &keys_e, &common), gaps(&f, &keys_f, &common));
        beside(c, gaps_e.into_iter().zip(gaps_f), &ours, orders);
    }
}

/// The keys of fields; none of what stands beside them.
fn keys<'b>(list: &'b [Item<'_>]) -> Vec<Option<Key<'b>>> {
    let mut before: BTreeMap<&str, usize> = BTreeMap::new();
    let mut key = |item: &'b Item<'_>| {
        let count = before.entry(&*item.name).or_default();
        let key = (&*item.name, *count);
        *count = plus(*count, 1);
        key
    };
    list.iter().map(|item| (!item.is_beside()).then(|| key(item))).collect()
}

fn places<'b>(keys: &[Option<Key<'b>>]) -> BTreeMap<Key<'b>, usize> {
    keys.iter().enumerate().filter_map(|(i, key)| Some(((*key)?, i))).collect()
}

fn names(keys: &[Key<'_>]) -> String {
    let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// What stands beside the fields of both sides: before a common field, or after the last.
type Gaps<'a, 'b> = Vec<&'b Item<'a>>;

/// The bytes before each common field, and after the last.
fn beside<'a, 'b>(
    c: &mut Comparison<'_>,
    gaps: impl Iterator<Item = (Gaps<'a, 'b>, Gaps<'a, 'b>)>,
    common: &[Key<'_>],
    orders: Orders,
) where
    'a: 'b,
{
    for (i, (ours, theirs)) in gaps.enumerate() {
        let same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(e, f)| c.fits(e, f, orders));
        if !same {
            let place = match common.get(i) {
                Some((name, _)) => format!("before {name}"),
                None => "at the end".to_owned(),
            };
            c.within(&place, |inner| inner.push(Kind::Extent, all(&ours), all(&theirs)));
        }
    }
}

/// What stands before each of these fields, and after the last.
fn gaps<'a, 'b>(
    list: &'b [Item<'a>],
    keys: &[Option<Key<'_>>],
    common: &BTreeSet<Key<'_>>,
) -> Vec<Gaps<'a, 'b>> {
    let mut gaps = vec![Vec::new()];
    for (item, key) in list.iter().zip(keys) {
        match key {
            None => gaps.last_mut().into_iter().for_each(|gap: &mut Vec<_>| gap.push(item)),
            Some(key) if common.contains(key) => gaps.push(Vec::new()),
            Some(_) => {}
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
