//! A type as a schema prints it, in words, made while compiling.
//!
//! Rules that say more of values than of bytes are left out, as they are of fingerprints, and structs and enums stand as `*`.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of bytes that are shown in bits")]

use super::literal::{
    bit_field, bytes_literal, encoded, integer, is_number, magic_number, nullable, order_word, packed,
    varint_length,
};
use super::notes::{find, is_transparent, tag_order};
use super::text::{Constants, Text};
use super::tree::{has_order, inner, is_byte, is_named, is_silent, known_of};
use super::walk::{Problem, Words};
use super::{Fields, Inner, Own, Tree};
use crate::wire::{Bound, Encoding, Endian, IntShape, Note, Notes, Part, Shape};

/// A type in words.
pub(super) struct Line {
    /// The type, and the words after it, each with a comma before it.
    what: Text,
    list: Text,
    /// The struct or enum that is the `*`.
    pub(super) leaf: Option<Tree>,
    /// Whether a struct of one field that is that field is printed as it.
    through: bool,
    pub(super) problem: Option<Problem>,
}

impl Line {
    #[inline]
    pub(super) const fn new(through: bool) -> Line {
        Line { what: Text::new(), list: Text::new(), leaf: None, through, problem: None }
    }

    /// The line.
    #[inline]
    pub(super) const fn text(&self) -> Text {
        Text::of(&[self.what.as_str(), self.list.as_str()])
    }

    #[inline]
    const fn refuse(&mut self, problem: Problem) {
        if self.problem.is_none() {
            self.problem = Some(problem);
        }
    }

    /// What the type is.
    #[inline]
    const fn is(&mut self, texts: &[&str]) {
        self.what = Text::of(texts);
    }

    /// A word.
    #[inline]
    const fn say(&mut self, texts: &[&str]) {
        self.list.add(&[", "]);
        self.list.add(texts);
    }

    /// A word with an expression.
    #[inline]
    const fn say_expr(&mut self, before: &str, words: Words, note: Note, after: &str) {
        self.say(&[before]);
        let text = words.text(note);
        self.list.add(&[text.as_str(), after]);
    }

    #[inline]
    const fn say_number(&mut self, before: &str, n: usize, after: &str) {
        self.say(&[before]);
        self.list.number(n);
        self.list.add(&[after]);
    }

    /// A field; its type in this byte order, if it has none of its own.
    #[inline]
    pub(super) const fn field(&mut self, part: &Part, tree: Tree, known: Constants, order: Option<Endian>) {
        let words = Words { notes: part.notes(), known };
        let shape = part.shape();
        let is_ordered = matches!(shape, Shape::Ordered { .. }) && find(words.notes, Note::If).is_none();
        let mut named = !part.is_beside();
        if let (Some(order), false) = (order, is_ordered) {
            self.say(&[order_word(order)]);
            named = true;
        }
        if !matches!(shape, Shape::Conditional { .. }) && find(words.notes, Note::If).is_some() {
            self.say_expr("if(", words, Note::If, ")");
        }
        self.ty(tree, shape, words, named);
        if find(words.notes, Note::Args).is_some() {
            self.say_expr("", words, Note::Args, "");
        }
    }

    /// A type; `named` is whether bytes without a meaning have a name.
    #[inline]
    pub(super) const fn ty(&mut self, tree: Tree, shape: Shape, words: Words, named: bool) {
        match shape {
            Shape::Unit => self.is(&["()"]),
            Shape::Int { bytes, signed } | Shape::NonZero { bytes, signed } => {
                self.what = integer(bytes, signed);
            }
            Shape::Varint { code, bytes } => {
                self.what = integer(bytes, code.is_signed());
                self.say(&["as = ", code.name()]);
            }
            Shape::Float { bytes } => {
                self.is(&["f"]);
                self.what.number(bytes as usize * 8);
            }
            Shape::Bool { lax } => {
                self.is(&["bool"]);
                if lax {
                    self.say(&["bool_lax"]);
                }
            }
            Shape::Record { notes, name, .. } => self.record(tree, name, notes),
            Shape::Choice { name, .. } => match tree.inner {
                Inner::Choice { .. } => self.leaf(tree),
                _ => self.refuse(Problem::Missing(name)),
            },
            Shape::Padding { num, fill, strict } => self.padding(num, fill, strict, named),
            Shape::Alignment { to, fill, strict } => {
                self.is(&["align("]);
                self.what.number(to);
                self.what.add(&[")"]);
                self.filling(fill, strict);
            }
            Shape::Magic { bytes } => self.is(&["magic = ", bytes_literal(bytes).as_str()]),
            Shape::MagicNumber { value, bytes, .. } => {
                let (text, width) = magic_number(value, bytes, words.known);
                self.is(&["magic = ", text.as_str()]);
                if let Some(width) = width {
                    self.say_number("size(", width as usize, ")");
                }
            }
            Shape::Foreign { .. } | Shape::Opaque => self.refuse(Problem::Part("a codec of its own")),
            Shape::Bounded { by, .. } => {
                let list = matches!(by, Bound::Each | Bound::Until);
                self.bounded(inner(&tree), by, list, words, named);
            }
            Shape::Array { num, .. } => self.items(inner(&tree), Bound::Fixed(num), words),
            Shape::Text { .. } | Shape::Trimmed { .. } | Shape::Ignored | Shape::Sequence { .. } => {
                self.bounded(&tree, Bound::ToEnd, false, words, named);
            }
            Shape::Boxed { .. } => {
                let body = inner(&tree);
                self.ty(*body, body.shape, words, named);
            }
            shape => self.around(tree, shape, words, named),
        }
    }

