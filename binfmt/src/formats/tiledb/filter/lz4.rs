//! A raw LZ4 block, without a length.

use super::compress::{Codec, failed, short};
use crate::Result;
use lz4_flex::block;

pub(crate) struct Lz4;

impl Codec for Lz4 {
    fn compress(&mut self, part: &[u8]) -> Result<Vec<u8>> {
        Ok(block::compress(part))
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let found = block::decompress_into(part, out).map_err(|e| failed("lz4", e))?;
        if found == out.len() { Ok(()) } else { Err(short("lz4", found, out.len())) }
    }
}
