//! Numbers that are written with up to nineteen digits, as nearly all are. What is in doubt is left to the standard library, which reads all.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "fewer than twenty digits, and what the loops of constants bound"
)]

/// A number of digits alone, and perhaps a point.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    is_negative: bool,
    digits: u64,
    /// How many of them are after the point, if there is one.
    places: Option<usize>,
}

/// So many digits are always fewer than 2 to the 64th power.
const MOST_DIGITS: usize = 19;

impl Decimal {
    #[inline]
    fn of(field: &[u8]) -> Option<Self> {
        let (is_negative, rest) = match field {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (digits, point) = match last_sixteen(rest) {
            Some(text) => at_once(text)?,
            None => one_by_one_and_sixteen(rest)?,
        };
        let count = rest.len().wrapping_sub(usize::from(point.is_some()));
        (1..=MOST_DIGITS).contains(&count).then_some(Decimal { is_negative, digits, places: point })
    }
}

/// The number of any digits, and how many are after the point.
fn one_by_one(text: &[u8]) -> Option<(u64, Option<usize>)> {
    let (mut digits, mut point) = (0u64, None);
    for (i, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        } else if *byte == b'.' && point.is_none() {
            point = Some(text.len().wrapping_sub(i).wrapping_sub(1));
        } else {
            return None;
        }
    }
    Some((digits, point))
}

/// The same of seventeen to twenty characters, the last sixteen of them together.
fn one_by_one_and_sixteen(text: &[u8]) -> Option<(u64, Option<usize>)> {
    let (start, end) = text.split_last_chunk::<16>().filter(|(start, _)| start.len() <= 4)?;
    let ((before, point), (after, places)) = (one_by_one(start)?, at_once(u128::from_le_bytes(*end))?);
    let (scale, places) = match (point, places) {
        (point, None) => (10_000_000_000_000_000, point.map(|places| places + 16)),
        (None, places) => (1_000_000_000_000_000, places),
        _ => return None,
    };
    Some((before.wrapping_mul(scale).wrapping_add(after), places))
}

const ZEROS: u128 = u128::from_le_bytes([b'0'; 16]);
const ZEROS8: u64 = ZEROS as u64;
const ZEROS4: u32 = ZEROS as u32;

/// Up to sixteen characters with zeros before them, the first of them in the lowest byte.
#[inline]
fn last_sixteen(text: &[u8]) -> Option<u128> {
    // how many bits of what is before the last half are not of the text: those of the zeros
    let free = |half: usize| 8u32.wrapping_mul(half.wrapping_mul(2).wrapping_sub(text.len()) as u32);
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        let free = free(8);
        // all bits may go
        let before = u128::from(u64::from_le_bytes(*first)).wrapping_shl(free) as u64;
        let zeros = u128::from(ZEROS8).wrapping_shr(64u32.wrapping_sub(free)) as u64;
        let all = u128::from(before | zeros) | u128::from(u64::from_le_bytes(*last)) << 64;
        return (text.len() <= 16).then_some(all);
    }
    let mut last = ZEROS8;
    if let (Some(first), Some(end)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let free = free(4);
        let before = u64::from(u32::from_le_bytes(*first)).wrapping_shl(free) as u32;
        let zeros = u64::from(ZEROS4).wrapping_shr(32u32.wrapping_sub(free)) as u32;
        last = u64::from(before | zeros) | u64::from(u32::from_le_bytes(*end)) << 32;
    } else {
        text.iter().for_each(|byte| last = last >> 8 | u64::from(*byte) << 56);
    }
    Some(u128::from(ZEROS8) | u128::from(last) << 64)
}

