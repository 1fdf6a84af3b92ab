//! The fingerprint of a type while compiling: the same number that its schema has at run time.
//!
//! A shape has functions for what is inside it, so that a type may contain itself, and no constant can call them. So each
//! form and type that has something inside says it a second time, as a [`Tree`] of constants. Nothing evaluates them unless
//! the word `fingerprint` asks; a derived type says the trees of its fields only if it has the word.
//!
//! Every function of some size is `#[inline]`: it is rustc that runs them, so no machine code is made of them for the library.

mod described;
pub(crate) mod hash;
mod line;
pub(crate) mod literal;
mod notes;
#[cfg_attr(not(feature = "dynamic"), allow(dead_code, reason = "descriptions alone are read"))]
pub(crate) mod pieces;
pub(crate) mod text;
mod tree;
mod walk;

use super::Layout;
use crate::wire::{Endian, Part, Shape, VariantParts};
pub use described::{DescribedPart, described};
pub use text::ConstValue;
use text::{Constants, Text};
use walk::Problem;

/// What bytes are, with what is inside.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    shape: Shape,
    inner: Inner,
}

#[derive(Clone, Copy, Debug)]
enum Inner {
    /// Nothing, or nothing that is known.
    Unknown,
    /// One thing.
    One(&'static Tree),
    Record {
        own: Own,
        fields: Fields,
    },
    Choice {
        own: Own,
        front: &'static [Part],
        tag: Option<&'static Tree>,
        variants: &'static [VariantTree],
    },
}

/// What is known of a struct or enum itself.
#[derive(Clone, Copy, Debug)]
struct Own {
    /// Where it stands in the source, as other types may have its name.
    place: &'static str,
    /// A number that no other struct or enum has, of those that are part of one type.
    id: u64,
    /// Whether there are other types at this place, with other arguments.
    is_generic: bool,
    order: Option<Endian>,
    /// The names of what it is passed.
    parameters: &'static [&'static str],
    known: Constants,
}

impl Own {
    #[inline]
    const fn of<T: Layout>(place: &'static str, known: Constants) -> Self {
        Own { place, id: 0, is_generic: false, order: T::FACTS.fixed(), parameters: T::CTX, known }
    }
}

/// The parts of a struct or variant, the tree of each, and the constants in its expressions.
#[derive(Clone, Copy, Debug)]
struct Fields {
    parts: &'static [Part],
    trees: &'static [Tree],
    known: &'static [Constants],
}

/// A variant of an enum: the trees of its parts, the constants in their expressions, and those in its tags.
#[derive(Clone, Copy, Debug)]
pub struct VariantTree {
    parts: VariantParts,
    trees: &'static [Tree],
    known: &'static [Constants],
    tags: Constants,
}

impl VariantTree {
    /// Of these.
    #[inline]
    pub const fn new(
        parts: VariantParts,
        trees: &'static [Tree],
        known: &'static [Constants],
        tags: Constants,
    ) -> Self {
        VariantTree { parts, trees, known, tags }
    }
}

impl Tree {
    /// Bytes that their part explains.
    pub const BYTES: Tree = Tree::of(Shape::Opaque);

    /// A shape in which nothing is.
    #[inline]
    pub const fn of(shape: Shape) -> Tree {
        Tree { shape, inner: Inner::Unknown }
    }

    /// A shape around something.
    #[inline]
    pub const fn around(shape: Shape, inner: &'static Tree) -> Tree {
        Tree { shape, inner: Inner::One(inner) }
    }

    /// A struct, or a tuple.
    #[inline]
    pub const fn record<T: Layout>(
        place: &'static str,
        trees: &'static [Tree],
        known: &'static [Constants],
        own: Constants,
    ) -> Tree {
        let own = Own::of::<T>(place, own);
        let tree = Tree {
            shape: T::SHAPE,
            inner: Inner::Record { own, fields: Fields { parts: T::PARTS, trees, known } },
        };
        tree.identified()
    }

    /// An enum.
    #[inline]
    pub const fn choice<T: Layout>(
        place: &'static str,
        tag: Option<&'static Tree>,
        variants: &'static [VariantTree],
        own: Constants,
    ) -> Tree {
        let own = Own::of::<T>(place, own);
        let tree = Tree { shape: T::SHAPE, inner: Inner::Choice { own, front: T::PARTS, tag, variants } };
        tree.identified()
    }

    /// With its number, which is computed once, however often the type is part of others.
    #[inline]
    const fn identified(mut self) -> Tree {
        let id = walk::identity(&self);
        if let Inner::Record { own, .. } | Inner::Choice { own, .. } = &mut self.inner {
            own.id = id;
        }
        self
    }

    /// Of a type with parameters.
    #[must_use]
    #[inline]
    pub const fn of_parameters(mut self) -> Tree {
        if let Inner::Record { own, .. } | Inner::Choice { own, .. } = &mut self.inner {
            own.is_generic = true;
        }
        self
    }
}

/// Refuses a layout whose fingerprint is another.
#[inline]
pub const fn pinned(tree: &Tree, expected: u64, name: &str) {
    let mut said = Text::of(&["binfmt: "]);
    match walk::fingerprint(tree) {
        Ok(found) if found == expected => return,
        Ok(found) => {
            said.add(&[
                "the layout of `",
                name,
                "` is not that of its fingerprint: now it is `fingerprint = 0x",
            ]);
            said.hex(found);
            said.add(&["`"]);
        }
        Err(Problem::Missing(inside)) => {
            said.add(&[
                "`",
                inside,
                "` is part of `",
                name,
                "`, which has a fingerprint: add `#[binfmt(fingerprint)]` to it",
            ]);
        }
        Err(Problem::Part(what)) => said.add(&[
            "a part of `",
            name,
            "` has ",
            what,
            ", so its fingerprint is known at run time only: compare `SCHEMA.fingerprint()` in a test",
        ]),
    }
    panic!("{}", said.as_str())
}
