//! Arithmetic in the expressions that say how many there are: it never wraps on what the input says.

use super::check::{Given, IntoCount, Referred};

/// A number in the arithmetic of a count: exact, or none when it has no value or is larger than any count.
#[derive(Clone, Copy, Debug)]
pub struct Wide(Option<i128>);

/// The number that an integer or a reference to one says.
#[inline(always)]
pub fn wide<By>(n: impl IntoCount<By>) -> Wide {
    Wide(n.exact())
}

#[expect(clippy::should_implement_trait, reason = "operators of a type that no user names")]
impl Wide {
    /// No number.
    pub const NONE: Wide = Wide(None);

    #[inline(always)]
    fn with(self, other: Wide, make: impl FnOnce(i128, i128) -> Option<i128>) -> Wide {
        match (self.0, other.0) {
            (Some(a), Some(b)) => Wide(make(a, b)),
            _ => Wide::NONE,
        }
    }

    /// `add` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn add(self, other: Wide) -> Wide {
        self.with(other, i128::checked_add)
    }

    /// `sub` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn sub(self, other: Wide) -> Wide {
        self.with(other, i128::checked_sub)
    }

    /// `mul` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn mul(self, other: Wide) -> Wide {
        self.with(other, i128::checked_mul)
    }

    /// `div` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn div(self, other: Wide) -> Wide {
        self.with(other, i128::checked_div)
    }

    /// `rem` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn rem(self, other: Wide) -> Wide {
        self.with(other, i128::checked_rem)
    }

    /// `shl` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn shl(self, other: Wide) -> Wide {
        self.with(other, shifted)
    }

    /// `shr` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn shr(self, other: Wide) -> Wide {
        self.with(other, |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shr(b)))
    }

    /// `and` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Wide) -> Wide {
        self.with(other, |a, b| Some(a & b))
    }

    /// `or` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Wide) -> Wide {
        self.with(other, |a, b| Some(a | b))
    }

    /// `xor` of two numbers.
    #[inline(always)]
    #[must_use]
    pub fn xor(self, other: Wide) -> Wide {
        self.with(other, |a, b| Some(a ^ b))
    }

    /// The same number with the other sign.
    #[inline(always)]
    #[must_use]
    pub fn neg(self) -> Wide {
        Wide(self.0.and_then(i128::checked_neg))
    }
}

/// `a << b` without a bit that is lost.
fn shifted(a: i128, b: i128) -> Option<i128> {
    let b = u32::try_from(b).ok()?;
    let n = a.checked_shl(b)?;
    (n.checked_shr(b) == Some(a)).then_some(n)
}

/// As an argument of [`IntoCount`].
#[derive(Debug)]
pub struct Calculated;

impl IntoCount<Calculated> for Wide {
    #[inline(always)]
    fn exact(self) -> Option<i128> {
        self.0
    }
}

/// A type whose arithmetic tells when the result does not fit in it.
pub trait Checked: Copy + Default {
    /// `self + other`.
    fn sum(self, other: Self) -> Option<Self>;
    /// `self - other`.
    fn difference(self, other: Self) -> Option<Self>;
    /// `self * other`.
    fn product(self, other: Self) -> Option<Self>;
    /// `self / other`.
    fn quotient(self, other: Self) -> Option<Self>;
    /// `self % other`.
    fn remainder(self, other: Self) -> Option<Self>;
    /// `self << by`.
    fn left(self, by: u32) -> Option<Self>;
    /// `self >> by`.
    fn right(self, by: u32) -> Option<Self>;
}

macro_rules! number {
    ($([$($t:ident)*]: |$a:ident, $b:ident, $by:ident| $sum:expr, $difference:expr, $product:expr, $quotient:expr, $remainder:expr, $left:expr, $right:expr;)*) => { $( $(
        impl Checked for $t {
            #[inline(always)]
            fn sum(self, $b: Self) -> Option<Self> {
                let $a = self;
                $sum
            }
            #[inline(always)]
            fn difference(self, $b: Self) -> Option<Self> {
                let $a = self;
                $difference
            }
            #[inline(always)]
            fn product(self, $b: Self) -> Option<Self> {
                let $a = self;
                $product
            }
            #[inline(always)]
            fn quotient(self, $b: Self) -> Option<Self> {
                let $a = self;
                $quotient
            }
            #[inline(always)]
            fn remainder(self, $b: Self) -> Option<Self> {
                let $a = self;
                $remainder
            }
            #[inline(always)]
            fn left(self, $by: u32) -> Option<Self> {
                let $a = self;
                $left
            }
            #[inline(always)]
            fn right(self, $by: u32) -> Option<Self> {
                let $a = self;
                $right
            }
        }
    )* )* };
}

