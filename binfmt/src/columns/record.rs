//! Structs whose rows are kept as columns: what the derive implements for them.
//!
//! The derive emits one walk through the parts of a row. What is done at each part is a type of this module: reading a row,
//! taking a block apart, putting one together, writing a whole column. So the code that a user compiles does not grow with the
//! number of ways to go through rows.
#![allow(clippy::arithmetic_side_effects, reason = "places in a record")]

use super::data::ColumnData;
use super::form::{ColumnAs, RecordBlock};
use crate::codec::field::{at_part, begin, begin_put};
use crate::codec::{Decode, DecodeOwned, Encode, Layout};
use crate::containers::magic::{magic_bytes, magic_num, put_magic_bytes, put_magic_num};
use crate::containers::padding::{pad, put_pad};
use crate::error::Result;
use crate::wire::out::fill;
use crate::wire::raw::records::RecordsMut;
use crate::wire::{Order, Part, Sink, Source};
use core::marker::PhantomData;
use core::ops::Range;

/// A struct with the word `columns`: many of it are kept as one vector for each field.
///
/// ```
/// use binfmt::{BinFormat, Columnar, TypedColumns};
/// #[derive(BinFormat, Clone, Debug, PartialEq)]
/// #[binfmt(columns)]
/// struct Point { x: i16, y: f32 }
/// fn count<R: Columnar>(bytes: &[u8]) -> binfmt::Result<usize> {
///     use binfmt::columns::ColumnData;
///     Ok(R::Columns::from_slice(bytes)?.len())
/// }
/// assert_eq!(count::<Point>(&[0; 12])?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no columns",
    label = "no `columns` struct",
    note = "add `#[binfmt(columns)]` to the struct"
)]
pub trait Columnar: DecodeOwned + Encode {
    /// The struct of columns.
    type Columns: ColumnSet<Row = Self>;
}

/// The columns of a struct, made by the derive.
#[doc(hidden)]
pub trait ColumnSet: ColumnData + Default {
    /// The struct.
    type Row: Columnar<Columns = Self>;
    /// Whether a row is read and written as a struct, because its fields depend on each other.
    const WHOLE: bool;
    /// Whether a block of rows can be taken one column after the other.
    const BLOCKS: bool;
    /// What a row takes in the columns at least, in bytes of memory.
    const BYTES: usize;
    /// Adds a row; `false` if there is no memory, and then part of it may have been added.
    #[must_use]
    fn push_row(&mut self, row: Self::Row) -> bool;
    /// The columns as pairs of one and of those that follow: `(A, (B, ()))`.
    type Parts;
    /// All columns.
    fn into_parts(self) -> Self::Parts;
    /// Back.
    fn from_parts(parts: Self::Parts) -> Self;
    /// Row `i`.
    fn get_row(&self, i: usize) -> Option<Self::Row>;
    /// The columns' names and lengths.
    fn lengths(&self, each: &mut dyn FnMut(&'static str, usize));
    /// Calls `each` for every part in wire order.
    fn walk<O: Order, V: Walk>(&self, each: &mut V) -> Result<()>;
    /// Calls `each` for every part in wire order.
    fn walk_mut<O: Order, V: WalkMut>(&mut self, each: &mut V) -> Result<()>;
}

/// In the place of columns of which some have a type that is not as visible as the struct.
#[derive(Debug)]
pub struct Unsplit;

/// What is done with each part of a row.
pub trait Walk {
    /// A field; `part` is its place in the list of parts.
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &F::Column) -> Result<()>;
    /// Bytes that are not a value.
    fn beside<O: Order, B: Filler>(&mut self, part: usize, bytes: B) -> Result<()>;
}

/// What is done with each part of a row, when columns change.
pub trait WalkMut {
    /// A field; `part` is its place in the list of parts.
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &mut F::Column) -> Result<()>;
    /// Bytes that are not a value.
    fn beside<O: Order, B: Filler>(&mut self, part: usize, bytes: B) -> Result<()>;
}

