//! Whether a stream is sound, and whether a struct fits its values.

use super::layout::{ElementType, num_elements};
use super::read::{Outline, Reader};
use crate::codec::Layout;
use crate::error::Result;
use crate::schema::{ByteOrder, Description, Differences, Extent, Field, Integer, Record, Schema, Type};
use crate::wire::Source;
use crate::wire::amount::after;
use alloc::boxed::Box;
use alloc::format;

/// What a struct is that takes these values, each in a field: the [arguments](super::arguments) of a program. Its bytes are those of
/// the values after their headers, in which the dimensions of an array are `u64` before the elements.
///
/// ```
/// use binfmt::formats::futhark::{description, outlines_from_reader};
/// let values: Vec<_> = outlines_from_reader(&b"7i64 [[1f32, 2], [3, 4]] [true]"[..]).collect::<Result<_, _>>()?;
/// assert_eq!(description(&values).to_string(), "\
/// record, le
///   0: i64
///   1: [f32], shape(u64, rank = 2)
///   2: [bool], length_prefixed(u64)
/// ");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[must_use]
pub fn description(values: &[Outline]) -> Description {
    let field = |(i, value): (usize, &Outline)| {
        let brackets = "[]".repeat(value.dims.len());
        Field::new(format!("{i}"), content(value)).native(format!("{brackets}{}", value.element_type))
    };
    let fields = values.iter().enumerate().map(field);
    Description::new(Type::Record(Record::new("", fields).ordered(ByteOrder::Little)))
}

/// What is after the header of a value.
fn content(value: &Outline) -> Type {
    let item = Type::from(value.element_type.number_type());
    let len = Extent::Prefixed { len: Integer::unsigned(8), max: None, inclusive: false };
    match (value.dims.len() as u64, value.element_type) {
        (0, _) => item,
        // bytes may be text, too
        (1, ElementType::U8) => Type::Bytes { len },
        (1, _) => Type::List { item: Box::new(item), len },
        (rank, _) => Type::Shaped {
            item: Box::new(item),
            dim_bytes: 8,
            dim_signed: false,
            rank: Extent::Fixed(rank),
            column_major: false,
        },
    }
}

/// Compares a struct with the values of a stream, before they are read as its fields by [`arguments`](super::arguments): the first
/// field with the first value, and so on. The lengths of dimensions do not count.
///
/// Text that does not name its type may be read as another one: here it is what its outline says, `i32` or `f64`. An array of `i8` and
/// one of `u8` are the same bytes, and are not told apart.
///
/// ```
/// use binfmt::{Array, BinFormat};
/// use binfmt::formats::futhark::{check_struct, outlines_from_reader};
/// #[derive(BinFormat)]
/// #[binfmt(le, len = u64)]
/// struct Arguments {
///     steps: i64,
///     #[binfmt(shape(u64))]
///     grid: Array<f64, 2>,
///     #[binfmt(var_len)]
///     mask: Vec<bool>,
/// }
/// let values = |text: &'static str| outlines_from_reader(text.as_bytes()).collect::<Result<Vec<_>, _>>();
/// check_struct::<Arguments>(&values("7i64 [[0.5f64]] [true, false]")?)?;
///
/// let differences = check_struct::<Arguments>(&values("7i64 [0.5f32] [true] 1u8")?).unwrap_err();
/// let told = differences.to_string();
/// assert!(told.starts_with("2 differences between struct `Arguments` and the values:\n  grid: struct has Array<f64, 2> "), "{told}");
/// assert!(told.ends_with("\n  field 4: struct has nothing, file has u8"), "{told}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// They differ: one error that lists every difference.
pub fn check_struct<T: Layout>(values: &[Outline]) -> Result<(), Differences> {
    let found = Schema::from(description(values));
    Schema::of::<T>().check(&found).map_err(|e| e.found_in("the values"))
}

/// How much of a stream was read and found sound.
///
/// ```
/// let verified = binfmt::formats::futhark::Verified::default();
/// assert_eq!((verified.values, verified.elements), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Values.
    pub values: u64,
    /// Elements of all of them; a scalar is one.
    pub elements: u64,
}

impl<'de, S: Source<'de>> Reader<'de, S, Outline> {
    /// Reads the values that are left, to the end of the stream, and keeps none.
    ///
    /// ```
    /// use binfmt::formats::futhark::outlines_from_reader;
    /// let verified = outlines_from_reader(&b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]] true"[..]).verify()?;
    /// assert_eq!((verified.values, verified.elements), (3, 6));
    /// assert!(outlines_from_reader(&b"[1, x]"[..]).verify().is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first value that is damaged or cut off.
    pub fn verify(self) -> Result<Verified> {
        let mut verified = Verified::default();
        for outline in self {
            verified.values += 1;
            let elements = num_elements(&outline?.dims).unwrap_or(u64::MAX);
            verified.elements = after(verified.elements, elements);
        }
        Ok(verified)
    }
}
