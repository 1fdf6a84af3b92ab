//! What each kind of type consists of, said once.
//!
//! A type has facts of its own (numbers and flags), perhaps an expression, an extent, a byte order, and a body. How many bytes it takes
//! follows from its body and [`Room`]; whether it goes to the end, from [`Reach`]. Children, expressions, sizes, fingerprints, the
//! comparison of two types of one kind and the search for what takes everything to the end go by these, so that a new kind of type is
//! usually an arm here and in none of them. They name what contains fields (records, choices, names) and what is an exception: the
//! comparison, for one, which different kinds are the same bytes.

use super::check::DifferenceKind as Differs;
use super::size::{ANY, exactly, narrow, range};
use super::types::{ByteOrder, Extent, Magic, Type};
use crate::codec::fingerprint::hash::{Fact, Signature, kind};
use crate::wire::packing::bytes_of;
use crate::wire::{OPEN, Sizes};

/// A type, taken apart.
pub(crate) struct Anatomy<'a> {
    /// The numbers and flags, in the order in which they are hashed.
    pub(crate) signature: Signature,
    /// What differs when these do.
    pub(crate) differs: Differs,
    /// Hashed before the facts.
    pub(crate) text: Option<Text<'a>>,
    /// The value where a condition does not hold: not hashed.
    pub(crate) otherwise: Option<&'a str>,
    /// How many bytes or elements it has, or dimensions: hashed in the place that the facts give it.
    pub(crate) extent: Option<&'a Extent>,
    /// Hashed after the facts.
    pub(crate) order: Option<&'a ByteOrder>,
    /// Whether its bytes depend on the byte order around it.
    pub(crate) is_ordered: bool,
    /// The type that it is around, hashed last.
    pub(crate) body: Option<&'a Type>,
    pub(crate) room: Room,
    pub(crate) reach: Reach,
}

#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    /// Over the fields before it.
    Expr(&'a str),
    /// Names of functions.
    Functions(&'a str),
}

/// How many bytes a type takes.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    /// Regardless of what is in it.
    Sizes(Sizes),
    /// The extent, in units of this many bytes.
    Units(usize),
    /// The extent, in bodies.
    Items,
    /// The extent, in bodies of so many bits.
    Packed(u8),
    /// Dimensions of this many bytes each, then elements.
    Dimensions(usize),
    /// A byte, then the body; with `blank` always.
    Presence { blank: bool },
    /// Those of its body.
    Body,
    /// Those of its body, or none.
    Perhaps,
    /// None here: they are elsewhere, or what follows has them, too.
    Elsewhere,
}

/// Whether a type takes everything to the end of what it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Always,
    Never,
    /// If something in it does.
    Inside,
}

impl<'a> Anatomy<'a> {
    fn new(signature: Signature, room: Room) -> Self {
        Anatomy {
            signature,
            differs: Differs::Type,
            text: None,
            otherwise: None,
            extent: None,
            order: None,
            is_ordered: false,
            body: None,
            room,
            reach: Reach::Inside,
        }
    }

    fn plain(kind: u8, room: Room) -> Self {
        Anatomy::new(Signature::of(kind, []), room)
    }

    /// A type of a fixed size.
    fn fixed(signature: Signature, bytes: usize) -> Self {
        Anatomy::new(signature, Room::Sizes(exactly(bytes)))
    }

    fn extent(self, len: &'a Extent) -> Self {
        let reach = match len {
            Extent::ToEnd | Extent::Gaps => Reach::Always,
            Extent::Fixed(0) => Reach::Never,
            _ => Reach::Inside,
        };
        Anatomy { extent: Some(len), reach, ..self }
    }

    fn around(self, body: &'a Type) -> Self {
        Anatomy { body: Some(body), ..self }
    }

    fn text(self, text: Text<'a>) -> Self {
        Anatomy { text: Some(text), ..self }
    }

    fn ordered(self, is_ordered: bool) -> Self {
        Anatomy { is_ordered, ..self }
    }

    fn differs(self, differs: Differs) -> Self {
        Anatomy { differs, ..self }
    }

    fn reaches(self, reach: Reach) -> Self {
        Anatomy { reach, ..self }
    }

    /// Whether it takes everything to the end, if `inside` says so of what is in it.
    pub(crate) fn takes_all(&self, inside: bool) -> bool {
        match self.reach {
            Reach::Always => true,
            Reach::Never => false,
            Reach::Inside => inside,
        }
    }
}

