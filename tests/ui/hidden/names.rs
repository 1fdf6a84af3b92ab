use binfmt::BinFormat;

#[derive(BinFormat)]
struct Targets {
    #[binfmt(len_of(missing, u16))]
    missing_len: (),
    #[binfmt(len_of(own, u16))]
    own: (),
    #[binfmt(len_of(own, bytes, u8))]
    of_a_number: (),
    #[binfmt(len_of(gap, u8))]
    of_nothing: (),
    #[binfmt(reserved(2))]
    gap: (),
}

#[derive(BinFormat)]
struct Circle {
    #[binfmt(calc(u8 = b + 1))]
    a: (),
    #[binfmt(calc(u8 = a + 1))]
    b: (),
}

#[derive(BinFormat)]
struct Itself {
    #[binfmt(calc(u8 = a + 1))]
    a: (),
}

#[derive(BinFormat)]
struct Selves {
    b: u8,
    #[binfmt(calc(u8 = self.b))]
    a: (),
    #[binfmt(calc(u8 = gap))]
    c: (),
    #[binfmt(reserved(2))]
    gap: (),
}

#[derive(BinFormat)]
struct Early {
    #[binfmt(count = n)]
    list: Vec<u8>,
    #[binfmt(len_of(list, u8))]
    n: (),
}

#[derive(BinFormat)]
struct NotANumber {
    name: [u8; 2],
    #[binfmt(calc(u8 = name))]
    a: (),
    #[binfmt(len_of(pair, u8))]
    b: (),
    pair: (u8, u8),
}

#[derive(BinFormat)]
#[binfmt(ctx(len: u16))]
struct Body {
    #[binfmt(count = len)]
    bytes: Vec<u8>,
}

#[derive(BinFormat)]
struct Passed {
    #[binfmt(len_of(body, bytes, u16))]
    len: (),
    #[binfmt(args(*len))]
    body: Body,
}

fn main() {}
