//! Which fields of two records belong together: by name where both have names, else by position.

use super::check::DifferenceKind as Kind;
use super::compare::{Comparison, Orders, words};
use super::types::{ByteOrder, Description, Extent, Field, Record, Type};
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Above so many pairs of fields the best fit is not looked for.
const MOST_PAIRS: usize = 1 << 14;

/// A field, or bytes beside one.
#[derive(Clone)]
pub(super) struct Item<'a> {
    name: Cow<'a, str>,
    native: &'a str,
    pub(super) ty: Cow<'a, Type>,
}

impl<'a> Item<'a> {
    pub(super) fn of_type(ty: &'a Type) -> Self {
        Item { name: Cow::Borrowed(""), native: "", ty: Cow::Borrowed(ty) }
    }

    fn of(field: &'a Field) -> Self {
        Item { name: Cow::Borrowed(&field.name), native: &field.native, ty: Cow::Borrowed(&field.ty) }
    }

    /// What it is, for a message.
    pub(super) fn words(&self) -> String {
        let beside = self.is_beside();
        words(&self.ty, if beside { "" } else { self.native }, !beside)
    }

    /// Whether it holds no value: ignored bytes, alignment, magic.
    fn is_beside(&self) -> bool {
        let ty = match &*self.ty {
            Type::Conditional { body, .. } => body,
            ty => ty,
        };
        let fixed = matches!(
            ty,
            Type::Padding { len: Extent::Fixed(_), .. } | Type::Alignment { .. } | Type::Magic { .. }
        );
        self.name.is_empty() || fixed
    }

    /// The bytes of ignored ones.
    fn ignored(&self) -> Option<u64> {
        match &*self.ty {
            Type::Padding { len: Extent::Fixed(n), .. } => Some(*n),
            _ => None,
        }
    }
}

/// The fields as items, neighbouring ignored bytes as one.
fn items(fields: &[Field]) -> Vec<Item<'_>> {
    fields.iter().fold(Vec::new(), |list, field| joined(list, Item::of(field)))
}

fn joined<'a>(mut list: Vec<Item<'a>>, item: Item<'a>) -> Vec<Item<'a>> {
    let both = list.last().and_then(Item::ignored).zip(item.ignored());
    match (list.last_mut(), both.and_then(|(a, b)| a.checked_add(b))) {
        (Some(last), Some(n)) => {
            let len = Extent::Fixed(n);
            last.ty = Cow::Owned(Type::Padding { len, fill: 0, strict: false });
        }
        _ => list.push(item),
    }
    list
}

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

fn nothing() -> String {
    "nothing".to_owned()
}

/// What belongs to what.
enum Pair {
    Both(usize, usize),
    Missing(usize),
    Extra(usize),
}

/// Fields belong together by their order. A struct inside of a struct stands for its fields, unless a field of the other
/// side is what it is. Where the numbers differ, those are left over that leave the fewest differences.
pub(super) fn by_position<'a: 't, 't>(c: &mut Comparison<'a>, e: &'t [Field], f: &[Field], orders: Orders) {
    let f = items(f);
    let mut flat = Vec::new();
    for field in e {
        flat = flattened(c, flat, ("", None), Item::of(field), &f, orders);
    }
    for pair in pairs(c, &flat, &f, orders) {
        match pair {
            Pair::Both(i, k) => {
                if let (Some(e), Some(f)) = (flat.get(i), f.get(k)) {
                    let name = label(e, i);
                    c.within(&name, |inner| inner.item(e, f, orders));
                }
            }
            Pair::Missing(i) => {
                if let Some(e) = flat.get(i) {
                    let name = label(e, i);
                    c.within(&name, |inner| inner.push(Kind::Missing, e.words(), nothing()));
                }
            }
            Pair::Extra(k) => {
                if let Some(f) = f.get(k) {
                    let name = format!("field {}", k.saturating_add(1));
                    c.within(&name, |inner| inner.push(Kind::Extra, nothing(), f.words()));
                }
            }
        }
    }
}

/// What a message calls a field.
fn label<'a>(item: &'a Item<'_>, i: usize) -> Cow<'a, str> {
    match item.name.is_empty() {
        true => Cow::Owned(format!("field {}", i.saturating_add(1))),
        false => Cow::Borrowed(&item.name),
    }
}

