use binfmt::BinFormat;

type Byte = u8;

#[derive(BinFormat)]
struct A {
    #[binfmt(var_len)]
    x: Byte,
}

fn main() {}
