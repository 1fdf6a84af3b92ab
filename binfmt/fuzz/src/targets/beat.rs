//! A declaration and bytes: objects and data files from a slice and in pieces agree, and are written and read again.

use crate::targets::shared::agree::{is_limit, same};
use crate::targets::shared::input::{Pieces, split};
use binfmt::formats::beat::{DataFile, Declaration, Object};
use binfmt::{Decode, Encode, Options};
use std::fmt::Debug;

pub fn run(data: &[u8]) {
    let (json, bytes) = split(data);
    let Ok(json) = std::str::from_utf8(json) else { return };
    let Ok(declaration) = Declaration::parse(json) else { return };
    let options = Options::new().max_memory(1 << 20).ctx(&declaration);
    both::<Object>(bytes, &options);
    both::<DataFile<Object>>(bytes, &options);
    let _ = binfmt::dump::trace_with::<Object, _>(bytes, &options).to_string();
    if let Some(blank) = declaration.blank() {
        let out = binfmt::to_vec_with(&blank, &options).expect("a blank object is written");
        let again = binfmt::from_slice_with::<Object, _>(&out, &options).expect("and read");
        assert!(same(&again, &blank), "{again:?}\nwas {blank:?}");
    }
}

fn both<T>(bytes: &[u8], options: &Options<&Declaration>)
where
    T: for<'de, 'c> Decode<'de, &'c Declaration> + for<'c> Encode<&'c Declaration> + PartialEq + Debug,
{
    let read = binfmt::from_prefix_with::<T, _>(bytes, options).map(|(value, _)| value);
    let streamed = binfmt::from_reader_with::<T, _>(Pieces::new(bytes), options);
    match (&read, &streamed) {
        (Ok(a), Ok(b)) => assert!(same(a, b), "{a:?}\nstream: {b:?}"),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(e)) if is_limit(e) => {}
        (a, b) => panic!("{a:?}\nstream: {b:?}"),
    }
    let Ok(value) = read else { return };
    let out = binfmt::to_vec_with(&value, options).unwrap_or_else(|e| panic!("{e}: {value:?}"));
    let again = binfmt::from_slice_with::<T, _>(&out, options).unwrap_or_else(|e| panic!("{e}: {value:?}"));
    assert!(same(&again, &value), "{again:?}\nwas {value:?}");
    assert_eq!(binfmt::encoded_len_with(&value, options).expect("it was written"), out.len());
}
