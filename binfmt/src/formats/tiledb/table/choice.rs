//! What is said of an array that is made: the lengths of tiles, and filters.

use crate::error::{Error, Result};
use crate::formats::tiledb::layout::Filter;
use crate::table::Settings;

/// What is chosen.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// The length of a tile in each dimension, or in all of them.
    tiles: Vec<i128>,
    /// What the values of each attribute go through.
    pub(super) filters: Vec<Filter>,
}

/// Makes a filter of a level.
type Make = fn(i32) -> Filter;

/// Filters by their names; those that compress take a level.
const FILTERS: [(&str, Make); 8] = [
    ("zstd", Filter::zstd),
    ("gzip", Filter::gzip),
    ("lz4", Filter::lz4),
    ("bzip2", Filter::bzip2),
    ("rle", Filter::rle),
    ("double_delta", Filter::double_delta),
    ("bitshuffle", |_| Filter::bitshuffle()),
    ("byteshuffle", |_| Filter::byteshuffle()),
];

impl Choice {
    pub(super) fn new(settings: &Settings) -> Result<Self> {
        let words = |name| settings.get(name).unwrap_or_default().split(',').map(str::trim);
        let words = |name| words(name).filter(|word| !word.is_empty());
        let tile = |text: &str| {
            let wrong = || Error::other(format!("setting `tiles`: expected lengths from 1, found {text:?}"));
            text.parse().ok().filter(|length| *length >= 1).ok_or_else(wrong)
        };
        Ok(Choice {
            tiles: words("tiles").map(tile).collect::<Result<_>>()?,
            filters: words("filters").map(filter).collect::<Result<_>>()?,
        })
    }

    /// The length of tiles that is said for a dimension, of so many.
    pub(super) fn tile(&self, dimension: usize, of: usize) -> Result<Option<i128>> {
        match self.tiles.as_slice() {
            [] => Ok(None),
            [all] => Ok(Some(*all)),
            each if each.len() == of => Ok(each.get(dimension).copied()),
            each => {
                let text = format!("setting `tiles`: {} lengths for {of} dimensions", each.len());
                Err(Error::other(text))
            }
        }
    }
}

/// A filter, with its level after a colon.
fn filter(text: &str) -> Result<Filter> {
    let (name, level) =
        text.split_once(':').map_or((text, Some(-1)), |(name, level)| (name, level.parse().ok()));
    let found = FILTERS.iter().find(|(known, _)| *known == name).zip(level);
    found.map(|((_, make), level)| make(level)).ok_or_else(|| {
        let known = FILTERS.map(|(name, _)| name).join(", ");
        Error::other(format!(
            "setting `filters`: expected names of {known}, with a level such as zstd:3, found {text:?}"
        ))
    })
}