number! {
    [u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize]: |a, b, by|
        a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b), a.checked_rem(b),
        a.checked_shl(by).filter(|n| n.checked_shr(by) == Some(a)), a.checked_shr(by);
    [f32 f64]: |a, b, by|
        Some(a + b), Some(a - b), Some(a * b), Some(a / b), Some(a % b), no_shift(a, by), no_shift(a, by);
}

/// A float is not shifted.
fn no_shift<T>(_: T, _: u32) -> Option<T> {
    None
}

/// Arithmetic inside a call or a cast, in its own type: `None` when the result is not a number of that type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` with `{Other}`: this arithmetic cannot be checked in a number of elements",
    label = "not two numbers of one type",
    note = "do it in a function of your own: `count = num_cells(width, height)`"
)]
pub trait Both<Other, By> {
    /// The type of the result.
    type Output: Checked;
    /// Both as numbers of one type.
    fn both(self, other: Other) -> (Self::Output, Self::Output);
}

/// What is shifted or negated inside a call or a cast.
#[diagnostic::on_unimplemented(
    message = "`{Self}`: this operation cannot be checked in a number of elements",
    label = "no integer",
    note = "do it in a function of your own: `count = num_cells(width, height)`"
)]
pub trait Shifted<By> {
    /// The type of the result.
    type Output: Checked;
    /// The number.
    fn number(self) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl<A: Shifted<BA>, B: Shifted<BB, Output = A::Output>, BA, BB> Both<B, (BA, BB)> for A {
    type Output = A::Output;
    #[inline(always)]
    fn both(self, other: B) -> (A::Output, A::Output) {
        (self.number(), other.number())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Checked> Shifted<Given> for T {
    type Output = T;
    #[inline(always)]
    fn number(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Checked> Shifted<Referred> for &T {
    type Output = T;
    #[inline(always)]
    fn number(self) -> T {
        *self
    }
}

/// The operations under the names that generated code has for them.
pub mod kept {
    use super::{Both, Checked as _, IntoCount, Shifted};

    /// The sum of two numbers of one type.
    #[inline(always)]
    pub fn add<A: Both<B, By>, B, By>(a: A, b: B) -> Option<A::Output> {
        let (a, b) = a.both(b);
        a.sum(b)
    }

    /// The difference of two numbers of one type.
    #[inline(always)]
    pub fn sub<A: Both<B, By>, B, By>(a: A, b: B) -> Option<A::Output> {
        let (a, b) = a.both(b);
        a.difference(b)
    }

    /// The product of two numbers of one type.
    #[inline(always)]
    pub fn mul<A: Both<B, By>, B, By>(a: A, b: B) -> Option<A::Output> {
        let (a, b) = a.both(b);
        a.product(b)
    }

    /// The quotient of two numbers of one type.
    #[inline(always)]
    pub fn div<A: Both<B, By>, B, By>(a: A, b: B) -> Option<A::Output> {
        let (a, b) = a.both(b);
        a.quotient(b)
    }

    /// The remainder of two numbers of one type.
    #[inline(always)]
    pub fn rem<A: Both<B, By>, B, By>(a: A, b: B) -> Option<A::Output> {
        let (a, b) = a.both(b);
        a.remainder(b)
    }

    /// `-a`.
    #[inline(always)]
    pub fn neg<A: Shifted<By>, By>(a: A) -> Option<A::Output> {
        A::Output::default().difference(a.number())
    }

    /// `a << b`.
    #[inline(always)]
    pub fn shl<A: Shifted<By>, By, N>(a: A, b: impl IntoCount<N>) -> Option<A::Output> {
        a.number().left(u32::try_from(b.exact()?).ok()?)
    }

    /// `a >> b`.
    #[inline(always)]
    pub fn shr<A: Shifted<By>, By, N>(a: A, b: impl IntoCount<N>) -> Option<A::Output> {
        a.number().right(u32::try_from(b.exact()?).ok()?)
    }
}
