//! binfmt, as a user writes it.

use super::*;
use crate::data::{Nullable as Canon, W2};
use binfmt::{
    BinFormat, Endian, Nullable, Options, decode_all, decode_all_with, encode_all_into, encode_all_into_with,
};

w1_type!(
    #[derive(BinFormat)]
    #[binfmt(le)]
    #[repr(C)]
    Rec1
);

w1_type!(
    /// Its fields lie wherever the compiler puts them.
    #[derive(BinFormat)]
    #[binfmt(le)]
    Reordered
);

/// Alignment 1 and no padding: its memory is the wire.
#[derive(BinFormat, Clone, Copy)]
#[repr(C)]
struct Packed {
    a: [u8; 8],
    b: [u8; 8],
    c: [u8; 4],
    d: [u8; 2],
    e: u8,
    f: i8,
    g: [u8; 4],
}

impl Packed {
    fn src() -> Vec<Packed> {
        let one = |x: &data::W1| Packed {
            a: x.a.to_le_bytes(),
            b: x.b.to_le_bytes(),
            c: x.c.to_le_bytes(),
            d: x.d.to_le_bytes(),
            e: x.e,
            f: x.f,
            g: x.g.to_le_bytes(),
        };
        data().w1.iter().map(one).collect()
    }

    fn ok(v: &Vec<Packed>) -> bool {
        let same = |x: &Packed, y: &data::W1| {
            i64::from_le_bytes(x.a) == y.a && (x.e, x.f) == (y.e, y.f) && f32::from_le_bytes(x.g) == y.g
        };
        v.len() == data().w1.len() && v.iter().zip(&data().w1).all(|(x, y)| same(x, y))
    }
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Rec2 {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Option<String>,
    #[binfmt(var_len, nul)]
    d: String,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Ref2<'a> {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Option<&'a str>,
    #[binfmt(var_len, nul)]
    d: &'a str,
}

impl Ref2<'_> {
    #[inline(always)]
    fn sum(&self) -> usize {
        let b = match self.b {
            Nullable::Missing(k) => k as i32,
            Nullable::Value(v) => v as i32,
        };
        w2_sum(self.a, b, self.c, self.d)
    }
}

impl Rec2 {
    fn src() -> Vec<Rec2> {
        let b = |b| match b {
            Canon::Null(k) => Nullable::Missing(k),
            Canon::Value(v) => Nullable::Value(v),
        };
        data().w2.iter().map(|x| Rec2 { a: x.a, b: b(x.b), c: x.c.clone(), d: x.d.clone() }).collect()
    }

    fn ok(v: &Vec<Rec2>) -> bool {
        let same = |x: &Rec2, y: &W2| {
            let b = match x.b {
                Nullable::Missing(k) => Canon::Null(k),
                Nullable::Value(v) => Canon::Value(v),
            };
            x.a == y.a && b == y.b && x.c == y.c && x.d == y.d
        };
        v.len() == data().w2.len() && v.iter().zip(&data().w2).all(|(x, y)| same(x, y))
    }

    fn sum(&self) -> usize {
        let b = match self.b {
            Nullable::Missing(k) => k as i32,
            Nullable::Value(v) => v as i32,
        };
        w2_sum(self.a, b, self.c.as_deref(), &self.d)
    }
}

#[derive(BinFormat)]
#[binfmt(le)]
pub struct Filter {
    pub ty: u8,
    #[binfmt(length_prefixed(u32))]
    pub md: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(le)]
pub struct Pipeline {
    pub max_chunk: u32,
    #[binfmt(length_prefixed(u32))]
    pub filters: Vec<Filter>,
}

#[derive(BinFormat)]
#[binfmt(le)]
pub struct Attribute {
    #[binfmt(length_prefixed(u32))]
    pub name: String,
    pub datatype: u8,
    pub cell_val_num: u32,
    pub pipeline: Pipeline,
}

w4_conv!();

fn big() -> Options {
    Options::new().endian(Endian::Big)
}

