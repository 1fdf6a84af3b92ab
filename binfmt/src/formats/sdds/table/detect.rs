//! Whether a file is an SDDS file, as far as its first bytes tell.

use crate::formats::sdds::pack::{Compression, Unpacked};
use std::io::{ErrorKind, Read};

/// What such a file begins with.
const MARK: &[u8] = b"SDDS";
/// Some editors put it in front. Such a file is refused when it is opened, which says why.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a file with these first bytes begins with `SDDS`, also when it is compressed, or after a byte order mark.
pub(super) fn begins(head: &[u8]) -> bool {
    if Compression::of(head) == Compression::None {
        return has_mark(head);
    }
    let mut front = Vec::new();
    let most = (BYTE_ORDER_MARK.len() + MARK.len()) as u64;
    let read = Unpacked::new(head, u64::MAX).and_then(|r| r.take(most).read_to_end(&mut front));
    match read {
        Ok(_) => has_mark(&front),
        // a block that is longer than what was looked at: nothing else that is known is compressed as a whole
        Err(e) => e.kind() == ErrorKind::UnexpectedEof,
    }
}

fn has_mark(front: &[u8]) -> bool {
    front.strip_prefix(BYTE_ORDER_MARK).unwrap_or(front).starts_with(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sdds::Packed;
    use std::io::Write;

    #[test]
    fn files_are_recognised_packed_or_not() {
        for head in [&b"SDDS1\n"[..], b"SDDS", b"\xef\xbb\xbfSDDS5\n", b"SDDSx"] {
            assert!(begins(head), "{}", head.escape_ascii());
            for compression in [Compression::Gzip, Compression::Xz] {
                let mut packed = Packed::new(Vec::new(), compression).unwrap();
                packed.write_all(head).unwrap();
                let packed = packed.finish().unwrap();
                assert!(begins(&packed), "{}", head.escape_ascii());
                // of what was cut off the first bytes are not there
                assert!(begins(&packed[..12]), "{}", head.escape_ascii());
            }
        }
    }

    #[test]
    fn others_are_not() {
        let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
        packed.write_all(b"a,b\n1,2\n").unwrap();
        let packed = packed.finish().unwrap();
        for head in [&b""[..], b"SDD", b"sdds1\n", b" SDDS1\n", b"a,b\n1,2\n", &packed] {
            assert!(!begins(head), "{}", head.escape_ascii());
        }
    }
}
