//! `&[T]`: slices of values that are lent from the input, where the memory of the values is their bytes.

use crate::support::wire::{is_inside, writes};
use binfmt::schema::Describe;
use binfmt::{BinFormat, Endian, ErrorKind, Options};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Mesh<'a> {
    num: u64,
    #[binfmt(count = num)]
    points: &'a [Point],
    #[binfmt(length_prefixed(u32))]
    ids: &'a [u32],
    #[binfmt(until_eof)]
    rest: &'a [[u8; 3]],
}

/// Bytes at an address that is aligned to 8, or so many beyond.
struct Memory(Vec<u8>, std::ops::Range<usize>);

impl Memory {
    fn new(bytes: &[u8], beyond: usize) -> Self {
        let mut all = vec![0; bytes.len() + 16];
        let from = (8 - all.as_ptr() as usize % 8) % 8 + beyond;
        all[from..from + bytes.len()].copy_from_slice(bytes);
        Memory(all, from..from + bytes.len())
    }

    fn bytes(&self) -> &[u8] {
        &self.0[self.1.clone()]
    }
}

fn native() -> Options<()> {
    Options::new().endian(Endian::native())
}

fn mesh() -> (Mesh<'static>, Vec<u8>) {
    let points: &[Point] = &[Point { x: 1.5, y: -1.0 }, Point { x: 0.0, y: f32::MAX }];
    let value = Mesh { num: 2, points, ids: &[7, u32::MAX], rest: &[[1, 2, 3], [4, 5, 6]] };
    let bytes = binfmt::to_vec_with(&value, &native()).unwrap();
    (value, bytes)
}

#[test]
fn slices_are_lent() {
    let (value, bytes) = mesh();
    let memory = Memory::new(&bytes, 0);
    let read: Mesh<'_> = binfmt::from_slice_with::<Mesh<'_>, ()>(memory.bytes(), &native()).unwrap();
    assert_eq!(read, value);
    let address = read.points.as_ptr() as usize;
    let start = memory.bytes().as_ptr() as usize;
    assert_eq!(address, start + 8);
    assert!(is_inside(memory.bytes(), read.rest[0].as_slice()));
    // the vector has the same bytes, and the same description
    #[derive(BinFormat)]
    struct Owned {
        num: u64,
        #[binfmt(count = num)]
        points: Vec<Point>,
        #[binfmt(length_prefixed(u32))]
        ids: Vec<u32>,
        #[binfmt(until_eof)]
        rest: Vec<[u8; 3]>,
    }
    assert_eq!(Owned::SCHEMA.to_string().replace("Owned", "Mesh"), Mesh::SCHEMA.to_string());
    let owned: Owned = binfmt::from_slice_with::<Owned, ()>(&bytes, &native()).unwrap();
    assert_eq!(
        (owned.points.as_slice(), owned.num, owned.ids.len(), owned.rest.len()),
        (value.points, 2, 2, 2)
    );
}

#[test]
fn memory_that_is_not_aligned() {
    let (_, bytes) = mesh();
    for beyond in 1..8 {
        let memory = Memory::new(&bytes, beyond);
        let read = binfmt::from_slice_with::<Mesh<'_>, ()>(memory.bytes(), &native());
        match beyond {
            4 => assert_eq!(read.unwrap().num, 2),
            _ => {
                let e = read.unwrap_err();
                assert_eq!((e.path().to_string(), e.offset()), ("points".to_owned(), Some(8)));
                let beyond = beyond % 4;
                assert!(
                    matches!(e.kind(), ErrorKind::Unaligned { align: 4, beyond: found } if *found == beyond),
                    "{e}"
                );
                assert!(e.to_string().contains("aligned to 4 bytes"), "{e}");
            }
        }
    }
}

#[test]
fn every_cut() {
    let (_, bytes) = mesh();
    let memory = Memory::new(&bytes, 0);
    for n in 0..bytes.len() {
        let read = binfmt::from_slice_with::<Mesh<'_>, ()>(&memory.bytes()[..n], &native());
        match read {
            Ok(mesh) => assert_eq!(n, 36 + 3 * mesh.rest.len()),
            Err(e) => assert!(e.is_incomplete() || n > 36, "{n}: {e}"),
        }
    }
}

#[test]
fn the_other_byte_order_is_refused() {
    let other = if Endian::native() == Endian::Little { Endian::Big } else { Endian::Little };
    let options = Options::new().endian(other);
    let (value, _) = mesh();
    // it can be written, and read as a vector
    let bytes = binfmt::to_vec_with(&value, &options).unwrap();
    let memory = Memory::new(&bytes, 0);
    let e = binfmt::from_slice_with::<Mesh<'_>, ()>(memory.bytes(), &options).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Message(_)), "{e}");
    // bytes have none
    #[derive(BinFormat, Debug, PartialEq)]
    struct Bytes<'a> {
        #[binfmt(count = 2)]
        pairs: &'a [[u8; 2]],
        #[binfmt(until_eof)]
        rest: &'a [i8],
    }
    let value = Bytes { pairs: &[[1, 2], [3, 4]], rest: &[-1] };
    writes(&value, &[1, 2, 3, 4, 255]);
    for endian in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(endian);
        assert_eq!(binfmt::from_slice_with::<Bytes<'_>, ()>(&[1, 2, 3, 4, 255], &options).unwrap(), value);
    }
}
