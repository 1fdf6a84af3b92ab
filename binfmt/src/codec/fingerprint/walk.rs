//! The way through a type that its description goes at run time, as far as constants go.
#![allow(clippy::arithmetic_side_effects, reason = "places in lists, and types that were met")]

use super::hash::{Hash, end, kind};
use super::notes::{find, fixed_order, is_transparent, tag_order};
use super::text::{Constants, Text};
use super::{Fields, Inner, Own, Tree};
use crate::wire::{Bound, Encoding, Endian, IntShape, Note, Notes, Part, Shape, VariantParts};

/// The most structs and enums in one type.
const MOST: usize = 256;

/// Why a fingerprint is not known.
#[derive(Clone, Copy)]
pub(super) enum Problem {
    /// The type of this name does not say what is inside.
    Missing(&'static str),
    /// A part has this, which no constant says.
    Part(&'static str),
}

/// The fingerprint of a type.
#[inline]
pub(super) const fn fingerprint(tree: &Tree) -> Result<u64, Problem> {
    let mut walk = Walk { hash: Hash::start(), ..Walk::EMPTY };
    walk.ty(tree, tree.shape, Words::NONE);
    match walk.problem {
        Some(problem) => Err(problem),
        None => Ok(walk.hash.finish()),
    }
}

/// A number for a struct or enum that no other one has, of those that are part of one type.
#[inline]
pub(super) const fn identity(tree: &Tree) -> u64 {
    let mut alone = Walk { is_alone: true, ..Walk::EMPTY };
    if let Inner::Record { own, .. } | Inner::Choice { own, .. } = &tree.inner {
        alone.hash.text(own.place);
    }
    alone.content(tree);
    alone.hash.finish()
}

/// What stands beside a shape in words, with the values of constants.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) notes: Notes,
    pub(super) known: Constants,
}

impl Words {
    pub(super) const NONE: Words = Words { notes: &[], known: &[] };
}

struct Walk {
    hash: Hash,
    /// The structs and enums that were met, each as a number for what it is.
    met: [u64; MOST],
    num: usize,
    /// Whether this is about one type: those inside it are as good as their names.
    is_alone: bool,
    /// The first.
    problem: Option<Problem>,
}

impl Walk {
    const EMPTY: Walk = Walk { hash: Hash::EMPTY, met: [0; MOST], num: 0, is_alone: false, problem: None };

    const fn refuse(&mut self, problem: Problem) {
        if self.problem.is_none() {
            self.problem = Some(problem);
        }
    }

    #[inline]
    const fn ty(&mut self, tree: &Tree, shape: Shape, words: Words) {
        match shape {
            Shape::Unit => self.hash.byte(kind::UNIT),
            Shape::Int { bytes, signed } | Shape::NonZero { bytes, signed } => {
                self.hash.byte(kind::INT);
                self.hash.byte(bytes);
                self.hash.flag(signed);
            }
            Shape::Varint { code, bytes } => {
                self.hash.byte(kind::VARINT);
                self.hash.varint(code, bytes);
            }
            Shape::Float { bytes } => {
                self.hash.byte(kind::FLOAT);
                self.hash.byte(bytes);
            }
            Shape::Bool { lax } => {
                self.hash.byte(kind::BOOL);
                self.hash.flag(lax);
            }
            Shape::Record { notes, name, .. } => self.record(tree, name, notes),
            Shape::Choice { name, .. } => self.choice(tree, name),
            Shape::Padding { num, fill, strict } => self.padding(num, fill, strict),
            Shape::Alignment { to, fill, strict } => {
                self.hash.byte(kind::ALIGNMENT);
                self.hash.number(to as u64);
                self.hash.byte(fill);
                self.hash.flag(strict);
            }
            Shape::Magic { bytes } => {
                self.hash.byte(kind::MAGIC_BYTES);
                self.hash.bytes(bytes);
            }
            Shape::MagicNumber { value, bytes, .. } => self.magic(value, bytes, words.known),
            Shape::Foreign { .. } | Shape::Opaque => self.refuse(Problem::Part("a codec of its own")),
            Shape::Bounded { by, .. } => {
                self.bounded(inner(tree), by, matches!(by, Bound::Each | Bound::Until), words);
            }
            Shape::Array { num, .. } => self.items(inner(tree), Bound::Fixed(num), words),
            Shape::Text { .. } | Shape::Trimmed { .. } | Shape::Ignored | Shape::Sequence { .. } => {
                self.bounded(tree, Bound::ToEnd, false, words);
            }
            Shape::Region { .. }
            | Shape::Shaped { .. }
            | Shape::Bits { .. }
            | Shape::Nullable { .. }
            | Shape::At { .. }
            | Shape::Peeked { .. }
            | Shape::Processed { .. }
            | Shape::Tail { .. }
            | Shape::Conditional { .. }
            | Shape::Ordered { .. }
            | Shape::Padded { .. }
            | Shape::Boxed { .. } => self.around(tree, shape, words),
        }
    }

