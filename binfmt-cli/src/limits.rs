//! What reading a file may cost.

use binfmt::Options;
use std::str::FromStr;

const MEMORY_HELP: &str = "\
The most memory for one value, cell, page or tile of the file,
such as 512M [default: what the bytes that are there need,
1G for a tile and in a dump]";

/// The options about it, which every command that reads has.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most memory for one value, cell, page or tile of the file.
    #[arg(long, value_name = "SIZE", help_heading = "Limits", help = MEMORY_HELP)]
    pub(crate) max_memory: Option<Size>,

    /// The most bytes that a compressed file may become
    #[arg(long, value_name = "SIZE", default_value = "16G", help_heading = "Limits")]
    pub(crate) max_unpacked: Size,
}

impl Limits {
    /// The options of a reader, within the limit of memory.
    pub(crate) fn within<C>(self, options: Options<C>) -> Options<C> {
        match self.max_memory {
            Some(Size(bytes)) => options.max_memory(usize::try_from(bytes).unwrap_or(usize::MAX)),
            None => options,
        }
    }

    /// Those of a dump, which notes what every byte is: 1 GiB, if nothing is said.
    pub(crate) fn of_a_dump(mut self) -> Self {
        self.max_memory = Some(self.max_memory.unwrap_or(Size(1 << 30)));
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_memory: None, max_unpacked: Size(16 << 30) }
    }
}

/// What to do about a limit that a message tells of.
pub(crate) fn tip(text: &str) -> Option<&'static str> {
    if text.contains("decompresses to more than the limit") {
        return Some("--max-unpacked allows more");
    }
    let of_memory = [
        "of memory needed, the limit leaves",
        " bytes exceeds the limit of ",
        " is larger than the limit of ",
    ];
    of_memory.iter().any(|part| text.contains(part)).then_some("--max-memory allows more")
}

/// A number of bytes: `65536`, `64K`, `512M`, `2G`, `1T`, in powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KIB" => 10,
            "M" | "MIB" => 20,
            "G" | "GIB" => 30,
            "T" | "TIB" => 40,
            _ => return Err("a number of bytes ends with K, M, G or T, or with nothing".to_owned()),
        };
        let number: u64 = digits.replace('_', "").parse().map_err(|e: std::num::ParseIntError| {
            match e.kind() {
                std::num::IntErrorKind::PosOverflow => "the number is too large",
                _ => "expected a number of bytes, such as 65536, 512M or 2G",
            }
            .to_owned()
        })?;
        number.checked_mul(1 << shift).map(Size).ok_or_else(|| "the number is too large".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("65_536"), Ok(65536));
        assert_eq!((size("64K"), size("64k"), size("64KiB")), (Ok(65536), Ok(65536), Ok(65536)));
        assert_eq!((size("512M"), size("16G"), size("1T")), (Ok(512 << 20), Ok(16 << 30), Ok(1 << 40)));
        assert!(size("20000000T").unwrap_err().contains("too large"));
        assert!(size("99999999999999999999").unwrap_err().contains("too large"));
        assert!(size("M").unwrap_err().contains("such as"));
        assert!(size("1.5G").unwrap_err().contains("such as"));
        // powers of 1000 are never meant
        assert!(size("1MB").unwrap_err().contains("K, M, G or T"));
    }

    #[test]
    fn the_default_is_the_one_of_the_help() {
        use clap::{Args, FromArgMatches};
        let matches = Limits::augment_args(clap::Command::new("x")).get_matches_from(["x"]);
        let said = Limits::from_arg_matches(&matches).unwrap();
        assert_eq!(said.max_unpacked, Limits::default().max_unpacked);
        assert_eq!(said.max_memory, None);
    }
}
