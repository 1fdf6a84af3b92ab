use binfmt::BinFormat;

fn turn(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

#[derive(BinFormat)]
struct Elements {
    #[binfmt(length_prefixed(u8), process(decode = turn, encode = turn))]
    list: Vec<u8>,
}

#[derive(BinFormat)]
struct NotLast {
    #[binfmt(process(decode = turn, encode = turn))]
    text: String,
    end: u8,
}

#[derive(BinFormat)]
struct One {
    #[binfmt(process(decode = turn))]
    text: String,
}

#[derive(BinFormat)]
struct Typed {
    #[binfmt(process(decode = turn, encode = turn, as = u8))]
    text: String,
}

fn main() {}
