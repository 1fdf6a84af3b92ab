//! Runs of bits that a tag opens, that fill sixteen bytes, or that are computed, and lengths in bytes of what varies.

use binfmt::BinFormat;

/// All of them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Runs {
    tagged: Tagged,
    sixteen: Sixteen,
    sums: Sums,
    measured: Measured,
    given: Given,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, tag(u8, bits(5, of = u56)))]
pub(crate) enum Tagged {
    #[binfmt(tag = 1)]
    Wide(#[binfmt(bits(51))] u64),
    #[binfmt(tag = 2)]
    Split {
        #[binfmt(bits(1))]
        on: bool,
        #[binfmt(bits(2))]
        speed: Speed,
        #[binfmt(bits(48))]
        n: i64,
        #[binfmt(if(on))]
        more: Option<u16>,
    },
    #[binfmt(other)]
    Rest(u8, #[binfmt(bits(51))] u64),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub(crate) enum Speed {
    Slow,
    Fast,
    #[binfmt(other)]
    Unknown(u8),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Sixteen {
    #[binfmt(bits(3, of = u128, order = lsb))]
    kind: u8,
    #[binfmt(bits(61))]
    low: i64,
    #[binfmt(bits(63))]
    high: u64,
    #[binfmt(bits(1, reserved))]
    last: (),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Sums {
    #[binfmt(bits(4, of = u24, order = msb), calc(u8 = *n % 16))]
    low: (),
    #[binfmt(bits(12))]
    n: u16,
    #[binfmt(bits(8), calc(u8 = *n / 16))]
    high: (),
}

/// A length that is filled in, one of variable size, and one of which another number is made.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    #[binfmt(len_of(body, bytes, u16))]
    size: (),
    #[binfmt(len_of(list, bytes, leb128))]
    list_size: (),
    #[binfmt(region = *size)]
    body: Tagged,
    #[binfmt(region = *list_size)]
    list: Vec<Given>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Given {
    #[binfmt(len_of(list, bytes))]
    size: u8,
    #[binfmt(len_of(name, bytes, u8))]
    name_size: (),
    #[binfmt(calc(u16 = *name_size + *size))]
    both: (),
    #[binfmt(length_prefixed(u8))]
    list: Vec<Speed>,
    #[binfmt(align_before = 4, nul)]
    name: String,
}
