//! The front of a file: magic, version, and what the array is.
#![allow(clippy::arithmetic_side_effects, reason = "lengths of a header that is in memory")]

use super::dtype::{Dtype, tuple};
use super::literal::Literal;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::storage::Storage;
use crate::wire::amount::after;

/// What files begin with.
pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Headers are padded so that the elements begin at a multiple of this.
const BLOCK: usize = 64;
/// The longest header that is read: NumPy itself refuses longer ones unless it is told to trust the file.
const LONGEST: u64 = 1 << 20;

/// What the array is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<u64>,
    /// Whether the first index is the fastest.
    pub(super) fortran: bool,
}

impl Header {
    /// The header of a file, and where its elements begin.
    pub(super) fn read(storage: &dyn Storage, path: &str) -> Result<(Header, u64)> {
        let size = storage.size(path)?;
        let size = size.ok_or_else(|| Error::from(ErrorKind::MissingFile { consequence: "" }))?;
        let mut front = [0; 12];
        let take = usize::try_from(size).unwrap_or(usize::MAX).min(front.len());
        storage.read(path, 0, front.split_at_mut(take).0)?;
        let [m0, m1, m2, m3, m4, m5, major, _, a, b, c, d] = front;
        if [m0, m1, m2, m3, m4, m5] != *MAGIC {
            return Err(Error::other("not an NPY file: it does not begin with \\x93NUMPY"));
        }
        let (begin, len) = match major {
            1 => (10, u64::from(u16::from_le_bytes([a, b]))),
            2 | 3 => (12, u64::from(u32::from_le_bytes([a, b, c, d]))),
            _ => return Err(ErrorKind::unsupported("NPY", format!("version {major}")).into()),
        };
        let end = after(len, begin);
        if len > LONGEST {
            return Err(Error::other(format!("the header is {len} bytes long, more than {LONGEST}")));
        }
        let needed = usize::try_from(len).unwrap_or(usize::MAX);
        if end > size {
            let remaining = usize::try_from(size.saturating_sub(begin)).unwrap_or(usize::MAX);
            let kind = ErrorKind::UnexpectedEnd { needed, remaining };
            return Err(Error::new(kind, begin).within(Step::Field("header")));
        }
        let mut text = vec![0; needed];
        storage.read(path, begin, &mut text)?;
        // before version 3 it is Latin-1
        let text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(e) => e.into_bytes().into_iter().map(char::from).collect(),
        };
        Ok((Header::parse(&text)?, end))
    }

    fn parse(text: &str) -> Result<Header> {
        let header = Literal::parse(text)?;
        let of = |key: &str| header.get(key).ok_or_else(|| Error::other(format!("header: no `{key}`")));
        let shape = of("shape")?.lengths();
        let Literal::Bool(fortran) = *of("fortran_order")? else {
            return Err(Error::other("header: `fortran_order` is not a bool"));
        };
        Ok(Header {
            dtype: Dtype::parse(of("descr")?)?,
            shape: shape.ok_or_else(|| Error::other("header: `shape` is not a tuple of lengths"))?,
            fortran,
        })
    }

    /// The front of a file, up to its elements.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let order = if self.fortran { "True" } else { "False" };
        let (descr, shape) = (self.dtype.text(), tuple(&self.shape));
        let mut text =
            format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}").into_bytes();
        // names that are not ASCII need the version whose header is UTF-8
        let version = match (text.is_ascii(), text.len() < usize::from(u16::MAX) - 2 * BLOCK) {
            (false, _) => 3,
            (true, false) => 2,
            (true, true) => 1,
        };
        let front = if version == 1 { 10 } else { 12 };
        let whole = (front + text.len() + 1).next_multiple_of(BLOCK);
        text.resize(whole.saturating_sub(front + 1), b' ');
        text.push(b'\n');
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&[version, 0]);
        match version {
            1 => bytes.extend_from_slice(&(text.len() as u16).to_le_bytes()),
            _ => bytes.extend_from_slice(&(text.len() as u32).to_le_bytes()),
        }
        bytes.append(&mut text);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::npy::dtype::{Element, Member};

    fn header(dtype: Dtype, shape: &[u64]) -> Header {
        Header { dtype, shape: shape.to_vec(), fortran: false }
    }

    #[test]
    fn headers_are_written_and_read_again() {
        let float = || Dtype::Element(Element::new('f', 8));
        let text = |header: &Header| {
            let bytes = header.to_bytes();
            assert!(bytes.len().is_multiple_of(64) && bytes.ends_with(b"\n"));
            let files = crate::storage::Memory::new();
            files.write("a", &bytes).unwrap();
            assert_eq!(Header::read(&files, "a").unwrap(), (header.clone(), bytes.len() as u64));
            let front = if bytes[6] == 1 { 10 } else { 12 };
            String::from_utf8_lossy(&bytes[front..]).trim_end().to_owned()
        };
        assert_eq!(
            text(&header(float(), &[2, 3])),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"
        );
        assert!(text(&header(Dtype::Element(Element::new('b', 1)), &[7])).contains("'|b1'"));
        assert!(text(&header(Dtype::Element(Element::new('c', 16)), &[])).ends_with("'shape': (), }"));
        let member = Member { name: "it's β".into(), dtype: float(), shape: vec![2] };
        let fields = header(Dtype::Fields(vec![member]), &[1]);
        assert!(text(&fields).contains(r"[('it\'s β', '<f8', (2,))]"));
        assert_eq!(fields.to_bytes()[6], 3);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let e = |bytes: &[u8]| {
            let files = crate::storage::Memory::new();
            files.write("a", bytes).unwrap();
            Header::read(&files, "a").unwrap_err().to_string()
        };
        assert!(e(b"").contains("not an NPY file"));
        assert!(e(b"\x93NUMPY\x09\x00\x00\x00").contains("version 9"));
        assert_eq!(e(b"\x93NUMPY\x01\x00\xff\x00"), "header at byte 0xa: 255 bytes needed, 0 remain");
        assert!(e(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").contains("4294967295 bytes long, more than"));
        let with =
            |text: &str| [b"\x93NUMPY\x01\x00".as_slice(), &[text.len() as u8, 0], text.as_bytes()].concat();
        assert_eq!(e(&with("{'shape': ()}")), "header: no `fortran_order`");
        let object = "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}";
        assert!(e(&with(object)).contains("arrays of `|O`"), "{}", e(&with(object)));
    }
}
