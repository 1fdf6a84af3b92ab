//! The comparison of two descriptions, type by type.
//!
//! The same bytes may be described in several ways: a list of bytes or bytes, an array or fields of one type, a struct inside a
//! struct or its fields. So types are compared by what they read and not by whether they are equal. All differences are gathered,
//! because they help to adapt a struct to a file only when they are seen together, and each is reported at the innermost place that has it.

use super::DEEPEST;
use super::align::by_name;
use super::anatomy::{Anatomy, Room};
use super::check::{Difference, DifferenceKind as Kind};
use super::expr::constant;
use super::integer::Integer;
use super::item::Item;
use super::orders::{Order, Orders, order_text};
use super::position::by_position;
use super::size::Measured;
use super::text::Words;
use super::types::{Choice, Description, Extent, Field, Record, Tag, Type, Variant};
use crate::wire::{Encoding, Unit};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem::discriminant;

/// More differences than these help no one.
const MOST: usize = 1000;
/// After this many comparisons of two types no better pairing of fields is looked for.
const MOST_WORK: usize = 1 << 20;

/// Everything in which the two differ.
pub(super) fn differences(expected: &Description, found: &Description) -> Vec<Difference> {
    let mut comparison = Comparison {
        expected,
        found,
        sizes: (Measured::new(expected), Measured::new(found)),
        path: String::new(),
        list: Vec::new(),
        same: BTreeSet::new(),
        work: 0,
        depth: (0, 0),
        later: Vec::new(),
        trial: None,
    };
    let mut orders = Orders::default();
    let (f, _) = peel(found, &found.root, &mut orders.found);
    let whole = expected.resolve(&expected.root);
    match f {
        // a file of one column is read as values, too
        Type::Record(f) if f.name.is_empty() && !matches!(whole, Some(Type::Record(_))) => {
            orders.found.set(f.order.as_ref(), Some(0));
            let only = [Field::new("", expected.root.clone())];
            comparison.fields(&only, &f.fields, false, orders);
        }
        _ => {
            let (e, f) = (Item::of_type(&expected.root), Item::of_type(&found.root));
            comparison.item(&e, &f, orders);
        }
    }
    while !comparison.later.is_empty() {
        for later in core::mem::take(&mut comparison.later) {
            comparison.later(later);
        }
    }
    comparison.list
}

/// What is wrong with a field; the texts where those of the whole field do not say it.
pub(super) struct Mismatch {
    kind: Kind,
    texts: Option<(String, String)>,
}

fn mismatch(kind: Kind) -> Option<Mismatch> {
    Some(Mismatch { kind, texts: None })
}

/// Two types that are in so many others that they are compared when those are done.
struct Later {
    e: Type,
    f: Type,
    orders: Orders,
    path: String,
    depth: u32,
}

/// So many types in each other are on the stack.
const ON_STACK: u32 = 24;

/// Types inside as many others as are followed.
#[cold]
fn too_deep(e: &Type, f: &Type) -> Option<Mismatch> {
    let (e, f) = (Words::of(e, true), Words::of(f, true));
    let found = format!("{f}, inside {DEEPEST} other types: deeper ones are not compared");
    Some(Mismatch { kind: Kind::Type, texts: Some((e.to_string(), found)) })
}

pub(super) struct Comparison<'a> {
    pub(super) expected: &'a Description,
    pub(super) found: &'a Description,
    sizes: (Measured<'a>, Measured<'a>),
    path: String,
    pub(super) list: Vec<Difference>,
    /// Pairs of named types, with their byte orders, that are equal or are being compared.
    same: BTreeSet<(String, String, Option<bool>, Option<bool>)>,
    /// How often two types were compared.
    work: usize,
    /// How many types the two at hand are in, and of those the ones that are not on the stack.
    depth: (u32, u32),
    /// What is compared when nothing is on the stack.
    later: Vec<Later>,
    /// In a trial the length that the list had before.
    trial: Option<usize>,
}

