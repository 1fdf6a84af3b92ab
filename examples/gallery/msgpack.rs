//! MessagePack, all of it: [its specification](https://github.com/msgpack/msgpack/blob/master/spec.md), "Formats".

use binfmt::{BinFormat, Result};
use std::fmt::Write;

/// A first byte says what follows. Some contain a small number or length themselves, and keep it as `tag`.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, tag(u8))]
#[rustfmt::skip]
pub enum Value {
    // "int format family"
    #[binfmt(tag(0..=0x7f))] Positive { tag: u8 },
    #[binfmt(tag(0xe0..=0xff))] Negative { tag: u8 },
    #[binfmt(tag = 0xcc)] U8(u8),
    #[binfmt(tag = 0xcd)] U16(u16),
    #[binfmt(tag = 0xce)] U32(u32),
    #[binfmt(tag = 0xcf)] U64(u64),
    #[binfmt(tag = 0xd0)] I8(i8),
    #[binfmt(tag = 0xd1)] I16(i16),
    #[binfmt(tag = 0xd2)] I32(i32),
    #[binfmt(tag = 0xd3)] I64(i64),
    // "nil format", "bool format family", "float format family"
    #[binfmt(tag = 0xc0)] Nil,
    #[binfmt(tag = 0xc2)] False,
    #[binfmt(tag = 0xc3)] True,
    #[binfmt(tag = 0xca)] F32(f32),
    #[binfmt(tag = 0xcb)] F64(f64),
    // "str format family", "bin format family"
    #[binfmt(tag(0xa0..=0xbf))] FixStr { tag: u8, #[binfmt(count = tag & 31)] text: String },
    #[binfmt(tag = 0xd9)] Str8(#[binfmt(length_prefixed(u8))] String),
    #[binfmt(tag = 0xda)] Str16(#[binfmt(length_prefixed(u16))] String),
    #[binfmt(tag = 0xdb)] Str32(#[binfmt(length_prefixed(u32))] String),
    #[binfmt(tag = 0xc4)] Bin8(#[binfmt(length_prefixed(u8))] Vec<u8>),
    #[binfmt(tag = 0xc5)] Bin16(#[binfmt(length_prefixed(u16))] Vec<u8>),
    #[binfmt(tag = 0xc6)] Bin32(#[binfmt(length_prefixed(u32))] Vec<u8>),
    // "array format family", "map format family"
    #[binfmt(tag(0x90..=0x9f))] FixArray { tag: u8, #[binfmt(count = tag & 15)] items: Vec<Value> },
    #[binfmt(tag = 0xdc)] Array16(#[binfmt(length_prefixed(u16))] Vec<Value>),
    #[binfmt(tag = 0xdd)] Array32(#[binfmt(length_prefixed(u32))] Vec<Value>),
    #[binfmt(tag(0x80..=0x8f))] FixMap { tag: u8, #[binfmt(count = tag & 15)] items: Vec<(Value, Value)> },
    #[binfmt(tag = 0xde)] Map16(#[binfmt(length_prefixed(u16))] Vec<(Value, Value)>),
    #[binfmt(tag = 0xdf)] Map32(#[binfmt(length_prefixed(u32))] Vec<(Value, Value)>),
    // "ext format family"
    #[binfmt(tag = 0xd4)] FixExt1(i8, [u8; 1]),
    #[binfmt(tag = 0xd5)] FixExt2(i8, [u8; 2]),
    #[binfmt(tag = 0xd6)] FixExt4(i8, [u8; 4]),
    #[binfmt(tag = 0xd7)] FixExt8(i8, [u8; 8]),
    #[binfmt(tag = 0xd8)] FixExt16(i8, [u8; 16]),
    #[binfmt(tag = 0xc7)] Ext8(#[binfmt(len_of(_2, u8))] (), i8, #[binfmt(count = _0)] Vec<u8>),
    #[binfmt(tag = 0xc8)] Ext16(#[binfmt(len_of(_2, u16))] (), i8, #[binfmt(count = _0)] Vec<u8>),
    #[binfmt(tag = 0xc9)] Ext32(#[binfmt(len_of(_2, u32))] (), i8, #[binfmt(count = _0)] Vec<u8>),
}

/// A line for each value, as deep as it is.
pub fn summary(file: &[u8]) -> Result<String> {
    fn show(value: &Value, depth: usize, out: &mut String) {
        let mut line = |text: &dyn std::fmt::Debug| {
            let _ = writeln!(out, "{:depth$}{text:?}", "");
        };
        match value {
            Value::Positive { tag } => line(tag),
            Value::Negative { tag } => line(&tag.cast_signed()),
            Value::FixStr { text, .. } | Value::Str8(text) | Value::Str16(text) | Value::Str32(text) => {
                line(text)
            }
            Value::FixArray { items, .. } | Value::Array16(items) | Value::Array32(items) => {
                line(&format_args!("{} items", items.len()));
                items.iter().for_each(|item| show(item, depth + 2, out));
            }
            Value::FixMap { items, .. } | Value::Map16(items) | Value::Map32(items) => {
                line(&format_args!("{} keys", items.len()));
                for (key, value) in items {
                    show(key, depth + 2, out);
                    show(value, depth + 4, out);
                }
            }
            other => line(other),
        }
    }
    let mut out = String::new();
    show(&binfmt::from_slice(file)?, 0, &mut out);
    Ok(out)
}
