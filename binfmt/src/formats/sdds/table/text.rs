//! Rows with strings.

use super::values::step_over;
use super::{Chosen, Table, reserve};
use crate::columns::gather::Number;
use crate::error::{Error, Result, Step};
use crate::formats::sdds::header::Header;
use crate::formats::sdds::types::DataType;
use crate::formats::sdds::value::{Elements, push_string};
use crate::formats::sdds::x87::X87;
use crate::wire::{Order, Source};
use alloc::vec::Vec;

/// What stands side by side in a row that has strings.
enum Run {
    /// Values of fixed size: how many bytes, and where in them each column that is kept has its value.
    Fixed { size: usize, values: Vec<(usize, usize)> },
    /// A string, and its column if that is kept.
    Text(Option<usize>),
}

fn runs(header: &Header, chosen: &Chosen) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut kept = 0usize;
    for (i, kind) in header.column_types().enumerate() {
        let column = chosen.keeps(i).then_some(kept);
        kept = kept.saturating_add(usize::from(column.is_some()));
        match (kind.size(), runs.last_mut()) {
            (None, _) => runs.push(Run::Text(column)),
            (Some(bytes), Some(Run::Fixed { size, values })) => {
                values.extend(column.map(|column| (*size, column)));
                *size = size.saturating_add(bytes);
            }
            (Some(size), _) => {
                runs.push(Run::Fixed {
                    size,
                    values: column.map(|column| (0, column)).into_iter().collect(),
                });
            }
        }
    }
    runs
}

/// Rows with strings: what stands between two of them is looked for once.
pub(super) fn text_rows<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, _) = chosen.split(rows);
    let end = before.saturating_add(wanted);
    let runs = runs(header, chosen);
    let least = header.column_types().fold(0usize, |n, kind| n.saturating_add(kind.min_size()));
    if let (Some(left), Ok(n)) = (src.left(), usize::try_from(wanted))
        && rows <= (left / least.max(1)) as u64
    {
        src.charge(n.saturating_mul(least))?;
        table.columns.iter_mut().for_each(|column| reserve(column, n));
    }
    for row in 0..rows {
        let keep = row >= before && row < end;
        let mut read = || {
            for run in &runs {
                match run {
                    Run::Fixed { size, values } => {
                        let bytes = src.take(*size)?;
                        for (offset, column) in values.iter().filter(|_| keep) {
                            if let Some(column) = table.columns.get_mut(*column) {
                                push_at::<O>(bytes.bytes().get(*offset..).unwrap_or_default(), column);
                            }
                        }
                    }
                    Run::Text(column) => match column.and_then(|column| table.columns.get_mut(column)) {
                        Some(Elements::String(v)) if keep => push_string::<O, S>(src, v)?,
                        _ => step_over::<O, S>(src, DataType::String, 1)?,
                    },
                }
            }
            Ok(())
        };
        if let Err(e) = read() {
            return Err(Error::within(e, Step::Index(usize::try_from(row).unwrap_or(usize::MAX))));
        }
    }
    Ok(())
}

/// The value at the beginning of some bytes, which has been found to be there.
#[inline]
fn push_at<O: Order>(bytes: &[u8], column: &mut Elements) {
    match column {
        Elements::Short(v) => v.push(Number::get::<O>(bytes)),
        Elements::UShort(v) => v.push(Number::get::<O>(bytes)),
        Elements::Long(v) => v.push(Number::get::<O>(bytes)),
        Elements::ULong(v) => v.push(Number::get::<O>(bytes)),
        Elements::Long64(v) => v.push(Number::get::<O>(bytes)),
        Elements::ULong64(v) => v.push(Number::get::<O>(bytes)),
        Elements::Float(v) => v.push(Number::get::<O>(bytes)),
        Elements::Double(v) => v.push(Number::get::<O>(bytes)),
        Elements::LongDouble(v) => v.push(X87::get::<O>(bytes)),
        Elements::Character(v) => v.push(Number::get::<O>(bytes)),
        Elements::String(_) => {}
    }
}
