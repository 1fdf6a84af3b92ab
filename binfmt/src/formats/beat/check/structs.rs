//! Comparing a struct with a declaration, before the first object is read.

use crate::codec::Layout;
use crate::formats::beat::text::Declaration;
use crate::schema::{Differences, Schema};

impl Declaration {
    /// Compares a struct with the declaration, before the first object is read: fields belong together by their names.
    ///
    /// ```
    /// use binfmt::{Array, BinFormat};
    /// use binfmt::formats::beat::Declaration;
    /// #[derive(BinFormat)]
    /// #[binfmt(le, key_order = lexicographic, len = u64)]
    /// struct Eyes {
    ///     right: [f32; 2],
    ///     #[binfmt(bool_lax)]
    ///     open: bool,
    ///     #[binfmt(var_len)]
    ///     name: String,
    ///     #[binfmt(shape(u64))]
    ///     image: Array<u8, 2>,
    /// }
    /// let json = r#"{"right": "complex64", "open": "bool", "name": "string", "image": [0, 0, "uint8"]}"#;
    /// Declaration::parse(json)?.check_struct::<Eyes>()?;
    ///
    /// let json = r#"{"right": "float64", "open": "bool", "name": "string", "image": [0, 0, "uint8"]}"#;
    /// let differences = Declaration::parse(json)?.check_struct::<Eyes>().unwrap_err();
    /// assert_eq!(differences.to_string(), "\
    /// 1 difference between struct `Eyes` and the declaration:
    ///   right: struct has [f32; 2], file has float64 (f64)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Dimensions that the declaration fixes are not part of the comparison.
    ///
    /// # Errors
    /// All differences, in the order of the fields.
    pub fn check_struct<T: Layout>(&self) -> Result<(), Differences> {
        let schema = Schema::from(self.description().clone());
        let compared = Schema::of::<T>().check(&schema);
        compared.map_err(|differences| differences.found_in("the declaration"))
    }
}
