//! Any file through the command: what a person would do with it ends with an exit status, and what `convert` made of it is
//! sound.

use super::shared::command::{Folder, OK, run as binfmt};
use crate::targets::shared::input::Choices;

const FORMATS: &[&str] = &["futhark", "sdds", "beat", "scidb", "tiledb"];
const SCHEMAS: &[&str] =
    &["(int8, int16 null, string null, string)", "<a:int32, b:string>[i=0:9]", "(double)"];
const DECLARATIONS: &[&str] = &[
    r#"{"value": "int32"}"#,
    r#"{"s": "string", "v": [0, 2, "float64"], "x": [0, {"a": "bool"}]}"#,
    r#"{"b": "bool", "c": "complex64", "i": [2, "int8"]}"#,
];

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let (what, format) = (c.byte(), c.pick(FORMATS));
    let folder = Folder::get();
    let file = folder.put("in.bin", c.0);
    let schema = |list: &'static [&str]| ["--schema", list[usize::from(what >> 4) % list.len()]];
    let mut options = vec!["--format", format];
    match format {
        "scidb" => options.extend(schema(SCHEMAS)),
        "beat" => options.extend(schema(DECLARATIONS)),
        _ => {}
    }
    let said = |words: &[&str]| binfmt(&[words, &options].concat());
    match what % 8 {
        0 => drop(said(&["inspect", &file])),
        1 => drop(said(&["cat", "--json", &file])),
        2 => drop(said(&["cat", "--csv", &file])),
        3 => drop(said(&["cat", "--table", "--rows", "1..9", &file])),
        4 => drop(said(&["dump", &file])),
        5 => drop(said(&["check", &file])),
        6 => {
            let out = folder.path("out.bin");
            if said(&["convert", &file, &out, "--to", format]) == OK {
                assert_eq!(said(&["check", &out]), OK, "what was written is not sound");
            }
        }
        _ => {
            let json = folder.path("out.json");
            if said(&["convert", &file, &json, "--to", "json"]) == OK {
                let out = folder.path("out.bin");
                assert_eq!(binfmt(&["convert", &json, &out, "--to", format]), OK, "its JSON is not taken");
                assert_eq!(said(&["check", &out]), OK, "what was made of its JSON is not sound");
            }
        }
    }
}
