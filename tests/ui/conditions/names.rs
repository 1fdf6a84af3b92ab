use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(assert(self.x == 1))]
struct Whole {
    x: u8,
}

#[derive(BinFormat)]
struct Field {
    n: u8,
    #[binfmt(count = self.n, assert(self.x.len() > 1))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Format {
    #[binfmt(assert(*x == 1, "x was {}", self.x))]
    x: u8,
}

fn main() {}
