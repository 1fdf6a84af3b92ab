//! speedy. `custom impl`: Readable and Writable written by hand for the W2 layout.

use super::*;
use speedy::{Context, Endianness, Readable, Reader, Writable, Writer};
const L: Endianness = Endianness::LittleEndian;
const B: Endianness = Endianness::BigEndian;
w1_type!(
    #[derive(Readable, Writable)]
    Rec1
);

fn pre(n: usize, be: bool, w: &[u8]) -> Vec<u8> {
    let mut v = if be { (n as u32).to_be_bytes() } else { (n as u32).to_le_bytes() }.to_vec();
    v.extend_from_slice(w);
    v
}

fn put<T: Writable<Endianness> + ?Sized>(s: &T, o: &mut Vec<u8>, e: Endianness) {
    o.resize(s.bytes_needed().unwrap(), 0);
    s.write_to_buffer_with_ctx(e, o).unwrap();
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
struct Ref2<'a> {
    a: i8,
    b: Nullable,
    c: Option<&'a str>,
    d: &'a str,
}

fn bad<C: Context>() -> C::Error {
    speedy::Error::custom("string").into()
}

fn null<'a, C: Context, R: Reader<'a, C>>(r: &mut R) -> Result<Nullable, C::Error> {
    let p = r.read_u8()?;
    let v = r.read_i16()?;
    Ok(if p == 0xFF { Nullable::Value(v) } else { Nullable::Null(p) })
}

fn string<'a, C: Context, R: Reader<'a, C>>(r: &mut R) -> Result<String, C::Error> {
    let n = r.read_u32()? as usize;
    let mut b: Vec<u8> = r.read_vec(n)?;
    if b.pop() != Some(0) {
        return Err(bad::<C>());
    }
    String::from_utf8(b).map_err(|_| bad::<C>())
}

impl<'a, C: Context> Readable<'a, C> for Rec2 {
    fn read_from<R: Reader<'a, C>>(r: &mut R) -> Result<Self, C::Error> {
        let a = r.read_i8()?;
        let b = null(r)?;
        let c = if r.read_u8()? == 0xFF {
            Some(string(r)?)
        } else {
            r.read_u32()?;
            None
        };
        Ok(Rec2 { a, b, c, d: string(r)? })
    }
    fn minimum_bytes_needed() -> usize {
        14
    }
}

fn bstr<'a, C: Context, R: Reader<'a, C>>(r: &mut R) -> Result<&'a str, C::Error> {
    let n = r.read_u32()? as usize;
    let b = match r.read_bytes_borrowed(n) {
        Some(b) => b?,
        None => return Err(bad::<C>()),
    };
    match b.split_last() {
        Some((0, s)) => std::str::from_utf8(s).map_err(|_| bad::<C>()),
        _ => Err(bad::<C>()),
    }
}

impl<'a, C: Context> Readable<'a, C> for Ref2<'a> {
    fn read_from<R: Reader<'a, C>>(r: &mut R) -> Result<Self, C::Error> {
        let a = r.read_i8()?;
        let b = null(r)?;
        let c = if r.read_u8()? == 0xFF {
            Some(bstr(r)?)
        } else {
            r.read_u32()?;
            None
        };
        Ok(Ref2 { a, b, c, d: bstr(r)? })
    }
    fn minimum_bytes_needed() -> usize {
        14
    }
}

impl<C: Context> Writable<C> for Rec2 {
    fn write_to<W: ?Sized + Writer<C>>(&self, w: &mut W) -> Result<(), C::Error> {
        w.write_i8(self.a)?;
        match self.b {
            Nullable::Null(k) => {
                w.write_u8(k)?;
                w.write_i16(0)?
            }
            Nullable::Value(v) => {
                w.write_u8(0xFF)?;
                w.write_i16(v)?
            }
        }
        match &self.c {
            None => {
                w.write_u8(0)?;
                w.write_u32(0)?
            }
            Some(s) => {
                w.write_u8(0xFF)?;
                w.write_u32(s.len() as u32 + 1)?;
                w.write_bytes(s.as_bytes())?;
                w.write_u8(0)?
            }
        }
        w.write_u32(self.d.len() as u32 + 1)?;
        w.write_bytes(self.d.as_bytes())?;
        w.write_u8(0)
    }
    fn bytes_needed(&self) -> Result<usize, C::Error> {
        Ok(14 + self.c.as_ref().map_or(0, |c| c.len() + 1) + self.d.len())
    }
}

fn w2p() -> Vec<u8> {
    pre(data().w2.len(), false, &data().w2_wire)
}

fn w2b(w: &[u8]) -> usize {
    let v: Vec<Ref2> = Readable::read_from_buffer_with_ctx(L, w).unwrap();
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

w4_type!(#[derive(Readable, Writable)]);

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(
        ("W1", "decode"),
        "speedy",
        Len,
        Some(|| pre(data().w1.len(), false, &data().w1_wire)),
        |w| Vec::<Rec1>::read_from_buffer_with_ctx(L, w).unwrap(),
        Rec1::ok,
    );
    r.enc(("W1", "encode"), "speedy", Len, Rec1::src, |s, o| put(s, o, L));
    r.dec(
        ("W2", "decode"),
        "speedy (custom impl)",
        Len,
        Some(w2p),
        |w| Vec::<Rec2>::read_from_buffer_with_ctx(L, w).unwrap(),
        Rec2::ok,
    );
    r.borrow(("W2", "borrow"), "speedy (custom impl)", Len, Some(w2p), w2b, data().w2_sum);
    r.enc(("W2", "encode"), "speedy (custom impl)", Len, Rec2::src, |s, o| put(s, o, L));
    r.dec(
        ("W3", "f64le-dec"),
        "speedy",
        Len,
        Some(|| pre(data().f64s.len(), false, &data().f64_le)),
        |w| Vec::<f64>::read_from_buffer_with_ctx(L, w).unwrap(),
        f64_ok,
    );
    r.dec(
        ("W3", "f64be-dec"),
        "speedy",
        Len,
        Some(|| pre(data().f64s.len(), true, &data().f64_be)),
        |w| Vec::<f64>::read_from_buffer_with_ctx(B, w).unwrap(),
        f64_ok,
    );
    r.dec(
        ("W3", "i32le-dec"),
        "speedy",
        Len,
        Some(|| pre(data().i32s.len(), false, &data().i32_le)),
        |w| Vec::<i32>::read_from_buffer_with_ctx(L, w).unwrap(),
        i32_ok,
    );
    r.dec(
        ("W3", "i32be-dec"),
        "speedy",
        Len,
        Some(|| pre(data().i32s.len(), true, &data().i32_be)),
        |w| Vec::<i32>::read_from_buffer_with_ctx(B, w).unwrap(),
        i32_ok,
    );
    r.enc(("W3", "f64le-enc"), "speedy", Len, src_f64, |s, o| put(*s, o, L));
    r.enc(("W3", "f64be-enc"), "speedy", Len, src_f64, |s, o| put(*s, o, B));
    r.enc(("W3", "i32le-enc"), "speedy", Len, src_i32, |s, o| put(*s, o, L));
    r.enc(("W3", "i32be-enc"), "speedy", Len, src_i32, |s, o| put(*s, o, B));
    r.dec(
        ("W4", "decode"),
        "speedy",
        Len,
        Some(|| pre(data().w4.len(), false, &data().w4_wire)),
        |w| Vec::<Attribute>::read_from_buffer_with_ctx(L, w).unwrap(),
        Attribute::ok,
    );
    r.enc(("W4", "encode"), "speedy", Len, Attribute::src, |s, o| put(s, o, L));
}