/// Bytes of a row that are not a value: always as many.
pub trait Filler: Copy {
    /// How many.
    fn size(self) -> usize;
    /// Whether any will do.
    fn is_free(self) -> bool;
    /// Reads them.
    fn pass<'de, O: Order, S: Source<'de>>(self, src: &mut S, parts: &'static [Part], i: usize)
    -> Result<()>;
    /// Writes them.
    fn put<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], i: usize) -> Result<()>;
}

/// Padding.
#[derive(Clone, Copy, Debug)]
pub struct Padding {
    /// How many bytes.
    pub count: usize,
    /// Each.
    pub fill: u8,
    /// Whether they must be so.
    pub strict: bool,
}

impl Filler for Padding {
    #[inline(always)]
    fn size(self) -> usize {
        self.count
    }
    #[inline(always)]
    fn is_free(self) -> bool {
        !self.strict
    }
    #[inline(always)]
    fn pass<'de, O: Order, S: Source<'de>>(
        self,
        src: &mut S,
        parts: &'static [Part],
        i: usize,
    ) -> Result<()> {
        pad(src, parts, i, self.count, self.fill, self.strict)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], i: usize) -> Result<()> {
        put_pad(out, parts, i, self.count, self.fill)
    }
}

/// `magic = b".."`.
#[derive(Clone, Copy, Debug)]
pub struct MagicBytes<'a, const N: usize>(pub &'a [u8; N]);

impl<const N: usize> Filler for MagicBytes<'_, N> {
    #[inline(always)]
    fn size(self) -> usize {
        N
    }
    #[inline(always)]
    fn is_free(self) -> bool {
        false
    }
    #[inline(always)]
    fn pass<'de, O: Order, S: Source<'de>>(
        self,
        src: &mut S,
        parts: &'static [Part],
        i: usize,
    ) -> Result<()> {
        magic_bytes(src, parts, i, self.0)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], i: usize) -> Result<()> {
        put_magic_bytes(out, parts, i, self.0)
    }
}

/// `magic = 1u32`.
#[derive(Clone, Copy, Debug)]
pub struct MagicNum<M>(pub M);

impl<M: Copy + for<'de> Decode<'de> + Encode + PartialEq> Filler for MagicNum<M> {
    #[inline(always)]
    fn size(self) -> usize {
        M::FACTS.sizes().min
    }
    #[inline(always)]
    fn is_free(self) -> bool {
        false
    }
    #[inline(always)]
    fn pass<'de, O: Order, S: Source<'de>>(
        self,
        src: &mut S,
        parts: &'static [Part],
        i: usize,
    ) -> Result<()> {
        magic_num::<O, S, M>(src, parts, i, self.0)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], i: usize) -> Result<()> {
        put_magic_num::<O, W, M>(out, parts, i, self.0)
    }
}

/// Reads one row.
pub(super) struct Read<'s, S, R> {
    pub(super) src: &'s mut S,
    pub(super) of: PhantomData<R>,
}

impl<'de, S: Source<'de>, R: Layout> WalkMut for Read<'_, S, R> {
    #[inline(always)]
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &mut F::Column) -> Result<()> {
        begin(self.src, R::PARTS, part)?;
        match F::decode::<O, S>(self.src, column) {
            Ok(()) => Ok(()),
            Err(e) => Err(at_part(e, R::PARTS, part)),
        }
    }
    #[inline(always)]
    fn beside<O: Order, B: Filler>(&mut self, part: usize, bytes: B) -> Result<()> {
        bytes.pass::<O, S>(self.src, R::PARTS, part)
    }
}

/// Writes one row.
pub(super) struct Write<'s, W, R> {
    pub(super) out: &'s mut W,
    pub(super) i: usize,
    pub(super) of: PhantomData<R>,
}

