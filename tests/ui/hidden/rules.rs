use binfmt::BinFormat;

#[derive(BinFormat)]
struct NotUnit {
    #[binfmt(len_of(name, u16))]
    len: u16,
    #[binfmt(calc(u16 = 1))]
    number: u16,
    #[binfmt(var_len)]
    name: String,
}

#[derive(BinFormat)]
struct NoType {
    #[binfmt(len_of(name))]
    len: (),
    #[binfmt(var_len)]
    name: String,
}

#[derive(BinFormat)]
struct Slips {
    #[binfmt(len_of(name, byte))]
    option: u16,
    #[binfmt(len_of(name, bytes, u25))]
    width: (),
    #[binfmt(calc(byte = 1))]
    number: (),
    #[binfmt(var_len)]
    name: String,
}

#[derive(BinFormat)]
struct Types {
    #[binfmt(len_of(name, f32))]
    float: (),
    #[binfmt(len_of(name, bytes, u128))]
    wide: (),
    #[binfmt(calc(String = 1))]
    text: (),
    #[binfmt(var_len)]
    name: String,
}

#[derive(BinFormat)]
struct Usage {
    #[binfmt(calc)]
    bare: (),
    #[binfmt(calc())]
    empty: (),
    #[binfmt(calc(1 + 2))]
    no_type: (),
    #[binfmt(calc(u8 = 1, 2))]
    two: (),
}

fn main() {}
