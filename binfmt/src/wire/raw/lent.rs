//! Values that are lent from the input: bytes whose memory they are.

use super::facts::Facts;
use crate::wire::amount::{known, num_in};
use crate::wire::endian::Order;

/// Why bytes are not lent as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlent {
    /// In this byte order the memory of a value is not its bytes.
    Order,
    /// The first of them is that many bytes beyond a place that is aligned for the type.
    Beyond(usize),
}

/// The values that these bytes are, where they are; what is not a whole value at their end is left out.
#[allow(clippy::disallowed_methods, reason = "the bytes are compared with what a T is first")]
pub(crate) fn lent<O: Order, T>(facts: Facts<T>, bytes: &[u8]) -> Result<&[T], Unlent> {
    let size = size_of::<T>();
    if !facts.is_plain::<O>() || size == 0 || facts.sizes().min != size {
        return Err(Unlent::Order);
    }
    let beyond = known((bytes.as_ptr() as usize).checked_rem(align_of::<T>()));
    if beyond != 0 {
        return Err(Unlent::Beyond(beyond));
    }
    // SAFETY: `is_plain` says that the bytes of a T in memory are its bytes on the wire, of which there are `size_of::<T>()`, so
    // that it has no padding, and that any bytes are a valid T; the flag comes from the fields' own types and knows of none with
    // interior mutability. The first byte is aligned for T, as compared above, and `num_in(len, size)` values of `size` bytes
    // are in the slice, whose lifetime they have.
    Ok(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast::<T>(), num_in(bytes.len(), size)) })
}
