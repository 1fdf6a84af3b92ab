//! Compressed files of any format: found out by their content, and read as what they become.

use crate::probe::Probe;
pub(crate) use binfmt::formats::packed::{Compression, Unpacked};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// As many bytes as tell that a file is not compressed.
pub(crate) const TELLING: usize = 13;

/// How the file of this name is compressed that begins with these bytes, [`Probe::BYTES`] of them if there are that many. The
/// bytes of a file that has no mark of its own may be any: what they seem to be is tried before it is believed, unless the
/// name says the same. `is_known` tells whether bytes are those of a format.
pub(crate) fn of(head: &[u8], path: &Path, is_known: impl Fn(&Probe<'_>) -> bool) -> Compression {
    let found = Compression::of(head);
    let named = by_name(path) != Compression::None;
    let is_so = named
        || match found {
            Compression::None | Compression::Xz | Compression::Zstd => true,
            Compression::Gzip => is_header(head) && front(head, 1).is_some(),
            // there is no mark, and hardly any bytes that cannot be unpacked
            Compression::Lzma => front(head, Probe::BYTES).is_some_and(|front| {
                let probe = Probe { head: &front, path: Path::new(""), is_directory: false };
                is_known(&probe)
            }),
        };
    if is_so { found } else { Compression::None }
}

/// What the name of a file says.
pub(crate) fn by_name(path: &Path) -> Compression {
    Compression::by_name(&path.to_string_lossy().to_lowercase())
}

/// The name of what a file is that may be packed: it is read as what it becomes.
pub(crate) fn name_inside(name: &str) -> &str {
    [".gz", ".xz", ".lzma", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// As messages and `inspect` call it.
pub(crate) fn name(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::None => None,
        Compression::Gzip => Some("gzip"),
        Compression::Xz => Some("xz"),
        Compression::Lzma => Some("lzma"),
        Compression::Zstd => Some("zstd"),
    }
}

/// Whether the first ten bytes of a gzip file can be that: the only method, no unknown flags, a level and a system.
fn is_header(head: &[u8]) -> bool {
    match head {
        [_, _, method, flags, _, _, _, _, level, system, ..] => {
            *method == 8 && flags & 0xe0 == 0 && matches!(level, 0 | 2 | 4) && matches!(system, 0..=13 | 255)
        }
        _ => false,
    }
}

/// The first bytes of what is in it; `None` if there cannot be any.
fn front(head: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut front = Vec::new();
    match Unpacked::new(head, u64::MAX).and_then(|packed| packed.take(most as u64).read_to_end(&mut front)) {
        Ok(_) => Some(front),
        // there is more than was looked at
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Some(front),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Compression, Path};
    use binfmt::formats::packed::Packed;
    use std::io::Write;

    fn of(head: &[u8], path: &Path) -> Compression {
        super::of(head, path, |_| false)
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn numbers_that_look_like_gzip_are_numbers() {
        let path = Path::new("cells.bin");
        assert_eq!(of(&gz(b"abc"), path), Compression::Gzip);
        assert_eq!(of(&gz(b""), path), Compression::Gzip);
        // cut anywhere after its header
        assert_eq!(of(&gz(&[7; 1000])[..11], path), Compression::Gzip);
        // one of the type int64, and others after it
        let number = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
        for next in [[0xff; 8], [7; 8], [0, 3, 0x77, 0, 0, 0, 0, 0]] {
            assert_eq!(of(&[number, next, [0xff; 8]].concat(), path), Compression::None, "{next:?}");
        }
        // whose name says it is taken at its word, and the damage is told
        assert_eq!(of(b"\x1f\x8b\x08\0\0", Path::new("CELLS.GZ")), Compression::Gzip);
        assert_eq!(of(b"plain", Path::new("cells.gz")), Compression::None);
    }

    #[test]
    fn what_has_no_mark_must_be_of_a_format() {
        // properties, a dictionary of 8 MiB, an unknown size: anything
        let head = [&[0x5d, 0, 0, 0x80, 0][..], &[0xff; 8], &[0; 64]].concat();
        assert_eq!(Compression::of(&head), Compression::Lzma);
        assert_eq!(of(&head, Path::new("cells.bin")), Compression::None);
        assert_eq!(of(&head, Path::new("cells.lzma")), Compression::Lzma);
    }
}
