//! Programs as users write them: what they forbid, what they shadow.
#![allow(missing_docs, reason = "each module decides that for itself")]

// the name by which one of them knows the library
extern crate binfmt as runtime;

pub mod columns;
mod expressions;
mod generics;
mod hygiene;
mod words;

#[test]
fn columns_under_another_name() {
    columns::main();
}

#[test]
fn expressions_of_every_kind() {
    expressions::main().unwrap();
}

#[test]
fn generic_types() {
    generics::main().unwrap();
}

#[test]
fn every_word() {
    words::main().unwrap();
}
