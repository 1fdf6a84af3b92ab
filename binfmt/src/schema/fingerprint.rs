//! A number for a layout: the same wherever and whenever it is computed.
//!
//! What is hashed is a canonical form, byte by byte, with FNV-1a (64 bits) and the last step of MurmurHash3, without which
//! types that differ little would have numbers that differ little: for each type a number that stands for its
//! kind, then its content; text with its length before it. A named type is hashed where it is first met, later ones refer
//! to it by the order in which they were met, so that neither the names of definitions nor their order counts.

use super::call::parameters;
use super::integer::Integer;
use super::names::without_paths;
use super::types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type};
use crate::codec::fingerprint::hash::{self, end, kind};
use crate::wire::Endian;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// What a layout is, in 64 bits: see [`Schema::fingerprint`](super::Schema::fingerprint).
///
/// Displays as 16 hex digits.
///
/// ```
/// use binfmt::schema::Schema;
/// assert_eq!(Schema::of::<u16>().fingerprint().to_string(), "3eaecaf9c4770022");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The number.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let fingerprint = Schema::of::<u16>().fingerprint();
    /// assert_eq!(format!("{:016x}", fingerprint.get()), fingerprint.to_string());
    /// ```
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::LowerHex for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

pub(super) fn of(description: &Description) -> Fingerprint {
    let mut hash = Hash { description, met: BTreeMap::new(), hash: hash::Hash::start() };
    hash.ty(&description.root);
    Fingerprint(hash.hash.finish())
}

struct Hash<'a> {
    description: &'a Description,
    /// Names with the order in which they were met.
    met: BTreeMap<&'a str, u64>,
    hash: hash::Hash,
}

impl<'a> Hash<'a> {
    /// The number that stands for a kind of type. New kinds get new numbers: none is ever used again.
    fn ty(&mut self, ty: &'a Type) {
        match ty {
            Type::Unit => self.hash.byte(kind::UNIT),
            Type::Int { bytes, signed } => self.hash.int(kind::INT, *bytes, *signed),
            Type::Varint { code, bytes } => self.hash.varint(kind::VARINT, *code, *bytes),
            Type::Float { bytes } => self.hash.float(*bytes),
            Type::Bool { lax } => self.hash.bool(*lax),
            Type::Text { encoding, nul, len } => {
                self.hash.text_in(*encoding, *nul);
                self.extent(len);
            }
            Type::Bytes { len } => {
                self.hash.byte(kind::BYTES);
                self.extent(len);
            }
            Type::Record(record) => self.record(record),
            Type::Choice(choice) => self.choice(choice),
            Type::Named(name) => self.named(name),
            Type::Opaque { by, min, max } => {
                self.hash.byte(kind::OPAQUE);
                // the path of a custom codec does not matter
                self.hash.text(&without_paths(by));
                self.hash.number(*min);
                self.hash.maximum(*max);
            }
            other => self.around(other),
        }
    }