impl<W: Sink, R: Layout> Walk for Write<'_, W, R> {
    #[inline(always)]
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &F::Column) -> Result<()> {
        begin_put(self.out, R::PARTS, part)?;
        match F::encode::<O, W>(column, self.i, self.out) {
            Ok(()) => Ok(()),
            Err(e) => Err(at_part(e, R::PARTS, part)),
        }
    }
    #[inline(always)]
    fn beside<O: Order, B: Filler>(&mut self, part: usize, bytes: B) -> Result<()> {
        bytes.put::<O, W>(self.out, R::PARTS, part)
    }
}

/// Takes a block of records apart.
pub(super) struct Gather<'r, 'a> {
    pub(super) records: &'r RecordBlock<'a>,
    pub(super) offset: usize,
    pub(super) fits: bool,
}

impl WalkMut for Gather<'_, '_> {
    #[inline(always)]
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, _: usize, column: &mut F::Column) -> Result<()> {
        self.fits = self.fits && F::gather::<O>(self.records, self.offset, column);
        self.offset += const { F::FACTS.sizes().min };
        Ok(())
    }
    #[inline(always)]
    fn beside<O: Order, B: Filler>(&mut self, _: usize, bytes: B) -> Result<()> {
        if !bytes.is_free() && self.fits {
            let mut each = self.records.each(self.offset, bytes.size());
            self.fits = each.all(|part| {
                bytes.pass::<O, _>(&mut self.records.source.record(part), &[Part::NONE], 0).is_ok()
            });
        }
        self.offset += bytes.size();
        Ok(())
    }
}

/// Puts a block of records together.
pub(super) struct Scatter<'r, 'v> {
    pub(super) records: &'r mut RecordsMut<'v>,
    pub(super) rows: Range<usize>,
    pub(super) fits: bool,
}

impl Walk for Scatter<'_, '_> {
    #[inline(always)]
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, _: usize, column: &F::Column) -> Result<()> {
        self.fits = self.fits && F::scatter::<O>(column, self.rows.clone(), self.records);
        Ok(())
    }
    #[inline(always)]
    fn beside<O: Order, B: Filler>(&mut self, _: usize, bytes: B) -> Result<()> {
        self.fits = self.fits
            && self
                .records
                .put_same(bytes.size(), |place| fill(place, |out| bytes.put::<O, _>(out, &[Part::NONE], 0)));
        Ok(())
    }
}

/// Makes columns of the caller's ready; `fits` says whether they could be.
pub(super) struct Prepare {
    pub(super) fits: bool,
}

impl WalkMut for Prepare {
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, _: usize, column: &mut F::Column) -> Result<()> {
        self.fits &= F::prepare(column);
        Ok(())
    }
    fn beside<O: Order, B: Filler>(&mut self, _: usize, _: B) -> Result<()> {
        Ok(())
    }
}

/// Reads one column after the other.
pub(super) struct ReadMajor<'s, S, R> {
    pub(super) src: &'s mut S,
    pub(super) rows: usize,
    pub(super) of: PhantomData<R>,
}

impl<'de, S: Source<'de>, R: Layout> WalkMut for ReadMajor<'_, S, R> {
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &mut F::Column) -> Result<()> {
        match F::decode_many::<O, S>(self.src, self.rows, column) {
            Ok(()) => Ok(()),
            Err(e) => Err(at_part(e, R::PARTS, part)),
        }
    }
    fn beside<O: Order, B: Filler>(&mut self, _: usize, _: B) -> Result<()> {
        Ok(())
    }
}

/// Writes one column after the other.
pub(super) struct WriteMajor<'s, W, R> {
    pub(super) out: &'s mut W,
    pub(super) of: PhantomData<R>,
}

impl<W: Sink, R: Layout> Walk for WriteMajor<'_, W, R> {
    fn column<O: Order, F: ColumnAs<T>, T>(&mut self, part: usize, column: &F::Column) -> Result<()> {
        match F::encode_many::<O, W>(column, self.out) {
            Ok(()) => Ok(()),
            Err(e) => Err(at_part(e, R::PARTS, part)),
        }
    }
    fn beside<O: Order, B: Filler>(&mut self, _: usize, _: B) -> Result<()> {
        Ok(())
    }
}
