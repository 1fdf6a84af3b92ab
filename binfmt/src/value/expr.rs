//! Values as what the expressions of a description name.

use super::{Fields, Name, Value};
use crate::numbers::Number;
use crate::schema::expr;
use alloc::borrow::Cow;

pub(super) use expr::Tag;

/// The earlier fields of a record, by their slots.
pub(super) struct Earlier<'v> {
    /// In the order of the slots, unless they are found by name.
    values: &'v [Value],
    by_name: Option<(&'v Fields, &'v [Name])>,
    /// What the record was passed.
    arguments: &'v [Cow<'v, Value>],
}

/// The slot of an argument. No field has it, as no record has that many, so that fields are found first.
pub(super) fn argument(i: usize) -> usize {
    usize::MAX.wrapping_sub(i)
}

impl<'v> Earlier<'v> {
    /// No field at all.
    pub(super) const NONE: Earlier<'static> = Earlier { values: &[], by_name: None, arguments: &[] };

    /// Arguments alone.
    pub(super) fn passed(arguments: &'v [Cow<'v, Value>]) -> Self {
        Earlier { values: &[], by_name: None, arguments }
    }

    /// The same arguments, and values in the order of the slots.
    #[inline]
    pub(super) fn with<'w>(&self, values: &'w [Value]) -> Earlier<'w>
    where
        'v: 'w,
    {
        Earlier { values, by_name: None, arguments: self.arguments }
    }

    /// The same arguments, and fields of a record that stand in another order than the slots of these names.
    pub(super) fn with_names<'w>(&self, fields: &'w Fields, names: &'w [Name]) -> Earlier<'w>
    where
        'v: 'w,
    {
        Earlier { values: &[], by_name: Some((fields, names)), arguments: self.arguments }
    }

    /// The value of a slot.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> Option<&'v Value> {
        match (self.values.get(slot), self.by_name) {
            (Some(value), _) => Some(value),
            (None, Some((fields, names))) if slot < names.len() => fields.get(names.get(slot)?),
            (None, _) => self.arguments.get(argument(slot)).map(|value| &**value),
        }
    }
}

impl expr::Operands<Value> for Earlier<'_> {
    #[inline]
    fn at(&self, slot: usize) -> Option<&Value> {
        self.get(slot)
    }

    #[inline]
    fn in_order(&self) -> &[Value] {
        self.values
    }
}

impl expr::Operand for Value {
    #[inline]
    fn int(&self) -> Option<i128> {
        self.as_i128()
    }

    #[inline]
    fn small(&self) -> Option<i64> {
        match self {
            Value::Number(n) => n.as_i64(),
            _ => None,
        }
    }

    #[inline]
    fn number(&self) -> Option<Number> {
        match self {
            Value::Number(Number::Bool(_)) => None,
            Value::Number(n) => Some(*n),
            _ => None,
        }
    }

