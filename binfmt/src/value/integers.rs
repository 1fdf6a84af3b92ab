//! Integers in another form than their own, as values and as lengths.

use super::Value;
use super::decode::{self, unknown_codec};
use super::encode::converted;
use super::place::{odd_width, with_len};
use crate::codec::form::no_blank;
use crate::codec::integer::{self, FixedInt};
use crate::containers::prefixed::{self, pass_body};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Number, NumberType};
use crate::schema::Integer;
use crate::wire::amount::known;
use crate::wire::limits::checked;
use crate::wire::{Cursor, Erased, Hooks, Kind as Mark, Label, Order, Sink, Varint, varint};

/// Runs the same code for the form of a fixed size that no number has, with the number that holds it.
macro_rules! with_form {
    ($bytes:expr, $signed:expr, $at:expr, $T:ident, $F:ident => $body:expr) => {
        with_form!(@ $bytes, $signed, $at, $T, $F => $body;
            3 false u32, 5 false u64, 6 false u64, 7 false u64, 3 true i32, 5 true i64, 6 true i64, 7 true i64)
    };
    (@ $bytes:expr, $signed:expr, $at:expr, $T:ident, $F:ident => $body:expr;
        $($n:literal $s:literal $t:ident),*) => {
        match ($bytes, $signed) {
            $(($n, $s) => {
                type $T = $t;
                type $F = FixedInt<$n, $s>;
                $body
            })*
            (bytes, _) => Err(odd_width(bytes, $at)),
        }
    };
}

/// Reads an integer as the number that holds it.
pub(super) fn read<O: Order>(src: &mut Erased<'_, '_>, of: &Integer, kind: NumberType) -> Result<Number> {
    let at = src.pos();
    match of {
        Integer::Fixed { bytes, signed } => with_form!(*bytes, *signed, at, T, F => {
            integer::decode::<O, _, F, T>(src).map(Number::from)
        }),
        Integer::Varint { code, bytes } => read_varint(src, *code, *bytes, kind),
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

fn read_varint(src: &mut Erased<'_, '_>, code: Varint, bytes: u8, kind: NumberType) -> Result<Number> {
    src.mark(Mark::Varint { code, bytes: bytes.into() }, true);
    let n = varint::read(src, code, bytes)?;
    Ok(Number::of_bits(kind, n))
}

/// Writes an integer.
pub(super) fn put<O: Order, W: Sink>(
    value: &Value,
    of: &Integer,
    kind: NumberType,
    out: &mut W,
) -> Result<()> {
    let at = out.pos();
    let number = match value {
        Value::Number(n) if n.number_type() == kind => *n,
        value => converted(value, kind, at)?,
    };
    match of {
        Integer::Fixed { bytes, signed } => with_form!(*bytes, *signed, at, T, F => {
            integer::encode::<O, W, F, T>(known(number.get()), out)
        }),
        Integer::Varint { code, bytes } => {
            let bits = match number {
                Number::U128(n) => n,
                n => known(n.as_i128()) as u128,
            };
            varint::write(out, *code, *bytes, bits)
        }
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

/// Reads a length, an inclusive one without its own bytes: a number of elements of these sizes that may be there.
#[inline(never)]
pub(super) fn read_count<O: Order>(
    src: &mut Erased<'_, '_>,
    of: &Integer,
    inclusive: bool,
    item: (usize, usize),
    max: u64,
) -> Result<usize> {
    let at = src.pos();
    match of {
        Integer::Fixed { bytes, signed } => with_len!(*bytes, *signed, at, P => {
            decode::read_count::<O, P>(src, inclusive, item, max)
        }),
        Integer::Varint { code, bytes } => {
            src.open(Label::Piece("length"), "");
            src.mark(Mark::Varint { code: *code, bytes: (*bytes).into() }, true);
            let n = varint::read(src, *code, *bytes)? as i128;
            src.close();
            checked(src, n, item, max, at)
        }
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

/// Steps over the length of a missing value, and over as many elements.
pub(super) fn pass_missing<O: Order>(
    src: &mut Erased<'_, '_>,
    of: &Integer,
    inclusive: bool,
    item: (usize, usize),
) -> Result<()> {
    let at = src.pos();
    match of {
        Integer::Fixed { bytes, signed } => {
            with_len!(*bytes, *signed, at, P => prefixed::pass_missing::<O, P, _>(src, inclusive, item))
        }
        Integer::Varint { code, bytes } => match varint::read(src, *code, *bytes)? as i128 {
            0 => Ok(()),
            n => pass_body(src, n, item, at),
        },
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

/// Writes a length; an inclusive one with its own bytes.
#[inline(never)]
pub(super) fn put_len<O: Order, W: Sink>(
    out: &mut W,
    of: &Integer,
    n: usize,
    max: u64,
    inclusive: bool,
) -> Result<()> {
    let at = out.pos();
    match of {
        Integer::Fixed { bytes, signed } => {
            with_len!(*bytes, *signed, at, P => prefixed::put_len::<O, P, W>(out, n, max, inclusive))
        }
        Integer::Varint { code, bytes } => {
            let n = n as u64;
            if n > max {
                return Err(Error::new(ErrorKind::LengthLimit { length: n, max }, at));
            }
            let most = largest(*bytes, code.is_signed());
            if n > most {
                return Err(Error::new(ErrorKind::PrefixOverflow { value: n, max: most }, at));
            }
            varint::write(out, *code, *bytes, n.into())
        }
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

/// The largest length of an integer that is so wide in memory.
fn largest(bytes: u8, signed: bool) -> u64 {
    let bits = u32::from(bytes).saturating_mul(8).clamp(8, 64).saturating_sub(u32::from(signed));
    u64::MAX.wrapping_shr(64u32.saturating_sub(bits))
}

/// Writes the length of a missing value.
pub(super) fn put_no_len<O: Order, W: Sink>(out: &mut W, of: &Integer, inclusive: bool) -> Result<()> {
    let at = out.pos();
    match of {
        Integer::Fixed { bytes, signed } => {
            with_len!(*bytes, *signed, at, P => prefixed::put_no_len::<O, P, W>(out, inclusive))
        }
        Integer::Varint { .. } => out.array([0]),
        Integer::Opaque { by, .. } => Err(unknown_codec(by, at)),
    }
}

/// Steps over the integer of variable size that stands for a missing value.
pub(super) fn pass_blank(src: &mut Erased<'_, '_>, of: &Integer) -> Result<()> {
    match of {
        Integer::Varint { code, bytes } => varint::pass(src, *code, *bytes),
        _ => Err(no_blank(src.pos())),
    }
}
