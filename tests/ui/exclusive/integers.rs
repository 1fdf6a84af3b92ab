use binfmt::BinFormat;

#[derive(BinFormat)]
struct S0 {
    #[binfmt(as = u24, bool_lax)]
    x: u32,
}

#[derive(BinFormat)]
struct S1 {
    #[binfmt(as = u24, nul)]
    x: u32,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(as = u24, text = latin1)]
    x: u32,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(as = u24, borrow)]
    x: u32,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(as = u24, shape(u8))]
    x: u32,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(as = u24, reserved(3))]
    x: u32,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(as = u24, args(1))]
    x: u32,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(as = u24, tag_from = 1)]
    x: u32,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(as = u24, columns)]
    x: u32,
}

fn main() {}
