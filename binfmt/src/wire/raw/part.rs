//! The list of a type's wire parts: made by the derive, read by constant functions here and by descriptions at run time.

use super::facts::{Nums, OPEN, Sizes};

/// One part of a struct on the wire: a field, or bytes without one.
#[derive(Clone, Copy)]
pub struct Part {
    name: &'static str,
    ty: &'static str,
    /// The place in memory; `OPEN` when the bytes are no field's memory.
    offset: usize,
    size: usize,
    nums: Nums,
    /// Always-present bytes that begin here, when this part begins a run of them; else 0.
    run: usize,
    shape: Shape,
}

impl Part {
    /// No bytes: what a list is made of before its parts are put in.
    #[doc(hidden)]
    pub const NONE: Part = Part::wire("", "", 0, 0);

    pub(crate) const fn new(
        (name, ty): (&'static str, &'static str),
        offset: usize,
        size: usize,
        nums: Nums,
        shape: Shape,
    ) -> Part {
        Part { name, ty, offset, size, nums, run: 0, shape }
    }

    /// The same part under a name, at a place in memory.
    pub(crate) const fn placed(mut self, name: &'static str, ty: &'static str, offset: usize) -> Part {
        self.name = name;
        self.ty = ty;
        self.offset = offset;
        self
    }

    /// Bytes of which only the size is known.
    #[doc(hidden)]
    pub const fn wire(name: &'static str, ty: &'static str, min: usize, max: usize) -> Part {
        let head = if min == max { min } else { 0 };
        let facts = super::facts::Facts::<()>::range(head, min, max);
        Part { name, ty, offset: OPEN, size: 0, nums: facts.nums(), run: 0, shape: Shape::Opaque }
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
        self.nums.sizes
    }

    /// What the bytes of this part are.
    ///
    /// ```
    /// use binfmt::{BinFormat, Layout, Shape};
    /// #[derive(BinFormat)]
    /// struct Point { x: i32, y: i32 }
    /// assert!(matches!(Point::PARTS[0].shape(), Shape::Int { bytes: 4, signed: true }));
    /// ```
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Bytes of the run that begins here, 0 when none does.
    #[inline(always)]
    pub(crate) const fn run(&self) -> usize {
        self.run
    }

    pub(super) const fn nums(&self) -> Nums {
        self.nums
    }

    pub(super) const fn in_memory(&self, at: usize, size: usize) -> bool {
        self.offset == at && self.size == size
    }
}

impl core::fmt::Debug for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Part")
            .field("name", &self.name)
            .field("type", &self.ty)
            .field("sizes", &self.nums.sizes)
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
        let begins = i == 0 || parts[i - 1].nums.sizes.exact().is_none();
        if begins {
            let mut n = 0usize;
            let mut k = i;
            while k < N {
                n = n.saturating_add(parts[k].nums.sizes.head);
                if parts[k].nums.sizes.exact().is_none() {
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

/// One variant of an enum: its name and the parts behind the tag.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    name: &'static str,
    parts: &'static [Part],
}

impl Variant {
    #[doc(hidden)]
    pub const fn new(name: &'static str, parts: &'static [Part]) -> Self {
        Variant { name, parts }
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

    /// The parts behind the tag.
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

/// What the bytes of a part are, as data: enough to compare a struct with the description in a file.
///
/// Inner shapes are functions, so that recursive types have one.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Shape {
    /// An integer of so many bytes.
    Int {
        /// Width in bytes.
        bytes: usize,
        /// Two's complement.
        signed: bool,
    },
    /// An IEEE 754 number of so many bytes.
    Float {
        /// Width in bytes.
        bytes: usize,
    },
    /// One byte, 0 or 1.
    Bool,
    /// Nothing.
    Unit,
    /// Text; what is around it says how long.
    Text,
    /// Bytes; what is around them says how long.
    Bytes,
    /// A struct.
    Record {
        /// Its name.
        name: &'static str,
        /// Its parts in wire order.
        parts: fn() -> &'static [Part],
    },
    /// An enum.
    Choice {
        /// Its name.
        name: &'static str,
        /// Its variants.
        variants: fn() -> &'static [Variant],
    },
    /// A fixed number of one thing.
    Array {
        /// How many.
        num: usize,
        /// Each.
        item: fn() -> Shape,
    },
    /// Any number of one thing; what is around says how many.
    Sequence {
        /// Each.
        item: fn() -> Shape,
    },
    /// A length, then so much of the body.
    Prefixed {
        /// Width of the length in bytes.
        bytes: usize,
        /// Whether the length may be negative on the wire (it is refused).
        signed: bool,
        /// Whether a NUL ends the body and counts.
        nul: bool,
        /// What follows.
        body: fn() -> Shape,
    },
    /// A body of a fixed number of bytes or elements, whatever its value.
    Fixed {
        /// How many.
        num: usize,
        /// What it holds.
        body: fn() -> Shape,
    },
    /// A presence byte, then the body.
    Nullable {
        /// The byte of a present value.
        present: u8,
        /// Smallest and largest code of a missing one.
        missing: (u8, u8),
        /// Whether zeros stand for a missing body.
        blank: bool,
        /// What follows.
        body: fn() -> Shape,
    },
    /// There only under a condition.
    Conditional {
        /// What is there then.
        body: fn() -> Shape,
    },
    /// Bytes that this description does not explain: padding, magic, a user's own codec.
    Opaque,
}

impl Shape {
    #[doc(hidden)]
    pub const fn record(name: &'static str, parts: fn() -> &'static [Part]) -> Self {
        Shape::Record { name, parts }
    }

    /// Whether this is one number.
    pub(crate) const fn is_scalar(self) -> bool {
        matches!(self, Shape::Int { .. } | Shape::Float { .. } | Shape::Bool)
    }

    #[doc(hidden)]
    pub const fn choice(name: &'static str, variants: fn() -> &'static [Variant]) -> Self {
        Shape::Choice { name, variants }
    }
}

impl core::fmt::Debug for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Shape::Int { bytes, signed } => {
                write!(f, "{}{}", if *signed { 'i' } else { 'u' }, bytes.saturating_mul(8))
            }
            Shape::Float { bytes } => write!(f, "f{}", bytes.saturating_mul(8)),
            Shape::Bool => f.write_str("bool"),
            Shape::Unit => f.write_str("()"),
            Shape::Text => f.write_str("text"),
            Shape::Bytes => f.write_str("bytes"),
            Shape::Record { name, .. } | Shape::Choice { name, .. } => f.write_str(name),
            Shape::Array { num, item } => write!(f, "[{:?}; {num}]", item()),
            Shape::Sequence { item } => write!(f, "[{:?}]", item()),
            Shape::Prefixed { bytes, signed, nul, body } => {
                let sign = if *signed { 'i' } else { 'u' };
                write!(
                    f,
                    "prefixed({sign}{}{}, {:?})",
                    bytes.saturating_mul(8),
                    if *nul { ", nul" } else { "" },
                    body()
                )
            }
            Shape::Fixed { num, body } => write!(f, "fixed({num}, {:?})", body()),
            Shape::Nullable { body, .. } => write!(f, "nullable({:?})", body()),
            Shape::Conditional { body } => write!(f, "if({:?})", body()),
            Shape::Opaque => f.write_str("opaque"),
        }
    }
}