impl Comparison<'_> {
    pub(super) fn push(&mut self, kind: Kind, expected: String, found: String) {
        let path = self.path.clone();
        self.push_at(&path, kind, expected, found);
    }

    fn push_at(&mut self, path: &str, kind: Kind, expected: String, found: String) {
        if self.list.len() < MOST {
            self.list.push(Difference::new(path, kind, expected, found));
        }
    }

    /// Goes on inside a field.
    pub(super) fn within(&mut self, step: &str, go: impl FnOnce(&mut Self)) {
        let len = self.path.len();
        if len > 0 && !step.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(step);
        go(self);
        self.path.truncate(len);
    }

    /// Two fields that belong together.
    pub(super) fn item(&mut self, e: &Item<'_>, f: &Item<'_>, orders: Orders) {
        if let Some(Mismatch { kind, texts }) = self.types(&e.ordered(), &f.ordered(), orders) {
            let (expected, found) = texts.unwrap_or_else(|| (e.words(), f.words()));
            self.push(kind, expected, found);
        }
    }

    /// Whether two fields fit, apart from their byte order.
    pub(super) fn fits(&mut self, e: &Item<'_>, f: &Item<'_>, orders: Orders) -> bool {
        let (before, later) = (core::mem::take(&mut self.list), self.later.len());
        let fits = self.if_fits(|trial| trial.item(e, f, orders));
        self.list = before;
        self.later.truncate(later);
        fits
    }

    /// Compares, but keeps what is found only if it is nothing but byte orders.
    pub(super) fn if_fits(&mut self, go: impl FnOnce(&mut Self)) -> bool {
        let (outer, later) = (self.trial.replace(self.list.len()), self.later.len());
        go(self);
        let fits = !self.has_failed();
        if let Some(before) = core::mem::replace(&mut self.trial, outer)
            && !fits
        {
            self.list.truncate(before);
            self.later.truncate(later);
        }
        fits
    }

    /// Whether this is a trial: only whether there is a difference counts.
    pub(super) fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Whether a trial has found a difference already.
    fn has_failed(&self) -> bool {
        let fails = |difference: &Difference| difference.kind() != Kind::ByteOrder;
        self.trial.is_some_and(|before| self.list.iter().skip(before).any(fails))
    }

    /// Whether there is no more time to look for the best pairing of fields.
    pub(super) fn is_late(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Two types; what differs inside records is put into the list at once.
    fn types(&mut self, e: &Type, f: &Type, mut orders: Orders) -> Option<Mismatch> {
        self.work = self.work.wrapping_add(1);
        // of a type of hostile size enough has been said
        if self.list.len() >= MOST || self.has_failed() {
            return None;
        }
        let (depth, before) = self.depth;
        if depth >= DEEPEST {
            return too_deep(e, f);
        }
        if depth.wrapping_sub(before) >= ON_STACK {
            let (e, f, path) = (e.clone(), f.clone(), self.path.clone());
            self.later.push(Later { e, f, orders, path, depth });
            return None;
        }
        self.depth.0 = depth.wrapping_add(1);
        let (e, e_name) = peel(self.expected, e, &mut orders.expected);
        let (f, f_name) = peel(self.found, f, &mut orders.found);
        let mismatch = match e_name.zip(f_name) {
            Some(names) => self.named(names, (e, f), orders),
            None => self.peeled(e, f, orders),
        };
        self.depth.0 = depth;
        mismatch
    }

    /// Compares what was put off.
    fn later(&mut self, Later { e, f, orders, path, depth }: Later) {
        (self.path, self.depth) = (path, (depth, depth));
        if let Some(Mismatch { kind, texts }) = self.types(&e, &f, orders) {
            let (expected, found) = texts.unwrap_or_else(|| (words(&e, "", true), words(&f, "", true)));
            self.push(kind, expected, found);
        }
    }

    /// Two types with names, which are compared once.
    fn named(&mut self, names: (&str, &str), (e, f): (&Type, &Type), orders: Orders) -> Option<Mismatch> {
        let key = (names.0.to_owned(), names.1.to_owned(), orders.expected.little, orders.found.little);
        if !self.same.insert(key.clone()) {
            return None;
        }
        let before = self.list.len();
        let mismatch = self.peeled(e, f, orders);
        if mismatch.is_some() || self.list.len() > before {
            // told again at the next place
            self.same.remove(&key);
        }
        mismatch
    }

    fn peeled(&mut self, e: &Type, f: &Type, orders: Orders) -> Option<Mismatch> {
        match (e, f) {
            (Type::Record(e), Type::Record(f)) => {
                self.records(e, f, orders);
                None
            }
            (Type::Choice(e), Type::Choice(f)) => self.choices(e, f, orders),
            // bytes that one side does not explain are only counted
            (Type::Opaque { .. }, _) | (_, Type::Opaque { .. }) => self.opaque(e, f),
            (Type::Magic { value: n }, Type::Magic { value }) if n != value => mismatch(Kind::Value),
            (Type::Named(e), Type::Named(f)) if e != f => mismatch(Kind::Type),
            (Type::List { .. }, Type::List { .. }) => self.lists(e, f, orders),
            (Type::Text { .. }, Type::Text { .. }) => self.bytes(e, f, orders),
            _ if discriminant(e) == discriminant(f) => self.alike(&e.anatomy(), &f.anatomy(), orders),
            (Type::Nullable { .. } | Type::Conditional { .. }, _)
            | (_, Type::Nullable { .. } | Type::Conditional { .. }) => mismatch(Kind::Presence),
            // what is taken off may be left by one side, for which it is text as well
            (Type::Trimmed { body, .. }, f) => self.types(body, f, orders),
            (e, Type::Trimmed { body, .. }) => self.types(e, body, orders),
            (Type::Shaped { .. }, _) | (_, Type::Shaped { .. }) => match (as_list(e), as_list(f)) {
                (Some(e), None) => self.lists(&e, f, orders),
                (None, Some(f)) => self.lists(e, &f, orders),
                _ => mismatch(Kind::Type),
            },
            (Type::Record(record), _) if is_newtype(record) => {
                let mut orders = orders;
                orders.expected.set(record.order.as_ref(), None);
                record.fields.iter().find_map(|only| self.types(&only.ty, f, orders))
            }
            (Type::List { .. }, _) | (_, Type::List { .. }) => self.lists(e, f, orders),
            (Type::Text { .. } | Type::Bytes { .. }, _) | (_, Type::Text { .. } | Type::Bytes { .. }) => {
                self.bytes(e, f, orders)
            }
            // every byte is a u8
            (Type::Int { bytes: 1, signed: false }, Type::Bool { .. }) => None,
            _ => mismatch(Kind::Type),
        }
    }

    /// Two types of one kind.
    fn alike(&mut self, e: &Anatomy<'_>, f: &Anatomy<'_>, orders: Orders) -> Option<Mismatch> {
        let order = if e.is_ordered && f.is_ordered { self.order(orders) } else { None };
        if !e.signature.is_like(&f.signature) {
            return mismatch(e.differs);
        }
        let extents = e.extent.zip(f.extent).and_then(|(e, f)| self.extents(e, f, orders));
        order.or(extents).or_else(|| {
            let (e_body, f_body) = e.body.zip(f.body)?;
            match e.room {
                Room::Dimensions(_) => self.element(e_body, f_body, orders),
                _ => self.types(e_body, f_body, orders),
            }
        })
    }

    /// The byte order where it matters: a difference of two records is told once, at the inner one.
    fn order(&mut self, Orders { expected, found }: Orders) -> Option<Mismatch> {
        let (Some(e), Some(f)) = (expected.little, found.little) else { return None };
        if e == f {
            return None;
        }
        let texts = (order_text(Some(e)), order_text(Some(f)));
        match (expected.at, found.at) {
            (Some(a), Some(b)) => {
                let path = self.path[..a.max(b)].to_owned();
                let told = |d: &Difference| d.kind() == Kind::ByteOrder && d.path() == path;
                if !self.list.iter().any(told) {
                    self.push_at(&path, Kind::ByteOrder, texts.0, texts.1);
                }
                None
            }
            _ => Some(Mismatch { kind: Kind::ByteOrder, texts: Some(texts) }),
        }
    }

    fn extents(&mut self, e: &Extent, f: &Extent, orders: Orders) -> Option<Mismatch> {
        let same = match (e, f) {
            (Extent::Prefixed { len: n, inclusive: i, .. }, Extent::Prefixed { len, inclusive, .. }) => {
                if let (Integer::Fixed { bytes: n @ 2.., .. }, Integer::Fixed { bytes, .. }) = (n, len)
                    && n == bytes
                    && let Some(order) = self.order(orders)
                {
                    return Some(order);
                }
                same_integer(n, len) && i == inclusive
            }
            // what an expression means is known only where it stands, unless it is a number
            (Extent::Expr(_) | Extent::Fixed(_), Extent::Expr(_) | Extent::Fixed(_))
                if fixed(e).is_some() && fixed(f).is_some() =>
            {
                fixed(e) == fixed(f)
            }
            (Extent::Expr(_), Extent::Expr(_))
            | (Extent::Each(_) | Extent::Expr(_), Extent::Each(_))
            | (Extent::Each(_), Extent::Expr(_))
            | (Extent::Until(_), Extent::Until(_)) => true,
            (e, f) => e == f,
        };
        if same { None } else { mismatch(Kind::Extent) }
    }

    fn opaque(&mut self, e: &Type, f: &Type) -> Option<Mismatch> {
        let (n, m) = (self.sizes.0.of(e), self.sizes.1.of(f));
        let fits = match (e, f) {
            // what nothing explains is not a field of a struct, unless its size is known
            (e, Type::Opaque { by, .. }) => {
                m.exact().is_some() && m.exact() == n.exact()
                    || matches!(e, Type::Opaque { by: own, .. } if own == by)
            }
            _ => m.max >= n.min && n.max >= m.min,
        };
        if fits { None } else { mismatch(Kind::Type) }
    }

    /// Elements of lists: what differs in one differs in all.
    fn element(&mut self, e: &Type, f: &Type, orders: Orders) -> Option<Mismatch> {
        let mut mismatch = None;
        self.within("[]", |inner| mismatch = inner.types(e, f, orders));
        mismatch
    }

    fn lists(&mut self, e: &Type, f: &Type, orders: Orders) -> Option<Mismatch> {
        match (e, f) {
            (Type::List { item: e, len: n }, Type::List { item: f, len }) => {
                let extent = self.extents(n, len, orders);
                self.element(e, f, orders).or(extent)
            }
            // elements of one byte are bytes
            (Type::List { item, len: n }, Type::Bytes { len })
            | (Type::Bytes { len }, Type::List { item, len: n })
                if matches!(**item, Type::Int { bytes: 1, .. }) =>
            {
                self.extents(n, len, orders)
            }
            // a fixed number of one thing, field by field
            (Type::List { item, len: Extent::Fixed(n) }, Type::Record(record))
                if record.fields.len() as u64 == *n =>
            {
                record.fields.iter().find_map(|field| self.types(item, &field.ty, orders))
            }
            (_, Type::Text { len: Extent::Fixed(_), .. } | Type::Bytes { len: Extent::Fixed(_) }) => {
                self.bytes(e, f, orders)
            }
            _ => mismatch(Kind::Type),
        }
    }

    /// Text and bytes: each may be read as the other.
    fn bytes(&mut self, e: &Type, f: &Type, orders: Orders) -> Option<Mismatch> {
        let parts = |ty: &Type| match ty {
            Type::Text { encoding, nul, len } => Some((*encoding, *nul, len.clone())),
            Type::Bytes { len } => Some((Encoding::Any, false, len.clone())),
            _ => None,
        };
        let Some((found, nul, len)) = parts(f) else { return mismatch(Kind::Type) };
        let Some((expected, own_nul, own_len)) = parts(e) else {
            // that many bytes may be a struct or an array of the same size
            let whole =
                matches!(e, Type::Record(_) | Type::List { .. } | Type::Padded { .. } | Type::Choice(_));
            let same = matches!(len, Extent::Fixed(n) if self.sizes.0.of(e).exact().is_some_and(|all| all as u64 == n));
            return if whole && same { None } else { mismatch(Kind::Type) };
        };
        if let Some(mismatch) = self.extents(&own_len, &len, orders) {
            return Some(mismatch);
        }
        // in a fixed number of bytes a NUL says only where the text ends
        if nul != own_nul && !matches!(len, Extent::Fixed(_)) {
            return mismatch(Kind::Extent);
        }
        let bytes = |encoding: Encoding| encoding.unit() == Unit::BYTE;
        let any = matches!((expected, found), (Encoding::Any, _) | (_, Encoding::Any));
        let readable = expected == found
            || (any && bytes(expected) && bytes(found))
            || (expected, found) == (Encoding::Utf8, Encoding::Ascii);
        if readable { None } else { mismatch(Kind::Type) }
    }

    fn records(&mut self, e: &Record, f: &Record, mut orders: Orders) {
        let at = Some(self.path.len());
        orders.expected.set(e.order.as_ref(), at);
        orders.found.set(f.order.as_ref(), at);
        // what holds for a field from outside holds for all that is in it
        orders.expected.at = orders.expected.at.or(at);
        orders.found.at = orders.found.at.or(at);
        let by_name = has_names(&e.name, &e.fields) && has_names(&f.name, &f.fields);
        self.fields(&e.fields, &f.fields, by_name, orders);
    }

    fn fields(&mut self, e: &[Field], f: &[Field], named: bool, orders: Orders) {
        match named {
            true => by_name(self, e, f, orders),
            false => by_position(self, e, f, orders),
        }
    }

    fn choices(&mut self, e: &Choice, f: &Choice, mut orders: Orders) -> Option<Mismatch> {
        let at = Some(self.path.len());
        orders.expected.set(e.order.as_ref(), at);
        orders.found.set(f.order.as_ref(), at);
        if e.magic != f.magic {
            return mismatch(Kind::Value);
        }
        let tag = match (&e.tag, &f.tag) {
            (Tag::Front(e), Tag::Front(f)) => self.types(e, f, orders),
            (Tag::Expr(_), Tag::Expr(_)) => None,
            (Tag::Untagged, Tag::Untagged) => {
                let (own, others) = (common(e, f), common(f, e));
                if own != others {
                    self.push(Kind::Order, own, others);
                }
                None
            }
            _ => mismatch(Kind::Type),
        };
        let (ours, theirs) = (by_names(e), by_names(f));
        for variant in &e.variants {
            let other = theirs.get(variant.name.as_str());
            self.within(&variant.name, |inner| match other {
                None => inner.push(Kind::Missing, format!("tag {}", variant.tag), "nothing".to_owned()),
                Some(other) => {
                    if number(&variant.tag) != number(&other.tag) {
                        inner.push(Kind::Value, format!("tag {}", variant.tag), format!("tag {}", other.tag));
                    }
                    let by_name =
                        has_names(&variant.name, &variant.fields) && has_names(&other.name, &other.fields);
                    inner.fields(&variant.fields, &other.fields, by_name, orders);
                }
            });
        }
        for other in &f.variants {
            if !ours.contains_key(other.name.as_str()) {
                let tag = format!("tag {}", other.tag);
                self.within(&other.name, |inner| inner.push(Kind::Extra, "nothing".to_owned(), tag));
            }
        }
        tag
    }
}