/// Out of a reader that is not a slice to the decoder.
fn stream(w: &[u8]) -> usize {
    binfmt::records_from_reader::<Rec2, _>(w).fold(0, |s: usize, r| s.wrapping_add(r.unwrap().sum()))
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;

    let (dec, enc) = (("W1", "decode"), ("W1", "encode"));
    r.dec(dec, "binfmt", Exact, None, |w| decode_all(w).unwrap(), Rec1::ok);
    r.dec(dec, "binfmt (repr(Rust))", Exact, None, |w| decode_all(w).unwrap(), Reordered::ok)
        .kind(Kind::Reordered);
    r.dec(dec, "binfmt (packed)", Exact, None, |w| decode_all(w).unwrap(), Packed::ok).kind(Kind::Packed);
    let reuse = |w: &[u8], v: &mut Vec<Rec1>| {
        v.clear();
        binfmt::decode_all_into(w, v).unwrap();
    };
    r.dec_into(dec, "binfmt (reused Vec)", Exact, reuse, Rec1::ok).kind(Kind::Reuse);
    r.enc(enc, "binfmt", Exact, Rec1::src, |s, o| encode_all_into(s, o).unwrap());
    r.enc(enc, "binfmt (repr(Rust))", Exact, Reordered::src, |s, o| encode_all_into(s, o).unwrap())
        .kind(Kind::Reordered);
    r.enc(enc, "binfmt (packed)", Exact, Packed::src, |s, o| encode_all_into(s, o).unwrap())
        .kind(Kind::Packed);

    r.dec(("W2", "decode"), "binfmt", Exact, None, |w| decode_all(w).unwrap(), Rec2::ok);
    r.enc(("W2", "encode"), "binfmt", Exact, Rec2::src, |s, o| encode_all_into(s, o).unwrap());
    let (borrow, sum) = (("W2", "borrow"), data().w2_sum);
    let collect = |w: &[u8]| {
        let v: Vec<Ref2<'_>> = decode_all(w).unwrap();
        v.iter().fold(0, |s: usize, r| s.wrapping_add(r.sum()))
    };
    r.borrow(borrow, "binfmt", Exact, None, collect, sum);
    let iterate =
        |w: &[u8]| binfmt::records::<Ref2<'_>>(w).fold(0, |s: usize, r| s.wrapping_add(r.unwrap().sum()));
    r.borrow(borrow, "binfmt (iterator)", Exact, None, iterate, sum).kind(Kind::Iterator);
    r.borrow(borrow, "binfmt (stream, owned)", Exact, None, stream, sum).kind(Kind::Stream);

    macro_rules! array {
        ($dec:literal, $enc:literal, $dec_f:expr, $enc_f:expr, $src:ident, $ok:ident) => {
            r.dec(("W3", $dec), "binfmt", Exact, None, $dec_f, $ok);
            r.enc(("W3", $enc), "binfmt", Exact, $src, $enc_f);
        };
    }
    let to_be = |w: &[u8]| decode_all_with::<f64, ()>(w, &big()).unwrap();
    array!(
        "f64le-dec",
        "f64le-enc",
        |w| decode_all(w).unwrap(),
        |s, o| encode_all_into(s, o).unwrap(),
        src_f64,
        f64_ok
    );
    array!(
        "i32le-dec",
        "i32le-enc",
        |w| decode_all(w).unwrap(),
        |s, o| encode_all_into(s, o).unwrap(),
        src_i32,
        i32_ok
    );
    array!(
        "f64be-dec",
        "f64be-enc",
        to_be,
        |s, o| encode_all_into_with(s, o, &big()).unwrap(),
        src_f64,
        f64_ok
    );
    let to_be = |w: &[u8]| decode_all_with::<i32, ()>(w, &big()).unwrap();
    array!(
        "i32be-dec",
        "i32be-enc",
        to_be,
        |s, o| encode_all_into_with(s, o, &big()).unwrap(),
        src_i32,
        i32_ok
    );

    r.dec(("W4", "decode"), "binfmt", Exact, None, |w| decode_all(w).unwrap(), Attribute::ok);
    r.enc(("W4", "encode"), "binfmt", Exact, Attribute::src, |s, o| encode_all_into(s, o).unwrap());
}
