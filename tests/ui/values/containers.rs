use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(rename = 5)]
struct Renamed {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(max_len = "9")]
struct Limited {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(max_depth)]
struct Deep {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(bound = T)]
struct Bound<T> {
    a: T,
}

fn main() {}
