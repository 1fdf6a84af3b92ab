use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct A {
    #[binfmt(var_len)]
    x: Vec<Foreign>,
}

fn main() {}
