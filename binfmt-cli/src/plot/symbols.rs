//! Greek letters and raised digits, as texts of accelerators say them: `$gb$r` is β, `m$a2$n` is m².

/// The letters that `$g` makes of a to z, and of A to Z.
const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
const LARGE: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// A text as people read it. What is lowered stays on the line.
pub(super) fn plain(text: &str) -> String {
    let (mut is_greek, mut is_raised) = (false, false);
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '$' {
            let known = chars.next_if(|word| "abdefghiknrstuv".contains(*word));
            match known {
                Some('g') => is_greek = true,
                Some('r') => is_greek = false,
                Some('a') => is_raised = true,
                Some('b' | 'n') => is_raised = false,
                Some(_) => {}
                None => out.push(c),
            }
            continue;
        }
        out.push(shown(c, is_greek, is_raised));
    }
    out
}

fn shown(c: char, is_greek: bool, is_raised: bool) -> char {
    let letter = |from: char, letters: &str| letters.chars().nth((u32::from(c) - u32::from(from)) as usize);
    let found = match c {
        'a'..='z' if is_greek => letter('a', SMALL),
        'A'..='Z' if is_greek => letter('A', LARGE),
        '0'..='9' if is_raised => letter('0', RAISED),
        '-' if is_raised => Some('⁻'),
        _ => None,
    };
    found.unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_are_read() {
        for (text, expected) in [
            ("$gb$r$bx$n", "βx"),
            ("$gm$rm", "μm"),
            ("m$a-2$n/s", "m⁻²/s"),
            ("$gW$r", "Ω"),
            ("US$", "US$"),
            ("5 $ m", "5 $ m"),
            ("m$be$nc", "mec"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
        assert_eq!((SMALL.chars().count(), LARGE.chars().count()), (26, 26));
    }
}
