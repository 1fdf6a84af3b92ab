//! Which columns, rows and pages are wanted, and which columns a pattern means.

use crate::error::{Error, Result};
use crate::pattern::{is_meant, is_pattern};
use crate::span::{Pages, Span};
use binfmt::table::Wanted;
use std::collections::HashMap;

/// Which part of the data is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    /// By name, in this order; `None` for all.
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) rows: Span,
    /// Nothing was said, or these.
    pub(crate) pages: Option<Pages>,
}

impl Pick {
    pub(crate) const ALL: Pick = Pick { columns: None, rows: Span::ALL, pages: None };

    /// Whether nothing is chosen.
    pub(crate) fn is_all(&self) -> bool {
        self.columns.is_none() && self.pages.is_none() && self.rows == Span::ALL
    }

    /// Whether a page or another part is wanted.
    pub(crate) fn has_page(&self, page: u64) -> bool {
        self.pages.as_ref().is_none_or(|pages| pages.has(page))
    }

    /// From the first page that is wanted to the last.
    pub(crate) fn cover(&self) -> Span {
        self.pages.as_ref().map_or(Span::ALL, Pages::cover)
    }

    /// The rows, as a table is asked for them.
    pub(crate) fn wanted_rows(&self) -> Wanted {
        let at = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        match self.rows == Span::ALL {
            true => Wanted::new(),
            false => Wanted::new().rows(at(self.rows.from)..self.rows.to.map_or(i64::MAX, at)),
        }
    }

    /// The places of the chosen columns among all `names`. A word that is not a name may be a [pattern](is_pattern):
    /// the columns that it means and that were not named before it, in the order of the file.
    pub(crate) fn columns_of(&self, names: &[&str]) -> Result<Vec<usize>> {
        self.columns_among(names, names.len())
    }

    /// The same, where only the first `count` are columns: the others have one value for all rows of a page, and are meant by their
    /// whole names.
    pub(crate) fn columns_among(&self, names: &[&str], count: usize) -> Result<Vec<usize>> {
        let Some(columns) = &self.columns else { return Ok((0..count).collect()) };
        let mut is_chosen = vec![false; names.len()];
        let mut chosen = Vec::new();
        // of two of one name the first
        let places: HashMap<&str, usize> =
            names.iter().enumerate().rev().map(|(i, name)| (*name, i)).collect();
        for wanted in columns {
            let before = chosen.len();
            match places.get(wanted.as_str()) {
                Some(i) => chosen.push(*i),
                None if is_pattern(wanted) => {
                    let meant = (0..count).filter(|i| is_meant(wanted, names[*i]));
                    let all: Vec<usize> = meant.collect();
                    if all.is_empty() {
                        return Err(unknown(wanted, names));
                    }
                    chosen.extend(all.into_iter().filter(|i| !is_chosen[*i]));
                }
                None => return Err(unknown(wanted, names)),
            }
            chosen[before..].iter().for_each(|i| is_chosen[*i] = true);
        }
        Ok(chosen)
    }
}

/// No column is called that, and what may be meant.
pub(crate) fn unknown(wanted: &str, names: &[&str]) -> Error {
    let error = Error::usage(format_args!("unknown column `{wanted}`"));
    if wanted.bytes().all(|byte| byte.is_ascii_digit()) {
        return error.tip(format_args!("columns go by their names: {}", listed(names)));
    }
    let words: Vec<&str> = wanted.split([' ', ';']).filter(|word| !word.is_empty()).collect();
    if words.len() > 1 && words.iter().all(|word| names.contains(word)) {
        return error.tip(format_args!("commas are between names: {}", words.join(",")));
    }
    match binfmt::schema::near::did_you_mean(wanted, names.iter().copied()) {
        Some(tip) => error.tip(tip),
        None => error.tip(format_args!("the columns are {}", listed(names))),
    }
}

/// Whether a name or a condition names this column; a text that it is compared with does not.
pub(crate) fn is_named_in(text: &str, name: &str) -> bool {
    text == name || text.split(['\'', '"']).step_by(2).any(|text| is_apart_in(text, name))
}

/// Whether a name is there that is not part of a longer one.
fn is_apart_in(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_apart = |(at, found): (usize, &str)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    !name.is_empty() && text.match_indices(name).any(is_apart)
}

/// Names in a sentence, not too many of them.
pub(crate) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 20;
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// That columns are not among the chosen ones, and how the first of them comes to stand beside one that is.
pub(crate) fn lost(names: &[&str], first: &str, kept: Option<&str>) -> String {
    let both = [Some(first), kept].into_iter().flatten().collect::<Vec<_>>().join(",");
    format!("not among the columns: {}; --columns has them, as in --columns {both}", listed(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_name_in_any_order() {
        let pick = |columns: &[&str]| Pick {
            columns: Some(columns.iter().map(|c| (*c).to_owned()).collect()),
            ..Pick::ALL
        };
        let names = ["time", "pressure"];
        assert_eq!(pick(&["pressure", "time"]).columns_of(&names).unwrap(), [1, 0]);
        assert_eq!(Pick::ALL.columns_of(&names).unwrap(), [0, 1]);
        let e = pick(&["presure"]).columns_of(&names).unwrap_err();
        assert_eq!(e.message().unwrap().tip.as_deref(), Some("did you mean `pressure`?"));
        let e = pick(&["pre?"]).columns_of(&names).unwrap_err();
        assert_eq!(e.status(), 2);
        let e = pick(&["pressure time"]).columns_of(&names).unwrap_err();
        assert_eq!(e.message().unwrap().tip.as_deref(), Some("commas are between names: pressure,time"));
        let e = pick(&["x"]).columns_of(&names).unwrap_err();
        assert_eq!(e.message().unwrap().tip.as_deref(), Some("the columns are time, pressure"));
    }

    #[test]
    fn columns_by_pattern() {
        let pick = |columns: &[&str]| Pick {
            columns: Some(columns.iter().map(|c| (*c).to_owned()).collect()),
            ..Pick::ALL
        };
        let names = ["s", "betax", "alphax", "betay", "a*b", "β"];
        let of = |columns: &[&str]| pick(columns).columns_of(&names).unwrap();
        assert_eq!(of(&["beta*"]), [1, 3]);
        assert_eq!(of(&["*x", "*"]), [1, 2, 0, 3, 4, 5]);
        assert_eq!(of(&["?", "s"]), [0, 5, 0]);
        assert_eq!(of(&["*a*a*"]), [2]);
        // a name is a name first
        assert_eq!(of(&["a*b"]), [4]);
        assert_eq!(of(&["**", "nothing*"][..1]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn names_stand_apart_in_conditions() {
        for text in ["hor", "`hor` > 1", "x < hor", "(hor = 2)", "x != 'a' and hor = 'b'"] {
            assert!(is_named_in(text, "hor"), "{text}");
        }
        for text in ["horizontal > 1", "a_hor", "*x", "'x' * hora", "x = 'hor' or y = \"a hor b\""] {
            assert!(!is_named_in(text, "hor"), "{text}");
        }
    }
}