/// The number of sixteen digits, or of fifteen and a point, and how many are after it.
#[inline]
fn at_once(text: u128) -> Option<(u64, Option<usize>)> {
    let each = |byte: u8| u128::from_le_bytes([byte; 16]);
    // the highest bit of each byte that is a point, and perhaps of others after the first of them, which are looked at below
    let other = text ^ each(b'.');
    let points = other.wrapping_sub(each(0x01)) & !other & each(0x80);
    let (mut digits, mut places) = (text, None);
    if points != 0 {
        let place = points.trailing_zeros() / 8;
        let before = 1u128.wrapping_shl(place.wrapping_mul(8)).wrapping_sub(1);
        // what is before the point takes its place
        digits = text & !(before << 8 | 0xff) | (text & before) << 8 | u128::from(b'0');
        places = Some(15usize.wrapping_sub(place as usize));
    }
    let (first, last) = (eight(digits as u64)?, eight((digits >> 64) as u64)?);
    Some((first.wrapping_mul(100_000_000).wrapping_add(last), places))
}

/// The number of eight digits, the first of them in the lowest byte.
#[inline]
fn eight(text: u64) -> Option<u64> {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    let is_of_digits =
        text & each(0xf0) == each(0x30) && text.wrapping_add(each(0x06)) & each(0xf0) == each(0x30);
    is_of_digits.then(|| of_digits(text & each(0x0f)))
}

/// The same of what digits count: of pairs, then of two pairs of pairs at once.
#[inline]
fn of_digits(n: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let n = n.wrapping_mul(10).wrapping_add(n >> 8);
    let (odd, even) = (n & PAIRS, n >> 16 & PAIRS);
    odd.wrapping_mul(100 + (1_000_000 << 32)).wrapping_add(even.wrapping_mul(1 + (10_000 << 32))) >> 32
}

/// The number of some digits that stand in a text from `start` to `end`, which may have a sign. What is before them is read as well, as that
/// is faster than to ask how many they are: `None` where there is nothing, and of numbers that begin with more zeros than one.
#[inline]
#[cfg(feature = "table")]
pub(crate) fn integer_at(text: &[u8], start: usize, end: usize) -> Option<i64> {
    let (is_negative, start) = after_sign(text, start)?;
    let digits = match end.wrapping_sub(start) {
        len @ 1..=8 => number_of([word(text, end, len)?])?,
        len @ 9..=16 => {
            let (first, last) = (word(text, end.wrapping_sub(8), len - 8)?, word(text, end, 8)?);
            number_of([first, last])?
        }
        _ => return None,
    };
    // of fewer than 17 digits
    let n = digits as i64;
    Some(if is_negative { n.wrapping_neg() } else { n })
}

/// The float nearest to the number that stands there, as [`integer_at`] reads it: of digits and perhaps a point. `None` of integers of more than
/// fifteen digits, which it may not have exactly.
#[inline]
#[cfg(feature = "table")]
pub(crate) fn float_at(text: &[u8], start: usize, end: usize) -> Option<f64> {
    let (is_negative, start) = after_sign(text, start)?;
    let len = end.wrapping_sub(start);
    let size = match len {
        1..=8 => {
            let word = word(text, end, len)?;
            let Some(place) = point_in(word) else { return signed(number_of([word])? as f64, is_negative) };
            let digits = number_of([without(word, place)])?;
            // a point alone is no number
            let power = POWERS.get(7 - place).filter(|_| len > 1)?;
            digits as f64 / power
        }
        9..=16 => {
            let (first, last) = (word(text, end.wrapping_sub(8), len - 8)?, word(text, end, 8)?);
            let (first, last, places) = match (point_in(first), point_in(last)) {
                (Some(place), _) => (without(first, place), last, 15 - place),
                (None, Some(place)) => (first << 8, without(last, place) | first >> 56, 7 - place),
                (None, None) if len < 16 => (first, last, 0),
                (None, None) => return None,
            };
            let digits = number_of([first, last])?;
            // fifteen digits are exact
            digits as f64 / POWERS.get(places)?
        }
        17..=20 => {
            let first = word(text, end.wrapping_sub(16), len - 16)?;
            let (middle, last) = (word(text, end.wrapping_sub(8), 8)?, word(text, end, 8)?);
            let (first, middle, last, places) = if let Some(place) = point_in(first) {
                (without(first, place), middle, last, 23 - place)
            } else if let Some(place) = point_in(middle) {
                (first << 8, without(middle, place) | first >> 56, last, 15 - place)
            } else if let Some(place) = point_in(last) {
                (first << 8, middle << 8 | first >> 56, without(last, place) | middle >> 56, 7 - place)
            } else {
                return None;
            };
            let digits = number_of([first, middle, last])?;
            if places == 0 { digits as f64 } else { divided(digits, places)? }
        }
        _ => return None,
    };
    signed(size, is_negative)
}

