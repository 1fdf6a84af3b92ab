use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(nullable, if(true))]
    x: Option<u8>,
}

fn main() {}
