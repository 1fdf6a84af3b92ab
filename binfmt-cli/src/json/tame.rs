//! JSON as it is written: characters that drive a terminal are in it by their numbers, so that a document can be looked at,
//! and says the same.

use crate::terminal;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Writes a value in one line.
pub(crate) fn compact(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Tame(CompactFormatter)))
}

/// Writes a value for people who read JSON.
pub(crate) fn pretty(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Tame(PrettyFormatter::new())))
}

/// The layout of another formatter, and texts that drive no terminal.
struct Tame<F>(F);

impl<F: Formatter> Formatter for Tame<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        terminal::pieces(text.as_bytes()).try_for_each(|piece| {
            let piece = std::str::from_utf8(piece).map_err(io::Error::other)?;
            out.write_all(terminal::json(piece).as_bytes())
        })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
