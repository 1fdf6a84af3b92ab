use binfmt::BinFormat;

fn number(bytes: &[u8]) -> usize {
    bytes.len()
}

fn turn(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

#[derive(BinFormat)]
struct NotBytes {
    #[binfmt(process(decode = number, encode = turn))]
    text: String,
}

fn main() {}
