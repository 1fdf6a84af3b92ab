//! What the system may not have: memory whose size a file decides, and random numbers. That is an error, not the end of
//! the program.

use crate::wire::amount::{plus, times};
use crate::{Error, ErrorKind, Result};

/// That many zeros.
pub(super) fn zeros(len: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    resize(&mut bytes, len, 0)?;
    Ok(bytes)
}

/// Makes a vector shorter, or longer by equal values.
pub(super) fn resize<T: Copy>(values: &mut Vec<T>, len: usize, value: T) -> Result<()> {
    if let Some(more) = len.checked_sub(values.len()) {
        reserve(values, more)?;
    }
    values.resize(len, value);
    Ok(())
}

/// Room for that many more values.
pub(super) fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<()> {
    values.try_reserve_exact(more).map_err(|_| {
        let bytes = times(plus(values.len(), more), size_of::<T>());
        ErrorKind::OutOfMemory { requested: bytes }.into()
    })
}

/// Whether there is room for that many values, which are made elsewhere.
pub(super) fn check<T>(len: usize) -> Result<()> {
    reserve(&mut Vec::<T>::new(), len)
}

/// The same of `each` values for each of that many things.
pub(super) fn check_each<T>(len: usize, each: usize) -> Result<()> {
    check::<T>(len.saturating_mul(each))
}

/// Random bytes of the system.
pub(super) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|e| Error::other(format!("no random numbers: {e}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_an_error() {
        let e = zeros(usize::MAX).unwrap_err().to_string();
        assert!(e.ends_with(&format!("cannot allocate {} bytes", usize::MAX)), "{e}");
        assert!(check::<u64>(usize::MAX / 2).is_err());
        let mut values = vec![1u16, 2];
        assert!(resize(&mut values, usize::MAX / 2, 0).is_err());
        assert_eq!(values, [1, 2]);
        resize(&mut values, 3, 7).unwrap();
        assert_eq!(values, [1, 2, 7]);
        resize(&mut values, 1, 0).unwrap();
        assert_eq!((values, zeros(2).unwrap()), (vec![1], vec![0, 0]));
    }
}
