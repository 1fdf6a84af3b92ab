//! The Rust half of the Python package `binfmt`: files as tables, layouts, and memory that NumPy sees without a copy.
//!
//! What a user calls stands in `python/binfmt`; here is what only Rust can do. Nothing is decoded with the interpreter locked.
#![deny(unsafe_code)]

mod append;
mod arrow;
mod capsule;
mod copied;
mod failure;
mod futhark;
mod gather;
mod headroom;
mod incoming;
mod layout;
mod memory;
mod parts;
mod patience;
mod sdds;
mod several;
mod source;
mod table;
mod trace;
mod value;
mod watched;
mod write;

use pyo3::prelude::*;

/// The module `binfmt._binfmt`.
#[pymodule]
fn _binfmt(m: &Bound<'_, PyModule>) -> PyResult<()> {
    // as NumPy does for its arrays
    binfmt::Options::prefer_huge_pages(true);
    m.add_class::<layout::Layout>()?;
    m.add_class::<memory::Memory>()?;
    m.add_class::<memory::Strings>()?;
    m.add_class::<sdds::Pages>()?;
    m.add_class::<table::Batches>()?;
    m.add_class::<table::Table>()?;
    m.add_function(wrap_pyfunction!(arrow::arrow_array, m)?)?;
    m.add_function(wrap_pyfunction!(arrow::arrow_read, m)?)?;
    m.add_function(wrap_pyfunction!(arrow::arrow_schema, m)?)?;
    m.add_function(wrap_pyfunction!(arrow::arrow_stream, m)?)?;
    m.add_function(wrap_pyfunction!(futhark::futhark_body, m)?)?;
    m.add_function(wrap_pyfunction!(futhark::futhark_read, m)?)?;
    m.add_function(wrap_pyfunction!(futhark::futhark_write, m)?)?;
    m.add_function(wrap_pyfunction!(sdds::sdds_write, m)?)?;
    m.add_function(wrap_pyfunction!(several::table_of_several, m)?)?;
    m.add_function(wrap_pyfunction!(table::formats, m)?)?;
    m.add_function(wrap_pyfunction!(table::formats_written, m)?)?;
    m.add_function(wrap_pyfunction!(table::open_table, m)?)?;
    m.add_function(wrap_pyfunction!(write::put_file, m)?)?;
    m.add_function(wrap_pyfunction!(write::table_of_columns, m)?)?;
    m.add_function(wrap_pyfunction!(write::table_of_stream, m)?)?;
    m.add_function(wrap_pyfunction!(write::write_table, m)?)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))
}
