//! Explanations of bytes whose type is known at run time only.

use super::dump_writer::DumpWriter;
use crate::error::Result;
use binfmt::dump::{Trace, trace_all_with, trace_with};
use binfmt::formats::tiledb::{Datatype, Number, NumberType};
use binfmt::{BinFormat, Options};

/// That many values.
#[derive(BinFormat, Debug)]
#[binfmt(le, transparent, ctx(kind: NumberType, len: usize))]
struct List(#[binfmt(count = len, args(kind))] Vec<Number>);

#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Text<'a>(#[binfmt(count = len)] &'a str);

#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Bytes<'a>(#[binfmt(count = len)] &'a [u8]);

pub(super) fn text(bytes: &[u8]) -> Trace {
    trace_with::<Text<'_>, usize>(bytes, &Options::new().ctx(bytes.len()))
}

pub(super) fn bytes(bytes: &[u8]) -> Trace {
    trace_with::<Bytes<'_>, usize>(bytes, &Options::new().ctx(bytes.len()))
}

/// One cell of several values.
pub(super) fn list(datatype: Datatype, bytes: &[u8]) -> Trace {
    let kind = kind(datatype);
    trace_with::<List, _>(bytes, &Options::new().ctx((kind, bytes.len() / kind.size())))
}

/// Cells of that many values each, that stand `at` a place.
pub(super) fn numbers(
    datatype: Datatype,
    values: u32,
    bytes: &[u8],
    name: &str,
    at: u64,
    lines: &mut DumpWriter<'_>,
) -> Result<()> {
    let show = |trace: Trace| lines.unfiltered(&trace.placed(at, name));
    if values == 1 {
        return trace_all_with::<Number, _>(bytes, &Options::new().ctx(kind(datatype))).try_for_each(show);
    }
    let options = Options::new().ctx((kind(datatype), values as usize));
    trace_all_with::<List, _>(bytes, &options).try_for_each(show)
}

/// The numbers of a type; unknown ones are bytes.
fn kind(datatype: Datatype) -> NumberType {
    datatype.number_type().unwrap_or(NumberType::U8)
}
