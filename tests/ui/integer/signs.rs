use binfmt::BinFormat;

#[derive(BinFormat)]
struct Signed {
    #[binfmt(as = leb128)]
    x: i32,
}

#[derive(BinFormat)]
struct Unsigned {
    #[binfmt(as = zigzag)]
    x: u32,
}

#[derive(BinFormat)]
struct Unknown {
    #[binfmt(as = u25)]
    x: u32,
}

fn main() {}
