use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Numbers {
    #[binfmt(tag(1..=5))]
    A(u8),
    #[binfmt(tag(3..=9))]
    Partly(u8),
    #[binfmt(tag = 4)]
    Inside,
    #[binfmt(tag(0x80 | 0x81))]
    B(u8),
    #[binfmt(tag(0x81..))]
    Open(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Bytes {
    #[binfmt(tag = b'a')]
    A,
    #[binfmt(tag(b'a' | b'b'))]
    Exception(u8),
    #[binfmt(tag(b'b'..=b'z'))]
    Partly(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(i8))]
enum Minus {
    #[binfmt(tag(-5..0))]
    A(i8),
    #[binfmt(tag(..=-4))]
    Partly(i8),
}

#[derive(BinFormat)]
#[binfmt(tag([u8; 2]))]
enum Names {
    #[binfmt(tag(b"ab" | b"cd"))]
    A([u8; 2]),
    #[binfmt(tag(b"cd" | b"ef"))]
    Partly([u8; 2]),
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: char), tag_from = kind)]
enum Letters {
    #[binfmt(tag('a'..='f'))]
    A,
    #[binfmt(tag('e'..='z'))]
    Partly,
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: &str), tag_from = kind)]
enum Texts {
    #[binfmt(tag("a" | "b"))]
    A,
    #[binfmt(tag("b" | "c"))]
    Partly,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Together {
    #[binfmt(tag = 2)]
    A,
    #[binfmt(tag = 1)]
    B,
    #[binfmt(tag(1..=2))]
    Never(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Written {
    #[binfmt(other, tag = 0)]
    Other,
    #[binfmt(tag(0..=5))]
    Low(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum ByPlace {
    #[binfmt(tag(0..=1))]
    A(u8),
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8, bits(5, of = u8)))]
enum Bits {
    #[binfmt(tag(1..=40))]
    A(u8, #[binfmt(bits(3))] u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Condition {
    #[binfmt(tag(x if x > 3))]
    A(u8),
}

fn main() {}
