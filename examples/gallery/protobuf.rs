//! Messages of protocol buffers: [Encoding](https://protobuf.dev/programming-guides/encoding/), whose sections are named.
//! [`Message`] is any message, [`Struct`] one whose description is known: how a `.proto` file becomes types.

use binfmt::{BinFormat, Result};
use std::fmt::Write;

/// "Message Structure": fields to the end.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Message {
    #[binfmt(until_eof)]
    pub fields: Vec<Field>,
}

/// The number of the field and the type on the wire in one key, then a payload of that type.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Field {
    #[binfmt(as = leb128)]
    pub key: u32,
    #[binfmt(tag_from = *key & 7)]
    pub payload: Payload,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(wire_type: u32), tag_from = wire_type)]
pub enum Payload {
    /// "Base 128 Varints"
    #[binfmt(tag = 0)]
    Varint(#[binfmt(as = leb128)] u64),
    #[binfmt(tag = 1)]
    I64(u64),
    /// "Length-Delimited Records": text, bytes, packed numbers or another message.
    #[binfmt(tag = 2)]
    Len(#[binfmt(length_prefixed(leb128))] Vec<u8>),
    /// "Groups"
    #[binfmt(tag = 3)]
    StartGroup,
    #[binfmt(tag = 4)]
    EndGroup,
    #[binfmt(tag = 5)]
    I32(u32),
}

/// `google.protobuf.Struct` of [struct.proto](https://protobuf.dev/reference/protobuf/google.protobuf/#struct).
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Struct {
    #[binfmt(until_eof)]
    pub fields: Vec<Entry>,
}

/// `map<string, Value> fields = 1`: a message of two fields, which is how maps are written.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"\x0a")]
pub struct Entry {
    #[binfmt(length_prefixed(leb128, in = bytes))]
    pub entry: KeyValue,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct KeyValue {
    #[binfmt(magic = b"\x0a", length_prefixed(leb128))]
    pub key: String,
    #[binfmt(magic = b"\x12", length_prefixed(leb128, in = bytes))]
    pub value: Value,
}

/// `oneof kind`: the key is the number of the field times 8, plus the type on the wire.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(leb128))]
pub enum Value {
    #[binfmt(tag = 0x08)]
    Null(#[binfmt(as = leb128)] u32),
    #[binfmt(tag = 0x11)]
    Number(f64),
    #[binfmt(tag = 0x1a)]
    Text(#[binfmt(length_prefixed(leb128))] String),
    #[binfmt(tag = 0x20)]
    Bool(bool),
    #[binfmt(tag = 0x2a)]
    Struct(#[binfmt(length_prefixed(leb128, in = bytes))] Struct),
    #[binfmt(tag = 0x32)]
    List(#[binfmt(length_prefixed(leb128, in = bytes))] List),
}

/// `google.protobuf.ListValue`
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct List {
    #[binfmt(until_eof)]
    pub values: Vec<Item>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"\x0a")]
pub struct Item {
    #[binfmt(length_prefixed(leb128, in = bytes))]
    pub value: Value,
}

/// The fields by number; what could be a message is shown as one.
pub fn summary(file: &[u8]) -> Result<String> {
    fn show(message: &Message, depth: usize, out: &mut String) {
        for Field { key, payload } in &message.fields {
            let _ = write!(out, "{:depth$}{}: ", "", key >> 3);
            let _ = match payload {
                Payload::Len(bytes) => match binfmt::from_slice(bytes) {
                    _ if bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') => {
                        writeln!(out, "{:?}", String::from_utf8_lossy(bytes))
                    }
                    Ok(inner) if depth < 64 => {
                        let _ = writeln!(out, "message");
                        show(&inner, depth + 2, out);
                        Ok(())
                    }
                    _ => writeln!(out, "{bytes:02x?}"),
                },
                payload => writeln!(out, "{payload:?}"),
            };
        }
    }
    let mut out = String::new();
    show(&binfmt::from_slice(file)?, 0, &mut out);
    Ok(out)
}
