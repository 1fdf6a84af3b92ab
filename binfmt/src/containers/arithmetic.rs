//! Arithmetic in the expressions that say how many there are: it never wraps on what the input says.

use super::check::IntoCount;

/// A number in the arithmetic of a count: exact, or none when it has no value or is larger than any count.
#[derive(Clone, Copy, Debug)]
pub struct Wide(Option<i128>);

/// The number that an integer or a reference to one says.
#[inline(always)]
pub fn wide(n: impl IntoCount) -> Wide {
    Wide(n.exact())
}

macro_rules! operations {
    ($($name:ident: |$a:ident, $b:ident| $make:expr;)*) => { $(
        #[doc = concat!("`", stringify!($name), "` of two numbers.")]
        #[inline(always)]
        #[must_use]
        pub fn $name(self, other: Wide) -> Wide {
            match (self.0, other.0) {
                (Some($a), Some($b)) => Wide($make),
                _ => Wide::NONE,
            }
        }
    )* };
}

#[expect(clippy::should_implement_trait, reason = "operators of a type that no user names")]
impl Wide {
    /// No number.
    pub const NONE: Wide = Wide(None);

    operations! {
        add: |a, b| a.checked_add(b);
        sub: |a, b| a.checked_sub(b);
        mul: |a, b| a.checked_mul(b);
        div: |a, b| a.checked_div(b);
        rem: |a, b| a.checked_rem(b);
        shl: |a, b| shifted(a, b);
        shr: |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shr(b));
        and: |a, b| Some(a & b);
        or: |a, b| Some(a | b);
        xor: |a, b| Some(a ^ b);
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

impl IntoCount for Wide {
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
    ($($t:ty: |$a:ident, $b:ident, $by:ident| $sum:expr, $difference:expr, $product:expr, $quotient:expr, $remainder:expr, $left:expr, $right:expr;)*) => { $(
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
    )* };
}

macro_rules! integers {
    ($($t:ident)*) => { number! { $(
        $t: |a, b, by| a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b), a.checked_rem(b),
            a.checked_shl(by).filter(|n| n.checked_shr(by) == Some(a)), a.checked_shr(by);
    )* } };
}
integers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

number! {
    f32: |a, b, by| Some(a + b), Some(a - b), Some(a * b), Some(a / b), Some(a % b), no_shift(a, by), no_shift(a, by);
    f64: |a, b, by| Some(a + b), Some(a - b), Some(a * b), Some(a / b), Some(a % b), no_shift(a, by), no_shift(a, by);
}

/// A float is not shifted.
fn no_shift<T>(_: T, _: u32) -> Option<T> {
    None
}

/// Arithmetic inside of a call or a cast, in its own type: `None` when the result is no number of that type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` with `{Other}`: this arithmetic cannot be checked in a number of elements",
    label = "not two numbers of one type",
    note = "do it in a function of your own: `count = num_cells(width, height)`"
)]
pub trait Both<Other> {
    /// The type of the result.
    type Output: Checked;
    /// Both as numbers of one type.
    fn both(self, other: Other) -> (Self::Output, Self::Output);
}

/// What is shifted or negated inside of a call or a cast.
#[diagnostic::on_unimplemented(
    message = "`{Self}`: this operation cannot be checked in a number of elements",
    label = "no integer",
    note = "do it in a function of your own: `count = num_cells(width, height)`"
)]
pub trait Shifted {
    /// The type of the result.
    type Output: Checked;
    /// The number.
    fn number(self) -> Self::Output;
}

macro_rules! kept {
    ($($t:ty)*) => { $(
        kept!(@ $t, $t => $t);
        kept!(@ $t, &$t => $t);
        kept!(@ &$t, $t => $t);
        kept!(@ &$t, &$t => $t);
        kept!(# $t);
        kept!(# &$t);
    )* };
    (@ $a:ty, $b:ty => $out:ty) => {
        #[diagnostic::do_not_recommend]
        impl Both<$b> for $a {
            type Output = $out;
            #[inline(always)]
            fn both(self, other: $b) -> ($out, $out) {
                (self.number(), other.number())
            }
        }
    };
    (# &$t:ty) => {
        #[diagnostic::do_not_recommend]
        impl Shifted for &$t {
            type Output = $t;
            #[inline(always)]
            fn number(self) -> $t {
                *self
            }
        }
    };
    (# $t:ty) => {
        #[diagnostic::do_not_recommend]
        impl Shifted for $t {
            type Output = $t;
            #[inline(always)]
            fn number(self) -> $t {
                self
            }
        }
    };
}
kept!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64);

macro_rules! functions {
    ($($name:ident $by:ident;)*) => { $(
        #[doc = concat!("`", stringify!($by), "` of two numbers of one type.")]
        #[inline(always)]
        pub fn $name<A: Both<B>, B>(a: A, b: B) -> Option<A::Output> {
            let (a, b) = a.both(b);
            a.$by(b)
        }
    )* };
}

/// The operations under the names that generated code has for them.
pub mod kept {
    use super::{Both, Checked as _, IntoCount, Shifted};

    functions! {
        add sum;
        sub difference;
        mul product;
        div quotient;
        rem remainder;
    }

    /// `-a`.
    #[inline(always)]
    pub fn neg<A: Shifted>(a: A) -> Option<A::Output> {
        A::Output::default().difference(a.number())
    }

    /// `a << b`.
    #[inline(always)]
    pub fn shl<A: Shifted>(a: A, b: impl IntoCount) -> Option<A::Output> {
        a.number().left(u32::try_from(b.exact()?).ok()?)
    }

    /// `a >> b`.
    #[inline(always)]
    pub fn shr<A: Shifted>(a: A, b: impl IntoCount) -> Option<A::Output> {
        a.number().right(u32::try_from(b.exact()?).ok()?)
    }
}
