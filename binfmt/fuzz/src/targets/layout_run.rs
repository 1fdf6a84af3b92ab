//! A layout as text, then bytes: all ways of reading and writing values and columns agree. Where parts are elsewhere or read
//! ahead, a slice and a file that seeks agree, and what can be written is read again, or is written the same once more.

use crate::targets::shared::agree::{agree, is_limit, same, shows};
use crate::targets::shared::input::split;
use binfmt::schema::Description;
use binfmt::value::{Program, Value};
use binfmt::{Options, dump};
use std::io::Cursor;

pub fn run(data: &[u8]) {
    let (text, bytes) = split(data);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(layout) = text.parse::<Description>() else { return };
    let options = Options::new().max_memory(1 << 20).max_jumps(1000).max_jump_bytes(1 << 16);
    if ["At {", "Peeked {"].into_iter().any(|word| shows(&layout, word)) {
        elsewhere(&layout, bytes, options);
    } else {
        agree(&layout, bytes, options);
    }
}

fn elsewhere(layout: &Description, bytes: &[u8], options: Options) {
    let Ok(program) = Program::new(layout) else { return };
    let with = options.ctx(&program);
    let read = binfmt::from_slice_with::<Value, _>(bytes, &with);
    match (&read, binfmt::from_seeker_with::<Value, _>(Cursor::new(bytes), &with)) {
        (Ok(a), Ok(b)) => assert!(same(a, &b), "{a:?}\nfile: {b:?}\n{layout}"),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(e)) if is_limit(&e) => {}
        // bytes that are left are not looked for in a file
        (Err(_), Ok(_)) => {}
        (a, b) => panic!("{a:?}\nfile: {b:?}\n{layout}"),
    }
    for trace in dump::trace_all_with::<Value, _>(bytes, &with).take(2) {
        let _ = trace.to_string();
    }
    let Ok(value) = read else { return };
    let Ok(out) = binfmt::to_vec_with(&value, &with) else { return };
    assert_eq!(binfmt::encoded_len_with(&value, &with).expect("it was written"), out.len(), "{layout}");
    let mut streamed = Vec::new();
    if binfmt::to_writer_with(&value, &mut streamed, &with).is_ok() {
        assert_eq!(streamed, out, "{layout}");
    }
    // what is read ahead at the end is not there
    let Ok((again, _)) = binfmt::from_prefix_with::<Value, _>(&out, &with) else {
        return assert!(
            shows(layout, "Peeked {") || shows(layout, "from: End"),
            "{value:?}\n{out:x?}\n{layout}"
        );
    };
    if !same(&again, &value) {
        let twice = binfmt::to_vec_with(&again, &with).unwrap_or_else(|e| panic!("{e}: {again:?}\n{layout}"));
        assert_eq!(twice, out, "{again:?}\nwas {value:?}\n{layout}");
    }
}
