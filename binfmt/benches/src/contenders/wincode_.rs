//! wincode, with fixed-width integers. `custom impl`: SchemaRead and SchemaWrite written by hand for the W2 layout.

use super::*;
use std::mem::MaybeUninit;
use wincode::{
    ReadResult, SchemaRead, SchemaWrite, WriteResult,
    config::{Config, ConfigCore, Configuration, deserialize, serialize_into},
    error::invalid_value,
    io::{Reader, Writer},
    len::FixIntLen,
};

macro_rules! le {
    () => {
        Configuration::default().disable_preallocation_size_limit()
    };
}
macro_rules! be {
    () => {
        Configuration::default().disable_preallocation_size_limit().with_big_endian()
    };
}
macro_rules! le32 {
    () => {
        Configuration::default().disable_preallocation_size_limit().with_length_encoding::<FixIntLen<u32>>()
    };
}

w1_type!(
    #[derive(SchemaRead, SchemaWrite)]
    #[repr(C)]
    Rec1
);

/// align 1, no padding: qualifies for wincode's zero-copy path
#[derive(SchemaRead, SchemaWrite, Clone, Copy)]
#[repr(C)]
struct Pod1 {
    a: [u8; 8],
    b: [u8; 8],
    c: [u8; 4],
    d: [u8; 2],
    e: u8,
    f: i8,
    g: [u8; 4],
}

fn pod_src() -> Vec<Pod1> {
    data()
        .w1
        .iter()
        .map(|x| Pod1 {
            a: x.a.to_le_bytes(),
            b: x.b.to_le_bytes(),
            c: x.c.to_le_bytes(),
            d: x.d.to_le_bytes(),
            e: x.e,
            f: x.f,
            g: x.g.to_le_bytes(),
        })
        .collect()
}

fn pod_ok(v: &Vec<Pod1>) -> bool {
    v.iter().zip(&data().w1).all(|(x, y)| i64::from_le_bytes(x.a) == y.a && f32::from_le_bytes(x.g) == y.g)
}

fn pre(n: usize, be: bool, w: &[u8]) -> Vec<u8> {
    let mut v = if be { (n as u64).to_be_bytes() } else { (n as u64).to_le_bytes() }.to_vec();
    v.extend_from_slice(w);
    v
}

mod own2 {
    use super::*;
    w2_type!(
        #[derive(SchemaRead, SchemaWrite)]
        Rec2
    );
    w2_ref_type!(
        #[derive(SchemaRead)]
        Ref2
    );
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

pub struct Ref2<'a> {
    a: i8,
    b: Nullable,
    c: Option<&'a str>,
    d: &'a str,
}

#[inline(always)]
fn head<'de>(r: &mut impl Reader<'de>) -> ReadResult<(i8, Nullable, bool, usize)> {
    let h: [u8; 9] = r.take_array()?;
    let b =
        if h[1] == 0xFF { Nullable::Value(i16::from_le_bytes([h[2], h[3]])) } else { Nullable::Null(h[1]) };
    Ok((h[0] as i8, b, h[4] == 0xFF, u32::from_le_bytes([h[5], h[6], h[7], h[8]]) as usize))
}

#[inline(always)]
fn nul(b: &[u8]) -> ReadResult<&str> {
    match b.split_last() {
        Some((0, s)) => std::str::from_utf8(s).map_err(|_| invalid_value("utf8")),
        _ => Err(invalid_value("nul")),
    }
}

unsafe impl<'de, C: ConfigCore> SchemaRead<'de, C> for Rec2 {
    type Dst = Rec2;
    fn read(mut r: impl Reader<'de>, dst: &mut MaybeUninit<Rec2>) -> ReadResult<()> {
        let (a, b, has, n) = head(&mut r)?;
        let c = if has { Some(nul(r.take_scoped(n)?)?.to_owned()) } else { None };
        let n = u32::from_le_bytes(r.take_array()?) as usize;
        let d = nul(r.take_scoped(n)?)?.to_owned();
        dst.write(Rec2 { a, b, c, d });
        Ok(())
    }
}

