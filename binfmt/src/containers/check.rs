//! Assertions, ranges, counts and conditions: what expressions in attributes become.

use crate::codec::form::EncodeAs;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::limits::Len;
use crate::wire::{Counter, Le, Sink};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::RangeBounds;

fn named(e: Error, name: Option<&'static str>) -> Error {
    match name {
        Some(name) => e.within(Step::Field(name)),
        None => e,
    }
}

/// `assert(expr, "text")` that does not hold.
#[cold]
#[inline(never)]
pub fn failed_assert(at: u64, text: &'static str, name: Option<&'static str>) -> Error {
    named(Error::new(ErrorKind::Assertion { text }, at), name)
}

/// `range = a..=b`.
#[inline(always)]
pub fn in_range<T: PartialOrd + Debug>(
    at: u64,
    value: &T,
    range: &impl RangeBounds<T>,
    text: &'static str,
    name: Option<&'static str>,
) -> Result<()> {
    if range.contains(value) {
        return Ok(());
    }
    Err(outside(at, format!("{value:?}"), text, name))
}

#[cold]
#[inline(never)]
fn outside(at: u64, found: String, expected: &'static str, name: Option<&'static str>) -> Error {
    named(Error::new(ErrorKind::OutOfRange { found, expected }, at), name)
}

/// A condition, as a value or as a reference to an earlier field.
pub trait Flag {
    /// The condition.
    fn flag(self) -> bool;
}

impl Flag for bool {
    #[inline(always)]
    fn flag(self) -> bool {
        self
    }
}

impl Flag for &bool {
    #[inline(always)]
    fn flag(self) -> bool {
        *self
    }
}

/// `if(expr)`.
#[inline(always)]
pub fn flag(on: impl Flag) -> bool {
    on.flag()
}

/// A count, as any integer or a reference to one.
pub trait IntoCount {
    /// As the widest integer.
    fn into_count(self) -> i128;
}

macro_rules! into_count {
    ($($t:ident)*) => { $(
        impl IntoCount for $t {
            #[inline(always)]
            fn into_count(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        }
        impl IntoCount for &$t {
            #[inline(always)]
            fn into_count(self) -> i128 {
                i128::try_from(*self).unwrap_or(i128::MAX)
            }
        }
    )* };
}
into_count!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

/// `count = expr`.
#[inline(always)]
pub fn count(n: impl IntoCount) -> i128 {
    n.into_count()
}

/// Things whose elements can be counted for `len_of`.
pub trait NumItems {
    /// How many elements, or bytes of text.
    fn num_items(&self) -> usize;
}

macro_rules! num_items {
    ($($({$($g:tt)*})? $t:ty;)*) => { $(
        impl $(<$($g)*>)? NumItems for $t {
            fn num_items(&self) -> usize {
                self.len()
            }
        }
    )* };
}
num_items! {
    String;
    Box<str>;
    &str;
    Cow<'_, str>;
    Cow<'_, [u8]>;
    {T} Vec<T>;
    {T} Box<[T]>;
    {T} &[T];
    {T, const N: usize} [T; N];
}

impl<T: NumItems> NumItems for Option<T> {
    fn num_items(&self) -> usize {
        self.as_ref().map_or(0, NumItems::num_items)
    }
}

/// The elements of a field.
pub fn num_items(v: &impl NumItems) -> usize {
    v.num_items()
}

/// The bytes of a field.
///
/// # Errors
/// The value contradicts its layout.
pub fn form_len<F: EncodeAs<T, C>, T, C>(value: &T, ctx: C) -> Result<usize> {
    let mut out = Counter::new();
    F::encode::<Le, Counter>(value, &mut out, ctx)?;
    Ok(usize::try_from(out.pos()).unwrap_or(usize::MAX))
}

/// `len_of(field)`: the length that is written. It must be the one that stands in the struct, unless `auto`.
///
/// # Errors
/// The two differ, or the length does not fit its type.
pub fn len_of<N: Len>(at: u64, len: usize, given: &N, auto: bool, name: Option<&'static str>) -> Result<N> {
    let e = if !auto && given.wide() != len as i128 {
        ErrorKind::LengthMismatch { expected: len as i128, found: u64::try_from(given.wide()).unwrap_or(0) }
    } else {
        match N::of(len as u64) {
            Some(n) => return Ok(n),
            None => ErrorKind::PrefixOverflow { value: len as u64, max: N::MAX },
        }
    };
    Err(named(Error::new(e, at), name))
}

/// `size = N`, checked when compiling.
pub const fn assert_size(sizes: crate::wire::Sizes, size: usize) {
    match sizes.exact() {
        Some(n) => assert!(n == size, "binfmt: `size = N`: the wire size of this type is another"),
        None => panic!("binfmt: `size = N`: this type has no fixed wire size"),
    }
}

/// `args(name = expr, ..)`, checked when compiling.
pub const fn assert_ctx(ctx: &[&str], args: &[&str]) {
    let mut same = ctx.len() == args.len();
    let mut i = 0;
    while same && i < ctx.len() {
        let (a, b) = (ctx[i].as_bytes(), args[i].as_bytes());
        same = a.len() == b.len();
        let mut k = 0;
        while same && k < a.len() {
            same = a[k] == b[k];
            k = k.saturating_add(1);
        }
        i = i.saturating_add(1);
    }
    assert!(same, "binfmt: `args(name = ..)`: the names are not those of the type's `ctx(..)`, in its order");
}
