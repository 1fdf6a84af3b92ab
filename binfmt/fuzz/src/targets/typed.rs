//! A struct says of any bytes what a value of its schema says: the same bytes back, or an error at the same place.

use crate::targets::shared::agree::{is_limit, place};
use crate::targets::shared::parts::{Book, Plain, Volume};
use crate::targets::shared::structs::{
    Arrays, Fixed, Floating, Gapped, Message, Packed, Paged, Pointers, Reading, Samples, Texts, Tree, Tried,
    choose,
};
use binfmt::columns::Plan;
use binfmt::value::Value;
use binfmt::{DecodeOwned, Describe, Encode, Error, ErrorKind, Options};
use std::fmt::Debug;

pub fn run(data: &[u8]) {
    choose!(data, check: Reading, Fixed, Texts, Tree, Message, Arrays, Packed, Samples);
    choose!(data, check: Pointers, Gapped; floating::<Floating>);
    choose!(data, check: Volume<Plain>; floating::<Book<Plain>>);
    check::<Tried>(data);
    check::<Paged>(data);
}

/// A struct finds the places of its parts when it is written, and a value has them where its numbers say: the two agree about
/// what the struct has written.
fn floating<T: DecodeOwned + Encode + Describe + Debug>(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20).max_jumps(1000);
    if let Ok((value, _)) = binfmt::from_prefix_with::<T, _>(bytes, &options)
        && let Ok(written) = binfmt::to_vec(&value)
    {
        check::<T>(&written);
    }
}

/// A value has levels of its own between those of the struct, and its limit comes sooner.
fn is_depth(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::DepthLimit { .. })
}

fn check<T: DecodeOwned + Encode + Describe + Debug>(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20).max_jumps(1000);
    let layout = T::SCHEMA.description();
    let with = options.ctx(&*layout);
    let typed = binfmt::from_prefix_with::<T, _>(bytes, &options);
    let value = binfmt::from_prefix_with::<Value, _>(bytes, &with);
    match (&typed, &value) {
        (Ok((typed, a)), Ok((value, b))) => {
            assert_eq!(a, b, "{typed:?}\nvalue: {value:?}");
            match (binfmt::to_vec_with(typed, &options), binfmt::to_vec_with(value, &with)) {
                (Ok(a), Ok(b)) => assert_eq!(a, b, "{typed:?}\nvalue: {value:?}"),
                (Err(a), Err(b)) => assert_eq!(place(&a), place(&b), "{a}\nvalue: {b}"),
                (a, b) => panic!("{a:x?}\nvalue: {b:x?}"),
            }
        }
        (Err(a), Err(b)) if is_limit(a) || is_limit(b) || is_depth(b) => {}
        (Err(a), Err(b)) => assert_eq!(place(a), place(b), "{a}\nvalue: {b}"),
        (_, Err(e)) if is_limit(e) || is_depth(e) => {}
        (a, b) => panic!("{a:?}\nvalue: {b:?}"),
    }
    if let Ok(plan) = Plan::new(&layout)
        && let Ok(columns) = plan.decode_with(bytes, &options)
    {
        let rows = binfmt::records_with::<T, _>(bytes, &options).map(|row| row.expect("columns have it"));
        assert_eq!(rows.count(), columns.num_rows());
    }
}
