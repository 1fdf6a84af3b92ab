use binfmt::{Array, ArrayD, BinFormat};

// no array
#[derive(BinFormat)]
struct List {
    #[binfmt(shape(u64))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Number {
    #[binfmt(shape(u64))]
    x: u32,
}

// how many dimensions
#[derive(BinFormat)]
struct Unknown {
    #[binfmt(shape(u64))]
    x: ArrayD<u8>,
}

// the type of a dimension
#[derive(BinFormat)]
struct NoType {
    #[binfmt(shape)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct RankOnly {
    #[binfmt(shape(rank = 2))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct Float {
    #[binfmt(shape(f64))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct Usize {
    #[binfmt(shape(usize))]
    x: Array<u8, 2>,
}

// options
#[derive(BinFormat)]
struct Order {
    #[binfmt(shape(u8, order = fortran))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct Option_ {
    #[binfmt(shape(u8, dims = 2))]
    x: Array<u8, 2>,
}

// a field that comes later
#[derive(BinFormat)]
struct Later {
    #[binfmt(shape(u8, rank = n))]
    x: ArrayD<u8>,
    n: u8,
}

fn main() {}
