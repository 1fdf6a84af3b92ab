//! What a program consists of.

use super::arms::Places;
use crate::containers::encodings::Page;
use crate::error::{Result, Step};
use crate::numbers::NumberType;
use crate::schema::expr::{Expression, Patterns, Predicate, Rule, Test, constant};
use crate::schema::{Encoding, Integer, Name};
use crate::value::fields::Names;
use crate::value::otherwise::Otherwise;
use crate::wire::bits::BitPlace;
use crate::wire::{BitOrder, Label, Origin, Sizes, Terminator};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A type, and how many bytes it takes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) sizes: Sizes,
    /// How many types are around it in its definition.
    pub(crate) depth: u32,
    pub(crate) kind: Kind,
}

impl Node {
    /// The number that it is, if it is one.
    #[inline]
    pub(crate) fn number(&self) -> Option<NumberType> {
        match self.kind {
            Kind::Number(kind) => Some(kind),
            _ => None,
        }
    }

    /// What it is if it is as most fields are that are not numbers.
    #[inline]
    pub(crate) fn plain(&self) -> Option<Plain> {
        match &self.kind {
            Kind::Bool { lax } => Some(Plain::Bool { lax: *lax }),
            Kind::Text {
                encoding: Encoding::Utf8,
                nul: false,
                len: Length::Prefixed { word: Some(word), max: u64::MAX, inclusive: false, .. },
            } => Some(Plain::Text(*word)),
            Kind::Shaped(_) => Some(Plain::Array),
            Kind::Conditional { condition, otherwise: None, body } => {
                body.number().map(|kind| Plain::NumberIf(kind, condition.as_test().copied()))
            }
            _ => None,
        }
    }

