//! The hash of a fingerprint, the numbers that stand for what is hashed, and what is hashed of each kind of type: said once, for
//! types known when compiling and for descriptions known at run time.

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

    #[inline]
    const fn code(&mut self, code: Varint, bytes: u8) {
        self.byte(match code {
            Varint::Leb128 => 0,
            Varint::Sleb128 => 1,
            Varint::Zigzag => 2,
            Varint::Vlq => 3,
        });
        self.byte(bytes);
    }

    #[inline]
    const fn encoding(&mut self, encoding: Encoding) {
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
    }

    /// An integer, of either form, after what says where it is: as a value, or as a length.
    #[inline]
    pub(crate) const fn int(&mut self, place: u8, bytes: u8, signed: bool) {
        self.byte(place);
        self.byte(bytes);
        self.flag(signed);
    }

    #[inline]
    pub(crate) const fn varint(&mut self, place: u8, code: Varint, bytes: u8) {
        self.byte(place);
        self.code(code, bytes);
    }

    #[inline]
    pub(crate) const fn float(&mut self, bytes: u8) {
        self.byte(kind::FLOAT);
        self.byte(bytes);
    }

    #[inline]
    pub(crate) const fn bool(&mut self, lax: bool) {
        self.byte(kind::BOOL);
        self.flag(lax);
    }

    /// Text, before its extent.
    #[inline]
    pub(crate) const fn text_in(&mut self, encoding: Encoding, nul: bool) {
        self.byte(kind::TEXT);
        self.encoding(encoding);
        self.flag(nul);
    }

    /// A region, before its extent and its body.
    #[inline]
    pub(crate) const fn region(&mut self, fill: Option<u8>) {
        match fill {
            Some(fill) => {
                self.byte(kind::VARINT);
                self.byte(fill);
            }
            None => self.byte(kind::REGION),
        }
    }

    /// An array with its dimensions, before its rank and its items.
    #[inline]
    pub(crate) const fn shaped(&mut self, dim_bytes: u8, dim_signed: bool, column_major: bool) {
        self.int(kind::SHAPED, dim_bytes, dim_signed);
        self.flag(column_major);
    }

    /// What may be missing, before its body.
    #[inline]
    pub(crate) const fn nullable(&mut self, present: u8, missing: (u8, u8), blank: bool) {
        self.byte(kind::NULLABLE);
        self.all(&[present, missing.0, missing.1]);
        self.flag(blank);
    }

    /// What is filled up to a size, before its body.
    #[inline]
    pub(crate) const fn padded(&mut self, size: u64, fill: u8, strict: bool) {
        self.byte(kind::PADDED);
        self.number(size);
        self.filling(fill, strict);
    }

    #[inline]
    pub(crate) const fn alignment(&mut self, to: u64, fill: u8, strict: bool) {
        self.byte(kind::ALIGNMENT);
        self.number(to);
        self.filling(fill, strict);
    }

    /// The end of what is filled.
    #[inline]
    pub(crate) const fn filling(&mut self, fill: u8, strict: bool) {
        self.byte(fill);
        self.flag(strict);
    }

    /// Text or bytes without the last of them, before these.
    #[inline]
    pub(crate) const fn trimmed(&mut self, byte: u8) {
        self.byte(kind::TRIMMED);
        self.byte(byte);
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

    #[inline]
    pub(crate) const fn bits(&mut self, bits: u8, run: Option<u8>, order: Option<BitOrder>) {
        self.byte(kind::BITS);
        self.byte(bits);
        self.byte(match run {
            Some(run) => run,
            None => 0,
        });
        self.byte(match order {
            None => 0,
            Some(BitOrder::Msb) => 1,
            Some(BitOrder::Lsb) => 2,
        });
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
