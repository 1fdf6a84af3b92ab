//! Conditions in the words of people who ask for rows: `betax > 10 and not name = 'Q1'`, `x is missing`.
//!
//! It is the language of descriptions with a few words more: `and`, `or`, `not`, `in`, `between`, `like`, `ilike`, `is missing`,
//! `is not missing`, `=` and `<>`, texts in single quotes, and names in backquotes; without references. A value that is missing makes a comparison neither true nor false.

use super::{Expr, Expression, Method, Op, Operand, Scope, Short, Slots, Why, parse, shortened};
use crate::error::Result;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Expression {
    /// The condition of a text in words; names may have dots.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "tables have it"))]
    pub(crate) fn of_words(text: &str, slots: Slots<'_>) -> Self {
        let tree = parse::in_words(text).map(|mut tree| {
            tree.join(slots);
            tree.each_name(&mut |name, slot| *slot = slots(name));
            tree
        });
        let short = tree.as_ref().ok().and_then(Short::new);
        Expression { text: text.into(), tree, short }
    }

    /// Why the text is not understood, if it is not.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "tables have it"))]
    pub(crate) fn not_understood(&self) -> Option<&str> {
        self.tree.as_ref().err().map(|why| &**why)
    }

    /// The first name that has no slot.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "tables have it"))]
    pub(crate) fn unknown_name(&self) -> Option<String> {
        let mut unknown = None;
        if let Ok(mut tree) = self.tree.clone() {
            tree.each_name(&mut |name, slot| {
                if slot.is_none() && unknown.is_none() {
                    unknown = Some(name.into());
                }
            });
        }
        unknown
    }

    /// Whether it holds; `None` if a value that is missing decides.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "tables have it"))]
    pub(crate) fn test<V: Operand>(&self, scope: Scope<'_, V>) -> Result<Option<bool>> {
        let slots = scope.in_order();
        if let Some(flag) = self.holds(slots).or_else(|| self.short.as_ref()?.flag(slots)) {
            return Ok(Some(flag));
        }
        self.work_out(0, |tree| match tree.flag(scope) {
            Err(why) if why.is_missing() => Ok(None),
            found => found.map(Some),
        })
    }
}

/// Whether one of these holds, as a tree that is no deeper than it must be.
pub(super) fn any(mut tests: Vec<Expr>) -> Expr {
    if tests.len() < 2 {
        return tests.pop().unwrap_or(Expr::Bool(false));
    }
    let second = tests.split_off(tests.len() / 2);
    Expr::Binary(Op::Or, Box::new(any(tests)), Box::new(any(second)))
}

/// What is said of a word that is not one of these.
#[cold]
pub(super) fn unknown(word: &str) -> Why {
    let instead = match word.to_ascii_lowercase().as_str() {
        "in" => ": it comes after what is compared, `x in (1, 2)`",
        "between" => ": it comes after what is compared, `x between 1 and 5`",
        "like" | "ilike" => ": it comes after what is compared, `name like 'ab%'`",
        "escape" => ": in a pattern, `\\%` and `\\_` are these characters themselves",
        word => of_texts(word).unwrap_or(", or a quote or an operator is missing before it"),
    };
    let word = shortened(word);
    let words = "and, or, not, in, between, like, ilike, is missing";
    format!("`{word}` is not one of the words of a condition, which are {words}{instead}").into()
}

/// What is said instead of a word or function that finds texts elsewhere.
fn of_texts(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase().replace('_', "");
    Some(match word.as_str() {
        "startswith" | "starts" | "prefix" | "beginswith" | "begins" => ": say `name like 'ab%'`",
        "endswith" | "ends" | "suffix" => ": say `name like '%ab'`",
        "contains" | "position" | "instr" | "strpos" | "find" => ": say `name like '%ab%'`",
        "glob" | "similar" | "regexp" | "regex" | "rlike" | "match" | "matches" | "fullmatch"
        | "regexplike" | "regexpmatches" => {
            ": say `name like 'ab%'`, where % is any text and _ any character"
        }
        "like" => ": say `name like 'ab%'`",
        "lower" | "upper" | "casefold" => ": say `name ilike 'ab%'`, to which capitals are small letters",
        _ => return None,
    })
}

