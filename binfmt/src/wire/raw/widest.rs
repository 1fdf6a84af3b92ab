//! Loops over numbers with the widest vectors that the machine has.

/// Calls a function that loops over numbers, compiled for the vectors of AVX2 where the machine has them.
///
/// The function does the same operations in the same order on every machine, so its results are the same bits. Only what is inlined is
/// compiled so: it and the functions that it calls are `#[inline(always)]`.
///
/// ```
/// #[inline(always)]
/// fn squares(numbers: &[f64]) -> f64 {
///     let mut sums = [0.0; 16];
///     for some in numbers.as_chunks::<16>().0 {
///         sums.iter_mut().zip(some).for_each(|(sum, x)| *sum += x * x);
///     }
///     sums.iter().sum()
/// }
/// assert_eq!(binfmt::numbers::in_wide_vectors(squares, &[2.0; 32]), 128.0);
/// ```
#[inline]
pub fn in_wide_vectors<A, R>(work: impl Fn(A) -> R, on: A) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2, which is all that the function asks for
        return unsafe { with_avx2(work, on) };
    }
    work(on)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<A, R>(work: impl Fn(A) -> R, on: A) -> R {
    work(on)
}
