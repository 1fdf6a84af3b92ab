use binfmt::BinFormat;

fn add_up(bytes: &[u8]) -> u8 {
    bytes.iter().sum()
}

fn of_text(text: &str) -> u32 {
    text.len() as u32
}

#[derive(BinFormat)]
struct Width {
    #[binfmt(checksum(add_up))]
    sum: u32,
}

#[derive(BinFormat)]
struct Input {
    #[binfmt(checksum(of_text))]
    sum: u32,
}

#[derive(BinFormat)]
struct Missing {
    #[binfmt(checksum(crc32))]
    sum: u32,
}

fn main() {}
