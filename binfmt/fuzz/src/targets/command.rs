//! Any file through the command: what a person would do with it ends with an exit status, and what `convert` made of it is
//! sound.

use super::shared::command::{Folder, OK, run as binfmt, said_of};
use crate::targets::shared::input::Choices;

const FORMATS: &[&str] = &["futhark", "sdds", "beat", "scidb", "tiledb"];

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let (what, format) = (c.byte(), c.pick(FORMATS));
    let folder = Folder::get();
    let file = folder.put("in.bin", c.0);
    let options = said_of(format, usize::from(what >> 4));
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
