use binfmt::BinFormat;

fn add_up(bytes: &[u8]) -> u8 {
    bytes.iter().sum()
}

#[derive(BinFormat)]
struct Usage {
    #[binfmt(checksum)]
    bare: u8,
    #[binfmt(checksum())]
    empty: u8,
    #[binfmt(checksum(add_up, from = bare))]
    option: u8,
    #[binfmt(checksum(add_up, bare))]
    field: u8,
}

#[derive(BinFormat)]
struct Types {
    #[binfmt(checksum(u8 = add_up, over = ..))]
    typed: u8,
    #[binfmt(checksum(add_up, over = ..))]
    unit: (),
    #[binfmt(checksum(add_up, over = ..))]
    float: f32,
    #[binfmt(checksum(leb128 = add_up, over = ..))]
    variable: (),
    #[binfmt(checksum(add_up, over = ..))]
    text: String,
}

#[derive(BinFormat)]
struct Ranges {
    a: u8,
    b: u8,
    #[binfmt(checksum(add_up, over = "a"))]
    one: u8,
    #[binfmt(checksum(add_up, over = a..=missing))]
    unknown: u8,
    #[binfmt(checksum(add_up, over = b..=a))]
    nothing: u8,
    #[binfmt(checksum(add_up, over = a..=itself))]
    itself: u8,
    #[binfmt(checksum(add_up, over = a..=b, self_as = 0))]
    not_covered: u8,
}

#[derive(BinFormat)]
struct Circle {
    #[binfmt(checksum(add_up, over = b..=b))]
    a: u8,
    #[binfmt(checksum(add_up, over = a..=a))]
    b: u8,
}

#[derive(BinFormat)]
struct Expressions {
    a: u8,
    #[binfmt(checksum(u8 = add_up))]
    sum: (),
    #[binfmt(count = sum)]
    list: Vec<u8>,
    #[binfmt(calc(u8 = sum + 1))]
    more: (),
}

#[derive(BinFormat)]
struct Bits {
    #[binfmt(bits(4, of = u8))]
    high: u8,
    #[binfmt(bits(4))]
    low: u8,
    #[binfmt(checksum(add_up, over = low..=low))]
    sum: u8,
}

fn main() {}
