use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Orders {
    #[binfmt(le, be)]
    A(u16),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum NoSelf {
    #[binfmt(assert(self.x == 1, "{}", self.x))]
    A { x: u8 },
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum NoWidth {
    #[binfmt(magic = 7)]
    A,
}

#[derive(BinFormat)]
#[binfmt(tag(u8), reserved(2))]
enum Before {
    A,
}

fn main() {}
