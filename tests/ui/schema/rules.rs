use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(schema = "schema/none.txt")]
struct Missing {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/broken.txt")]
struct Broken {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/broken.json")]
struct BrokenJson {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/row.json")]
struct Pair<T> {
    a: T,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/row.json")]
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
    #[binfmt(schema = "schema/row.json")]
    a: u8,
}

fn main() {}
