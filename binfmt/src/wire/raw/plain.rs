//! Numbers seen as their bytes in memory, where these are the bytes of a little-endian file.

use super::bulk;

/// # Safety
/// Any bytes are a valid value, and a value has no padding.
unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($t:ident)*) => { $(
        // SAFETY: a number of this width holds any bits and nothing else
        unsafe impl Plain for $t {}
        impl Number for $t {}
    )* };
}
plain!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);

/// Numbers as they stand in memory; only those of this module are some.
#[allow(private_bounds)]
pub(crate) trait Number: Plain {}

/// The bytes of the numbers, little-endian; `None` on a machine that has them the other way round.
pub(crate) fn bytes_of<T: Number>(values: &[T]) -> Option<&[u8]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    // SAFETY: `Plain` says that the values have no padding
    Some(unsafe { bulk::memory_of(values) })
}

/// The same for writing over the numbers.
pub(crate) fn bytes_of_mut<T: Number>(values: &mut [T]) -> Option<&mut [u8]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    let len = size_of_val(values);
    // SAFETY: as above; whatever is written there is a valid value, and the borrow of the values lasts as long
    Some(unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), len) })
}

#[cfg(test)]
mod tests {
    use super::{bytes_of, bytes_of_mut};

    #[test]
    #[cfg(target_endian = "little")]
    fn bytes_are_those_of_the_numbers() {
        let mut values = [1u16, 0x0302];
        assert_eq!(bytes_of(&values), Some(&[1, 0, 2, 3][..]));
        if let Some(bytes) = bytes_of_mut(&mut values) {
            bytes[3] = 4;
        }
        assert_eq!(values, [1, 0x0402]);
        assert_eq!(bytes_of::<f64>(&[]), Some(&[][..]));
    }
}
