//! Names of the user that look like those of the generated code, or shadow the prelude.
#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms)]

struct Ok;
struct Err;
struct Some;
struct None;
struct Result;
struct Option;
struct Vec;
struct String;
struct Default;
struct Box;
mod core {}
mod std {}

trait PARTS {}

#[derive(runtime::BinFormat)]
#[binfmt(crate = runtime, be)]
struct Names {
    __src: u8,
    __out: u8,
    __ctx: u8,
    __parts: u8,
    __f1: u8,
    r#type: u8,
    n: u8,
    #[binfmt(count = *n + *__f1 + *r#type, assert(*__src == 0 && *__out == 0))]
    list: ::std::vec::Vec<u8>,
}

impl Names {
    const PARTS: u8 = 1;
    const FACTS: u8 = 1;
}

#[derive(runtime::BinFormat)]
#[binfmt(crate = ::runtime, tag(u8))]
enum Choice {
    __tag { __at: u8 },
    Ok,
    Some(u8),
}
