//! The rule `range = 1..=9` of a field.

use super::{Fields, Nothing, Operand, Scope, int};
use crate::numbers::Number;
use crate::schema::Field;
use alloc::string::String;

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Int(i128),
    /// The number that a literal is in double and in single precision.
    Float(f64, f32),
}

/// The values that a rule allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: Option<Limit>,
    high: Option<Limit>,
    inclusive: bool,
}

impl Range {
    /// The range of a rule of a field that names no earlier field; `None` where the rule is another one, or the range
    /// is beyond this language.
    pub(crate) fn constant(rule: &str) -> Option<Range> {
        Range::of::<super::Never>(rule, &Nothing)
    }

    /// The range of a rule, whose limits may be earlier fields.
    pub(crate) fn of<V: Operand>(rule: &str, scope: Scope<'_, V>) -> Option<Range> {
        let text = Range::text(rule)?;
        let (low, high) = text.split_once("..")?;
        let (high, inclusive) = match high.trim_start().strip_prefix('=') {
            Some(high) => (high, true),
            None => (high, false),
        };
        let limit = |text: &str| match text.trim() {
            "" => Some(None),
            text => limit(text, scope).map(Some),
        };
        Some(Range { low: limit(low)?, high: limit(high)?, inclusive })
    }

    /// Whether these fields say what a rule allows.
    pub(crate) fn depends_on(rule: &str, fields: &[Field]) -> bool {
        Range::constant(rule).is_none() && Range::of(rule, &Some(fields) as Scope<'_, Any>).is_some()
    }

    /// The range as it stands in a rule.
    pub(crate) fn text(rule: &str) -> Option<&str> {
        let text = rule.strip_prefix("range = ")?.trim();
        Some(text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text))
    }

    /// Whether a number lies in it. Nothing is said of bools and of numbers of half precision.
    #[inline]
    pub(crate) fn has(&self, n: Number) -> bool {
        match n {
            Number::Bool(_) | Number::F16(_) => true,
            Number::F32(x) => self.has_f32(x),
            Number::F64(x) => self.has_f64(x),
            n => self.has_int(n.as_i128()),
        }
    }

    /// Whether an integer lies in it; one that is too large for an `i128` is `None`.
    fn has_int(&self, n: Option<i128>) -> bool {
        let Some(n) = n else { return self.high.is_none() };
        let low = !matches!(self.low, Some(Limit::Int(low)) if n < low);
        low && match self.high {
            Some(Limit::Int(high)) if self.inclusive => n <= high,
            Some(Limit::Int(high)) => n < high,
            _ => true,
        }
    }

    /// Whether a number of double precision lies in it.
    fn has_f64(&self, x: f64) -> bool {
        // a NaN lies in no range that has an end
        let low = match self.low {
            Some(Limit::Float(low, _)) => low <= x,
            _ => true,
        };
        low && match self.high {
            Some(Limit::Float(high, _)) if self.inclusive => x <= high,
            Some(Limit::Float(high, _)) => x < high,
            _ => true,
        }
    }

    /// Whether a number of single precision lies in it.
    fn has_f32(&self, x: f32) -> bool {
        let low = match self.low {
            Some(Limit::Float(_, low)) => low <= x,
            _ => true,
        };
        low && match self.high {
            Some(Limit::Float(_, high)) if self.inclusive => x <= high,
            Some(Limit::Float(_, high)) => x < high,
            _ => true,
        }
    }

    /// Whether no value lies in it.
    pub(crate) fn is_empty(&self) -> bool {
        match (self.low, self.high) {
            (Some(Limit::Int(low)), Some(Limit::Int(high))) => {
                if self.inclusive {
                    low > high
                } else {
                    low >= high
                }
            }
            (Some(Limit::Float(low, _)), Some(Limit::Float(high, _))) => {
                if self.inclusive {
                    low > high
                } else {
                    low >= high
                }
            }
            _ => false,
        }
    }
}

/// Any value of a field.
struct Any;

impl Operand for Any {
    fn int(&self) -> Option<i128> {
        Some(1)
    }
    fn flag(&self) -> Option<bool> {
        Some(true)
    }
    fn bytes(&self) -> Option<&[u8]> {
        None
    }
    fn member(&self, _: &str) -> Option<&Self> {
        Some(self)
    }
    fn num_items(&self) -> Option<usize> {
        Some(1)
    }
    fn is_there(&self) -> bool {
        true
    }
    fn what(&self) -> &'static str {
        "a field"
    }
}

impl Fields<Any> for Option<&[Field]> {
    fn find(&self, name: &str) -> Option<&Any> {
        self.as_ref()?.iter().any(|field| field.name == name).then_some(&Any)
    }
}

fn limit<V: Operand>(text: &str, scope: Scope<'_, V>) -> Option<Limit> {
    if let Ok(n) = int(text, scope, 0) {
        return Some(Limit::Int(n));
    }
    let digits = text.trim_end_matches("f32").trim_end_matches("f64");
    let digits: String = digits.chars().filter(|c| *c != '_').collect();
    // `inf` and `nan` are numbers to std, and names here
    let is_literal = digits.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    is_literal.then_some(Limit::Float(digits.parse().ok()?, digits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Range {
        Range::constant(&alloc::format!("range = {text}")).unwrap()
    }

    #[test]
    fn integers() {
        for (text, inside, outside) in [
            ("1..=12", 12, 13),
            ("1..12", 11, 12),
            ("-3..", -3, -4),
            ("..5", 4, 5),
            ("..=2 * 6", 12, 13),
            ("(0..=0xff)", 255, -1),
            ("0..1_000u32", 999, 1000),
        ] {
            assert!(of(text).has_int(Some(inside)) && !of(text).has_int(Some(outside)), "{text}");
        }
        assert!(of("..").has_int(None) && !of("..=5").has_int(None));
        assert!(of("5..=4").is_empty() && of("5..5").is_empty() && !of("5..=5").is_empty());
    }

    #[test]
    fn floats() {
        let range = of("-0.5..=1e1");
        assert!(
            range.has_f64(10.0) && range.has_f32(-0.5) && !range.has_f64(10.5) && !range.has_f64(f64::NAN)
        );
        // the literal has the width of the field
        assert!(of("0.1..0.2").has_f32(0.1) && !of("0.1..0.2").has_f64(f64::from(0.1f32) - 1e-8));
        assert!(of("1.0..0.5f32").is_empty());
    }

    #[test]
    fn others() {
        for rule in ["range = A..=B", "range = 1", "assert(*a == 1..2)", "range = f(1)..2", "range = inf.."] {
            assert_eq!(Range::constant(rule), None, "{rule}");
        }
    }
}
