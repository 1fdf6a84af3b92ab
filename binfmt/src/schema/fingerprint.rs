//! A number for a layout: the same wherever and whenever it is computed.
//!
//! What is hashed is a canonical form, byte by byte, with FNV-1a (64 bits) and the last step of MurmurHash3, without which
//! types that differ little would have numbers that differ little: for each type a number that stands for its
//! kind, then its content; text with its length before it. A named type is hashed where it is first met, later ones refer
//! to it by the order in which they were met, so that neither the names of definitions nor their order counts.

use super::integer::Integer;
use super::names::without_paths;
use super::types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type};
use crate::wire::{BitOrder, Encoding, Varint};
use alloc::collections::BTreeMap;
use alloc::string::ToString;
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
    let mut hash = Hash { description, met: BTreeMap::new(), state: 0xcbf2_9ce4_8422_2325 };
    hash.text("binfmt schema 1");
    hash.ty(&description.root);
    Fingerprint(mixed(hash.state))
}

/// Lets every bit of the number depend on every other.
fn mixed(mut n: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        n = (n ^ (n >> 33)).wrapping_mul(factor);
    }
    n ^ (n >> 33)
}

struct Hash<'a> {
    description: &'a Description,
    /// Names with the order in which they were met.
    met: BTreeMap<&'a str, u64>,
    state: u64,
}

