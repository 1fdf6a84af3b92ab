//! Functions between bytes that change each by itself: what the word `process` is mostly about.

use alloc::vec::Vec;

/// Each byte xor the next one of a key, which begins again at its end; an empty key changes nothing. It is its own inverse.
///
/// ```
/// use binfmt::{BinFormat, process::xor};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Secret {
///     key: [u8; 2],
///     #[binfmt(until_eof, process(decode = xor(key), encode = xor(key)))]
///     text: String,
/// }
/// let secret = Secret { key: [1, 3], text: "abc".into() };
/// assert_eq!(binfmt::to_vec(&secret)?, [1, 3, b'a' ^ 1, b'b' ^ 3, b'c' ^ 1]);
/// assert_eq!(binfmt::from_slice::<Secret>(&[1, 3, b'a' ^ 1, b'b' ^ 3, b'c' ^ 1])?, secret);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn xor<K: AsRef<[u8]> + Copy>(key: K) -> impl Fn(&[u8]) -> Vec<u8> + Copy {
    move |bytes| match key.as_ref() {
        [] => bytes.to_vec(),
        key => bytes.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect(),
    }
}

/// The bits of each byte rotated towards the high ones, by any number of them; [`rotate_right`] goes back.
///
/// ```
/// use binfmt::{BinFormat, process::{rotate_left, rotate_right}};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Rotated(#[binfmt(until_eof, process(decode = rotate_left(3), encode = rotate_right(3)))] Vec<u8>);
/// assert_eq!(binfmt::from_slice::<Rotated>(&[0b0100_0001])?, Rotated(vec![0b0000_1010]));
/// assert_eq!(binfmt::to_vec(&Rotated(vec![0b0000_1010]))?, [0b0100_0001]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn rotate_left(bits: u32) -> impl Fn(&[u8]) -> Vec<u8> + Copy {
    move |bytes| bytes.iter().map(|byte| byte.rotate_left(bits)).collect()
}

/// The bits of each byte rotated towards the low ones: the way back from [`rotate_left`], which has an example.
pub fn rotate_right(bits: u32) -> impl Fn(&[u8]) -> Vec<u8> + Copy {
    move |bytes| bytes.iter().map(|byte| byte.rotate_right(bits)).collect()
}
