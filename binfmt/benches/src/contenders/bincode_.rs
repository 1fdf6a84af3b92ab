//! bincode 2, with fixed-width integers. `custom impl`: Encode and Decode written by hand for the W2 layout.

use super::*;
use bincode::{
    BorrowDecode, Decode, Encode,
    config::{self, BigEndian, Configuration, Fixint, LittleEndian, NoLimit},
    de::{
        BorrowDecoder, Decoder,
        read::{BorrowReader, Reader},
    },
    enc::{Encoder, write::Writer},
    error::{DecodeError, EncodeError},
};
type LE = Configuration<LittleEndian, Fixint, NoLimit>;
type BE = Configuration<BigEndian, Fixint, NoLimit>;
const L: LE = config::standard().with_little_endian().with_fixed_int_encoding();
const B: BE = config::standard().with_big_endian().with_fixed_int_encoding();
w1_type!(
    #[derive(Encode, Decode)]
    Rec1
);

fn prefixed(n: usize, be: bool, w: &[u8]) -> Vec<u8> {
    let mut v = if be { (n as u64).to_be_bytes() } else { (n as u64).to_le_bytes() }.to_vec();
    v.extend_from_slice(w);
    v
}

fn dec<T: Decode<()>, C: config::Config>(w: &[u8], c: C) -> T {
    bincode::decode_from_slice(w, c).unwrap().0
}

fn enc<T: Encode, C: config::Config>(s: &T, o: &mut Vec<u8>, c: C) {
    bincode::encode_into_std_write(s, o, c).unwrap();
}

fn each<T: Decode<()>>(w: &[u8]) -> Vec<T> {
    let mut w = w;
    let mut v = Vec::new();
    while !w.is_empty() {
        let (x, n) = bincode::decode_from_slice(w, L).unwrap();
        v.push(x);
        w = &w[n..]
    }
    v
}

fn each_e<T: Encode>(s: &Vec<T>, o: &mut Vec<u8>) {
    for x in s {
        bincode::encode_into_std_write(x, o, L).unwrap();
    }
}

pub enum Nullable {
    Null(u8),
    Value(i16),
}

pub struct Rec2 {
    a: i8,
    b: Nullable,
    c: Option<String>,
    d: String,
}

w2_conv!(Rec2);

fn bad() -> DecodeError {
    DecodeError::Other("nul string")
}

fn string<D: Decoder>(d: &mut D) -> Result<String, DecodeError> {
    let n = u32::decode(d)? as usize;
    d.claim_bytes_read(n)?;
    let mut b = vec![0; n];
    d.reader().read(&mut b)?;
    if b.pop() != Some(0) {
        return Err(bad());
    }
    String::from_utf8(b).map_err(|_| bad())
}

impl<C> Decode<C> for Rec2 {
    fn decode<D: Decoder<Context = C>>(d: &mut D) -> Result<Self, DecodeError> {
        let a = i8::decode(d)?;
        let p = u8::decode(d)?;
        let v = i16::decode(d)?;
        let b = if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) };
        let c = if u8::decode(d)? == 0xFF {
            Some(string(d)?)
        } else {
            u32::decode(d)?;
            None
        };
        Ok(Rec2 { a, b, c, d: string(d)? })
    }
}

impl Encode for Rec2 {
    fn encode<E: Encoder>(&self, e: &mut E) -> Result<(), EncodeError> {
        self.a.encode(e)?;
        match self.b {
            Nullable::Null(k) => {
                k.encode(e)?;
                0i16.encode(e)?
            }
            Nullable::Value(v) => {
                0xFFu8.encode(e)?;
                v.encode(e)?
            }
        }
        match &self.c {
            None => {
                0u8.encode(e)?;
                0u32.encode(e)?
            }
            Some(s) => {
                0xFFu8.encode(e)?;
                (s.len() as u32 + 1).encode(e)?;
                e.writer().write(s.as_bytes())?;
                0u8.encode(e)?
            }
        }
        (self.d.len() as u32 + 1).encode(e)?;
        e.writer().write(self.d.as_bytes())?;
        0u8.encode(e)
    }
}

struct Ref2<'a> {
    a: i8,
    b: Nullable,
    c: Option<&'a str>,
    d: &'a str,
}

