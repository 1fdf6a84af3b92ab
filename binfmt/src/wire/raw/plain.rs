//! Numbers seen as their bytes in memory, where these are the bytes of a little-endian file.

use super::bulk;
use super::facts::Facts;
use crate::wire::endian::Le;

/// The bytes of the values, little-endian; `None` where their memory is something else: on a machine that has them the
/// other way round, and of a type whose bytes are not all values.
pub(crate) fn bytes_of<T>(facts: Facts<T>, values: &[T]) -> Option<&[u8]> {
    if !facts.is_plain::<Le>() {
        return None;
    }
    // SAFETY: the facts of a plain type say that its values have no padding
    Some(unsafe { bulk::memory_of(values) })
}

/// The same for writing over the values.
#[cfg(feature = "tiledb")]
pub(crate) fn bytes_of_mut<T>(facts: Facts<T>, values: &mut [T]) -> Option<&mut [u8]> {
    if !facts.is_plain::<Le>() {
        return None;
    }
    let len = size_of_val(values);
    // SAFETY: as above; any bytes are values of a plain type, and the borrow of the values lasts as long
    Some(unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), len) })
}

#[cfg(all(test, feature = "tiledb"))]
mod tests {
    use super::{Facts, bytes_of, bytes_of_mut};

    #[test]
    #[cfg(target_endian = "little")]
    fn bytes_are_those_of_the_numbers() {
        let mut values = [1u16, 0x0302];
        assert_eq!(bytes_of(Facts::number(), &values), Some(&[1, 0, 2, 3][..]));
        if let Some(bytes) = bytes_of_mut(Facts::number(), &mut values) {
            bytes[3] = 4;
        }
        assert_eq!(values, [1, 0x0402]);
        assert_eq!(bytes_of::<f64>(Facts::number(), &[]), Some(&[][..]));
        // a byte of 2 is not a bool
        assert_eq!(bytes_of_mut(Facts::<bool>::exact(1), &mut [true]), None);
    }
}
