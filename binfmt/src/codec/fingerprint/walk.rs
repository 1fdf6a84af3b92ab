//! The way through a type that its description goes at run time, as far as constants go.
#![allow(clippy::arithmetic_side_effects, reason = "places in lists, and types that were met")]

use super::hash::{Fact, Hash, Signature, end, kind};
use super::notes::{find, fixed_order, is_transparent, tag_order};
use super::text::{Constants, Text};
use super::tree::{constant, has_order, inner, is_byte, is_named, is_ordered, is_silent, known_of};
use super::{Fields, Inner, Own, Tree, VariantTree};
use crate::wire::{Bound, Encoding, Endian, IntShape, Note, Notes, Part, Shape};

/// The most structs and enums in one type.
const MOST: usize = 256;
/// The most structs and enums around a field.
const DEEPEST: usize = 128;

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
    walk.all();
    match walk.problem {
        Some(problem) => Err(problem),
        None => Ok(walk.hash.finish()),
    }
}

/// A number for a struct or enum that no other one has, of those that are part of one type: those inside are as good as theirs.
#[inline]
pub(super) const fn identity(tree: &Tree) -> u64 {
    let mut alone = Walk { is_alone: true, ..Walk::EMPTY };
    if let Inner::Record { own, .. } | Inner::Choice { own, .. } = &tree.inner {
        alone.hash.text(own.place);
    }
    alone.content(tree);
    alone.all();
    alone.hash.finish()
}

/// The number of a struct or enum.
#[inline]
pub(super) const fn id_of(tree: &Tree) -> u64 {
    match &tree.inner {
        Inner::Record { own, .. } | Inner::Choice { own, .. } => own.id,
        _ => 0,
    }
}

/// What stands beside a shape in words, with the values of constants.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) notes: Notes,
    pub(super) known: Constants,
}

impl Words {
    pub(super) const NONE: Words = Words { notes: &[], known: &[] };

    /// An expression with the values of its constants.
    #[inline]
    pub(super) const fn text(&self, note: Note) -> Text {
        let mut text = Text::new();
        if let Some(source) = find(self.notes, note) {
            text.with_values(source, self.known);
        }
        text
    }
}

/// What is not yet said of a list. Functions that call each other would need the memory of rustc for each level of a type.
#[derive(Clone, Copy)]
enum Open {
    Fields { fields: Fields, order: Option<Endian>, next: usize },
    Variants { variants: &'static [VariantTree], next: usize },
}

struct Walk {
    hash: Hash,
    /// The lists that are begun, innermost last.
    open: [Open; DEEPEST],
    depth: usize,
    /// The structs and enums that were met, each as a number for what it is.
    met: [u64; MOST],
    num: usize,
    /// Whether this is about one type: those inside it are as good as their names.
    is_alone: bool,
    /// The first.
    problem: Option<Problem>,
}

impl Walk {
    const EMPTY: Walk = Walk {
        hash: Hash::EMPTY,
        open: [Open::Variants { variants: &[], next: 0 }; DEEPEST],
        depth: 0,
        met: [0; MOST],
        num: 0,
        is_alone: false,
        problem: None,
    };

    /// What is begun, to its end.
    #[inline]
    const fn all(&mut self) {
        while let Some(last) = self.depth.checked_sub(1) {
            match self.open[last] {
                Open::Fields { fields, order, next } if next < fields.parts.len() => {
                    self.open[last] = Open::Fields { fields, order, next: next + 1 };
                    self.one(&fields, next, order);
                }
                Open::Variants { variants, next } if next < variants.len() => {
                    self.open[last] = Open::Variants { variants, next: next + 1 };
                    if next == 0 {
                        self.hash.number(variants.len() as u64);
                    }
                    self.variant(&variants[next]);
                }
                Open::Variants { variants: [], .. } => {
                    self.hash.number(0);
                    self.depth = last;
                }
                _ => self.depth = last,
            }
        }
    }

    #[inline]
    const fn begin(&mut self, open: Open) {
        assert!(self.depth < DEEPEST, "binfmt: a type too deep for a fingerprint while compiling");
        self.open[self.depth] = open;
        self.depth += 1;
    }

