//! Values of any size: a `u32` length, then as many bytes.

use crate::BinFormat;
use alloc::string::String;
use alloc::vec::Vec;

/// `string`: a length that counts the NUL, the text, `00`.
///
/// SciDB looks at no byte of a text. One that is not UTF-8, or that is borrowed, is a field of type `Vec<u8>`, `&[u8]` or `&str` with
/// the same words.
#[derive(BinFormat, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct SizedText(#[binfmt(length_prefixed(u32), nul)] pub String);

/// `binary`, and a type of any size that a plugin registers.
#[derive(BinFormat, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct SizedBinary(#[binfmt(length_prefixed(u32))] pub Vec<u8>);
