use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(untagged)]
enum Tags {
    #[binfmt(tag = 1)]
    A(u8),
    #[binfmt(other)]
    B(u16),
}

#[derive(BinFormat)]
#[binfmt(untagged)]
enum Never {
    A(u8),
    Nothing,
    B(u16),
}

#[derive(BinFormat)]
#[binfmt(untagged)]
enum Greedy {
    // each of these may refuse some bytes
    Text(#[binfmt(until_eof)] String),
    Checked(#[binfmt(until_eof, assert(!_0.is_empty()))] Vec<u8>),
    Numbers(#[binfmt(until_eof)] Vec<u16>),
    #[binfmt(magic = b"A")]
    Marked(#[binfmt(until_eof)] Vec<u8>),
    Two(u8, #[binfmt(until_eof)] Vec<u8>),
    All(#[binfmt(until_eof)] Vec<u8>),
    Never(u8),
}

#[derive(BinFormat)]
#[binfmt(untagged)]
struct S {
    n: u8,
}

#[derive(BinFormat)]
#[binfmt(untagged = 3)]
enum Value {
    A(u8),
}

fn main() {}
