//! What several programs of tests use.

#![allow(dead_code, reason = "each program uses a part")]

pub(crate) mod beat;
pub(crate) mod composite;
pub(crate) mod failing;
pub(crate) mod full;
pub(crate) mod memory;
pub(crate) mod nested;
pub(crate) mod random;
pub(crate) mod tiledb;
pub(crate) mod types;
pub(crate) mod wire;