    /// What stands around another type.
    #[inline]
    const fn around(&mut self, tree: &Tree, shape: Shape, words: Words) {
        let mut of_items = words;
        match shape {
            Shape::Region { by, fill, .. } => {
                match fill {
                    Some(fill) => {
                        self.hash.byte(kind::VARINT);
                        self.hash.byte(fill);
                    }
                    None => self.hash.byte(kind::REGION),
                }
                self.extent(by, words);
            }
            Shape::Shaped { dim_bytes, dim_signed, rank, column_major, .. } => {
                self.hash.byte(kind::SHAPED);
                self.hash.byte(dim_bytes);
                self.hash.flag(dim_signed);
                self.hash.flag(column_major);
                match rank {
                    Some(n) => self.extent(Bound::Fixed(n), words),
                    None => self.expr(end::EXPR, words, Note::Rank),
                }
                of_items = Words::NONE;
            }
            Shape::Bits { bits, run, order, reserved, .. } => {
                self.hash.bits(bits, run, order);
                if let Some(strict) = reserved {
                    self.padding(0, 0, strict);
                    return;
                }
            }
            Shape::Nullable { present, missing, blank, .. } => {
                self.hash.byte(kind::NULLABLE);
                self.hash.all(&[present, missing.0, missing.1]);
                self.hash.flag(blank);
            }
            Shape::At { from, .. } => {
                self.expr(kind::AT, words, Note::At);
                self.hash.byte(from.code());
            }
            Shape::Peeked { .. } => self.hash.byte(kind::PEEKED),
            Shape::Processed { .. } if !matches!(tree.inner, Inner::One(_)) => {
                return self.refuse(Problem::Part("functions around a whole type"));
            }
            Shape::Processed { .. } => self.expr(kind::PROCESSED, words, Note::Process),
            Shape::Tail { .. } => self.hash.byte(kind::TAIL),
            Shape::Conditional { .. } => self.expr(kind::CONDITIONAL, words, Note::If),
            Shape::Ordered { little, .. } => {
                self.hash.byte(kind::ORDERED);
                match little {
                    Some(little) => {
                        self.hash.fixed_order(Some(if little { Endian::Little } else { Endian::Big }));
                    }
                    None => self.chosen_order(words),
                }
            }
            Shape::Padded { size, fill, strict, .. } => {
                self.hash.byte(kind::PADDED);
                self.hash.number(size as u64);
                self.hash.byte(fill);
                self.hash.flag(strict);
            }
            // a box is what it holds, and nothing else comes here
            _ => assert!(matches!(shape, Shape::Boxed { .. }), "binfmt: a shape that is not around anything"),
        }
        let body = inner(tree);
        self.ty(body, body.shape, of_items);
    }

    /// A body with its end; with `list` bytes stay elements.
    #[inline]
    const fn bounded(&mut self, body: &Tree, by: Bound, list: bool, words: Words) {
        match body.shape {
            Shape::Text { encoding: Encoding::Any, nul: false } => {
                self.hash.byte(kind::BYTES);
                self.extent(by, words);
            }
            Shape::Text { encoding, nul } => {
                self.hash.byte(kind::TEXT);
                self.hash.encoding(encoding);
                self.hash.flag(nul);
                self.extent(by, words);
            }
            Shape::Trimmed { byte, .. } => {
                self.hash.byte(kind::TRIMMED);
                self.hash.byte(byte);
                self.bounded(inner(body), by, list, words);
            }
            Shape::Ignored => {
                self.hash.byte(kind::PADDING);
                self.extent(by, words);
                self.hash.byte(0);
                self.hash.flag(false);
            }
            Shape::Sequence { .. } if list => {
                self.hash.byte(kind::LIST);
                self.extent(by, words);
                let item = inner(body);
                self.ty(item, item.shape, words);
            }
            Shape::Sequence { .. } => self.items(inner(body), by, words),
            shape => self.ty(body, shape, words),
        }
    }

