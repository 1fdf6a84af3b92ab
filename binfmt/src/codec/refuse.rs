//! What is refused when compiling: sizes that differ from those that are said, types that take everything and are not last.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::Layout;
use super::fingerprint::text::Text;
use crate::wire::{Facts, Part, Sizes};

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
    assert!(
        !item.takes_all(),
        "binfmt: elements that take everything to the end: say where each of them ends: `length_prefixed(u32, in = bytes)` around the field in it, or `pad_to = ..`"
    );
}
