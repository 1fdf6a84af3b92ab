//! Types of NumPy.

use super::literal::Literal;
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Logical, TimeUnit};

/// A type of single values: its letter and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    /// `b`, `i`, `u`, `f`, `c`, `S`, `U`, `V`, `M` or `m`.
    pub(super) letter: char,
    /// Bytes; of `U` four for each character.
    pub(super) size: u64,
    pub(super) big: bool,
    /// Of times.
    pub(super) unit: Option<TimeUnit>,
}

/// What an array consists of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dtype {
    Element(Element),
    Fields(Vec<Member>),
}

/// A named field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) dtype: Dtype,
    /// The lengths of its own dimensions.
    pub(super) shape: Vec<u64>,
}

#[cold]
fn unsupported(text: &str) -> Error {
    ErrorKind::unsupported("a table", format!("arrays of `{text}`")).into()
}

impl Element {
    pub(super) fn new(letter: char, size: u64) -> Self {
        Element { letter, size, big: false, unit: None }
    }

    /// What a text such as `<f8` says.
    fn parse(text: &str) -> Result<Element> {
        let refused = || unsupported(text);
        let (big, word) = match text.strip_prefix('>') {
            Some(word) => (true, word),
            None => (false, text.strip_prefix(['<', '|', '=']).unwrap_or(text)),
        };
        let mut size = word.chars();
        let letter = size.next().ok_or_else(refused)?;
        let (digits, unit) = match size.as_str().split_once('[') {
            Some((digits, unit)) => (digits, unit.strip_suffix(']')),
            None => (size.as_str(), None),
        };
        let n: u64 = digits.parse().map_err(|_| refused())?;
        let unit = match unit {
            Some(name) => Some(TimeUnit::named(name).ok_or_else(refused)?),
            None => None,
        };
        let is_known = match letter {
            'b' => n == 1,
            'i' | 'u' => matches!(n, 1 | 2 | 4 | 8),
            'f' => matches!(n, 2 | 4 | 8 | 12 | 16),
            'c' => matches!(n, 8 | 16),
            'M' | 'm' => n == 8 && unit.is_some(),
            'S' | 'U' | 'V' => true,
            _ => false,
        };
        let size = if letter == 'U' { n.checked_mul(4).ok_or_else(refused)? } else { n };
        match is_known {
            true => Ok(Element { letter, size, big, unit }),
            false => Err(refused()),
        }
    }

    /// What the values of a type such as `<M8[s]` are.
    pub(super) fn logical(&self) -> Option<Logical> {
        match (self.letter, self.unit) {
            ('M', Some(unit)) => Some(Logical::Timestamp(unit)),
            ('m', Some(unit)) => Some(Logical::Duration(unit)),
            _ => None,
        }
    }

    /// The same of its name.
    pub(super) fn logical_of(name: &str) -> Option<Logical> {
        Element::parse(name).ok()?.logical()
    }

    fn text(&self) -> String {
        let order = match (self.letter, self.size) {
            ('S' | 'V', _) | (_, 1) => '|',
            _ if self.big => '>',
            _ => '<',
        };
        let n = if self.letter == 'U' { self.size / 4 } else { self.size };
        let unit = self.unit.map_or_else(String::new, |unit| format!("[{unit}]"));
        format!("{order}{}{n}{unit}", self.letter)
    }
}

impl Dtype {
    pub(super) fn parse(literal: &Literal) -> Result<Dtype> {
        match literal {
            Literal::Text(text) => Element::parse(text).map(Dtype::Element),
            Literal::Items(fields) => {
                fields.iter().map(Member::parse).collect::<Result<_>>().map(Dtype::Fields)
            }
            _ => Err(Error::other("header: `descr` is neither a type nor a list of fields")),
        }
    }

    /// Bytes of a value.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Dtype::Element(element) => Some(element.size),
            Dtype::Fields(fields) => fields.iter().try_fold(0u64, |n, field| {
                let count = product(&field.shape)?;
                n.checked_add(field.dtype.size()?.checked_mul(count)?)
            }),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Dtype::Element(element) => format!("'{}'", element.text()),
            Dtype::Fields(fields) => {
                let fields: Vec<String> = fields.iter().map(Member::text).collect();
                format!("[{}]", fields.join(", "))
            }
        }
    }
}

impl Member {
    fn parse(literal: &Literal) -> Result<Member> {
        let wrong = || Error::other("header: a field is not a name, a type and perhaps a shape");
        let Literal::Items(parts) = literal else { return Err(wrong()) };
        let (name, dtype, shape) = match parts.as_slice() {
            [name, dtype] => (name, dtype, Vec::new()),
            [name, dtype, shape] => (name, dtype, shape.lengths().ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        // a name may have a title before it
        let name = match name {
            Literal::Items(names) => names.get(1).ok_or_else(wrong)?,
            name => name,
        };
        let Literal::Text(name) = name else { return Err(wrong()) };
        Ok(Member { name: name.clone(), dtype: Dtype::parse(dtype)?, shape })
    }

    fn text(&self) -> String {
        let shape = match self.shape.is_empty() {
            true => String::new(),
            false => format!(", {}", tuple(&self.shape)),
        };
        format!("({}, {}{shape})", quoted(&self.name), self.dtype.text())
    }
}

/// A name as a literal.
fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Lengths as Python writes them.
pub(super) fn tuple(lengths: &[u64]) -> String {
    match lengths {
        [one] => format!("({one},)"),
        all => format!("({})", all.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn product(lengths: &[u64]) -> Option<u64> {
    lengths.iter().try_fold(1u64, |n, len| n.checked_mul(*len))
}