    /// What stands around another type.
    #[inline]
    const fn around(&mut self, tree: Tree, shape: Shape, words: Words, named: bool) {
        let body = inner(&tree);
        let mut named = named;
        match shape {
            Shape::Region { by, fill, .. } => {
                self.region(by, fill, words);
                self.filling(if let Some(fill) = fill { fill } else { 0 }, false);
                // to the end of the region, as every list in one
                if let Some(item) = list_to_end(body) {
                    return self.list(item, words);
                }
                named = true;
            }
            Shape::Shaped { dim_bytes, dim_signed, rank, column_major, .. } => {
                self.list(body, Words::NONE);
                self.say(&["shape(", integer(dim_bytes, dim_signed).as_str(), ", rank = "]);
                match rank {
                    Some(n) => self.list.number(n),
                    None => self.list.add(&[words.text(Note::Rank).as_str()]),
                }
                return self.list.add(&[if column_major { ", order = column)" } else { ")" }]);
            }
            Shape::Bits { bits, run, order, reserved, .. } => {
                match reserved {
                    Some(strict) => {
                        self.is(&["()"]);
                        self.filling(0, strict);
                    }
                    None => self.ty(*body, body.shape, words, true),
                }
                return self.say(&[bit_field(bits, run, order, reserved.is_some()).as_str()]);
            }
            Shape::Packed { bits, order, strict, .. } => {
                self.ty(*body, body.shape, words, true);
                self.say(&[packed(bits, order).as_str()]);
                return self.filling(0, strict);
            }
            Shape::Nullable { present, missing, blank, .. } => {
                self.say(&[nullable(present, missing, blank).as_str()]);
                named = true;
            }
            Shape::At { from, .. } => {
                self.say(&["at", from.option(), " = "]);
                self.list.add(&[words.text(Note::At).as_str()]);
            }
            Shape::Peeked { .. } => self.say(&["peek"]),
            Shape::Processed { .. } if !matches!(tree.inner, Inner::One(_)) => {
                return self.refuse(Problem::Part("functions around a whole type"));
            }
            Shape::Processed { .. } => {
                self.say_expr("process(", words, Note::Process, ")");
                named = true;
            }
            Shape::Tail { .. } => self.say(&["optional_tail"]),
            Shape::Conditional { .. } => self.say_expr("if(", words, Note::If, ")"),
            Shape::Ordered { little, .. } => {
                match little {
                    Some(true) => self.say(&["le"]),
                    Some(false) => self.say(&["be"]),
                    None => self.say_expr("endian = ", words, Note::Endian, ""),
                }
                named = true;
            }
            Shape::Padded { size, fill, strict, .. } => {
                self.say_number("pad_to = ", size, "");
                self.filling(fill, strict);
                named = true;
            }
            _ => return self.refuse(Problem::Part("a shape that is not around anything")),
        }
        self.ty(*body, body.shape, words, named);
    }

