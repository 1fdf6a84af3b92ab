//! A number for a layout: the same wherever and whenever it is computed.
//!
//! What is hashed is a canonical form, byte by byte, with FNV-1a (64 bits) and the last step of MurmurHash3, without which
//! types that differ little would have numbers that differ little: for each type a number that stands for its
//! kind, then its content; text with its length before it. A named type is hashed where it is first met, later ones refer
//! to it by the order in which they were met, so that neither the names of definitions nor their order counts.

use super::anatomy::{Anatomy, Text};
use super::call::{Parameter, each};
use super::integer::Integer;
use super::names::without_paths;
use super::types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type, Variant};
use crate::codec::fingerprint::hash::{self, Fact, Signature, end, kind};
use crate::wire::Endian;
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
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
    let mut hash = Hash { description, met: BTreeMap::new(), hash: hash::Hash::start(), left: Vec::new() };
    hash.left.push(Left::Type(&description.root));
    while let Some(next) = hash.left.pop() {
        hash.next(next);
    }
    Fingerprint(hash.hash.finish())
}

struct Hash<'a> {
    description: &'a Description,
    /// Names with the order in which they were met.
    met: BTreeMap<&'a str, u64>,
    hash: hash::Hash,
    /// What is not hashed yet, the next at the end. It is not on the stack: types may be in each other without a limit.
    left: Vec<Left<'a>>,
}

/// What is still to be hashed.
enum Left<'a> {
    Type(&'a Type),
    Fields(&'a [Field]),
    /// Their number, and then each of them.
    Choice(&'a [Variant]),
    Variants(&'a [Variant]),
}

impl<'a> Hash<'a> {
    fn next(&mut self, left: Left<'a>) {
        match left {
            Left::Type(ty) => self.ty(ty),
            Left::Fields([]) | Left::Variants([]) => {}
            Left::Fields([field, others @ ..]) => {
                self.hash.text(&field.name);
                if let Some(arguments) = field.call() {
                    self.hash.byte(kind::ARGS);
                    self.hash.text(arguments.trim());
                }
                self.left.extend([Left::Fields(others), Left::Type(&field.ty)]);
            }
            Left::Choice(variants) => {
                self.hash.number(variants.len() as u64);
                self.left.push(Left::Variants(variants));
            }
            Left::Variants([variant, others @ ..]) => {
                self.hash.text(&variant.name);
                self.hash.text(&variant.tag);
                self.left.push(Left::Variants(others));
                self.fields(&variant.fields);
            }
        }
    }

    fn ty(&mut self, ty: &'a Type) {
        match ty {
            Type::Record(record) => return self.record(record),
            Type::Choice(choice) => return self.choice(choice),
            Type::Named(name) => return self.named(name),
            Type::Magic { value } => return self.magic(value),
            Type::Opaque { by, min, max } => {
                self.hash.byte(kind::OPAQUE);
                // the path of a custom codec does not matter
                self.hash.text(&without_paths(by));
                self.hash.number(*min);
                return self.hash.maximum(*max);
            }
            _ => {}
        }
        let Anatomy { signature, text, extent, order, body, .. } = ty.anatomy();
        self.hash.byte(signature.kind);
        if let Some(Text::Expr(text) | Text::Functions(text)) = text {
            self.hash.text(text);
        }
        for fact in signature.facts {
            match (fact, extent) {
                (Fact::Extent, Some(len)) => self.extent(len),
                (fact, _) => self.hash.fact(fact),
            }
        }
        if order.is_some() {
            self.order(order);
        }
        self.left.extend(body.map(Left::Type));
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
            Some(ty) => self.left.push(Left::Type(ty)),
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
        self.left.push(Left::Choice(&choice.variants));
        match &choice.tag {
            Tag::Front(tag) => {
                self.hash.byte(0);
                self.left.push(Left::Type(tag));
            }
            Tag::Expr(expr) => {
                self.hash.byte(1);
                self.hash.text(expr);
            }
            Tag::Untagged => self.hash.byte(kind::UNTAGGED),
        }
    }

    fn fields(&mut self, fields: &'a [Field]) {
        self.hash.number(fields.len() as u64);
        self.left.push(Left::Fields(fields));
    }

    /// The names of what a type is passed, with their defaults: their order counts.
    fn parameters(&mut self, rules: &[String]) {
        let texts: Vec<Cow<'_, str>> = each(rules)
            .map(|Parameter { name, default, .. }| match default {
                Some(default) => Cow::Owned(format!("{name} = {default}")),
                None => Cow::Borrowed(name),
            })
            .collect();
        if !texts.is_empty() {
            self.hash.byte(kind::PARAMETERS);
            self.hash.texts(&texts.iter().map(|text| &**text).collect::<Vec<_>>());
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
                    Integer::Fixed { bytes, signed } => {
                        self.hash.signature(&Signature::int(end::PREFIXED, *bytes, *signed));
                    }
                    Integer::Varint { code, bytes } => {
                        self.hash.signature(&Signature::varint(end::PREFIXED_VARINT, *code, *bytes));
                    }
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