/// A field, or the fields that it stands for; `order` is the byte order that a record around it fixes.
fn flattened<'a: 't, 't>(
    c: &mut Comparison<'a>,
    list: Vec<Item<'t>>,
    (path, order): (&str, Option<&'t ByteOrder>),
    mut item: Item<'t>,
    others: &[Item<'_>],
    orders: Orders,
) -> Vec<Item<'t>> {
    if !path.is_empty() && !item.name.is_empty() {
        item.name = Cow::Owned(format!("{path}.{}", item.name));
    }
    let record = record_of(c.expected, &item.ty);
    if let Some(order) = order {
        let body = Box::new(item.ty.clone().into_owned());
        item.ty = Cow::Owned(Type::Ordered { order: order.clone(), body });
    }
    let whole = |c: &mut Comparison<'_>| others.iter().any(|other| c.fits(&item, other, orders));
    if let Some(ignored) = ignored_behind_a_byte(&item.ty)
        && !whole(c)
    {
        let bytes = [(Extent::Fixed(1), Cow::Borrowed("")), (ignored, item.name)];
        let part = |(len, name)| {
            let ty = Cow::Owned(Type::Padding { len, fill: 0, strict: false });
            Item { name, native: item.native, ty }
        };
        return bytes.map(part).into_iter().fold(list, joined);
    }
    match record {
        Some(record) if !whole(c) => {
            let around = (&*item.name, record.order.as_ref().or(order));
            let fields = record.fields.iter().map(Item::of);
            fields.fold(list, |list, field| flattened(c, list, around, field, others, orders))
        }
        _ => joined(list, item),
    }
}

/// Of ignored bytes that may be missing: a presence byte that nobody looks at is one more of them.
fn ignored_behind_a_byte(ty: &Type) -> Option<Extent> {
    let Type::Nullable { body, blank: true, .. } = ty else { return None };
    match &**body {
        Type::Padding { len, .. } => Some(len.clone()),
        _ => None,
    }
}

fn record_of<'a>(description: &'a Description, ty: &Cow<'a, Type>) -> Option<&'a Record> {
    let Cow::Borrowed(ty) = ty else { return None };
    match description.resolve(ty) {
        Some(Type::Record(record)) => Some(record),
        _ => None,
    }
}

/// The pairing with the fewest differences: a field that differs counts like one that is left over, and of two equal
/// pairings the one with more pairs is taken.
fn pairs(c: &mut Comparison<'_>, e: &[Item<'_>], f: &[Item<'_>], orders: Orders) -> Vec<Pair> {
    let (n, m) = (e.len(), f.len());
    if n.saturating_mul(m) > MOST_PAIRS {
        let both = (0..n.min(m)).map(|i| Pair::Both(i, i));
        return both.chain((m..n).map(Pair::Missing)).chain((n..m).map(Pair::Extra)).collect();
    }
    // costs[i][k]: of pairing what is behind the first i and k fields; the price of a difference is 2 and that of a field
    // that is left over 2 and a little more
    const DIFFERENT: u64 = 4;
    const LEFT: u64 = 5;
    let mut costs = vec![vec![0u64; m.saturating_add(1)]; n.saturating_add(1)];
    let mut fits = vec![vec![false; m]; n];
    let cost = |costs: &Vec<Vec<u64>>, i: usize, k: usize| {
        costs.get(i).and_then(|row| row.get(k)).copied().unwrap_or(0)
    };
    for i in (0..=n).rev() {
        for k in (0..=m).rev() {
            let best = match (e.get(i), f.get(k)) {
                (None, None) => 0,
                (Some(_), None) => cost(&costs, i.saturating_add(1), k).saturating_add(LEFT),
                (None, Some(_)) => cost(&costs, i, k.saturating_add(1)).saturating_add(LEFT),
                (Some(a), Some(b)) => {
                    let fit = c.fits(a, b, orders);
                    if let Some(place) = fits.get_mut(i).and_then(|row| row.get_mut(k)) {
                        *place = fit;
                    }
                    let price = if fit { 0 } else { DIFFERENT };
                    let both = cost(&costs, i.saturating_add(1), k.saturating_add(1)).saturating_add(price);
                    let one = cost(&costs, i.saturating_add(1), k).min(cost(&costs, i, k.saturating_add(1)));
                    both.min(one.saturating_add(LEFT))
                }
            };
            if let Some(place) = costs.get_mut(i).and_then(|row| row.get_mut(k)) {
                *place = best;
            }
        }
    }
    let (mut i, mut k, mut list) = (0usize, 0usize, Vec::new());
    while i < n || k < m {
        let here = cost(&costs, i, k);
        let price =
            if fits.get(i).and_then(|row| row.get(k)).is_some_and(|fit| *fit) { 0 } else { DIFFERENT };
        let both = cost(&costs, i.saturating_add(1), k.saturating_add(1)).saturating_add(price);
        if i < n && k < m && both == here {
            list.push(Pair::Both(i, k));
            (i, k) = (i.saturating_add(1), k.saturating_add(1));
        } else if i < n && cost(&costs, i.saturating_add(1), k).saturating_add(LEFT) == here {
            list.push(Pair::Missing(i));
            i = i.saturating_add(1);
        } else {
            list.push(Pair::Extra(k));
            k = k.saturating_add(1);
        }
    }
    list
}
