//! W6: rows with text to columns and back.

use super::*;
use crate::data::Nullable;

/// Columns by hand: texts as offsets and one string.
#[derive(Default)]
pub struct Cols6 {
    id: Vec<i64>,
    weight_codes: Vec<u8>,
    weight: Vec<f64>,
    name_codes: Vec<u8>,
    name_ends: Vec<usize>,
    name: String,
    speed: Vec<f32>,
}

fn one(w: &mut &[u8], c: &mut Cols6) -> Result<()> {
    let h: &[u8; 18] = run(w)?;
    c.id.push(i64::from_le_bytes(*h[0..].first_chunk().unwrap()));
    c.weight_codes.push(h[8]);
    let weight = f64::from_le_bytes(*h[9..].first_chunk().unwrap());
    match h[8] {
        0xFF => c.weight.push(weight),
        0..128 => c.weight.push(0.0),
        _ => return Err(Bad),
    }
    c.name_codes.push(h[17]);
    let n = u32::from_le_bytes(*run(w)?) as usize;
    match h[17] {
        0xFF => {
            let text = n.checked_sub(1).ok_or(Bad)?;
            let s = wide_str(w, text)?;
            if w.get(text) != Some(&0) {
                return Err(Bad);
            }
            c.name.push_str(s);
        }
        0..128 => {}
        _ => return Err(Bad),
    }
    take(w, n)?;
    c.name_ends.push(c.name.len());
    c.speed.push(f32::from_le_bytes(*run(w)?));
    Ok(())
}

fn decode(w: &[u8]) -> Cols6 {
    let mut w = w;
    let mut c = Cols6::default();
    // room for rows of the smallest size
    let n = w.len() / 30;
    c.id.reserve(n);
    c.weight_codes.reserve(n);
    c.weight.reserve(n);
    c.name_codes.reserve(n);
    c.name_ends.reserve(n);
    c.name.reserve(w.len() / 2);
    c.speed.reserve(n);
    while !w.is_empty() {
        one(&mut w, &mut c).unwrap();
    }
    c
}

fn encode(c: &Cols6, o: &mut Vec<u8>) {
    o.reserve(c.id.len() * 26 + c.name.len());
    let mut start = 0;
    for i in 0..c.id.len() {
        let mut h = [0; 18];
        h[..8].copy_from_slice(&c.id[i].to_le_bytes());
        h[8] = c.weight_codes[i];
        h[9..17].copy_from_slice(&c.weight[i].to_le_bytes());
        h[17] = c.name_codes[i];
        o.extend_from_slice(&h);
        let text = &c.name.as_bytes()[start..c.name_ends[i]];
        start = c.name_ends[i];
        match c.name_codes[i] {
            0xFF => {
                o.extend_from_slice(&(text.len() as u32 + 1).to_le_bytes());
                o.extend_from_slice(text);
                o.push(0);
            }
            _ => o.extend_from_slice(&[0; 4]),
        }
        o.extend_from_slice(&c.speed[i].to_le_bytes());
    }
}

fn ok(c: &Cols6) -> bool {
    let w = &data().w6;
    let mut start = 0;
    c.id.len() == w.len()
        && w.iter().enumerate().all(|(i, x)| {
            let text = &c.name[start..c.name_ends[i]];
            start = c.name_ends[i];
            let weight = match x.weight {
                Nullable::Value(v) => (0xFF, v),
                Nullable::Null(k) => (k, 0.0),
            };
            let name = match &x.name {
                Nullable::Value(v) => (0xFF, v.as_str()),
                Nullable::Null(k) => (*k, ""),
            };
            (c.id[i], c.speed[i]) == (x.id, x.speed)
                && (c.weight_codes[i], c.weight[i]) == weight
                && (c.name_codes[i], text) == name
        })
}

pub fn register(r: &mut Registry) {
    r.dec(("W6", "decode"), "hand/columns", Wire::Exact, None, decode, ok);
    r.enc(("W6", "encode"), "hand/columns", Wire::Exact, || decode(&data().w6_wire), encode);
}
