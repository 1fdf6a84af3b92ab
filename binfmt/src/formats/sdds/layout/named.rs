//! The parameters and arrays of a binary page: paths have the names of the header, as they have in pages of text.

use super::definition::{Array, Header};
use super::types::DataType;
use super::value::{ArrayValue, Value, text};
use super::x87::X87;
use crate::codec::{Decode, Encode};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Number, NumberType};
use crate::wire::raw::bulk;
use crate::wire::{Cursor, Erased, Hooks, Label, Order, Sink, Source};
use alloc::vec::Vec;

/// The values of the parameters without a fixed one.
pub(super) fn parameters<'de, O: Order, S: Source<'de>>(src: &mut S, header: &Header) -> Result<Vec<Value>> {
    let src = &mut src.erase();
    let stored =
        header.stored_parameters().map(|parameter| (parameter, &*parameter.name, parameter.data_type));
    each(src, stored, |src, parameter| match parameter.data_type {
        DataType::String => text::<O>(src).map(Value::String),
        DataType::LongDouble => X87::decode::<O, _>(src, ()).map(Value::LongDouble),
        kind => Number::decode::<O, _>(src, kind.number_type().unwrap_or(NumberType::U8)).map(Value::Number),
    })
}

/// The arrays.
pub(super) fn arrays<'de, O: Order, S: Source<'de>>(src: &mut S, header: &Header) -> Result<Vec<ArrayValue>> {
    let src = &mut src.erase();
    let all = header.arrays.iter().map(|array| (array, &*array.name, array.data_type));
    each(src, all, ArrayValue::read::<O>)
}

/// One value for each definition.
fn each<'a, D, V>(
    src: &mut Erased<'_, '_>,
    definitions: impl Iterator<Item = (D, &'a str, DataType)>,
    read: impl Fn(&mut Erased<'_, '_>, D) -> Result<V>,
) -> Result<Vec<V>> {
    let mut values = Vec::new();
    for (definition, name, kind) in definitions {
        src.charge(size_of::<V>())?;
        bulk::try_room(&mut values, 1).map_err(|e| e.at(src.pos()))?;
        src.open(Label::Field(name), kind.name());
        values.push(read(src, definition).map_err(|e| e.within(Step::Name(name.into())))?);
        src.close();
    }
    Ok(values)
}

pub(super) fn put_parameters<O: Order, W: Sink>(
    values: &[Value],
    out: &mut W,
    header: &Header,
) -> Result<()> {
    let stored = header.stored_parameters().map(|parameter| (parameter.data_type, &*parameter.name));
    put_each(values, out, stored, Value::encode::<O, W>)
}

pub(super) fn put_arrays<O: Order, W: Sink>(
    values: &[ArrayValue],
    out: &mut W,
    header: &Header,
) -> Result<()> {
    let all = header.arrays.iter().map(|array: &Array| (array, &*array.name));
    put_each(values, out, all, ArrayValue::encode::<O, W>)
}

/// As many values as there are definitions.
fn put_each<'a, W: Sink, D, V>(
    values: &[V],
    out: &mut W,
    definitions: impl Iterator<Item = (D, &'a str)> + Clone,
    put: impl Fn(&V, &mut W, D) -> Result<()>,
) -> Result<()> {
    let expected = definitions.clone().count();
    if expected != values.len() {
        let kind = ErrorKind::LengthMismatch { expected: expected as i128, found: values.len() as u64 };
        return Err(Error::new(kind, out.pos()));
    }
    definitions.zip(values).try_for_each(|((definition, name), value)| {
        put(value, out, definition).map_err(|e| e.within(Step::Name(name.into())))
    })
}
