//! Colours: which there are, and whether they are shown at all.

use anstyle::{AnsiColor, Style};
use std::io::IsTerminal;

/// Column names and headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// What is there for completeness: missing values, types, offsets.
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const TIP: Style = AnsiColor::Green.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// What `--color` asks for in a line that may be wrong elsewhere.
pub(crate) fn asked_for(words: impl IntoIterator<Item = std::ffi::OsString>) -> Color {
    use clap::ValueEnum;
    let (mut color, mut is_next) = (Color::Auto, false);
    for word in words {
        let Some(word) = word.to_str().filter(|word| *word != "--") else { break };
        let value = if is_next { Some(word) } else { word.strip_prefix("--color=") };
        color = value.and_then(|value| Color::from_str(value, false).ok()).unwrap_or(color);
        is_next = word == "--color";
    }
    color
}

/// Settles the choice for the whole program, for this module and for clap's own messages.
pub(crate) fn choose(color: Color) {
    match color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// What clap says, with its colours or without.
pub(crate) fn rendered(e: &clap::Error, color: bool) -> String {
    let text = e.render();
    if color { text.ansi().to_string() } else { text.to_string() }
}

/// Whether colour goes to standard output.
pub(crate) fn on_stdout() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Whether colour goes to standard error.
pub(crate) fn on_stderr() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// Whether a person looks at standard output.
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// How wide the terminal of standard output is, or `COLUMNS` says that it is.
pub(crate) fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let found = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    said.or_else(found).filter(|width| *width > 0)
}

/// The style itself, or none.
pub(crate) fn when(on: bool, style: Style) -> Style {
    if on { style } else { Style::new() }
}
