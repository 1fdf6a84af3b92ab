use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(count = nn)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(count = *n as usize + 1)]
    x: Vec<u8>,
    n: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(count = x.len())]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(if(*late == 1))]
    x: Option<u8>,
    late: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(len_of(y))]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(len_of(x))]
    x: u8,
}

fn main() {}
