//! A bzip2 stream.

use super::compress::{Codec, full};
use super::stage::failed;
use crate::Result;
use bzip2::{Action, Compress, Compression, Decompress, Status};

pub(crate) struct Bzip {
    pub(crate) level: i32,
}

impl Codec for Bzip {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let level = u32::try_from(self.level).map_or(1, |level| level.clamp(1, 9));
        let mut bzip = Compress::new(Compression::new(level), 0);
        // the bound of the library itself
        out.reserve(part.len() + part.len() / 100 + 600);
        loop {
            let rest = &part[bzip.total_in() as usize..];
            let status = bzip.compress_vec(rest, out, Action::Finish).map_err(|e| failed("bzip2", e))?;
            match status {
                Status::StreamEnd => return Ok(()),
                _ => out.reserve(out.len().max(600)),
            }
        }
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let mut bzip = Decompress::new(false);
        loop {
            let (used, done) = (bzip.total_in() as usize, bzip.total_out() as usize);
            let rest = &part[used..];
            let to = &mut out[done..];
            let status = bzip.decompress(rest, to).map_err(|e| failed("bzip2", e))?;
            if status == Status::StreamEnd {
                return full("bzip2", bzip.total_out() as usize, out.len());
            }
            if bzip.total_in() as usize == used && bzip.total_out() as usize == done {
                return Err(failed("bzip2", "the part is cut off, or longer than it says"));
            }
        }
    }
}
