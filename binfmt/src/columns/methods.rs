//! What a user does with the columns of a struct.
#![allow(clippy::arithmetic_side_effects, reason = "what is left of bytes is no longer than they are")]

#[cfg(feature = "dynamic")]
use super::dynamic::Columns;
#[cfg(feature = "dynamic")]
use super::dynamic::typed::{TypedParts, from_columns, into_columns};
use super::record::ColumnSet;
use super::rows::{append_rows, read_major, read_rows, write_major};
use crate::codec::{Layout, in_order};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::limits::memory_of;
use crate::wire::{Options, Slice, vec_sink};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use {
    super::rows::write_rows,
    crate::wire::{Stream, out::writer_sink},
    std::io::{Read, Write},
};

fn slice<'de>(bytes: &'de [u8], options: &Options) -> Slice<'de> {
    Slice::with(bytes, options.limits, options.policy)
}

/// The methods of the columns that the word `columns` makes for a struct: rows in and out, from bytes and to bytes.
///
/// Decoding puts each value into its column at once; there is no struct for a row in between. Where each row has the
/// same size, blocks of rows are taken column by column.
///
/// ```
/// use binfmt::{BinFormat, TypedColumns};
///
/// #[derive(BinFormat, Clone, Debug, PartialEq)]
/// #[binfmt(le, columns)]
/// struct Reading {
///     station: u16,
///     #[binfmt(length_prefixed(u8))]
///     note: String,
/// }
///
/// let bytes = [1, 0, 2, b'o', b'k', 7, 0, 0];
/// let columns = ReadingColumns::from_slice(&bytes)?;
/// assert_eq!(columns.station, [1, 7]);
/// assert_eq!(columns.note.get(0), Some("ok"));
/// assert_eq!(columns.row(1), Some(Reading { station: 7, note: "".into() }));
/// assert_eq!(columns.to_vec()?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub trait TypedColumns: ColumnSet {
    /// Columns of these rows.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns::from_rows([Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]);
    /// assert_eq!(columns.x, [1, 3]);
    /// ```
    ///
    /// # Panics
    /// There is no memory.
    fn from_rows(rows: impl IntoIterator<Item = Self::Row>) -> Self {
        let mut columns = Self::default();
        rows.into_iter().for_each(|row| columns.push(row));
        columns
    }

    /// Adds a row. A missing code that is the byte of a value, which has no form on the wire, becomes the smallest code.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut columns = PointColumns::default();
    /// columns.push(Point { x: 1, y: 2 });
    /// assert_eq!(columns.y, [2]);
    /// ```
    ///
    /// # Panics
    /// There is no memory.
    fn push(&mut self, row: Self::Row) {
        assert!(self.push_row(row), "there is no memory for a row");
    }

    /// Row `i`; `None` after the last.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns { x: vec![1], y: vec![2] };
    /// assert_eq!((columns.row(0), columns.row(1)), (Some(Point { x: 1, y: 2 }), None));
    /// ```
    fn row(&self, i: usize) -> Option<Self::Row> {
        self.get_row(i)
    }

    /// The rows one after the other.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns { x: vec![1, 3], y: vec![2, 4] };
    /// assert_eq!(columns.rows().map(|row| row.x).sum::<i16>(), 4);
    /// ```
    fn rows(&self) -> impl Iterator<Item = Self::Row> {
        (0..self.len()).map_while(|i| self.get_row(i))
    }

    /// Decodes all rows of a slice. Little-endian where the struct does not say.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns::from_slice(&[1, 0, 2, 3, 0, 4])?;
    /// assert_eq!(columns, PointColumns { x: vec![1, 3], y: vec![2, 4] });
    /// let e = PointColumns::from_slice(&[1, 0, 2, 3]).unwrap_err();
    /// assert_eq!(e.to_string(), "[1].x at byte 0x3: 2 bytes needed, 1 remain");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A row is damaged or not complete.
    fn from_slice(bytes: &[u8]) -> Result<Self> {
        Self::from_slice_with(bytes, &Options::new())
    }

    /// [`from_slice`](TypedColumns::from_slice) with byte order and limits from outside.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Endian, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns::from_slice_with(&[0, 1, 2], &Options::new().endian(Endian::Big))?;
    /// assert_eq!(columns.x, [1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](TypedColumns::from_slice), or a limit is reached.
    fn from_slice_with(bytes: &[u8], options: &Options) -> Result<Self> {
        let mut columns = Self::default();
        columns.decode_all_with(bytes, options)?;
        Ok(columns)
    }

    /// Decodes `rows` rows from the front of a slice and returns them with what follows.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let (columns, rest) = PointColumns::from_prefix(&[1, 0, 2, 9], 1, &Options::new())?;
    /// assert_eq!((columns.x, rest), (vec![1], &[9][..]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice_with`](TypedColumns::from_slice_with).
    fn from_prefix<'de>(bytes: &'de [u8], rows: usize, options: &Options) -> Result<(Self, &'de [u8])> {
        let (mut src, mut columns) = (slice(bytes, options), Self::default());
        in_order!(Self::Row, options, O => read_rows::<O, _, Self>(&mut src, &mut columns, Some(rows)))?;
        Ok((columns, src.rest()))
    }

    /// Decodes all rows of a slice after those that are there: memory is used again. When a row is damaged, those before
    /// it stay.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut columns = PointColumns { x: vec![1], y: vec![2] };
    /// columns.decode_all(&[3, 0, 4])?;
    /// assert_eq!(columns.x, [1, 3]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](TypedColumns::from_slice), or the columns are of different length.
    fn decode_all(&mut self, bytes: &[u8]) -> Result<()> {
        self.decode_all_with(bytes, &Options::new())
    }

    /// [`decode_all`](TypedColumns::decode_all) with byte order and limits from outside.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut columns = PointColumns::default();
    /// columns.decode_all_with(&[3, 0, 4], &Options::new())?;
    /// assert_eq!(columns.y, [4]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_all`](TypedColumns::decode_all), or a limit is reached.
    fn decode_all_with(&mut self, bytes: &[u8], options: &Options) -> Result<()> {
        let mut src = slice(bytes, options);
        in_order!(Self::Row, options, O => read_rows::<O, _, Self>(&mut src, self, None))
    }

    /// Decodes all rows of a reader, to its end. Memory beside the columns is one block of the input.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns::from_reader(&[1, 0, 2][..], &Options::new())?;
    /// assert_eq!(columns.x, [1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice_with`](TypedColumns::from_slice_with), or the reader fails.
    #[cfg(feature = "std")]
    fn from_reader<R: Read>(mut reader: R, options: &Options) -> Result<Self> {
        let reader: &mut dyn Read = &mut reader;
        let mut src = Stream::with(reader, options.limits, options.policy, false);
        let mut columns = Self::default();
        in_order!(Self::Row, options, O => read_rows::<O, _, Self>(&mut src, &mut columns, None))?;
        Ok(columns)
    }

    /// Decodes `rows` rows of a reader after those that are there, and reads not one byte more than they take. When a row
    /// is damaged, those before it stay.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let (mut columns, mut reader) = (PointColumns::default(), &[1u8, 0, 2, 3, 0, 4, 9][..]);
    /// columns.read_rows(&mut reader, 2, &Options::new())?;
    /// assert_eq!((columns.x, reader), (vec![1, 3], &[9][..]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_reader`](TypedColumns::from_reader), or the columns are of different length.
    #[cfg(feature = "std")]
    fn read_rows<R: Read>(&mut self, mut reader: R, rows: usize, options: &Options) -> Result<()> {
        let reader: &mut dyn Read = &mut reader;
        let mut src = Stream::with(reader, options.limits, options.policy, true);
        in_order!(Self::Row, options, O => read_rows::<O, _, Self>(&mut src, self, Some(rows)))
    }

    /// Encodes all rows into a new vector. Little-endian where the struct does not say.
    ///
    /// ```
    /// # use binfmt::{BinFormat, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// assert_eq!(PointColumns { x: vec![1], y: vec![2] }.to_vec()?, [1, 0, 2]);
    /// let e = PointColumns { x: vec![1], y: vec![] }.to_vec().unwrap_err();
    /// assert_eq!(e.to_string(), "columns of different length: `x` has 1 rows, `y` has 0");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The columns are of different length, or a value contradicts its layout.
    fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Options::new())
    }

    /// [`to_vec`](TypedColumns::to_vec) with the byte order from outside.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Endian, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let columns = PointColumns { x: vec![1], y: vec![2] };
    /// assert_eq!(columns.to_vec_with(&Options::new().endian(Endian::Big))?, [0, 1, 2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](TypedColumns::to_vec).
    fn to_vec_with(&self, options: &Options) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.append(&mut out, options)?;
        Ok(out)
    }

    /// Encodes all rows after what `out` holds: memory that is there is used again. When it fails, `out` is what it was.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut out = vec![9];
    /// PointColumns { x: vec![1], y: vec![2] }.append(&mut out, &Options::new())?;
    /// assert_eq!(out, [9, 1, 0, 2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](TypedColumns::to_vec).
    fn append(&self, out: &mut Vec<u8>, options: &Options) -> Result<()> {
        in_order!(Self::Row, options, O => append_rows::<O, Self>(self, out, options))
    }

    /// Encodes all rows into a writer, in blocks, and flushes it; returns how many bytes they took.
    ///
    /// ```
    /// # use binfmt::{BinFormat, Options, TypedColumns};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut file = Vec::new();
    /// assert_eq!(PointColumns { x: vec![1], y: vec![2] }.to_writer(&mut file, &Options::new())?, 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](TypedColumns::to_vec), or the writer fails. What was written before stays written.
    #[cfg(feature = "std")]
    fn to_writer<W: Write>(&self, writer: W, options: &Options) -> Result<u64> {
        in_order!(Self::Row, options, O => writer_sink(writer, |out| write_rows::<O, _, Self>(self, out.with(options))))
    }

    /// The same columns as they are known at run time, for a [`ColumnsTable`](crate::table::ColumnsTable) and all that takes tables.
    /// Their memory is moved.
    ///
    /// ```
    /// use binfmt::columns::Column;
    /// use binfmt::{BinFormat, TypedColumns};
    /// #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// #[binfmt(columns)]
    /// struct Point { x: i16, y: u8 }
    /// let typed = PointColumns { x: vec![1, 3], y: vec![2, 4] };
    /// let place = typed.x.as_ptr();
    /// let columns = typed.into_columns()?;
    /// assert_eq!(columns.get("y"), Some(&Column::from(vec![2u8, 4])));
    /// let typed = PointColumns::from_columns(columns)?;
    /// assert_eq!((typed.x.as_ptr(), typed.row(1)), (place, Some(Point { x: 3, y: 4 })));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The columns are of different length.
    #[cfg(feature = "dynamic")]
    fn into_columns(self) -> Result<Columns>
    where
        Self::Parts: TypedParts,
    {
        into_columns(self)
    }

    /// Back from columns that are known at run time, whatever has read them: those of the names of the fields, in any order; others are
    /// left out. Their memory is moved, but for arrays in a row, which are copied.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// use binfmt::{BinFormat, TypedColumns};
    /// #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// #[binfmt(columns)]
    /// struct Point { x: i16, y: u8 }
    /// let columns = Columns::new(vec![
    ///     ("y".into(), Column::from(vec![2u8])),
    ///     ("x".into(), Column::from(vec![1i32])),
    /// ])?;
    /// let e = PointColumns::from_columns(columns).unwrap_err();
    /// assert_eq!(e.to_string(), "x: expected i16, found i32");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A field has no column, or one of another type, or of text that is not UTF-8.
    #[cfg(feature = "dynamic")]
    fn from_columns(columns: Columns) -> Result<Self>
    where
        Self::Parts: TypedParts,
    {
        from_columns(columns)
    }
}

