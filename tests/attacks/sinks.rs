//! The methods of sinks, the hidden ones too, in any order, with what they hand out exchanged between sinks.

use crate::values::places;
use binfmt::wire::{Counter, Sink, Source};
use binfmt::{BinFormat, Decode, Encode, Facts, Layout, Order, Result};

/// Calls them as numbers say.
struct Any<'n>(&'n [u8]);

impl Layout for Any<'_> {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl Encode for Any<'_> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        let mut regions = vec![out.begin_region()];
        let mut jumps = Vec::new();
        for (i, n) in self.0.iter().enumerate() {
            let size = usize::from(*n) * i;
            let done = match n % 16 {
                0 => out.ensure(size),
                1 => out.array([*n; 7]),
                2 => out.bytes(&vec![*n; size], *n as usize),
                3 => out.front(&[*n; 40], size % 50, 3),
                4 => out.fill(*n, size as u64),
                5 => out.ensure(usize::MAX - size),
                6 => {
                    regions.push(out.begin_region());
                    Ok(())
                }
                7 => {
                    let begun = regions[size % regions.len()];
                    out.end_region(begun)
                }
                8 => {
                    let begun = regions[size % regions.len()];
                    out.fills_to(size as u64, begun)
                }
                9 => {
                    out.seal();
                    Ok(())
                }
                10 => {
                    out.memory_from(u64::MAX - size as u64).fill(1);
                    out.memory_from(size as u64).fill(2);
                    let mut own = [3; 9];
                    let end = out.pos().saturating_sub(9);
                    let there = out.memory_from(end);
                    if there.len() == own.len() {
                        there.swap_with_slice(&mut own);
                    }
                    Ok(())
                }
                11 => out.bulk::<O, _>(<[u32; 3]>::FACTS, &[[1, 2, 3], [4, 5, 6]]),
                12 => {
                    jumps.push(out.jump(size as u64));
                    Ok(())
                }
                13 => {
                    let mut own = Counter::new();
                    let (mut of_out, mut of_own) = (out.parts(), own.parts());
                    std::mem::swap(&mut of_out, &mut of_own);
                    Ok(())
                }
                14 => places().encode::<O, W>(out, ()),
                _ => out.in_memory(|inner| inner.bytes(&[*n; 300], 1)),
            };
            // errors are swallowed
            drop(done);
        }
        Ok(())
    }
}

#[derive(BinFormat)]
struct InPart<'n> {
    n: u8,
    #[binfmt(at(file) = 2000)]
    any: Any<'n>,
}

impl<'de> Decode<'de> for Any<'_> {
    fn decode<O: Order, S: Source<'de>>(_: &mut S, (): ()) -> Result<Self> {
        Ok(Any(&[]))
    }
}

/// Numbers that look like any.
fn numbers(seed: u64) -> Vec<u8> {
    let mut n = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        n ^= n << 13;
        n ^= n >> 7;
        n ^= n << 17;
        (n >> 24) as u8
    };
    (0..next() % 40).map(|_| next()).collect()
}

#[test]
fn methods_in_any_order_stay_in_memory_that_is_there() {
    let times = if cfg!(miri) { 60 } else { 3000 };
    let mut written = 0;
    for seed in 0..times {
        let numbers = numbers(seed);
        let any = Any(&numbers);
        let mut v = vec![1, 2, 3];
        let appended = binfmt::append(&any, &mut v).is_ok();
        assert!(v.starts_with(&[1, 2, 3]) && (appended || v.len() == 3));
        let mut file = Vec::new();
        let _ = binfmt::to_writer(&any, &mut file);
        let mut slice = [0; 3000];
        let _ = binfmt::to_slice(&any, &mut slice);
        let _ = any.encode::<binfmt::Le, _>(&mut Counter::new(), ());
        let part = InPart { n: 1, any: Any(&numbers) };
        let mut v = vec![1, 2, 3];
        let appended = binfmt::append(&part, &mut v).is_ok();
        assert!(v.starts_with(&[1, 2, 3]) && (appended || v.len() == 3));
        written += u32::from(appended);
    }
    assert!(written > 0);
}
