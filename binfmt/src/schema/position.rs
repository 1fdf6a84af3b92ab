//! Which fields of two records belong together, where one of them has no names.
//!
//! Their order says it. Where the numbers of fields differ, those are left over that leave the fewest differences. A
//! struct inside a struct stands for its fields where that leaves fewer.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "numbers of fields in memory, and prices of a few for each"
)]

use super::align::nothing;
use super::check::DifferenceKind as Kind;
use super::compare::Comparison;
use super::item::{Item, items, joined};
use super::orders::Orders;
use super::types::Field;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Above this many pairs of fields the best fit is not looked for.
const MOST_PAIRS: usize = 1 << 14;
/// The price of two fields that differ, and of one that is left over: rather a difference than one field too many on
/// both sides.
const DIFFERENT: u64 = 4;
const LEFT: u64 = 5;

/// Compares them in order.
pub(super) fn by_position<'a: 't, 't>(c: &mut Comparison<'a>, e: &'t [Field], f: &[Field], orders: Orders) {
    let (e, f) = (items(e), items(f));
    let one_by_one = |c: &mut Comparison<'_>| {
        for (i, (e, f)) in e.iter().zip(&f).enumerate() {
            c.within(&label(e, i), |inner| inner.item(e, f, orders));
        }
    };
    if e.len() == f.len() && c.if_fits(one_by_one) {
        return;
    }
    if c.is_trial() {
        // that something differs is enough
        return c.push(Kind::Type, nothing(), nothing());
    }
    let e = flattened(c, e, &f, orders);
    for pair in Table::new(c, &e, &f, orders).pairs() {
        match pair {
            Pair::Both(i, k) => {
                c.within(&label(&e[i], i), |inner| inner.item(&e[i], &f[k], orders));
            }
            Pair::Missing(i) => {
                c.within(&label(&e[i], i), |inner| inner.push(Kind::Missing, e[i].words(), nothing()));
            }
            Pair::Extra(k) => {
                let name = format!("field {}", k + 1);
                c.within(&name, |inner| inner.push(Kind::Extra, nothing(), f[k].words()));
            }
        }
    }
}

/// What a message calls a field.
fn label<'a>(item: &'a Item<'_>, i: usize) -> Cow<'a, str> {
    match item.name.is_empty() {
        true => Cow::Owned(format!("field {}", i + 1)),
        false => Cow::Borrowed(&item.name),
    }
}

/// The fields, those that are records replaced by what is in them where that fits better.
fn flattened<'a: 't, 't>(
    c: &mut Comparison<'a>,
    mut items: Vec<Item<'t>>,
    f: &[Item<'_>],
    orders: Orders,
) -> Vec<Item<'t>> {
    // a type that holds itself has no last field
    let most = f.len() * 4 + 64;
    let mut price = Table::new(c, &items, f, orders).price();
    let mut i = 0usize;
    while price > 0
        && !c.is_late()
        && let Some(item) = items.get(i)
    {
        let parts = item.parts(c.expected);
        i += 1;
        let Some(parts) = parts.filter(|parts| parts.len() + items.len() <= most) else {
            continue;
        };
        let before = items.iter().take(i - 1).cloned();
        let other = before.chain(parts).chain(items.iter().skip(i).cloned()).fold(Vec::new(), joined);
        let new = Table::new(c, &other, f, orders).price();
        if new <= price {
            // its first field may be a record again
            (items, price, i) = (other, new, i - 1);
        }
    }
    items
}

/// What belongs to what.
enum Pair {
    Both(usize, usize),
    Missing(usize),
    Extra(usize),
}

/// The prices of all ways to pair fields.
struct Table {
    n: usize,
    m: usize,
    /// For each place the lowest price of what follows it, and whether the two fields there fit; row by row. Empty when
    /// there are too many pairs.
    cells: Vec<(u64, bool)>,
}

impl Table {
    fn new(c: &mut Comparison<'_>, e: &[Item<'_>], f: &[Item<'_>], orders: Orders) -> Self {
        let (n, m) = (e.len(), f.len());
        let mut table = Table { n, m, cells: Vec::new() };
        if n.checked_mul(m).is_none_or(|pairs| pairs > MOST_PAIRS) || c.is_late() {
            return table;
        }
        table.cells = vec![(0, false); (n + 1) * (m + 1)];
        for i in (0..=n).rev() {
            for k in (0..=m).rev() {
                let fit = match (e.get(i), f.get(k)) {
                    (Some(e), Some(f)) => c.fits(e, f, orders),
                    _ => false,
                };
                if c.is_late() {
                    table.cells.clear();
                    return table;
                }
                let price = [table.both(i, k, fit), table.left(i, k, 1, 0), table.left(i, k, 0, 1)];
                let price = price.into_iter().flatten().min().unwrap_or(0);
                let place = table.place(i, k);
                table.cells[place] = (price, fit);
            }
        }
        table
    }

    fn place(&self, i: usize, k: usize) -> usize {
        i * (self.m + 1) + k
    }

    fn at(&self, i: usize, k: usize) -> (u64, bool) {
        self.cells.get(self.place(i, k)).copied().unwrap_or((0, false))
    }

    /// The price from here when these two belong together.
    fn both(&self, i: usize, k: usize, fit: bool) -> Option<u64> {
        if i >= self.n || k >= self.m {
            return None;
        }
        let rest = self.at(i + 1, k + 1).0;
        Some(rest + if fit { 0 } else { DIFFERENT })
    }

    /// The price from here when one of them is left over.
    fn left(&self, i: usize, k: usize, ours: usize, theirs: usize) -> Option<u64> {
        let (i, k) = (i + ours, k + theirs);
        if i > self.n || k > self.m {
            return None;
        }
        Some(self.at(i, k).0 + LEFT)
    }

    fn price(&self) -> u64 {
        self.at(0, 0).0
    }

    /// The pairing of the lowest price.
    fn pairs(&self) -> Vec<Pair> {
        let (mut i, mut k, mut list) = (0usize, 0usize, Vec::new());
        while i < self.n || k < self.m {
            let (price, fit) = self.at(i, k);
            // without a table every field belongs to the one at its place
            let best =
                |other: Option<u64>| other.is_some_and(|other| other == price || self.cells.is_empty());
            if best(self.both(i, k, fit)) {
                list.push(Pair::Both(i, k));
                (i, k) = (i + 1, k + 1);
            } else if best(self.left(i, k, 1, 0)) {
                list.push(Pair::Missing(i));
                i += 1;
            } else {
                list.push(Pair::Extra(k));
                k += 1;
            }
        }
        list
    }
}
