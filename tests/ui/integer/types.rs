use binfmt::BinFormat;

#[derive(BinFormat)]
struct Float {
    #[binfmt(as = u24)]
    x: f32,
}

#[derive(BinFormat)]
struct Text {
    #[binfmt(as = leb128, var_len)]
    x: String,
}

#[derive(BinFormat)]
struct Flags {
    #[binfmt(as = u24, count = 3)]
    x: Vec<bool>,
}

#[derive(BinFormat)]
struct Inclusive {
    #[binfmt(length_prefixed(leb128, inclusive))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Shaped {
    #[binfmt(shape(leb128))]
    x: binfmt::Array<u8, 2>,
}

#[derive(BinFormat)]
struct Nothing {
    #[binfmt(as)]
    x: u32,
}

#[derive(BinFormat)]
struct Name {
    #[binfmt(as = "u24")]
    x: u32,
}

fn main() {}
