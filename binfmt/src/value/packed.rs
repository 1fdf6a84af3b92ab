//! Lists whose elements have any number of bits: each goes through its bits.

use super::Value;
use super::bits::{as_number, is_signed, of_number};
use super::decode::count;
use super::place::Place;
use super::program::{Kind, Length, Node};
use crate::containers::packed::{Reading, ends_here, put};
use crate::error::Result;
use crate::numbers::Number;
use crate::wire::packing::Packing;
use crate::wire::{Erased, Hooks, Label, Order, Sink};
use alloc::vec::Vec;

/// An element: what it is, and how it is read.
#[derive(Clone, Copy)]
pub(super) struct Element<'n> {
    body: &'n Node,
    reading: Reading,
}

impl<'n> Element<'n> {
    /// The elements of a list, if they are some bits.
    #[inline]
    pub(super) fn of<O: Order>(item: &'n Node) -> Option<Self> {
        let Kind::Packed { bits, order, strict, body } = &item.kind else { return None };
        let (packing, signed) = (Packing::new(*bits, *order, O::LE), is_signed(body));
        Some(Element { body, reading: Reading { packing, strict: *strict, signed, little: O::LE } })
    }

    fn value<O: Order>(self, bits: u128, place: Place<'_>) -> Result<Value> {
        let n = self.reading.packing.value(bits, self.reading.signed);
        match self.body.kind {
            Kind::Number(kind) => Ok(Value::Number(Number::of_bits(kind, n))),
            _ => of_number::<O>(n, self.body, place),
        }
    }

    /// Reads a list.
    pub(super) fn list<O: Order>(
        self,
        src: &mut Erased<'_, '_>,
        len: &Length,
        sizes: (usize, usize),
        place: Place<'_>,
    ) -> Result<Value> {
        let mut values = Vec::new();
        let make = |bits| self.value::<O>(bits, place);
        if let Length::ToEnd = len {
            self.reading.read_to_end(src, &mut values, make)?;
            return Ok(Value::List(values));
        }
        let n = count::<O>(src, len, sizes, place)?;
        let prefixed = len.is_prefixed();
        if prefixed {
            src.open(Label::Value, "");
        }
        self.reading.read(src, n, &mut values, make)?;
        if prefixed {
            src.close();
        }
        Ok(Value::List(values))
    }

    /// Writes elements.
    pub(super) fn put<O: Order, W: Sink>(
        self,
        values: &[Value],
        out: &mut W,
        place: Place<'_>,
    ) -> Result<()> {
        put(values, self.reading.packing, out, |value| as_number::<O>(value, self.body, place))
    }

    /// Writes elements that are read up to the end.
    pub(super) fn put_to_end<O: Order, W: Sink>(
        self,
        values: &[Value],
        out: &mut W,
        place: Place<'_>,
    ) -> Result<()> {
        self.put::<O, W>(values, out, place)?;
        ends_here(self.reading.packing.width(), values.len(), out.pos())
    }
}
