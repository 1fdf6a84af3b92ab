//! Loops over numbers with the widest vectors that the machine has.

/// A loop over numbers, for [`in_wide_vectors`].
///
/// It is a trait and no closure, because a closure cannot say that it has to be inlined, and only what is inlined is compiled for wide vectors:
/// `run`, and the functions that it calls, are `#[inline(always)]`.
pub trait Loop {
    /// What it finds.
    type Found;

    /// Goes over the numbers.
    fn run(self) -> Self::Found;
}

/// Runs a loop over numbers, compiled for the vectors of AVX2 where the machine has them.
///
/// It does the same operations in the same order on every machine, so its results are the same bits.
///
/// ```
/// struct Squares<'a>(&'a [f64]);
///
/// impl binfmt::numbers::Loop for Squares<'_> {
///     type Found = f64;
///
///     #[inline(always)]
///     fn run(self) -> f64 {
///         let mut sums = [0.0; 16];
///         for some in self.0.as_chunks::<16>().0 {
///             sums.iter_mut().zip(some).for_each(|(sum, x)| *sum += x * x);
///         }
///         sums.iter().sum()
///     }
/// }
/// assert_eq!(binfmt::numbers::in_wide_vectors(Squares(&[2.0; 32])), 128.0);
/// ```
#[inline]
pub fn in_wide_vectors<L: Loop>(work: L) -> L::Found {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2, which is all that the function asks for
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<L: Loop>(work: L) -> L::Found {
    work.run()
}
