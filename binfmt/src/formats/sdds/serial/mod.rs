//! Headers and pages in JSON and its kin.
//!
//! A header is `{"version": 1, "mode": "binary", "byte_order": "little", .., "columns": [{"name": "s", "type": "double"}]}`, a page
//! `{"rows": 1, "parameters": {..}, "arrays": {"a": {"shape": [1], "values": [7]}}, "columns": {"s": [0.5]}}`. A string that is not UTF-8
//! is `{"hex": ".."}`, a `longdouble` `{"x87": "20 hex digits"}`.

mod header;
mod page;
mod seeds;
mod values;

pub use page::{NamedPage, PageSeed};
