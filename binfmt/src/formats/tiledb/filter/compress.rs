//! What all compressors share: every metadata part and then the data are compressed by themselves.

use super::parts::{Compressed, Metadata, Parts};
use super::stage::{Pieces, Stage, Target, len32, nothing_left, piece, piece_mut, total};
use crate::{Error, Result};

/// A compressor of one part.
pub(crate) trait Codec: Send {
    fn compress(&mut self, part: &[u8]) -> Result<Vec<u8>>;
    /// Fills `out`, no more and no less.
    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()>;
}

/// A compressor as a filter.
pub(crate) struct Compress<C>(pub(crate) C);

impl<C: Codec> Stage for Compress<C> {
    fn apply(&mut self, chunk: &mut Pieces) -> Result<()> {
        let mut data = Vec::new();
        let mut part = |bytes: &[u8]| -> Result<Compressed> {
            let out = self.0.compress(bytes)?;
            data.extend_from_slice(&out);
            Ok(Compressed { original: len32(bytes.len())?, compressed: len32(out.len())? })
        };
        let metadata = chunk.metadata.iter().map(|bytes| part(bytes)).collect::<Result<Vec<_>>>()?;
        let body = vec![part(&chunk.data)?];
        chunk.metadata.clear();
        let parts = Parts { num_metadata: 0, num_data: 0, metadata, data: body };
        chunk.put(crate::to_vec(&parts)?, data);
        Ok(())
    }

    fn undo(&mut self, metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
        let parts: Parts<Compressed> = metadata.take()?;
        metadata.finish()?;
        let len = total(parts.metadata.iter().map(|p| p.original))?;
        if len > out.limit() {
            let text = format!("{len} bytes of metadata are more than the chunk can have");
            return Err(Error::message(text, 0));
        }
        let mut bytes = vec![0; len];
        self.decompress_all(&parts.metadata, &mut data, &mut bytes)?;
        metadata.replace(bytes);
        let out = out.room(total(parts.data.iter().map(|p| p.original))?)?;
        self.decompress_all(&parts.data, &mut data, out)?;
        nothing_left(data)
    }
}

impl<C: Codec> Compress<C> {
    fn decompress_all(&mut self, parts: &[Compressed], data: &mut &[u8], mut out: &mut [u8]) -> Result<()> {
        for part in parts {
            let to = piece_mut(&mut out, part.original as usize)?;
            self.0.decompress(piece(data, part.compressed as usize)?, to)?;
        }
        Ok(())
    }
}

/// The error of a library that compresses.
pub(crate) fn failed(name: &str, why: impl std::fmt::Display) -> Error {
    Error::message(format!("{name}: {why}"), 0)
}

/// The part gave fewer bytes than it should.
pub(crate) fn short(name: &str, found: usize, expected: usize) -> Error {
    Error::message(format!("{name}: the part gives {found} bytes, {expected} expected"), 0)
}
