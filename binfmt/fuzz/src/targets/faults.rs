//! A struct is read and written while something fails: a function of the user panics, a reader or writer fails or panics, there
//! is no memory. What was there stays as it was, what came after it does not depend on what the memory was full of, and what did
//! not fail is right. An `Encode` that goes on after a panic or an error in it is allowed nothing more.

use crate::targets::shared::agree::same;
use crate::targets::shared::faults::{Ended, Failing, Fault, What, in_memory_of};
use crate::targets::shared::input::Choices;
use crate::targets::shared::panics::let_unwind;
use crate::targets::shared::parts::{Around, Block, Book, Checked, Far, Noted, Vec64, Volume, Wide};
use crate::targets::shared::structs::{Message, Pointers, Reading, Samples, Texts, choose};
use binfmt::{DecodeOwned, Encode, Facts, Layout, Options, Order, Sink};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub fn run(data: &[u8]) {
    let_unwind();
    choose!(data, check: Volume<Noted>, Checked, Book<Noted>, Far<Block<Noted>>, Pointers, Message, Reading, Texts, Samples; too_wide);
}

/// How an input says what fails.
struct Said {
    fault: Fault,
    /// What a vector holds before, and has room for.
    held: usize,
    room: usize,
    /// Bytes at once of a reader or writer.
    most: usize,
}

impl Said {
    fn of(c: &mut Choices<'_>) -> Self {
        let what =
            c.pick(&[What::FunctionPanics, What::Allocation, What::Call, What::CallPanics, What::Function]);
        let fault = Fault { what, at: u32::from(c.byte()) };
        let [held, room, most] = [c.byte(), c.byte(), c.byte()].map(usize::from);
        Said { fault, held: held % 64, room: room * 64, most: most * most }
    }
}

fn options() -> Options {
    Options::new().max_memory(1 << 20).max_jumps(1000)
}

fn check<T: DecodeOwned + Encode + PartialEq + Debug>(bytes: &[u8]) {
    let c = &mut Choices(bytes);
    let said = Said::of(c);
    let goes_on = c.byte();
    read::<T>(c.0, &said);
    if let Ok((value, _)) = binfmt::from_prefix_with::<T, _>(c.0, &options()) {
        write(&value, &said, true);
        let value = GoesOn { value, how: goes_on };
        write(&value, &said, false);
        write(&Far { part: value, after: 1 }, &said, false);
    }
    let rows: Vec<T> = binfmt::records_with(c.0, &options()).take(3).map_while(Result::ok).collect();
    vector(&said, &binfmt::encode_all(&rows).ok(), |v| binfmt::encode_all_into(&rows, v));
}

/// No more than this is there to be written.
fn too_wide(bytes: &[u8]) {
    let c = &mut Choices(bytes);
    let said = Said::of(c);
    let items = vec![7; usize::from(c.byte())];
    let wide = Around { head: Vec64 { items }, a: [1; 256], b: Wide { n: 1, x: 2 } };
    assert!(binfmt::to_vec(&wide).is_err());
    write(&wide, &said, true);
    write(&GoesOn { value: wide, how: c.byte() }, &said, false);
}

fn read<T: DecodeOwned + PartialEq + Debug>(bytes: &[u8], said: &Said) {
    let expected = binfmt::from_prefix_with::<T, _>(bytes, &options()).map(|(value, _)| value).ok();
    let right = |ended: Ended<Option<T>>, has_failed: bool| match ended {
        Ended::With(value) if value.is_some() || !has_failed => {
            assert!(same(&value, &expected), "{value:?}\nexpected {expected:?}");
        }
        _ => assert!(has_failed, "it did not fail"),
    };
    let slice = || binfmt::from_prefix_with::<T, _>(bytes, &options()).map(|(value, _)| value).ok();
    let (ended, has_failed) = said.fault.during(slice);
    right(ended, has_failed);
    // what has parts elsewhere is not read from a stream
    let stream =
        || binfmt::from_reader_with::<T, _>(Failing { inner: bytes, most: said.most }, &options()).ok();
    let (ended, has_failed) = said.fault.during(stream);
    if !matches!(ended, Ended::With(None)) {
        right(ended, has_failed);
    }
    let rows = || binfmt::records_with::<T, _>(bytes, &options()).take(9).filter(Result::is_ok).count();
    let (ended, has_failed) = said.fault.during(rows);
    assert!(has_failed || ended == Ended::With(rows()));
}

