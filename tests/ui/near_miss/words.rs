use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(lenght_prefixed(u32))]
    x: String,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(nulable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(cuont = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(magik = b"x")]
struct S(u8);

fn main() {}
