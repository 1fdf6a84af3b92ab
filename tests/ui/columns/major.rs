use binfmt::{BinFormat, ColumnMajor, Options};

#[derive(BinFormat)]
#[binfmt(columns, magic = b"x")]
struct Row {
    x: u8,
}

// bytes beside the values have no place between columns
fn main() {
    let _ = RowColumns::from_column_major(&[], 0, &Options::new());
}
