use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(untagged, tag(u8))]
enum E1 {
    A(u8),
}

#[derive(BinFormat)]
#[binfmt(untagged, tag_from = kind, ctx(kind: u8))]
enum E2 {
    A(u8),
}

fn main() {}
