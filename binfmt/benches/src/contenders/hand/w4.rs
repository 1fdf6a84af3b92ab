//! W4: nested messages with counts.

use super::*;
use crate::data::{Attribute, Filter, Pipeline};

/// A check for each field.
fn one_plain(w: &mut &[u8]) -> Result<Attribute> {
    let n = u32::from_le_bytes(*run(w)?) as usize;
    let name = std::str::from_utf8(take(w, n)?).map_err(|_| Bad)?.to_owned();
    let datatype = run::<1>(w)?[0];
    let cell_val_num = u32::from_le_bytes(*run(w)?);
    let max_chunk = u32::from_le_bytes(*run(w)?);
    let n = u32::from_le_bytes(*run(w)?) as usize;
    // A filter has 5 bytes at least: no count makes this larger than the input.
    let mut filters = Vec::with_capacity(n.min(w.len() / 5));
    for _ in 0..n {
        let ty = run::<1>(w)?[0];
        let n = u32::from_le_bytes(*run(w)?) as usize;
        filters.push(Filter { ty, md: take(w, n)?.to_vec() });
    }
    Ok(Attribute { name, datatype, cell_val_num, pipeline: Pipeline { max_chunk, filters } })
}

fn dec_plain(w: &[u8]) -> Vec<Attribute> {
    let mut w = w;
    let mut v = Vec::with_capacity(w.len() / 48);
    while !w.is_empty() {
        v.push(one_plain(&mut w).unwrap());
    }
    v
}

/// One check for each run of fixed fields, and every field stored straight into its slot of the `Vec`.
#[inline(always)]
fn one_in_place(w: &mut &[u8], slot: *mut Attribute) -> Result<()> {
    let n = u32::from_le_bytes(*run(w)?) as usize;
    let name = wide_str(w, n)?;
    take(w, n)?;
    let h: &[u8; 13] = run(w)?;
    let n = u32_at(h, 9) as usize;
    let mut filters: Vec<Filter> = Vec::with_capacity(n.min(w.len() / 5));
    for i in 0..n {
        let f: &[u8; 5] = run(w)?;
        let md = take(w, u32_at(f, 1) as usize)?;
        // SAFETY: every pass consumed 5 bytes, so `i` is below the capacity.
        unsafe {
            filters.as_mut_ptr().add(i).write(Filter { ty: f[0], md: small_vec(md) });
            filters.set_len(i + 1);
        }
    }
    // SAFETY: the caller's slot is valid for writes.
    unsafe {
        (&raw mut (*slot).name).write(small_string(name));
        (&raw mut (*slot).datatype).write(h[0]);
        (&raw mut (*slot).cell_val_num).write(u32_at(h, 1));
        (&raw mut (*slot).pipeline.max_chunk).write(u32_at(h, 5));
        (&raw mut (*slot).pipeline.filters).write(filters);
    }
    Ok(())
}

fn dec_in_place(w: &[u8]) -> Vec<Attribute> {
    let mut w = w;
    let mut v: Vec<Attribute> = Vec::with_capacity(w.len() / 48);
    while !w.is_empty() {
        v.reserve(1);
        // SAFETY: there is room for one more, and it is written before it counts.
        unsafe {
            let n = v.len();
            one_in_place(&mut w, v.as_mut_ptr().add(n)).unwrap();
            v.set_len(n + 1);
        }
    }
    v
}

fn enc_plain(s: &&'static Vec<Attribute>, o: &mut Vec<u8>) {
    for x in s.iter() {
        o.extend_from_slice(&(x.name.len() as u32).to_le_bytes());
        o.extend_from_slice(x.name.as_bytes());
        o.push(x.datatype);
        o.extend_from_slice(&x.cell_val_num.to_le_bytes());
        o.extend_from_slice(&x.pipeline.max_chunk.to_le_bytes());
        o.extend_from_slice(&(x.pipeline.filters.len() as u32).to_le_bytes());
        for f in &x.pipeline.filters {
            o.push(f.ty);
            o.extend_from_slice(&(f.md.len() as u32).to_le_bytes());
            o.extend_from_slice(&f.md);
        }
    }
}

/// The size of a message first, one reserve for it, then raw stores.
fn enc_reserve(s: &&'static Vec<Attribute>, o: &mut Vec<u8>) {
    for x in s.iter() {
        let n = 17 + x.name.len() + x.pipeline.filters.iter().map(|f| 5 + f.md.len()).sum::<usize>();
        o.reserve(n);
        // SAFETY: `n` bytes were reserved, and `n` are written.
        unsafe {
            let at = o.len();
            let mut q = o.as_mut_ptr().add(at);
            q.cast::<[u8; 4]>().write((x.name.len() as u32).to_le_bytes());
            copy_short(x.name.as_ptr(), q.add(4), x.name.len());
            q = q.add(4 + x.name.len());
            q.write(x.datatype);
            q.add(1).cast::<[u8; 4]>().write(x.cell_val_num.to_le_bytes());
            q.add(5).cast::<[u8; 4]>().write(x.pipeline.max_chunk.to_le_bytes());
            q.add(9).cast::<[u8; 4]>().write((x.pipeline.filters.len() as u32).to_le_bytes());
            q = q.add(13);
            for f in &x.pipeline.filters {
                q.write(f.ty);
                q.add(1).cast::<[u8; 4]>().write((f.md.len() as u32).to_le_bytes());
                copy_short(f.md.as_ptr(), q.add(5), f.md.len());
                q = q.add(5 + f.md.len());
            }
            o.set_len(at + n);
        }
    }
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    r.dec(("W4", "decode"), "hand/plain", Exact, None, dec_plain, w4_ok);
    r.dec(("W4", "decode"), "hand/in place", Exact, None, dec_in_place, w4_ok);
    r.enc(("W4", "encode"), "hand/plain", Exact, src_w4, enc_plain);
    r.enc(("W4", "encode"), "hand/reserve", Exact, src_w4, enc_reserve);
}
