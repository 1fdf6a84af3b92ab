//! Queries that a cluster answers.

mod in_process;
pub(crate) mod processes;
pub(crate) mod support;
