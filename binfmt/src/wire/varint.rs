//! Integers of as many bytes as they need: seven bits in each, the eighth says whether another byte follows.
//!
//! One pair of functions serves the wire forms, whose kind and width are constants, and what is known only at run time.

use super::amount::inside;
use super::raw::Varint;
use super::sink::Sink;
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};

/// What groups of seven bits are gathered in: 64 bits where they hold the integer.
trait Groups: Copy {
    fn of(n: u128) -> Self;
    fn wide(self) -> u128;
    /// The lowest seven bits.
    fn lowest(self) -> u8;
    /// Without the lowest seven bits, which the sign fills from above.
    fn without_lowest(self, signed: bool) -> Self;
    /// With a group in the place of that many bits.
    fn with(self, group: u8, shift: u32) -> Self;
    /// Seven bits higher, with a group below; `None` where that has more bits than there are.
    fn then(self, group: u8, bits: u32) -> Option<Self>;
}

macro_rules! groups {
    ($($t:ident $signed:ident)*) => { $(
        impl Groups for $t {
            #[inline(always)]
            fn of(n: u128) -> Self {
                n as $t
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self.into()
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self as u8 & 0x7f
            }
            #[inline(always)]
            fn without_lowest(self, signed: bool) -> Self {
                if signed { ((self as $signed) >> 7) as $t } else { self >> 7 }
            }
            #[inline(always)]
            fn with(self, group: u8, shift: u32) -> Self {
                self | $t::from(group).wrapping_shl(shift)
            }
            #[inline(always)]
            fn then(self, group: u8, bits: u32) -> Option<Self> {
                let fits = self.wrapping_shr(bits.wrapping_sub(7)) == 0;
                fits.then_some(self << 7 | $t::from(group))
            }
        }
    )* };
}
groups!(u64 i64 u128 i128);

/// Reads an integer that is `bytes` wide in memory: its two's complement in 128 bits, of which the caller takes the lowest.
#[inline(always)]
pub(crate) fn read<'de, S: Source<'de>>(src: &mut S, code: Varint, bytes: u8) -> Result<u128> {
    let at = src.pos();
    let [first] = src.array::<1>()?;
    if first < 0x80 {
        return Ok(match code {
            Varint::Leb128 | Varint::Vlq => first.into(),
            Varint::Sleb128 => extended(first.into(), 7),
            Varint::Zigzag => unzigzag(first.into()),
        });
    }
    let all = match (code, bytes <= 8) {
        (Varint::Vlq, true) => high_first::<S, u64>(src, bytes, first)?,
        (Varint::Vlq, false) => high_first::<S, u128>(src, bytes, first)?,
        (_, true) => low_first::<S, u64>(src, code, bytes, first)?,
        (_, false) => low_first::<S, u128>(src, code, bytes, first)?,
    };
    match all {
        Some((n, short)) if short || src.policy().padded_integers => Ok(n),
        Some(_) => Err(Error::new(ErrorKind::PaddedInteger { form: code.name() }, at)),
        None => Err(Error::new(ErrorKind::IntegerTooLarge { form: code.name(), bytes }, at)),
    }
}

/// Steps over the integer that stands for a missing value.
pub(crate) fn pass<'de, S: Source<'de>>(src: &mut S, code: Varint, bytes: u8) -> Result<()> {
    let at = src.pos();
    match read(src, code, bytes)? {
        n if n != 0 && src.policy().blank_missing => Err(Error::new(ErrorKind::MissingNotBlank, at)),
        _ => Ok(()),
    }
}

/// The sign of that many bits carried on.
#[inline(always)]
fn extended(n: u128, bits: u32) -> u128 {
    let rest = 128u32.wrapping_sub(bits);
    ((n.wrapping_shl(rest) as i128).wrapping_shr(rest)) as u128
}

/// 0, 1, 2, 3 as 0, -1, 1, -2.
#[inline(always)]
fn unzigzag(n: u128) -> u128 {
    (n >> 1) ^ (n & 1).wrapping_neg()
}

