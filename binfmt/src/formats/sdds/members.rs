//! The members of a gzip file, one after the other.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// What all members are together. Zeros after the last one are passed over, with which tapes and block devices fill the rest of a block
/// (gzip manual, § Tapes).
pub(super) struct Members<R> {
    /// `None` while one ends and the next begins, and after an error.
    member: Option<GzDecoder<R>>,
    is_over: bool,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(reader: R) -> Self {
        Members { member: Some(GzDecoder::new(reader)), is_over: false }
    }

    /// Begins with the next member, if there is one.
    fn next(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        let mut reader = member.into_inner();
        let first = loop {
            let bytes = reader.fill_buf()?;
            match bytes.iter().position(|b| *b != 0) {
                None if bytes.is_empty() => break None,
                None => {
                    let zeros = bytes.len();
                    reader.consume(zeros);
                }
                Some(zeros) => {
                    let first = bytes.get(zeros).copied();
                    reader.consume(zeros);
                    break first;
                }
            }
        };
        match first {
            None => self.is_over = true,
            Some(0x1f) => self.member = Some(GzDecoder::new(reader)),
            Some(_) => {
                let text = "after the compressed bytes come others, which are neither gzip nor zeros";
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = self.member.as_mut().filter(|_| !out.is_empty()) {
            match member.read(out)? {
                0 => self.next()?,
                n => return Ok(n),
            }
        }
        match self.is_over || out.is_empty() {
            true => Ok(0),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "the compressed bytes are damaged")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Members::new(bytes).read_to_end(&mut out).map(|_| out)
    }

    #[test]
    fn members_and_zeros_after_them() {
        let (one, two) = (packed(b"one "), packed(b"two"));
        for zeros in [0, 1, 511, 100_000] {
            let file = [&one[..], &two, &vec![0; zeros]].concat();
            assert_eq!(unpacked(&file).unwrap(), b"one two", "{zeros}");
        }
        assert_eq!(unpacked(&[&one[..], &[0; 9], &two].concat()).unwrap(), b"one two");
        let e = unpacked(&[&one[..], &[0, 0, 7]].concat()).unwrap_err();
        assert_eq!(e.to_string(), "after the compressed bytes come others, which are neither gzip nor zeros");
        for end in 1..two.len() {
            assert!(unpacked(&[&one[..], &two[..end]].concat()).is_err(), "{end}");
        }
    }
}
