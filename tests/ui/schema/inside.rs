use binfmt::BinFormat;

#[derive(BinFormat)]
struct Plain {
    x: f32,
}

#[derive(BinFormat)]
#[binfmt(schema = "schema/row.json")]
struct Row {
    x: Plain,
}

fn main() {}
