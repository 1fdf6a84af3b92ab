//! Numbers that are written with few digits, as most are.

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
        let (mut digits, mut point) = (0u64, None);
        for (i, byte) in rest.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if *byte == b'.' && point.is_none() {
                point = Some(i);
            } else {
                return None;
            }
        }
        let count = rest.len().wrapping_sub(usize::from(point.is_some()));
        // the digits that stand after it
        let places = point.map(|before| count.wrapping_sub(before));
        (1..=MOST_DIGITS).contains(&count).then_some(Decimal { is_negative, digits, places })
    }
}

/// An integer of few digits.
#[inline]
pub(super) fn integer(field: &[u8]) -> Option<i64> {
    let Decimal { is_negative, digits, places: None } = Decimal::of(field)? else { return None };
    let n = i64::try_from(digits).ok()?;
    Some(if is_negative { n.wrapping_neg() } else { n })
}

/// A float of few digits: both numbers below are exact as floats, so that their quotient is the nearest float to what is written
/// (Clinger 1990).
#[inline]
pub(super) fn float(field: &[u8]) -> Option<f64> {
    const POWERS: [f64; 20] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19,
    ];
    let Decimal { is_negative, digits, places } = Decimal::of(field)?;
    let power = POWERS.get(places.unwrap_or(0))?;
    let size = (digits <= 1 << 53).then_some(digits as f64 / power)?;
    Some(if is_negative { -size } else { size })
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
            ["9999999999999999999", "10000000000000000000", "0.0000000000000000001"].map(str::to_owned),
        );
        for _ in 0..20_000 {
            let (digits, places) = (random() % 10u64.pow((random() % 19) as u32), (random() % 19) as usize);
            let mut text = format!("{digits:0>width$}", width = places + 1);
            text.insert(text.len() - places, '.');
            texts.push(if random() % 2 == 0 { text } else { format!("-{text}") });
            texts.push(digits.to_string());
        }
        let (mut floats, mut integers) = (0, 0);
        for text in &texts {
            if let Some(x) = float(text.as_bytes()) {
                assert_eq!(Ok(x.to_bits()), text.parse().map(f64::to_bits), "{text}");
                floats += 1;
            }
            if let Some(n) = integer(text.as_bytes()) {
                assert_eq!(Ok(n), text.parse(), "{text}");
                integers += 1;
            }
        }
        assert!(floats > 20_000 && integers > 19_000, "{floats} {integers}");
    }
}
