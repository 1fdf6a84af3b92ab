//! Which fields of two records belong together, where both have names.

use super::check::DifferenceKind as Kind;
use super::compare::{Comparison, Orders};
use super::item::{Item, items};
use super::types::Field;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Fields of one name belong together; what stands beside them is compared between two of them.
pub(super) fn by_name(c: &mut Comparison<'_>, e: &[Field], f: &[Field], orders: Orders) {
    let (e, f) = (items(e), items(f));
    let place = |list: &[Item<'_>], name: &str| list.iter().position(|i| !i.is_beside() && i.name == name);
    let common = |list: &[Item<'_>], other: &[Item<'_>]| -> Vec<String> {
        let names = list.iter().filter(|i| !i.is_beside() && place(other, &i.name).is_some());
        names.map(|i| i.name.clone().into_owned()).collect()
    };
    let (ours, theirs) = (common(&e, &f), common(&f, &e));
    if ours != theirs {
        c.push(Kind::Order, ours.join(", "), theirs.join(", "));
    }
    for item in e.iter().filter(|i| !i.is_beside()) {
        let other = place(&f, &item.name).and_then(|k| f.get(k));
        c.within(&item.name, |inner| match other {
            Some(other) => inner.item(item, other, orders),
            None => inner.push(Kind::Missing, item.words(), nothing()),
        });
    }
    for item in f.iter().filter(|i| !i.is_beside() && place(&e, &i.name).is_none()) {
        c.within(&item.name, |inner| inner.push(Kind::Extra, nothing(), item.words()));
    }
    if ours == theirs {
        beside(c, &e, &f, &ours, orders);
    }
}

/// The bytes in front of each common field, and behind the last.
fn beside(c: &mut Comparison<'_>, e: &[Item<'_>], f: &[Item<'_>], common: &[String], orders: Orders) {
    for (i, (ours, theirs)) in gaps(e, common).into_iter().zip(gaps(f, common)).enumerate() {
        let same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(e, f)| c.fits(e, f, orders));
        if !same {
            let place = match common.get(i) {
                Some(name) => format!("in front of {name}"),
                None => "at the end".to_owned(),
            };
            c.within(&place, |inner| inner.push(Kind::Extent, all(&ours), all(&theirs)));
        }
    }
}

/// What stands in front of each of these fields, and behind the last.
fn gaps<'a, 'b>(list: &'b [Item<'a>], names: &[String]) -> Vec<Vec<&'b Item<'a>>> {
    let mut gaps = vec![Vec::new()];
    for item in list {
        if item.is_beside() {
            gaps.last_mut().into_iter().for_each(|gap: &mut Vec<_>| gap.push(item));
        } else if names.iter().any(|name| *name == item.name) {
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
