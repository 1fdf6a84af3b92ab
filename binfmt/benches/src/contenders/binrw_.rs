//! binrw. Strings and nullable values through its own custom parsers and writers.

use super::*;
use binrw::{
    BinRead, BinResult, BinWrite, Endian, VecArgs, binrw,
    io::{Cursor, NoSeek},
};
w1_type!(
    #[binrw]
    #[brw(little)]
    Rec1
);

fn vec<T: for<'a> BinRead<Args<'a> = ()> + 'static>(w: &[u8], n: usize, e: Endian) -> Vec<T> {
    Vec::<T>::read_options(&mut Cursor::new(w), e, VecArgs { count: n, inner: () }).unwrap()
}

fn put<T: for<'a> BinWrite<Args<'a> = ()> + 'static>(s: &Vec<T>, o: &mut Vec<u8>, e: Endian) {
    s.write_options(&mut NoSeek::new(o), e, ()).unwrap()
}

fn until<T: for<'a> BinRead<Args<'a> = ()> + 'static>(w: &[u8], e: Endian) -> Vec<T> {
    let mut c = Cursor::new(w);
    let mut v = Vec::new();
    while (c.position() as usize) < w.len() {
        v.push(T::read_options(&mut c, e, ()).unwrap())
    }
    v
}

pub enum Nullable {
    Null(u8),
    Value(i16),
}

#[binrw]
#[brw(little)]
pub struct Rec2 {
    a: i8,
    #[br(parse_with = rd_null)]
    #[bw(write_with = wr_null)]
    b: Nullable,
    #[br(parse_with = rd_opt)]
    #[bw(write_with = wr_opt)]
    c: Option<String>,
    #[br(parse_with = rd_str)]
    #[bw(write_with = wr_str)]
    d: String,
}

w2_conv!(Rec2);

fn bad(pos: u64) -> binrw::Error {
    binrw::Error::AssertFail { pos, message: "string".into() }
}

#[binrw::parser(reader, endian)]
fn rd_null() -> BinResult<Nullable> {
    let p = u8::read_options(reader, endian, ())?;
    let v = i16::read_options(reader, endian, ())?;
    Ok(if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) })
}

#[binrw::writer(writer, endian)]
fn wr_null(x: &Nullable) -> BinResult<()> {
    match x {
        Nullable::Null(k) => (*k, 0i16).write_options(writer, endian, ()),
        Nullable::Value(v) => (0xFFu8, *v).write_options(writer, endian, ()),
    }
}

#[binrw::parser(reader, endian)]
fn rd_str() -> BinResult<String> {
    let n = u32::read_options(reader, endian, ())? as usize;
    let mut b = Vec::<u8>::read_options(reader, endian, VecArgs { count: n, inner: () })?;
    if b.pop() != Some(0) {
        return Err(bad(0));
    }
    String::from_utf8(b).map_err(|_| bad(0))
}

#[binrw::parser(reader, endian)]
fn rd_opt() -> BinResult<Option<String>> {
    let p = u8::read_options(reader, endian, ())?;
    if p == 0xFF {
        Ok(Some(rd_str(reader, endian, ())?))
    } else {
        u32::read_options(reader, endian, ())?;
        Ok(None)
    }
}

#[binrw::writer(writer, endian)]
fn wr_str(x: &String) -> BinResult<()> {
    (x.len() as u32 + 1).write_options(writer, endian, ())?;
    writer.write_all(x.as_bytes())?;
    writer.write_all(&[0])?;
    Ok(())
}

#[binrw::writer(writer, endian)]
fn wr_opt(x: &Option<String>) -> BinResult<()> {
    match x {
        None => (0u8, 0u32).write_options(writer, endian, ()),
        Some(s) => {
            0xFFu8.write_options(writer, endian, ())?;
            wr_str(s, writer, endian, ())
        }
    }
}

#[binrw]
#[brw(little)]
pub struct Filter {
    ty: u8,
    #[bw(calc = md.len() as u32)]
    n: u32,
    #[br(count = n)]
    md: Vec<u8>,
}

#[binrw]
#[brw(little)]
pub struct Pipeline {
    max_chunk: u32,
    #[bw(calc = filters.len() as u32)]
    n: u32,
    #[br(count = n)]
    filters: Vec<Filter>,
}

#[binrw]
#[brw(little)]
pub struct Attribute {
    #[bw(calc = name.len() as u32)]
    n: u32,
    #[br(count = n, try_map = |b: Vec<u8>| String::from_utf8(b))]
    #[bw(map = |s: &String| s.as_bytes().to_vec())]
    name: String,
    datatype: u8,
    cell_val_num: u32,
    pipeline: Pipeline,
}

w4_conv!();
use Endian::{Big, Little};

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(("W1", "decode"), "binrw", Exact, None, |w| vec::<Rec1>(w, w.len() / 28, Little), Rec1::ok);
    r.enc(("W1", "encode"), "binrw", Exact, Rec1::src, |s, o| put(s, o, Little));
    r.dec(("W2", "decode"), "binrw", Exact, None, |w| until::<Rec2>(w, Little), Rec2::ok);
    r.enc(("W2", "encode"), "binrw", Exact, Rec2::src, |s, o| put(s, o, Little));
    r.dec(("W3", "f64le-dec"), "binrw", Exact, None, |w| vec::<f64>(w, w.len() / 8, Little), f64_ok);
    r.dec(("W3", "f64be-dec"), "binrw", Exact, None, |w| vec::<f64>(w, w.len() / 8, Big), f64_ok);
    r.dec(("W3", "i32le-dec"), "binrw", Exact, None, |w| vec::<i32>(w, w.len() / 4, Little), i32_ok);
    r.dec(("W3", "i32be-dec"), "binrw", Exact, None, |w| vec::<i32>(w, w.len() / 4, Big), i32_ok);
    r.enc(("W3", "f64le-enc"), "binrw", Exact, src_f64, |s, o| put::<f64>(s, o, Little));
    r.enc(("W3", "f64be-enc"), "binrw", Exact, src_f64, |s, o| put::<f64>(s, o, Big));
    r.enc(("W3", "i32le-enc"), "binrw", Exact, src_i32, |s, o| put::<i32>(s, o, Little));
    r.enc(("W3", "i32be-enc"), "binrw", Exact, src_i32, |s, o| put::<i32>(s, o, Big));
    r.dec(("W4", "decode"), "binrw", Exact, None, |w| until::<Attribute>(w, Little), Attribute::ok);
    r.enc(("W4", "encode"), "binrw", Exact, Attribute::src, |s, o| put(s, o, Little));
}