impl<C: ColumnSet> TypedColumns for C {}

/// Columns that can stand on the wire one after the other: all values of the first field, then all of the second.
///
/// The derive implements it for structs whose bytes are values only, each of which can be read without the others: no
/// magic, no padding, no alignment, no word with an expression over other fields.
///
/// ```
/// use binfmt::{BinFormat, ColumnMajor, Options};
/// #[derive(BinFormat, Clone, Debug, PartialEq)]
/// #[binfmt(columns)]
/// struct Point { x: i16, y: u8 }
/// let bytes = [1, 0, 3, 0, 2, 4];
/// let columns = PointColumns::from_column_major(&bytes, 2, &Options::new())?;
/// assert_eq!(columns, PointColumns { x: vec![1, 3], y: vec![2, 4] });
/// assert_eq!(columns.to_column_major(&Options::new())?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub trait ColumnMajor: TypedColumns {
    /// Decodes `rows` values of each column from all of `bytes`; bytes that are left over are an error.
    ///
    /// # Errors
    /// A value is damaged, or the bytes are too few or too many.
    fn from_column_major(bytes: &[u8], rows: usize, options: &Options) -> Result<Self> {
        let (columns, rest) = Self::from_column_major_prefix(bytes, rows, options)?;
        match rest.len() {
            0 => Ok(columns),
            n => {
                let at = (bytes.len() - n) as u64;
                Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, at))
            }
        }
    }

    /// The same from the front of `bytes`; returns the columns with what follows.
    ///
    /// ```
    /// # use binfmt::{BinFormat, ColumnMajor, Options};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let (columns, rest) = PointColumns::from_column_major_prefix(&[1, 0, 2, 9], 1, &Options::new())?;
    /// assert_eq!((columns.y, rest), (vec![2], &[9][..]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is damaged, or the bytes are too few.
    fn from_column_major_prefix<'de>(
        bytes: &'de [u8],
        rows: usize,
        options: &Options,
    ) -> Result<(Self, &'de [u8])> {
        let (mut src, mut columns) = (slice(bytes, options), Self::default());
        in_order!(Self::Row, options, O => read_major::<O, _, Self>(&mut src, &mut columns, rows))?;
        Ok((columns, src.rest()))
    }

    /// Decodes `rows` values of each column of a reader after those that are there, and reads not one byte more than they
    /// take. When it fails, the columns are what they were.
    ///
    /// ```
    /// # use binfmt::{BinFormat, ColumnMajor, Options};
    /// # #[derive(BinFormat, Clone, Debug, PartialEq)]
    /// # #[binfmt(columns)]
    /// # struct Point { x: i16, y: u8 }
    /// let mut columns = PointColumns::default();
    /// columns.read_column_major(&[1u8, 0, 3, 0, 2, 4][..], 2, &Options::new())?;
    /// assert_eq!(columns.y, [2, 4]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is damaged, the reader fails, or the columns are of different length.
    #[cfg(feature = "std")]
    fn read_column_major<R: Read>(&mut self, mut reader: R, rows: usize, options: &Options) -> Result<()> {
        let reader: &mut dyn Read = &mut reader;
        let mut src = Stream::with(reader, options.limits, options.policy, true);
        in_order!(Self::Row, options, O => read_major::<O, _, Self>(&mut src, self, rows))
    }

    /// Encodes one column after the other into a new vector.
    ///
    /// # Errors
    /// The columns are of different length, or a value contradicts its layout.
    fn to_column_major(&self, options: &Options) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let min = options.room(memory_of(self.len(), <Self::Row as Layout>::FACTS.sizes().min));
        in_order!(Self::Row, options, O => vec_sink(&mut out, min, |out| write_major::<O, _, Self>(self, out.with(options))))?;
        Ok(out)
    }
}
