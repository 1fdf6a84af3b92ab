use binfmt::BinFormat;

#[derive(BinFormat)]
struct Types {
    #[binfmt(bits(9, of = u16))]
    wide: u8,
    #[binfmt(bits(3))]
    float: f32,
    #[binfmt(bits(2, reserved))]
    reserved: u8,
    #[binfmt(bits(2))]
    unit: (),
}

#[derive(BinFormat)]
struct Open {
    #[binfmt(bits(8, of = u8))]
    text: String,
}

#[derive(BinFormat)]
struct Words {
    #[binfmt(bits)]
    bare: u8,
    #[binfmt(bits(0, of = u8))]
    none: u8,
    #[binfmt(bits(N, of = u8))]
    constant: u8,
    #[binfmt(bits(4, of = u20))]
    of: u8,
    #[binfmt(bits(4, of = u8, lsb))]
    option: u8,
    #[binfmt(bits(4, of = u8, order = low))]
    order: u8,
}

fn main() {}
