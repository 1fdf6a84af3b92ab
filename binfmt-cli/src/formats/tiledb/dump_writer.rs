//! Where the lines of a dump go.

use crate::error::{Error, Result};
use crate::format::{Aim, Window};
use crate::span::Span;
use binfmt::dump::Trace;
use binfmt::formats::tiledb::TileChunks;
use std::io::Write;

/// Where lines go, and how they look.
pub(super) struct DumpWriter<'a> {
    window: &'a Window,
    /// The bytes without filters that are wanted of the tile at hand.
    within: Span,
    /// The most bytes of a file of metadata, and of a tile in it.
    pub(super) most: u64,
    out: &'a mut dyn Write,
}

impl<'a> DumpWriter<'a> {
    pub(super) fn new(window: &'a Window, most: u64, out: &'a mut dyn Write) -> Self {
        DumpWriter { window, within: Span::ALL, most, out }
    }

    pub(super) fn blank_line(&mut self) -> Result<()> {
        match self.window.aim {
            Aim::Lines => writeln!(self.out).map_err(Error::output),
            Aim::Find(_) | Aim::Page(_) | Aim::Json => Ok(()),
        }
    }

    /// Bytes of the file.
    pub(super) fn stored(&mut self, trace: &Trace) -> Result<()> {
        self.window.show(trace, self.out)
    }

    /// Bytes that are not in the file, but come out of its filters, and stand further to the right: those of the chunks that
    /// are wanted.
    pub(super) fn unfiltered(&mut self, trace: &Trace) -> Result<()> {
        let within = Window { bytes: self.within, ..self.window.clone() };
        within.show_inner(trace, self.out)
    }

    pub(super) fn heading(&mut self, text: &str) -> Result<()> {
        self.window.heading(text, self.out)
    }

    /// Whether a part of the file is wanted.
    pub(super) fn wants(&self, from: u64, to: u64) -> bool {
        self.window.bytes.to.is_none_or(|end| from < end) && to > self.window.bytes.from
    }

    /// Takes a tile that begins there: of what comes out of its filters that is shown which the wanted chunks contain. Says
    /// whether there is any.
    pub(super) fn take_tile(&mut self, at: u64, tile: &[u8]) -> bool {
        self.within = Span::ALL;
        let chunks = binfmt::from_slice::<TileChunks<'_>>(tile);
        let (false, Ok(tile)) = (self.window.bytes == Span::ALL, chunks) else { return true };
        // the number of chunks is before them
        let (mut at, mut from, mut wanted) = (at + 8, 0u64, None::<(u64, u64)>);
        for chunk in &tile.chunks {
            let stored = [12, chunk.len_metadata.into(), chunk.len_filtered.into()];
            let end = at + stored.iter().sum::<u64>();
            let to = from + u64::from(chunk.len_original);
            if self.wants(at, end) {
                wanted = Some((wanted.map_or(from, |(first, _)| first), to));
            }
            (at, from) = (end, to);
        }
        let (from, to) = wanted.unwrap_or((0, 0));
        self.within = Span { from, to: Some(to) };
        from < to
    }
}
