//! What is around values: the presence byte before one that may be missing, and columns that no attribute owns.

use crate::{BinFormat, Ignored, Nullable};

/// A `null` column: a presence byte, then the value, or the code of why it is missing and zeros, for a value of any size the
/// length 0.
#[derive(BinFormat, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct NullOr<T>(#[binfmt(nullable(present = 0xFF, missing = 0..=127, body = zero))] pub Nullable<T>);

/// `skip(N)`: N bytes that are not looked at, zeros when written. `skip(N) null` has one byte more.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(transparent)]
pub struct Skip<const N: usize>(#[binfmt(count = N)] Ignored);

/// `skip`: a `u32` length and as many bytes that are not looked at; the length 0 when written. `skip null` has a `Skip<1>` before it.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct SizedSkip(#[binfmt(length_prefixed(u32))] Ignored);
