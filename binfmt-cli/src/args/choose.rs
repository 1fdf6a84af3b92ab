//! Which rows and columns of the data are wanted.

use crate::pick::Pick;
use crate::span::{Pages, Rows, Span};
use crate::units;
use std::convert::Infallible;

/// What every command has that shows or writes rows.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Choose {
    /// Only these columns, in this order; * and ? stand for any letters and for one, [ab] for a or b
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) columns: Option<Vec<String>>,

    /// Only these rows, such as 10..20; -10.. are the last ten
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) rows: Option<Rows>,

    /// Only the rows for which a condition holds, such as "x > 1.5 and name = 'Q1'"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) condition: Option<String>,

    /// Only that many rows, chosen by chance and in their order
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_of_rows)]
    pub(crate) sample: Option<u64>,

    /// Other names for columns, such as betax=b
    #[arg(long, value_name = "OLD=NEW,..", value_delimiter = ',')]
    pub(crate) rename: Vec<String>,

    /// Columns whose numbers are times since 1970, in a unit such as s, ms or us: t:s
    #[arg(long, value_name = "NAME:UNIT,..", value_delimiter = ',')]
    pub(crate) dates: Vec<String>,

    /// Values in the places of missing ones: zone=-1,place="a, b"; '*=0' is for every column, of bools false
    #[arg(long, value_name = "NAME=VALUE,..", allow_hyphen_values = true)]
    pub(crate) fill: Vec<String>,

    /// Only these pages, such as 2.. or 1,3..5; ..3,4.. are all but the page 3 (for formats that have pages)
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) pages: Option<Pages>,
}

fn number_of_rows(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected how many rows, such as 100".to_owned())
}

impl Choose {
    /// Names of columns that are asked for, and the condition, which has some.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.columns.iter().flatten().chain(&self.condition).chain(&self.dates).cloned().collect()
    }

    /// Whether it is for a table to say which rows these are, and not for a format.
    pub(crate) fn is_of_a_table(&self) -> bool {
        self.condition.is_some()
            || !self.rename.is_empty()
            || !self.dates.is_empty()
            || !self.fill.is_empty()
            || self.sample.is_some()
            || self.rows.is_some_and(Rows::is_from_the_end)
    }

    /// The same where pages are one table, whose rows are counted through all of them.
    pub(crate) fn is_of_one_table(&self, has_pages: bool) -> bool {
        self.is_of_a_table() || (has_pages && self.rows.is_some())
    }

    /// What is wanted of a format, which has the rows that are counted from the front.
    pub(crate) fn pick(&self) -> Pick {
        let rows =
            self.rows.map(|rows| rows.of(|| Ok::<_, Infallible>(0)).unwrap_or_else(|never| match never {}));
        Pick { columns: self.columns.clone(), rows: rows.unwrap_or(Span::ALL), pages: self.pages.clone() }
    }

    /// Whether pages are chosen, and of these all rows.
    pub(crate) fn is_of_pages_alone(&self) -> bool {
        self.pages.is_some() && self.condition.is_none() && self.rows.is_none()
    }

    /// What to say where none of what was asked for is there; `None` if none or all was. How many rows or pages there are is asked with
    /// the word for one, where the choice is of nothing else.
    pub(crate) fn in_vain(&self, count: impl FnOnce(&'static str) -> Option<u64>) -> Option<String> {
        let is_none = self.rows.is_some_and(Rows::is_empty)
            || self.pages.as_ref().is_some_and(Pages::is_empty)
            || self.sample == Some(0);
        if is_none {
            return None;
        }
        let pages = self.pages.as_ref().map(|pages| format!("--pages {pages}"));
        let condition = self.condition.as_ref().map(|text| format!("--where {text:?}"));
        let rows = self.rows.map(|rows| format!("--rows {rows}"));
        let unit = match (&pages, &condition, &rows) {
            (None, None, None) => return None,
            (None, Some(condition), None) => return Some(format!("{condition} is true of no row")),
            (Some(_), None, None) => "page",
            (None, None, Some(_)) => "row",
            _ => {
                let said: Vec<String> = [pages, condition, rows].into_iter().flatten().collect();
                return Some(format!("{} choose nothing that is there", said.join(" and ")));
            }
        };
        let all = count(unit).map(|n| {
            let is = if n == 1 { "is" } else { "are" };
            format!(": there {is} {}", units::count(n, unit, &format!("{unit}s")))
        });
        let said = pages.or(rows).unwrap_or_default();
        Some(format!("{said} chooses nothing that is there{}", all.unwrap_or_default()))
    }

    /// Whether something is chosen.
    pub(crate) fn is_some(&self) -> bool {
        self.is_of_a_table() || self.columns.is_some() || self.rows.is_some() || self.pages.is_some()
    }
}
