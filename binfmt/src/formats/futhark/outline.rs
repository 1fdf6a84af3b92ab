//! What the values of a stream are, their binary elements stepped over.

use super::stream::{Form, pass_blank};
use super::text;
use super::value::{ElementType, Header, num_elements};
use crate::BinFormat;
use crate::codec::{Decode, Layout};
use crate::error::{ErrorKind, Result, Step};
use crate::wire::{Facts, Le, OPEN, Options, Order, Source, Stream};
use alloc::vec::Vec;

/// Type and dimensions of a value, and how it stands in its stream.
///
/// See [`outlines_from_reader`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// Binary or text.
    pub form: Form,
    /// The type of the elements.
    pub element_type: ElementType,
    /// The dimensions, outermost first; none for a scalar.
    pub dims: Vec<u64>,
}

/// A binary value whose elements nobody keeps.
#[derive(BinFormat)]
#[binfmt(le)]
struct Passed {
    #[binfmt(rename = "")]
    header: Header,
    #[binfmt(count = header.rank, assert(num_elements(dims).is_some(), "the product of the dimensions is too large"))]
    dims: Vec<u64>,
    #[binfmt(args(header.element_type, num_elements(dims).unwrap_or(u64::MAX)), rename = "elements")]
    _elements: PassedElements,
}

struct PassedElements;

impl Layout for PassedElements {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl crate::Encode<(ElementType, u64)> for PassedElements {
    fn encode<O: Order, W: crate::Sink>(&self, _: &mut W, (of, num): (ElementType, u64)) -> Result<()> {
        Err(ErrorKind::unsupported(
            "an outline",
            alloc::format!("encoding: {num} elements of {of} were not kept"),
        )
        .into())
    }
}

impl<'de> Decode<'de, (ElementType, u64)> for PassedElements {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (of, num): (ElementType, u64)) -> Result<Self> {
        if of == ElementType::Bool {
            bools(src, num)?;
        } else {
            src.skip(num.saturating_mul(of.size()))?;
        }
        Ok(PassedElements)
    }
}

/// Steps over bools, each of which may be wrong.
fn bools<'de, S: Source<'de>>(src: &mut S, num: u64) -> Result<()> {
    const BLOCK: u64 = 64 << 10;
    let mut at = 0u64;
    while at < num {
        let most = usize::try_from(num.saturating_sub(at).min(BLOCK)).unwrap_or(usize::MAX);
        let seen = src.look(most)?;
        let seen = seen.get(..most).unwrap_or(seen);
        let sound = seen.iter().position(|byte| *byte > 1).unwrap_or(seen.len()) as u64;
        src.skip(sound)?;
        at = at.saturating_add(sound);
        if sound == 0 {
            // it is wrong, or not there, as this says
            let i = usize::try_from(at).unwrap_or(usize::MAX);
            bool::decode::<Le, S>(src, ()).map_err(|e| e.within(Step::Index(i)))?;
            at = at.saturating_add(1);
        }
    }
    Ok(())
}

fn outline<'de, S: Source<'de>>(src: &mut S) -> Result<Option<Outline>> {
    pass_blank(src)?;
    Ok(match src.look(1)?.first() {
        None => None,
        Some(b'b') => {
            let Passed { header, dims, .. } = Passed::decode::<Le, S>(src, ())?;
            Some(Outline { form: Form::Binary, element_type: header.element_type, dims })
        }
        Some(_) => {
            let value = text::value(src, None)?;
            let (element_type, (dims, _)) = (value.element_type(), value.into_parts());
            Some(Outline { form: Form::Text, element_type, dims })
        }
    })
}

/// What the values of a reader are. Everything is checked that [`values_from_reader`](super::values_from_reader) checks,
/// but the elements of binary values take no memory; a text is read as a whole.
///
/// ```
/// use binfmt::formats::futhark::{ElementType, Form, outlines_from_reader};
/// let file = b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]]";
/// let found: Vec<_> = outlines_from_reader(&file[..]).collect::<Result<_, _>>()?;
/// assert_eq!((found[0].form, found[0].element_type, &found[0].dims[..]), (Form::Binary, ElementType::U8, &[3][..]));
/// assert_eq!((found[1].form, found[1].element_type, &found[1].dims[..]), (Form::Text, ElementType::I32, &[1, 2][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn outlines_from_reader<R: std::io::Read>(reader: R) -> OutlinesFromReader<R> {
    let options = Options::new();
    let src = Stream::with(reader, options.limits, options.policy, false);
    OutlinesFromReader { src: Some(src), options, index: 0 }
}

/// What the values of a reader are: see [`outlines_from_reader`].
#[derive(Debug)]
pub struct OutlinesFromReader<R> {
    src: Option<Stream<R>>,
    options: Options,
    index: usize,
}

impl<R: std::io::Read> Iterator for OutlinesFromReader<R> {
    type Item = Result<Outline>;

    fn next(&mut self) -> Option<Result<Outline>> {
        let mut src = self.src.take()?;
        src.budget_mut().renew(self.options.limits);
        let found = outline(&mut src).transpose()?;
        let found = found.map_err(|e| e.within(Step::Index(self.index)));
        self.index = self.index.saturating_add(1);
        if found.is_ok() {
            self.src = Some(src);
        }
        Some(found)
    }
}

impl<R: std::io::Read> core::iter::FusedIterator for OutlinesFromReader<R> {}
