use binfmt::BinFormat;

#[derive(BinFormat)]
struct Lists {
    n: u8,
    #[binfmt(count = n, bits(4, of = u16))]
    of: Vec<u8>,
    #[binfmt(count = n, bits(4, reserved))]
    reserved: Vec<u8>,
    #[binfmt(count = n, bits(12))]
    wide: Vec<u8>,
    #[binfmt(count = n, bits(12))]
    float: Vec<f32>,
    #[binfmt(count = n, bits(12))]
    array: [u16; 3],
    #[binfmt(count = n, bits(7))]
    text: String,
    #[binfmt(until_eof, bits(7))]
    lent: &'static [u8],
}

#[derive(BinFormat)]
struct More {
    #[binfmt(count = 4, bits(12))]
    three: [u16; 3],
}

fn main() {}
