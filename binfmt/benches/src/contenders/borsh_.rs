//! borsh. W2 in its own format.

use super::*;
use borsh::{BorshDeserialize, BorshSerialize};
w1_type!(
    #[derive(BorshSerialize, BorshDeserialize)]
    Rec1
);
w2_type!(
    #[derive(BorshSerialize, BorshDeserialize)]
    Rec2
);
w4_type!(#[derive(BorshSerialize, BorshDeserialize)]);

fn pre(n: usize, w: &[u8]) -> Vec<u8> {
    let mut v = (n as u32).to_le_bytes().to_vec();
    v.extend_from_slice(w);
    v
}

fn de<T: BorshDeserialize>(w: &[u8]) -> T {
    borsh::from_slice(w).unwrap()
}

fn put<T: BorshSerialize>(s: &T, o: &mut Vec<u8>) {
    borsh::to_writer(o, s).unwrap()
}

fn w4(w: &[u8]) -> Vec<Attribute> {
    let mut w = w;
    let mut v = Vec::new();
    while !w.is_empty() {
        v.push(Attribute::deserialize(&mut w).unwrap())
    }
    v
}

pub fn register(r: &mut Registry) {
    use Wire::*;
    r.dec(
        ("W1", "decode"),
        "borsh",
        Len,
        Some(|| pre(data().w1.len(), &data().w1_wire)),
        de::<Vec<Rec1>>,
        Rec1::ok,
    );
    r.enc(("W1", "encode"), "borsh", Len, Rec1::src, put);
    r.dec(("W2", "decode"), "borsh", Own, Some(|| own(Rec2::src, put)), de::<Vec<Rec2>>, Rec2::ok);
    r.enc(("W2", "encode"), "borsh", Own, Rec2::src, put);
    r.dec(
        ("W3", "f64le-dec"),
        "borsh",
        Len,
        Some(|| pre(data().f64s.len(), &data().f64_le)),
        de::<Vec<f64>>,
        f64_ok,
    );
    r.dec(
        ("W3", "i32le-dec"),
        "borsh",
        Len,
        Some(|| pre(data().i32s.len(), &data().i32_le)),
        de::<Vec<i32>>,
        i32_ok,
    );
    r.enc(("W3", "f64le-enc"), "borsh", Len, src_f64, |s, o| put(*s, o));
    r.enc(("W3", "i32le-enc"), "borsh", Len, src_i32, |s, o| put(*s, o));
    r.dec(("W4", "decode"), "borsh", Exact, None, w4, Attribute::ok);
    r.enc(("W4", "encode"), "borsh", Exact, Attribute::src, |s, o| {
        for x in s {
            borsh::to_writer(&mut *o, x).unwrap()
        }
    });
}
