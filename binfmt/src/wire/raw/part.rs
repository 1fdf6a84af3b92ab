//! The list of a type's wire parts: made by the derive, read by constant functions here and by descriptions at run time.

#![allow(clippy::arithmetic_side_effects, reason = "places in a list of parts")]

use super::facts::{Facts, Sizes};
use super::shape::{Fixed, Known, Notes, Shape};
use crate::wire::amount::plus;

/// The type of a field whose only bytes hold no value.
const OWN: &str = "()";
const OWN_BYTES: &[u8] = OWN.as_bytes();

/// One part of a struct on the wire: a field, or bytes without one.
#[derive(Clone, Copy)]
pub struct Part {
    name: &'static str,
    ty: &'static str,
    sizes: Sizes,
    /// Whether decoding goes to the end of the input or region.
    takes_all: bool,
    /// Whether it goes there whatever the value is.
    leaves_none: bool,
    /// Whether its sizes are what somebody says of a codec of his own.
    is_claimed: bool,
    /// Whether all of it is written where it stands.
    is_in_place: bool,
    /// Always-present bytes that begin here, when this part begins a run of them; else 0.
    run: usize,
    shape: Shape,
    doc: &'static str,
    notes: Notes,
    /// Bytes beside a field that are there only under its condition.
    maybe: bool,
}

impl Part {
    /// No bytes: what a list is made of before its parts are put in.
    #[doc(hidden)]
    pub const NONE: Part = Part::new(("", ""), Sizes { head: 0, min: 0, max: 0 }, Shape::Opaque);

    pub(crate) const fn new((name, ty): (&'static str, &'static str), sizes: Sizes, shape: Shape) -> Part {
        let (doc, notes) = ("", &[]);
        Part {
            name,
            ty,
            sizes,
            takes_all: false,
            leaves_none: false,
            is_claimed: false,
            is_in_place: false,
            run: 0,
            shape,
            doc,
            notes,
            maybe: false,
        }
    }

    /// The same part under a name.
    pub(crate) const fn named(mut self, name: &'static str, ty: &'static str) -> Part {
        self.name = name;
        self.ty = ty;
        self
    }

    /// The same part, of a form with these facts.
    #[must_use]
    pub(crate) const fn of_facts<T>(mut self, facts: Facts<T>) -> Part {
        self.takes_all = facts.takes_all();
        self.leaves_none = facts.leaves_none();
        self.is_claimed = facts.is_claimed();
        self.is_in_place = facts.is_in_place();
        self
    }

    /// The bytes of a codec of the user's own, of which only the size is known.
    #[doc(hidden)]
    pub const fn wire(name: &'static str, ty: &'static str, min: usize, max: usize) -> Part {
        let head = if min == max { min } else { 0 };
        Part { is_claimed: true, ..Part::new((name, ty), Sizes { head, min, max }, Shape::Opaque) }
    }

    /// Bytes that must be these.
    #[doc(hidden)]
    pub const fn magic(name: &'static str, own: bool, bytes: &'static [u8]) -> Part {
        let n = bytes.len();
        Part::beside(name, own, (n, n, n), Shape::Magic { bytes })
    }

    /// A number that must be this one, in `n` bytes.
    #[doc(hidden)]
    pub const fn magic_num(name: &'static str, own: bool, value: &'static str, n: usize) -> Part {
        Part::beside(name, own, (n, n, n), Shape::MagicNumber { value, bytes: n as u8, known: None })
    }

    /// A constant that must be there, in `n` bytes.
    #[doc(hidden)]
    pub const fn magic_const(
        name: &'static str,
        own: bool,
        value: &'static str,
        n: usize,
        known: fn() -> Option<Fixed>,
    ) -> Part {
        Part::beside(name, own, (n, n, n), Shape::MagicNumber { value, bytes: n as u8, known: Some(known) })
    }

    /// That many bytes without a meaning.
    #[doc(hidden)]
    pub const fn pad(name: &'static str, own: bool, num: usize, fill: u8, strict: bool) -> Part {
        Part::beside(name, own, (num, num, num), Shape::Padding { num, fill, strict })
    }

    /// Bytes up to a multiple of `to`.
    #[doc(hidden)]
    pub const fn align(name: &'static str, own: bool, to: usize, fill: u8, strict: bool) -> Part {
        // that it is not 0 is checked beside the impls
        Part::beside(name, own, (0, 0, to.saturating_sub(1)), Shape::Alignment { to, fill, strict })
    }

    /// Bytes that hold no value. They are a field's own when it has no others, else they stand beside one.
    const fn beside(name: &'static str, own: bool, sizes: (usize, usize, usize), shape: Shape) -> Part {
        let ty = match shape {
            _ if own => OWN,
            Shape::Padding { .. } => "padding",
            Shape::Alignment { .. } => "alignment",
            _ => "magic",
        };
        let (head, min, max) = sizes;
        Part { is_in_place: true, ..Part::new((name, ty), Sizes { head, min, max }, shape) }
    }

    /// The same part, which is there only under a condition.
    #[doc(hidden)]
    #[must_use]
    pub const fn maybe(mut self) -> Part {
        self.sizes.head = 0;
        self.sizes.min = 0;
        self.maybe = true;
        self
    }

    /// The same part with its documentation.
    #[doc(hidden)]
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Part {
        self.doc = doc;
        self
    }