    /// A body with its end; with `list` bytes stay elements.
    #[inline]
    const fn bounded(&mut self, body: &Tree, by: Bound, list: bool, words: Words, named: bool) {
        match body.shape {
            Shape::Text { encoding: Encoding::Any, nul: false } => {
                self.is(&["bytes"]);
                self.extent(by, words);
            }
            Shape::Text { encoding, nul } => {
                self.is(&["text"]);
                if !matches!(by, Bound::Terminated) {
                    self.extent(by, words);
                }
                if nul || matches!(by, Bound::Terminated) {
                    self.say(&["nul"]);
                }
                if let Some(name) = encoded(encoding) {
                    self.say(&["text = ", name]);
                }
            }
            Shape::Trimmed { byte, .. } => {
                self.bounded(inner(body), by, list, words, true);
                self.say(&["trim = b'"]);
                self.list.escaped(byte);
                self.list.add(&["'"]);
            }
            Shape::Ignored => match by {
                Bound::Fixed(num) => self.padding(num, 0, false, named),
                by => {
                    self.is(&["ignored"]);
                    self.extent(by, words);
                }
            },
            Shape::Sequence { .. } if list => {
                self.list(inner(body), words);
                self.extent(by, words);
            }
            Shape::Sequence { .. } => self.items(inner(body), by, words),
            shape => self.ty(*body, shape, words, named),
        }
    }

    /// Elements one after the other; of single bytes, bytes.
    #[inline]
    const fn items(&mut self, item: &Tree, by: Bound, words: Words) {
        if is_byte(item) {
            self.is(&["bytes"]);
            return self.extent(by, words);
        }
        self.list(item, words);
        match by {
            Bound::Fixed(n) => {
                let mut end = Text::of(&["; "]);
                end.number(n);
                self.of_number(&end);
            }
            // a count that is a number is one, however it is written
            Bound::Counted if is_number(words.text(Note::Count).as_bytes()) => {
                self.of_number(&Text::of(&["; ", words.text(Note::Count).as_str()]));
            }
            by => self.extent(by, words),
        }
    }

    /// Puts how many there are into the brackets of a list.
    #[inline]
    const fn of_number(&mut self, end: &Text) {
        let (list, _) = self.what.as_bytes().split_at(self.what.as_bytes().len() - 1);
        let mut what = Text::new();
        what.all(list);
        what.add(&[end.as_str(), "]"]);
        self.what = what;
    }

    /// Elements in brackets.
    #[inline]
    const fn list(&mut self, item: &Tree, words: Words) {
        let mut line = Line::new(self.through);
        line.ty(*item, item.shape, words, true);
        if let Some(problem) = line.problem {
            self.refuse(problem);
        }
        self.leaf = line.leaf;
        self.is(&["[", line.text().as_str(), "]"]);
    }

    #[inline]
    const fn leaf(&mut self, tree: Tree) {
        self.is(&["*"]);
        self.leaf = Some(tree);
    }

    #[inline]
    const fn record(&mut self, tree: Tree, name: &'static str, notes: Notes) {
        let Inner::Record { own, fields } = tree.inner else { return self.refuse(Problem::Missing(name)) };
        if name.is_empty() || !is_transparent(notes) {
            return self.leaf(tree);
        }
        let (part, field) = (&fields.parts[0], fields.trees[0]);
        let is_its_field = is_silent(&field, part.shape()) || (!has_order(&own, notes) && is_named(&field));
        match self.through || is_its_field {
            true => self.transparent(&own, &fields, notes),
            false => self.leaf(tree),
        }
    }

    /// A struct that is its one field.
    #[inline]
    pub(super) const fn transparent(&mut self, own: &Own, fields: &Fields, notes: Notes) {
        if has_order(own, notes) {
            self.order(own, notes);
        }
        self.field(&fields.parts[0], fields.trees[0], known_of(fields, 0), None);
    }

    /// The words of a struct itself.
    #[inline]
    pub(super) const fn of_record(&mut self, own: &Own, notes: Notes) {
        self.is(&["*"]);
        self.order(own, notes);
    }

    /// The words of an enum itself.
    #[inline]
    pub(super) const fn of_choice(&mut self, own: &Own, notes: Notes, front: &[Part], tag: Option<&Tree>) {
        self.of_record(own, notes);
        if let [front, ..] = *front {
            match front.shape() {
                Shape::Magic { bytes } => self.say(&["magic = ", bytes_literal(bytes).as_str()]),
                Shape::MagicNumber { value, bytes, known: None } => {
                    self.say(&["magic = ", magic_number(value, bytes, &[]).0.as_str()]);
                }
                _ => {
                    self.refuse(Problem::Part("a magic before a tag that is a constant of another type"));
                }
            }
        }
        let Some(tag) = tag else {
            if find(notes, Note::Untagged).is_some() {
                return self.say(&["untagged"]);
            }
            return self.say_expr("tag_from = ", Words { notes, known: own.known }, Note::TagFrom, "");
        };
        let mut line = Line::new(true);
        if let Some(order) = tag_order(notes) {
            line.say(&[order_word(order)]);
        }
        line.ty(*tag, tag.shape, Words::NONE, true);
        self.say(&["tag(", line.text().as_str(), ")"]);
    }