/// The variants of a choice by their names; of two with one name the first.
fn by_names(choice: &Choice) -> BTreeMap<&str, &Variant> {
    choice.variants.iter().rev().map(|variant| (variant.name.as_str(), variant)).collect()
}

/// The variants of a choice that are in another one, too, in the order in which they are tried.
fn common(of: &Choice, other: &Choice) -> String {
    let others = by_names(other);
    let is_there = |name: &&str| others.contains_key(name);
    let names = of.variants.iter().map(|variant| variant.name.as_str()).filter(is_there);
    format!("variants {}", names.collect::<Vec<_>>().join(", "))
}

/// An array of one dimension as a list after its length: the same bytes.
fn as_list(shaped: &Type) -> Option<Type> {
    match shaped {
        Type::Shaped { item, dim_bytes, dim_signed, rank: Extent::Fixed(1), .. } => {
            let len = Integer::Fixed { bytes: *dim_bytes, signed: *dim_signed };
            let len = Extent::Prefixed { len, max: None, inclusive: false };
            Some(Type::List { item: item.clone(), len })
        }
        _ => None,
    }
}

/// Whether two integers are written alike: how much of one of variable length a program takes changes no bytes.
fn same_integer(e: &Integer, f: &Integer) -> bool {
    match (e, f) {
        (Integer::Varint { code: e, .. }, Integer::Varint { code: f, .. }) => e == f,
        (e, f) => e == f,
    }
}

