//! Rows that are the values of one column and nothing else: any bytes are such rows, and they go to their place without a block in between.
#![allow(clippy::arithmetic_side_effects, reason = "rows and bytes that are in memory")]

use super::super::column::Column;
use super::Plan;
use super::place::{Body, Node};
use crate::error::Result;
use crate::numbers::with_numbers;
use crate::wire::limits::memory_of;
use crate::wire::{Be, Cursor, Endian, Erased, Facts, Le};

/// Fewer bytes are read as blocks are.
pub(super) const LEAST: usize = 128 << 10;

/// Whether the values of these rows are all of their bytes, and any bytes are such values. With `Some` byte order they are in memory, too.
fn is_image(body: &Body, order: Option<Endian>, little: bool) -> bool {
    body.size.is_some()
        && body.dense
        && body.checks.is_empty()
        && body.nodes.iter().all(|node| is_plain(node, order, little))
}

fn is_plain(node: &Node, wanted: Option<Endian>, little: bool) -> bool {
    match node {
        Node::Number { order, .. } => {
            let is_little = order.map_or(little, |order| order == Endian::Little);
            wanted.is_none_or(|wanted| is_little == (wanted == Endian::Little))
        }
        Node::Array { item, .. } => is_image(item, wanted, little),
        Node::FixedBytes { .. } => true,
        _ => false,
    }
}

impl Plan {
    /// Whether the bytes of a row are those of its columns in the memory of this machine, one after the other.
    #[cfg(feature = "table")]
    pub(crate) fn is_image(&self, endian: Endian) -> bool {
        let native = if cfg!(target_endian = "little") { Endian::Little } else { Endian::Big };
        let body = self.parts.body.as_ref().filter(|body| body.nodes.len() == self.parts.columns.len());
        body.is_some_and(|body| is_image(body, Some(native), endian == Endian::Little))
    }

    /// The size of rows that are the one column of this plan, if they are.
    pub(super) fn straight(&self) -> Option<usize> {
        let body = self.parts.body.as_ref().filter(|body| body.nodes.len() == 1)?;
        let is_whole = self.parts.columns.len() == 1 && is_image(body, None, true);
        body.size.filter(|size| is_whole && *size > 0)
    }

    /// Adds so many rows of a source to the one column. After an error the column may have some of them.
    pub(super) fn read_straight(
        &self,
        src: &mut Erased<'_, '_>,
        (column, rows): (&mut Column, usize),
        little: bool,
    ) -> Result<()> {
        match self.parts.body.as_ref().and_then(|body| body.nodes.first()) {
            Some(node) => values(node, src, (column, rows), little),
            None => Ok(()),
        }
    }
}

fn values(
    node: &Node,
    src: &mut Erased<'_, '_>,
    (column, count): (&mut Column, usize),
    little: bool,
) -> Result<()> {
    match (node, column) {
        (Node::Number { order, .. }, Column::Numbers(numbers)) => {
            match order.map_or(little, |order| order == Endian::Little) {
                true => with_numbers!(numbers, v => src.bulk::<Le, _>(facts(v), count, v)),
                false => with_numbers!(numbers, v => src.bulk::<Be, _>(facts(v), count, v)),
            }
        }
        (Node::FixedBytes { .. }, Column::FixedBytes { size, rows, bytes }) => {
            src.bulk::<Le, u8>(facts(bytes), memory_of(count, *size), bytes)?;
            *rows += count;
            Ok(())
        }
        (Node::Array { item, .. }, Column::Array { len, rows, items }) => {
            if let Some(item) = item.nodes.first() {
                values(item, src, (items, memory_of(count, *len)), little)?;
            }
            *rows += count;
            Ok(())
        }
        // made of the same type, so never
        _ => Ok(()),
    }
}

/// The facts of the numbers of a vector.
fn facts<T: crate::numbers::Element>(_: &[T]) -> Facts<T> {
    T::FACTS
}