    #[inline]
    const fn order(&mut self, own: &Own, notes: Notes) {
        match own.order {
            Some(order) => self.say(&[order_word(order)]),
            None if find(notes, Note::Endian).is_some() => {
                self.say_expr("endian = ", Words { notes, known: own.known }, Note::Endian, "");
            }
            None => {}
        }
    }

    #[inline]
    const fn padding(&mut self, num: usize, fill: u8, strict: bool, named: bool) {
        self.is(&[if named { "reserved(" } else { "skip(bytes = " }]);
        self.what.number(num);
        self.what.add(&[")"]);
        self.filling(fill, strict);
    }

    #[inline]
    const fn filling(&mut self, fill: u8, strict: bool) {
        if fill != 0 {
            self.say(&["fill = 0x"]);
            self.list.hex_byte(fill);
        }
        if strict {
            self.say(&["strict"]);
        }
    }

    /// Where something ends.
    #[inline]
    const fn extent(&mut self, by: Bound, words: Words) {
        match by {
            Bound::Fixed(n) => self.say_number("count = ", n, ""),
            Bound::Prefixed { len, max, inclusive } => {
                self.say(&["length_prefixed("]);
                self.prefixed(len, max, inclusive, "");
            }
            Bound::Counted => self.say_expr("count = ", words, Note::Count, ""),
            Bound::Sized => self.say_expr("count = ", words, Note::Region, ""),
            Bound::Each => self.say_expr("each(", words, Note::Each, ")"),
            Bound::Until => self.say_expr("until = ", words, Note::Until, ""),
            Bound::Terminated => self.say(&["nul"]),
            Bound::Ends(terminator) => {
                self.say(&[]);
                self.list.terminator(&terminator);
            }
            Bound::ToEnd => self.say(&["until_eof"]),
            Bound::Gaps => self.say(&["gaps"]),
        }
    }

    /// In how many bytes a region is.
    #[inline]
    const fn region(&mut self, by: Bound, fill: Option<u8>, words: Words) {
        let rest = if fill.is_some() { ", rest = skip" } else { "" };
        match by {
            Bound::Prefixed { len, max, inclusive } => {
                self.say(&["length_prefixed("]);
                self.prefixed(
                    len,
                    max,
                    inclusive,
                    if fill.is_some() { ", in = bytes, rest = skip" } else { ", in = bytes" },
                );
            }
            Bound::Counted | Bound::Sized => {
                let note = if matches!(by, Bound::Sized) { Note::Region } else { Note::Count };
                match fill {
                    None => self.say_expr("region = ", words, note, ""),
                    Some(_) => self.say_expr("region(", words, note, ", rest = skip)"),
                }
            }
            by => {
                let mut end = Line::new(false);
                end.extent(by, words);
                let (_, end) = end.list.as_bytes().split_at(2);
                self.say(&["region("]);
                self.list.all(end);
                self.list.add(&[rest, ")"]);
            }
        }
    }

    #[inline]
    const fn prefixed(&mut self, len: IntShape, max: u64, inclusive: bool, unit: &str) {
        match len {
            IntShape::Fixed { bytes, signed } => self.list.add(&[integer(bytes, signed).as_str()]),
            // the type of a length is that of its name
            IntShape::Varint { code, bytes } => self.list.add(&[varint_length(code, bytes).as_str()]),
            IntShape::Custom { .. } => self.refuse(Problem::Part("a length in a form of its own")),
        }
        self.list.add(&[unit, if inclusive { ", inclusive" } else { "" }]);
        if max != u64::MAX {
            self.list.add(&[", max = "]);
            self.list.number(max as usize);
        }
        self.list.add(&[")"]);
    }
}

/// The item of a list that goes to the end.
#[inline]
const fn list_to_end(body: &Tree) -> Option<&'static Tree> {
    match body.shape {
        Shape::Boxed { .. } => list_to_end(inner(body)),
        Shape::Bounded { by: Bound::ToEnd, .. } => match inner(body).shape {
            Shape::Sequence { .. } => list_to_end(inner(body)),
            _ => None,
        },
        Shape::Sequence { .. } if !is_byte(inner(body)) => Some(inner(body)),
        _ => None,
    }
}
