//! Number types of other crates, each behind its feature.

use super::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::{Facts, Order, Shape, Sink, Source};

#[cfg(feature = "f16")]
mod f16 {
    use super::*;
    use half::f16;

    // `half::f16` is `repr(transparent)` over u16, and every u16 is one
    #[diagnostic::do_not_recommend]
    impl Layout for f16 {
        const FACTS: Facts<Self> = Facts::of_numbers::<u16>(1);
        const SHAPE: Shape = Shape::Float { bytes: 2 };
    }

    #[diagnostic::do_not_recommend]
    impl<'de> Decode<'de> for f16 {
        #[inline(always)]
        fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
            Ok(f16::from_bits(u16::decode::<O, S>(src, ctx)?))
        }
    }

    #[diagnostic::do_not_recommend]
    impl Encode for f16 {
        #[inline(always)]
        fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: ()) -> Result<()> {
            self.to_bits().encode::<O, W>(out, ctx)
        }
    }
}

#[cfg(feature = "complex")]
mod complex {
    use super::*;
    use crate::codec::fingerprint::Tree;
    use num_complex::Complex;

    /// What both parts of a complex number are.
    pub trait RealPart: Copy + Encode + for<'de> Decode<'de> {}
    impl RealPart for f32 {}
    impl RealPart for f64 {}

    // `Complex<T>` is `repr(C)`: the real part, then the imaginary one
    #[diagnostic::do_not_recommend]
    impl<T: RealPart> Layout for Complex<T> {
        const FACTS: Facts<Self> = Facts::of_numbers::<T>(2);
        const SHAPE: Shape = Shape::Array { num: 2, item: || T::SHAPE };
        const TREE: Tree = Tree::around(Self::SHAPE, &<T as Layout>::TREE);
    }

    #[diagnostic::do_not_recommend]
    impl<'de, T: RealPart> Decode<'de> for Complex<T> {
        #[inline(always)]
        fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
            let [re, im] = <[T; 2]>::decode::<O, S>(src, ctx)?;
            Ok(Complex { re, im })
        }
    }

    #[diagnostic::do_not_recommend]
    impl<T: RealPart> Encode for Complex<T> {
        #[inline(always)]
        fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: ()) -> Result<()> {
            [self.re, self.im].encode::<O, W>(out, ctx)
        }
    }
}