/// What is said of a function, of which there are none.
#[cold]
pub(super) fn no_function(name: &str) -> Why {
    let instead = of_texts(name).unwrap_or(match name.to_ascii_lowercase().as_str() {
        "abs" | "fabs" => ": say `x < -1 or x > 1`, or `x not between -1 and 1`",
        "len" | "length" | "size" => ": say `name.len() > 2`",
        "isin" | "any" => ": say `x in (1, 2)`",
        "between" => ": say `x between 1 and 5`",
        "isnull" | "isna" | "notnull" | "notna" | "ismissing" => {
            ": say `x is missing`, or `x is not missing`"
        }
        "isnan" => ": say `x != x`, which only a NaN is",
        _ => "",
    });
    format!("a condition has no function `{}`{instead}", shortened(name)).into()
}

/// What is said of a condition that cannot be computed and has in it what joins conditions elsewhere.
#[cfg(feature = "table")]
pub(super) fn instead(tree: &Expr) -> &'static str {
    fn find(tree: &mut Expr, is_it: &dyn Fn(&Expr) -> bool) -> bool {
        is_it(tree) || tree.children().any(|of| find(of, is_it))
    }
    let mut tree = tree.clone();
    let is_bits = |tree: &Expr, op| matches!(tree, Expr::Binary(found, ..) if *found == op);
    let is_order = |tree: &Expr| matches!(tree, Expr::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge, ..));
    let is_row = |tree: &Expr| is_order(tree) && matches!(tree, Expr::Binary(_, a, _) if is_order(a));
    if find(&mut tree, &|tree| is_bits(tree, Op::BitAnd)) {
        return ": `&` works on the bits of numbers, `and` joins conditions";
    }
    if find(&mut tree, &|tree| is_bits(tree, Op::BitOr)) {
        return ": `|` works on the bits of numbers, `or` joins conditions";
    }
    if find(&mut tree, &is_row) {
        return ": say `1 < x and x < 5`, or `x between 1 and 5`";
    }
    ""
}

impl Expr {
    /// Makes one name of `a.b` where that is a name.
    fn join(&mut self, slots: Slots<'_>) {
        if let Some(name) = self.dotted().filter(|name| slots(name).is_some()) {
            *self = Expr::Field(name, None);
            return;
        }
        self.children().for_each(|of| of.join(slots));
    }

    fn dotted(&self) -> Option<String> {
        match self {
            Expr::Field(name, _) => Some(name.clone()),
            Expr::Member(of, name) => Some(format!("{}.{name}", of.dotted()?)),
            _ => None,
        }
    }

    /// Whether it is missing, or is not.
    pub(super) fn missing(self, not: bool) -> Self {
        Expr::Call(Box::new(self), if not { Method::IsSome } else { Method::IsNone })
    }
}

#[cfg(all(test, feature = "table"))]
mod tests {
    use super::super::{Literal, Needed};
    use super::*;
    use crate::numbers::Number;
    use alloc::string::ToString;
    use core::ops::Bound;

    /// A value of a row; without a number or a text it is missing.
    #[derive(Default)]
    struct Cell {
        number: Option<Number>,
        text: Option<&'static str>,
    }

    fn cell(n: impl Into<Number>) -> Cell {
        Cell { number: Some(n.into()), text: None }
    }

