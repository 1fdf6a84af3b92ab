//! Words that need a heap, in a program that has none: each is one message.

#![no_std]
#![no_main]

use binfmt::BinFormat;

/// What stands for the types of the library that are on the heap.
struct Heap;

#[derive(BinFormat)]
struct Words {
    n: u8,
    #[binfmt(offset_of(part, auto))]
    place: u8,
    #[binfmt(at = place)]
    part: u8,
    #[binfmt(peek)]
    next: u8,
    #[binfmt(region(*n, rest = keep))]
    kept: Kept<u8>,
    #[binfmt(region(ends(b'|')))]
    ended: u8,
    #[binfmt(region = n, process(decode = turned, encode = turned))]
    turned: u8,
    #[binfmt(each(0..*n))]
    each: Heap,
    #[binfmt(until = |n: &u8| *n == 0)]
    until: Heap,
    #[binfmt(shape(u8))]
    shape: Array<u8, 2>,
    #[binfmt(count = 4, text = utf16le)]
    text: String,
    #[binfmt(checksum(sum, over = n.., self_as = 0))]
    sum: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Row {
    n: u8,
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}