    /// The node that this one is around, if the value is that of the inner one, or is missing.
    pub(crate) fn wrapped(&self) -> Option<&Node> {
        match &self.kind {
            Kind::Region { body, .. }
            | Kind::At { body, .. }
            | Kind::Peeked { body }
            | Kind::Tail { body }
            | Kind::Ordered { body, .. }
            | Kind::Padded { body, .. }
            | Kind::Bits { body, .. }
            | Kind::Packed { body, .. }
            | Kind::Trimmed { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Nullable { body, .. }
            | Kind::Conditional { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The types in it, in the order of the wire. A name has none: its definition is elsewhere.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Node> {
        // every kind is named, so that a new one cannot be forgotten
        let (one, fields, arms) = match &self.kind {
            Kind::Unit
            | Kind::Number(_)
            | Kind::Integer(..)
            | Kind::Bool { .. }
            | Kind::Text { .. }
            | Kind::Bytes { .. }
            | Kind::Paged { .. }
            | Kind::Padding { .. }
            | Kind::Alignment { .. }
            | Kind::Magic(_)
            | Kind::Named(_)
            | Kind::Opaque { .. }
            | Kind::Unreachable => (None, &[][..], &[][..]),
            Kind::Bits { body, .. }
            | Kind::Packed { body, .. }
            | Kind::Trimmed { body, .. }
            | Kind::List { item: body, .. }
            | Kind::Region { body, .. }
            | Kind::At { body, .. }
            | Kind::Peeked { body }
            | Kind::Tail { body }
            | Kind::Nullable { body, .. }
            | Kind::Conditional { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Ordered { body, .. }
            | Kind::Padded { body, .. } => (Some(&**body), &[][..], &[][..]),
            Kind::Shaped(shaped) => (Some(&shaped.item), &[][..], &[][..]),
            Kind::Record(record) => (None, &record.fields[..], &[][..]),
            Kind::Choice(choice) => (choice.front(), &[][..], &choice.arms[..]),
        };
        let fields = fields.iter().chain(arms.iter().flat_map(|arm| &arm.record.fields));
        one.into_iter().chain(fields.map(|field| &field.node))
    }

    /// Whether its bytes stay unread.
    pub(crate) fn is_peeked(&self) -> bool {
        match &self.kind {
            Kind::Peeked { .. } => true,
            Kind::Ordered { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Conditional { body, .. }
            | Kind::Tail { body } => body.is_peeked(),
            _ => false,
        }
    }

    /// Whether it may be missing at the end.
    pub(crate) fn is_tail(&self) -> bool {
        match &self.kind {
            Kind::Tail { .. } => true,
            Kind::Ordered { body, .. } | Kind::Passing { body, .. } => body.is_tail(),
            _ => false,
        }
    }

    /// The array that it is, or is around.
    pub(super) fn array(&mut self) -> Option<&mut Shaped> {
        match &mut self.kind {
            Kind::Shaped(shaped) => Some(shaped),
            Kind::Region { body, .. }
            | Kind::At { body, .. }
            | Kind::Peeked { body }
            | Kind::Tail { body }
            | Kind::Ordered { body, .. }
            | Kind::Padded { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Nullable { body, .. }
            | Kind::Conditional { body, .. } => body.array(),
            _ => None,
        }
    }

    /// Whether something in it, and in no record inside, counts from the first byte of the record.
    pub(super) fn has_alignment(&self) -> bool {
        match &self.kind {
            // a definition may be anything
            Kind::Alignment { .. } | Kind::At { .. } | Kind::Named(_) => true,
            Kind::List { len: Length::Gaps, .. } => true,
            Kind::List { item, .. } => item.has_alignment(),
            Kind::Shaped(shaped) => shaped.item.has_alignment(),
            _ => self.wrapped().is_some_and(Node::has_alignment),
        }
    }

    /// The smallest and the largest size; the largest is [`OPEN`] where there is none.
    #[inline]
    pub(crate) fn min_max(&self) -> (usize, usize) {
        (self.sizes.min, self.sizes.max)
    }
}

/// What some bytes are. Its tag is a byte of its own, which takes fewer instructions to look at than one in the values inside.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Unit,
    Number(NumberType),
    /// An integer in another form than that of a number, and the number that holds it.
    Integer(Box<Integer>, NumberType),
    Bool {
        lax: bool,
    },
    Text {
        encoding: Encoding,
        nul: bool,
        len: Length,
    },
    Bytes {
        len: Length,
    },
    /// Text in a code page.
    Paged {
        page: Page,
        nul: bool,
        len: Length,
    },
    /// Bits of an integer; where they are in it is known with the fields around.
    Bits {
        place: BitPlace,
        body: Box<Node>,
    },
    /// An element of a list that has so many bits.
    Packed {
        bits: u8,
        order: Option<BitOrder>,
        strict: bool,
        body: Box<Node>,
    },
    /// Text or bytes without the filling at their end.
    Trimmed {
        byte: u8,
        body: Box<Node>,
    },
    List {
        item: Box<Node>,
        len: Length,
    },
    Shaped(Box<Shaped>),
    Region {
        len: Length,
        fill: Option<u8>,
        body: Box<Node>,
    },
    At {
        position: Box<Expression>,
        from: Origin,
        body: Box<Node>,
    },
    /// What stays unread.
    Peeked {
        body: Box<Node>,
    },
    /// There if a byte is left.
    Tail {
        body: Box<Node>,
    },
    Nullable {
        present: u8,
        missing: (u8, u8),
        blank: bool,
        body: Box<Node>,
    },
    Conditional {
        condition: Box<Expression>,
        /// The value where it does not hold.
        otherwise: Option<Box<Otherwise>>,
        body: Box<Node>,
    },
    /// A type that is passed arguments.
    Passing {
        arguments: Box<[Expression]>,
        body: Box<Node>,
    },
    Ordered {
        order: FixedOrder,
        body: Box<Node>,
    },
    Padded {
        size: u64,
        fill: u8,
        strict: bool,
        body: Box<Node>,
    },
    Padding {
        len: Length,
        fill: u8,
        strict: bool,
    },
    Alignment {
        to: u64,
        fill: u8,
        strict: bool,
    },
    Magic(Magic),
    Record(Box<Record>),
    Choice(Box<Choice>),
    /// The definition of this number.
    Named(usize),
    /// A codec of a user's own, by its text.
    Opaque {
        by: Box<str>,
        min: u64,
        max: Option<u64>,
    },
    /// Deeper inside others than anything is followed.
    Unreachable,
}

/// An n-dimensional array.
#[derive(Clone, Debug)]
pub(crate) struct Shaped {
    pub(crate) item: Node,
    pub(crate) dim_bytes: u8,
    pub(crate) dim_signed: bool,
    /// The integer of a dimension if it is a usual one.
    pub(crate) word: Option<Word>,
    pub(crate) rank: Length,
    pub(crate) column_major: bool,
    /// Those that a rule of the field fixes, 0 where any will do.
    pub(crate) dimensions: Box<[u64]>,
}

/// How many bytes or elements.
#[derive(Clone, Debug)]
pub(crate) enum Length {
    Fixed(u64),
    Prefixed {
        /// The same integer if it is a usual one.
        word: Option<Word>,
        len: Box<Integer>,
        max: u64,
        inclusive: bool,
    },
    Expr(Box<Expression>),
    /// As many as a list has elements.
    Each(Box<Expression>),
    Until(Box<Predicate>),
    Terminated,
    Ends(Terminator),
    ToEnd,
    /// What nothing else has read.
    Gaps,
}

impl Length {
    pub(crate) fn is_prefixed(&self) -> bool {
        matches!(self, Length::Prefixed { .. })
    }

    /// Whether a length in front always takes the same bytes.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self, Length::Prefixed { len, .. } if matches!(**len, Integer::Fixed { .. }))
    }
}

/// The integers that most lengths are, which one comparison tells apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    U8,
    U16,
    U32,
    U64,
}

impl Word {
    pub(super) fn of(integer: &Integer) -> Option<Self> {
        match integer {
            Integer::Fixed { bytes: 1, signed: false } => Some(Word::U8),
            Integer::Fixed { bytes: 2, signed: false } => Some(Word::U16),
            Integer::Fixed { bytes: 4, signed: false } => Some(Word::U32),
            Integer::Fixed { bytes: 8, signed: false } => Some(Word::U64),
            _ => None,
        }
    }
}

/// A byte order that a type fixes.
#[derive(Clone, Debug)]
pub(crate) enum FixedOrder {
    Little,
    Big,
    Expr(Box<Expression>),
}

/// Bytes that must be these.
#[derive(Clone, Debug)]
pub(crate) struct Magic {
    /// As the two byte orders have them.
    little: Vec<u8>,
    big: Vec<u8>,
    /// The text of a number that is not understood.
    unknown: Option<Box<str>>,
    is_number: bool,
}

impl Magic {
    pub(super) fn bytes(bytes: &[u8]) -> Self {
        Magic { little: bytes.into(), big: bytes.into(), unknown: None, is_number: false }
    }

    pub(super) fn number(value: &str, width: u8) -> Self {
        let known = constant(value, 0).ok();
        let mut little = known.unwrap_or(0).to_le_bytes().to_vec();
        little.resize(width.into(), 0);
        let big = little.iter().rev().copied().collect();
        Magic { little, big, unknown: known.is_none().then(|| value.into()), is_number: true }
    }

    /// The bytes, where they are not those of a number.
    pub(crate) fn plain(&self) -> Option<&[u8]> {
        (!self.is_number).then_some(&self.little)
    }

    /// The bytes in a byte order.
    ///
    /// # Errors
    /// The number is an expression that is not understood.
    pub(crate) fn of(&self, little: bool, at: u64) -> Result<&[u8]> {
        if let Some(value) = &self.unknown {
            constant(value, at)?;
        }
        Ok(if little { &self.little } else { &self.big })
    }
}

/// Fields one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) order: Option<FixedOrder>,
    pub(crate) fields: Vec<Field>,
    /// Those that have values, by their slots; the tag that a variant keeps is not among them.
    pub(crate) values: Vec<usize>,
    /// The names of the values, after that of the tag that a variant keeps.
    pub(crate) names: Names,
    /// Whether these have numbers for names: then the record is a list.
    pub(crate) is_tuple: bool,
    /// Whether something in it, and in no record inside, is aligned, which counts from the first byte, or fields are bits.
    pub(crate) has_frame: bool,
    /// Whether a field is read ahead, which is compared when the others are written.
    pub(crate) looks_ahead: bool,
    /// Whether a field may be missing at the end.
    pub(crate) has_tail: bool,
    /// Whether a field keeps what no other has read.
    pub(crate) keeps_gaps: bool,
}

/// A field, or bytes that no field has.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) node: Node,
    /// Where a run begins the bytes that are always there from here on, else 0.
    pub(crate) run: usize,
    /// The number that it is, if it is one and has no rules.
    pub(crate) number: Option<NumberType>,
    /// What else it is if it is as most fields are and has no rules.
    pub(crate) plain: Option<Plain>,
    pub(crate) name: Name,
    /// Whether it has no value.
    pub(crate) silent: bool,
    /// What its value must be.
    pub(crate) rules: Box<[Rule]>,
    /// What it takes as a part of a run: nothing is known of a type that is in itself.
    pub(crate) part: Sizes,
    /// What the description's language or format calls its type.
    pub(crate) native: Box<str>,
    pub(super) called: Called,
}

/// A field without rules of a kind that most fields have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plain {
    Bool {
        lax: bool,
    },
    /// UTF-8 after its length in bytes, which may be any that the integer can be.
    Text(Word),
    /// Dimensions, then elements.
    Array,
    /// A number that is there if the condition of the field's node holds, and the condition once more where it is a test.
    NumberIf(NumberType, Option<Test>),
}

/// What errors call a field.
#[derive(Clone, Debug)]
pub(super) enum Called {
    Name,
    /// Bytes that stand beside a field of a struct: `q (alignment)`.
    Owner(Box<str>),
    /// Bytes of a kind.
    Word(&'static str),
}

impl Field {
    /// Its step in the path of an error.
    #[cold]
    pub(crate) fn step(&self) -> Step {
        match &self.called {
            Called::Name => Step::Name(self.name.to_string()),
            Called::Owner(owner) => Step::Name(String::from(&**owner)),
            Called::Word(word) => Step::Field(word),
        }
    }

