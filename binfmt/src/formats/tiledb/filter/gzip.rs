//! Deflate in a zlib container (not in gzip's).

use super::compress::{Codec, append, full};
use super::stage::failed;
use crate::Result;
use crate::wire::amount::known;
use libdeflater::{CompressionLvl, Compressor, Decompressor};

pub(crate) struct Gzip {
    level: i32,
    deflate: Option<Compressor>,
    inflate: Option<Decompressor>,
}

impl Gzip {
    pub(crate) fn new(level: i32) -> Self {
        Gzip { level, deflate: None, inflate: None }
    }
}

impl Codec for Gzip {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let deflate = self.deflate.get_or_insert_with(|| {
            // -1 is zlib's default, 6
            let level = if self.level < 0 { 6 } else { self.level.min(9) };
            Compressor::new(known(CompressionLvl::new(level).ok()))
        });
        append(out, deflate.zlib_compress_bound(part.len()), |to| {
            deflate.zlib_compress(part, to).map_err(|e| failed("zlib", e))
        })
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let inflate = self.inflate.get_or_insert_with(Decompressor::new);
        let found = inflate.zlib_decompress(part, out).map_err(|e| failed("zlib", e))?;
        full("zlib", found, out.len())
    }
}