    #[inline]
    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }

    #[inline]
    fn bytes(&self) -> Option<&[u8]> {
        self.as_bytes()
    }

    fn member(&self, name: &str) -> Option<&Self> {
        self.get(name)
    }

    fn num_items(&self) -> Option<usize> {
        Value::num_items(self)
    }

    fn is_there(&self) -> bool {
        !matches!(self, Value::Missing(_) | Value::Absent)
    }

    fn what(&self) -> &'static str {
        Value::what(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::schema::expr::{Expression, Predicate};
    use crate::value::Value;
    use alloc::format;
    use alloc::string::ToString;

    static VALUES: [Value; 3] =
        [Value::Number(Number::U8(5)), Value::Number(Number::Bool(true)), Value::Missing(3)];

    fn expression(text: &str) -> Expression {
        Expression::new(text, &|name| ["n", "on", "gone"].iter().position(|known| *known == name))
    }

    fn int(text: &str) -> Result<i128> {
        expression(text).int(&Earlier::NONE.with(&VALUES), 7)
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0x10", 16),
            ("1_000u32", 1000),
            ("*n * 2", 10),
            ("(n + 1) * 2 - 7 / 2 % 2", 11),
            ("usize::from(*n) << 2", 20),
            ("(*n).into()", 5),
            ("n as u64 | 0b1000", 13),
            ("-1i32 as u8", 255),
            ("300 as i8", 44),
            ("if on { n } else { 1 / 0 }", 5),
            ("1 - -1", 2),
            ("u64::from(*n) & 4", 4),
            ("b'A'", 65),
            ("n * 4611686018427387904", 5 << 62),
            ("0 - 9223372036854775807 - n", -5 - i128::from(i64::MAX)),
            ("18446744073709551615 & n", 5),
            ("b\"ab\\x00\".len()", 3),
        ] {
            assert_eq!(int(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn conditions() {
        for (text, expected) in [
            ("*on", true),
            ("!on", false),
            ("n == 5 && !(n > 5) || false", true),
            ("n & 1 == 1", true),
            ("gone.is_none()", true),
            ("gone.is_some() && 1 / 0 == 1", false),
            ("b\"a\" < b\"b\"", true),
        ] {
            assert_eq!(expression(text).flag(&Earlier::NONE.with(&VALUES), 0).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn short_forms_say_what_the_tree_says() {
        let names = ["n", "on"].map(Name::from);
        let numbers = [
            Number::U8(0),
            Number::U8(5),
            Number::I8(-3),
            Number::I64(i64::MIN),
            Number::I64(i64::MAX),
            Number::U64(u64::MAX),
            Number::I128(i128::MIN),
            Number::F32(5.0),
            Number::Bool(true),
        ];
        let texts = "n; n & 6; n & 3 & -2; n & 4 == 4; n & 4 != 0; n < 5; n <= 5; n > 5; n >= 5; !(n == 5); !(n != 5); n * 2 - 2; \
            (n + 3) * 2; n * 2 & 3; n - 9223372036854775807; n * 9223372036854775807 * 2; n < 9223372036854775807; \
            n > 9223372036854775807; n >= 9223372036854775807; n * 2 == 10; 5 == n; on; !on; !!on; on == 1; !(n & 1); n & on; !n; \
            n < 18446744073709551615";
        for n in numbers {
            let fields: Fields = [("n", Value::Number(n)), ("on", Value::from(true))].into_iter().collect();
            for text in texts.split(';') {
                let of = Expression::new(text, &|name| names.iter().position(|known| **known == *name));
                // the short forms do not find fields by name
                let (short, tree) =
                    (Earlier::NONE.with(fields.values()), Earlier::NONE.with_names(&fields, &names));
                let shown = |e: crate::error::Error| e.to_string();
                assert_eq!(of.int(&short, 0).map_err(shown), of.int(&tree, 0).map_err(shown), "{text}: {n}");
                assert_eq!(
                    of.flag(&short, 0).map_err(shown),
                    of.flag(&tree, 0).map_err(shown),
                    "{text}: {n}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_understood_is_quoted() {
        for text in [
            "m",
            "n +",
            "f(n)",
            "1 / 0",
            "170141183460469231731687303715884105727 + 1",
            "n == ",
            "1 2",
            "n::x",
            "\"a",
        ] {
            let e = int(text).unwrap_err();
            assert!(e.to_string().contains(&format!("`{text}`")), "{e}");
            assert_eq!(e.offset(), Some(7));
        }
        // no one reads a message that is as long as a hostile expression
        for text in ["(", "-", "1+", "a", "9", "a::", "\"", "n.a", "f("] {
            let e = int(&text.repeat(100_000)).unwrap_err().to_string();
            assert!(e.len() < 600 && e.contains('…'), "{} bytes: {}", e.len(), &e[..100]);
        }
    }

    #[test]
    fn elements_that_end_a_list() {
        let is_last = |text, n: u8| Predicate::new(text).is_last(&Value::from(n), 0);
        assert!(is_last("|b: &u8| *b == 0", 0).unwrap());
        assert!(!is_last("|b| *b == 0", 1).unwrap());
        assert!(is_last("is_last", 1).is_err());
    }
}
