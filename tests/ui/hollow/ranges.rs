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

fn main() {}