    /// The same part with what its attributes say in words.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_notes(mut self, notes: Notes) -> Part {
        self.notes = notes;
        self
    }

    /// The name on the wire: of the field, or of the word that makes the bytes (`pad`, `magic`).
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// struct Point { x: i32, y: i32 }
    /// assert_eq!(Point::PARTS[1].name(), "y");
    /// ```
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The Rust type as it stands in the source.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// struct Point { x: i32, y: i32 }
    /// assert_eq!(Point::PARTS[0].type_name(), "i32");
    /// ```
    pub const fn type_name(&self) -> &'static str {
        self.ty
    }

    /// The wire sizes of this part.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// struct Point { x: i32, y: i32 }
    /// assert_eq!(Point::PARTS[0].sizes().exact(), Some(4));
    /// ```
    pub const fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// What the bytes of this part are.
    #[doc(hidden)]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Its documentation.
    #[cfg(feature = "dynamic")]
    pub(crate) const fn text(&self) -> &'static str {
        self.doc
    }

    /// What its attributes say in words.
    pub(crate) const fn notes(&self) -> Notes {
        self.notes
    }

    /// Whether the bytes belong to no field: they stand beside one, or before all.
    pub(crate) const fn is_beside(&self) -> bool {
        let silent = matches!(
            self.shape,
            Shape::Magic { .. } | Shape::MagicNumber { .. } | Shape::Padding { .. } | Shape::Alignment { .. }
        );
        silent && !matches!(self.ty.as_bytes(), OWN_BYTES)
    }

    /// Whether the part is there only under a condition.
    pub(crate) const fn is_maybe(&self) -> bool {
        self.maybe || matches!(self.shape, Shape::Conditional { .. } | Shape::Tail { .. })
    }

    /// Whether the part goes to the end of the input or region.
    pub(crate) const fn takes_all(&self) -> bool {
        self.takes_all
    }

    pub(crate) const fn leaves_none(&self) -> bool {
        self.leaves_none
    }

    /// Whether its sizes are what somebody says of a codec of his own.
    pub(crate) const fn is_claimed(&self) -> bool {
        self.is_claimed
    }

    /// Whether all of it is known to be written where it stands.
    pub(crate) const fn is_in_place(&self) -> bool {
        self.is_in_place
    }

    /// Bytes of the run that begins here, 0 when none does.
    #[inline(always)]
    pub(crate) const fn run(&self) -> usize {
        self.run
    }
}

impl core::fmt::Debug for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Part")
            .field("name", &self.name)
            .field("type", &self.ty)
            .field("sizes", &self.sizes)
            .field("shape", &self.shape)
            .finish()
    }
}

/// Fills in where runs of always-present bytes begin: one check of the input serves a whole run.
///
/// A run goes through parts of fixed size and ends with the head of the first part that has none.
#[doc(hidden)]
pub const fn link<const N: usize>(mut parts: [Part; N]) -> [Part; N] {
    let mut i = 0;
    while i < N {
        let begins = i == 0 || parts[i - 1].sizes.exact().is_none();
        if begins {
            let mut n = 0usize;
            let mut k = i;
            while k < N {
                n = plus(n, parts[k].sizes.head);
                if parts[k].sizes.exact().is_none() {
                    break;
                }
                k += 1;
            }
            parts[i].run = n;
        }
        i += 1;
    }
    parts
}

/// One variant of an enum: its name and the parts after the tag.
#[derive(Clone, Copy, Debug)]
pub struct VariantParts {
    name: &'static str,
    tag: &'static str,
    parts: &'static [Part],
    notes: Notes,
    known: Known,
}

impl VariantParts {
    #[doc(hidden)]
    pub const fn new(name: &'static str, tag: &'static str, parts: &'static [Part]) -> Self {
        VariantParts { name, tag, parts, notes: &[], known: &[] }
    }

    /// The same variant with what its attributes say in words.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_notes(mut self, notes: Notes) -> Self {
        self.notes = notes;
        self
    }

    /// The same variant with the constants in its tags.
    #[doc(hidden)]
    #[must_use]
    pub const fn known(mut self, known: Known) -> Self {
        self.known = known;
        self
    }

    /// The constants in its tags.
    #[cfg(feature = "dynamic")]
    pub(crate) const fn constants(&self) -> Known {
        self.known
    }

    /// The tags that choose it, as they stand in the source; `_` for whatever is left.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// #[binfmt(tag(u8))]
    /// enum Shape { Empty, #[binfmt(tag = 7)] Circle { radius: f32 } }
    /// assert_eq!(Shape::VARIANTS[1].tag(), "7");
    /// ```
    pub const fn tag(&self) -> &'static str {
        self.tag
    }

    /// What its attributes say in words.
    pub(crate) const fn notes(&self) -> Notes {
        self.notes
    }

    /// The name.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// #[binfmt(tag(u8))]
    /// enum Shape { Empty, Circle { radius: f32 } }
    /// assert_eq!(Shape::VARIANTS[1].name(), "Circle");
    /// ```
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The parts after the tag.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout};
    /// #[derive(BinFormat)]
    /// #[binfmt(tag(u8))]
    /// enum Shape { Empty, Circle { radius: f32 } }
    /// assert_eq!(Shape::VARIANTS[1].parts().len(), 1);
    /// ```
    #[inline(always)]
    pub const fn parts(&self) -> &'static [Part] {
        self.parts
    }
}
