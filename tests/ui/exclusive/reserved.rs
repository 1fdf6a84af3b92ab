use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(reserved(3), var_len)]
    x: (),
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(reserved(3), length_prefixed(u8))]
    x: (),
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(reserved(3), count = 3)]
    x: (),
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(reserved(3), each(0..3))]
    x: (),
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(reserved(3), until = f)]
    x: (),
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(reserved(3), until_eof)]
    x: (),
}

fn main() {}
