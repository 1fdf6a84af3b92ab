//! Random arrays of libtiledb 1.6.3 and of the command: what queries of them give. Driven by `tiledb_random.py`.

use crate::interop::folder;
use binfmt::formats::tiledb::*;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

fn hex(bytes: &[u8]) -> Json {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<String>().into()
}

fn values(values: &Numbers, per_cell: Option<u32>, offsets: &[usize]) -> Json {
    let (bytes, size) = (values.to_le_bytes(), values.number_type().size());
    match per_cell {
        Some(count) => bytes.chunks((size * count as usize).max(1)).map(hex).collect(),
        None => offsets.windows(2).map(|o| hex(&bytes[size * o[0]..size * o[1]])).collect(),
    }
}

fn coordinate(json: &Json) -> Number {
    match json.as_i64() {
        Some(n) => Number::I128(n.into()),
        None => Number::F64(json.as_f64().unwrap()),
    }
}

/// The cells of a query, or why there are none.
fn answer(path: &Path, options: &Options, query: &Json) -> binfmt::Result<Json> {
    let at = query["at"].as_u64().unwrap_or(u64::MAX);
    let array = options.clone().at(at).open(Folder::new(path))?;
    let order = if query["order"] == "col" { Layout::ColumnMajor } else { Layout::RowMajor };
    let mut asked = array.query().order(order);
    for (d, ends) in query["region"].as_array().unwrap().iter().enumerate() {
        asked = asked.range_of(d, coordinate(&ends[0])..=coordinate(&ends[1]));
    }
    let cells = asked.read()?;
    let mut found = json!({});
    for (name, column) in cells.columns() {
        found[name] = values(column.values(), column.cell_val_num().fixed(), column.offsets());
    }
    for (name, places) in cells.coords() {
        found[name] = values(places, Some(1), &[]);
    }
    Ok(found)
}

#[test]
fn answers() {
    let Some(cases) = folder("cases") else {
        println!("not run: the arrays are those that tests/interop/tiledb_random.py makes");
        return;
    };
    for entry in fs::read_dir(cases).unwrap() {
        let path = entry.unwrap().path();
        let asked: Json =
            serde_json::from_str(&fs::read_to_string(path.join("queries.json")).unwrap()).unwrap();
        let key = asked["key"].as_str().map(|key| Key::new(key.as_bytes().try_into().unwrap()));
        let options = key.map_or(Options::new(), |key| Options::new().key(key)).threads(2);
        let mut found = json!({});
        for (name, folder) in [("theirs", "theirs"), ("ours", "ours.tiledb")] {
            let array = path.join(folder);
            let answers =
                asked["queries"].as_array().unwrap().iter().filter(|_| array.is_dir()).map(|query| {
                    let answer = answer(&array, &options, query);
                    answer.unwrap_or_else(|e| json!({"error": e.to_string()}))
                });
            found[name] = answers.collect();
        }
        fs::write(path.join("binfmt.json"), found.to_string()).unwrap();
    }
}