/// The groups after the first, low bits first: the integer and whether it is in its shortest form; `None` where it has more
/// bits than there are.
#[inline(always)]
fn low_first<'de, S: Source<'de>, G: Groups>(
    src: &mut S,
    code: Varint,
    bytes: u8,
    first: u8,
) -> Result<Option<(u128, bool)>> {
    let bits = u32::from(bytes).wrapping_mul(8);
    let (mut all, mut shift, mut before) = (G::of(0).with(first & 0x7f, 0), 7u32, first);
    loop {
        let [byte] = src.array::<1>()?;
        let group = byte & 0x7f;
        let left = bits.wrapping_sub(shift);
        if left < 7 {
            // the last byte that there may be: what is above the integer is nothing, or its sign
            let fits = match code {
                Varint::Sleb128 => {
                    let sign = left.wrapping_sub(1);
                    group >> sign == 0 || group >> sign == 0x7f >> sign
                }
                _ => group >> left == 0,
            };
            if byte >= 0x80 || !fits {
                return Ok(None);
            }
        }
        all = all.with(group, shift);
        shift = shift.wrapping_add(7);
        if byte < 0x80 {
            return Ok(Some(match code {
                Varint::Sleb128 => {
                    let is_sign = (group == 0 && before & 0x40 == 0) || (group == 0x7f && before & 0x40 != 0);
                    (extended(all.wide(), shift.min(bits)), !is_sign)
                }
                Varint::Zigzag => (unzigzag(all.wide()), group != 0),
                _ => (all.wide(), group != 0),
            }));
        }
        before = byte;
    }
}

/// The same, high bits first.
#[inline(always)]
fn high_first<'de, S: Source<'de>, G: Groups>(
    src: &mut S,
    bytes: u8,
    first: u8,
) -> Result<Option<(u128, bool)>> {
    let bits = u32::from(bytes).wrapping_mul(8);
    let mut all = G::of(0).with(first & 0x7f, 0);
    for _ in 1..Varint::Vlq.max_len(bytes) {
        let [byte] = src.array::<1>()?;
        let Some(more) = all.then(byte & 0x7f, bits) else { return Ok(None) };
        all = more;
        if byte < 0x80 {
            return Ok(Some((all.wide(), first != 0x80)));
        }
    }
    Ok(None)
}

/// Writes the integer of which this is the two's complement, extended from its width in memory.
#[inline(always)]
pub(crate) fn write<W: Sink>(out: &mut W, code: Varint, bytes: u8, n: u128) -> Result<()> {
    let n = if code == Varint::Zigzag { (n << 1) ^ ((n as i128) >> 127) as u128 } else { n };
    let is_short = match code {
        Varint::Sleb128 => extended(n, 7) == n,
        _ => n < 0x80,
    };
    if is_short {
        return out.array([n as u8 & 0x7f]);
    }
    match (code, bytes <= 8) {
        (Varint::Vlq, true) => put_high_first(out, n as u64),
        (Varint::Vlq, false) => put_high_first(out, n),
        (_, true) => put_low_first(out, code, n as u64),
        (_, false) => put_low_first(out, code, n),
    }
}

/// Room for the groups of 128 bits.
const MOST: usize = 19;

#[inline(always)]
fn put_low_first<W: Sink, G: Groups>(out: &mut W, code: Varint, mut n: G) -> Result<()> {
    let signed = code == Varint::Sleb128;
    let (mut bytes, mut len) = ([0u8; MOST], 0usize);
    for place in &mut bytes {
        let group = n.lowest();
        n = n.without_lowest(signed);
        // what is left is the sign that this group ends with
        let rest = G::of(if signed && group & 0x40 != 0 { u128::MAX } else { 0 });
        let is_last = n.wide() == rest.wide();
        len = len.wrapping_add(1);
        *place = if is_last { group } else { group | 0x80 };
        if is_last {
            break;
        }
    }
    out.front(&bytes, len, 0)
}

#[inline(always)]
fn put_high_first<W: Sink, G: Groups>(out: &mut W, mut n: G) -> Result<()> {
    let (mut bytes, mut begin) = ([0u8; MOST], MOST);
    for place in bytes.iter_mut().rev() {
        *place = n.lowest() | if begin == MOST { 0 } else { 0x80 };
        begin = begin.wrapping_sub(1);
        n = n.without_lowest(false);
        if n.wide() == 0 {
            break;
        }
    }
    out.bytes(inside(&bytes, begin..), 0)
}
