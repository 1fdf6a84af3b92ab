//! What a file of no known format may be, by its first bytes.

/// Where the bytes are, what they are, and whose they are.
type Mark = (usize, &'static [u8], &'static str);

/// What Git LFS puts in the place of a large file.
const POINTER: &[u8] = b"version https://git-lfs.github.com/";

/// Formats that other programs read.
const MARKS: &[Mark] = &[
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"II*\0", "a TIFF image"),
    (0, b"MM\0*", "a TIFF image"),
    (0, b"BM", "a BMP image"),
    (8, b"WEBP", "a WebP image"),
    (8, b"WAVE", "a WAV sound"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (0, b"CDF\x01", "a NetCDF file"),
    (0, b"CDF\x02", "a NetCDF file"),
    (0, b"SIMPLE  =", "a FITS file"),
    (0, b"PAR1", "a Parquet file"),
    (0, b"ARROW1", "an Arrow file"),
    (0, b"ORC", "an ORC file"),
    (0, b"Obj\x01", "an Avro file"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"PK\x03\x04", "a ZIP archive, as office documents are, and NPZ, of which unzip makes .npy files"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard"),
    (0, b"\xfd7zXZ\0", "xz"),
    (0, b"BZh", "bzip2"),
    (0, b"\x04\x22\x4d\x18", "LZ4"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "a program or library (ELF)"),
    (0, b"MZ", "a Windows program"),
    (0, b"\xcf\xfa\xed\xfe", "a program or library (Mach-O)"),
    (0, b"\0asm", "WebAssembly"),
    (0, b"\xca\xfe\xba\xbe", "a Java class"),
    (0, b"\x80\x04\x95", "a Python pickle"),
    (0, b"OggS", "an Ogg stream"),
    (0, b"fLaC", "a FLAC sound"),
    (0, b"ID3", "an MP3 sound"),
    (4, b"ftyp", "an MP4 film"),
    (0, POINTER, "a pointer of Git LFS: git lfs pull fetches the file itself"),
    (0, b"<?xml", "XML"),
    (0, b"#!", "a script"),
    (0, b"\xef\xbb\xbf", "text with a byte order mark"),
    (0, b"\xff\xfe", "text in UTF-16: iconv -f UTF-16 -t UTF-8 makes UTF-8 of it"),
    (0, b"\xfe\xff", "text in UTF-16: iconv -f UTF-16 -t UTF-8 makes UTF-8 of it"),
];

/// What the first bytes resemble, if they resemble something.
pub(crate) fn what(head: &[u8]) -> Option<&'static str> {
    let found = MARKS.iter().find(|(at, mark, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(mark)));
    if let Some((_, _, what)) = found {
        return Some(what);
    }
    // the last character may be cut
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(e) if e.error_len().is_none() => std::str::from_utf8(head.get(..e.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    let is_text =
        !text.is_empty() && text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'));
    is_text.then_some("plain text")
}

/// Whether the first bytes are those of what Git LFS puts in the place of a large file.
pub(crate) fn is_pointer(head: &[u8]) -> bool {
    head.starts_with(POINTER)
}

/// Whether the first bytes are those of a JSON array of objects, as pandas writes tables.
pub(crate) fn is_array_of_objects(head: &[u8]) -> bool {
    let mut bytes = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    bytes.next() == Some(&b'[') && bytes.next() == Some(&b'{') && matches!(bytes.next(), Some(b'"' | b'}'))
}

/// What to do with such an array.
pub(crate) const LINES_OF_ARRAY: &str = "jq -c '.[]' FILE makes JSON lines of it, which are read";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes() {
        assert_eq!(what(b"\x89PNG\r\n\x1a\nrest"), Some("a PNG image"));
        assert_eq!(what(b"a,b\n1,\xc3"), Some("plain text"));
        assert_eq!(what(b"\x01\x02\x03"), None);
        assert_eq!(what(b""), None);
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(what(&tar), Some("a tar archive"));
    }
}
