//! W2: SciDB records with nullable fields and short strings.

use super::*;
use crate::data::{Nullable, W2, W2Ref};

/// A check for each field.
#[inline(always)]
fn record_plain<'a>(w: &mut &'a [u8]) -> Result<W2Ref<'a>> {
    fn text(b: &[u8]) -> Result<&str> {
        match b.split_last() {
            Some((0, s)) => std::str::from_utf8(s).map_err(|_| Bad),
            _ => Err(Bad),
        }
    }
    let a = run::<1>(w)?[0] as i8;
    let present = run::<1>(w)?[0];
    let v = i16::from_le_bytes(*run(w)?);
    let b = if present == 0xFF { Nullable::Value(v) } else { Nullable::Null(present) };
    let present = run::<1>(w)?[0];
    let n = u32::from_le_bytes(*run(w)?) as usize;
    let s = take(w, n)?;
    let c = if present == 0xFF { Some(text(s)?) } else { None };
    let n = u32::from_le_bytes(*run(w)?) as usize;
    let d = text(take(w, n)?)?;
    Ok(W2Ref { a, b, c, d })
}

/// A string of `n` bytes, the last of which is NUL.
#[inline(always)]
fn nul_str<'a>(w: &mut &'a [u8], n: usize) -> Result<&'a str> {
    let tail = *w;
    match take(w, n)?.split_last() {
        Some((0, s)) => wide_str(tail, s.len()),
        _ => Err(Bad),
    }
}

/// One check for the 9 fixed bytes, one for each length, one for each string; the wide test for ASCII.
#[inline(always)]
fn record<'a>(w: &mut &'a [u8]) -> Result<W2Ref<'a>> {
    let h: &[u8; 9] = run(w)?;
    let a = h[0] as i8;
    let b = match h[1] {
        0xFF => Nullable::Value(i16::from_le_bytes([h[2], h[3]])),
        missing => Nullable::Null(missing),
    };
    let n = u32_at(h, 5) as usize;
    let c = match (h[4], n) {
        (0xFF, _) => Some(nul_str(w, n)?),
        (_, 0) => None,
        _ => return Err(Bad),
    };
    let n = u32::from_le_bytes(*run(w)?) as usize;
    let d = nul_str(w, n)?;
    Ok(W2Ref { a, b, c, d })
}

#[inline(always)]
fn all<'a, T>(
    w: &'a [u8],
    record: impl Fn(&mut &'a [u8]) -> Result<W2Ref<'a>>,
    f: impl Fn(W2Ref<'a>) -> T,
) -> Result<Vec<T>> {
    let mut w = w;
    let mut v = Vec::with_capacity(w.len() / 32);
    while !w.is_empty() {
        v.push(f(record(&mut w)?));
    }
    Ok(v)
}

fn dec_plain(w: &[u8]) -> Vec<W2> {
    all(w, record_plain, |r| W2 { a: r.a, b: r.b, c: r.c.map(str::to_owned), d: r.d.to_owned() }).unwrap()
}

fn dec_wide(w: &[u8]) -> Vec<W2> {
    all(w, record, |r| W2 { a: r.a, b: r.b, c: r.c.map(small_string), d: small_string(r.d) }).unwrap()
}

fn sum(v: &[W2Ref<'_>]) -> usize {
    v.iter().fold(0, |s, r| s.wrapping_add(r.sum()))
}

fn borrow_plain(w: &[u8]) -> usize {
    sum(&all(w, record_plain, |r| r).unwrap())
}

fn borrow_wide(w: &[u8]) -> usize {
    sum(&all(w, record, |r| r).unwrap())
}

/// Each field is stored straight into its slot of the `Vec`: no record goes through the stack.
fn borrow_in_place(w: &[u8]) -> usize {
    let mut p = w;
    let mut v: Vec<W2Ref<'_>> = Vec::with_capacity(w.len() / 14);
    while !p.is_empty() {
        let r = record(&mut p).unwrap();
        // SAFETY: no record is shorter than 14 bytes, so the `Vec` cannot be full.
        unsafe {
            let n = v.len();
            v.as_mut_ptr().add(n).write(r);
            v.set_len(n + 1);
        }
    }
    sum(&v)
}

fn iterate(w: &[u8]) -> usize {
    let (mut w, mut s) = (w, 0usize);
    while !w.is_empty() {
        s = s.wrapping_add(record(&mut w).unwrap().sum());
    }
    s
}

fn enc_plain(s: &&'static Vec<W2>, o: &mut Vec<u8>) {
    fn text(s: &str, o: &mut Vec<u8>) {
        o.extend_from_slice(&(s.len() as u32 + 1).to_le_bytes());
        o.extend_from_slice(s.as_bytes());
        o.push(0);
    }
    for x in s.iter() {
        o.push(x.a as u8);
        match x.b {
            Nullable::Null(k) => o.extend_from_slice(&[k, 0, 0]),
            Nullable::Value(v) => {
                o.push(0xFF);
                o.extend_from_slice(&v.to_le_bytes());
            }
        }
        match &x.c {
            None => o.extend_from_slice(&[0; 5]),
            Some(t) => {
                o.push(0xFF);
                text(t, o);
            }
        }
        text(&x.d, o);
    }
}

/// The size of a record first, one reserve for it, then raw stores.
fn enc_reserve(s: &&'static Vec<W2>, o: &mut Vec<u8>) {
    for x in s.iter() {
        let (cp, cs) = match &x.c {
            None => (0, &[][..]),
            Some(t) => (0xFF, t.as_bytes()),
        };
        let cn = if cp == 0 { 0 } else { cs.len() + 1 };
        let n = 9 + cn + 4 + x.d.len() + 1;
        o.reserve(n);
        // SAFETY: `n` bytes were reserved, and `n` are written.
        unsafe {
            let at = o.len();
            let q = o.as_mut_ptr().add(at);
            let (bp, bv) = match x.b {
                Nullable::Null(k) => (k, 0),
                Nullable::Value(v) => (0xFF, v),
            };
            q.write(x.a as u8);
            q.add(1).write(bp);
            q.add(2).cast::<[u8; 2]>().write(bv.to_le_bytes());
            q.add(4).write(cp);
            q.add(5).cast::<[u8; 4]>().write((cn as u32).to_le_bytes());
            copy_short(cs.as_ptr(), q.add(9), cs.len());
            if cn > 0 {
                q.add(9 + cs.len()).write(0);
            }
            let q = q.add(9 + cn);
            q.cast::<[u8; 4]>().write((x.d.len() as u32 + 1).to_le_bytes());
            copy_short(x.d.as_ptr(), q.add(4), x.d.len());
            q.add(4 + x.d.len()).write(0);
            o.set_len(at + n);
        }
    }
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    let dec = ("W2", "decode");
    r.dec(dec, "hand/plain", Exact, None, dec_plain, w2_ok);
    r.dec(dec, "hand/wide", Exact, None, dec_wide, w2_ok);
    let (borrow, sum) = (("W2", "borrow"), data().w2_sum);
    r.borrow(borrow, "hand/plain", Exact, None, borrow_plain, sum);
    r.borrow(borrow, "hand/wide", Exact, None, borrow_wide, sum);
    r.borrow(borrow, "hand/wide, in place", Exact, None, borrow_in_place, sum);
    r.borrow(borrow, "hand/iterator", Exact, None, iterate, sum).kind(Kind::Iterator);
    let enc = ("W2", "encode");
    r.enc(enc, "hand/plain", Exact, src_w2, enc_plain);
    r.enc(enc, "hand/reserve", Exact, src_w2, enc_reserve);
}