fn bstr<'a, D: BorrowDecoder<'a>>(d: &mut D) -> Result<&'a str, DecodeError> {
    let n = u32::decode(d)? as usize;
    let b = d.borrow_reader().take_bytes(n)?;
    match b.split_last() {
        Some((0, s)) => std::str::from_utf8(s).map_err(|_| bad()),
        _ => Err(bad()),
    }
}

impl<'a, C> BorrowDecode<'a, C> for Ref2<'a> {
    fn borrow_decode<D: BorrowDecoder<'a, Context = C>>(d: &mut D) -> Result<Self, DecodeError> {
        let a = i8::decode(d)?;
        let p = u8::decode(d)?;
        let v = i16::decode(d)?;
        let b = if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) };
        let c = if u8::decode(d)? == 0xFF {
            Some(bstr(d)?)
        } else {
            u32::decode(d)?;
            None
        };
        Ok(Ref2 { a, b, c, d: bstr(d)? })
    }
}

fn w2b(w: &[u8]) -> usize {
    let mut w = w;
    let mut v: Vec<Ref2> = Vec::new();
    while !w.is_empty() {
        let (x, n) = bincode::borrow_decode_from_slice(w, L).unwrap();
        v.push(x);
        w = &w[n..]
    }
    v.iter().fold(0, |s: usize, r| {
        s.wrapping_add(w2_sum(
            r.a,
            match r.b {
                Nullable::Null(k) => k as i32,
                Nullable::Value(v) => v as i32,
            },
            r.c,
            r.d,
        ))
    })
}

w4_type!(#[derive(Encode, Decode)]);

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(
        ("W1", "decode"),
        "bincode",
        Len,
        Some(|| prefixed(data().w1.len(), false, &data().w1_wire)),
        |w| dec::<Vec<Rec1>, LE>(w, L),
        Rec1::ok,
    );
    r.enc(("W1", "encode"), "bincode", Len, Rec1::src, |s, o| enc(s, o, L));
    r.dec(("W2", "decode"), "bincode (custom impl)", Exact, None, each::<Rec2>, Rec2::ok);
    r.borrow(("W2", "borrow"), "bincode (custom impl)", Exact, None, w2b, data().w2_sum);
    r.enc(("W2", "encode"), "bincode (custom impl)", Exact, Rec2::src, each_e);
    r.dec(
        ("W3", "f64le-dec"),
        "bincode",
        Len,
        Some(|| prefixed(data().f64s.len(), false, &data().f64_le)),
        |w| dec::<Vec<f64>, LE>(w, L),
        f64_ok,
    );
    r.dec(
        ("W3", "f64be-dec"),
        "bincode",
        Len,
        Some(|| prefixed(data().f64s.len(), true, &data().f64_be)),
        |w| dec::<Vec<f64>, BE>(w, B),
        f64_ok,
    );
    r.dec(
        ("W3", "i32le-dec"),
        "bincode",
        Len,
        Some(|| prefixed(data().i32s.len(), false, &data().i32_le)),
        |w| dec::<Vec<i32>, LE>(w, L),
        i32_ok,
    );
    r.dec(
        ("W3", "i32be-dec"),
        "bincode",
        Len,
        Some(|| prefixed(data().i32s.len(), true, &data().i32_be)),
        |w| dec::<Vec<i32>, BE>(w, B),
        i32_ok,
    );
    r.enc(("W3", "f64le-enc"), "bincode", Len, src_f64, |s, o| enc(*s, o, L));
    r.enc(("W3", "f64be-enc"), "bincode", Len, src_f64, |s, o| enc(*s, o, B));
    r.enc(("W3", "i32le-enc"), "bincode", Len, src_i32, |s, o| enc(*s, o, L));
    r.enc(("W3", "i32be-enc"), "bincode", Len, src_i32, |s, o| enc(*s, o, B));
    r.dec(
        ("W4", "decode"),
        "bincode",
        Own,
        Some(|| own(Attribute::src, |s, o| enc(s, o, L))),
        |w| dec::<Vec<Attribute>, LE>(w, L),
        Attribute::ok,
    );
    r.enc(("W4", "encode"), "bincode", Own, Attribute::src, |s, o| enc(s, o, L));
}
