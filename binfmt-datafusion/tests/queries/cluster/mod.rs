//! Queries that a cluster answers.

mod in_process;
mod processes;
mod support;