unsafe impl<'de, C: ConfigCore> SchemaRead<'de, C> for Ref2<'de> {
    type Dst = Ref2<'de>;
    fn read(mut r: impl Reader<'de>, dst: &mut MaybeUninit<Ref2<'de>>) -> ReadResult<()> {
        let (a, b, has, n) = head(&mut r)?;
        let c = if has { Some(nul(r.take_borrowed(n)?)?) } else { None };
        let n = u32::from_le_bytes(r.take_array()?) as usize;
        let d = nul(r.take_borrowed(n)?)?;
        dst.write(Ref2 { a, b, c, d });
        Ok(())
    }
}

unsafe impl<C: ConfigCore> SchemaWrite<C> for Rec2 {
    type Src = Rec2;
    fn size_of(x: &Rec2) -> WriteResult<usize> {
        Ok(14 + x.c.as_ref().map_or(0, |c| c.len() + 1) + x.d.len())
    }
    fn write(mut w: impl Writer, x: &Rec2) -> WriteResult<()> {
        let (bp, bv) = match x.b {
            Nullable::Null(k) => (k, 0),
            Nullable::Value(v) => (0xFF, v),
        };
        let (cp, cn) = match &x.c {
            None => (0, 0),
            Some(s) => (0xFF, s.len() as u32 + 1),
        };
        let (v, n) = (bv.to_le_bytes(), cn.to_le_bytes());
        w.write(&[x.a as u8, bp, v[0], v[1], cp, n[0], n[1], n[2], n[3]])?;
        if let Some(s) = &x.c {
            w.write(s.as_bytes())?;
            w.write(&[0])?
        }
        w.write(&(x.d.len() as u32 + 1).to_le_bytes())?;
        w.write(x.d.as_bytes())?;
        w.write(&[0])?;
        Ok(())
    }
}

fn each<'a, T: SchemaRead<'a, wincode::config::DefaultConfig, Dst = T>>(w: &'a [u8]) -> Vec<T> {
    let mut r: &'a [u8] = w;
    let mut v = Vec::new();
    while !r.is_empty() {
        v.push(T::get(&mut r).unwrap())
    }
    v
}

