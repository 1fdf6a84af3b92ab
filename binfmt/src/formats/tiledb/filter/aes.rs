//! AES-256-GCM: every part by itself, with an initialisation vector of its own and nothing else authenticated.

use super::metadata::Metadata;
use super::stage::{
    NewMetadata, Stage, Target, each_part, failed, len32, nothing_left, piece, piece_mut, total,
};
use crate::formats::tiledb::layout::parts::{Encrypted, Parts};
use crate::formats::tiledb::room::{random, zeros};
use crate::{ErrorKind, KeyProblem, Result};
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce, Tag};
use std::fmt;

const NAME: &str = "AES-256-GCM";

/// The key of an encrypted array: 32 bytes. Does not print them.
///
/// ```
/// use binfmt::formats::tiledb::Key;
/// let key = Key::new(*b"0123456789abcdeF0123456789abcdeF");
/// assert_eq!(format!("{key:?}"), "Key(..)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of these bytes.
    ///
    /// ```
    /// let key = binfmt::formats::tiledb::Key::new([7; 32]);
    /// ```
    pub const fn new(bytes: [u8; 32]) -> Self {
        Key(bytes)
    }

    /// The key that people write: 32 characters, or 64 hexadecimal digits; `None` of anything else.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Key;
    /// assert_eq!(Key::from_text(&[b'7'; 64]), Some(Key::new([0x77; 32])));
    /// assert_eq!(Key::from_text(&[b'7'; 32]), Some(Key::new([b'7'; 32])));
    /// assert!(Key::from_text(b"too short").is_none());
    /// ```
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let pairs = || text.as_chunks::<2>().0.iter();
        let bytes = match text.len() {
            64 => {
                pairs().map(|[a, b]| Some((digit(a)? << 4 | digit(b)?) as u8)).collect::<Option<Vec<u8>>>()?
            }
            _ => text.to_vec(),
        };
        bytes.try_into().ok().map(Key)
    }

    /// Its bytes, which are a secret.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::Key::new([7; 32]).as_bytes(), &[7; 32]);
    /// ```
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

pub(crate) struct Aes {
    cipher: Aes256Gcm,
}

impl Aes {
    pub(crate) fn new(key: &Key) -> Self {
        Aes { cipher: Aes256Gcm::new(&key.0.into()) }
    }

    /// Encrypts in place.
    fn encrypt(&self, bytes: &mut [u8]) -> Result<Encrypted> {
        let iv = random()?;
        let len = len32(bytes.len())?;
        let tag = self
            .cipher
            .encrypt_inout_detached(&Nonce::from(iv), &[], bytes.into())
            .map_err(|e| failed(NAME, e))?;
        Ok(Encrypted { original: len, encrypted: len, iv, tag: tag.into() })
    }

    /// The bytes of the parts, one after the other.
    fn decrypt_all(&self, parts: &[Encrypted], data: &mut &[u8], mut out: &mut [u8]) -> Result<()> {
        for part in parts {
            let to = piece_mut(&mut out, part.original as usize)?;
            to.copy_from_slice(piece(data, part.encrypted as usize)?);
            self.cipher
                .decrypt_inout_detached(&Nonce::from(part.iv), &[], to.into(), &Tag::from(part.tag))
                .map_err(|_| ErrorKind::Key(KeyProblem::Wrong))?;
        }
        Ok(())
    }
}

impl Stage for Aes {
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        each_part(metadata, data, |bytes| {
            let at = out.len();
            out.extend_from_slice(bytes);
            self.encrypt(&mut out[at..])
        })
    }

    fn undo(&mut self, metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
        let parts: Parts<Encrypted> = metadata.take()?;
        metadata.finish()?;
        if parts.metadata.iter().chain(&parts.data).any(|p| p.original != p.encrypted) {
            return Err(failed(NAME, "the two lengths of a part differ"));
        }
        let mut bytes = zeros(total(parts.metadata.iter().map(|p| p.original))?.min(data.len()))?;
        self.decrypt_all(&parts.metadata, &mut data, &mut bytes)?;
        metadata.replace(bytes);
        let out = out.room(total(parts.data.iter().map(|p| p.original))?)?;
        self.decrypt_all(&parts.data, &mut data, out)?;
        nothing_left(data)
    }
}
