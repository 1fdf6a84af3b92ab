use binfmt::BinFormat;

#[derive(BinFormat)]
struct Words {
    #[binfmt(region(ends("|")))]
    text: Vec<u16>,
    #[binfmt(region(ends(b"123456789")))]
    many: Vec<u16>,
    #[binfmt(region(ends(b'|'), rest = skip))]
    rest: Vec<u16>,
    #[binfmt(region(ends(b'|', drop)))]
    option: Vec<u16>,
}

#[derive(BinFormat)]
struct Beside {
    #[binfmt(region(ends(b'|')), ends(b';'))]
    twice: Vec<u8>,
    #[binfmt(region(ends(b'|')), with = codec)]
    custom: u8,
}

#[derive(BinFormat)]
struct List {
    #[binfmt(ends(b'|'))]
    list: Vec<u16>,
}

fn main() {}
