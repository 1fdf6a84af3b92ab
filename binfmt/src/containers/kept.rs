//! A value and what follows it in its region.

use super::counted::ToEnd;
use super::items::Items;
use crate::codec::field::{field, own, put, put_own};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
use crate::codec::run::record;
use crate::codec::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::raw::link;
use crate::wire::{Facts, Order, Part, Shape, Sink, Source};
use alloc::vec::Vec;

/// A value and the bytes after it, up to the end of its region or of the input.
///
/// A box that a later version of its format has made longer is read by a program that knows the first version, and written
/// back byte for byte. The type is what [`region(.., rest = keep)`](crate::attributes#region) reads, and stands wherever something
/// ends a value.
///
/// ```
/// use binfmt::{BinFormat, Kept};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Header { width: u16 }
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct File { #[binfmt(length_prefixed(u8, in = bytes))] header: Kept<Header>, n: u8 }
/// let bytes = [4, 7, 0, /* unknown */ 1, 2, /* n */ 9];
/// let file: File = binfmt::from_slice(&bytes)?;
/// assert_eq!(file.header.value, Header { width: 7 });
/// assert_eq!(file.header.rest, [1, 2]);
/// assert_eq!(binfmt::to_vec(&file)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kept<T> {
    /// The value.
    pub value: T,
    /// The bytes after it.
    pub rest: Vec<u8>,
}

impl<T> From<T> for Kept<T> {
    /// A value with nothing after it.
    ///
    /// ```
    /// let kept = binfmt::Kept::from(7u8);
    /// assert_eq!((kept.value, kept.rest.len()), (7, 0));
    /// ```
    fn from(value: T) -> Self {
        Kept { value, rest: Vec::new() }
    }
}

/// What follows the value.
type Rest = ToEnd<Items>;

impl<T: Layout> Layout for Kept<T> {
    const PARTS: &'static [Part] =
        &link([Part::of::<Own, T>("value", "T"), Part::of::<Rest, Vec<u8>>("rest", "Vec<u8>")]);
    const FACTS: Facts<Self> = Facts::fields(<Self as Layout>::PARTS);
    const SHAPE: Shape = record::<Self>("Kept");
    const TREE: Tree =
        Tree::record::<Self>("", &[T::TREE, <Rest as As<Vec<u8>>>::TREE], &[], &[]).of_parameters();
}

impl<'de, T: Decode<'de, C>, C> Decode<'de, C> for Kept<T> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let parts = <Self as Layout>::PARTS;
        let value = own::<O, S, T, C>(src, parts, 0, ctx)?;
        let rest = field::<O, S, Rest, Vec<u8>, ()>(src, parts, 1, ())?;
        Ok(Kept { value, rest })
    }
}

impl<T: Encode<C>, C> Encode<C> for Kept<T> {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        let parts = <Self as Layout>::PARTS;
        put_own::<O, W, T, C>(out, parts, 0, &self.value, ctx)?;
        put::<O, W, Rest, Vec<u8>, ()>(out, parts, 1, &self.rest, ())
    }
}

/// `rest = keep`: a [`Kept`] and nothing else.
#[derive(Debug)]
pub struct Keep;

#[diagnostic::do_not_recommend]
impl<T: Layout> As<Kept<T>> for Keep {
    const FACTS: Facts<Kept<T>> = <Kept<T> as Layout>::FACTS;
    const SHAPE: Shape = <Kept<T> as Layout>::SHAPE;
    const TREE: Tree = <Kept<T> as Layout>::TREE;
}

#[diagnostic::do_not_recommend]
impl<'de, T: Decode<'de, C>, C> DecodeAs<'de, Kept<T>, C> for Keep {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Kept<T>> {
        Kept::decode::<O, S>(src, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Encode<C>, C> EncodeAs<Kept<T>, C> for Keep {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &Kept<T>, out: &mut W, ctx: C) -> Result<()> {
        value.encode::<O, W>(out, ctx)
    }
}
