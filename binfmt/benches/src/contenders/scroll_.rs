//! scroll: Pread and Pwrite. It has no W4 encode here.

use super::*;
use crate::data::{Attribute, Filter, Nullable, Pipeline, W2, W2Ref};
use scroll::{
    BE, Endian, Error, LE, Pread, Pwrite,
    ctx::{StrCtx, TryFromCtx, TryIntoCtx},
};
w1_type!(
    #[derive(Pread, Pwrite, Clone, Copy)]
    Rec1
);

fn w1(w: &[u8]) -> Vec<Rec1> {
    let mut v = Vec::with_capacity(w.len() / 28);
    let mut o = 0;
    while o < w.len() {
        v.push(w.gread_with(&mut o, LE).unwrap())
    }
    v
}

fn w1e(s: &Vec<Rec1>, o: &mut Vec<u8>) {
    o.resize(s.len() * 28, 0);
    let mut at = 0;
    for x in s {
        o.gwrite_with(*x, &mut at, LE).unwrap();
    }
}

fn arr<'a, T: TryFromCtx<'a, Endian, Error = Error>>(w: &'a [u8], n: usize, e: Endian) -> Vec<T> {
    let mut v = Vec::with_capacity(w.len() / n);
    let mut o = 0;
    while o < w.len() {
        v.push(w.gread_with(&mut o, e).unwrap())
    }
    v
}

fn arr_e<T: TryIntoCtx<Endian, Error = Error> + Copy>(s: &[T], o: &mut Vec<u8>, n: usize, e: Endian) {
    o.resize(s.len() * n, 0);
    let mut at = 0;
    for x in s {
        o.gwrite_with(*x, &mut at, e).unwrap();
    }
}

struct RecRef<'a>(W2Ref<'a>);

impl<'a> TryFromCtx<'a, Endian> for RecRef<'a> {
    type Error = Error;
    fn try_from_ctx(w: &'a [u8], e: Endian) -> Result<(Self, usize), Error> {
        let o = &mut 0;
        let a: i8 = w.gread(o)?;
        let p: u8 = w.gread(o)?;
        let v: i16 = w.gread_with(o, e)?;
        let b = if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) };
        let p: u8 = w.gread(o)?;
        let n: u32 = w.gread_with(o, e)?;
        let c = if p == 0xFF {
            let s: &'a str = w.gread_with(o, StrCtx::Length(n as usize - 1))?;
            *o += 1;
            Some(s)
        } else {
            None
        };
        let n: u32 = w.gread_with(o, e)?;
        let d: &'a str = w.gread_with(o, StrCtx::Length(n as usize - 1))?;
        *o += 1;
        Ok((RecRef(W2Ref { a, b, c, d }), *o))
    }
}

fn w2b(w: &[u8]) -> usize {
    let mut v: Vec<RecRef> = Vec::new();
    let mut o = 0;
    while o < w.len() {
        v.push(w.gread_with(&mut o, LE).unwrap())
    }
    v.iter().fold(0, |s: usize, r| {
        s.wrapping_add(w2_sum(
            r.0.a,
            match r.0.b {
                Nullable::Null(k) => k as i32,
                Nullable::Value(v) => v as i32,
            },
            r.0.c,
            r.0.d,
        ))
    })
}

fn w2(w: &[u8]) -> Vec<W2> {
    let mut v = Vec::new();
    let mut o = 0;
    while o < w.len() {
        let r: RecRef = w.gread_with(&mut o, LE).unwrap();
        v.push(W2 { a: r.0.a, b: r.0.b, c: r.0.c.map(str::to_owned), d: r.0.d.to_owned() })
    }
    v
}

