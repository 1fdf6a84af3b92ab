//! Rows that are one text each, of any encoding, after its length in four bytes: nothing is checked, so one pass reads or writes them.
#![allow(clippy::arithmetic_side_effects, reason = "what is left of bytes is no longer than they are")]

use super::super::column::{Column, ColumnRef};
use super::Plan;
use super::place::{Body, Node, Run, Tail};
use super::walk::Unfinished;
use crate::columns::BytesColumn;
use crate::error::Result;
use crate::schema::Encoding;
use crate::wire::raw::short::append_front;
use crate::wire::{Endian, Sink};

/// The longest text that a length can say.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextRows {
    most: u32,
    little: bool,
}

impl Plan {
    /// Whether a row is a single text whose encoding is not checked.
    pub(super) fn text_rows(&self, little: bool) -> Option<TextRows> {
        let Body { nodes, runs, .. } = self.parts.body.as_ref().filter(|body| body.checks.is_empty())?;
        let ([Node::Text { nul: false, encoding: Encoding::Any, .. }], [(_, Column::Text(_))]) =
            (nodes.as_slice(), self.parts.columns.as_slice())
        else {
            return None;
        };
        match runs.as_slice() {
            [Run { len: 4, tail: Tail::Items(prefix, 1) }, Run { len: 0, tail: Tail::Nothing }]
                if prefix.bytes == 4 && !prefix.inclusive =>
            {
                let most = if prefix.signed { i32::MAX as u32 } else { u32::MAX };
                let most = u32::try_from(prefix.max).map_or(most, |max| max.min(most));
                Some(TextRows { most, little: prefix.order.map_or(little, |o| o == Endian::Little) })
            }
            _ => None,
        }
    }
}

impl TextRows {
    /// Appends at most `rows` texts: how many, how many bytes they take, and why there are no more.
    pub(super) fn read(
        self,
        bytes: &[u8],
        rows: usize,
        v: &mut BytesColumn,
    ) -> (usize, usize, Option<Unfinished>) {
        match self.little {
            true => self.read_as(bytes, rows, v, u32::from_le_bytes),
            false => self.read_as(bytes, rows, v, u32::from_be_bytes),
        }
    }

    #[inline(always)]
    fn read_as(
        self,
        bytes: &[u8],
        rows: usize,
        v: &mut BytesColumn,
        number: impl Fn([u8; 4]) -> u32,
    ) -> (usize, usize, Option<Unfinished>) {
        let (offsets, items) = v.parts_mut();
        let mut left = bytes;
        let end = |left: &[u8]| bytes.len() - left.len();
        for row in 0..rows {
            let Some((len, rest)) = left.split_first_chunk::<4>() else {
                return (row, end(left), Some(Unfinished::Short));
            };
            let len = number(*len);
            if len > self.most {
                return (row, end(left), Some(Unfinished::Doubtful));
            }
            let Some(after) = rest.get(len as usize..) else {
                return (row, end(left), Some(Unfinished::Short));
            };
            if append_front(rest, len as usize, items).is_err() {
                return (row, end(left), Some(Unfinished::Doubtful));
            }
            offsets.push(items.len());
            left = after;
        }
        (rows, end(left), None)
    }

    /// Writes texts up to the first that is too long; how many.
    pub(super) fn write<W: Sink>(self, column: ColumnRef<'_>, out: &mut W) -> Result<usize> {
        let ColumnRef::Text(v) = column else { return Ok(0) };
        for (row, text) in v.iter().enumerate() {
            let Some(len) = u32::try_from(text.len()).ok().filter(|len| *len <= self.most) else {
                return Ok(row);
            };
            out.array(if self.little { len.to_le_bytes() } else { len.to_be_bytes() })?;
            out.bytes(text, 0)?;
        }
        Ok(v.len())
    }
}
