use binfmt::BinFormat;
use std::cell::RefCell;
use std::collections::LinkedList;

#[derive(BinFormat)]
struct T0 {
    x: LinkedList<u8>,
}

#[derive(BinFormat)]
struct T1 {
    x: usize,
}

#[derive(BinFormat)]
struct T2 {
    x: char,
}

#[derive(BinFormat)]
struct T3 {
    x: RefCell<u8>,
}

#[derive(BinFormat)]
struct T4 {
    x: [isize; 2],
}

fn main() {}
