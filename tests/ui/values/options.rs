use binfmt::BinFormat;

#[derive(BinFormat)]
struct Unit {
    #[binfmt(length_prefixed(u8, in = words))]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct Prefix {
    #[binfmt(length_prefixed(u8, 3))]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct Code {
    #[binfmt(nullable = 3)]
    a: Option<u8>,
}

#[derive(BinFormat)]
struct Filling {
    #[binfmt(nullable(body = none))]
    a: Option<u8>,
}

#[derive(BinFormat)]
struct Codes {
    #[binfmt(nullable(absent = 3))]
    a: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Tagged {
    #[binfmt(tag)]
    A,
}

#[derive(BinFormat)]
struct Length {
    #[binfmt(len_of(b, words))]
    a: u8,
    #[binfmt(count = a)]
    b: Vec<u8>,
}

#[derive(BinFormat)]
struct Size {
    #[binfmt(size = 3)]
    a: [u8; 3],
}

#[derive(BinFormat)]
struct Bare {
    #[binfmt]
    a: u8,
}

#[derive(BinFormat)]
struct Value {
    #[binfmt(3)]
    a: u8,
}

#[derive(BinFormat)]
struct Text {
    #[binfmt(var_len, text)]
    a: String,
}

#[derive(BinFormat)]
struct Mapped {
    #[binfmt(map)]
    a: u8,
}

#[derive(BinFormat)]
struct Tried {
    #[binfmt(try_map)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(ctx)]
struct Context {
    a: u8,
}

#[derive(BinFormat)]
struct Time {
    a: std::time::Duration,
}

fn main() {}