#[inline]
#[cfg(feature = "table")]
fn signed(size: f64, is_negative: bool) -> Option<f64> {
    // without a branch: which numbers are negative cannot be predicted
    Some(f64::from_bits(size.to_bits() | u64::from(is_negative) << 63))
}

/// Whether a number is negative, and where its digits begin, if a zero is not before others.
#[inline]
#[cfg(feature = "table")]
fn after_sign(text: &[u8], start: usize) -> Option<(bool, usize)> {
    let is_negative = *text.get(start)? == b'-';
    let start = start.wrapping_add(usize::from(is_negative));
    let [first, second] = *text.get(start..start.wrapping_add(2))?.first_chunk::<2>()?;
    // one branch, which is hardly ever taken: whether a zero stands before a point cannot be predicted either
    let is_padded = (first == b'0') & second.is_ascii_digit();
    (!is_padded).then_some((is_negative, start))
}

/// The last `len` of the eight characters that end there, less those of zeros, with nothing before them.
#[inline]
#[cfg(feature = "table")]
fn word(text: &[u8], end: usize, len: usize) -> Option<u64> {
    let eight = text.get(end.wrapping_sub(8)..end)?.first_chunk::<8>()?;
    Some((u64::from_le_bytes(*eight) ^ ZEROS8) & (u64::MAX << (64usize.wrapping_sub(8 * len) & 63)))
}

/// Which of the characters of a [`word`] is a point.
#[inline]
#[cfg(feature = "table")]
fn point_in(word: u64) -> Option<usize> {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    let other = word ^ each(b'.' ^ b'0');
    // the highest bit of each byte that is a point, and perhaps of others after the first of them
    let points = other.wrapping_sub(each(0x01)) & !other & each(0x80);
    (points != 0).then(|| (points.trailing_zeros() / 8) as usize)
}

/// A [`word`] of which one character goes: those before it take its place.
#[inline]
#[cfg(feature = "table")]
fn without(word: u64, place: usize) -> u64 {
    let before = (1u64 << ((8 * place) & 63)).wrapping_sub(1);
    word & !(before << 8 | 0xff) | (word & before) << 8
}

/// The number that some [`word`]s of digits are, of fewer than twenty in all.
#[inline]
#[cfg(feature = "table")]
fn number_of<const N: usize>(words: [u64; N]) -> Option<u64> {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    // one branch for all of them
    let others = words.iter().fold(0, |others, word| others | word | word.wrapping_add(each(0x76)));
    let number =
        words.iter().fold(0u64, |n, word| n.wrapping_mul(100_000_000).wrapping_add(of_digits(*word)));
    (others & each(0x80) == 0).then_some(number)
}

/// An integer of few digits.
#[inline]
#[cfg(feature = "table")]
pub(crate) fn integer(field: &[u8]) -> Option<i64> {
    let Decimal { is_negative, digits, places: None } = Decimal::of(field)? else { return None };
    let n = i64::try_from(digits).ok()?;
    Some(if is_negative { n.wrapping_neg() } else { n })
}

/// The float nearest to a number of few digits, which may have an exponent.
#[inline]
pub(crate) fn float(field: &[u8]) -> Option<f64> {
    let (Decimal { is_negative, digits, places }, exponent) = match Decimal::of(field) {
        Some(decimal) => (decimal, 0),
        None => with_exponent(field)?,
    };
    let size = scaled(digits, places.map_or(exponent, |places| exponent - places as i32))?;
    Some(if is_negative { -size } else { size })
}

