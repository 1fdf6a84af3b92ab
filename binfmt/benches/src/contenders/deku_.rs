//! deku without its `bits` feature (the faster build).
use super::*;
use deku::prelude::*;
use deku::{
    DekuError,
    no_std_io::{Cursor, Read, Seek, Write},
};
w1_type!(
    #[derive(DekuRead, DekuWrite)]
    #[deku(endian = "little")]
    Rec1
);

fn all<T: for<'a> DekuReader<'a, C>, C: Copy>(w: &[u8], c: C, n: usize) -> Vec<T> {
    let mut cur = Cursor::new(w);
    let mut r = Reader::new(&mut cur);
    let mut v = Vec::with_capacity(n);
    while !r.end() {
        v.push(T::from_reader_with_ctx(&mut r, c).unwrap())
    }
    v
}

fn put<T: DekuWriter<C>, C: Copy>(s: &[T], o: &mut Vec<u8>, c: C) {
    let mut cur = Cursor::new(o);
    let mut w = Writer::new(&mut cur);
    for x in s {
        x.to_writer(&mut w, c).unwrap()
    }
    w.finalize().unwrap();
}

pub enum Nullable {
    Null(u8),
    Value(i16),
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "little")]
pub struct Rec2 {
    a: i8,
    #[deku(reader = "rd_null(deku::reader)", writer = "wr_null(deku::writer, b)")]
    b: Nullable,
    #[deku(reader = "rd_opt(deku::reader)", writer = "wr_opt(deku::writer, c)")]
    c: Option<String>,
    #[deku(reader = "rd_str(deku::reader)", writer = "wr_str(deku::writer, d)")]
    d: String,
}

w2_conv!(Rec2);
type E = DekuError;
const LE: deku::ctx::Endian = deku::ctx::Endian::Little;
const BE: deku::ctx::Endian = deku::ctx::Endian::Big;

fn rd_null<R: Read + Seek>(r: &mut Reader<R>) -> Result<Nullable, E> {
    let p = u8::from_reader_with_ctx(r, ())?;
    let v = i16::from_reader_with_ctx(r, LE)?;
    Ok(if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) })
}

fn wr_null<W: Write + Seek>(w: &mut Writer<W>, x: &Nullable) -> Result<(), E> {
    let (p, v) = match x {
        Nullable::Null(k) => (*k, 0i16),
        Nullable::Value(v) => (0xFF, *v),
    };
    p.to_writer(w, ())?;
    v.to_writer(w, LE)
}

fn rd_str<R: Read + Seek>(r: &mut Reader<R>) -> Result<String, E> {
    let n = u32::from_reader_with_ctx(r, LE)? as usize;
    let mut b = vec![0; n];
    r.read_bytes(n, &mut b, deku::ctx::Order::default())?;
    if b.pop() != Some(0) {
        return Err(DekuError::Parse("nul".into()));
    }
    String::from_utf8(b).map_err(|_| DekuError::Parse("utf8".into()))
}

fn rd_opt<R: Read + Seek>(r: &mut Reader<R>) -> Result<Option<String>, E> {
    if u8::from_reader_with_ctx(r, ())? == 0xFF {
        Ok(Some(rd_str(r)?))
    } else {
        u32::from_reader_with_ctx(r, LE)?;
        Ok(None)
    }
}

fn wr_str<W: Write + Seek>(w: &mut Writer<W>, x: &String) -> Result<(), E> {
    (x.len() as u32 + 1).to_writer(w, LE)?;
    w.write_bytes(x.as_bytes())?;
    w.write_bytes(&[0])
}

fn wr_opt<W: Write + Seek>(w: &mut Writer<W>, x: &Option<String>) -> Result<(), E> {
    match x {
        None => w.write_bytes(&[0; 5]),
        Some(s) => {
            w.write_bytes(&[0xFF])?;
            wr_str(w, s)
        }
    }
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
pub struct Filter0 {
    ty: u8,
    #[deku(update = "self.md.len()")]
    n: u32,
    #[deku(count = "n")]
    md: Vec<u8>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "little")]
pub struct Attribute0 {
    #[deku(update = "self.name.len()")]
    nl: u32,
    #[deku(
        reader = "rd_utf8(deku::reader, *nl as usize)",
        writer = "deku::writer.write_bytes(name.as_bytes())"
    )]
    name: String,
    datatype: u8,
    cell_val_num: u32,
    max_chunk: u32,
    #[deku(update = "self.filters.len()")]
    n: u32,
    #[deku(count = "n")]
    filters: Vec<Filter0>,
}

fn rd_utf8<R: Read + Seek>(r: &mut Reader<R>, n: usize) -> Result<String, E> {
    let mut b = vec![0; n];
    r.read_bytes(n, &mut b, deku::ctx::Order::default())?;
    String::from_utf8(b).map_err(|_| DekuError::Parse("utf8".into()))
}

fn w4_src() -> Vec<Attribute0> {
    data()
        .w4
        .iter()
        .map(|x| Attribute0 {
            nl: x.name.len() as u32,
            name: x.name.clone(),
            datatype: x.datatype,
            cell_val_num: x.cell_val_num,
            max_chunk: x.pipeline.max_chunk,
            n: x.pipeline.filters.len() as u32,
            filters: x
                .pipeline
                .filters
                .iter()
                .map(|f| Filter0 { ty: f.ty, n: f.md.len() as u32, md: f.md.clone() })
                .collect(),
        })
        .collect()
}

fn w4_same(v: &Vec<Attribute0>) -> bool {
    v.len() == data().w4.len()
        && v.iter().zip(&data().w4).all(|(x, y)| {
            x.name == y.name
                && x.cell_val_num == y.cell_val_num
                && x.filters.iter().zip(&y.pipeline.filters).all(|(f, g)| f.md == g.md)
        })
}

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(("W1", "decode"), "deku", Exact, None, |w| all::<Rec1, ()>(w, (), w.len() / 28), Rec1::ok);
    r.enc(("W1", "encode"), "deku", Exact, Rec1::src, |s, o| put(s, o, ()));
    r.dec(("W2", "decode"), "deku", Exact, None, |w| all::<Rec2, ()>(w, (), 0), Rec2::ok);
    r.enc(("W2", "encode"), "deku", Exact, Rec2::src, |s, o| put(s, o, ()));
    r.dec(("W3", "f64le-dec"), "deku", Exact, None, |w| all::<f64, _>(w, LE, w.len() / 8), f64_ok);
    r.dec(("W3", "f64be-dec"), "deku", Exact, None, |w| all::<f64, _>(w, BE, w.len() / 8), f64_ok);
    r.dec(("W3", "i32le-dec"), "deku", Exact, None, |w| all::<i32, _>(w, LE, w.len() / 4), i32_ok);
    r.dec(("W3", "i32be-dec"), "deku", Exact, None, |w| all::<i32, _>(w, BE, w.len() / 4), i32_ok);
    r.enc(("W3", "f64le-enc"), "deku", Exact, src_f64, |s, o| put(s, o, LE));
    r.enc(("W3", "f64be-enc"), "deku", Exact, src_f64, |s, o| put(s, o, BE));
    r.enc(("W3", "i32le-enc"), "deku", Exact, src_i32, |s, o| put(s, o, LE));
    r.enc(("W3", "i32be-enc"), "deku", Exact, src_i32, |s, o| put(s, o, BE));
    r.dec(("W4", "decode"), "deku", Exact, None, |w| all::<Attribute0, ()>(w, (), 0), w4_same);
    r.enc(("W4", "encode"), "deku", Exact, w4_src, |s, o| put(s, o, ()));
}
