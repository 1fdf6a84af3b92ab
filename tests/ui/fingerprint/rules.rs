use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(fingerprint = 1)]
struct Pair<T> {
    a: T,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 1)]
struct Node {
    #[binfmt(var_len)]
    inner: Vec<Node>,
}

#[derive(BinFormat)]
#[binfmt(fingerprint(1))]
struct Call {
    a: u8,
}

#[derive(BinFormat)]
struct Field {
    #[binfmt(fingerprint = 1)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = "0x1")]
struct Text {
    a: u8,
}

fn main() {}
