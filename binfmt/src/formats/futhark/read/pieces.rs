//! Values of a stream in pieces, so that one may be larger than memory.

use super::outline::{self, Head, Outline};
use super::values::pass_blank;
use crate::codec::Decode;
use crate::error::{Error, Result, Step};
use crate::formats::futhark::layout::{ElementType, num_elements};
use crate::formats::futhark::options::Form;
use crate::formats::futhark::text::parse::{self, InPieces};
use crate::numbers::Numbers;
use crate::wire::amount::{after, known, plus};
use crate::wire::{Cursor, Erased, Le, Options, Source, Stream};

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
pub struct PiecesFromReader<R> {
    src: Option<Stream<R>>,
    pieces: Pieces,
}

/// Where in the values of a stream it is, whatever it reads from.
struct Pieces {
    options: Options,
    /// The number of the value that comes next, or is not at its end.
    index: usize,
    of: ElementType,
    /// Elements of it that were read, and that are left.
    at: u64,
    left: u64,
    /// The array that is not at its end, if it is text.
    text: Option<InPieces>,
    /// What the values are, from another reader of the same bytes, and how many of them have come.
    outlines: Option<(Stream<Box<dyn std::io::Read + Send + Sync>>, usize)>,
}

impl<R> core::fmt::Debug for PiecesFromReader<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PiecesFromReader").field("index", &self.pieces.index).finish_non_exhaustive()
    }
}

/// The values of a reader in pieces, one of which is in memory at a time: of binary values some 256 KiB, of text the whole value unless there
/// is [another reader](PiecesFromReader::with_outlines) of it.
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
    PiecesFromReader { src: Some(src), pieces: Pieces::new(options) }
}

impl<R: std::io::Read> PiecesFromReader<R> {
    /// Text comes in pieces, too: what it is, which only its end tells, is found by another reader of the same bytes, which goes ahead. So
    /// nothing of a value comes if it is damaged anywhere.
    ///
    /// ```
    /// use binfmt::formats::futhark::pieces_from_reader;
    /// let text = format!("[{}2.5]", "1, ".repeat(100_000));
    /// let bytes = std::sync::Arc::<[u8]>::from(text.as_bytes());
    /// let ahead = std::io::Cursor::new(std::sync::Arc::clone(&bytes));
    /// let mut pieces = pieces_from_reader(&bytes[..]).with_outlines(ahead);
    /// let first = pieces.next().unwrap()?;
    /// assert_eq!(first.outline.unwrap().dims, [100_001]);
    /// assert!(first.elements.len() < 50_000 && !first.is_last);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with_outlines(self, same: impl std::io::Read + Send + Sync + 'static) -> Self {
        let same: Box<dyn std::io::Read + Send + Sync> = Box::new(same);
        let Options { limits, policy, .. } = self.pieces.options;
        let outlines = Some((Stream::with(same, limits, policy, false), 0));
        PiecesFromReader { pieces: Pieces { outlines, ..self.pieces }, ..self }
    }

    /// Whether the piece that comes next is one of a value whose first ones have come.
    ///
    /// ```
    /// assert!(!binfmt::formats::futhark::pieces_from_reader(&b"1"[..]).is_inside());
    /// ```
    pub fn is_inside(&self) -> bool {
        self.pieces.left > 0
    }
}

impl Pieces {
    fn new(options: &Options) -> Self {
        let (text, outlines) = (None, None);
        Pieces { options: *options, index: 0, of: ElementType::U8, at: 0, left: 0, text, outlines }
    }

    /// What the value is that comes next, as the other reader finds it.
    fn outline(&mut self) -> Result<Option<Outline>> {
        let Some((src, done)) = &mut self.outlines else { return Ok(None) };
        loop {
            let found = outline::outline(&mut src.erase())?;
            *done = plus(*done, 1);
            if *done > self.index || found.is_none() {
                return Ok(found.map(|(_, outline)| outline));
            }
        }
    }

    /// What a value is and, if it is text, all of it.
    fn begin(&mut self, src: &mut Erased<'_, '_>) -> Result<Option<Piece>> {
        src.budget_mut().0.renew(self.options.limits);
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
            Some(first) => {
                if *first == b'['
                    && let Some(outline) = self.outline()?
                {
                    (self.of, self.at) = (outline.element_type, 0);
                    self.left = known(num_elements(&outline.dims));
                    self.text = Some(InPieces::new(self.of));
                    let piece = self.next_elements(src)?;
                    return Ok(Some(Piece { outline: Some(outline), ..piece }));
                }
                let value = parse::value(src, None)?;
                let element_type = value.element_type();
                let (dims, elements) = value.into_parts();
                let outline = Some(Outline { form: Form::Text, element_type, dims });
                Ok(Some(Piece { outline, elements, is_last: true }))
            }
        }
    }

    fn next_elements(&mut self, src: &mut Erased<'_, '_>) -> Result<Piece> {
        src.budget_mut().0.renew(self.options.limits);
        let many = self.left.min(PIECE / self.of.size().max(1));
        if let Some(text) = &mut self.text {
            // what is after the last one is the end of the array
            let most = after(many, u64::from(many == self.left));
            let elements = text.next(src, usize::try_from(most).unwrap_or(usize::MAX))?;
            let is_last = text.has_ended();
            let left = self.left.checked_sub(elements.len() as u64).filter(|left| is_last == (*left == 0));
            self.left = left.ok_or_else(|| Error::other("the file has changed while it was read"))?;
            if is_last {
                self.text = None;
            }
            return Ok(Piece { outline: None, elements, is_last });
        }
        let first = usize::try_from(self.at).unwrap_or(usize::MAX);
        let elements = Numbers::decode::<Le, _>(src, (self.of.number_type(), many));
        // counted in the value
        let elements = elements.map_err(|e| e.moved(0, first).within(Step::Field("elements")))?;
        self.at = after(self.at, many);
        self.left = self.left.saturating_sub(many);
        Ok(Piece { outline: None, elements, is_last: self.left == 0 })
    }

    fn next(&mut self, src: &mut Erased<'_, '_>) -> Result<Option<Piece>> {
        let piece = if self.left == 0 { self.begin(src) } else { self.next_elements(src).map(Some) };
        let piece = piece.map_err(|e| e.within(Step::Index(self.index)))?;
        if piece.as_ref().is_some_and(|piece| piece.is_last) {
            self.index = plus(self.index, 1);
        }
        Ok(piece)
    }
}

impl<R: std::io::Read> Iterator for PiecesFromReader<R> {
    type Item = Result<Piece>;

    fn next(&mut self) -> Option<Result<Piece>> {
        let piece = self.pieces.next(&mut self.src.as_mut()?.erase()).transpose();
        if !matches!(piece, Some(Ok(_))) {
            self.src = None;
        }
        piece
    }
}

impl<R: std::io::Read> core::iter::FusedIterator for PiecesFromReader<R> {}
