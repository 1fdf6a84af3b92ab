use binfmt::BinFormat;

#[derive(BinFormat)]
struct Plain {
    #[binfmt(optional_tail)]
    n: u8,
}

#[derive(BinFormat)]
struct NotLast {
    #[binfmt(optional_tail)]
    n: Option<u8>,
    end: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Row {
    n: u8,
    #[binfmt(optional_tail)]
    more: Option<u8>,
}

fn main() {}