    /// Elements one after the other; of single bytes, bytes.
    #[inline]
    const fn items(&mut self, item: &Tree, by: Bound, words: Words) {
        if is_byte(item) {
            self.hash.byte(kind::BYTES);
            self.extent(by, words);
        } else {
            self.hash.byte(kind::LIST);
            self.extent(by, words);
            self.ty(item, item.shape, words);
        }
    }

    const fn padding(&mut self, num: usize, fill: u8, strict: bool) {
        self.hash.byte(kind::PADDING);
        self.extent(Bound::Fixed(num), Words::NONE);
        self.hash.byte(fill);
        self.hash.flag(strict);
    }

    /// The magic before a tag.
    #[inline]
    const fn front(&mut self, shape: Shape) {
        match shape {
            Shape::Magic { bytes } => {
                self.hash.byte(kind::MAGIC_BYTES);
                self.hash.bytes(bytes);
            }
            Shape::MagicNumber { value, bytes, known: None } => self.magic(value, bytes, &[]),
            _ => self.refuse(Problem::Part("a magic before a tag that is a constant of another type")),
        }
    }

    #[inline]
    const fn magic(&mut self, value: &str, bytes: u8, known: Constants) {
        let mut text = Text::new();
        match constant("", known) {
            Some(super::ConstValue::Bytes(bytes)) => {
                self.hash.byte(kind::MAGIC_BYTES);
                return self.hash.bytes(bytes);
            }
            Some(number) => text.value(number),
            None => text.str(value),
        }
        self.hash.byte(kind::MAGIC_NUMBER);
        self.hash.bytes(text.as_bytes());
        self.hash.byte(bytes);
    }

    /// A number, then an expression in words.
    const fn expr(&mut self, code: u8, words: Words, note: Note) {
        self.hash.byte(code);
        let mut text = Text::new();
        if let Some(source) = find(words.notes, note) {
            text.with_values(source, words.known);
        }
        self.hash.bytes(text.as_bytes());
    }

    /// What a field passes to its type, as it stands between the brackets of `args` or after `tag_from =`.
    #[inline]
    const fn arguments(&mut self, words: Words) {
        let Some(rule) = find(words.notes, Note::Args) else { return };
        let mut text = Text::new();
        text.with_values(rule, words.known);
        self.hash.byte(kind::ARGS);
        self.hash.bytes(match text.as_bytes() {
            [b'a', b'r', b'g', b's', b'(', inside @ .., b')'] => inside,
            // tag_from =
            other => other.split_at(11).1,
        });
    }

    /// The expression that chooses a byte order.
    const fn chosen_order(&mut self, words: Words) {
        let mut text = Text::new();
        if let Some(source) = find(words.notes, Note::Endian) {
            text.with_values(source, words.known);
        }
        self.hash.chosen_order(text.as_str());
    }

    #[inline]
    const fn extent(&mut self, by: Bound, words: Words) {
        match by {
            Bound::Fixed(n) => {
                self.hash.byte(end::FIXED);
                self.hash.number(n as u64);
            }
            Bound::Prefixed { len, max, inclusive } => {
                match len {
                    IntShape::Fixed { bytes, signed } => {
                        self.hash.byte(end::PREFIXED);
                        self.hash.byte(bytes);
                        self.hash.flag(signed);
                    }
                    IntShape::Varint { code, bytes } => {
                        self.hash.byte(end::PREFIXED_VARINT);
                        self.hash.varint(code, bytes);
                    }
                    IntShape::Custom { .. } => {
                        self.refuse(Problem::Part("a length in a form of its own"));
                    }
                }
                self.hash.flag(inclusive);
                self.hash.maximum(if max == u64::MAX { None } else { Some(max) });
            }
            Bound::Counted => self.expr(end::EXPR, words, Note::Count),
            Bound::Sized => self.expr(end::EXPR, words, Note::Region),
            Bound::Each => self.expr(end::EACH, words, Note::Each),
            Bound::Until => self.expr(end::UNTIL, words, Note::Until),
            Bound::Terminated => {
                self.hash.byte(end::TERMINATED);
                self.hash.text("");
            }
            Bound::Ends(terminator) => {
                self.hash.byte(end::ENDS);
                let mut text = Text::new();
                text.terminator(&terminator);
                self.hash.bytes(text.as_bytes());
            }
            Bound::ToEnd => {
                self.hash.byte(end::TO_END);
                self.hash.text("");
            }
            Bound::Gaps => {
                self.hash.byte(end::GAPS);
                self.hash.text("");
            }
        }
    }

