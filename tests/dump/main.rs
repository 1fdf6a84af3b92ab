//! Annotated dumps, drawn and of golden cases.

#[path = "../support/composite.rs"]
mod composite;
mod golden;
mod traces;
mod words;
