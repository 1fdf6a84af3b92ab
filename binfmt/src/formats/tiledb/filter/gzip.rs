//! Deflate in a zlib container (not in gzip's).

use super::compress::{Codec, failed, short};
use crate::Result;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

pub(crate) struct Gzip {
    level: i32,
    inflate: Option<Decompress>,
}

impl Gzip {
    pub(crate) fn new(level: i32) -> Self {
        Gzip { level, inflate: None }
    }
}

impl Codec for Gzip {
    fn compress(&mut self, part: &[u8]) -> Result<Vec<u8>> {
        let level = u32::try_from(self.level).map_or(6, |level| level.min(9));
        let mut deflate = Compress::new(Compression::new(level), true);
        // the bound of zlib itself
        let mut out = Vec::with_capacity(part.len() + part.len() / 1000 + 64);
        loop {
            let at = deflate.total_in() as usize;
            let rest = part.get(at..).unwrap_or_default();
            let status = deflate.compress_vec(rest, &mut out, FlushCompress::Finish);
            match status.map_err(|e| failed("zlib", e))? {
                Status::StreamEnd => return Ok(out),
                Status::Ok | Status::BufError => out.reserve(out.len().max(64)),
            }
        }
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let inflate = self.inflate.get_or_insert_with(|| Decompress::new(true));
        inflate.reset(true);
        let status = inflate.decompress(part, out, FlushDecompress::Finish).map_err(|e| failed("zlib", e))?;
        let found = inflate.total_out() as usize;
        match status {
            Status::StreamEnd if found == out.len() => Ok(()),
            Status::StreamEnd => Err(short("zlib", found, out.len())),
            Status::Ok | Status::BufError if found == out.len() => {
                Err(failed("zlib", "the part is longer than it says, or cut off"))
            }
            Status::Ok | Status::BufError => Err(failed("zlib", "the part is cut off")),
        }
    }
}