/// What is before an exponent of up to three digits, and the exponent.
fn with_exponent(field: &[u8]) -> Option<(Decimal, i32)> {
    let last = field.iter().rev().take(5).position(|byte| byte.eq_ignore_ascii_case(&b'e'))?;
    let (front, back) = field.split_at_checked(field.len() - last - 1)?;
    let (is_negative, digits) = match back.get(1..)? {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let (size, None) = one_by_one(digits).filter(|_| (1..=3).contains(&digits.len()))? else { return None };
    let size = size as i32;
    Some((Decimal::of(front)?, if is_negative { -size } else { size }))
}

/// Powers of ten that are exact as floats.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The float nearest to these digits times a power of ten. Where both are exact as floats, so is what one operation makes of them but for
/// its rounding (Clinger, How to Read Floating Point Numbers Accurately, 1990).
#[inline]
fn scaled(digits: u64, power: i32) -> Option<f64> {
    if digits <= 1 << 53 {
        let exact = POWERS.get(power.unsigned_abs() as usize);
        if let Some(exact) = exact {
            return Some(if power < 0 { digits as f64 / exact } else { digits as f64 * exact });
        }
    }
    match power {
        0 => Some(digits as f64),
        1.. => None,
        _ => divided(digits, power.unsigned_abs() as usize),
    }
}

/// For each power of five its inverse in 128 bits, rounded up: 2^(127 + z) / 5^k + 1, of which 2^z is the least power of two that is not below 5^k.
const INVERSES: [u128; 28] = {
    let (mut all, mut k) = ([0; 28], 0);
    while k < all.len() {
        let five = 5u128.pow(k as u32);
        let zeros = 255 - (five - 1).leading_zeros();
        let (mut rest, mut quotient, mut bits) = (1 % five, if five == 1 { 1 } else { 0 }, 0);
        while bits < zeros {
            (rest, quotient, bits) = (rest << 1, quotient << 1, bits + 1);
            if rest >= five {
                (rest, quotient) = (rest - five, quotient | 1);
            }
        }
        all[k] = quotient + 1;
        k += 1;
    }
    all
};

/// The float nearest to digits / 10^k, if k is at most 27: by a product with the inverse of which so many bits are right that none of those in
/// doubt decides (Lemire, Number Parsing at a Gigabyte per Second, 2021, sections 5 to 8).
fn divided(digits: u64, k: usize) -> Option<f64> {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    let inverse = INVERSES.get(k).filter(|_| digits > 0 && k > 0)?;
    let zeros = digits.leading_zeros();
    let digits = u128::from(digits << zeros);
    let product = digits * (inverse >> 64);
    let (mut high, mut low) = ((product >> 64) as u64, product as u64);
    if high & 0x1ff == 0x1ff {
        let carried;
        (low, carried) = low.overflowing_add(((digits * u128::from(*inverse as u64)) >> 64) as u64);
        high += u64::from(carried);
    }
    let upper = (high >> 63) as u32;
    let shift = upper + 64 - MANTISSA - 3;
    let mut mantissa = high >> shift;
    // of two floats that are equally near the even one
    if low <= 1 && k <= 4 && mantissa & 3 == 1 && mantissa << shift == high {
        mantissa &= !1;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    // 2^e is the greatest power of two in 10^-k
    let exponent = ((-(k as i64) * 217_706) >> 16) + 63 + i64::from(upper) - i64::from(zeros) + 1023;
    // a mantissa that has become too wide adds one to the exponent, and is 0 then
    Some(f64::from_bits(((exponent as u64) << MANTISSA) + (mantissa - (1 << MANTISSA))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_are_what_the_standard_library_says() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 16
        };
        let mut texts: Vec<String> =
            ["-", ".", "", "-.5", "5.", "-0", "-0.0", "1..2", "1e5", "+1", "0x1", "--1", "00.10"]
                .map(str::to_owned)
                .to_vec();
        texts.extend(
            ["9007199254740993", "9007199254740992", "9223372036854775807", "-9223372036854775808"]
                .map(str::to_owned),
        );
        texts.extend(
            ["1e", "e5", "1e+", "1e-0", "1E+05", "1e22", "1e23", "1e-400", "1e0005", "1.e1.", "1ee1"]
                .map(str::to_owned),
        );
        // halfway between two floats, and just beside that
        for (number, places) in (0..200).flat_map(|n| (1..=4u32).map(move |places| (n, places))) {
            let half = ((1u64 << 53) | (2 * number + 1)) >> places;
            let whole = u128::from(half) * 10u128.pow(places) + 10u128.pow(places) / 2;
            texts.extend([whole - 1, whole, whole + 1].map(|n| format!("{n}e-{places}")));
        }
        // other characters at every place, of every length
        let wrong = ["/", ":", ".", "-", " ", "\u{7f}", "é", "0", "9"];
        let put = |len: usize, place: usize, c: &str| {
            format!("{}{c}{}", "1".repeat(place), "8".repeat(len - place))
        };
        let places = (0..20).flat_map(|len| (0..=len).map(move |place| (len, place)));
        texts.extend(places.flat_map(|(len, place)| wrong.map(|c| put(len, place, c))));
        texts.extend(
            ["9999999999999999999", "10000000000000000000", "0.0000000000000000001"].map(str::to_owned),
        );
        for _ in 0..20_000 {
            let (digits, places) = (random() % 10u64.pow((random() % 19) as u32), (random() % 19) as usize);
            let mut text = format!("{digits:0>width$}", width = places + 1);
            text.insert(text.len() - places, '.');
            texts.push(if random() % 2 == 0 { text } else { format!("-{text}") });
            texts.push(digits.to_string());
            texts.push(format!("{digits}e{}", random() as i32 % 40 - 30));
            // as floats are written: shortest, and with all digits that count
            let x = f64::from_bits(f64::to_bits(digits as f64) ^ (random() & 0xf_ffff))
                / 10f64.powi(places as i32);
            texts.extend([x.to_string(), format!("{x:e}"), format!("{x:.15E}"), format!("{x:.16e}")]);
        }
        let mut floats = 0;
        #[cfg(feature = "table")]
        let (mut integers, mut integers_inside, mut floats_inside) = (0, 0, 0);
        for text in &texts {
            if let Some(x) = float(text.as_bytes()) {
                assert_eq!(Ok(x.to_bits()), text.parse().map(f64::to_bits), "{text}");
                floats += 1;
            }
            #[cfg(feature = "table")]
            {
                if let Some(n) = integer(text.as_bytes()) {
                    assert_eq!(Ok(n), text.parse(), "{text}");
                    integers += 1;
                }
                // among others, whatever they are
                for (before, after) in [("1234567890,.123456", ","), ("................", "9"), ("", "")] {
                    let all = format!("{before}{text}{after}");
                    let (start, end) = (before.len(), before.len() + text.len());
                    if let Some(n) = integer_at(all.as_bytes(), start, end) {
                        assert_eq!(Ok(n), text.parse(), "{all}");
                        integers_inside += 1;
                    }
                    if let Some(x) = float_at(all.as_bytes(), start, end) {
                        assert_eq!(Ok(x.to_bits()), text.parse().map(f64::to_bits), "{all}");
                        floats_inside += 1;
                    }
                }
            }
        }
        assert!(floats > 110_000, "{floats}");
        #[cfg(feature = "table")]
        assert!(integers > 19_000, "{integers}");
        #[cfg(feature = "table")]
        assert!(integers_inside > 30_000 && floats_inside > 100_000, "{integers_inside} {floats_inside}");
    }
}
