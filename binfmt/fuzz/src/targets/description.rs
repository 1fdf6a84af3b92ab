//! A description in JSON and bytes, or a value in JSON: what can be read of it agrees, and the schema's text, fingerprint
//! and comparison take any description.

use crate::targets::shared::agree::{agree, same};
use crate::targets::shared::input::split;
use binfmt::schema::{Description, Schema};
use binfmt::value::{Program, Value, ValueSeed};
use binfmt::{Options, dump};
use serde::de::DeserializeSeed;

pub fn run(data: &[u8]) {
    let (json, bytes) = split(data);
    let Ok(layout) = serde_json::from_slice::<Description>(json) else { return };
    let options = Options::new().max_memory(1 << 20);
    agree(&layout, bytes, options);
    let program = Program::new(&layout).expect("JSON is read of what is found sound");
    let with = options.ctx(&program);
    let seed = ValueSeed::new(&program);
    if let Ok(value) = seed.deserialize(&mut serde_json::Deserializer::from_slice(bytes))
        && let Ok(out) = binfmt::to_vec_with(&value, &with)
    {
        let again = binfmt::from_slice_with::<Value, _>(&out, &with);
        let again = again.unwrap_or_else(|e| panic!("{e}\n{value:?}\n{out:x?}\n{layout:?}"));
        assert!(same(&again, &value), "{again:?}\nwas {value:?}\n{layout:?}");
        let _ = dump::trace_with::<Value, _>(&out, &with).to_string();
    }
    let schema = Schema::from(layout);
    assert!(schema.check(&schema).is_ok());
    let _ = (schema.to_string(), schema.fingerprint());
}