    /// What a tracing source hears of it: its name and its type.
    pub(crate) fn label(&self) -> (Label<&str>, &str) {
        match &self.called {
            Called::Name => (Label::Field(&self.name), &self.native),
            Called::Owner(owner) => (Label::Field(owner), ""),
            Called::Word("") => (Label::Value, &self.native),
            Called::Word(word) => (Label::Field(word), &self.native),
        }
    }
}

/// One of several variants.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) name: Box<str>,
    pub(crate) order: Option<FixedOrder>,
    /// Bytes before the tag.
    pub(crate) magic: Option<Magic>,
    pub(crate) tag: Tag,
    pub(crate) arms: Vec<Arm>,
    /// Where they are, if they are many.
    pub(crate) places: Option<Box<Places>>,
}

/// Where the tag of a choice is.
#[derive(Clone, Debug)]
pub(crate) enum Tag {
    Front(Node),
    Expr(Expression),
    /// None: the variants are tried. What tells them apart may be a rule that only the program of the type knows.
    Untagged {
        by: Option<Box<str>>,
    },
}

/// A variant.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) name: Name,
    pub(crate) tags: Patterns,
    /// Whether it is chosen by all tags that no other has.
    pub(crate) rest: bool,
    pub(crate) record: Record,
    /// What tells it apart from those that are tried after it, besides its bytes.
    pub(crate) tests: Box<[ArmTest]>,
}

/// What must hold of the fields of a variant that is tried.
#[derive(Clone, Debug)]
pub(crate) enum ArmTest {
    /// `assert(..)`, with its text.
    Holds(Expression, Box<str>),
    /// `calc(..)`: the field of a slot is this number.
    Equals(usize, Expression),
}

impl Choice {
    /// The tag in front.
    pub(crate) fn front(&self) -> Option<&Node> {
        match &self.tag {
            Tag::Front(node) => Some(node),
            Tag::Expr(_) | Tag::Untagged { .. } => None,
        }
    }

    /// Whether the value holds the tag, because the variant has several.
    pub(crate) fn keeps_tag(&self, arm: &Arm, at: u64) -> Result<bool> {
        Ok(self.front().is_some_and(|tag| !tag.is_peeked()) && arm.tags.one(at)?.is_none())
    }
}
