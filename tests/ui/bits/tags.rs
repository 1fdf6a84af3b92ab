use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(5, of = u16)))]
enum NotFull {
    Full(#[binfmt(bits(11))] u16),
    Short(#[binfmt(bits(3))] u8),
    Empty,
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(5, of = u16)))]
enum TooMany {
    A(#[binfmt(bits(12))] u16),
    #[binfmt(tag = 3)]
    Interrupted(u8, #[binfmt(bits(11))] u16),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(3, of = u8)))]
enum Between {
    #[binfmt(magic = b"A")]
    A(#[binfmt(bits(5))] u8),
    #[binfmt(be)]
    B(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(3, of = u8)))]
enum NoRoom {
    #[binfmt(tag = 8)]
    A(#[binfmt(bits(5))] u8),
    B(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(3, of = u8)))]
enum Twice {
    #[binfmt(tag = 1)]
    A(#[binfmt(bits(5))] u8),
    #[binfmt(tag = 1)]
    B(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(3)))]
enum NotOpened {
    A(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(3, of = u8, reserved)))]
enum NoTag {
    A(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(peek u8, bits(3, of = u8)))]
enum Ahead {
    A(#[binfmt(bits(5))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(9, of = u16)))]
enum Wide {
    A(#[binfmt(bits(7))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag([u8; 2], bits(16, of = u16)))]
enum Bytes {
    #[binfmt(tag = b"AB")]
    A,
}

#[derive(BinFormat)]
#[binfmt(tag(u16, bits(9, of = u8)))]
enum Small {
    A,
}

#[derive(BinFormat)]
#[binfmt(tag(i8, bits(3, of = u8)))]
enum Signed {
    #[binfmt(tag = -4)]
    Fits(#[binfmt(bits(5))] u8),
    #[binfmt(tag = 4)]
    Not(#[binfmt(bits(5))] u8),
    #[binfmt(tag(-6..=-3))]
    Partly(i8, #[binfmt(bits(5))] u8),
}

fn main() {}
