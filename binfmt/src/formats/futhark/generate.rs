//! Random values of a type, for tests and benchmarks.

use super::layout::{ElementType, Value, num_elements};
use super::text::number;
use super::text::parse::explained;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::wire::amount::known;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Makes random values: what `futhark dataset` does, with numbers of its own.
///
/// The same seed gives the same values everywhere. The source is SplitMix64: the state begins with the seed; each step
/// adds `0x9e3779b97f4a7c15` to it and mixes it to the 64 bits `x`. An element takes one step, elements follow each other
/// in row-major order, and with bounds `lo:hi` an element is
///
/// * an integer: `lo + floor(x * (hi - lo + 1) / 2^64)`; without bounds, all numbers of its type;
/// * a float: `lo + (hi - lo) * floor(x / 2^11) / 2^53` in binary64, rounded to its type; without bounds, `0:1`;
/// * a `bool`: whether the lowest bit of `x` is set.
///
/// ```
/// use binfmt::formats::futhark::Generator;
/// let mut generator = Generator::new(1);
/// let value = generator.value("[2][3]u8", None)?;
/// assert_eq!(value.dims(), [2, 3]);
/// assert_eq!(Generator::new(1).value("[2][3]u8", None)?, value);
/// let dice = generator.value("[1000]i32", Some("1:6"))?;
/// assert!(dice.as_slice::<i32>().unwrap().iter().all(|n| (1..=6).contains(n)));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
}

/// A type with its dimensions: `[2][3]f32`.
fn parse_type(text: &str) -> Result<(Vec<u64>, ElementType)> {
    let wrong = |at: usize, what: &'static str| {
        let rest: String = text.get(at..).unwrap_or("").chars().take(20).collect();
        Error::new(ErrorKind::mismatch("", what, format!("`{rest}`")), at as u64)
    };
    let mut dims = Vec::new();
    let mut rest = text;
    let at = |rest: &str| text.len() - rest.len();
    while let Some(inner) = rest.strip_prefix('[') {
        let (number, after) = inner.split_once(']').ok_or_else(|| wrong(at(rest), "`]`"))?;
        dims.push(number.parse().map_err(|_| wrong(at(inner), "a dimension"))?);
        rest = after;
    }
    let of = rest.parse().map_err(|_| wrong(at(rest), "a type such as `[2][3]f32`"))?;
    Ok((dims, of))
}

/// The two ends of `lo:hi`.
fn ends<T: Element>(text: &str, of: ElementType) -> Result<(T, T)> {
    let form = || ErrorKind::mismatch("bounds", "`lo:hi`", format!("`{text}`"));
    let (low, high) = text.split_once(':').ok_or_else(form)?;
    let end =
        |word: &str| number::parse(word.as_bytes()).map_err(|fault| explained(fault, word.as_bytes(), of));
    Ok((end(low)?, end(high)?))
}

impl Generator {
    /// From a seed.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Generator, Value};
    /// assert_eq!(Generator::new(0).value("u64", None)?, Value::from(0xe220_a839_7b1d_cdafu64));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(seed: u64) -> Self {
        Generator { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A value of a type with its dimensions, such as `[10][20]f32`; bounds are `lo:hi`, both belong to them.
    ///
    /// ```
    /// let value = binfmt::formats::futhark::Generator::new(1).value("[2]f16", Some("-1:1"))?;
    /// assert_eq!(value.type_name(), "[2]f16");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not a type, the bounds are not of this type or do not rise, or there is no memory for that many elements.
    pub fn value(&mut self, of: &str, bounds: Option<&str>) -> Result<Value> {
        let (dims, of) = parse_type(of)?;
        let num = num_elements(&dims).and_then(|n| usize::try_from(n).ok());
        let num = num.ok_or_else(|| ErrorKind::DimensionsOverflow { dims: dims.clone() })?;
        if of == ElementType::Bool && bounds.is_some() {
            return Err(ErrorKind::unsupported("bool", "bounds").into());
        }
        let elements = with_numbers!(of.number_type(), type T => self.elements::<T>(num, bounds, of)?);
        Value::new(dims, elements)
    }

    fn elements<T: Element>(&mut self, num: usize, bounds: Option<&str>, of: ElementType) -> Result<Numbers> {
        let bounds = bounds.map(|text| ends::<T>(text, of)).transpose()?;
        if let Some((least, most)) = T::TYPE.limits() {
            let (low, high) = match bounds {
                Some((low, high)) => (known(low.to_i128()), known(high.to_i128())),
                None => (least, i128::try_from(most).unwrap_or(i128::MAX)),
            };
            rising(low <= high)?;
            // at most 2^64, so that a product of it has 128 bits
            let size = (high - low).unsigned_abs() + 1;
            let element = |x| low.wrapping_add((u128::from(x).wrapping_mul(size) >> 64) as i128);
            return self.fill(num, |x| T::from_i128(element(x)));
        }
        if !T::TYPE.is_float() {
            return self.fill(num, |x| Some(x & 1 == 1));
        }
        let (low, high) = bounds.map_or((0.0, 1.0), |(low, high)| (low.to_f64(), high.to_f64()));
        let size = high - low;
        if !size.is_finite() {
            return Err(ErrorKind::invalid("bounds", "", "not finite, or too far apart").into());
        }
        rising(low <= high)?;
        self.fill(num, |x| T::from_f64(low + size * ((x >> 11) as f64 / (1u64 << 53) as f64)))
    }

    fn fill<T: Element>(&mut self, num: usize, element: impl Fn(u64) -> Option<T>) -> Result<Numbers> {
        let mut elements = Vec::new();
        let requested = num.saturating_mul(size_of::<T>());
        elements.try_reserve_exact(num).map_err(|_| ErrorKind::OutOfMemory { requested })?;
        // every element is one of the type
        elements.extend((0..num).map_while(|_| element(self.next())));
        Ok(elements.into())
    }
}

fn rising(rising: bool) -> Result<()> {
    let kind = || ErrorKind::invalid("bounds", "", "the lower one is above the upper one");
    if rising { Ok(()) } else { Err(kind().into()) }
}
