//! Panics and errors inside of a value that the codec around it catches, and goes on.

use crate::blasts::each;
use crate::values::all;
use binfmt::wire::{Sink, Source};
use binfmt::{BinFormat, Decode, Encode, Facts, Layout, Order, Result};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Catches what a value throws and goes on to write.
#[derive(Clone)]
struct Catch<T>(T);

impl<T> Layout for Catch<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<T: Encode> Encode for Catch<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        out.ensure(4096)?;
        out.bytes(b"head", 0)?;
        let _ = catch_unwind(AssertUnwindSafe(|| self.0.encode::<O, W>(out, ())));
        out.array([0x41u8; 64])?;
        out.bytes(&[0x42; 5000], 8)
    }
}

/// Whether bytes have the end that `Catch` writes, where nothing waits.
fn write<T: Encode + Clone>(value: &T) {
    let value = &Catch(value.clone());
    let bytes = binfmt::to_vec(value).ok();
    each(
        &mut vec![9; 3],
        |v| binfmt::append(value, v),
        |v, done| {
            match done.expect("it is caught") {
                Ok(()) => assert!(v.len() >= 3 + 4 + 64 + 5000),
                Err(_) => assert_eq!(v.len(), 3),
            }
            v.truncate(3);
            assert_eq!(*v, [9; 3]);
        },
    );
    each(&mut (), |()| binfmt::to_vec(value).ok(), |(), _| {});
    each(&mut Vec::new(), |file| binfmt::to_writer(value, file).is_ok(), |file, _| file.clear());
    each(&mut vec![0; 20_000], |slice| binfmt::to_slice(value, slice).is_ok(), |_, _| {});
    assert!(bytes.is_none_or(|bytes| bytes.starts_with(b"head")));
}

#[test]
fn what_goes_on_after_a_panic_writes_to_memory_of_its_own() {
    all!(write);
}

/// Writes a lot and panics, or fails.
#[derive(Clone, Copy)]
enum Bomb {
    Panics,
    Fails,
}

impl Layout for Bomb {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl Encode for Bomb {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        out.bytes(&vec![b'x'; 1 << 20], 0)?;
        match self {
            Bomb::Panics => resume_unwind(Box::new("bomb")),
            Bomb::Fails => Err(binfmt::Error::message("bomb", 0)),
        }
    }
}

impl<'de> Decode<'de> for Bomb {
    fn decode<O: Order, S: Source<'de>>(_: &mut S, (): ()) -> Result<Self> {
        Ok(Bomb::Fails)
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Catch<T> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (): ()) -> Result<Self> {
        T::decode::<O, S>(src, ()).map(Catch)
    }
}

#[derive(BinFormat, Clone)]
struct Far {
    n: u8,
    #[binfmt(at(file) = 512)]
    b: Bomb,
}

#[derive(BinFormat, Clone)]
struct Deep {
    n: u8,
    #[binfmt(at(file) = 9000)]
    far: Far,
}

#[derive(BinFormat, Clone)]
struct Region {
    #[binfmt(length_prefixed(u32, in = bytes))]
    far: Far,
}

/// Catches what a part throws, and what comes after it is written; the output would lack the part.
#[track_caller]
fn lacks<T: Encode + for<'de> Decode<'de>>(value: T) {
    let value = Catch(value);
    let mut v = vec![1, 2, 3];
    let e = binfmt::append(&value, &mut v).unwrap_err();
    assert!(e.to_string().contains("part"), "{e}");
    assert_eq!(v, [1, 2, 3]);
    binfmt::to_writer(&value, &mut Vec::new()).unwrap_err();
    binfmt::to_slice(&value, &mut vec![0; 1 << 21]).unwrap_err();
    // inside a part, in which it is caught
    let mut v = vec![1, 2, 3];
    binfmt::append(&Deeper { n: 1, inner: value }, &mut v).unwrap_err();
    assert_eq!(v, [1, 2, 3]);
}

#[derive(BinFormat)]
struct Deeper<T> {
    n: u8,
    #[binfmt(at(file) = 100)]
    inner: T,
}

#[test]
fn an_output_that_lacks_a_part_is_refused() {
    for b in [Bomb::Panics, Bomb::Fails] {
        let far = Far { n: 1, b };
        lacks(far.clone());
        lacks(Deep { n: 1, far: far.clone() });
        // where it is measured first, nothing is written
        let e = binfmt::to_vec(&Catch(Region { far })).unwrap_err();
        assert!(e.to_string().contains("part"), "{e}");
    }
}

/// A part that fails behind another one, in a region that comes to its end.
#[derive(BinFormat)]
struct Before {
    #[binfmt(at = 20)]
    a: [u8; 8],
    b: Swallowed<Far>,
}

#[test]
fn parts_before_one_that_failed_are_still_there() {
    for b in [Bomb::Panics, Bomb::Fails] {
        let region = || Before { a: [7; 8], b: Swallowed(Far { n: 1, b }) };
        let value = InRegion { region: region(), n: 3 };
        assert!(binfmt::to_vec(&value).is_err());
        assert!(binfmt::to_writer(&value, &mut Vec::new()).is_err());
        assert!(binfmt::to_slice(&value, &mut [0; 999]).is_err());
    }
}

#[derive(BinFormat)]
struct InRegion {
    #[binfmt(length_prefixed(u16, in = bytes))]
    region: Before,
    n: u8,
}

/// Goes on as if nothing had happened; where it is measured, nothing happens.
struct Swallowed<T>(T);

impl<T> Layout for Swallowed<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<'de, T> Decode<'de> for Swallowed<T> {
    fn decode<O: Order, S: Source<'de>>(_: &mut S, (): ()) -> Result<Self> {
        Err(binfmt::Error::other("it is only written"))
    }
}

impl<T: Encode> Encode for Swallowed<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        if !W::COUNT {
            let _ = catch_unwind(AssertUnwindSafe(|| self.0.encode::<O, W>(out, ())));
        }
        Ok(())
    }
}

/// A value that encodes others by themselves while it is encoded.
struct Reentrant<T>(T);

impl<T> Layout for Reentrant<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<T: Encode> Encode for Reentrant<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        let alone = binfmt::to_vec(&self.0)?;
        self.0.encode::<O, W>(out, ())?;
        let mut file = Vec::new();
        binfmt::to_writer(&self.0, &mut file)?;
        assert_eq!(alone, file);
        Ok(())
    }
}

#[test]
fn a_value_may_encode_others_while_it_is_encoded() {
    fn same<T: Encode + Clone>(value: &T) {
        let bytes = binfmt::to_vec(value).unwrap();
        assert_eq!(binfmt::to_vec(&Reentrant(value.clone())).unwrap(), bytes);
        let mut file = Vec::new();
        binfmt::to_writer(&Reentrant(value.clone()), &mut file).unwrap();
        assert_eq!(file, bytes);
    }
    all!(same);
}
