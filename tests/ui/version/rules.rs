use binfmt::BinFormat;

#[derive(BinFormat)]
struct Missing {
    #[binfmt(since = 2)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Nothing {
    v: u8,
}

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Later {
    #[binfmt(since = 2)]
    x: Option<u8>,
    v: u8,
}

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Plain {
    v: u8,
    #[binfmt(until_version = 2)]
    x: u8,
    #[binfmt(since = 2)]
    y: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Both {
    v: u8,
    #[binfmt(since = 2, default = None)]
    x: Option<u8>,
    #[binfmt(default = 1)]
    y: u8,
}

#[derive(BinFormat)]
#[binfmt(version = "v")]
struct Text {
    v: u8,
    #[binfmt(since)]
    x: Option<u8>,
}

fn main() {}