impl<'a> Hash<'a> {
    fn byte(&mut self, byte: u8) {
        self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn number(&mut self, n: u64) {
        n.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn flag(&mut self, on: bool) {
        self.byte(on.into());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        bytes.iter().for_each(|byte| self.byte(*byte));
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The number that stands for a kind of type. New kinds get new numbers: none is ever used again.
    fn ty(&mut self, ty: &'a Type) {
        match ty {
            Type::Unit => self.byte(0),
            Type::Int { bytes, signed } => {
                self.byte(1);
                self.byte(*bytes);
                self.flag(*signed);
            }
            Type::Varint { code, bytes } => {
                self.byte(22);
                self.varint(*code, *bytes);
            }
            Type::Float { bytes } => {
                self.byte(2);
                self.byte(*bytes);
            }
            Type::Bool { lax } => {
                self.byte(3);
                self.flag(*lax);
            }
            Type::Text { encoding, nul, len } => {
                self.byte(4);
                self.byte(match encoding {
                    Encoding::Utf8 => 0,
                    Encoding::Ascii => 1,
                    Encoding::Latin1 => 2,
                    Encoding::Any => 3,
                    Encoding::Utf16Le => 4,
                    Encoding::Utf16Be => 5,
                    Encoding::Utf32Le => 6,
                    Encoding::Utf32Be => 7,
                });
                self.flag(*nul);
                self.extent(len);
            }
            Type::Bytes { len } => {
                self.byte(5);
                self.extent(len);
            }
            Type::Record(record) => self.record(record),
            Type::Choice(choice) => self.choice(choice),
            Type::Named(name) => self.named(name),
            Type::Opaque { by, min, max } => {
                self.byte(18);
                // the path of a custom codec does not matter
                self.text(&without_paths(by));
                self.number(*min);
                self.maximum(*max);
            }
            other => self.around(other),
        }
    }

    /// What stands around another type, and bytes without a value.
    fn around(&mut self, ty: &'a Type) {
        match ty {
            Type::List { item, len } => {
                self.byte(6);
                self.extent(len);
                self.ty(item);
            }
            Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } => {
                self.byte(7);
                self.byte(*dim_bytes);
                self.flag(*dim_signed);
                self.flag(*column_major);
                self.extent(rank);
                self.ty(item);
            }
            Type::Region { len, fill, body } => {
                self.byte(if fill.is_some() { 22 } else { 8 });
                fill.iter().for_each(|fill| self.byte(*fill));
                self.extent(len);
                self.ty(body);
            }
            Type::Nullable { present, missing, blank, body } => {
                self.byte(9);
                [*present, missing.0, missing.1].into_iter().for_each(|byte| self.byte(byte));
                self.flag(*blank);
                self.ty(body);
            }
            Type::Conditional { condition, otherwise, body } => {
                self.byte(if otherwise.is_some() { 34 } else { 10 });
                self.text(condition);
                otherwise.iter().for_each(|text| self.text(text));
                self.ty(body);
            }
            Type::Ordered { order, body } => {
                self.byte(11);
                self.order(Some(order));
                self.ty(body);
            }
            Type::Padded { size, fill, strict, body } => {
                self.byte(12);
                self.number(*size);
                self.byte(*fill);
                self.flag(*strict);
                self.ty(body);
            }
            Type::Bits { bits, run, order, body } => {
                self.byte(24);
                self.byte(*bits);
                self.byte(run.unwrap_or(0));
                self.byte(match order {
                    None => 0,
                    Some(BitOrder::Msb) => 1,
                    Some(BitOrder::Lsb) => 2,
                });
                self.ty(body);
            }
            Type::Trimmed { byte, body } => {
                self.byte(23);
                self.byte(*byte);
                self.ty(body);
            }
            Type::Padding { len, fill, strict } => {
                self.byte(13);
                self.extent(len);
                self.byte(*fill);
                self.flag(*strict);
            }
            Type::Alignment { to, fill, strict } => {
                self.byte(14);
                self.number(*to);
                self.byte(*fill);
                self.flag(*strict);
            }
            Type::Magic { value: Magic::Bytes(bytes) } => {
                self.byte(15);
                self.bytes(bytes);
            }
            Type::Magic { value: Magic::Number { value, bytes } } => {
                self.byte(16);
                self.text(value);
                self.byte(*bytes);
            }
            // all others are handled by the caller
            _ => {}
        }
    }

    fn named(&mut self, name: &'a str) {
        let description = self.description;
        if let Some(number) = self.met.get(name).copied() {
            self.byte(17);
            return self.number(number);
        }
        self.met.insert(name, self.met.len() as u64);
        match description.definitions.get(name) {
            Some(ty) => self.ty(ty),
            None => {
                self.byte(19);
                self.text(name);
            }
        }
    }

    fn record(&mut self, record: &'a Record) {
        self.byte(20);
        self.text(&record.name);
        self.order(record.order.as_ref());
        self.fields(&record.fields);
    }

    fn choice(&mut self, choice: &'a Choice) {
        self.byte(21);
        self.text(&choice.name);
        self.order(choice.order.as_ref());
        match &choice.tag {
            Tag::Front(tag) => {
                self.byte(0);
                self.ty(tag);
            }
            Tag::Expr(expr) => {
                self.byte(1);
                self.text(expr);
            }
        }
        self.number(choice.variants.len() as u64);
        for variant in &choice.variants {
            self.text(&variant.name);
            self.text(&variant.tag);
            self.fields(&variant.fields);
        }
    }

    fn fields(&mut self, fields: &'a [Field]) {
        self.number(fields.len() as u64);
        for field in fields {
            self.text(&field.name);
            self.ty(&field.ty);
        }
    }

    fn order(&mut self, order: Option<&ByteOrder>) {
        match order {
            None => self.byte(0),
            Some(ByteOrder::Little) => self.byte(1),
            Some(ByteOrder::Big) => self.byte(2),
            Some(ByteOrder::Expr(expr)) => {
                self.byte(3);
                self.text(expr);
            }
        }
    }

    fn varint(&mut self, code: Varint, bytes: u8) {
        self.byte(match code {
            Varint::Leb128 => 0,
            Varint::Sleb128 => 1,
            Varint::Zigzag => 2,
            Varint::Vlq => 3,
        });
        self.byte(bytes);
    }

    fn maximum(&mut self, max: Option<u64>) {
        self.flag(max.is_some());
        self.number(max.unwrap_or(0));
    }

    fn extent(&mut self, len: &Extent) {
        let (kind, expr) = match len {
            Extent::Fixed(n) => {
                self.byte(0);
                return self.number(*n);
            }
            Extent::Prefixed { len, max, inclusive } => {
                match len {
                    Integer::Fixed { bytes, signed } => {
                        self.byte(1);
                        self.byte(*bytes);
                        self.flag(*signed);
                    }
                    Integer::Varint { code, bytes } => {
                        self.byte(7);
                        self.varint(*code, *bytes);
                    }
                    Integer::Opaque { by, min, max } => {
                        self.byte(8);
                        self.text(&without_paths(by));
                        self.number(*min);
                        self.number(*max);
                    }
                }
                self.flag(*inclusive);
                return self.maximum(*max);
            }
            Extent::Expr(expr) => (2, expr.as_str()),
            Extent::Each(expr) => (3, expr.as_str()),
            Extent::Until(expr) => (4, expr.as_str()),
            Extent::Terminated => (5, ""),
            Extent::Ends(end) => {
                self.byte(9);
                return self.text(&end.to_string());
            }
            Extent::ToEnd => (6, ""),
        };
        self.byte(kind);
        self.text(expr);
    }
}

#[cfg(test)]
mod tests {
    use super::{Description, Hash};
    use crate::schema::Type;
    use alloc::collections::BTreeMap;

    /// The test vectors of the hash's authors.
    #[test]
    fn fnv_1a() {
        let description = Description::new(Type::Unit);
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325_u64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let state = 0xcbf2_9ce4_8422_2325;
            let mut hash = Hash { description: &description, met: BTreeMap::new(), state };
            text.bytes().for_each(|byte| hash.byte(byte));
            assert_eq!(hash.state, expected, "{text}");
        }
    }
}
