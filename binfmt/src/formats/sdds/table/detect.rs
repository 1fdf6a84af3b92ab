//! Whether a file is an SDDS file, as far as its first bytes tell.

use crate::formats::sdds::pack::{Compression, Unpacked};
use crate::table::Probe;
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
        // it ends before it can be told: nothing else that is known is compressed as a whole
        Err(e) => e.kind() == ErrorKind::UnexpectedEof && head.len() < Probe::PACKED_BYTES,
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
    fn a_long_block_is_looked_into() {
        let mut noise = 1u64;
        let mut next = || {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        };
        for (mark, is_one) in [(&b"SDDS1\n"[..], true), (b"a,b\n1,2\n", false)] {
            let bytes: Vec<u8> = mark.iter().copied().chain((0..200_000).map(|_| next())).collect();
            let packed = zstd::encode_all(&bytes[..], 1).unwrap();
            assert_eq!(begins(&packed[..Probe::PACKED_BYTES]), is_one);
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