    #[inline]
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
                self.hash.signature(&Signature::int(kind::INT, bytes, signed));
            }
            Shape::Varint { code, bytes } => {
                self.hash.signature(&Signature::varint(kind::VARINT, code, bytes))
            }
            Shape::Float { bytes } => self.hash.signature(&Signature::of(kind::FLOAT, [Fact::Byte(bytes)])),
            Shape::Bool { lax } => self.hash.signature(&Signature::of(kind::BOOL, [Fact::Free(lax as u8)])),
            Shape::Record { notes, name, .. } => self.record(tree, name, notes),
            Shape::Choice { name, .. } => self.choice(tree, name),
            Shape::Padding { num, fill, strict } => self.padding(num, fill, strict),
            Shape::Alignment { to, fill, strict } => {
                self.hash.signature(&Signature::filled(kind::ALIGNMENT, to as u64, fill, strict));
            }
            Shape::Magic { bytes } => self.hash.magic_bytes(bytes),
            Shape::MagicNumber { value, bytes, .. } => self.magic(value, bytes, words.known),
            Shape::Foreign { .. } | Shape::Opaque => self.refuse(Problem::Part("a codec of its own")),
            Shape::Bounded { by, .. } => {
                self.bounded(inner(tree), by, matches!(by, Bound::Each | Bound::Until), words);
            }
            Shape::Array { num, .. } => self.items(inner(tree), Bound::Fixed(num), words),
            Shape::Text { .. } | Shape::Trimmed { .. } | Shape::Ignored | Shape::Sequence { .. } => {
                self.bounded(tree, Bound::ToEnd, false, words);
            }
            shape => self.around(tree, shape, words),
        }
    }

    /// What a type has of its own, where its extent is that.
    #[inline]
    const fn signature(&mut self, signature: Signature, by: Bound, words: Words) {
        self.hash.byte(signature.kind);
        let mut rest: &[Fact] = &signature.facts;
        while let [first, others @ ..] = rest {
            match *first {
                Fact::Extent => self.extent(by, words),
                fact => self.hash.fact(fact),
            }
            rest = others;
        }
    }

    /// What stands around another type.
    #[inline]
    const fn around(&mut self, tree: &Tree, shape: Shape, words: Words) {
        let mut of_items = words;
        match shape {
            Shape::Region { by, fill, .. } => {
                self.signature(Signature::region(fill), by, words);
            }
            Shape::Shaped { dim_bytes, dim_signed, rank, column_major, .. } => {
                self.hash.signature(&Signature::shaped(dim_bytes, dim_signed, column_major));
                match rank {
                    Some(n) => self.extent(Bound::Fixed(n), words),
                    None => self.expr(end::EXPR, words, Note::Rank),
                }
                of_items = Words::NONE;
            }
            Shape::Bits { bits, run, order, reserved, .. } => {
                self.hash.signature(&Signature::bits(bits, run, order));
                if let Some(strict) = reserved {
                    self.padding(0, 0, strict);
                    return;
                }
            }
            Shape::Packed { bits, order, strict, .. } => {
                self.hash.signature(&Signature::packed(bits, order, strict));
            }
            Shape::Nullable { present, missing, blank, .. } => {
                self.hash.signature(&Signature::nullable(present, missing, blank));
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
                    None => self.hash.chosen_order(words.text(Note::Endian).as_str()),
                }
            }
            Shape::Padded { size, fill, strict, .. } => {
                self.hash.signature(&Signature::filled(kind::PADDED, size as u64, fill, strict));
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
                self.signature(Signature::BYTES, by, words)
            }
            Shape::Text { encoding, nul } => self.signature(Signature::text(encoding, nul), by, words),
            Shape::Trimmed { byte, .. } => {
                self.hash.signature(&Signature::of(kind::TRIMMED, [Fact::Free(byte)]));
                self.bounded(inner(body), by, list, words);
            }
            Shape::Ignored => self.signature(Signature::padding(0, false), by, words),
            Shape::Sequence { .. } if list => {
                self.signature(Signature::LIST, by, words);
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
            self.signature(Signature::BYTES, by, words);
        } else {
            self.signature(Signature::LIST, by, words);
            self.ty(item, item.shape, words);
        }
    }

    #[inline]
    const fn padding(&mut self, num: usize, fill: u8, strict: bool) {
        self.signature(Signature::padding(fill, strict), Bound::Fixed(num), Words::NONE);
    }

    /// The magic before a tag.
    #[inline]
    const fn front(&mut self, shape: Shape) {
        match shape {
            Shape::Magic { bytes } => self.hash.magic_bytes(bytes),
            Shape::MagicNumber { value, bytes, known: None } => self.magic(value, bytes, &[]),
            _ => self.refuse(Problem::Part("a magic before a tag that is a constant of another type")),
        }
    }

    #[inline]
    const fn magic(&mut self, value: &str, bytes: u8, known: Constants) {
        let mut text = Text::new();
        match constant("", known) {
            Some(super::ConstValue::Bytes(bytes)) => return self.hash.magic_bytes(bytes),
            Some(number) => text.value(number),
            None => text.str(value),
        }
        self.hash.magic_number(text.as_bytes(), bytes);
    }

    /// A number, then an expression in words.
    #[inline]
    const fn expr(&mut self, code: u8, words: Words, note: Note) {
        self.hash.byte(code);
        self.hash.bytes(words.text(note).as_bytes());
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
                        self.hash.signature(&Signature::int(end::PREFIXED, bytes, signed));
                    }
                    IntShape::Varint { code, bytes } => {
                        self.hash.signature(&Signature::varint(end::PREFIXED_VARINT, code, bytes));
                    }
                    IntShape::Custom { .. } => {
                        self.refuse(Problem::Part("a length in a form of its own"));
                    }
                }
                self.hash.prefix(inclusive, if max == u64::MAX { None } else { Some(max) });
            }
            Bound::Counted => self.expr(end::EXPR, words, Note::Count),
            Bound::Sized => self.expr(end::EXPR, words, Note::Region),
            Bound::Each => self.expr(end::EACH, words, Note::Each),
            Bound::Until => self.expr(end::UNTIL, words, Note::Until),
            Bound::Terminated => self.ends(end::TERMINATED, ""),
            Bound::Ends(terminator) => {
                let mut text = Text::new();
                text.terminator(&terminator);
                self.ends(end::ENDS, text.as_str());
            }
            Bound::ToEnd => self.ends(end::TO_END, ""),
            Bound::Gaps => self.ends(end::GAPS, ""),
        }
    }

    #[inline]
    const fn ends(&mut self, code: u8, text: &str) {
        self.hash.byte(code);
        self.hash.text(text);
    }

    /// Whether a struct or enum was met before; it is now.
    #[inline]
    const fn is_met(&mut self, name: &str, own: &Own) -> bool {
        if self.is_alone {
            self.hash.text(own.place);
            self.hash.text(name);
            // of one place and name there may be many types only if it has parameters
            if own.is_generic {
                self.hash.number(own.id);
            }
            return true;
        }
        let id = own.id;
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
        if !self.is_met(name, own) {
            self.content(tree);
        }
    }

    #[inline]
    const fn choice(&mut self, tree: &Tree, name: &'static str) {
        let Inner::Choice { own, .. } = &tree.inner else { return self.refuse(Problem::Missing(name)) };
        if !self.is_met(name, own) {
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
                self.fields(*fields, None);
            }
            (Inner::Choice { own, front, tag, variants }, Shape::Choice { name, notes, .. }) => {
                self.hash.byte(kind::CHOICE);
                self.hash.text(name);
                self.order(own, notes);
                self.parameters(own);
                if let [front, ..] = *front {
                    self.front(front.shape());
                }
                // after the tag, which may be a struct, too
                self.begin(Open::Variants { variants, next: 0 });
                self.tag(*tag, Words { notes, known: own.known });
            }
            _ => self.refuse(Problem::Part("a shape that is not its own")),
        }
    }

    #[inline]
    const fn tag(&mut self, tag: Option<&'static Tree>, words: Words) {
        let Some(tag) = tag else {
            return match find(words.notes, Note::Untagged) {
                Some(_) => self.hash.byte(kind::UNTAGGED),
                None => self.expr(1, words, Note::TagFrom),
            };
        };
        self.hash.byte(0);
        if let Some(order) = tag_order(words.notes) {
            self.hash.byte(kind::ORDERED);
            self.hash.fixed_order(Some(order));
        }
        self.ty(tag, tag.shape, Words::NONE);
    }

    #[inline]
    const fn variant(&mut self, variant: &VariantTree) {
        let VariantTree { parts, trees, known, tags } = *variant;
        self.hash.text(parts.name());
        let mut text = Text::new();
        text.with_values(parts.tag(), tags);
        self.hash.bytes(text.as_bytes());
        self.fields(Fields { parts: parts.parts(), trees, known }, fixed_order(parts.notes()));
    }

    #[inline]
    const fn order(&mut self, own: &Own, notes: Notes) {
        match (own.order, find(notes, Note::Endian)) {
            (None, Some(_)) => {
                let words = Words { notes, known: own.known };
                self.hash.chosen_order(words.text(Note::Endian).as_str());
            }
            (order, _) => self.hash.fixed_order(order),
        }
    }

    #[inline]
    const fn parameters(&mut self, own: &Own) {
        if !own.parameters.is_empty() {
            self.hash.byte(kind::PARAMETERS);
            self.hash.texts(own.parameters);
        }
    }

    /// Fields, of which those without an order of their own have that of a variant.
    #[inline]
    const fn fields(&mut self, fields: Fields, order: Option<Endian>) {
        assert!(fields.parts.len() == fields.trees.len(), "binfmt: a part without a tree");
        self.hash.number(fields.parts.len() as u64);
        self.begin(Open::Fields { fields, order, next: 0 });
    }

    #[inline]
    const fn one(&mut self, fields: &Fields, i: usize, order: Option<Endian>) {
        let part = &fields.parts[i];
        self.hash.text(if part.is_beside() { "" } else { part.name() });
        self.arguments(Words { notes: part.notes(), known: known_of(fields, i) });
        if order.is_some() && !is_ordered(part) {
            self.hash.byte(kind::ORDERED);
            self.hash.fixed_order(order);
        }
        self.field(part, &fields.trees[i], known_of(fields, i));
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
