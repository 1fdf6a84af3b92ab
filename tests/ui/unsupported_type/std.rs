use binfmt::BinFormat;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(BinFormat)]
struct T0 {
    x: HashMap<u8, u8>,
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
    x: Rc<u8>,
}

#[derive(BinFormat)]
struct T4 {
    x: [isize; 2],
}

fn main() {}
