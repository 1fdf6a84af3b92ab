//! Numbers that are written as text, one or a list in brackets.

use binfmt::numbers::Number;

/// The words of a text with their offsets: what is between blanks, commas and brackets, without comments (`--` up to the end of the line).
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let is_comment = rest.starts_with(b"--");
            let ends = |b: &u8| if is_comment { *b == b'\n' } else { is_mark(*b) };
            let len = rest.iter().position(ends).unwrap_or(rest.len());
            let word = rest.get(..len)?;
            let begin = at;
            at += len.max(1);
            if len > 0 && !is_comment {
                return std::str::from_utf8(word).ok().map(|word| (begin, word));
            }
        }
    })
}

fn is_mark(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b',' | b'[' | b']')
}

/// The number of a word, which may have `_` between its digits and its type behind it.
pub(crate) fn number(word: &str) -> Option<Number> {
    let plain = word.replace('_', "");
    // digits of a hexadecimal number may look like a type
    if let Some(n) = hexadecimal(&plain) {
        return Some(n);
    }
    let types = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"];
    let digits = types.iter().find_map(|name| plain.strip_suffix(name)).unwrap_or(&plain);
    let digits = digits.strip_suffix('.').unwrap_or(digits);
    let (sign, unsigned) = digits.strip_prefix('-').map_or((1i8, digits), |digits| (-1, digits));
    if let Some(name) = ["f16.", "f32.", "f64."].iter().find_map(|kind| unsigned.strip_prefix(kind)) {
        return name.parse::<f64>().ok().map(|n| Number::F64(n * f64::from(sign)));
    }
    let binary = || {
        let digits = unsigned.strip_prefix("0b")?;
        i128::from_str_radix(digits, 2).ok().map(|n| Number::I128(i128::from(sign) * n))
    };
    let whole = || digits.parse().ok().map(Number::I128);
    let float = || digits.parse().ok().map(Number::F64);
    hexadecimal(digits).or_else(binary).or_else(whole).or_else(float)
}

/// A hexadecimal number: an integer, or a float whose exponent of 2 stands after `p`.
fn hexadecimal(word: &str) -> Option<Number> {
    let (sign, digits) = word.strip_prefix('-').map_or((1i8, word), |digits| (-1, digits));
    let digits = digits.strip_prefix("0x")?;
    let Some((mantissa, exponent)) = digits.split_once('p') else {
        return i128::from_str_radix(digits, 16).ok().map(|n| Number::I128(i128::from(sign) * n));
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    // one step more than a power of 2 has may be left of a number below the least of full precision
    let (half, rest) = (exponent / 2, exponent - exponent / 2);
    Some(Number::F64(f64::from(sign) * all as f64 * 2f64.powi(half) * 2f64.powi(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_with_their_offsets() {
        let found: Vec<_> = words(b"[[1i32, -2],\n -- 7\n[3]] x").collect();
        assert_eq!(found, [(2, "1i32"), (8, "-2"), (20, "3"), (24, "x")]);
        assert_eq!(words(b"").count() + words(b" [] ").count(), 0);
    }

    #[test]
    fn numbers_have_types_and_radices() {
        for (word, number) in [("1i32", 1), ("-1_000u8", -1000), ("0x1F", 31), ("-0b10i8", -2), ("12.", 12)] {
            assert_eq!(super::number(word), Some(Number::I128(number)), "{word}");
        }
        assert_eq!(number("1.5f32"), Some(Number::F64(1.5)));
        assert_eq!(number("-f32.inf"), Some(Number::F64(f64::NEG_INFINITY)));
        assert!(number("f64.nan").is_some_and(|n| n.to_f64().is_nan()));
        assert!(number("true").is_none() && number("f64.x").is_none());
        for (word, float) in
            [("0x1p3f64", 8.0), ("-0x1.8p1", -3.0), ("0x1p-1074", 5e-324), ("0x.8p0f32", 0.5)]
        {
            assert_eq!(number(word), Some(Number::F64(float)), "{word}");
        }
        assert_eq!(number("0x1f32"), Some(Number::I128(0x1f32)));
        assert_eq!(number("0xffi32"), Some(Number::I128(255)));
    }
}
