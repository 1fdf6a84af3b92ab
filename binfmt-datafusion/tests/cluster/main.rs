//! Queries over files, answered by clusters in this process and in others.

mod in_process;
mod processes;
mod support;
