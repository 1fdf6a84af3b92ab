//! Which part of a file a dump explains, and what becomes of it.

use crate::error::{Error, Result};
use crate::html::{self, Page};
use crate::input::Input;
use crate::needle::Needle;
use crate::span::Span;
use crate::units::with_article;
use crate::{hex, json};
use binfmt::dump::{Node, PartOptions, Style, Trace};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{Read, Write};

/// Which bytes a dump shows, and how.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) bytes: Span,
    /// How deep it goes into nested parts; `None` for all the way.
    pub(crate) depth: Option<u32>,
    pub(crate) color: bool,
    pub(crate) aim: Aim,
}

/// What becomes of the parts that a dump explains.
#[derive(Clone, Debug)]
pub(crate) enum Aim {
    /// Each is some lines.
    Lines,
    /// Those that are looked for are told.
    Find(Needle),
    /// They are collected for a page.
    Page(Page),
    /// Each is a line of JSON.
    Json,
}

impl Window {
    /// The same for the dumps of the library.
    pub(crate) fn style(&self) -> Style {
        let style = Style::new().color(self.color);
        let style = style.range(self.bytes.from..self.bytes.to.unwrap_or(u64::MAX));
        match self.depth {
            Some(depth) => style.depth(usize::try_from(depth).unwrap_or(usize::MAX)),
            None => style,
        }
    }

    /// The same for one file of several.
    pub(crate) fn in_file(&self, path: &str) -> Self {
        match &self.aim {
            Aim::Find(needle) => Window { aim: Aim::Find(needle.clone().in_file(path)), ..self.clone() },
            _ => self.clone(),
        }
    }

    /// How much of a value is held.
    pub(crate) fn part_options(&self) -> PartOptions {
        let options = match self.depth {
            Some(depth) => PartOptions::new().depth(usize::try_from(depth).unwrap_or(usize::MAX)),
            None => PartOptions::new(),
        };
        match &self.aim {
            Aim::Lines | Aim::Json => options,
            // each byte is looked at
            Aim::Find(_) => options.in_pieces(),
            Aim::Page(_) => options.keep(html::BYTES as usize),
        }
    }

    /// Writes what it shows of a part; whether it may show anything of the parts after it.
    pub(crate) fn write(&self, part: &Trace, out: &mut dyn Write) -> Result<bool> {
        let range = part.range();
        if self.bytes.to.is_some_and(|to| range.start >= to) {
            return Ok(false);
        }
        if range.end > self.bytes.from || part.error().is_some() {
            self.show(part, out)?;
        }
        Ok(match &self.aim {
            Aim::Lines | Aim::Json => true,
            Aim::Find(needle) => needle.wants_more(),
            Aim::Page(page) => page.wants_more(),
        })
    }

    /// Writes a part, or what is looked for in it.
    pub(crate) fn show(&self, part: &Trace, out: &mut dyn Write) -> Result<()> {
        match &self.aim {
            Aim::Lines => write!(out, "{}", part.text(&self.style())).map_err(Error::output),
            Aim::Find(needle) => needle.find(part, out),
            Aim::Json => self.json(part, out),
            Aim::Page(page) => {
                page.add(part, self.bytes, self.depth);
                Ok(())
            }
        }
    }

    /// Writes a line of JSON for each part inside that touches the window.
    fn json(&self, part: &Trace, out: &mut dyn Write) -> Result<()> {
        let deepest = self.depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap_or(usize::MAX));
        // of a group that goes on it is not known yet where it ends
        for node in part.nodes().filter(|node| node.depth() <= deepest && !node.goes_on()) {
            let range = node.range();
            if range.end < self.bytes.from || self.bytes.to.is_some_and(|to| range.start >= to) {
                continue;
            }
            json::compact(&mut *out, &Explained(node)).map_err(|e| Error::output(e.into()))?;
            out.write_all(b"\n").map_err(Error::output)?;
        }
        Ok(())
    }

    /// Writes bytes that are not in the file, but come out of its filters: they stand further to the right.
    pub(crate) fn show_inner(&self, part: &Trace, out: &mut dyn Write) -> Result<()> {
        if let Aim::Page(page) = &self.aim {
            page.add_inner(part, self.bytes, self.depth);
            return Ok(());
        }
        let mut text = Vec::new();
        self.show(part, &mut text)?;
        String::from_utf8_lossy(&text)
            .lines()
            .try_for_each(|line| writeln!(out, "    {line}"))
            .map_err(Error::output)
    }

    /// Says of what the next parts are.
    pub(crate) fn heading(&self, text: &str, out: &mut dyn Write) -> Result<()> {
        let text = crate::terminal::line(text);
        match &self.aim {
            Aim::Lines => {
                let style = crate::style::when(self.color, crate::style::HEADING);
                writeln!(out, "{style}# {text}{style:#}").map_err(Error::output)
            }
            Aim::Find(_) | Aim::Json => Ok(()),
            Aim::Page(page) => {
                page.heading(&text);
                Ok(())
            }
        }
    }

    /// Writes the bytes of a file of which nothing else is known.
    pub(crate) fn plain(&self, input: &mut Input, title: &str, out: &mut dyn Write) -> Result<()> {
        match &self.aim {
            Aim::Lines => hex::dump(input, self.bytes, out),
            Aim::Find(_) | Aim::Json => {
                Err(Error::usage(format_args!("the bytes of {} are not explained", with_article(title)))
                    .tip("cat --where finds rows, find --bytes bytes"))
            }
            Aim::Page(page) => {
                let from = self.bytes.from / hex::LINE as u64 * hex::LINE as u64;
                let len = self.bytes.to.map_or(u64::MAX, |to| to.saturating_sub(from));
                page.add_bytes(from, input.reader(from)?.take(len)).map_err(Error::input)
            }
        }
    }
}

/// A part: where it is, what it is called, and what it is.
struct Explained<'a>(Node<'a>);

impl Serialize for Explained<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Explained(node) = self;
        let range = node.range();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("start", &range.start)?;
        map.serialize_entry("end", &range.end)?;
        map.serialize_entry("path", &node.path())?;
        map.serialize_entry("type", &node.type_text())?;
        if let Some(value) = node.value() {
            map.serialize_entry("value", &value)?;
        }
        map.end()
    }
}
