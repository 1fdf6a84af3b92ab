use binfmt::{BinFormat, Gaps};

#[derive(BinFormat)]
struct Type {
    #[binfmt(gaps)]
    gaps: Vec<u8>,
}

#[derive(BinFormat)]
struct NotLast {
    place: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
    #[binfmt(at = place)]
    part: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Variant {
    A {
        #[binfmt(gaps)]
        gaps: Gaps,
    },
}

#[derive(BinFormat)]
#[binfmt(transparent)]
struct Alone {
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Row {
    a: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct NoWord {
    gaps: Gaps,
}

#[derive(BinFormat)]
struct Value {
    #[binfmt(gaps = 1)]
    gaps: Gaps,
}

fn main() {}