/// Whether this is a tuple of one field, whose bytes are those of the field.
fn is_newtype(record: &Record) -> bool {
    matches!(&record.fields[..], [only] if only.name == "0")
}

/// The number of an extent that is always the same.
fn fixed(len: &Extent) -> Option<i128> {
    match len {
        Extent::Fixed(n) => Some((*n).into()),
        Extent::Expr(text) => constant(text, 0).ok(),
        _ => None,
    }
}

/// A tag for comparison: its number where it is one.
fn number(tag: &str) -> String {
    let plain = tag.trim().replace('_', "");
    let hex = plain.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    hex.map_or_else(|| tag.trim().to_owned(), |n| n.to_string())
}

/// Whether the fields of a record have names: those of a tuple have numbers, and what a record without a name calls its
/// fields was made up.
fn has_names(record: &str, fields: &[Field]) -> bool {
    let mut fields = fields.iter().filter(|field| !field.name.is_empty()).enumerate();
    !record.is_empty() && !fields.all(|(i, field)| field.name == i.to_string())
}

/// The type below names and byte orders, and the last of the names.
fn peel<'a>(
    description: &'a Description,
    mut ty: &'a Type,
    order: &mut Order,
) -> (&'a Type, Option<&'a str>) {
    let mut name = None;
    // a definition that names itself has no type below
    for _ in 0..64 {
        match ty {
            Type::Named(to) => match description.definitions.get(to) {
                Some(found) => (ty, name) = (found, Some(to.as_str())),
                None => break,
            },
            Type::Ordered { order: own, body } => {
                order.set(Some(own), None);
                ty = body;
            }
            _ => break,
        }
    }
    (ty, name)
}

/// A type in words, after its name in the format or language.
pub(super) fn words(ty: &Type, native: &str, named: bool) -> String {
    let words = Words::of(ty, named).to_string();
    if native.is_empty() || native == words { words } else { format!("{native} ({words})") }
}
