//! `process(decode, encode)`: bytes of which a function of the user's makes others, those of a form.
//!
//! The bytes are all up to the end of the input or region, so what is around says how many there are. The functions know whole
//! buffers and nothing of sources: a form inside is read from memory, and positions in it count as if its bytes stood there.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::known;
use crate::wire::out::bytes_apart;
use crate::wire::raw::Slice;
use crate::wire::raw::out::Grow;
use crate::wire::{Cursor, Facts, Kind, OPEN, Order, Out, Shape, Sink, Source};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::marker::PhantomData;

/// The form `F` of the bytes that a function makes; the context is the functions and what the form needs.
#[derive(Debug)]
pub struct Process<F>(PhantomData<F>);

/// The two functions. Each takes bytes and the position of the first.
#[derive(Clone, Copy, Debug)]
pub struct Functions<D, E> {
    decode: D,
    encode: E,
}

/// What a function of the user's gives: bytes, or an error of its own.
#[diagnostic::on_unimplemented(
    message = "a function of `process` gives `Vec<u8>` or `Result<Vec<u8>, _>`, found `{Self}`",
    label = "not bytes that the function owns"
)]
pub trait Made {
    /// Why there are none.
    type Error;
    /// The bytes.
    fn made(self) -> core::result::Result<Vec<u8>, Self::Error>;
}

#[diagnostic::do_not_recommend]
impl Made for Vec<u8> {
    type Error = Infallible;
    fn made(self) -> core::result::Result<Vec<u8>, Infallible> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl Made for Box<[u8]> {
    type Error = Infallible;
    fn made(self) -> core::result::Result<Vec<u8>, Infallible> {
        Ok(self.into_vec())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Made<Error = Infallible>, E> Made for core::result::Result<T, E> {
    type Error = E;
    fn made(self) -> core::result::Result<Vec<u8>, E> {
        self.map(|made| match made.made() {
            Ok(bytes) => bytes,
            Err(never) => match never {},
        })
    }
}

/// A function of the user's, and what makes an error of its own; with the position of its first byte.
#[inline(always)]
pub fn processing<R: Made>(
    function: impl Fn(&[u8]) -> R + Copy,
    raised: impl Fn(R::Error, Option<u64>) -> Error + Copy,
) -> impl Fn(&[u8], u64) -> Result<Vec<u8>> + Copy {
    move |bytes, at| function(bytes).made().map_err(|e| raised(e, Some(at)))
}

/// Both.
#[inline(always)]
pub fn functions<D, E>(decode: D, encode: E) -> Functions<D, E> {
    Functions { decode, encode }
}

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<T> for Process<F> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN).to_end();
    const SHAPE: Shape = Shape::Processed { by: "", body: || F::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = false;
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, D, E> DecodeAs<'de, T, (Functions<D, E>, C)> for Process<F>
where
    F: for<'p> DecodeAs<'p, T, C>,
    D: Fn(&[u8], u64) -> Result<Vec<u8>>,
{
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (functions, ctx): (Functions<D, E>, C)) -> Result<T> {
        unfold(src, functions.decode, |inner| F::decode::<O, _>(inner, ctx))
    }
}

/// Reads from what a function makes of all bytes up to the end.
fn unfold<'de, S: Source<'de>, T>(
    src: &mut S,
    function: impl Fn(&[u8], u64) -> Result<Vec<u8>>,
    read: impl FnOnce(&mut Slice<'_>) -> Result<T>,
) -> Result<T> {
    let start = src.pos();
    src.mark(Kind::Bytes, true);
    let made = match src.left() {
        Some(n) => function(src.take(n)?.bytes(), start)?,
        None => function(&rest(src)?, start)?,
    };
    src.charge(made.len())?;
    let mut inner = Slice::new(&made);
    *inner.budget_mut().0 = *src.budget();
    let v = read(&mut inner).map_err(|e| e.shifted(start))?;
    *src.budget_mut().0 = *inner.budget();
    match known(inner.left_over()) as u64 {
        0 => Ok(v),
        count => Err(Error::new(ErrorKind::UnconsumedRegion { count }, inner.pos()).shifted(start)),
    }
}

/// All bytes up to the end, of a source that does not know how many there are.
fn rest<'de, S: Source<'de>>(src: &mut S) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        match src.chunk()? {
            0 => return Ok(bytes),
            n => {
                src.charge(n)?;
                src.append(n, &mut bytes)?;
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<F, T, C, D, E> EncodeAs<T, (Functions<D, E>, C)> for Process<F>
where
    F: EncodeAs<T, C>,
    E: Fn(&[u8], u64) -> Result<Vec<u8>>,
{
    fn encode<O: Order, W: Sink>(
        value: &T,
        out: &mut W,
        (functions, ctx): (Functions<D, E>, C),
    ) -> Result<()> {
        fold(out, |bytes, at| (functions.encode)(&bytes, at), |inner| F::encode::<O, _>(value, inner, ctx))
    }
}

/// Writes what a function makes of bytes that are written to memory.
pub(crate) fn fold<W: Sink>(
    out: &mut W,
    function: impl FnOnce(Vec<u8>, u64) -> Result<Vec<u8>>,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let start = out.pos();
    let (bytes, others) = bytes_apart(out, start, |inner| {
        // parts elsewhere lie in these bytes
        let region = inner.begin_region();
        write(inner)?;
        inner.end_region(region)
    })?;
    if others.num_parts() > 0 || others.is_open() {
        return Err(Error::message(
            "a part at a position of the whole file cannot be written from bytes that are written to memory first",
            start,
        ));
    }
    out.bytes(&function(bytes, start)?, 0)?;
    out.seal();
    Ok(())
}

/// A struct or enum in the bytes that a function made.
pub trait Inside<'de, C>: Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// Those of its fields.
    fn read_inside<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self>;
}

/// The same when writing.
pub trait WriteInside<C> {
    /// Writes the value.
    ///
    /// # Errors
    /// Those of its fields.
    fn write_inside<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()>;
}

/// Reads a struct or enum whose bytes a function makes.
///
/// # Errors
/// Those of the function and of the fields.
pub fn decode_whole<'de, O: Order, S: Source<'de>, T: for<'p> Inside<'p, C>, C>(
    src: &mut S,
    ctx: C,
    function: impl Fn(&[u8], u64) -> Result<Vec<u8>>,
) -> Result<T> {
    unfold(src, function, |inner| T::read_inside::<O, _>(inner, ctx))
}

/// Writes one.
///
/// # Errors
/// Those of the function and of the fields.
pub fn encode_whole<O: Order, W: Sink, T: WriteInside<C>, C>(
    value: &T,
    out: &mut W,
    ctx: C,
    function: impl Fn(&[u8], u64) -> Result<Vec<u8>>,
) -> Result<()> {
    fold(out, |bytes, at| function(&bytes, at), |inner| value.write_inside::<O, _>(inner, ctx))
}

/// What is known of one.
pub const fn processed<T>() -> Facts<T> {
    Facts::range(0, 0, OPEN).to_end()
}

/// The shape of one.
pub const fn processed_shape(by: &'static str, body: fn() -> Shape) -> Shape {
    Shape::Processed { by, body }
}
