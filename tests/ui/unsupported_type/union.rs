use binfmt::BinFormat;

#[derive(BinFormat)]
union U {
    a: u8,
    b: i8,
}

fn main() {}
