//! What is refused when compiling: sizes that differ from those that are said, types that take everything and are not last.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::Layout;
use super::fingerprint::ConstValue;
use super::fingerprint::text::Text;
use crate::wire::{Facts, Part, Sizes, VariantParts};
use core::marker::PhantomData;

/// `args(name = expr, ..)`, checked when compiling.
#[inline]
pub const fn assert_ctx(ctx: &[&str], args: &[&str]) {
    // what is left out has a default, or is missed by rustc
    let mut same = ctx.len() >= args.len();
    let mut i = 0;
    while same && i < args.len() {
        let (a, b) = (ctx[i].as_bytes(), args[i].as_bytes());
        // a default comes after the name
        same = a.len() == b.len() || (a.len() > b.len() && a[b.len()] == b' ');
        let mut k = 0;
        while same && k < b.len() {
            same = a[k] == b[k];
            k += 1;
        }
        i += 1;
    }
    assert!(
        same,
        "binfmt: `args(name = ..)`: the names must be those of the type's `ctx(..)`, in the same order"
    );
}

/// `size = N`, checked when compiling.
#[inline]
pub const fn assert_size(sizes: Sizes, size: usize) {
    let mut said = Text::of(&["binfmt: `size = "]);
    said.number(size);
    said.add(&["`: this type "]);
    match sizes.exact() {
        Some(n) if n == size => return,
        Some(n) => {
            said.add(&["takes "]);
            said.number(n);
            said.add(&[" bytes on the wire"]);
        }
        None => said.add(&["has no fixed size on the wire"]),
    }
    panic!("{}", said.as_str());
}

const fn int(n: i128) -> ConstValue {
    ConstValue::Int { negative: n < 0, amount: n.unsigned_abs() }
}

/// A pattern has all tags of a variant before it, or none, checked when compiling where there are constants among them. Each is the
/// name of the variant, and the first and last tag of each alternative.
#[inline]
pub const fn assert_apart(first: (&str, &[(i128, i128)]), later: (&str, &[(i128, i128)])) {
    let (mut shared, mut is_within) = (None, true);
    let mut i = 0;
    while i < first.1.len() {
        let (low, high) = first.1[i];
        is_within = is_within && has_all(later.1, low, high);
        let mut k = 0;
        while k < later.1.len() && shared.is_none() {
            let (from, to) = later.1[k];
            let (start, end) = (if from > low { from } else { low }, if to < high { to } else { high });
            if start <= end {
                shared = Some((start, end));
            }
            k += 1;
        }
        i += 1;
    }
    let (Some((start, end)), false) = (shared, is_within) else { return };
    let one = start == end;
    let mut said = Text::of(&["binfmt: `", later.0, if one { "` has the tag " } else { "` has the tags " }]);
    said.value(int(start));
    if !one {
        said.add(&["..="]);
        said.value(int(end));
    }
    said.add(&[
        if one { ", which is already a tag of `" } else { ", which are already tags of `" },
        first.0,
        "`",
    ]);
    panic!("{}", said.as_str());
}

/// Whether the ranges have every number from `low` to `high`.
const fn has_all(ranges: &[(i128, i128)], mut low: i128, high: i128) -> bool {
    loop {
        // the range that has the first of them and goes farthest
        let (mut end, mut k) = (None, 0);
        while k < ranges.len() {
            let (from, to) = ranges[k];
            if from <= low
                && low <= to
                && match end {
                    Some(end) => end < to,
                    None => true,
                }
            {
                end = Some(to);
            }
            k += 1;
        }
        match end {
            None => return false,
            Some(end) if end >= high => return true,
            Some(end) => low = end + 1,
        }
    }
}

/// Whether a `T` takes everything to the end of the input or region.
pub const fn takes_all<T: Layout>() -> bool {
    T::FACTS.takes_all()
}

/// Nothing stands after part `i` if it takes everything to the end, checked when compiling. With `boxed`, what the part's
/// box holds does.
#[inline]
pub const fn assert_last(parts: &[Part], i: usize, boxed: bool) {
    let first = &parts[i];
    if !first.takes_all() && !boxed {
        return;
    }
    let mut k = i + 1;
    while k < parts.len() {
        let next = &parts[k];
        // two conditions may exclude each other
        let either = first.is_maybe() && next.is_maybe();
        if next.sizes().max > 0 && !either {
            let said = Text::of(&[
                "binfmt: `",
                next.name(),
                "` comes after `",
                first.name(),
                "`, whose type takes everything to the end: put `",
                first.name(),
                "` last, or say where it ends: `length_prefixed(u32, in = bytes)` or `pad_to = ..`",
            ]);
            panic!("{}", said.as_str());
        }
        k += 1;
    }
}

/// The same for each of the parts.
#[inline]
pub(super) const fn assert_ends(parts: &[Part]) {
    let mut i = 0usize;
    while i < parts.len() {
        assert_last(parts, i, false);
        i += 1;
    }
}

/// What is in a region may leave a rest that is skipped.
pub(crate) const fn assert_leaves<T>(body: Facts<T>) {
    assert!(
        !body.leaves_none(),
        "binfmt: `rest = skip` around what takes everything to the end of the region: there is never anything to skip; leave it out: `region = ..`"
    );
}

/// No element of a sequence takes everything to the end: those after it could never be read.
#[inline]
pub(crate) const fn assert_item<T>(item: Facts<T>) {
    assert_ended(item.takes_all());
}

/// The same of what `ItemFacts::TAKES_ALL` says.
pub const fn assert_ended(takes_all: bool) {
    assert!(
        !takes_all,
        "binfmt: elements that take everything to the end: say where each of them ends: `length_prefixed(u32, in = bytes)` around the field in it, or `pad_to = ..`"
    );
}

/// The elements of a list, whose type may be none of this crate's: then another error says so.
pub struct ItemFacts<T>(PhantomData<T>);

impl<T: Layout> ItemFacts<T> {
    /// Whether one takes everything to the end of the input or region.
    pub const TAKES_ALL: bool = T::FACTS.takes_all();
    /// Its variants.
    pub const VARIANTS: &'static [VariantParts] = T::VARIANTS;
    /// What descriptions call its fields.
    pub const RENAMED: &'static [(&'static str, &'static str)] = T::RENAMED;
}

/// What [`ItemFacts`] says of other types.
pub trait NoItemFacts {
    /// Nothing is known.
    const TAKES_ALL: bool = false;
    /// Nothing is known.
    const VARIANTS: &'static [VariantParts] = &[];
    /// Nothing is known.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];
}

impl<T> NoItemFacts for ItemFacts<T> {}

/// The tags of an enum, as far as they are written as numbers, fit in so many bits.
pub const fn assert_tags(variants: &[VariantParts], bits: u32) {
    let mut k = 0;
    while k < variants.len() {
        let variant = &variants[k];
        if let Some(tag) = number(variant.tag().as_bytes())
            && bits < u64::BITS
            && tag >> bits > 0
        {
            let said = Text::of(&[
                "binfmt: the tag ",
                variant.tag(),
                " of `",
                variant.name(),
                "` does not fit in the bits of the field",
            ]);
            panic!("{}", said.as_str());
        }
        k += 1;
    }
}

/// A number in decimal digits.
const fn number(text: &[u8]) -> Option<u64> {
    let (mut n, mut i) = (0u64, 0);
    while i < text.len() {
        if !text[i].is_ascii_digit() || i > 18 {
            return None;
        }
        n = n * 10 + (text[i] - b'0') as u64;
        i += 1;
    }
    if i > 0 { Some(n) } else { None }
}
