//! A schema or a format string and bytes: cells as values, as columns and in batches agree, strictly and leniently; what
//! is saved is read again.

use crate::targets::shared::agree::{agree, same};
use crate::targets::shared::input::split;
use binfmt::formats::scidb::{AflSchema, Reader, Template, save_values};
use binfmt::schema::Description;
use binfmt::value::{Program, Value};

pub fn run(data: &[u8]) {
    let (text, bytes) = split(data);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Some(cell) = description(text) else { return };
    for reader in [Reader::new(), Reader::strict()] {
        agree(&cell, bytes, reader.options().max_memory(1 << 20));
    }
    let strict = Reader::strict();
    let cell = Program::new(&cell).expect("a format is sound");
    let cells: Vec<Value> = strict.values(bytes, &cell).take(500).map_while(Result::ok).collect();
    let saved = save_values(&cells, &cell).unwrap_or_else(|e| panic!("{e}: {text} {cells:?}"));
    let again: Vec<Value> = strict.values(&saved, &cell).map(|cell| cell.expect("it was saved")).collect();
    assert!(same(&again, &cells), "{text}: {again:?}\nwas {cells:?}");
}

fn description(text: &str) -> Option<Description> {
    let template = text.parse::<Template>().map(|t| t.description());
    template.ok().or_else(|| Some(text.parse::<AflSchema>().ok()?.description()))
}
