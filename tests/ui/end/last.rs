use binfmt::BinFormat;

#[derive(BinFormat)]
struct Field {
    #[binfmt(until_eof)]
    v: Vec<u8>,
    #[binfmt(count = v.len())]
    w: Vec<u8>,
    x: u8,
}

#[derive(BinFormat)]
struct Bytes {
    #[binfmt(until_eof)]
    text: String,
    #[binfmt(reserved(2))]
    end: (),
}

#[derive(BinFormat)]
struct Magic(#[binfmt(until_eof)] Vec<u16>, #[binfmt(magic = b"END")] ());

#[derive(BinFormat)]
struct Pad {
    #[binfmt(until_eof, pad_after = 2)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct Sometimes {
    has: bool,
    #[binfmt(if(*has), until_eof)]
    v: Option<Vec<u8>>,
    crc: u32,
}

#[derive(BinFormat)]
#[binfmt(key_order = lexicographic)]
struct Sorted {
    b: u8,
    #[binfmt(until_eof)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Variant {
    Rest {
        #[binfmt(until_eof)]
        v: Vec<u8>,
        n: u8,
    },
}

fn main() {}
