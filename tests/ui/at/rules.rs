use binfmt::BinFormat;

#[derive(BinFormat)]
struct Names {
    #[binfmt(at = later)]
    early: u8,
    #[binfmt(at = itself)]
    itself: u8,
    #[binfmt(at(file) = nobody)]
    unknown: u8,
    later: u8,
}

#[derive(BinFormat)]
struct Numbers {
    #[binfmt(at = -1)]
    negative: u8,
    #[binfmt(at = "n")]
    text: u8,
    #[binfmt(at = 1.5)]
    float: u8,
}

#[derive(BinFormat)]
struct Positions {
    #[binfmt(at)]
    bare: u8,
    #[binfmt(at(start) = 3)]
    unknown: u8,
    #[binfmt(at(file))]
    no_position: u8,
    #[binfmt(at(4))]
    number: u8,
}

#[derive(BinFormat)]
struct Open {
    #[binfmt(at = 4)]
    text: String,
}

fn main() {}
