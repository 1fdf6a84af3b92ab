use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(BinFormat)]
#[binfmt(tag(u8), fingerprint)]
enum Kind {
    #[binfmt(tag = 1)]
    One,
    #[binfmt(tag = 3)]
    Three(u8),
}

#[derive(BinFormat)]
#[binfmt(le, schema = "schema/row.txt")]
struct Row {
    id: u16,
    at: Place,
    kind: Kind,
    #[binfmt(var_len)]
    list: Vec<Place>,
    added: u8,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/row.json")]
struct Json {
    x: f64,
    #[binfmt(count = 8, nul)]
    y: String,
}

fn main() {}
