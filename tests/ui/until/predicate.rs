use binfmt::BinFormat;

#[derive(BinFormat)]
struct NoBool {
    #[binfmt(until = |v| *v)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct NoFunction {
    #[binfmt(until = 0)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct NoVec {
    #[binfmt(until = |v| *v == 0)]
    x: Box<[u8]>,
}

#[derive(BinFormat)]
struct NoItems {
    #[binfmt(each([1u8, 2]))]
    x: String,
}

fn main() {}
