//! Values of a stream in pieces, so that one may be larger than memory.

use super::outline::{Head, Outline};
use super::values::pass_blank;
use crate::codec::Decode;
use crate::error::{Result, Step};
use crate::formats::futhark::layout::{ElementType, num_elements};
use crate::formats::futhark::options::Form;
use crate::formats::futhark::text::parse;
use crate::numbers::Numbers;
use crate::wire::amount::known;
use crate::wire::{Cursor, Le, Options, Source, Stream};

/// Bytes of the elements of a piece.
const PIECE: u64 = 256 << 10;

/// Some elements of a value, in their order.
///
/// See [`pieces_from_reader`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Piece {
    /// What the value is, in its first piece.
    pub outline: Option<Outline>,
    /// The elements; none of an empty array.
    pub elements: Numbers,
    /// Whether the value ends with it.
    pub is_last: bool,
}

/// The values of a reader, each in pieces.
///
/// See [`pieces_from_reader`].
#[derive(Debug)]
pub struct PiecesFromReader<R> {
    src: Option<Stream<R>>,
    options: Options,
    /// The number of the value that comes next, or is not at its end.
    index: usize,
    of: ElementType,
    /// Elements of it that were read, and that are left.
    at: u64,
    left: u64,
}

/// The values of a reader in pieces, one of which is in memory at a time: of binary values some 256 KiB, of text the whole value.
///
/// After an error the iterator ends; what came before it is sound.
///
/// ```
/// use binfmt::formats::futhark::pieces_from_reader;
/// use binfmt::numbers::Numbers;
/// let file = b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [1i8, 2i8]";
/// let pieces: Vec<_> = pieces_from_reader(&file[..]).collect::<Result<_, _>>()?;
/// assert_eq!(pieces[0].outline.as_ref().unwrap().dims, [3]);
/// assert_eq!((&pieces[0].elements, pieces[0].is_last), (&Numbers::U8(b"abc".to_vec()), true));
/// assert_eq!(pieces[1].elements, Numbers::I8(vec![1, 2]));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn pieces_from_reader<R: std::io::Read>(reader: R) -> PiecesFromReader<R> {
    pieces_from_reader_with(reader, &Options::new())
}

/// [`pieces_from_reader`] with limits from outside.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::futhark::pieces_from_reader_with;
/// let pieces = pieces_from_reader_with(&b"[1, 2]"[..], &Options::new().max_memory(4));
/// assert!(pieces.last().unwrap().is_err());
/// ```
pub fn pieces_from_reader_with<R: std::io::Read>(reader: R, options: &Options) -> PiecesFromReader<R> {
    let src = Stream::with(reader, options.limits, options.policy, false);
    PiecesFromReader { src: Some(src), options: *options, index: 0, of: ElementType::U8, at: 0, left: 0 }
}

impl<R: std::io::Read> PiecesFromReader<R> {
    /// Whether the piece that comes next is one of a value whose first ones have come.
    ///
    /// ```
    /// assert!(!binfmt::formats::futhark::pieces_from_reader(&b"1"[..]).is_inside());
    /// ```
    pub fn is_inside(&self) -> bool {
        self.left > 0
    }

    /// What a value is and, if it is text, all of it.
    fn begin(&mut self, src: &mut Stream<R>) -> Result<Option<Piece>> {
        src.budget_mut().renew(self.options.limits);
        pass_blank(src)?;
        match src.look(1)?.first() {
            None => Ok(None),
            Some(b'b') => {
                let Head { header, dims } = Head::decode::<Le, _>(src, ())?;
                (self.of, self.at) = (header.element_type, 0);
                // what is too much was refused
                self.left = known(num_elements(&dims));
                let outline = Outline { form: Form::Binary, element_type: self.of, dims };
                let piece = self.next_elements(src)?;
                Ok(Some(Piece { outline: Some(outline), ..piece }))
            }
            Some(_) => {
                let value = parse::value(src, None)?;
                let element_type = value.element_type();
                let (dims, elements) = value.into_parts();
                let outline = Some(Outline { form: Form::Text, element_type, dims });
                Ok(Some(Piece { outline, elements, is_last: true }))
            }
        }
    }

    fn next_elements(&mut self, src: &mut Stream<R>) -> Result<Piece> {
        src.budget_mut().renew(self.options.limits);
        let many = self.left.min(PIECE / self.of.size().max(1));
        let first = usize::try_from(self.at).unwrap_or(usize::MAX);
        let elements = Numbers::decode::<Le, _>(src, (self.of.number_type(), many));
        // counted in the value
        let elements = elements.map_err(|e| e.moved(0, first).within(Step::Field("elements")))?;
        self.at = self.at.saturating_add(many);
        self.left = self.left.saturating_sub(many);
        Ok(Piece { outline: None, elements, is_last: self.left == 0 })
    }

    fn piece(&mut self, src: &mut Stream<R>) -> Result<Option<Piece>> {
        let piece = if self.left == 0 { self.begin(src)? } else { Some(self.next_elements(src)?) };
        if piece.as_ref().is_some_and(|piece| piece.is_last) {
            self.index = self.index.saturating_add(1);
        }
        Ok(piece)
    }
}

impl<R: std::io::Read> Iterator for PiecesFromReader<R> {
    type Item = Result<Piece>;

    fn next(&mut self) -> Option<Result<Piece>> {
        let mut src = self.src.take()?;
        match self.piece(&mut src) {
            Ok(piece) => {
                let piece = piece?;
                self.src = Some(src);
                Some(Ok(piece))
            }
            Err(e) => Some(Err(e.within(Step::Index(self.index)))),
        }
    }
}

impl<R: std::io::Read> core::iter::FusedIterator for PiecesFromReader<R> {}
