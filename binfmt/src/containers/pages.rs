//! Text in code pages: `text = with(Page)` with functions of the user's, and `text = encoding(windows_1252)` with those of the crate
//! `encoding_rs`.

use super::raised::Raised;
use super::text::{OwnedText, TextEncoding, room_for_text};
use crate::error::Result;
use crate::wire::{self, InputBytes, Sink};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A code page: how text is bytes that no word names, for `text = with(Page)`.
///
/// Lengths count bytes. What [`nul`](crate::attributes#nul), [`trim`](crate::attributes#trim) and [`ends`](crate::attributes#ends)
/// look for are bytes, so with these words ASCII characters must be their own bytes, and these bytes nothing else.
///
/// ```
/// use binfmt::{BinFormat, CodePage};
///
/// /// Text of six bits a character, as early machines had it.
/// struct Sixbit;
///
/// #[derive(Debug)]
/// struct NotSixbit;
/// impl std::fmt::Display for NotSixbit {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         f.write_str("not a character of six bits")
///     }
/// }
/// impl std::error::Error for NotSixbit {}
///
/// impl CodePage for Sixbit {
///     const NAME: &'static str = "six-bit";
///     type Error = NotSixbit;
///     fn decode(bytes: &[u8]) -> Result<String, NotSixbit> {
///         bytes.iter().map(|b| if *b < 64 { Ok(char::from(b + 32)) } else { Err(NotSixbit) }).collect()
///     }
///     fn encode(text: &str) -> Result<Vec<u8>, NotSixbit> {
///         text.bytes().map(|b| b.checked_sub(32).filter(|b| *b < 64).ok_or(NotSixbit)).collect()
///     }
/// }
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Label {
///     #[binfmt(length_prefixed(u8), text = with(Sixbit))]
///     text: String,
/// }
/// let label = Label { text: "AB".into() };
/// assert_eq!(binfmt::to_vec(&label)?, [2, 33, 34]);
/// assert_eq!(binfmt::from_slice::<Label>(&[2, 33, 34])?, label);
/// let e = binfmt::to_vec(&Label { text: "ab".into() }).unwrap_err();
/// assert_eq!(e.to_string(), "text at byte 0x1: not a character of six bits");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a code page",
    label = "does not say how text is bytes",
    note = "`text = with(Page)` takes a type that implements `binfmt::CodePage`"
)]
pub trait CodePage {
    /// What messages call it.
    const NAME: &'static str;
    /// Why bytes are not text, or text has no bytes.
    type Error: core::error::Error + Send + Sync + 'static;

    /// The text of all these bytes.
    ///
    /// # Errors
    /// They are not text.
    fn decode(bytes: &[u8]) -> core::result::Result<String, Self::Error>;

    /// The bytes of a text.
    ///
    /// # Errors
    /// A character has none.
    fn encode(text: &str) -> core::result::Result<Vec<u8>, Self::Error>;
}

/// Text in a code page.
#[derive(Debug)]
pub struct Paged<P>(PhantomData<P>);

impl<P: CodePage> TextEncoding for Paged<P> {
    const NAME: &'static str = P::NAME;
    // a description has no functions
    const CODE: wire::Encoding = wire::Encoding::Any;

    fn len(text: &str) -> usize {
        // that it has no bytes is an error when it is written
        P::encode(text).map_or(0, |bytes| bytes.len())
    }

    fn len_of<'t>(text: impl FnOnce() -> &'t str, _: usize) -> usize {
        Self::len(text())
    }

    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()> {
        let bytes = P::encode(text).map_err(|e| Raised(e).error(Some(out.pos())))?;
        out.bytes(&bytes, then)
    }
}

impl<P: CodePage> OwnedText for Paged<P> {
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        let bytes = taken.bytes().get(..len).unwrap_or(taken.bytes());
        P::decode(bytes).map_err(|e| Raised(e).error(Some(0)))
    }

    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        let text = Self::decode(taken, len).map_err(|e| e.shifted(at))?;
        room_for_text(out, text.len(), at)?;
        out.push_str(&text);
        Ok(())
    }
}
