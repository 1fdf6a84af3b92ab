//! W1: fixed records.

use super::*;
use crate::data::W1;
use std::mem::{MaybeUninit, offset_of};

w1_type! {
    /// Its fields lie wherever the compiler puts them.
    #[derive(Clone, Copy)]
    Reordered
}
w1_type! {
    /// Its memory is the wire.
    #[repr(C, packed)]
    #[derive(Clone, Copy)]
    Packed
}

/// A check, an advance and a push for each field and record: what a simple derive does.
fn dec_naive(w: &[u8]) -> Vec<W1> {
    fn record(w: &mut &[u8]) -> Result<W1> {
        Ok(W1 {
            a: i64::from_le_bytes(*run(w)?),
            b: f64::from_le_bytes(*run(w)?),
            c: u32::from_le_bytes(*run(w)?),
            d: u16::from_le_bytes(*run(w)?),
            e: run::<1>(w)?[0],
            f: run::<1>(w)?[0] as i8,
            g: f32::from_le_bytes(*run(w)?),
        })
    }
    let mut w = w;
    let mut v = Vec::new();
    while !w.is_empty() {
        v.push(record(&mut w).unwrap());
    }
    v
}

/// One check for all, the rest is left to the compiler.
macro_rules! dec_fields {
    ($name:ident, $t:ident) => {
        fn $name(w: &[u8]) -> Vec<$t> {
            let (records, rest) = w.as_chunks::<28>();
            assert!(rest.is_empty());
            records
                .iter()
                .map(|r| $t {
                    a: i64::from_le_bytes(*r[0..].first_chunk().unwrap()),
                    b: f64::from_le_bytes(*r[8..].first_chunk().unwrap()),
                    c: u32::from_le_bytes(*r[16..].first_chunk().unwrap()),
                    d: u16::from_le_bytes(*r[20..].first_chunk().unwrap()),
                    e: r[22],
                    f: r[23] as i8,
                    g: f32::from_le_bytes(*r[24..].first_chunk().unwrap()),
                })
                .collect()
        }
    };
}
dec_fields!(dec_safe, W1);
dec_fields!(dec_reordered, Reordered);

const IMAGE: () = assert!(
    offset_of!(W1, b) == 8
        && offset_of!(W1, c) == 16
        && offset_of!(W1, d) == 20
        && offset_of!(W1, e) == 22
        && offset_of!(W1, f) == 23
        && offset_of!(W1, g) == 24
        && cfg!(target_endian = "little")
);

/// The fields lie in memory as on the wire, only the distance of two records differs: copies of 28 bytes.
fn dec_image(w: &[u8]) -> Vec<W1> {
    const { IMAGE };
    assert!(w.len().is_multiple_of(28));
    let n = w.len() / 28;
    let mut v: Vec<W1> = Vec::with_capacity(n);
    // SAFETY: `n` records fit in `w` and in `v`; every bit pattern is a W1.
    unsafe {
        let (mut p, mut q) = (w.as_ptr(), v.as_mut_ptr());
        for _ in 0..n {
            std::ptr::copy_nonoverlapping(p, q.cast(), 28);
            p = p.add(28);
            q = q.add(1);
        }
        v.set_len(n);
    }
    v
}

fn dec_packed(w: &[u8]) -> Vec<Packed> {
    assert!(w.len().is_multiple_of(28));
    let n = w.len() / 28;
    let mut v: Vec<Packed> = Vec::with_capacity(n);
    // SAFETY: as many bytes as `n` packed records have.
    unsafe {
        std::ptr::copy_nonoverlapping(w.as_ptr(), v.as_mut_ptr().cast(), w.len());
        v.set_len(n);
    }
    v
}

