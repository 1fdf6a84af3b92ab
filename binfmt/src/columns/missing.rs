//! Values that may be missing: a column of presence bytes beside the one of the values.
#![allow(clippy::arithmetic_side_effects, reason = "places in a record")]

use super::data::{BlankRows, ColumnData as _};
use super::form::{ColumnAs, RecordBlock, Store, no_row};
use super::nullable::NullableColumn;
use crate::codec::form::As;
use crate::containers::nullable::{Maybe, Null, Presence, presence};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::out::fill;
use crate::wire::raw::records::RecordsMut;
use crate::wire::{Order, Sink, Source};
use core::ops::Range;

/// A missing code that is the byte of a value is written as the first code: the row stays missing.
fn store_code(code: u8, present: u8, lo: u8) -> u8 {
    if code == present { lo } else { code }
}

/// Whether every code is one of the layout. Codes that a lenient reader takes as values become the one of a value.
#[inline(always)]
fn codes_fit(codes: &mut [u8], present: u8, (lo, hi): (u8, u8), lenient: bool) -> bool {
    if lenient && present == 0xFF && (lo, hi) == (0, 127) {
        codes.iter_mut().for_each(|code| {
            if *code > 127 {
                *code = 0xFF;
            }
        });
        return true;
    }
    codes.iter().fold(true, |all, code| all & ((*code == present) | ((*code >= lo) & (*code <= hi))))
}

#[diagnostic::do_not_recommend]
impl<F, M: Maybe, const PRESENT: u8, const LO: u8, const HI: u8, const ZERO: bool> Store<M>
    for Null<F, PRESENT, LO, HI, ZERO>
where
    F: Store<M::Value>,
    F::Column: BlankRows,
{
    type Column = NullableColumn<F::Column>;
    const BYTES: usize = F::BYTES + 1;
    fn empty() -> Self::Column {
        NullableColumn::over(F::empty(), PRESENT)
    }
    #[inline(always)]
    fn push(column: &mut Self::Column, value: M) -> bool {
        if !column.room(1) {
            return false;
        }
        let present = column.present();
        let (codes, values) = column.parts_mut();
        match value.split(LO) {
            Ok(value) => {
                codes.push(present);
                F::push(values, value)
            }
            Err(code) => {
                codes.push(store_code(code, present, LO));
                values.push_blank();
                true
            }
        }
    }
    fn value(column: &Self::Column, i: usize) -> Option<M> {
        let code = *column.codes().get(i)?;
        Some(M::join(match code == column.present() {
            true => Ok(F::value(column.values(), i)?),
            false => Err(code),
        }))
    }
}

#[diagnostic::do_not_recommend]
impl<F, M: Maybe, const PRESENT: u8, const LO: u8, const HI: u8, const ZERO: bool> ColumnAs<M>
    for Null<F, PRESENT, LO, HI, ZERO>
where
    Self: As<M>,
    F: ColumnAs<M::Value>,
    F::Column: BlankRows,
{
    const BLOCKS: bool = ZERO && F::BLOCKS;

    fn prepare(column: &mut Self::Column) -> bool {
        column.set_present(PRESENT).is_some() && F::prepare(column.parts_mut().1)
    }

    #[inline(always)]
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()> {
        let (codes, values) = column.parts_mut();
        match presence(src, PRESENT, (LO, HI))? {
            Presence::Value => {
                codes.push(PRESENT);
                F::decode::<O, S>(src, values)
            }
            Presence::Missing(code) => {
                codes.push(code);
                if ZERO {
                    F::pass_blank::<O, S>(src)?;
                }
                values.push_blank();
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn encode<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()> {
        match column.codes().get(i) {
            Some(code) if *code == column.present() => {
                out.array([PRESENT])?;
                F::encode::<O, W>(column.values(), i, out)
            }
            Some(code) if *code < LO || *code > HI => {
                Err(Error::new(ErrorKind::InvalidMissingCode { found: *code, missing: (LO, HI) }, out.pos()))
            }
            Some(code) => {
                out.array([*code])?;
                if ZERO { F::put_blank::<O, W>(out) } else { Ok(()) }
            }
            None => Err(no_row(i, out.pos())),
        }
    }

    #[inline(always)]
    fn gather<O: Order>(records: &RecordBlock<'_>, offset: usize, column: &mut Self::Column) -> bool {
        let policy = records.source.policy();
        let (codes, values) = column.parts_mut();
        let start = codes.len();
        codes.extend(records.each(offset, 1).map(|byte| byte.first().copied().unwrap_or(PRESENT)));
        let new = &mut codes[start..];
        // where the bytes of missing values must be zeros, the rows are read one by one
        if policy.blank_missing || !codes_fit(new, PRESENT, (LO, HI), policy.lenient_presence) {
            return false;
        }
        let from = values.len();
        if !F::gather::<O>(records, offset + 1, values) {
            return false;
        }
        if new.iter().any(|code| *code != PRESENT) {
            values.blank_where(from, new, PRESENT);
        }
        true
    }

    #[inline(always)]
    fn scatter<O: Order>(column: &Self::Column, rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
        let Some(codes) = column.codes().get(rows.clone()) else { return false };
        let (present, mut known, mut missing) = (column.present(), true, false);
        let put = records.put(1, codes, |code, place| {
            let is_missing = *code != present;
            missing |= is_missing;
            known &= !is_missing | ((*code >= LO) & (*code <= HI));
            fill(place, |out| out.array([if is_missing { *code } else { PRESENT }]))
        });
        if !put || !known || !F::scatter::<O>(column.values(), rows, records) {
            return false;
        }
        if missing {
            let k = const { <F as As<M::Value>>::FACTS.sizes().min };
            let blank = codes.iter().enumerate().filter(|(_, code)| **code != present);
            blank.for_each(|(i, _)| records.blank(i, k));
        }
        true
    }
}