impl Type {
    pub(crate) fn anatomy(&self) -> Anatomy<'_> {
        let byte = |kind, byte: u8| Signature::of(kind, [Fact::Byte(byte)]);
        match self {
            Type::Unit => Anatomy::fixed(Signature::of(kind::UNIT, []), 0),
            Type::Int { bytes, signed } => {
                Anatomy::fixed(Signature::int(kind::INT, *bytes, *signed), usize::from(*bytes))
                    .ordered(*bytes > 1)
            }
            Type::Varint { code, bytes } => {
                let room = Room::Sizes(range(1, 1, code.max_len(*bytes)));
                Anatomy::new(Signature::varint(kind::VARINT, *code, *bytes), room)
            }
            Type::Float { bytes } => {
                Anatomy::fixed(byte(kind::FLOAT, *bytes), usize::from(*bytes)).ordered(*bytes > 1)
            }
            Type::Bool { lax } => Anatomy::fixed(Signature::of(kind::BOOL, [Fact::Free(u8::from(*lax))]), 1),
            Type::Bits { bits, run, order, body } => {
                let is_ordered = run.is_some_and(|bytes| bytes > 1 || order.is_none());
                let bits = Anatomy::fixed(Signature::bits(*bits, *run, *order), run.map_or(0, usize::from));
                bits.around(body).differs(Differs::Extent).ordered(is_ordered)
            }
            Type::Text { encoding, nul, len } => {
                Anatomy::new(Signature::text(*encoding, *nul), Room::Units(encoding.unit().bytes)).extent(len)
            }
            Type::Bytes { len } => Anatomy::new(Signature::BYTES, Room::Units(1)).extent(len),
            Type::Trimmed { byte, body } => {
                Anatomy::new(Signature::of(kind::TRIMMED, [Fact::Free(*byte)]), Room::Body).around(body)
            }
            Type::Packed { bits, order, strict, body } => {
                let room = Room::Sizes(range(0, 0, bytes_of(*bits, 1)));
                // a number is the same in both orders of its bytes
                let is_number = matches!(**body, Type::Int { .. } | Type::Float { .. });
                let element = Anatomy::new(Signature::packed(*bits, *order, *strict), room).around(body);
                element.differs(Differs::Extent).ordered(order.is_none() || (*bits > 8 && !is_number))
            }
            Type::List { item, len } => {
                let room = match **item {
                    Type::Packed { bits, .. } => Room::Packed(bits),
                    _ => Room::Items,
                };
                Anatomy::new(Signature::LIST, room).extent(len).around(item)
            }
            Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } => {
                let signature = Signature::shaped(*dim_bytes, *dim_signed, *column_major);
                let shaped = Anatomy::new(signature, Room::Dimensions(usize::from(*dim_bytes)));
                shaped.extent(rank).around(item).differs(Differs::Extent)
            }
            Type::Region { len, fill, body } => {
                let reach = if *len == Extent::ToEnd { Reach::Inside } else { Reach::Never };
                Anatomy::new(Signature::region(*fill), Room::Units(1)).extent(len).around(body).reaches(reach)
            }
            Type::At { position, from, body } => {
                let at = Anatomy::new(byte(kind::AT, from.code()), Room::Elsewhere).around(body);
                at.text(Text::Expr(position)).reaches(Reach::Never)
            }
            Type::Peeked { body } => {
                Anatomy::plain(kind::PEEKED, Room::Elsewhere).around(body).reaches(Reach::Never)
            }
            Type::Processed { by, body } => {
                let bytes = Anatomy::plain(kind::PROCESSED, Room::Sizes(ANY)).around(body);
                bytes.text(Text::Functions(by)).reaches(Reach::Always)
            }
            Type::Tail { body } => {
                Anatomy::plain(kind::TAIL, Room::Perhaps).around(body).reaches(Reach::Always)
            }
            Type::Nullable { present, missing, blank, body } => {
                let signature = Signature::nullable(*present, *missing, *blank);
                Anatomy::new(signature, Room::Presence { blank: *blank })
                    .around(body)
                    .differs(Differs::Presence)
            }
            Type::Conditional { condition, otherwise, body } => {
                let body = Anatomy::plain(kind::CONDITIONAL, Room::Perhaps).around(body);
                Anatomy { otherwise: otherwise.as_deref(), ..body }.text(Text::Expr(condition))
            }
            Type::Ordered { order, body } => {
                let body = Anatomy::plain(kind::ORDERED, Room::Body).around(body);
                Anatomy { order: Some(order), ..body }
            }
            Type::Padded { size, fill, strict, body } => {
                let signature = Signature::filled(kind::PADDED, *size, *fill, *strict);
                Anatomy::fixed(signature, narrow(*size)).around(body).reaches(Reach::Never)
            }
            Type::Padding { len, fill, strict } => {
                Anatomy::new(Signature::padding(*fill, *strict), Room::Units(1)).extent(len)
            }
            Type::Alignment { to, fill, strict } => {
                let signature = Signature::filled(kind::ALIGNMENT, *to, *fill, *strict);
                let room = Room::Sizes(range(0, 0, narrow(to.saturating_sub(1))));
                Anatomy::new(signature, room).differs(Differs::Extent)
            }
            Type::Magic { value } => {
                let (kind, is_ordered) = match value {
                    Magic::Bytes(_) => (kind::MAGIC_BYTES, false),
                    Magic::Number { bytes, .. } => (kind::MAGIC_NUMBER, *bytes > 1),
                };
                Anatomy::fixed(Signature::of(kind, []), value.len())
                    .differs(Differs::Value)
                    .ordered(is_ordered)
            }
            Type::Opaque { min, max, .. } => {
                let (min, max) = (narrow(*min), max.map_or(OPEN, narrow));
                let sizes = range(if min == max { min } else { 0 }, min, max);
                Anatomy::plain(kind::OPAQUE, Room::Sizes(sizes))
            }
            Type::Record(_) => Anatomy::plain(kind::RECORD, Room::Body),
            Type::Choice(_) => Anatomy::plain(kind::CHOICE, Room::Body),
            Type::Named(_) => Anatomy::plain(kind::MET, Room::Sizes(ANY)),
        }
    }
}
