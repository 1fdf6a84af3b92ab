//! Messages of DNS: [RFC 1035](https://www.rfc-editor.org/rfc/rfc1035), §4; EDNS: [RFC 6891](https://www.rfc-editor.org/rfc/rfc6891).

use binfmt::{BinFormat, Result};
use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

/// §4.1
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
pub struct Message {
    pub id: u16,
    pub flags: Flags,
    #[binfmt(len_of(questions, u16))]
    pub qdcount: (),
    #[binfmt(len_of(answers, u16))]
    pub ancount: (),
    #[binfmt(len_of(authorities, u16))]
    pub nscount: (),
    #[binfmt(len_of(additional, u16))]
    pub arcount: (),
    #[binfmt(count = qdcount)]
    pub questions: Vec<Question>,
    #[binfmt(count = ancount)]
    pub answers: Vec<Record>,
    #[binfmt(count = nscount)]
    pub authorities: Vec<Record>,
    #[binfmt(count = arcount)]
    pub additional: Vec<Record>,
}

/// §4.1.1; `authentic` and `unchecked` are of RFC 4035, §3.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(be)]
pub struct Flags {
    #[binfmt(bits(1, of = u16))]
    pub response: bool,
    #[binfmt(bits(4))]
    pub opcode: u8,
    #[binfmt(bits(1))]
    pub authoritative: bool,
    #[binfmt(bits(1))]
    pub truncated: bool,
    #[binfmt(bits(1))]
    pub recursion_desired: bool,
    #[binfmt(bits(1))]
    pub recursion_available: bool,
    #[binfmt(bits(1, reserved), strict)]
    pub z: (),
    #[binfmt(bits(1))]
    pub authentic: bool,
    #[binfmt(bits(1))]
    pub unchecked: bool,
    #[binfmt(bits(4))]
    pub code: u8,
}

/// §3.1: labels up to the root, or up to the place where the rest has been before.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(transparent)]
pub struct Name(#[binfmt(until = |label| !matches!(label, Label::Text { .. }))] pub Vec<Label>);

/// §4.1.4
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub enum Label {
    #[binfmt(tag = 0)]
    Root,
    #[binfmt(tag(1..=63))]
    Text {
        tag: u8,
        #[binfmt(count = tag)]
        text: Vec<u8>,
    },
    #[binfmt(tag(0xc0..=0xff))]
    Pointer { tag: u8, low: u8 },
}

/// §4.1.2
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Question {
    pub name: Name,
    pub kind: u16,
    pub class: u16,
}

/// §4.1.3
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Record {
    pub name: Name,
    pub kind: u16,
    pub class: u16,
    pub ttl: u32,
    #[binfmt(length_prefixed(u16, in = bytes), tag_from = *kind)]
    pub data: Data,
}

/// §3.3, §3.4; AAAA is of RFC 3596, SRV of RFC 2782, OPT of RFC 6891, §6.1.2.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: u16), tag_from = kind)]
pub enum Data {
    #[binfmt(tag = 1)]
    A(Ipv4Addr),
    #[binfmt(tag = 28)]
    Aaaa(Ipv6Addr),
    #[binfmt(tag(2 | 5 | 12))]
    Name(Name),
    #[binfmt(tag = 6)]
    Soa { mname: Name, rname: Name, serial: u32, refresh: u32, retry: u32, expire: u32, minimum: u32 },
    #[binfmt(tag = 15)]
    Mx { preference: u16, exchange: Name },
    #[binfmt(tag = 16)]
    Txt(#[binfmt(until_eof)] Vec<Text>),
    #[binfmt(tag = 33)]
    Srv { priority: u16, weight: u16, port: u16, target: Name },
    #[binfmt(tag = 41)]
    Opt(#[binfmt(until_eof)] Vec<Extra>),
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(transparent)]
pub struct Text(#[binfmt(length_prefixed(u8))] pub Vec<u8>);

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Extra {
    pub code: u16,
    #[binfmt(length_prefixed(u16))]
    pub data: Vec<u8>,
}

impl Name {
    /// The name in full. Pointers lead into the whole message; each must lead further to its front, so that they end.
    pub fn resolve(&self, message: &[u8]) -> Option<String> {
        let (mut name, mut front, mut out) = (self.clone(), message.len(), String::new());
        loop {
            let next = match name.0.last()? {
                Label::Pointer { tag, low } => Some(usize::from(tag & 0x3f) << 8 | usize::from(*low)),
                _ => None,
            };
            for label in &name.0 {
                if let Label::Text { text, .. } = label {
                    let _ = write!(out, "{}.", String::from_utf8_lossy(text));
                }
            }
            let Some(at) = next else { return Some(out) };
            front = Some(at).filter(|at| *at < front)?;
            name = binfmt::from_prefix(&message[front..]).ok()?.0;
        }
    }
}

/// The questions and the records, with their names in full.
pub fn summary(file: &[u8]) -> Result<String> {
    let message: Message = binfmt::from_slice(file)?;
    let full = |name: &Name| name.resolve(file).unwrap_or_else(|| "?".to_owned());
    let mut out = format!("{:04x} {:?}\n", message.id, message.flags);
    for question in &message.questions {
        let _ = writeln!(out, "? {} {}", full(&question.name), question.kind);
    }
    for record in [&message.answers, &message.authorities, &message.additional].into_iter().flatten() {
        let _ = match &record.data {
            Data::Name(name) => writeln!(out, "{} -> {}", full(&record.name), full(name)),
            Data::Mx { exchange, .. } => writeln!(out, "{} mail {}", full(&record.name), full(exchange)),
            data => writeln!(out, "{} {data:?}", full(&record.name)),
        };
    }
    Ok(out)
}
