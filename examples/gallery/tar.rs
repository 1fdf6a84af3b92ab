//! TAR: [POSIX.1-2024, `pax`](https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html), "ustar Interchange Format"; the
//! names of fields are its own.

use binfmt::integer::IntegerForm;
use binfmt::{BinFormat, Error, Order, Result, Sink, Source};
use std::fmt::Write;

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Archive {
    #[binfmt(until_eof)]
    pub records: Vec<Record>,
}

/// A logical record of 512 bytes, and those of the file that it describes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag([u8; 100]))]
#[allow(clippy::large_enum_variant, reason = "nearly all are of the larger one")]
pub enum Record {
    /// Two of these, or more, are at the end.
    #[binfmt(tag = NO_NAME)]
    End(#[binfmt(reserved(412), strict)] ()),
    #[binfmt(other)]
    File {
        /// The name: up to a NUL, or all of it.
        tag: [u8; 100],
        #[binfmt(as = Octal<8>)]
        mode: u64,
        #[binfmt(as = Octal<8>)]
        uid: u64,
        #[binfmt(as = Octal<8>)]
        gid: u64,
        #[binfmt(len_of(data, u64, as = Octal<12>))]
        size: (),
        #[binfmt(as = Octal<12>)]
        mtime: u64,
        /// "The sum of the values of all octets of the header, [with] eight spaces in the chksum field".
        #[binfmt(checksum([u8; 8] = sum, over = ..=prefix, self_as = *b"        "))]
        chksum: (),
        typeflag: Kind,
        #[binfmt(count = 100, trim = 0)]
        linkname: String,
        #[binfmt(magic = b"ustar\x0000")]
        magic: (),
        #[binfmt(count = 32, nul)]
        uname: String,
        #[binfmt(count = 32, nul)]
        gname: String,
        #[binfmt(count = 8, nul)]
        devmajor: String,
        #[binfmt(count = 8, nul)]
        devminor: String,
        #[binfmt(count = 155, trim = 0, pad_after = 12)]
        prefix: String,
        #[binfmt(count = size, align_after = 512)]
        data: Vec<u8>,
    },
}

const NO_NAME: [u8; 100] = [0; 100];

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub enum Kind {
    #[binfmt(tag = b'0')]
    Regular,
    #[binfmt(tag = b'1')]
    Link,
    #[binfmt(tag = b'2')]
    Symlink,
    #[binfmt(tag = b'5')]
    Directory,
    /// What the next record could not say of its file.
    #[binfmt(tag = b'x')]
    Extended,
    #[binfmt(other)]
    Other(u8),
}

/// "Numeric fields": octal digits with leading zeros, and a NUL.
pub struct Octal<const N: usize>;

impl<const N: usize> IntegerForm<u64> for Octal<N> {
    const SIZES: (usize, usize) = (N, N);

    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u64> {
        let at = src.pos();
        let bytes = src.array::<N>()?;
        let digits =
            bytes.strip_suffix(&[0]).filter(|digits| digits.iter().all(|b| (b'0'..=b'7').contains(b)));
        let digits = digits.ok_or_else(|| Error::message("not an octal number and a NUL", at))?;
        Ok(digits.iter().fold(0, |n, b| n << 3 | u64::from(b - b'0')))
    }

    fn encode<O: Order, W: Sink>(mut n: u64, out: &mut W) -> Result<()> {
        let mut bytes = [0; N];
        for place in (0..N - 1).rev() {
            bytes[place] = b'0' + (n & 7) as u8;
            n >>= 3;
        }
        match n {
            0 => out.array(bytes),
            _ => Err(Error::message("the number has more octal digits than its field", out.pos())),
        }
    }
}

fn sum(header: &[u8]) -> [u8; 8] {
    let mut text = *b"000000\0 ";
    let mut n: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    for digit in text[..6].iter_mut().rev() {
        *digit += (n & 7) as u8;
        n >>= 3;
    }
    text
}

/// The files, and how large they are.
pub fn summary(file: &[u8]) -> Result<String> {
    let archive: Archive = binfmt::from_slice(file)?;
    let mut out = String::new();
    for record in &archive.records {
        let _ = match record {
            Record::End(()) => writeln!(out, "end"),
            Record::File { tag, mode, uname, typeflag, data, .. } => {
                let name = String::from_utf8_lossy(tag.split(|b| *b == 0).next().unwrap_or_default());
                writeln!(out, "{typeflag:?} {name} {mode:o} {uname} {} bytes", data.len())
            }
        };
    }
    Ok(out)
}
