use binfmt::BinFormat;

#[derive(BinFormat)]
struct If {
    flags: u8,
    #[binfmt(if(*flags & 1))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct IfPadded {
    flags: u8,
    #[binfmt(if(flags), pad_before = 1)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct Assert {
    #[binfmt(assert(*x & 1))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(assert(x.count_ones(), "some bit"))]
struct Whole {
    x: u8,
}

fn main() {}
