//! zerocopy: the wire type is cast, then each record is converted (or kept, where it is compared as packed).

use super::*;
use crate::data::*;
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, big_endian as be, little_endian as le,
};
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, Clone, Copy)]
#[repr(C)]
struct W1L {
    a: le::I64,
    b: le::F64,
    c: le::U32,
    d: le::U16,
    e: u8,
    f: i8,
    g: le::F32,
}

fn w1_map(w: &[u8]) -> Vec<W1> {
    <[W1L]>::ref_from_bytes(w)
        .unwrap()
        .iter()
        .map(|x| W1 { a: x.a.get(), b: x.b.get(), c: x.c.get(), d: x.d.get(), e: x.e, f: x.f, g: x.g.get() })
        .collect()
}

fn w1_vec(w: &[u8]) -> Vec<W1L> {
    <[W1L]>::ref_from_bytes(w).unwrap().to_vec()
}

fn w1_vec_ok(v: &Vec<W1L>) -> bool {
    v.iter().zip(&data().w1).all(|(x, y)| x.a.get() == y.a && x.g.get() == y.g)
}

fn w1_enc(s: &&'static Vec<W1>, o: &mut Vec<u8>) {
    o.reserve(s.len() * 28);
    for x in s.iter() {
        let r =
            W1L { a: x.a.into(), b: x.b.into(), c: x.c.into(), d: x.d.into(), e: x.e, f: x.f, g: x.g.into() };
        o.extend_from_slice(r.as_bytes());
    }
}

fn fle(w: &[u8]) -> Vec<f64> {
    <[f64]>::ref_from_bytes(w).unwrap().to_vec()
}

fn ile(w: &[u8]) -> Vec<i32> {
    <[i32]>::ref_from_bytes(w).unwrap().to_vec()
}

fn fbe(w: &[u8]) -> Vec<f64> {
    <[be::F64]>::ref_from_bytes(w).unwrap().iter().map(|x| x.get()).collect()
}

fn ibe(w: &[u8]) -> Vec<i32> {
    <[be::I32]>::ref_from_bytes(w).unwrap().iter().map(|x| x.get()).collect()
}

fn fle_e(s: &&'static Vec<f64>, o: &mut Vec<u8>) {
    o.extend_from_slice(s.as_bytes())
}

fn ile_e(s: &&'static Vec<i32>, o: &mut Vec<u8>) {
    o.extend_from_slice(s.as_bytes())
}

fn fbe_e(s: &&'static Vec<f64>, o: &mut Vec<u8>) {
    o.resize(s.len() * 8, 0);
    for (x, y) in <[be::F64]>::mut_from_bytes(o).unwrap().iter_mut().zip(s.iter()) {
        x.set(*y)
    }
}

fn ibe_e(s: &&'static Vec<i32>, o: &mut Vec<u8>) {
    o.resize(s.len() * 4, 0);
    for (x, y) in <[be::I32]>::mut_from_bytes(o).unwrap().iter_mut().zip(s.iter()) {
        x.set(*y)
    }
}

macro_rules! rows {
    ($m:ident, $dec:ident, $enc:ident, $Row:ident) => {
        #[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, Clone, Copy)]
        #[repr(C)]
        struct $Row {
            a: $m::I32,
            b: $m::F64,
            c: $m::F32,
            d: $m::I16,
            e: $m::F64,
        }

        fn $dec(w: &[u8]) -> Cols {
            let rows = <[$Row]>::ref_from_bytes(w).unwrap();
            let mut c = Cols::with_capacity(rows.len());
            for r in rows {
                c.push(r.a.get(), r.b.get(), r.c.get(), r.d.get(), r.e.get())
            }
            c
        }

        fn $enc(s: &&'static Cols, o: &mut Vec<u8>) {
            o.reserve(s.a.len() * 26);
            for i in 0..s.a.len() {
                let (a, b, c) = (s.a[i].into(), s.b[i].into(), s.c[i].into());
                o.extend_from_slice($Row { a, b, c, d: s.d[i].into(), e: s.e[i].into() }.as_bytes());
            }
        }
    };
}
rows!(le, w5le, w5le_e, RowL);
rows!(be, w5be, w5be_e, RowB);

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(("W5", "le-dec"), "zerocopy", Exact, None, w5le, cols_ok);
    r.dec(("W5", "be-dec"), "zerocopy", Exact, None, w5be, cols_ok);
    r.enc(("W5", "le-enc"), "zerocopy", Exact, src_cols, w5le_e);
    r.enc(("W5", "be-enc"), "zerocopy", Exact, src_cols, w5be_e);
    r.dec(("W1", "decode"), "zerocopy", Exact, None, w1_map, w1_ok);
    r.dec(("W1", "decode"), "zerocopy (packed)", Exact, None, w1_vec, w1_vec_ok).kind(Kind::Packed);
    r.enc(("W1", "encode"), "zerocopy", Exact, src_w1, w1_enc);
    r.dec(("W3", "f64le-dec"), "zerocopy", Exact, None, fle, f64_ok);
    r.dec(("W3", "i32le-dec"), "zerocopy", Exact, None, ile, i32_ok);
    r.dec(("W3", "f64be-dec"), "zerocopy", Exact, None, fbe, f64_ok);
    r.dec(("W3", "i32be-dec"), "zerocopy", Exact, None, ibe, i32_ok);
    r.enc(("W3", "f64le-enc"), "zerocopy", Exact, src_f64, fle_e);
    r.enc(("W3", "i32le-enc"), "zerocopy", Exact, src_i32, ile_e);
    r.enc(("W3", "f64be-enc"), "zerocopy", Exact, src_f64, fbe_e);
    r.enc(("W3", "i32be-enc"), "zerocopy", Exact, src_i32, ibe_e);
}