    /// Whether a struct or enum was met before; it is now.
    #[inline]
    const fn is_met(&mut self, tree: &Tree, name: &str, own: &Own) -> bool {
        if self.is_alone {
            self.hash.text(own.place);
            self.hash.text(name);
            // of one place and name there may be many types only if it has parameters
            return !own.is_generic;
        }
        let id = identity(tree);
        let mut i = 0;
        while i < self.num {
            if self.met[i] == id {
                self.hash.byte(kind::MET);
                self.hash.number(i as u64);
                return true;
            }
            i += 1;
        }
        assert!(self.num < MOST, "binfmt: too many types for a fingerprint that is known when compiling");
        self.met[self.num] = id;
        self.num += 1;
        false
    }

    #[inline]
    const fn record(&mut self, tree: &Tree, name: &'static str, notes: Notes) {
        let Inner::Record { own, fields } = &tree.inner else { return self.refuse(Problem::Missing(name)) };
        if name.is_empty() {
            return self.content(tree);
        }
        // no definition: bytes without a value stand where they are
        if is_transparent(notes) && is_silent(&fields.trees[0], fields.parts[0].shape()) {
            return self.content(tree);
        }
        if is_transparent(notes) && !has_order(own, notes) && is_named(&fields.trees[0]) {
            return self.field(&fields.parts[0], &fields.trees[0], known_of(fields, 0));
        }
        if !self.is_met(tree, name, own) {
            self.content(tree);
        }
    }

    const fn choice(&mut self, tree: &Tree, name: &'static str) {
        let Inner::Choice { own, .. } = &tree.inner else { return self.refuse(Problem::Missing(name)) };
        if !self.is_met(tree, name, own) {
            self.content(tree);
        }
    }

    /// A struct or enum itself.
    #[inline]
    const fn content(&mut self, tree: &Tree) {
        match (&tree.inner, tree.shape) {
            (Inner::Record { own, fields }, Shape::Record { notes, .. }) if is_transparent(notes) => {
                if has_order(own, notes) {
                    self.hash.byte(kind::ORDERED);
                    self.order(own, notes);
                }
                self.field(&fields.parts[0], &fields.trees[0], known_of(fields, 0));
            }
            (Inner::Record { own, fields }, Shape::Record { name, notes, .. }) => {
                self.hash.byte(kind::RECORD);
                self.hash.text(name);
                if name.is_empty() {
                    self.hash.fixed_order(None)
                } else {
                    self.order(own, notes)
                }
                self.parameters(own);
                self.fields(fields, None);
            }
            (Inner::Choice { own, front, tag, variants }, Shape::Choice { name, notes, .. }) => {
                self.hash.byte(kind::CHOICE);
                self.hash.text(name);
                self.order(own, notes);
                self.parameters(own);
                if let [front, ..] = *front {
                    self.front(front.shape());
                }
                self.tag(*tag, Words { notes, known: own.known });
                self.hash.number(variants.len() as u64);
                let mut k = 0;
                while k < variants.len() {
                    let variant = &variants[k];
                    self.variant(
                        &variant.parts,
                        variant.tags,
                        &Fields { parts: variant.parts.parts(), trees: variant.trees, known: variant.known },
                    );
                    k += 1;
                }
            }
            _ => self.refuse(Problem::Part("a shape that is not its own")),
        }
    }

    #[inline]
    const fn tag(&mut self, tag: Option<&'static Tree>, words: Words) {
        let Some(tag) = tag else { return self.expr(1, words, Note::TagFrom) };
        self.hash.byte(0);
        if let Some(order) = tag_order(words.notes) {
            self.hash.byte(kind::ORDERED);
            self.hash.fixed_order(Some(order));
        }
        self.ty(tag, tag.shape, Words::NONE);
    }

