use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(size = 7)]
struct S<'a> {
    #[binfmt(count = 6)]
    x: &'a [u8],
}

fn main() {}
