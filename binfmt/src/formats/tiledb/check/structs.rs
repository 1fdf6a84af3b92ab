//! Comparing a struct with an array, before the first cell is read.

use crate::codec::Layout;
use crate::formats::tiledb::layout::ArraySchema;
use crate::schema::Differences;

impl ArraySchema {
    /// Compares a struct with the array: each of its fields must be an attribute or a dimension of that name and type.
    /// There may be more of them, in any order; a name that Rust does not allow is said with `rename`.
    ///
    /// One value is a number (`CHAR` and text are `u8`, `u16` or `u32`, times are `i64`), several are an array such as
    /// `[f32; 3]`, any number of them a `Vec` with a length in front, `var_len` or `length_prefixed(…)`, of which only
    /// the Rust type counts: TileDB has no such bytes. `CHAR`, ASCII and UTF-8 of several or any number of values may be a
    /// `String`, too.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat)]
    /// struct Star { #[binfmt(var_len)] name: String, magnitude: f32, ra: i32 }
    /// let ra = Dimension::new("ra", Number::I32(0), Number::I32(359), Number::I32(10));
    /// let schema = ArraySchema::sparse(Datatype::Int32, [ra])
    ///     .attribute(Attribute::new("magnitude", Datatype::Float64))
    ///     .attribute(Attribute::new("name", Datatype::StringAscii).values(CellValNum::VAR));
    /// assert_eq!(schema.check_struct::<Star>().unwrap_err().to_string(), "\
    /// 1 difference between struct `Star` and the array:
    ///   magnitude: struct has f32, file has FLOAT64 (f64)");
    /// ```
    ///
    /// # Errors
    /// They differ: one error that lists every difference.
    pub fn check_struct<T: Layout>(&self) -> Result<(), Differences> {
        self.cell_fields::<T>().map(|_| ())
    }
}