    const fn variant(&mut self, variant: &VariantParts, tags: Constants, fields: &Fields) {
        self.hash.text(variant.name());
        let mut text = Text::new();
        text.with_values(variant.tag(), tags);
        self.hash.bytes(text.as_bytes());
        self.fields(fields, fixed_order(variant.notes()));
    }

    const fn order(&mut self, own: &Own, notes: Notes) {
        match (own.order, find(notes, Note::Endian)) {
            (None, Some(_)) => self.chosen_order(Words { notes, known: own.known }),
            (order, _) => self.hash.fixed_order(order),
        }
    }

    const fn parameters(&mut self, own: &Own) {
        if !own.parameters.is_empty() {
            self.hash.byte(kind::PARAMETERS);
            self.hash.texts(own.parameters);
        }
    }

    /// Fields, of which those without an order of their own have that of a variant.
    #[inline]
    const fn fields(&mut self, fields: &Fields, order: Option<Endian>) {
        assert!(fields.parts.len() == fields.trees.len(), "binfmt: a part without a tree");
        self.hash.number(fields.parts.len() as u64);
        let mut i = 0;
        while i < fields.parts.len() {
            let part = &fields.parts[i];
            self.hash.text(if part.is_beside() { "" } else { part.name() });
            self.arguments(Words { notes: part.notes(), known: known_of(fields, i) });
            if order.is_some() && !is_ordered(part) {
                self.hash.byte(kind::ORDERED);
                self.hash.fixed_order(order);
            }
            self.field(part, &fields.trees[i], known_of(fields, i));
            i += 1;
        }
    }

    #[inline]
    const fn field(&mut self, part: &Part, tree: &Tree, known: Constants) {
        let words = Words { notes: part.notes(), known };
        let shape = part.shape();
        if !matches!(shape, Shape::Conditional { .. }) && find(words.notes, Note::If).is_some() {
            self.expr(kind::CONDITIONAL, words, Note::If);
        }
        self.ty(tree, shape, words);
    }
}

pub(super) const fn inner(tree: &Tree) -> &'static Tree {
    match tree.inner {
        Inner::One(inner) => inner,
        _ => &Tree::BYTES,
    }
}

pub(super) const fn is_byte(tree: &Tree) -> bool {
    match tree.shape {
        Shape::Int { bytes: 1, signed: false } | Shape::NonZero { bytes: 1, signed: false } => true,
        Shape::Boxed { .. } => is_byte(inner(tree)),
        _ => false,
    }
}

/// Whether a description refers to it by a name.
pub(super) const fn is_named(tree: &Tree) -> bool {
    match tree.shape {
        Shape::Record { name, .. } => !name.is_empty() && !is_silent(tree, tree.shape),
        Shape::Choice { .. } => true,
        Shape::Boxed { .. } => is_named(inner(tree)),
        _ => false,
    }
}

/// Whether these are bytes without a value.
pub(super) const fn is_silent(tree: &Tree, shape: Shape) -> bool {
    match shape {
        Shape::Padding { .. } | Shape::Alignment { .. } | Shape::Magic { .. } | Shape::MagicNumber { .. } => {
            true
        }
        Shape::Ignored | Shape::Bits { reserved: Some(_), .. } => true,
        Shape::Bounded { .. } | Shape::Ordered { .. } | Shape::Boxed { .. } => {
            let body = inner(tree);
            is_silent(body, body.shape)
        }
        Shape::Record { notes, .. } if is_transparent(notes) => match &tree.inner {
            Inner::Record { fields, .. } => is_silent(&fields.trees[0], fields.parts[0].shape()),
            _ => false,
        },
        _ => false,
    }
}

pub(super) const fn has_order(own: &Own, notes: Notes) -> bool {
    own.order.is_some() || find(notes, Note::Endian).is_some()
}

pub(super) const fn known_of(fields: &Fields, i: usize) -> Constants {
    if i < fields.known.len() { fields.known[i] } else { &[] }
}

#[inline]
const fn constant(name: &str, known: Constants) -> Option<super::ConstValue> {
    let mut i = 0;
    while i < known.len() {
        if known[i].0.len() == name.len() {
            return Some(known[i].1);
        }
        i += 1;
    }
    None
}

/// Whether a part is in an order of its own, and not under a condition beside a field.
const fn is_ordered(part: &Part) -> bool {
    matches!(part.shape(), Shape::Ordered { .. }) && find(part.notes(), Note::If).is_none()
}
