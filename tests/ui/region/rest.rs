use binfmt::BinFormat;

#[derive(BinFormat)]
struct Own {
    #[binfmt(region(4, rest = skip))]
    open: Vec<u8>,
    #[binfmt(region(4, rest = skip), until_eof)]
    ended: String,
}

#[derive(BinFormat)]
struct Open {
    n: u8,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

#[derive(BinFormat)]
struct Types {
    #[binfmt(region(4, rest = skip))]
    open: Open,
}

fn main() {}
