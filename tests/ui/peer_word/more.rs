use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(is_big = true)]
    a: u8,
    #[binfmt(is_little = true)]
    b: u8,
    #[binfmt(seek_before(4))]
    c: u8,
    #[binfmt(restore_position)]
    d: u8,
    #[binfmt(flatten)]
    e: u8,
    #[binfmt(map_stream = f)]
    f: u8,
    #[binfmt(bytes = 3)]
    g: u32,
    #[binfmt(bits_read = 3)]
    h: u32,
    #[binfmt(try_calc = 1)]
    i: u8,
    #[binfmt(args_raw = 1)]
    j: u8,
    #[binfmt(dbg)]
    k: u8,
}

#[derive(BinFormat)]
#[binfmt(import_raw(x: u8))]
struct S2 {
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum E {
    #[binfmt(pre_assert(x == 1))]
    A,
}

fn main() {}
