//! Options whose values are words.

use super::OptionValue;
use crate::error::{Error, Result};
use binfmt::Endian;

/// A choice among words.
pub(crate) trait Choice: Copy + 'static {
    const WORDS: &'static [(&'static str, Self)];
    /// Other spellings, which messages leave out.
    const ALSO: &'static [(&'static str, Self)] = &[];

    /// The word for it.
    fn word(self) -> &'static str
    where
        Self: PartialEq,
    {
        Self::WORDS.iter().find(|(_, known)| *known == self).map_or("", |(word, _)| word)
    }
}

impl Choice for Endian {
    const WORDS: &'static [(&'static str, Self)] = &[("little", Endian::Little), ("big", Endian::Big)];
}

impl<T: Choice> OptionValue for T {
    fn parse(name: &str, text: &str) -> Result<Self> {
        if let Some((_, value)) = T::WORDS.iter().chain(T::ALSO).find(|(word, _)| *word == text) {
            return Ok(*value);
        }
        let words: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        let words = match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => words.concat(),
        };
        Err(Error::usage(format_args!("--{name} must be {words}, not `{text}`")))
    }
}
