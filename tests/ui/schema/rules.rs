use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(schema = "tests/ui/schema/none.txt")]
struct Missing {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "tests/ui/schema/broken.txt")]
struct Broken {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "tests/ui/schema/broken.json")]
struct BrokenJson {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "tests/ui/schema/row.json")]
struct Pair<T> {
    a: T,
}

#[derive(BinFormat)]
#[binfmt(schema = "tests/ui/schema/row.json")]
struct Node {
    #[binfmt(var_len)]
    inner: Vec<Node>,
}

#[derive(BinFormat)]
#[binfmt(schema)]
struct Alone {
    a: u8,
}

#[derive(BinFormat)]
struct Field {
    #[binfmt(schema = "tests/ui/schema/row.json")]
    a: u8,
}

fn main() {}