fn enc_naive(s: &&'static Vec<W1>, o: &mut Vec<u8>) {
    for x in s.iter() {
        o.extend_from_slice(&x.a.to_le_bytes());
        o.extend_from_slice(&x.b.to_le_bytes());
        o.extend_from_slice(&x.c.to_le_bytes());
        o.extend_from_slice(&x.d.to_le_bytes());
        o.push(x.e);
        o.push(x.f as u8);
        o.extend_from_slice(&x.g.to_le_bytes());
    }
}

/// A record on the stack, then one copy.
fn enc_safe(s: &&'static Vec<W1>, o: &mut Vec<u8>) {
    o.reserve(s.len() * 28);
    for x in s.iter() {
        let mut r = [0u8; 28];
        r[0..8].copy_from_slice(&x.a.to_le_bytes());
        r[8..16].copy_from_slice(&x.b.to_le_bytes());
        r[16..20].copy_from_slice(&x.c.to_le_bytes());
        r[20..22].copy_from_slice(&x.d.to_le_bytes());
        r[22] = x.e;
        r[23] = x.f as u8;
        r[24..28].copy_from_slice(&x.g.to_le_bytes());
        o.extend_from_slice(&r);
    }
}

/// One reserve, then a store for each field.
fn enc_reordered(s: &Vec<Reordered>, o: &mut Vec<u8>) {
    let at = o.len();
    o.reserve(s.len() * 28);
    // SAFETY: 28 bytes for each record were reserved.
    unsafe {
        let mut q = o.as_mut_ptr().add(at);
        for x in s.iter() {
            q.cast::<[u8; 8]>().write(x.a.to_le_bytes());
            q.add(8).cast::<[u8; 8]>().write(x.b.to_le_bytes());
            q.add(16).cast::<[u8; 4]>().write(x.c.to_le_bytes());
            q.add(20).cast::<[u8; 2]>().write(x.d.to_le_bytes());
            q.add(22).write(x.e);
            q.add(23).write(x.f as u8);
            q.add(24).cast::<[u8; 4]>().write(x.g.to_le_bytes());
            q = q.add(28);
        }
        o.set_len(at + s.len() * 28);
    }
}

/// One reserve, then copies of 28 bytes.
fn enc_image(s: &&'static Vec<W1>, o: &mut Vec<u8>) {
    const { IMAGE };
    let at = o.len();
    o.reserve(s.len() * 28);
    // SAFETY: 28 bytes for each record were reserved; the tail padding is not read.
    unsafe {
        let mut q = o.as_mut_ptr().add(at).cast::<MaybeUninit<u8>>();
        for x in s.iter() {
            std::ptr::copy_nonoverlapping(std::ptr::from_ref(x).cast(), q, 28);
            q = q.add(28);
        }
        o.set_len(at + s.len() * 28);
    }
}

fn enc_packed(s: &Vec<Packed>, o: &mut Vec<u8>) {
    // SAFETY: Packed has no padding.
    o.extend_from_slice(unsafe { std::slice::from_raw_parts(s.as_ptr().cast(), s.len() * 28) });
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    let dec = ("W1", "decode");
    r.dec(dec, "hand/naive", Exact, None, dec_naive, w1_ok);
    r.dec(dec, "hand/safe", Exact, None, dec_safe, w1_ok);
    r.dec(dec, "hand/image", Exact, None, dec_image, w1_ok);
    r.dec(dec, "hand/fields", Exact, None, dec_reordered, Reordered::ok).kind(Kind::Reordered);
    r.dec(dec, "hand/packed", Exact, None, dec_packed, Packed::ok).kind(Kind::Packed);
    let enc = ("W1", "encode");
    r.enc(enc, "hand/naive", Exact, src_w1, enc_naive);
    r.enc(enc, "hand/safe", Exact, src_w1, enc_safe);
    r.enc(enc, "hand/image", Exact, src_w1, enc_image);
    r.enc(enc, "hand/fields", Exact, Reordered::src, enc_reordered).kind(Kind::Reordered);
    r.enc(enc, "hand/packed", Exact, Packed::src, enc_packed).kind(Kind::Packed);
}