    /// What stands around another type, and bytes without a value.
    fn around(&mut self, ty: &'a Type) {
        match ty {
            Type::List { item, len } => {
                self.hash.byte(kind::LIST);
                self.extent(len);
                self.ty(item);
            }
            Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } => {
                self.hash.shaped(*dim_bytes, *dim_signed, *column_major);
                self.extent(rank);
                self.ty(item);
            }
            Type::Region { len, fill, body } => {
                self.hash.region(*fill);
                self.extent(len);
                self.ty(body);
            }
            Type::At { position, from, body } => {
                self.hash.byte(kind::AT);
                self.hash.text(position);
                self.hash.byte(from.code());
                self.ty(body);
            }
            Type::Peeked { body } => {
                self.hash.byte(kind::PEEKED);
                self.ty(body);
            }
            Type::Processed { by, body } => {
                self.hash.byte(kind::PROCESSED);
                self.hash.text(by);
                self.ty(body);
            }
            Type::Tail { body } => {
                self.hash.byte(kind::TAIL);
                self.ty(body);
            }
            Type::Nullable { present, missing, blank, body } => {
                self.hash.nullable(*present, *missing, *blank);
                self.ty(body);
            }
            Type::Conditional { condition, body, .. } => {
                self.hash.byte(kind::CONDITIONAL);
                self.hash.text(condition);
                self.ty(body);
            }
            Type::Ordered { order, body } => {
                self.hash.byte(kind::ORDERED);
                self.order(Some(order));
                self.ty(body);
            }
            Type::Padded { size, fill, strict, body } => {
                self.hash.padded(*size, *fill, *strict);
                self.ty(body);
            }
            Type::Bits { bits, run, order, body } => {
                self.hash.bits(*bits, *run, *order);
                self.ty(body);
            }
            Type::Trimmed { byte, body } => {
                self.hash.trimmed(*byte);
                self.ty(body);
            }
            Type::Padding { len, fill, strict } => {
                self.hash.byte(kind::PADDING);
                self.extent(len);
                self.hash.filling(*fill, *strict);
            }
            Type::Alignment { to, fill, strict } => self.hash.alignment(*to, *fill, *strict),
            Type::Magic { value } => self.magic(value),
            // all others are handled by the caller
            _ => {}
        }
    }

    fn magic(&mut self, magic: &Magic) {
        match magic {
            Magic::Bytes(bytes) => self.hash.magic_bytes(bytes),
            Magic::Number { value, bytes } => self.hash.magic_number(value.as_bytes(), *bytes),
        }
    }

    fn named(&mut self, name: &'a str) {
        let description = self.description;
        if let Some(number) = self.met.get(name).copied() {
            self.hash.byte(kind::MET);
            return self.hash.number(number);
        }
        self.met.insert(name, self.met.len() as u64);
        match description.definitions.get(name) {
            Some(ty) => self.ty(ty),
            None => {
                self.hash.byte(kind::UNKNOWN);
                self.hash.text(name);
            }
        }
    }

    fn record(&mut self, record: &'a Record) {
        self.hash.byte(kind::RECORD);
        self.hash.text(&record.name);
        self.order(record.order.as_ref());
        self.parameters(&record.rules);
        self.fields(&record.fields);
    }

    fn choice(&mut self, choice: &'a Choice) {
        self.hash.byte(kind::CHOICE);
        self.hash.text(&choice.name);
        self.order(choice.order.as_ref());
        self.parameters(&choice.rules);
        if let Some(magic) = &choice.magic {
            self.magic(magic);
        }
        match &choice.tag {
            Tag::Front(tag) => {
                self.hash.byte(0);
                self.ty(tag);
            }
            Tag::Expr(expr) => {
                self.hash.byte(1);
                self.hash.text(expr);
            }
        }
        self.hash.number(choice.variants.len() as u64);
        for variant in &choice.variants {
            self.hash.text(&variant.name);
            self.hash.text(&variant.tag);
            self.fields(&variant.fields);
        }
    }

    fn fields(&mut self, fields: &'a [Field]) {
        self.hash.number(fields.len() as u64);
        for field in fields {
            self.hash.text(&field.name);
            if let Some(arguments) = field.call() {
                self.hash.byte(kind::ARGS);
                self.hash.text(arguments.trim());
            }
            self.ty(&field.ty);
        }
    }

    /// The names of what a type is passed: their order counts.
    fn parameters(&mut self, rules: &[String]) {
        let parameters = parameters(rules);
        if !parameters.is_empty() {
            self.hash.byte(kind::PARAMETERS);
            self.hash.texts(&parameters.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        }
    }

    fn order(&mut self, order: Option<&ByteOrder>) {
        match order {
            None => self.hash.fixed_order(None),
            Some(ByteOrder::Little) => self.hash.fixed_order(Some(Endian::Little)),
            Some(ByteOrder::Big) => self.hash.fixed_order(Some(Endian::Big)),
            Some(ByteOrder::Expr(expr)) => self.hash.chosen_order(expr),
        }
    }

    fn extent(&mut self, len: &Extent) {
        let (kind, expr) = match len {
            Extent::Fixed(n) => {
                self.hash.byte(end::FIXED);
                return self.hash.number(*n);
            }
            Extent::Prefixed { len, max, inclusive } => {
                match len {
                    Integer::Fixed { bytes, signed } => self.hash.int(end::PREFIXED, *bytes, *signed),
                    Integer::Varint { code, bytes } => self.hash.varint(end::PREFIXED_VARINT, *code, *bytes),
                    Integer::Opaque { by, min, max } => {
                        self.hash.byte(end::PREFIXED_OPAQUE);
                        self.hash.text(&without_paths(by));
                        self.hash.number(*min);
                        self.hash.number(*max);
                    }
                }
                return self.hash.prefix(*inclusive, *max);
            }
            Extent::Expr(expr) => (end::EXPR, expr.as_str()),
            Extent::Each(expr) => (end::EACH, expr.as_str()),
            Extent::Until(expr) => (end::UNTIL, expr.as_str()),
            Extent::Terminated => (end::TERMINATED, ""),
            Extent::Ends(end) => {
                self.hash.byte(end::ENDS);
                return self.hash.text(&end.to_string());
            }
            Extent::ToEnd => (end::TO_END, ""),
            Extent::Gaps => (end::GAPS, ""),
        };
        self.hash.byte(kind);
        self.hash.text(expr);
    }
}
