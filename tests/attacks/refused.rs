//! Memory that is refused at the k-th call, with the error handed on, and swallowed.

use crate::memory::{LEAST, LEFT};
use crate::turns;
use crate::values::without_functions;
use binfmt::{BinFormat, Encode, ErrorKind, Facts, Layout, Order, Result, wire::Sink};

/// What an error takes itself, and less.
const FEW: usize = 129;

/// Runs a case with each call of the allocator refused in turn.
fn each<S, R>(
    state: &mut S,
    mut case: impl FnMut(&mut S) -> Result<R>,
    mut after: impl FnMut(&mut S, Option<R>),
) {
    for k in turns() {
        LEFT.set(k.into());
        let done = case(state);
        let is_through = LEFT.replace(0) > 0;
        match done {
            Ok(done) => after(state, Some(done)),
            Err(e) => {
                assert!(matches!(e.kind(), ErrorKind::OutOfMemory { .. }), "{e}");
                assert!(!is_through);
                after(state, None);
            }
        }
        if is_through {
            return;
        }
    }
    panic!("it never goes through");
}

fn write<T: Encode>(value: &T) {
    let bytes = binfmt::to_vec(value).unwrap();
    LEAST.set(FEW);
    each(
        &mut vec![1; 3],
        |v| binfmt::append(value, v),
        |v, done| {
            assert_eq!(v[..3], [1; 3]);
            assert_eq!(v.len(), if done.is_some() { 3 + bytes.len() } else { 3 });
            *v = vec![1; 3];
        },
    );
    each(
        &mut vec![0; bytes.len()],
        |slice| binfmt::to_slice(value, slice),
        |_, done| {
            assert!(done.is_none_or(|n| n == bytes.len()));
        },
    );
    each(
        &mut Vec::with_capacity(bytes.len()),
        |file| binfmt::to_writer(value, file),
        |file, done| {
            assert!(done.is_none_or(|n| n as usize == bytes.len()) && bytes.starts_with(file));
            file.clear();
        },
    );
}

#[test]
fn no_memory_is_an_error() {
    without_functions!(write);
}

/// More padding than there is memory, in a part.
#[derive(BinFormat)]
struct Wide {
    n: u32,
    #[binfmt(pad_before = 0x7fff_ffff_ffff_fff0)]
    x: u32,
}

#[derive(BinFormat)]
struct InPart {
    #[binfmt(at(file) = 64)]
    a: [u8; 256],
    #[binfmt(at(file) = 8)]
    b: Wide,
}

#[test]
fn room_that_no_memory_has_is_an_error() {
    let value = InPart { a: [1; 256], b: Wide { n: 1, x: 2 } };
    let mut v = vec![7; 9];
    assert!(matches!(binfmt::append(&value, &mut v).unwrap_err().kind(), ErrorKind::OutOfMemory { .. }));
    assert_eq!(v, [7; 9]);
    assert!(binfmt::to_writer(&value, &mut Vec::new()).is_err());
    assert!(binfmt::to_slice(&value, &mut [0; 999]).is_err());
}

/// Swallows the errors of `T`, and of room that is not to be had, and goes on.
struct Careless<T>(T);

impl<T> Layout for Careless<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<T: Encode> Encode for Careless<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        let _ = out.ensure(usize::MAX);
        let _ = out.bytes(b"wxyz", usize::MAX);
        out.bytes(b"head", 0)?;
        let _ = self.0.encode::<O, W>(out, ());
        let _ = out.ensure(usize::MAX / 2);
        if W::MEMORY {
            let _ = out.fill(1, u64::MAX);
        }
        out.array([0x41; 64])
    }
}

fn careless<T: Encode + Clone>(value: &T) {
    let value = &Careless(value.clone());
    let whole = binfmt::to_vec(value).ok();
    LEAST.set(FEW);
    for k in turns() {
        let (mut v, mut file) = (vec![1; 3], Vec::with_capacity(1 << 16));
        LEFT.set(k.into());
        let appended = binfmt::append(value, &mut v);
        let is_through = LEFT.replace(0) > 0;
        assert!(v.starts_with(&[1; 3]) && (appended.is_ok() || v.len() == 3), "{k} {appended:?} {v:?}");
        if is_through {
            assert!(whole.is_none_or(|whole| v[3..] == whole));
            return;
        }
        LEFT.set(k.into());
        let _ = binfmt::to_writer(value, &mut file);
        LEFT.set(0);
    }
    panic!("it never goes through");
}

#[test]
fn who_swallows_that_error_goes_on_in_memory_that_is_there() {
    without_functions!(careless);
}
