//! SHA-256, which the platform keeps beside each file.

use alloc::format;
use alloc::string::String;
use sha2::{Digest, Sha256};

/// The checksum of bytes that come piece by piece.
///
/// ```
/// use binfmt::formats::beat::Checksum;
/// let mut sum = Checksum::new();
/// sum.update(b"ab");
/// sum.update(b"c");
/// assert_eq!(sum.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checksum {
    sum: Sha256,
}

impl Checksum {
    /// Of no bytes yet.
    ///
    /// ```
    /// assert!(binfmt::formats::beat::Checksum::new().finish().starts_with("e3b0c442"));
    /// ```
    pub fn new() -> Self {
        Checksum::default()
    }

    /// More bytes.
    ///
    /// ```
    /// binfmt::formats::beat::Checksum::new().update(b"abc");
    /// ```
    pub fn update(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
    }

    /// The checksum of all bytes: 64 hexadecimal digits.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::Checksum::new().finish().len(), 64);
    /// ```
    pub fn finish(self) -> String {
        self.sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