    impl Operand for Cell {
        fn int(&self) -> Option<i128> {
            self.number?.as_i128()
        }
        fn number(&self) -> Option<Number> {
            self.number.filter(|n| n.as_bool().is_none())
        }
        fn flag(&self) -> Option<bool> {
            self.number?.as_bool()
        }
        fn bytes(&self) -> Option<&[u8]> {
            self.text.map(str::as_bytes)
        }
        fn member(&self, _: &str) -> Option<&Self> {
            None
        }
        fn num_items(&self) -> Option<usize> {
            self.text.map(str::len)
        }
        fn is_there(&self) -> bool {
            self.number.is_some() || self.text.is_some()
        }
        fn what(&self) -> &'static str {
            if self.text.is_some() { "text" } else { "a number" }
        }
    }

    struct Row([Cell; 5]);

    impl super::super::Operands<Cell> for Row {
        fn at(&self, slot: usize) -> Option<&Cell> {
            self.0.get(slot)
        }
        fn in_order(&self) -> &[Cell] {
            &self.0
        }
    }

    fn of(text: &str) -> Expression {
        let names = ["n", "x", "name", "gone", "a b.c"];
        Expression::of_words(text, &|name| names.iter().position(|known| *known == name))
    }

    fn row() -> Row {
        let name = Cell { text: Some("Q1"), number: None };
        Row([cell(7u8), cell(1.5f64), name, Cell::default(), cell(true)])
    }

    #[test]
    fn words_are_what_people_expect() {
        for (text, expected) in [
            ("n = 7 and x < 2", Some(true)),
            ("n == 7 && x > 2", Some(false)),
            ("x > 1.25 AND x <= 1.5e0", Some(true)),
            ("x * 2 = 3 and n / 2 = 3 and n / 2.0 = 3.5", Some(true)),
            ("n > x", Some(true)),
            ("-x < -1", Some(true)),
            ("name = 'Q1' or n = 0", Some(true)),
            ("name <> \"Q1\"", Some(false)),
            ("name >= 'Q' and name < 'R'", Some(true)),
            ("not n = 7", Some(false)),
            ("not n = 6 and n = 7", Some(true)),
            ("not (n = 6 or n = 7)", Some(false)),
            ("gone is missing", Some(true)),
            ("gone is not missing or n is missing", Some(false)),
            ("not gone is missing", Some(false)),
            // what is missing is neither smaller nor larger nor something else
            ("gone > 1", None),
            ("gone != 1", None),
            ("not gone > 1", None),
            ("gone > 1 or n = 7", Some(true)),
            ("n = 7 or gone > 1", Some(true)),
            ("gone > 1 and n = 6", Some(false)),
            ("gone > 1 and n = 7", None),
            ("n in (6, 7)", Some(true)),
            ("n in (6) or x in (1, 1.5)", Some(true)),
            ("n not in (1, 2, 3) and name IN ('Q0', 'Q1', 'Q2')", Some(true)),
            ("not n in (7)", Some(false)),
            ("n + 1 in (8) and 2 * x in (x + 1.5)", Some(true)),
            ("n in (-7, 1 + 6) = true", Some(true)),
            ("gone in (1, 2)", None),
            ("gone not in (1, 2)", None),
            ("n between 7 and 9 and x not between 2 and 3", Some(true)),
            ("n BETWEEN 6.5 AND 7 or n = 0", Some(true)),
            ("n + 1 between 6 and 7", Some(false)),
            ("not n between 8 and 9", Some(true)),
            ("n between 9 and 5", Some(false)),
            ("gone between 1 and 2 or gone not between 1 and 2", None),
            ("n not between gone and 2", Some(true)),
            ("name like 'Q%' and name not like '_'", Some(true)),
            ("name LIKE 'q_' or name like \"%1.\"", Some(false)),
            ("name ilike 'q_' and not name ilike 'x%' and name like 'Q1'", Some(true)),
            ("'50%' like '50\\%' and 'a' not like '\\_' and '\\\\x' like '\\\\\\\\_'", Some(true)),
            ("(name like 'Q%') = true", Some(true)),
            ("gone like '%'", None),
            ("gone not like 'Q%'", None),
            ("gone like 'Q%' or n = 7", Some(true)),
            ("`a b.c` in (true)", Some(true)),
            ("`a b.c`", Some(true)),
            ("`a b.c` = false", Some(false)),
            ("name.len() = 2", Some(true)),
        ] {
            assert_eq!(of(text).test(&row()).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_nan_is_nothing_but_unequal() {
        let row = || Row([cell(7u8), cell(f64::NAN), cell(0u8), cell(0u8), cell(0u8)]);
        for (text, expected) in [("x = x", false), ("x != x", true), ("x < 1", false), ("not x < 1", true)] {
            assert_eq!(of(text).test(&row()).unwrap(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_says_why() {
        let why = |text: &str| {
            let expression = of(text);
            let refused = expression.not_understood().map(str::to_string);
            refused.unwrap_or_else(|| expression.test(&row()).unwrap_err().to_string())
        };
        // each would have two copies of the one before
        let lists = (0..30).fold("n = 1".to_owned(), |text, _| format!("({text}) in (true, false)"));
        let between = (0..30).fold("n".to_owned(), |text, _| format!("({text} between 1 and 2)"));
        for (text, expected) in [
            ("n > ", "something is missing at the end"),
            ("n > 'a", "a quote is not closed"),
            ("n = 7 x", "a quote or an operator is missing before it"),
            ("n = 7 8", "this is more than is understood"),
            ("name > 5", "text is not a number"),
            ("n", "this is not a condition"),
            ("x & 1 = 1", "bits are those of integers"),
            ("n / 0 = 1", "this divides by 0"),
            ("n is old", "`missing` is expected after `is`"),
            (&lists, "this is too long"),
            ("n like 'Q%'", "a number is not text"),
            ("1 like 'Q%'", "this is not text"),
            ("name like Q", "a text in quotes is expected after `like`, such as `'ab%'`"),
            ("n between 1, 2", "`and` is expected after `between` and a value, such as `between 1 and 5`"),
            ("name glob 'Q*'", "and, or, not, in, between, like, ilike, is missing: say `name like 'ab%'`"),
            ("name =~ 'Q'", "`~` is not understood: say `not`, or `name like 'ab%'`"),
            ("n in [1, 2]", "`[` is not understood: a list is in parentheses"),
            ("starts_with(name, 'Q')", "no function `starts_with`: say `name like 'ab%'`"),
            ("name.str.contains('Q')", "no function `contains`: say `name like '%ab%'`"),
            ("name.lower() = 'q1'", "no function `lower`: say `name ilike 'ab%'`"),
            ("abs(x) > 1", "no function `abs`: say `x < -1 or x > 1`"),
            ("sqrt(x) > 1", "a condition has no function `sqrt`"),
            (&between, "this is too long"),
            ("n in 1", "a list in parentheses is expected after `in`"),
            ("n in (1, 2", "`)` is missing"),
            ("n in ()", "`)` is not understood here"),
            ("n ** 2 > 1", "`*` is not understood here"),
            ("n > 1 & & x", "`&` is not understood here"),
        ] {
            assert!(why(text).contains(expected), "{text}: {}", why(text));
        }
        assert_eq!(of("n = 1 and m.k > 2").unknown_name().as_deref(), Some("m"));
    }

    #[test]
    fn what_must_be_so_leaves_rows_out() {
        let number = |n: Number| Literal::Number(n);
        let range = |slot, low, high| Needed { slot, low, high };
        let found = of("n > 5 and 2.5 >= x and name = 'a' and (n < 9 or x < 1) and n != 3").needed();
        let expected: Vec<Needed> = [
            range(0, Bound::Excluded(number(Number::I128(5))), Bound::Unbounded),
            range(1, Bound::Unbounded, Bound::Included(number(Number::F64(2.5)))),
            range(
                2,
                Bound::Included(Literal::Bytes(b"a".to_vec())),
                Bound::Included(Literal::Bytes(b"a".to_vec())),
            ),
        ]
        .into();
        assert_eq!(found, expected);
        assert!(of("not n > 5").needed().is_empty());
        let text = |text: &[u8]| Literal::Bytes(text.to_vec());
        for (pattern, low, high) in [
            ("BPM%", &b"BPM"[..], Bound::Excluded(&b"BPN"[..])),
            ("a_c", b"a", Bound::Excluded(b"b")),
            ("a\\xff\\xff%", b"a\xff\xff", Bound::Excluded(b"b")),
            ("\\xff%", b"\xff", Bound::Unbounded),
            ("Q1", b"Q1", Bound::Included(b"Q1")),
            ("", b"", Bound::Included(b"")),
        ] {
            let expected = range(2, Bound::Included(text(low)), high.map(text));
            assert_eq!(of(&format!("name like '{pattern}'")).needed(), [expected], "{pattern}");
        }
        for condition in ["name like '%x'", "name not like 'x%'", "name ilike 'x%'", "'x' like 'x%'"] {
            assert!(of(condition).needed().is_empty(), "{condition}");
        }
        // what one of several must be is between the least and the greatest
        let least = |n| Bound::Included(number(Number::I128(n)));
        assert_eq!(of("n in (5, 3, 9)").needed(), [range(0, least(3), least(9))]);
        assert_eq!(
            of("n between 3 and 9").needed(),
            [range(0, least(3), Bound::Unbounded), range(0, Bound::Unbounded, least(9))]
        );
        assert_eq!(
            of("n in (5, 3) and x = 1 or n > 7 and n < 9").needed(),
            [range(0, least(3), Bound::Unbounded)]
        );
        assert!(of("n in (5, x)").needed().is_empty());
        assert!(of("n not in (5, 3)").needed().is_empty());
        assert!(of("n = 5 or name = 'a'").needed().is_empty());
    }
}
