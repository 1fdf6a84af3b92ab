use binfmt::BinFormat;

const LOW: u8 = 3;
const HIGH: u8 = 5;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Ranges {
    #[binfmt(tag(1..=HIGH))]
    A(u8),
    #[binfmt(tag(LOW..))]
    Partly(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Alternatives {
    #[binfmt(tag(LOW | 20))]
    A(u8),
    #[binfmt(tag(0..4))]
    Partly(u8),
}

// each is an exception of the next
#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Exceptions {
    #[binfmt(tag = HIGH)]
    A,
    #[binfmt(tag(LOW..=4 | 5..=9))]
    B(u8),
    #[binfmt(tag(2..=10))]
    C(u8),
}

fn main() {}
