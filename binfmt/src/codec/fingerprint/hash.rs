//! The hash of a fingerprint, the numbers that stand for what is hashed, and what each kind of type has of its own: said once, for
//! types known when compiling and for descriptions known at run time, which compare these facts as well.

use crate::wire::{BitOrder, Encoding, Endian, Varint};

/// FNV-1a in 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    pub(crate) state: u64,
}

impl Hash {
    /// Nothing yet.
    pub(crate) const EMPTY: Hash = Hash { state: 0xcbf2_9ce4_8422_2325 };

    /// What every fingerprint begins with.
    #[inline]
    pub(crate) const fn start() -> Hash {
        let mut hash = Hash::EMPTY;
        hash.text("binfmt schema 1");
        hash
    }

    /// The number: the last step lets every bit of it depend on every other.
    #[inline]
    pub(crate) const fn finish(self) -> u64 {
        let mut n = self.state;
        n = (n ^ (n >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        n = (n ^ (n >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        n ^ (n >> 33)
    }

    #[inline]
    pub(crate) const fn byte(&mut self, byte: u8) {
        self.state = (self.state ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// The bytes one after the other, without their number.
    #[inline]
    pub(crate) const fn all(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let [first, others @ ..] = rest {
            self.byte(*first);
            rest = others;
        }
    }

    #[inline]
    pub(crate) const fn number(&mut self, n: u64) {
        self.all(&n.to_le_bytes());
    }

    #[inline]
    pub(crate) const fn flag(&mut self, on: bool) {
        self.byte(on as u8);
    }

    #[inline]
    pub(crate) const fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.all(bytes);
    }

    #[inline]
    pub(crate) const fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Texts, after their number.
    #[inline]
    pub(crate) const fn texts(&mut self, texts: &[&str]) {
        self.number(texts.len() as u64);
        let mut rest = texts;
        while let [first, others @ ..] = rest {
            self.text(first);
            rest = others;
        }
    }

    /// What a type has of its own, without an extent.
    #[inline]
    pub(crate) const fn signature(&mut self, signature: &Signature) {
        self.byte(signature.kind);
        let mut rest: &[Fact] = &signature.facts;
        while let [first, others @ ..] = rest {
            self.fact(*first);
            rest = others;
        }
    }

    #[inline]
    pub(crate) const fn fact(&mut self, fact: Fact) {
        match fact {
            Fact::Byte(byte) | Fact::Free(byte) => self.byte(byte),
            Fact::Number(n) => self.number(n),
            Fact::None | Fact::Extent => {}
        }
    }

    #[inline]
    pub(crate) const fn magic_bytes(&mut self, bytes: &[u8]) {
        self.byte(kind::MAGIC_BYTES);
        self.bytes(bytes);
    }

    /// A number as text, and its size.
    #[inline]
    pub(crate) const fn magic_number(&mut self, text: &[u8], bytes: u8) {
        self.byte(kind::MAGIC_NUMBER);
        self.bytes(text);
        self.byte(bytes);
    }

    /// What may be said of a length that stands before what it counts, after the length.
    #[inline]
    pub(crate) const fn prefix(&mut self, inclusive: bool, max: Option<u64>) {
        self.flag(inclusive);
        self.maximum(max);
    }

    /// A byte order that is fixed, or none.
    #[inline]
    pub(crate) const fn fixed_order(&mut self, order: Option<Endian>) {
        self.byte(match order {
            None => 0,
            Some(Endian::Little) => 1,
            Some(Endian::Big) => 2,
        });
    }

    /// A byte order that an expression chooses.
    #[inline]
    pub(crate) const fn chosen_order(&mut self, expr: &str) {
        self.byte(3);
        self.text(expr);
    }

    #[inline]
    pub(crate) const fn maximum(&mut self, max: Option<u64>) {
        self.flag(max.is_some());
        self.number(match max {
            Some(max) => max,
            None => 0,
        });
    }
}

/// What a type has of its own, without what is in it: the number of its kind, then facts in the order in which they are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) kind: u8,
    pub(crate) facts: [Fact; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    None,
    Byte(u8),
    /// A byte that may differ where types are compared: a filling, whether others are refused, how large a number is in memory.
    Free(u8),
    Number(u64),
    /// The place of the extent.
    Extent,
}

impl Signature {
    pub(crate) const BYTES: Signature = Signature::of(kind::BYTES, [Fact::Extent]);
    pub(crate) const LIST: Signature = Signature::of(kind::LIST, [Fact::Extent]);

    #[inline]
    pub(crate) const fn of<const N: usize>(kind: u8, facts: [Fact; N]) -> Signature {
        let mut signature = Signature { kind, facts: [Fact::None; 4] };
        let (found, _) = signature.facts.split_at_mut(N);
        found.copy_from_slice(&facts);
        signature
    }

    /// Whether two kinds are one, apart from what is free.
    #[cfg(feature = "dynamic")]
    pub(crate) fn is_like(&self, other: &Signature) -> bool {
        let mut facts = self.facts.iter().zip(&other.facts);
        self.kind == other.kind
            && facts.all(|(a, b)| a == b || matches!((a, b), (Fact::Free(_), Fact::Free(_))))
    }

    #[inline]
    pub(crate) const fn int(place: u8, bytes: u8, signed: bool) -> Signature {
        Signature::of(place, [Fact::Byte(bytes), Fact::Byte(signed as u8)])
    }

    #[inline]
    pub(crate) const fn varint(place: u8, code: Varint, bytes: u8) -> Signature {
        let code = match code {
            Varint::Leb128 => 0,
            Varint::Sleb128 => 1,
            Varint::Zigzag => 2,
            Varint::Vlq => 3,
        };
        Signature::of(place, [Fact::Byte(code), Fact::Free(bytes)])
    }

    #[inline]
    pub(crate) const fn text(encoding: Encoding, nul: bool) -> Signature {
        let encoding = match encoding {
            Encoding::Utf8 => 0,
            Encoding::Ascii => 1,
            Encoding::Latin1 => 2,
            Encoding::Any => 3,
            Encoding::Utf16Le => 4,
            Encoding::Utf16Be => 5,
            Encoding::Utf32Le => 6,
            Encoding::Utf32Be => 7,
        };
        Signature::of(kind::TEXT, [Fact::Byte(encoding), Fact::Byte(nul as u8), Fact::Extent])
    }

    #[inline]
    pub(crate) const fn region(fill: Option<u8>) -> Signature {
        match fill {
            Some(fill) => Signature::of(kind::VARINT, [Fact::Free(fill), Fact::Extent]),
            None => Signature::of(kind::REGION, [Fact::Extent]),
        }
    }

    #[inline]
    pub(crate) const fn shaped(dim_bytes: u8, dim_signed: bool, column_major: bool) -> Signature {
        let [bytes, signed, order] = [dim_bytes, dim_signed as u8, column_major as u8];
        Signature::of(kind::SHAPED, [Fact::Byte(bytes), Fact::Byte(signed), Fact::Byte(order), Fact::Extent])
    }

    #[inline]
    pub(crate) const fn nullable(present: u8, (low, high): (u8, u8), blank: bool) -> Signature {
        let codes = [Fact::Byte(present), Fact::Byte(low), Fact::Byte(high), Fact::Byte(blank as u8)];
        Signature::of(kind::NULLABLE, codes)
    }

    #[inline]
    pub(crate) const fn bits(bits: u8, run: Option<u8>, order: Option<BitOrder>) -> Signature {
        let run = match run {
            Some(run) => run,
            None => 0,
        };
        Signature::of(kind::BITS, [Fact::Byte(bits), Fact::Byte(run), Signature::bit_order(order)])
    }

    #[inline]
    pub(crate) const fn packed(bits: u8, order: Option<BitOrder>, strict: bool) -> Signature {
        let facts = [Fact::Byte(bits), Signature::bit_order(order), Fact::Free(strict as u8)];
        Signature::of(kind::PACKED, facts)
    }

    #[inline]
    const fn bit_order(order: Option<BitOrder>) -> Fact {
        Fact::Byte(match order {
            None => 0,
            Some(BitOrder::Msb) => 1,
            Some(BitOrder::Lsb) => 2,
        })
    }

    /// What is filled up to a size or a multiple of it.
    #[inline]
    pub(crate) const fn filled(kind: u8, size: u64, fill: u8, strict: bool) -> Signature {
        Signature::of(kind, [Fact::Number(size), Fact::Free(fill), Fact::Free(strict as u8)])
    }

    #[inline]
    pub(crate) const fn padding(fill: u8, strict: bool) -> Signature {
        Signature::of(kind::PADDING, [Fact::Extent, Fact::Free(fill), Fact::Free(strict as u8)])
    }
}

/// The numbers that stand for kinds of types. New kinds get new numbers: none is ever used again.
pub(crate) mod kind {
    pub(crate) const UNIT: u8 = 0;
    pub(crate) const INT: u8 = 1;
    pub(crate) const FLOAT: u8 = 2;
    pub(crate) const BOOL: u8 = 3;
    pub(crate) const TEXT: u8 = 4;
    pub(crate) const BYTES: u8 = 5;
    pub(crate) const LIST: u8 = 6;
    pub(crate) const SHAPED: u8 = 7;
    pub(crate) const REGION: u8 = 8;
    pub(crate) const NULLABLE: u8 = 9;
    pub(crate) const CONDITIONAL: u8 = 10;
    pub(crate) const ORDERED: u8 = 11;
    pub(crate) const PADDED: u8 = 12;
    pub(crate) const PADDING: u8 = 13;
    pub(crate) const ALIGNMENT: u8 = 14;
    pub(crate) const MAGIC_BYTES: u8 = 15;
    pub(crate) const MAGIC_NUMBER: u8 = 16;
    pub(crate) const MET: u8 = 17;
    #[cfg_attr(not(feature = "dynamic"), expect(dead_code, reason = "descriptions alone have it"))]
    pub(crate) const OPAQUE: u8 = 18;
    #[cfg_attr(not(feature = "dynamic"), expect(dead_code, reason = "descriptions alone have it"))]
    pub(crate) const UNKNOWN: u8 = 19;
    pub(crate) const RECORD: u8 = 20;
    pub(crate) const CHOICE: u8 = 21;
    /// Also of a region that is filled: what follows differs.
    pub(crate) const VARINT: u8 = 22;
    pub(crate) const TRIMMED: u8 = 23;
    pub(crate) const BITS: u8 = 24;
    pub(crate) const AT: u8 = 25;
    /// What a field passes to its type.
    pub(crate) const ARGS: u8 = 26;
    /// What a type is passed.
    pub(crate) const PARAMETERS: u8 = 27;
    pub(crate) const PEEKED: u8 = 28;
    pub(crate) const PROCESSED: u8 = 29;
    pub(crate) const TAIL: u8 = 30;
    /// In the place of a tag.
    pub(crate) const UNTAGGED: u8 = 31;
    /// An element of a list of bits.
    pub(crate) const PACKED: u8 = 32;
}

/// The numbers that stand for where something ends.
pub(crate) mod end {
    pub(crate) const FIXED: u8 = 0;
    pub(crate) const PREFIXED: u8 = 1;
    pub(crate) const EXPR: u8 = 2;
    pub(crate) const EACH: u8 = 3;
    pub(crate) const UNTIL: u8 = 4;
    pub(crate) const TERMINATED: u8 = 5;
    pub(crate) const TO_END: u8 = 6;
    pub(crate) const PREFIXED_VARINT: u8 = 7;
    #[cfg_attr(not(feature = "dynamic"), expect(dead_code, reason = "descriptions alone have it"))]
    pub(crate) const PREFIXED_OPAQUE: u8 = 8;
    pub(crate) const ENDS: u8 = 9;
    pub(crate) const GAPS: u8 = 10;
}

#[cfg(test)]
mod tests {
    use super::Hash;

    /// The test vectors of the hash's authors.
    #[test]
    #[inline]
    fn fnv_1a() {
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325_u64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut hash = Hash::EMPTY;
            hash.all(text.as_bytes());
            assert_eq!(hash.state, expected, "{text}");
        }
    }
}
