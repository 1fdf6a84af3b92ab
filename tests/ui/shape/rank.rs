use binfmt::{Array, BinFormat};

#[derive(BinFormat)]
struct Other {
    #[binfmt(shape(u8, rank = 3))]
    x: Array<u8, 2>,
}

fn main() {
    let _ = binfmt::from_slice::<Other>(&[]);
}
