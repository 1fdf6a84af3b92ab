//! Bytes of the fuzzer, taken apart.

use std::io::Read;

/// A reader that gives what it has in pieces of odd sizes, and is interrupted now and then.
pub(crate) struct Pieces<'a> {
    rest: &'a [u8],
    state: u8,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Pieces { rest: bytes, state: bytes.len() as u8 }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        self.state = self.state.wrapping_mul(37).wrapping_add(11);
        if self.state & 15 == 3 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let n = buf.len().min(self.rest.len()).min(1 + usize::from(self.state & 63));
        let (piece, rest) = self.rest.split_at(n);
        buf[..n].copy_from_slice(piece);
        self.rest = rest;
        Ok(n)
    }
}

/// Two parts: a `u16` says how long the first is.
pub(crate) fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((len, rest)) = data.split_first_chunk::<2>() else { return (&[], data) };
    rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()))
}

/// Choices, made from bytes; zeros when there are no more.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    pub(crate) fn is(&mut self, one_in: u8) -> bool {
        self.byte() % one_in == one_in - 1
    }

    pub(crate) fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()].clone()
    }

    /// So many bytes, or what is left.
    pub(crate) fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
