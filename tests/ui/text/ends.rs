use binfmt::BinFormat;

#[derive(BinFormat)]
struct Bytes {
    #[binfmt(ends('|'))]
    char: String,
    #[binfmt(ends("\r\n"))]
    text: String,
    #[binfmt(ends)]
    bare: String,
    #[binfmt(ends(b""))]
    none: String,
    #[binfmt(ends(b"123456789"))]
    many: String,
    #[binfmt(ends(b'|', skip))]
    option: String,
    #[binfmt(ends(b'|', keep, unread))]
    both: String,
    #[binfmt(ends(0xE9), text = latin1)]
    latin1: String,
}

#[derive(BinFormat)]
struct Types {
    #[binfmt(ends(b'|'))]
    numbers: Vec<u16>,
    #[binfmt(ends(b'|'))]
    number: u16,
}

#[derive(BinFormat)]
struct Nul {
    #[binfmt(ends(b'|'), nul)]
    text: String,
}

#[derive(BinFormat)]
struct Count {
    #[binfmt(ends(b'|'), count = 3)]
    text: String,
}

fn main() {}
