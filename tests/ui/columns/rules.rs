use binfmt::BinFormat;

// columns own their values
#[derive(BinFormat)]
#[binfmt(columns)]
struct Lent<'a> {
    #[binfmt(length_prefixed(u8))]
    name: &'a str,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Generic<T> {
    x: T,
}

// rows of nothing
#[derive(BinFormat)]
#[binfmt(columns)]
struct Nothing {
    #[binfmt(reserved(4))]
    a: (),
    #[binfmt(skip)]
    b: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Unit;

// only a struct has columns
#[derive(BinFormat)]
#[binfmt(tag(u8), columns)]
enum Choice {
    A,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Point {
    x: u8,
}

#[derive(BinFormat)]
struct NoColumns {
    #[binfmt(columns)]
    place: Point,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum NoStruct {
    A {
        #[binfmt(columns)]
        place: Point,
    },
}

// names
#[derive(BinFormat)]
#[binfmt(columns = "Cells")]
struct Text {
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns(Cells))]
struct Parens {
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct Named {
    #[binfmt(columns = Points)]
    place: Point,
}

fn main() {}
