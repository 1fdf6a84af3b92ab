use binfmt::BinFormat;

#[derive(BinFormat)]
struct Node {
    n: u8,
    next: Box<Node>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Tree {
    One(Box<Self>),
    Two { left: Box<Tree>, right: Box<Tree> },
}

#[derive(BinFormat)]
struct Pair {
    #[binfmt(count = 2)]
    both: Vec<Pair>,
}

#[derive(BinFormat)]
struct Nested {
    inner: [(u8, Box<Nested>); 1],
}

// each of these has an end
#[derive(BinFormat)]
struct Leaves {
    n: u8,
    #[binfmt(count = n)]
    each: Vec<Leaves>,
}

#[derive(BinFormat)]
struct Chain {
    n: u8,
    #[binfmt(if(*n > 0))]
    next: Option<Box<Chain>>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum List {
    End,
    Item(u8, Box<List>),
}

fn main() {}
