//! What ends a command: a message for a person, and the exit status that goes with it.

use crate::terminal;
use std::borrow::Cow;
use std::fmt::Display;
use std::io;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Error {
    /// The data are bad, missing or not supported: exit status 1.
    Data(Message),
    /// The command line is wrong: exit status 2.
    Usage(Message),
    /// Every message has been shown already; the exit status.
    Shown(u8),
    /// Nobody reads the output any more. Not an error of anybody.
    ClosedPipe,
}

/// What is said: what went wrong, where, and what to do about it.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// The file that it is about.
    pub(crate) place: Option<String>,
    pub(crate) text: String,
    /// Lines below the text that show what it is about.
    pub(crate) drawing: String,
    /// Several of them are in a line each.
    pub(crate) tip: Option<String>,
    /// It is about what is written, not about what is read.
    is_output: bool,
}

impl Error {
    pub(crate) fn data(text: impl Display) -> Self {
        Error::Data(Message { text: one_line(text), ..Message::default() })
    }

    pub(crate) fn usage(text: impl Display) -> Self {
        Error::Usage(Message { text: one_line(text), ..Message::default() })
    }

    /// An error whose text has several lines, which draw what it is about.
    pub(crate) fn drawn(new: impl Fn(&str) -> Self, text: &str) -> Self {
        let (text, drawing) = text.split_once('\n').unwrap_or((text, ""));
        let mut error = new(text);
        if let Error::Data(message) | Error::Usage(message) = &mut error {
            message.drawing = terminal::lines(drawing);
        }
        error
    }

    /// What failed when the output was written.
    pub(crate) fn output(e: io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Error::ClosedPipe,
            _ => Error::Data(Message {
                text: format!("cannot write: {}", Error::reason(&e)),
                is_output: true,
                ..Message::default()
            }),
        }
    }

    /// What failed when something was read or opened.
    pub(crate) fn input(e: io::Error) -> Self {
        Error::data(Error::reason(&e))
    }

    /// What failed when values were written: the output, or the values are not what the format contains.
    pub(crate) fn unwritten(e: &binfmt::Error, of_data: impl FnOnce(&binfmt::ErrorKind) -> Error) -> Self {
        match e.kind() {
            binfmt::ErrorKind::Io(e) => Error::output(
                e.raw_os_error()
                    .map_or_else(|| io::Error::new(e.kind(), e.to_string()), io::Error::from_raw_os_error),
            ),
            kind => of_data(kind),
        }
    }

    /// The system's text in lower case and without its number: it is after a colon.
    pub(crate) fn reason(e: &io::Error) -> String {
        let text = e.to_string();
        let text = unnumbered(&text);
        let text = match &*text {
            "stream did not contain valid UTF-8" => "the file is not text",
            text => text,
        };
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(first), Some(second)) if second.is_lowercase() => {
                first.to_lowercase().chain(text.chars().skip(1)).collect()
            }
            _ => text.to_owned(),
        }
    }

    /// Names the file that an error in the data is about, unless it names one already or is about the output.
    pub(crate) fn at(mut self, place: impl Display) -> Self {
        if let Error::Data(message) = &mut self
            && !message.is_output
        {
            message.place.get_or_insert_with(|| one_line(place));
        }
        self
    }

    /// Names the output where an error is about that, unless it names one already.
    pub(crate) fn writing(mut self, place: impl Display) -> Self {
        if let Error::Data(message) = &mut self
            && message.is_output
        {
            message.place.get_or_insert_with(|| one_line(place));
        }
        self
    }

    /// Whether it is the output that failed.
    pub(crate) fn is_of_output(&self) -> bool {
        matches!(self, Error::Data(message) if message.is_output)
    }

    /// Says what to do.
    pub(crate) fn tip(mut self, text: impl Display) -> Self {
        if let Error::Data(message) | Error::Usage(message) = &mut self {
            message.tip = Some(one_line(text));
        }
        self
    }

    /// Says which things can be done, each in its own lines.
    pub(crate) fn tips(mut self, texts: impl IntoIterator<Item = &'static str>) -> Self {
        if let Error::Data(message) | Error::Usage(message) = &mut self {
            message.tip = Some(
                texts
                    .into_iter()
                    .flat_map(str::lines)
                    .map(|line| one_line(line.trim_start()))
                    .collect::<Vec<_>>()
                    .join("\n"),
            );
        }
        self
    }

    pub(crate) fn status(&self) -> u8 {
        match self {
            Error::Data(_) => 1,
            Error::Shown(status) => *status,
            Error::Usage(_) => 2,
            Error::ClosedPipe => 0,
        }
    }

    /// What went wrong, in words; nothing where it has been said already.
    pub(crate) fn text(&self) -> &str {
        self.message().map_or("", |message| &message.text)
    }

    pub(crate) fn message(&self) -> Option<&Message> {
        match self {
            Error::Data(message) | Error::Usage(message) => Some(message),
            Error::Shown(_) | Error::ClosedPipe => None,
        }
    }
}

/// What a text quotes cannot begin a line.
fn one_line(text: impl Display) -> String {
    terminal::line(&unnumbered(&text.to_string())).into_owned()
}

/// A text without the numbers that the system has for its errors: ` (os error 2)`.
fn unnumbered(text: &str) -> Cow<'_, str> {
    const MARK: &str = " (os error ";
    let Some((before, rest)) = text.split_once(MARK) else { return text.into() };
    match rest.split_once(')') {
        Some((number, rest)) if number.parse::<i32>().is_ok() => [before, &unnumbered(rest)].concat().into(),
        _ => [before, MARK, &unnumbered(rest)].concat().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_error() {
        assert_eq!(Error::output(io::ErrorKind::BrokenPipe.into()).status(), 0);
    }

    #[test]
    fn the_text_of_the_system_is_told_plainly() {
        let e = io::Error::from_raw_os_error(2);
        assert_eq!(Error::reason(&e), "no such file or directory");
        let e = io::read_to_string(&b"\xff"[..]).unwrap_err();
        assert_eq!(Error::reason(&e), "the file is not text");
        let told = |e: Error| e.text().to_owned();
        let e = io::Error::from_raw_os_error(2);
        assert_eq!(told(Error::usage(format_args!("a: {e}, b: {e}!"))).matches("os error").count(), 0);
        assert_eq!(told(Error::data("(os error 2), (os error x)")), "(os error 2), (os error x)");
    }

    #[test]
    fn input_and_output_are_told_apart() {
        let place = |e: Error| e.message().unwrap().place.clone();
        let full = || Error::output(io::ErrorKind::StorageFull.into());
        assert_eq!(place(full().at("input").writing("output")).as_deref(), Some("output"));
        assert_eq!(place(full().at("input")), None);
        assert_eq!(place(Error::data("x").writing("output").at("input")).as_deref(), Some("input"));
    }

    #[test]
    fn a_message_quotes_lines_in_one() {
        let e = Error::data("x\nerror: y").at("a\n.b").tip("c\n\u{202e}");
        let message = e.message().unwrap();
        assert_eq!((message.text.as_str(), message.place.as_deref()), ("x\\nerror: y", Some("a\\n.b")));
        assert_eq!(message.tip.as_deref(), Some("c\\n\\u{202e}"));
        let e = Error::drawn(|text| Error::usage(text), "the schema:\n  (a\x1b\n   ^");
        assert_eq!(e.message().unwrap().drawing, "  (a\\x1b\n   ^");
    }

    #[test]
    fn the_first_place_is_the_right_one() {
        let e = Error::data("x").at("inner").at("outer");
        assert_eq!(e.message().unwrap().place.as_deref(), Some("inner"));
    }
}
