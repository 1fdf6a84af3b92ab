//! W5: rows of numbers to columns and back.

use super::*;
use crate::data::Cols;

macro_rules! w5 {
    ($from:ident, $to:ident, $rows:ident, $blocks:ident, $enc_rows:ident, $enc_blocks:ident) => {
        /// Five pushes for each row.
        fn $rows(w: &[u8]) -> Cols {
            let (rows, rest) = w.as_chunks::<26>();
            assert!(rest.is_empty());
            let mut c = Cols::with_capacity(rows.len());
            for r in rows {
                c.push(
                    i32::$from(*r[0..].first_chunk().unwrap()),
                    f64::$from(*r[4..].first_chunk().unwrap()),
                    f32::$from(*r[12..].first_chunk().unwrap()),
                    i16::$from(*r[16..].first_chunk().unwrap()),
                    f64::$from(*r[18..].first_chunk().unwrap()),
                );
            }
            c
        }

        /// Blocks of 512 rows (13 KiB), one column after the other.
        fn $blocks(w: &[u8]) -> Cols {
            let (rows, rest) = w.as_chunks::<26>();
            assert!(rest.is_empty());
            let mut c = Cols::with_capacity(rows.len());
            for block in rows.chunks(512) {
                c.a.extend(block.iter().map(|r| i32::$from(*r[0..].first_chunk().unwrap())));
                c.b.extend(block.iter().map(|r| f64::$from(*r[4..].first_chunk().unwrap())));
                c.c.extend(block.iter().map(|r| f32::$from(*r[12..].first_chunk().unwrap())));
                c.d.extend(block.iter().map(|r| i16::$from(*r[16..].first_chunk().unwrap())));
                c.e.extend(block.iter().map(|r| f64::$from(*r[18..].first_chunk().unwrap())));
            }
            c
        }

        /// One row as an array after the other.
        fn $enc_rows(s: &&'static Cols, o: &mut Vec<u8>) {
            o.reserve(s.a.len() * 26);
            for ((((a, b), c), d), e) in s.a.iter().zip(&s.b).zip(&s.c).zip(&s.d).zip(&s.e) {
                let mut r = [0u8; 26];
                r[0..4].copy_from_slice(&a.$to());
                r[4..12].copy_from_slice(&b.$to());
                r[12..16].copy_from_slice(&c.$to());
                r[16..18].copy_from_slice(&d.$to());
                r[18..26].copy_from_slice(&e.$to());
                o.extend_from_slice(&r);
            }
        }

        /// Blocks of 512 rows, one column after the other into each.
        fn $enc_blocks(s: &&'static Cols, o: &mut Vec<u8>) {
            let n = s.a.len();
            assert!(s.b.len() == n && s.c.len() == n && s.d.len() == n && s.e.len() == n);
            o.reserve(n * 26);
            for k in (0..n).step_by(512) {
                let (m, start) = ((n - k).min(512), o.len());
                o.resize(start + m * 26, 0);
                let block = o[start..].as_chunks_mut::<26>().0;
                block.iter_mut().zip(&s.a[k..k + m]).for_each(|(r, x)| r[0..4].copy_from_slice(&x.$to()));
                block.iter_mut().zip(&s.b[k..k + m]).for_each(|(r, x)| r[4..12].copy_from_slice(&x.$to()));
                block.iter_mut().zip(&s.c[k..k + m]).for_each(|(r, x)| r[12..16].copy_from_slice(&x.$to()));
                block.iter_mut().zip(&s.d[k..k + m]).for_each(|(r, x)| r[16..18].copy_from_slice(&x.$to()));
                block.iter_mut().zip(&s.e[k..k + m]).for_each(|(r, x)| r[18..26].copy_from_slice(&x.$to()));
            }
        }
    };
}
w5!(from_le_bytes, to_le_bytes, le_rows, le_blocks, le_enc_rows, le_enc_blocks);
w5!(from_be_bytes, to_be_bytes, be_rows, be_blocks, be_enc_rows, be_enc_blocks);

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    r.dec(("W5", "le-dec"), "hand/safe-rows", Exact, None, le_rows, cols_ok);
    r.dec(("W5", "le-dec"), "hand/safe-blocks", Exact, None, le_blocks, cols_ok);
    r.dec(("W5", "be-dec"), "hand/safe-rows", Exact, None, be_rows, cols_ok);
    r.dec(("W5", "be-dec"), "hand/safe-blocks", Exact, None, be_blocks, cols_ok);
    r.enc(("W5", "le-enc"), "hand/safe-rows", Exact, src_cols, le_enc_rows);
    r.enc(("W5", "le-enc"), "hand/safe-blocks", Exact, src_cols, le_enc_blocks);
    r.enc(("W5", "be-enc"), "hand/safe-rows", Exact, src_cols, be_enc_rows);
    r.enc(("W5", "be-enc"), "hand/safe-blocks", Exact, src_cols, be_enc_blocks);
}