fn w2b(w: &[u8]) -> usize {
    each::<Ref2>(w).iter().fold(0, |s: usize, r| {
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

fn w2b_own(w: &[u8]) -> usize {
    let v: Vec<own2::Ref2> = deserialize(w, le!()).unwrap();
    v.iter().fold(0, |s: usize, r| s.wrapping_add(r.sum()))
}

w4_type!(#[derive(SchemaRead, SchemaWrite)]);

#[derive(SchemaRead, SchemaWrite)]
struct Row {
    a: i32,
    b: f64,
    c: f32,
    d: i16,
    e: f64,
}

/// Row by row into columns: wincode has none of its own.
fn w5<C: Config>(_: C, w: &[u8]) -> data::Cols
where
    Row: for<'a> SchemaRead<'a, C, Dst = Row>,
{
    let mut o = data::Cols::with_capacity(w.len() / 26);
    let mut r = w;
    while !r.is_empty() {
        let x = <Row as SchemaRead<'_, C>>::get(&mut r).unwrap();
        o.push(x.a, x.b, x.c, x.d, x.e)
    }
    o
}

fn w5e<C: Config>(s: &&'static data::Cols, o: &mut Vec<u8>, c: C)
where
    Row: SchemaWrite<C, Src = Row>,
    C: Copy,
{
    for i in 0..s.a.len() {
        let row = Row { a: s.a[i], b: s.b[i], c: s.c[i], d: s.d[i], e: s.e[i] };
        serialize_into(&mut *o, &row, c).unwrap()
    }
}

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(("W5", "le-dec"), "wincode (rows)", Exact, None, |w| w5(le!(), w), cols_ok);
    r.dec(("W5", "be-dec"), "wincode (rows)", Exact, None, |w| w5(be!(), w), cols_ok);
    r.enc(("W5", "le-enc"), "wincode (rows)", Exact, src_cols, |s, o| w5e(s, o, le!()));
    r.enc(("W5", "be-enc"), "wincode (rows)", Exact, src_cols, |s, o| w5e(s, o, be!()));
    r.dec(
        ("W1", "decode"),
        "wincode",
        Len,
        Some(|| pre(data().w1.len(), false, &data().w1_wire)),
        |w| deserialize::<Vec<Rec1>, _>(w, le!()).unwrap(),
        Rec1::ok,
    );
    r.enc(("W1", "encode"), "wincode", Len, Rec1::src, |s, o| serialize_into(o, s, le!()).unwrap());
    r.dec(
        ("W1", "decode"),
        "wincode (packed)",
        Len,
        Some(|| pre(data().w1.len(), false, &data().w1_wire)),
        |w| deserialize::<Vec<Pod1>, _>(w, le!()).unwrap(),
        pod_ok,
    )
    .kind(Kind::Packed);
    r.enc(("W1", "encode"), "wincode (packed)", Len, pod_src, |s, o| serialize_into(o, s, le!()).unwrap())
        .kind(Kind::Packed);
    r.dec(("W2", "decode"), "wincode (custom impl)", Exact, None, |w| each::<Rec2>(w), Rec2::ok);
    r.borrow(("W2", "borrow"), "wincode (custom impl)", Exact, None, w2b, data().w2_sum);
    r.enc(("W2", "encode"), "wincode (custom impl)", Exact, Rec2::src, |s, o| {
        for x in s {
            wincode::serialize_into(&mut *o, x).unwrap()
        }
    });
    r.dec(
        ("W2", "decode"),
        "wincode",
        Own,
        Some(|| own(own2::Rec2::src, |s, o| serialize_into(o, s, le!()).unwrap())),
        |w| deserialize::<Vec<own2::Rec2>, _>(w, le!()).unwrap(),
        own2::Rec2::ok,
    );
    r.borrow(
        ("W2", "borrow"),
        "wincode",
        Own,
        Some(|| own(own2::Rec2::src, |s, o| serialize_into(o, s, le!()).unwrap())),
        w2b_own,
        data().w2_sum,
    );
    r.enc(("W2", "encode"), "wincode", Own, own2::Rec2::src, |s, o| serialize_into(o, s, le!()).unwrap());
    r.dec(
        ("W3", "f64le-dec"),
        "wincode",
        Len,
        Some(|| pre(data().f64s.len(), false, &data().f64_le)),
        |w| deserialize::<Vec<f64>, _>(w, le!()).unwrap(),
        f64_ok,
    );
    r.dec(
        ("W3", "f64be-dec"),
        "wincode",
        Len,
        Some(|| pre(data().f64s.len(), true, &data().f64_be)),
        |w| deserialize::<Vec<f64>, _>(w, be!()).unwrap(),
        f64_ok,
    );
    r.dec(
        ("W3", "i32le-dec"),
        "wincode",
        Len,
        Some(|| pre(data().i32s.len(), false, &data().i32_le)),
        |w| deserialize::<Vec<i32>, _>(w, le!()).unwrap(),
        i32_ok,
    );
    r.dec(
        ("W3", "i32be-dec"),
        "wincode",
        Len,
        Some(|| pre(data().i32s.len(), true, &data().i32_be)),
        |w| deserialize::<Vec<i32>, _>(w, be!()).unwrap(),
        i32_ok,
    );
    r.enc(("W3", "f64le-enc"), "wincode", Len, src_f64, |s, o| serialize_into(o, *s, le!()).unwrap());
    r.enc(("W3", "f64be-enc"), "wincode", Len, src_f64, |s, o| serialize_into(o, *s, be!()).unwrap());
    r.enc(("W3", "i32le-enc"), "wincode", Len, src_i32, |s, o| serialize_into(o, *s, le!()).unwrap());
    r.enc(("W3", "i32be-enc"), "wincode", Len, src_i32, |s, o| serialize_into(o, *s, be!()).unwrap());
    r.dec(
        ("W4", "decode"),
        "wincode",
        Len,
        Some(|| own(Attribute::src, |s, o| serialize_into(o, s, le32!()).unwrap())),
        |w| deserialize::<Vec<Attribute>, _>(w, le32!()).unwrap(),
        Attribute::ok,
    );
    r.enc(("W4", "encode"), "wincode", Len, Attribute::src, |s, o| serialize_into(o, s, le32!()).unwrap());
}
