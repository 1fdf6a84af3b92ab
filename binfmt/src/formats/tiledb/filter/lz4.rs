//! A raw LZ4 block, without a length.

use super::compress::{Codec, append, full};
use super::stage::failed;
use crate::Result;
use lz4::block;

pub(crate) struct Lz4;

impl Codec for Lz4 {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let room = block::compress_bound(part.len()).map_err(|e| failed("lz4", e))?;
        append(out, room, |to| block::compress_to_buffer(part, None, false, to).map_err(|e| failed("lz4", e)))
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let len = i32::try_from(out.len()).map_err(|_| failed("lz4", "the part is too long"))?;
        let found = block::decompress_to_buffer(part, Some(len), out).map_err(|e| failed("lz4", e))?;
        full("lz4", found, out.len())
    }
}
