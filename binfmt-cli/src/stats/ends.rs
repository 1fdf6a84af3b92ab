//! The least and the greatest of many numbers.

use binfmt::numbers::Element;

/// The least and the greatest, in eight lanes.
pub(super) fn ends<T: Element>(values: &[T]) -> Option<(T, T)> {
    let first = *values.first()?;
    let less = |a: T, b: T| if a < b { a } else { b };
    let more = |a: T, b: T| if a > b { a } else { b };
    let (eights, rest) = values.as_chunks::<8>();
    let (mut low, mut high) = ([first; 8], [first; 8]);
    for eight in eights {
        low.iter_mut().zip(eight).for_each(|(low, value)| *low = less(*value, *low));
        high.iter_mut().zip(eight).for_each(|(high, value)| *high = more(*value, *high));
    }
    let all = |lanes: [T; 8], of: &dyn Fn(T, T) -> T| lanes.iter().chain(rest).fold(first, |a, b| of(a, *b));
    Some((all(low, &less), all(high, &more)))
}
