//! byteorder: one checked read for each number.

use super::*;
use crate::data::Cols;
use byteorder::{BE, ByteOrder, LE, ReadBytesExt, WriteBytesExt};

fn decode<B: ByteOrder>(w: &[u8]) -> Cols {
    let mut c = Cols::with_capacity(w.len() / 26);
    let mut p = w;
    while !p.is_empty() {
        let (a, b) = (p.read_i32::<B>().unwrap(), p.read_f64::<B>().unwrap());
        let (x, d) = (p.read_f32::<B>().unwrap(), p.read_i16::<B>().unwrap());
        c.push(a, b, x, d, p.read_f64::<B>().unwrap());
    }
    c
}

fn encode<B: ByteOrder>(s: &&'static Cols, o: &mut Vec<u8>) {
    for i in 0..s.a.len() {
        o.write_i32::<B>(s.a[i]).unwrap();
        o.write_f64::<B>(s.b[i]).unwrap();
        o.write_f32::<B>(s.c[i]).unwrap();
        o.write_i16::<B>(s.d[i]).unwrap();
        o.write_f64::<B>(s.e[i]).unwrap();
    }
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    r.dec(("W5", "le-dec"), "byteorder", Exact, None, decode::<LE>, cols_ok);
    r.dec(("W5", "be-dec"), "byteorder", Exact, None, decode::<BE>, cols_ok);
    r.enc(("W5", "le-enc"), "byteorder", Exact, src_cols, encode::<LE>);
    r.enc(("W5", "be-enc"), "byteorder", Exact, src_cols, encode::<BE>);
}
