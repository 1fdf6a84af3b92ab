//! What a dump looks like.

use core::ops::Range;

/// How a dump is written.
///
/// ```
/// use binfmt::dump::Style;
/// let style = Style::new().color(true).depth(2).range(0..64);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    pub(super) color: bool,
    pub(super) depth: Option<usize>,
    pub(super) range: Range<u64>,
    pub(super) lines: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style::new()
    }
}

impl Style {
    /// No colours, every depth, the whole range, at most four lines of bytes for one value.
    ///
    /// ```
    /// assert_eq!(binfmt::dump::Style::new(), binfmt::dump::Style::default());
    /// ```
    pub fn new() -> Self {
        Style { color: false, depth: None, range: 0..u64::MAX, lines: 4 }
    }

    /// With ANSI colours: for a terminal.
    ///
    /// ```
    /// use binfmt::dump::{self, Style};
    /// let text = dump::trace::<u8>(&[7]).text(&Style::new().color(true)).to_string();
    /// assert!(text.contains("\x1b["));
    /// ```
    #[must_use]
    pub fn color(mut self, on: bool) -> Self {
        self.color = on;
        self
    }

    /// Groups at this depth are one row, without what is in them; the outermost values have depth 0.
    ///
    /// ```
    /// use binfmt::dump::{self, Style};
    /// let text = dump::trace::<((u8, u8), u8)>(&[1, 2, 3]).text(&Style::new().depth(0)).to_string();
    /// assert_eq!(text.lines().count(), 2);
    /// ```
    #[must_use]
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = Some(levels);
        self
    }

    /// Only rows that have a byte in this range of offsets.
    ///
    /// ```
    /// use binfmt::dump::{self, Style};
    /// let text = dump::trace::<(u8, u16)>(&[7, 1, 0]).text(&Style::new().range(1..2)).to_string();
    /// assert!(text.ends_with("1: 1 (u16 le)\n"));
    /// ```
    #[must_use]
    pub fn range(mut self, range: Range<u64>) -> Self {
        self.range = range;
        self
    }

    /// At most this many lines of 16 bytes for one value, and one more, which has what is left or says how much it is.
    ///
    /// ```
    /// use binfmt::dump::{self, Style};
    /// let text = dump::trace::<[u8; 64]>(&[0; 64]).text(&Style::new().lines(1)).to_string();
    /// assert_eq!(text.lines().count(), 2);
    /// ```
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Self {
        self.lines = lines.max(1);
        self
    }
}
