//! What is refused when compiling: sizes that differ from those that are said, types that take everything and are not last.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::Layout;
use crate::wire::{Facts, Part, Sizes};

/// `args(name = expr, ..)`, checked when compiling.
pub const fn assert_ctx(ctx: &[&str], args: &[&str]) {
    let mut same = ctx.len() == args.len();
    let mut i = 0;
    while same && i < ctx.len() {
        let (a, b) = (ctx[i].as_bytes(), args[i].as_bytes());
        same = a.len() == b.len();
        let mut k = 0;
        while same && k < a.len() {
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
pub const fn assert_size(sizes: Sizes, size: usize) {
    let said = Text::new().add("binfmt: `size = ").number(size).add("`: ");
    let said = match sizes.exact() {
        Some(n) if n == size => return,
        Some(n) => said.add("this type takes ").number(n).add(" bytes on the wire"),
        None => said.add("this type has no fixed size on the wire"),
    };
    panic!("{}", said.as_str());
}

/// Whether a `T` takes everything to the end of the input or region.
pub const fn takes_all<T: Layout>() -> bool {
    T::FACTS.takes_all()
}

/// Nothing stands after part `i` if it takes everything to the end, checked when compiling. With `boxed`, what the part's
/// box holds does.
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
            let said = Text::new().add("binfmt: `").add(next.name()).add("` comes after `").add(first.name());
            let said = said.add("`, whose type takes everything to the end: put `").add(first.name());
            let said =
                said.add("` last, or say where it ends: `length_prefixed(u32, in = bytes)` or `pad_to = ..`");
            panic!("{}", said.as_str());
        }
        k += 1;
    }
}

/// The same for each of the parts.
pub(super) const fn assert_ends(parts: &[Part]) {
    let mut i = 0usize;
    while i < parts.len() {
        assert_last(parts, i, false);
        i += 1;
    }
}

/// No element of a sequence takes everything to the end: those after it could never be read.
pub(crate) const fn assert_item<T>(item: Facts<T>) {
    assert!(
        !item.takes_all(),
        "binfmt: elements that take everything to the end: say where each of them ends: `length_prefixed(u32, in = bytes)` around the field in it, or `pad_to = ..`"
    );
}

/// A text that is put together while compiling.
struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    const fn new() -> Self {
        Text { bytes: [0; 512], len: 0 }
    }

    /// What does not fit is left out.
    const fn add(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0usize;
        while i < text.len() && self.len + text.len() - i <= self.bytes.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    const fn number(mut self, n: usize) -> Self {
        let mut unit = 1usize;
        while n / unit >= 10 {
            unit *= 10;
        }
        while unit > 0 && self.len < self.bytes.len() {
            self.bytes[self.len] = b'0' + (n / unit % 10) as u8;
            self.len += 1;
            unit /= 10;
        }
        self
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
