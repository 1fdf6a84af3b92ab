//! Decode, encode, decode: what was read is written, has the size that was foretold, fits into exactly its room and into
//! no less, and is read again.

use crate::targets::shared::agree::same;
use crate::targets::shared::parts::{Book, Checked, Noted, Volume};
use crate::targets::shared::structs::{
    Ahead, Arrays, Computed, Fixed, Floating, Gapped, Judged, Message, Packed, Pointers, Reading, Samples,
    Texts, Tree, Tried, choose,
};
use binfmt::{Decode, Encode, Options};
use std::fmt::Debug;
use std::io::Cursor;

pub fn run(data: &[u8]) {
    choose!(data, check: Reading, Fixed, Texts, Tree, Message, Arrays, Ahead, Packed, Judged, Samples; computed);
    if_written::<Pointers>(data);
    if_written::<Tried>(data);
    gapped(data);
    floating::<Floating>(data);
    choose!(data, if_written: Volume<Noted>, Checked; floating::<Book<Noted>>);
}

fn check<T: for<'de> Decode<'de> + Encode + PartialEq + Debug>(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20);
    let Ok((value, _)) = binfmt::from_prefix_with::<T, _>(bytes, &options) else { return };
    let out = written(&value);
    let again = binfmt::from_slice::<T>(&out).unwrap_or_else(|e| panic!("{e}: {value:?} {out:x?}"));
    assert!(same(&again, &value), "{again:?}\nwas {value:?}");
}

fn computed(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20);
    let Ok((value, _)) = binfmt::from_prefix_with::<Computed<'_>, _>(bytes, &options) else { return };
    let out = written(&value);
    let again = binfmt::from_slice::<Computed<'_>>(&out).unwrap_or_else(|e| panic!("{e}: {value:?}"));
    assert!(same(&again, &value), "{again:?}\nwas {value:?}");
}

/// Parts elsewhere: those that overlap and differ are read and cannot be written.
///
/// Of variants that are tried, those that something else tells apart than their own bytes.
fn if_written<T: for<'de> Decode<'de> + Encode + PartialEq + Debug>(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20).max_jumps(1000);
    let Ok((value, _)) = binfmt::from_prefix_with::<T, _>(bytes, &options) else { return };
    if binfmt::to_vec(&value).is_ok() {
        let out = written(&value);
        let again = binfmt::from_slice::<T>(&out).unwrap_or_else(|e| panic!("{e}: {value:?}"));
        assert_eq!(again, value);
    }
}

fn elsewhere() -> Options<()> {
    Options::new().max_memory(1 << 20).max_jumps(1000)
}

/// Whatever was read comes back byte for byte, from a file as from memory; but what counts from the end comes after all else when
/// it is written, and may have been among it. Then zeros are where it was, and what is written stays as it is.
fn gapped(bytes: &[u8]) {
    let read = binfmt::from_slice_with::<Gapped, _>(bytes, &elsewhere());
    let sought = binfmt::from_seeker_with::<Gapped, _>(Cursor::new(bytes), &elsewhere());
    match (read, sought) {
        (Ok(value), Ok(sought)) => {
            assert_eq!(value, sought);
            if binfmt::to_vec(&value).is_err() {
                return;
            }
            let out = written(&value);
            if out != bytes {
                assert!(out.len() > bytes.len(), "{value:?} {out:x?}");
                let again = binfmt::from_slice::<Gapped>(&out).unwrap_or_else(|e| panic!("{e}: {value:?}"));
                assert_eq!(written(&again), out, "{again:?}\nwas {value:?}");
            }
        }
        (Err(_), Err(_)) => {}
        (a, b) => panic!("{a:?}\nfile: {b:?}"),
    }
}

/// Parts find their places: those of what was written are the same when it is written again.
fn floating<T: for<'de> Decode<'de> + Encode + Debug>(bytes: &[u8]) {
    let Ok((value, _)) = binfmt::from_prefix_with::<T, _>(bytes, &elsewhere()) else { return };
    if binfmt::to_vec(&value).is_ok() {
        let out = written(&value);
        let again = binfmt::from_slice::<T>(&out).unwrap_or_else(|e| panic!("{e}: {value:?} {out:x?}"));
        assert_eq!(written(&again), out, "{again:?}\nwas {value:?}");
    }
}

/// The bytes of a value, which every sink must take.
fn written<T: Encode + Debug>(value: &T) -> Vec<u8> {
    let out = binfmt::to_vec(value).unwrap_or_else(|e| panic!("{e}: {value:?}"));
    assert_eq!(binfmt::encoded_len(value).expect("it was written"), out.len());
    let mut room = vec![0; out.len()];
    assert_eq!(binfmt::to_slice(value, &mut room).expect("there is room"), out.len());
    assert_eq!(room, out);
    if let Some(less) = out.len().checked_sub(1) {
        assert!(binfmt::to_slice(value, &mut room[..less]).is_err());
    }
    let mut streamed = Vec::new();
    binfmt::to_writer(value, &mut streamed).expect("a vector takes it");
    assert_eq!(streamed, out);
    out
}
