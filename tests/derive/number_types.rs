//! Number types of other crates, behind their features: exact bytes, both orders, alone and in bulk.

use binfmt::{BinFormat, Endian, Options};
use half::f16;
use num_complex::Complex;

#[derive(BinFormat, Debug, PartialEq)]
struct Sample {
    half: f16,
    z: Complex<f64>,
    #[binfmt(length_prefixed(u8))]
    spectrum: Vec<Complex<f32>>,
    #[binfmt(until_eof)]
    rest: Vec<f16>,
}

fn sample() -> Sample {
    Sample {
        half: f16::from_f32(1.5),
        z: Complex { re: 1.0, im: -2.0 },
        spectrum: vec![Complex { re: 0.5, im: 0.25 }],
        rest: vec![f16::from_f32(-2.0), f16::INFINITY],
    }
}

#[test]
fn little_endian() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    assert_eq!(bytes[..2], [0x00, 0x3e]);
    assert_eq!(bytes[2..18], [1f64.to_le_bytes(), (-2f64).to_le_bytes()].concat());
    assert_eq!(bytes[18..27], [&[1][..], &0.5f32.to_le_bytes(), &0.25f32.to_le_bytes()].concat());
    assert_eq!(bytes[27..], [0x00, 0xc0, 0x00, 0x7c]);
    assert_eq!(binfmt::from_slice::<Sample>(&bytes).unwrap(), sample());
    assert_eq!(binfmt::from_reader::<Sample>(&bytes[..]).unwrap(), sample());
}

#[test]
fn big_endian() {
    let big = Options::new().endian(Endian::Big);
    let bytes = binfmt::to_vec_with(&sample(), &big).unwrap();
    assert_eq!(bytes[..2], [0x3e, 0x00]);
    assert_eq!(bytes[2..10], 1f64.to_be_bytes());
    assert_eq!(bytes[27..], [0xc0, 0x00, 0x7c, 0x00]);
    assert_eq!(binfmt::from_slice_with::<Sample, _>(&bytes, &big).unwrap(), sample());
}

#[test]
fn bits_survive_in_bulk() {
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_be_bytes).collect();
    let big = Options::new().endian(Endian::Big);
    let halves: Vec<f16> = binfmt::decode_all_with(&bytes, &big).unwrap();
    assert!(halves.iter().zip(0..=u16::MAX).all(|(h, bits)| h.to_bits() == bits));
    assert_eq!(binfmt::encode_all_with(&halves, &big).unwrap(), bytes);
}
