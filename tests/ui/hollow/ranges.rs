use binfmt::BinFormat;

#[derive(BinFormat)]
struct Ranges {
    #[binfmt(range = 5..=1)]
    a: u8,
    #[binfmt(range = 3..3)]
    b: u8,
    #[binfmt(range = (-1..=-2))]
    c: i8,
    #[binfmt(range = -2..=-1)]
    fine: i8,
}

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Versions {
    v: u8,
    #[binfmt(since = 3, until_version = 2)]
    never: Option<u8>,
    #[binfmt(since = 3, until_version = 3)]
    nor: Option<u8>,
    #[binfmt(since = 3, until_version = 4)]
    fine: Option<u8>,
}

fn main() {}
