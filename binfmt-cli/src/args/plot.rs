//! The command that draws.

use super::typed::typed;
use super::{Choose, Reading};
use crate::span::{Pages, Rows};
use clap::ValueEnum;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

const PLOT_HELP: &str = "\
Lines are drawn without a word. Names and units on the axes are those of the file. Each column, file and
page has a colour of its own, from the ninth on with dashes; more than eight pages are one line with gaps.
A missing value is a gap, and so is what a logarithmic axis does not have. Of many points no more is drawn
than can be seen.

--image draws lists of numbers line by line, the first array with two dimensions, or, with --x and --y,
a number at each place.";

#[derive(clap::Args, Debug)]
#[command(after_help = PLOT_HELP)]
pub(crate) struct Plot {
    /// The files, or patterns of their names; - is standard input
    #[arg(required = true, value_parser = typed())]
    pub(crate) paths: Vec<PathBuf>,

    /// The picture to write, .svg or .png; - is standard output, as SVG
    #[arg(long, value_name = "OUT", value_parser = typed())]
    pub(crate) output: PathBuf,

    /// The column along the bottom; without it the number of the row
    #[arg(long, value_name = "NAME")]
    pub(crate) x: Option<String>,

    /// The columns that are drawn; * and ? stand for any letters and for one, [ab] for a or b
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', required_unless_present = "image")]
    pub(crate) y: Vec<String>,

    /// Draw points instead of lines
    #[arg(long)]
    pub(crate) points: bool,

    /// Draw how many values are in each part of their range
    #[arg(long, conflicts_with_all = ["points", "x"])]
    pub(crate) histogram: bool,

    /// Parts of a histogram [default: the root of the number of values, 10 to 100]
    #[arg(long, value_name = "N", requires = "histogram", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) bins: Option<u16>,

    /// Draw the numbers of a column as colours
    #[arg(long, value_name = "NAME", conflicts_with_all = ["points", "histogram", "log"])]
    pub(crate) image: Option<String>,

    /// Logarithmic axes: x, y or xy
    #[arg(long, value_name = "AXES", hide_possible_values = true)]
    pub(crate) log: Option<Axes>,

    /// Where the bottom axis begins and ends, such as 0:10.5
    #[arg(long, value_name = "A:B", allow_hyphen_values = true, conflicts_with = "image")]
    pub(crate) x_range: Option<Ends>,

    /// Where the other axis begins and ends
    #[arg(long, value_name = "A:B", allow_hyphen_values = true, conflicts_with_all = ["image", "histogram"])]
    pub(crate) y_range: Option<Ends>,

    /// Columns whose numbers are times since 1970, in a unit such as s, ms or us: t:s; alone it means the column along the bottom, in s
    #[arg(long, value_name = "NAME:UNIT,..", value_delimiter = ',', num_args = 0..=1, default_missing_value = "")]
    pub(crate) dates: Vec<String>,

    /// What stands above the picture
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Pixels across and down
    #[arg(long, value_name = "WxH", default_value = "900x560")]
    pub(crate) size: Size,

    /// Only these rows of each file, such as 10..20; -10.. are the last ten
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) rows: Option<Rows>,

    /// Only the rows for which a condition holds, such as "x > 1.5 and name = 'Q1'"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) condition: Option<String>,

    /// Only that many rows, chosen by chance and in their order
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) sample: Option<u64>,

    /// Only these pages, such as 2.. (for formats that have pages)
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) pages: Option<Pages>,

    /// Replace a file that is read, when OUT is the same
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Plot {
    /// The rows that were chosen, of these columns.
    pub(crate) fn choose(&self, columns: Vec<String>) -> Choose {
        Choose {
            columns: Some(columns),
            rows: self.rows,
            condition: self.condition.clone(),
            sample: self.sample,
            rename: Vec::new(),
            fill: Vec::new(),
            dates: self.dates.iter().filter(|pair| !pair.is_empty()).cloned().collect(),
            pages: self.pages.clone(),
        }
    }

    /// Whether `--dates` stands alone.
    pub(crate) fn has_seconds_below(&self) -> bool {
        self.dates.iter().any(String::is_empty)
    }
}

/// The axes that are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Axes {
    X,
    Y,
    #[value(alias = "yx")]
    Xy,
}

/// Where an axis begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends(pub(crate) f64, pub(crate) f64);

impl FromStr for Ends {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "expected two numbers, the lesser first, such as 0:10.5";
        let (low, high) = text.split_once(':').ok_or(WRONG)?;
        let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite()).ok_or(WRONG);
        let ends = Ends(number(low)?, number(high)?);
        if ends.0 < ends.1 { Ok(ends) } else { Err(WRONG) }
    }
}

/// Pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u32, pub(crate) u32);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "expected two numbers from 200 to 5000, such as 900x560";
        let (width, height) = text.split_once('x').ok_or(WRONG)?;
        let side = |text: &str| text.parse().ok().filter(|n| (200..=5000).contains(n)).ok_or(WRONG);
        Ok(Size(side(width)?, side(height)?))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_and_sizes() {
        assert_eq!(
            ["xy", "yx"].map(|text| <Axes as ValueEnum>::from_str(text, false)),
            [Ok(Axes::Xy), Ok(Axes::Xy)]
        );
        assert!(<Axes as ValueEnum>::from_str("z", false).is_err());
        assert_eq!("-1.5:2e3".parse(), Ok(Ends(-1.5, 2000.0)));
        for text in ["1", "2:1", "1:1", "a:b", "0:inf", ":"] {
            assert!(text.parse::<Ends>().unwrap_err().contains("0:10.5"), "{text}");
        }
        assert_eq!("300x200".parse(), Ok(Size(300, 200)));
        for text in ["300", "300x", "0x300", "300x9999999999", "-1x300"] {
            assert!(text.parse::<Size>().unwrap_err().contains("900x560"), "{text}");
        }
    }
}
