//! What the types of fields are called.

use super::{ALL, CellType};
use crate::table::TimeUnit;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for CellType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CellType::Bool => f.write_str("bool"),
            CellType::I64 => f.write_str("i64"),
            CellType::U64 => f.write_str("u64"),
            CellType::F64 => f.write_str("f64"),
            CellType::Bytes => f.write_str("bytes"),
            CellType::Text => f.write_str("text"),
            CellType::Time(unit) => write!(f, "time[{unit}]"),
            CellType::List(item, depth) => {
                (0..*depth).try_for_each(|_| f.write_str("["))?;
                item.cell_type().fmt(f)?;
                (0..*depth).try_for_each(|_| f.write_str("]"))
            }
        }
    }
}

impl FromStr for CellType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut word, mut depth) = (text.trim(), 0u8);
        while let Some(items) = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (word, depth) = (items.trim(), depth.saturating_add(1));
        }
        let time = word.strip_prefix("time[").and_then(|unit| TimeUnit::named(unit.strip_suffix(']')?));
        let found = ALL.into_iter().find(|ty| ty.to_string() == word).or(time.map(CellType::Time));
        let found = match depth {
            0 => found,
            depth => found.and_then(CellType::item).map(|item| CellType::List(item, depth)),
        };
        found.ok_or_else(|| {
            let known: Vec<String> = ALL.iter().map(|ty| format!("`{ty}`")).collect();
            format!(
                "unknown type `{text}`, expected {}, a time such as `time[s]`, or a list such as `[f64]`",
                known.join(", ")
            )
        })
    }
}
