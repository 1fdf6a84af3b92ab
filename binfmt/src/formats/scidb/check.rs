//! Comparing a struct with a format string, before the first cell is read.

use super::text::Template;
use crate::codec::Layout;
use crate::schema::{Differences, Schema};
use alloc::format;

impl Template {
    /// Compares a struct with this format, column by column.
    ///
    /// Names do not count: a format string has none. A nullable column needs `nullable`, a string `var_len` and `nul`,
    /// a binary `var_len`; `string(n)` is `count = n` with `nul`; `skip(n)` is `skip(bytes = n)` or a pad, `skip` is a
    /// field of type [`Ignored`](crate::Ignored); a user's type is any type of the same size. A struct inside the
    /// struct stands for its fields. It is [`Schema::check`] with the [description](Template::description) of the format.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i64, #[binfmt(nullable, var_len, nul)] b: Option<String>, #[binfmt(skip(bytes = 4))] c: f64 }
    /// let format: Template = "(int64, string null, skip(4), double)".parse().unwrap();
    /// assert!(format.check_struct::<Cell>().is_ok());
    ///
    /// let format: Template = "(int32, string null, skip(4), float, int8)".parse().unwrap();
    /// let differences = format.check_struct::<Cell>().unwrap_err();
    /// assert_eq!(differences.to_string(), "\
    /// 3 differences between struct `Cell` and the format (int32, string null, skip(4), float, int8):
    ///   a: struct has i64, file has int32 (i32)
    ///   c: struct has f64, file has float (f32)
    ///   field 5: struct has nothing, file has int8 (i8)");
    /// ```
    ///
    /// # Errors
    /// They differ: one error that lists every difference.
    pub fn check_struct<T: Layout>(&self) -> Result<(), Differences> {
        let found = Schema::from(self.description());
        Schema::of::<T>().check(&found).map_err(|e| e.found_in(format!("the format {self}")))
    }
}
