//! Annotated dumps, drawn and of golden cases.

mod golden;
mod traces;
mod words;
