//! Conditions, made from bytes: as people write them, and now and then what means nothing.

use crate::targets::shared::input::Choices;

const COLUMNS: &[&str] = &["i", "x", "t", "s", "b", "`i`", "s.len()"];
const LITERALS: &[&str] = &[
    "0",
    "1",
    "-1",
    "1.5",
    "40",
    "9007199254740993",
    "9007199254740992.0",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "0x20",
    "'a'",
    "'b'",
    "''",
    "\"q,\"",
    "'2024-02-01'",
    "'2024-02-01T12:00'",
    "'1970-01-01'",
    "'9999-12-31T23:59:59.999999999'",
    "true",
    "false",
];
const COMPARED: &[&str] = &["=", "!=", "<", "<=", ">", ">=", "=="];
const COMPUTED: &[&str] = &["+", "-", "*", "/", "%"];

/// A condition of at most so many levels.
const LEVELS: u32 = 4;

pub(crate) fn condition(c: &mut Choices<'_>) -> String {
    of_levels(c, LEVELS)
}

fn of_levels(c: &mut Choices<'_>, levels: u32) -> String {
    let what = c.byte() % 16;
    if levels == 0 || what < 6 {
        return comparison(c);
    }
    let mut part = || of_levels(c, levels - 1);
    match what {
        6..=8 => format!("{} and {}", part(), part()),
        9..=11 => format!("{} or {}", part(), part()),
        12 => format!("not {}", part()),
        13 => format!("not ({})", part()),
        14 => format!("({}) and not ({})", part(), part()),
        _ => format!("({})", part()),
    }
}

fn comparison(c: &mut Choices<'_>) -> String {
    match c.byte() % 12 {
        0 => format!("{} is missing", c.pick(COLUMNS)),
        1 => format!("{} is not missing", c.pick(COLUMNS)),
        2 => format!("{} in ({}, {})", value(c), c.pick(LITERALS), value(c)),
        3 => format!("{} not in ({}, {})", value(c), c.pick(LITERALS), c.pick(LITERALS)),
        4 => c.pick(&["b", "true", "false", "not b"]).into(),
        5 => format!("{} {} {} {} {}", value(c), c.pick(COMPARED), value(c), c.pick(COMPUTED), value(c)),
        // both are of one kind
        6 | 7 => {
            format!("{} {} {}", c.pick(&["i", "x", "s.len()"]), c.pick(COMPARED), c.pick(&LITERALS[..11]))
        }
        8 => format!("t {} {}", c.pick(COMPARED), c.pick(&LITERALS[15..19])),
        9 => format!("s {} {}", c.pick(COMPARED), c.pick(&LITERALS[11..15])),
        _ => format!("{} {} {}", value(c), c.pick(COMPARED), value(c)),
    }
}

fn value(c: &mut Choices<'_>) -> &'static str {
    if c.is(2) { c.pick(LITERALS) } else { c.pick(COLUMNS) }
}
