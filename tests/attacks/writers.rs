//! Writers that fail or panic at their k-th call.

use crate::blasts::{each, tick};
use crate::values::all;
use binfmt::{Encode, ErrorKind, Facts, Layout, Order, Result, wire::Sink};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A writer that takes a few bytes at a time.
#[derive(Default)]
struct Slow {
    got: Vec<u8>,
    /// Calls until the one that fails.
    left: usize,
    panics: bool,
}

impl Slow {
    fn call(&mut self) -> io::Result<()> {
        if self.panics {
            tick();
        }
        self.left = self.left.wrapping_sub(1);
        if self.left == 0 { Err(io::Error::other("no more")) } else { Ok(()) }
    }
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.call()?;
        let n = bytes.len().min(30_000);
        self.got.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call()
    }
}

fn fails<T: Encode>(value: &T) {
    let bytes = binfmt::to_vec(value).unwrap();
    for left in 1.. {
        let mut w = Slow { left, ..Slow::default() };
        match binfmt::to_writer(value, &mut w) {
            Ok(n) => {
                assert_eq!((n as usize, w.got), (bytes.len(), bytes));
                assert!(left > 1);
                return;
            }
            Err(e) => {
                assert!(matches!(e.kind(), ErrorKind::Io(_)), "{e}");
                assert!(bytes.starts_with(&w.got));
            }
        }
    }
}

fn panics<T: Encode>(value: &T) {
    let bytes = binfmt::to_vec(value).unwrap();
    let mut w = Slow { panics: true, ..Slow::default() };
    each(
        &mut w,
        |w| binfmt::to_writer(value, w).unwrap(),
        |w, done| {
            assert!(bytes.starts_with(&w.got) && (done.is_none() || w.got == bytes));
            w.got.clear();
        },
    );
}

/// More than a block, by runs of any length.
struct Long;

impl Layout for Long {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl Encode for Long {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        for n in [10, 70_000, 3, 65_536, 65_537, 1, 200_000] {
            out.bytes(&vec![n as u8; n], 4)?;
            out.array([1, 2, 3, 4])?;
            out.fill(7, 5000)?;
        }
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_gets_no_more() {
    all!(fails);
    fails(&Long);
}

#[test]
fn a_writer_that_panics_gets_no_more() {
    all!(panics);
    panics(&Long);
}

/// Swallows what comes of a long run of bytes, a panic or an error, and goes on.
struct Careless;

impl Layout for Careless {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl Encode for Careless {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        out.bytes(&[1; 1000], 0)?;
        for n in [65_000, 65_000, 100_000, 65_000] {
            let _ = catch_unwind(AssertUnwindSafe(|| out.bytes(&vec![2; n], 0)));
            let _ = out.array([0x41u8; 64]);
            let _ = catch_unwind(AssertUnwindSafe(|| out.fill(3, 66_000)));
            let _ = out.ensure(usize::MAX);
            let _ = out.array([0x42u8; 64]);
        }
        Ok(())
    }
}

#[test]
fn who_swallows_the_failure_of_a_writer_gets_it_at_the_end() {
    let whole = binfmt::to_vec(&Careless).unwrap();
    for left in 1..50 {
        let mut w = Slow { left, ..Slow::default() };
        if binfmt::to_writer(&Careless, &mut w).is_ok() {
            assert!(left > 5 && w.got == whole);
            break;
        }
        assert!(whole.starts_with(&w.got));
    }
    let mut w = Slow { panics: true, ..Slow::default() };
    let mut times = 0;
    each(
        &mut w,
        |w| binfmt::to_writer(&Careless, w).is_ok(),
        |w, done| {
            // a panic in the flush is not one in the value
            assert!(whole.starts_with(&w.got) && (done != Some(true) || w.got == whole));
            times += 1;
            w.got.clear();
        },
    );
    assert!(times > 5);
}
