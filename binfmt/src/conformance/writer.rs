//! A writer that fails where it is told to.

use std::io::{Error, ErrorKind, Result, Write};

/// Takes that many bytes, then fails: what a full disk does.
///
/// ```
/// use binfmt::conformance::FailingWriter;
/// let e = binfmt::to_writer(&7u32, FailingWriter::new(3)).unwrap_err();
/// assert!(e.to_string().contains("no space"));
/// ```
#[derive(Clone, Debug)]
pub struct FailingWriter {
    left: usize,
}

impl FailingWriter {
    /// Fails after `bytes` bytes.
    ///
    /// ```
    /// use std::io::Write;
    /// assert_eq!(binfmt::conformance::FailingWriter::new(3).write(b"abcd").unwrap(), 3);
    /// ```
    pub fn new(bytes: usize) -> Self {
        FailingWriter { left: bytes }
    }
}

impl Write for FailingWriter {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let n = bytes.len().min(self.left);
        if n == 0 && !bytes.is_empty() {
            return Err(Error::new(ErrorKind::StorageFull, "no space left"));
        }
        self.left -= n;
        Ok(n)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
