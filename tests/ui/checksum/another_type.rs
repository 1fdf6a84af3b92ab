//! The function of a sum gives the type of the field.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Summed {
    a: u8,
    #[binfmt(checksum(sum, over = a))]
    sum: u32,
}

fn sum(bytes: &[u8]) -> u16 {
    bytes.iter().map(|byte| u16::from(*byte)).sum()
}

fn main() {}
