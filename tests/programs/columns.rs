//! Columns in a crate that denies what it can, under another name of the runtime, between names that could be in the way.
#![deny(warnings, missing_docs, unsafe_code, unreachable_pub, missing_debug_implementations)]
#![no_implicit_prelude]

/// The runtime under another name.
pub mod prelude {
    pub use ::binfmt as wire;
}

#[allow(dead_code)]
mod shadows {
    pub(crate) struct Vec;
    pub(crate) struct Some;
    pub(crate) trait Clone {}
}
#[allow(unused_imports)]
use shadows::{Clone, Some, Vec};

/// What a row is.
#[derive(prelude::wire::BinFormat, ::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq)]
#[binfmt(crate = crate::columns::prelude::wire, columns, le)]
pub struct Row {
    /// A name that is a word.
    pub r#type: u8,
    #[binfmt(length_prefixed(u8))]
    columns: ::std::string::String,
    pub(crate) i: [u16; 2],
    #[binfmt(nullable)]
    each: prelude::wire::Nullable<f32>,
    #[binfmt(columns)]
    inner: Inner,
}

#[derive(prelude::wire::BinFormat, ::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq)]
#[binfmt(crate = prelude::wire, columns = Inners)]
struct Inner(bool, i8);

#[derive(prelude::wire::BinFormat, ::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq)]
#[binfmt(columns)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}

/// Columns of rows, by the names of this program.
pub fn main() {
    use ::std::clone::Clone as _;
    use ::std::iter::Iterator as _;
    use prelude::wire::TypedColumns as _;
    let bytes = [1, 1, b'a', 1, 0, 2, 0, 255, 0, 0, 0, 0, 1, 255];
    let columns = RowColumns::from_slice(&bytes).unwrap();
    ::std::assert_eq!(columns.r#type, [1]);
    ::std::assert_eq!(columns.inner.1, [-1]);
    let Inners(first, _) = columns.inner.clone();
    ::std::assert_eq!(first, [true]);
    ::std::assert_eq!(columns.to_vec().unwrap(), bytes);
    ::std::assert_eq!(columns.row(0).unwrap().columns, "a");
    let packed = PackedColumns::from_slice(&[1, 2, 0, 0, 0]).unwrap();
    ::std::assert_eq!(packed.rows().next().unwrap(), Packed { a: 1, b: 2 });
}
