//! Assertions, ranges, counts and conditions: what expressions in attributes become.

use crate::codec::form::EncodeAs;
use crate::codec::integer::AnyInteger;
use crate::error::owned::{Static, String, printed, told};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{between, natural};
use crate::wire::limits::Len;
use crate::wire::{Counter, Le};
use core::fmt::Debug;
use core::ops::RangeBounds;

/// The error with the name of its field, where it is that of one.
#[cold]
#[inline(never)]
pub fn named(e: Error, name: Option<&'static str>) -> Error {
    match name {
        Some(name) => e.within(Step::Field(name)),
        None => e,
    }
}

/// `assert(expr, "text")` that does not hold.
#[cold]
#[inline(never)]
pub fn failed_assert(at: u64, text: impl Into<Static>) -> Error {
    Error::new(ErrorKind::Assertion { text: text.into() }, at)
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
    Err(outside(at, printed(format_args!("{value:?}")), text, name))
}

#[cold]
#[inline(never)]
fn outside(at: u64, found: String, expected: &'static str, name: Option<&'static str>) -> Error {
    named(Error::new(ErrorKind::OutOfRange { found, expected: expected.into() }, at), name)
}

/// A condition, as a value or as a reference to an earlier field.
#[diagnostic::on_unimplemented(
    message = "a condition is a `bool`, found `{Self}`",
    label = "expected `bool` or `&bool`, found `{Self}`",
    note = "an earlier field is a reference: write `*flags & 1 != 0`"
)]
pub trait Flag {
    /// The condition.
    fn flag(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl Flag for bool {
    #[inline(always)]
    fn flag(self) -> bool {
        self
    }
}

#[diagnostic::do_not_recommend]
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
#[diagnostic::on_unimplemented(
    message = "a number of elements, a size or a position is an integer, found `{Self}`",
    label = "expected an integer or a reference to one, found `{Self}`",
    note = "of a type parameter: give it the bound `Into<u64>` and write `Into::<u64>::into(n)`"
)]
pub trait IntoCount<By>: Sized {
    /// As the widest integer; `None` when it is not a number or larger than any count.
    fn exact(self) -> Option<i128>;

    /// As the widest integer, whose largest is not one that a count may have.
    #[inline(always)]
    fn into_count(self) -> i128 {
        self.exact().unwrap_or(i128::MAX)
    }
}

/// By value; a reference counts [`Referred`]. The parameter of [`IntoCount`] keeps the two apart for rustc, which infers it.
#[derive(Debug)]
pub struct Given;

/// By reference.
#[derive(Debug)]
pub struct Referred;

#[diagnostic::do_not_recommend]
impl<T: AnyInteger> IntoCount<Given> for T {
    #[inline(always)]
    fn exact(self) -> Option<i128> {
        self.wide()
    }
}

#[diagnostic::do_not_recommend]
impl<T: AnyInteger> IntoCount<Referred> for &T {
    #[inline(always)]
    fn exact(self) -> Option<i128> {
        self.wide()
    }
}

/// `count = expr`.
#[inline(always)]
pub fn count<By>(n: impl IntoCount<By>) -> i128 {
    n.into_count()
}

/// Things whose elements can be counted for `len_of`.
#[diagnostic::on_unimplemented(
    message = "`len_of`: a `{Self}` has no number of elements",
    label = "not text, bytes or a sequence",
    note = "for its size on the wire write `len_of(<field>, bytes)`"
)]
pub trait NumItems {
    /// How many elements, or bytes of text.
    fn num_items(&self) -> usize;
}

macro_rules! num_items {
    ($($({$($g:tt)*})? $t:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl $(<$($g)*>)? NumItems for $t {
            fn num_items(&self) -> usize {
                self.len()
            }
        }
    )* };
}
num_items! {
    &str;
    {T} &[T];
    {T, const N: usize} [T; N];
}

#[cfg(feature = "alloc")]
num_items! {
    alloc::string::String;
    alloc::boxed::Box<str>;
    alloc::borrow::Cow<'_, str>;
    alloc::borrow::Cow<'_, [u8]>;
    {T} alloc::vec::Vec<T>;
    {T} alloc::collections::VecDeque<T>;
    {K, V} alloc::collections::BTreeMap<K, V>;
    {T} alloc::collections::BTreeSet<T>;
    {T} alloc::boxed::Box<[T]>;
}

#[cfg(feature = "std")]
num_items! {
    {K, V, H} std::collections::HashMap<K, V, H>;
    {T, H} std::collections::HashSet<T, H>;
}

#[diagnostic::do_not_recommend]
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
    Ok(counted(&out))
}

/// The bytes that were written to a counter.
pub fn counted(out: &Counter) -> usize {
    usize::try_from(out.region()).unwrap_or(usize::MAX)
}

/// The length of a field that was measured before anything of its struct is written: an error names the field, at the
/// place where the writing stands.
///
/// # Errors
/// The value contradicts its layout.
pub fn measured(len: Result<usize>, at: u64, name: &'static str) -> Result<usize> {
    len.map_err(|e| e.shifted(at).or_at(at).within(Step::Field(name)))
}

/// `len_of(field)`: the length that is written. It must be the one that stands in the struct, unless `auto`.
///
/// # Errors
/// The two differ, or the length does not fit its type.
pub fn len_of<N: Len>(at: u64, len: usize, given: &N, auto: bool, name: Option<&'static str>) -> Result<N> {
    let e = if !auto && given.wide() != len as i128 {
        ErrorKind::LengthMismatch { expected: len as i128, found: natural(given.wide()) }
    } else {
        match N::of(len as u64) {
            Some(n) => return Ok(n),
            None => ErrorKind::PrefixOverflow { value: len as u64, max: N::MAX },
        }
    };
    Err(named(Error::new(e, at), name))
}

/// A codec of the user's own keeps to the limits that its `size(min, max)` states: sizes of types rest on them.
///
/// # Errors
/// It took fewer bytes or more.
#[inline(always)]
pub fn keeps_size(from: u64, to: u64, min: usize, max: usize) -> Result<()> {
    let taken = between(from, to);
    if taken >= min as u64 && taken <= max as u64 { Ok(()) } else { Err(another_size(from, taken, min, max)) }
}

#[cold]
#[inline(never)]
fn another_size(at: u64, taken: u64, min: usize, max: usize) -> Error {
    let short = "the codec takes another number of bytes than it declares";
    let text = match min == max {
        true => told(format_args!("the codec takes {taken} bytes, but declares `size({min})`"), short),
        false => {
            told(format_args!("the codec takes {taken} bytes, but declares `size({min}, {max})`"), short)
        }
    };
    Error::message(text, at)
}
