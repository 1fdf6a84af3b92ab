//! Fields that are some bits of an integer.
#![allow(clippy::arithmetic_side_effects, reason = "a number has at most 16 bytes")]

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::{DecodeOwned, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::bits::{BitPlace, in_bytes, number};
use crate::wire::out::patch;
use crate::wire::{BitOrder, Facts, Kind, Order, Shape, Sink, Slice, Source};
#[cfg(feature = "dump")]
use crate::wire::{Hooks, Label, trace::Tracer};
use core::cell::Cell;

/// The integer of a run, while its fields are read or written one after the other.
pub type BitRun = Cell<u128>;

/// `bits(WIDTH)` after `BEFORE` other bits of an integer of `BYTES` bytes. `ORDER` is 1 for the highest bit first, 2 for the
/// lowest, 0 for that of the byte order; `RESERVED` is 1 for bits without a value, 2 if they must be zero.
///
/// The first field reads the integer and the last one writes it. A value is the bytes of its type, those of an integer in the byte
/// order of the run, so that a bool, an integer, the tag of an enum and a struct that is a run of its own are one case.
#[derive(Debug)]
pub struct Bits<const BYTES: u8, const BEFORE: u8, const WIDTH: u8, const ORDER: u8, const RESERVED: u8>;

impl<const BYTES: u8, const BEFORE: u8, const WIDTH: u8, const ORDER: u8, const RESERVED: u8>
    Bits<BYTES, BEFORE, WIDTH, ORDER, RESERVED>
{
    const BIT_ORDER: Option<BitOrder> = match ORDER {
        1 => Some(BitOrder::Msb),
        2 => Some(BitOrder::Lsb),
        _ => None,
    };
    const PLACE: BitPlace = BitPlace { bytes: BYTES, before: BEFORE, width: WIDTH, order: Self::BIT_ORDER };
}

/// Whether the number of a type has a sign.
pub(super) const fn is_signed<T: Layout>() -> bool {
    matches!(T::SHAPE, Shape::Int { signed: true, .. } | Shape::NonZero { signed: true, .. })
}

/// The bytes of a type that may be some bits of an integer.
pub(super) const fn size_of_value<T: Layout>(width: u8, reserved: bool) -> usize {
    let Some(n) = T::FACTS.sizes().exact() else {
        panic!("`bits` needs a type of 1 to 16 bytes, of which all values have as many")
    };
    assert!(
        (n > 0 && n <= 16) || (n == 0 && reserved),
        "`bits` needs a type of 1 to 16 bytes, of which all values have as many"
    );
    let is_int = matches!(T::SHAPE, Shape::Int { .. } | Shape::NonZero { .. });
    assert!(
        reserved || is_int || width as usize > (n - 1) * 8,
        "`bits` has so few bits that bytes of the type of the field would have none"
    );
    assert!(reserved || width as usize <= n * 8, "`bits` has more bits than the type of the field");
    n
}

/// The value whose `size` bytes are those of a number, in the byte order that holds.
#[inline(always)]
pub(super) fn of_number<O: Order, T: DecodeOwned>(number: u128, size: usize) -> Result<T> {
    let bytes = in_bytes::<O>(number.to_le_bytes(), size);
    let mut inner = Slice::new(bytes.get(..size).unwrap_or(&bytes));
    T::decode::<O, _>(&mut inner, ())
}

/// The number whose bytes are those of a value.
#[inline(always)]
pub(super) fn as_number<O: Order, T: Layout + Encode>(value: &T, size: usize) -> Result<u128> {
    let mut bytes = [0; 16];
    patch(&mut bytes, |inner| value.encode::<O, _>(inner, ()))?;
    Ok(number(in_bytes::<O>(bytes, size), size, const { is_signed::<T>() }))
}

#[diagnostic::do_not_recommend]
impl<T, const BYTES: u8, const BEFORE: u8, const WIDTH: u8, const ORDER: u8, const RESERVED: u8> As<T>
    for Bits<BYTES, BEFORE, WIDTH, ORDER, RESERVED>
where
    T: Layout,
{
    const FACTS: Facts<T> = {
        let _ = size_of_value::<T>(WIDTH, RESERVED > 0);
        Facts::exact(if BEFORE == 0 { BYTES as usize } else { 0 }).in_place(true)
    };
    const SHAPE: Shape = Shape::Bits {
        bits: WIDTH,
        run: if BEFORE == 0 { Some(BYTES) } else { None },
        order: Self::BIT_ORDER,
        reserved: if RESERVED > 0 { Some(RESERVED > 1) } else { None },
        body: || T::SHAPE,
    };
    const TREE: Tree = Tree::around(<Self as As<T>>::SHAPE, &T::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, T, const BYTES: u8, const BEFORE: u8, const WIDTH: u8, const ORDER: u8, const RESERVED: u8>
    DecodeAs<'de, T, &BitRun> for Bits<BYTES, BEFORE, WIDTH, ORDER, RESERVED>
where
    T: Layout + DecodeOwned,
{
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, run: &BitRun) -> Result<T> {
        let bits = Self::PLACE.read::<O, S>(src, run)?;
        let signed = const { is_signed::<T>() };
        let value = if signed { Self::PLACE.extended(bits) } else { bits };
        src.mark(Kind::Bits { value: value as i128, bits: WIDTH, name: None }, O::LE);
        if RESERVED > 1 && bits != 0 {
            return Err(not_zero(bits, src.pos().wrapping_sub(BYTES.into())));
        }
        let size = const { size_of_value::<T>(WIDTH, RESERVED > 0) };
        #[cfg(feature = "dump")]
        if src.is_heard() {
            let bytes = in_bytes::<O>(value.to_le_bytes(), size);
            return match named::<O, T>(bytes.get(..size).unwrap_or(&bytes)) {
                Ok((read, name)) => {
                    let name = name.as_deref();
                    src.mark(Kind::Bits { value: value as i128, bits: WIDTH, name }, O::LE);
                    Ok(read)
                }
                Err(e) => Err(e.shifted(src.pos().wrapping_sub(BYTES.into()))),
            };
        }
        match of_number::<O, T>(value, size) {
            Ok(value) => Ok(value),
            Err(e) => Err(e.shifted(src.pos().wrapping_sub(BYTES.into()))),
        }
    }
}

/// A value, and what it says where that is not a number.
#[cfg(feature = "dump")]
fn named<O: Order, T: DecodeOwned>(bytes: &[u8]) -> Result<(T, Option<alloc::string::String>)> {
    let mut src = Slice::new(bytes);
    let mut inner = Tracer::new(src.erase());
    inner.open(Label::Value, "");
    let value = T::decode::<O, _>(&mut inner, ())?;
    inner.close();
    let kind = inner.finish().spans.into_iter().next().and_then(|span| span.kind);
    let name = match kind {
        Some(Kind::Variant(name)) => Some(name),
        Some(Kind::Bool) => Some(alloc::string::ToString::to_string(&bytes.iter().any(|byte| *byte != 0))),
        _ => None,
    };
    Ok((value, name))
}

#[cold]
fn not_zero(bits: u128, at: u64) -> Error {
    Error::new(ErrorKind::Padding { expected: 0, found: u8::try_from(bits).unwrap_or(u8::MAX) }, at)
}

#[diagnostic::do_not_recommend]
impl<T, const BYTES: u8, const BEFORE: u8, const WIDTH: u8, const ORDER: u8, const RESERVED: u8>
    EncodeAs<T, &BitRun> for Bits<BYTES, BEFORE, WIDTH, ORDER, RESERVED>
where
    T: Layout + Encode,
{
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, run: &BitRun) -> Result<()> {
        match as_number::<O, T>(value, const { size_of_value::<T>(WIDTH, RESERVED > 0) }) {
            Ok(number) => Self::PLACE.write::<O, W>(number, const { is_signed::<T>() }, run, out),
            Err(e) => Err(e.shifted(out.pos())),
        }
    }
}
