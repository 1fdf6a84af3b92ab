//! Columns by binfmt, as a user writes it.

use super::*;
use crate::data::Nullable as Canon;
use binfmt::{BinFormat, Endian, Nullable, Options, TypedColumns};

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    a: i32,
    b: f64,
    c: f32,
    d: i16,
    e: f64,
}

impl RowColumns {
    fn src() -> Self {
        let c = data().cols.clone();
        RowColumns { a: c.a, b: c.b, c: c.c, d: c.d, e: c.e }
    }

    fn ok(&self) -> bool {
        let c = &data().cols;
        self.a == c.a && self.b == c.b && self.c == c.c && self.d == c.d && self.e == c.e
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Load {
    id: i64,
    #[binfmt(nullable)]
    weight: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    name: Nullable<String>,
    speed: f32,
}

impl LoadColumns {
    fn ok(&self) -> bool {
        let w = &data().w6;
        self.id.len() == w.len()
            && w.iter().enumerate().all(|(i, x)| {
                let weight = match x.weight {
                    Canon::Value(v) => Nullable::Value(v),
                    Canon::Null(k) => Nullable::Missing(k),
                };
                let name = match &x.name {
                    Canon::Value(v) => Nullable::Value(v.as_str()),
                    Canon::Null(k) => Nullable::Missing(*k),
                };
                (self.id[i], self.speed[i]) == (x.id, x.speed)
                    && self.weight.get(i) == Some(weight.as_ref())
                    && self.name.get(i) == Some(name)
            })
    }
}

/// The same rows as structs, for comparison.
fn rows(w: &[u8]) -> Vec<Load> {
    binfmt::decode_all(w).unwrap()
}

fn big() -> Options {
    Options::new().endian(Endian::Big)
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    let from_be = |w: &[u8]| RowColumns::from_slice_with(w, &big()).unwrap();
    r.dec(("W5", "le-dec"), "binfmt", Exact, None, |w| RowColumns::from_slice(w).unwrap(), RowColumns::ok);
    r.dec(("W5", "be-dec"), "binfmt", Exact, None, from_be, RowColumns::ok);
    let reuse = |w: &[u8], c: &mut RowColumns| {
        binfmt::columns::ColumnData::truncate(c, 0);
        c.decode_all(w).unwrap();
    };
    r.dec_into(("W5", "le-dec"), "binfmt (reused columns)", Exact, reuse, RowColumns::ok).kind(Kind::Reuse);
    let stream = |w: &[u8]| RowColumns::from_reader(w, &Options::new()).unwrap();
    r.dec(("W5", "le-dec"), "binfmt (stream)", Exact, None, stream, RowColumns::ok).kind(Kind::Stream);
    let to_le = |s: &RowColumns, o: &mut Vec<u8>| s.append(o, &Options::new()).unwrap();
    r.enc(("W5", "le-enc"), "binfmt", Exact, RowColumns::src, to_le);
    r.enc(("W5", "be-enc"), "binfmt", Exact, RowColumns::src, |s, o| s.append(o, &big()).unwrap());

    let decode = |w: &[u8]| LoadColumns::from_slice(w).unwrap();
    r.dec(("W6", "decode"), "binfmt", Exact, None, decode, LoadColumns::ok);
    r.dec(("W6", "decode"), "binfmt (structs)", Exact, None, rows, |v| v.len() == data().w6.len())
        .kind(Kind::Reordered);
    let source = || LoadColumns::from_slice(&data().w6_wire).unwrap();
    r.enc(("W6", "encode"), "binfmt", Exact, source, |s, o| s.append(o, &Options::new()).unwrap());
}