fn w2e(s: &&'static Vec<W2>, o: &mut Vec<u8>) {
    let mut at = 0;
    for x in s.iter() {
        let n = at + 14 + x.c.as_ref().map_or(0, |c| c.len() + 1) + x.d.len();
        if o.len() < n {
            o.resize(n.max(o.len() * 2), 0)
        }
        let at = &mut at;
        o.gwrite(x.a, at).unwrap();
        let (p, v) = match x.b {
            Nullable::Null(k) => (k, 0),
            Nullable::Value(v) => (0xFF, v),
        };
        o.gwrite(p, at).unwrap();
        o.gwrite_with(v, at, LE).unwrap();
        match &x.c {
            None => {
                o.gwrite(0u8, at).unwrap();
                o.gwrite_with(0u32, at, LE).unwrap();
            }
            Some(c) => {
                o.gwrite(0xFFu8, at).unwrap();
                o.gwrite_with(c.len() as u32 + 1, at, LE).unwrap();
                o.gwrite(c.as_str(), at).unwrap();
                o.gwrite(0u8, at).unwrap();
            }
        }
        o.gwrite_with(x.d.len() as u32 + 1, at, LE).unwrap();
        o.gwrite(x.d.as_str(), at).unwrap();
        o.gwrite(0u8, at).unwrap();
    }
    o.truncate(at);
}

#[derive(Pread, Pwrite, Clone, Copy)]
struct Mid {
    datatype: u8,
    cell_val_num: u32,
    max_chunk: u32,
    n: u32,
}

fn w4(w: &[u8]) -> Vec<Attribute> {
    let mut v = Vec::new();
    let o = &mut 0;
    while *o < w.len() {
        let n: u32 = w.gread_with(o, LE).unwrap();
        let name: &str = w.gread_with(o, StrCtx::Length(n as usize)).unwrap();
        let m: Mid = w.gread_with(o, LE).unwrap();
        let mut filters = Vec::with_capacity((m.n as usize).min(w.len() / 5));
        for _ in 0..m.n {
            let ty: u8 = w.gread(o).unwrap();
            let n: u32 = w.gread_with(o, LE).unwrap();
            let md: &[u8] = w.gread_with(o, n as usize).unwrap();
            filters.push(Filter { ty, md: md.to_vec() });
        }
        v.push(Attribute {
            name: name.to_owned(),
            datatype: m.datatype,
            cell_val_num: m.cell_val_num,
            pipeline: Pipeline { max_chunk: m.max_chunk, filters },
        });
    }
    v
}

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(("W1", "decode"), "scroll", Exact, None, w1, Rec1::ok);
    r.enc(("W1", "encode"), "scroll", Exact, Rec1::src, w1e);
    r.dec(("W2", "decode"), "scroll", Exact, None, w2, w2_ok);
    r.borrow(("W2", "borrow"), "scroll", Exact, None, w2b, data().w2_sum);
    r.enc(("W2", "encode"), "scroll", Exact, src_w2, w2e);
    r.dec(("W3", "f64le-dec"), "scroll", Exact, None, |w| arr::<f64>(w, 8, LE), f64_ok);
    r.dec(("W3", "f64be-dec"), "scroll", Exact, None, |w| arr::<f64>(w, 8, BE), f64_ok);
    r.dec(("W3", "i32le-dec"), "scroll", Exact, None, |w| arr::<i32>(w, 4, LE), i32_ok);
    r.dec(("W3", "i32be-dec"), "scroll", Exact, None, |w| arr::<i32>(w, 4, BE), i32_ok);
    r.enc(("W3", "f64le-enc"), "scroll", Exact, src_f64, |s, o| arr_e(s, o, 8, LE));
    r.enc(("W3", "f64be-enc"), "scroll", Exact, src_f64, |s, o| arr_e(s, o, 8, BE));
    r.enc(("W3", "i32le-enc"), "scroll", Exact, src_i32, |s, o| arr_e(s, o, 4, LE));
    r.enc(("W3", "i32be-enc"), "scroll", Exact, src_i32, |s, o| arr_e(s, o, 4, BE));
    r.dec(("W4", "decode"), "scroll", Exact, None, w4, w4_ok);
}
