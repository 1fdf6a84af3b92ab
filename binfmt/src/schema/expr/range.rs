//! The rule `range = 1..=9` of a field.

use super::{Expression, Nothing, Operand, Scope, Slots, constant};
use crate::numbers::Number;
use alloc::boxed::Box;
use alloc::string::String;

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Int(i128),
    /// The number that a literal is in double and in single precision.
    Float(f64, f32),
}

impl Limit {
    fn int(self) -> Option<i128> {
        if let Limit::Int(n) = self { Some(n) } else { None }
    }

    fn double(self) -> Option<f64> {
        if let Limit::Float(x, _) = self { Some(x) } else { None }
    }

    fn single(self) -> Option<f32> {
        if let Limit::Float(_, x) = self { Some(x) } else { None }
    }
}

/// The values that a rule allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: Option<Limit>,
    high: Option<Limit>,
    inclusive: bool,
}

/// A rule that bounds a number, with limits that earlier fields may say.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    text: Box<str>,
    low: End,
    high: End,
    inclusive: bool,
}

#[derive(Clone, Debug)]
enum End {
    Open,
    Known(Limit),
    Field(Box<Expression>),
}

impl Rule {
    /// `None` if the rule is another one, or the range is beyond this language.
    pub(crate) fn new(rule: &str, slots: Slots<'_>) -> Option<Rule> {
        let text = rule.strip_prefix("range = ")?.trim();
        let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
        let (low, high) = text.split_once("..")?;
        let (high, inclusive) = match high.trim_start().strip_prefix('=') {
            Some(high) => (high, true),
            None => (high, false),
        };
        Some(Rule { text: text.into(), low: End::new(low, slots)?, high: End::new(high, slots)?, inclusive })
    }

    /// The range as it stands in the source.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The range; `None` if a field that is its limit is not an integer.
    #[inline]
    pub(crate) fn range<V: Operand>(&self, scope: Scope<'_, V>) -> Option<Range> {
        Some(Range { low: self.low.limit(scope)?, high: self.high.limit(scope)?, inclusive: self.inclusive })
    }

    /// The range, if no field has a say in it.
    pub(crate) fn constant(&self) -> Option<Range> {
        self.range::<super::Never>(&Nothing)
    }
}

impl End {
    fn new(text: &str, slots: Slots<'_>) -> Option<End> {
        let text = text.trim();
        if text.is_empty() {
            return Some(End::Open);
        }
        if let Ok(n) = constant(text, 0) {
            return Some(End::Known(Limit::Int(n)));
        }
        let digits = text.trim_end_matches("f32").trim_end_matches("f64");
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        // `inf` and `nan` are numbers to std, and names here
        let is_literal = digits.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        if let (true, Ok(double), Ok(single)) = (is_literal, digits.parse(), digits.parse()) {
            return Some(End::Known(Limit::Float(double, single)));
        }
        let limit = Expression::new(text, slots);
        limit.is_known().then(|| End::Field(Box::new(limit)))
    }

    #[inline]
    fn limit<V: Operand>(&self, scope: Scope<'_, V>) -> Option<Option<Limit>> {
        match self {
            End::Open => Some(None),
            End::Known(limit) => Some(Some(*limit)),
            End::Field(limit) => limit.int(scope, 0).ok().map(|n| Some(Limit::Int(n))),
        }
    }
}

impl Range {
    /// Whether a number lies in it. Nothing is said of bools and of numbers of half precision.
    #[inline]
    pub(crate) fn has(&self, n: Number) -> bool {
        match n {
            Number::Bool(_) | Number::F16(_) => true,
            Number::F32(x) => self.holds(x, Limit::single),
            n if n.number_type().is_float() => self.holds(n.to_f64(), Limit::double),
            n => self.has_int(n.as_i128()),
        }
    }

    /// Whether an integer lies in it; one that is too large for an `i128` is `None`.
    fn has_int(&self, n: Option<i128>) -> bool {
        n.map_or(self.high.is_none(), |n| self.holds(n, Limit::int))
    }

    /// Whether a number lies in it, as far as its limits are of the same kind. A NaN lies in no range that has an end.
    #[inline]
    fn holds<T: PartialOrd>(&self, x: T, limit: impl Fn(Limit) -> Option<T>) -> bool {
        let high = |high| if self.inclusive { x <= high } else { x < high };
        self.low.and_then(&limit).is_none_or(|low| low <= x) && self.high.and_then(&limit).is_none_or(high)
    }

    /// Whether no value lies in it: not even its lower limit.
    pub(crate) fn is_empty(&self) -> bool {
        match self.low {
            Some(Limit::Int(low)) => !self.holds(low, Limit::int),
            Some(Limit::Float(low, _)) => !self.holds(low, Limit::double),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant_of(rule: &str) -> Option<Range> {
        Rule::new(rule, &|_| None)?.constant()
    }

    fn of(text: &str) -> Range {
        constant_of(&alloc::format!("range = {text}")).unwrap()
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
            range.has(10.0f64.into())
                && range.has((-0.5f32).into())
                && !range.has(10.5f64.into())
                && !range.has(f64::NAN.into())
        );
        // the literal has the width of the field
        assert!(of("0.1..0.2").has(0.1f32.into()) && !of("0.1..0.2").has((f64::from(0.1f32) - 1e-8).into()));
        assert!(of("1.0..0.5f32").is_empty());
    }

    #[test]
    fn others() {
        for rule in ["range = A..=B", "range = 1", "assert(*a == 1..2)", "range = f(1)..2", "range = inf.."] {
            assert_eq!(constant_of(rule), None, "{rule}");
        }
    }
}