/// Every sink. A value that goes on after what fails in it may come out in any way.
fn write<T: Encode>(value: &T, said: &Said, is_strict: bool) {
    let expected = if is_strict { binfmt::to_vec(value).ok() } else { None };
    let run = |fill: u8, size: Option<usize>| {
        let mut written = Vec::new();
        let writer = Failing { inner: &mut written, most: said.most };
        let (ended, has_failed) =
            in_memory_of(fill, || said.fault.during(|| binfmt::to_writer(value, writer).is_ok()));
        let mut room = vec![0; size.unwrap_or(said.room)];
        let into = || binfmt::to_slice(value, &mut room).is_ok();
        let into = in_memory_of(fill, || said.fault.during(into).0);
        let len = said.fault.during(|| binfmt::encoded_len(value).ok()).0;
        (ended, has_failed, written, into, room, len)
    };
    let size = expected.as_ref().map(Vec::len);
    let found = run(0xa7, size);
    assert_eq!(found, run(0x5c, size), "it depends on what the memory was full of");
    if let Some(expected) = &expected {
        let (ended, has_failed, written, ..) = found;
        assert!(expected.starts_with(&written), "{written:x?}\nexpected {expected:x?}");
        // a part may share bytes that a writer has no more
        let streams = binfmt::to_writer(value, std::io::sink()).is_ok();
        assert!(!streams || has_failed || (ended == Ended::With(true) && written.len() == expected.len()));
    }
    vector(said, &expected, |v| binfmt::append(value, v));
}

/// What is appended to a vector that holds something, in memory full of one thing and of another.
fn vector(said: &Said, expected: &Option<Vec<u8>>, append: impl Fn(&mut Vec<u8>) -> binfmt::Result<()>) {
    let run = |fill: u8| {
        in_memory_of(fill, || {
            let mut v = Vec::with_capacity(said.held + said.room);
            // what it has room for is full of it, too, wherever the memory is from
            v.resize(said.held + said.room, fill);
            v.truncate(said.held);
            v.fill(0x11);
            let (ended, has_failed) = said.fault.during(|| append(&mut v).is_ok());
            (v, ended, has_failed)
        })
    };
    let found = run(0xa7);
    assert_eq!(found, run(0x5c), "it depends on what the memory was full of");
    let (v, ended, has_failed) = found;
    let held = [0x11].repeat(said.held);
    let (before, added) = v.split_at_checked(held.len()).expect("what it held is there");
    assert_eq!(before, held);
    match (ended, expected) {
        (Ended::With(true), Some(expected)) => assert_eq!(added, expected),
        (Ended::With(true), None) => {}
        (Ended::With(false), _) => {
            assert!(added.is_empty(), "it failed, and {added:x?} is there");
            assert!(has_failed || expected.is_none(), "it did not fail");
        }
        (Ended::ByPanic, _) => assert!(has_failed),
    }
}

/// An encoder by hand that goes on whatever happens in it.
#[derive(Debug, PartialEq)]
struct GoesOn<T> {
    value: T,
    how: u8,
}

impl<T> Layout for GoesOn<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<T: Encode> Encode for GoesOn<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> binfmt::Result<()> {
        out.bytes(b"head", 0)?;
        if self.how & 1 == 1 {
            out.ensure(64)?;
        }
        let inside = || self.value.encode::<O, W>(out, ());
        let ended = catch_unwind(AssertUnwindSafe(inside));
        if self.how & 2 == 2 {
            let _ = catch_unwind(AssertUnwindSafe(|| out.bytes(&[2; 9000], 0)));
        }
        if self.how & 4 == 4 {
            let _ = out.ensure(usize::MAX);
        }
        match ended {
            Ok(Err(e)) if self.how & 8 == 8 => return Err(e),
            _ => {}
        }
        out.array([0x41; 64])?;
        out.bytes(b"end", 0)
    }
}
