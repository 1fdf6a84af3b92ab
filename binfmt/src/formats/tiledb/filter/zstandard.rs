//! One Zstandard frame with its content size.

use super::compress::{Codec, append, full};
use super::stage::failed;
use crate::Result;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::compress_bound;

pub(crate) struct Zstandard {
    level: i32,
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
}

impl Zstandard {
    pub(crate) fn new(level: i32) -> Self {
        // -1 is TileDB's "default"
        Zstandard { level: if level == -1 { 5 } else { level }, compressor: None, decompressor: None }
    }
}

/// The context, made when it is needed first.
fn get<T>(slot: &mut Option<T>, make: impl FnOnce() -> std::io::Result<T>) -> Result<&mut T> {
    let made = match slot.take() {
        Some(made) => made,
        None => make().map_err(|e| failed("zstd", e))?,
    };
    Ok(slot.insert(made))
}

impl Codec for Zstandard {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let level = self.level;
        let compressor = get(&mut self.compressor, || Compressor::new(level))?;
        append(out, compress_bound(part.len()), |to| {
            compressor.compress_to_buffer(part, to).map_err(|e| failed("zstd", e))
        })
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let decompressor = get(&mut self.decompressor, Decompressor::new)?;
        let found = decompressor.decompress_to_buffer(part, out).map_err(|e| failed("zstd", e))?;
        full("zstd", found, out.len())
    }
}
