//! Values as what the expressions of a description name.

use super::Value;
use crate::schema::expr;

pub(super) use expr::{Fields, Nothing, Tag, flag, int, is_last, is_one, matches, num_items, order, tag};

/// What an expression can name.
pub(super) type Scope<'s> = expr::Scope<'s, Value>;

impl expr::Operand for Value {
    fn int(&self) -> Option<i128> {
        self.as_i128()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }

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
        !self.is_missing() && *self != Value::Absent
    }

    fn what(&self) -> &'static str {
        Value::what(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Number;
    use crate::value::Value;
    use alloc::format;
    use alloc::string::ToString;

    struct Some3;

    impl Fields<Value> for Some3 {
        fn find(&self, name: &str) -> Option<&Value> {
            match name {
                "n" => Some(&Value::Number(Number::U8(5))),
                "on" => Some(&Value::Number(Number::Bool(true))),
                "gone" => Some(&Value::Missing(3)),
                _ => None,
            }
        }
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
            ("b\"ab\\x00\".len()", 3),
        ] {
            assert_eq!(int(text, &Some3, 0).unwrap(), expected, "{text}");
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
            assert_eq!(flag(text, &Some3, 0).unwrap(), expected, "{text}");
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
            let e = int(text, &Some3, 7).unwrap_err();
            assert!(e.to_string().contains(&format!("`{text}`")), "{e}");
            assert_eq!(e.offset(), Some(7));
        }
        // nobody reads a message that is as long as a hostile expression
        for text in ["(", "-", "1+", "a", "9", "a::", "\"", "n.a", "f("] {
            let e = int(&text.repeat(100_000), &Some3, 0).unwrap_err().to_string();
            assert!(e.len() < 600 && e.contains('…'), "{} bytes: {}", e.len(), &e[..100]);
        }
    }

    #[test]
    fn elements_that_end_a_list() {
        assert!(is_last("|b: &u8| *b == 0", &Value::from(0u8), 0).unwrap());
        assert!(!is_last("|b| *b == 0", &Value::from(1u8), 0).unwrap());
        assert!(is_last("is_last", &Value::from(1u8), 0).is_err());
    }
}
