//! Whether a description contradicts itself: what the derive refuses of a struct is refused of data, too.
//!
//! A program is made, and JSON is read, only of what is found sound here.
#![allow(clippy::arithmetic_side_effects, reason = "no depth is more than one above `DEEPEST`")]

mod bits;
mod calls;
mod ends;
mod multiply;
mod texts;
mod words;

use super::DEEPEST;
use super::anatomy::Room;
use super::integer::Integer;
use super::size::Measured;
use super::types::{Choice, Description, Extent, Field, Magic, Tag, Type};
use crate::error::{Error, Step};
use crate::numbers::NumberType;
use crate::wire::{Encoding, Fate, Unit};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::fmt;
use ends::Ends;

/// What contradicts itself in a description, or has no form as a column, and where.
///
/// ```
/// use binfmt::schema::{Description, Extent, Field, Record, Type};
/// let rest = Field::new("rest", Type::Bytes { len: Extent::ToEnd });
/// let last = Field::new("last", Type::Bool { lax: false });
/// let e = Description::new(Type::Record(Record::new("Row", [rest, last]))).validate().unwrap_err();
/// assert_eq!(e.path(), "last");
/// assert_eq!(e.to_string(), "last: this comes after `rest`, which takes everything to the end");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    /// The innermost first.
    steps: Vec<String>,
    text: String,
}

impl DescriptionError {
    #[cold]
    pub(crate) fn new(text: impl Into<String>) -> Self {
        DescriptionError(Box::new(Inner { steps: Vec::new(), text: text.into() }))
    }

    #[cold]
    pub(crate) fn within(mut self, step: &str) -> Self {
        if !step.is_empty() {
            self.0.steps.push(step.to_owned());
        }
        self
    }

    /// The field, with those that it is in. In a named type that is not the root it begins with that name.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// let e = Description::new(Type::Int { bytes: 9, signed: false }).validate().unwrap_err();
    /// assert_eq!(e.path(), "");
    /// ```
    pub fn path(&self) -> String {
        let steps: Vec<&str> = self.0.steps.iter().rev().map(String::as_str).collect();
        steps.join(".")
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.steps.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        f.write_str(&self.0.text)
    }
}

impl core::error::Error for DescriptionError {}

impl From<DescriptionError> for Error {
    fn from(e: DescriptionError) -> Self {
        let steps = e.0.steps.into_iter();
        steps.fold(Error::other(e.0.text), |e, step| e.within(Step::Name(step)))
    }
}

type Checked = Result<(), DescriptionError>;

impl Description {
    /// Whether the description can be followed, and says one thing only: no field after one that takes everything to the
    /// end, no presence byte that also means a missing value, no variant whose tag is that of another, no number of nine
    /// bytes, no name that nothing has. Whoever makes a [`Program`](crate::value::Program) or a plan for columns of it, or reads
    /// it from JSON, asks this.
    ///
    /// An expression that this crate does not understand contradicts nothing. Time and memory are linear in the size of
    /// the description.
    ///
    /// ```
    /// use binfmt::schema::{Description, Field, Record, Type};
    /// let body = Box::new(Type::Bool { lax: false });
    /// let maybe = Type::Nullable { present: 14, missing: (0, 14), blank: true, body };
    /// let layout = Description::new(Type::Record(Record::new("Row", [Field::new("maybe", maybe)])));
    /// let e = layout.validate().unwrap_err();
    /// assert_eq!(e.to_string(), "maybe: presence byte 14 is one of the missing codes 0 to 14");
    /// ```
    ///
    /// # Errors
    /// The first contradiction.
    pub fn validate(&self) -> Result<(), DescriptionError> {
        let (names, measured) = (Cell::new(false), OnceCell::new());
        let mut walk = Walk { description: self, ends: Ends::none(self), names, measured };
        if self.walked(&walk)? {
            // once more, with the names of those that take everything to the end
            walk.ends = Ends::of(self);
            self.walked(&walk)?;
        }
        match walk.names.get() && multiply::is_endless(self) {
            true => Err(DescriptionError::new("the description has types that multiply each other")),
            false => Ok(()),
        }
    }

    /// Whether a definition takes everything to the end.
    fn walked(&self, walk: &Walk<'_>) -> Result<bool, DescriptionError> {
        let mut takes_all = false;
        field_ahead(&self.root)?;
        walk.ty(&self.root, 0)?;
        // the root holds what it holds once
        walk.names.set(false);
        let root = if let Type::Named(name) = &self.root { name.as_str() } else { "" };
        for (name, ty) in &self.definitions {
            let step = if name == root { "" } else { name.as_str() };
            let found = match ty {
                Type::Named(_) => Err(DescriptionError::new("a definition is a name itself")),
                ty => field_ahead(ty).and_then(|()| walk.ty(ty, 0)),
            };
            takes_all |= found.map_err(|e| e.within(step))?;
        }
        Ok(takes_all)
    }
}

/// One way through all types; a name is looked into where it is defined.
struct Walk<'d> {
    description: &'d Description,
    ends: Ends<'d>,
    /// Whether a name was met.
    names: Cell<bool>,
    /// How large its types are, once it was asked for: bits are of types of one size.
    measured: OnceCell<Measured<'d>>,
}

impl Walk<'_> {
    /// Whether the type takes everything to the end.
    fn ty(&self, ty: &Type, depth: u32) -> Result<bool, DescriptionError> {
        if depth >= DEEPEST {
            return Ok(false);
        }
        rules(ty)?;
        texts::of(ty)?;
        match ty {
            Type::Record(record) => {
                return self.fields(&record.fields, &record.rules, bits::Open::default(), depth);
            }
            Type::Choice(choice) => return self.choice(choice, depth),
            Type::Named(name) if self.description.definitions.contains_key(name) => {
                self.names.set(true);
                return Ok(self.ends.has(name));
            }
            Type::Named(name) => {
                let name = quoted(name);
                let text = format!("the description has no definition of `{name}`");
                return Err(DescriptionError::new(text));
            }
            _ => {}
        }
        let anatomy = ty.anatomy();
        let body = match (ty, anatomy.body) {
            (Type::List { .. }, Some(Type::Packed { bits, body, .. })) => {
                bits::element(body, *bits, self.description, &self.measured)?;
                Some(&**body)
            }
            (_, body) => body,
        };
        if !matches!(ty, Type::Ordered { .. } | Type::Conditional { .. } | Type::Tail { .. }) {
            body.map_or(Ok(()), field_ahead)?;
        }
        if let Type::Nullable { missing, body, .. } = ty {
            self.missing_once(*missing, body)?;
        }
        let inside = body.map_or(Ok(false), |body| self.ty(body, depth + 1))?;
        match (anatomy.room, anatomy.extent) {
            (Room::Items, Some(Extent::Gaps)) => Ok(inside),
            (Room::Items, Some(len)) => Ok(items(len, inside)? || anatomy.takes_all(false)),
            // of any rank, the dimensions say how many there are
            (Room::Dimensions(_), _) => items(&Extent::ToEnd, inside),
            _ => Ok(anatomy.takes_all(inside)),
        }
    }

    /// Whether a code says which of two is missing where a value that may be missing is in one that may be.
    fn missing_once(&self, (low, high): (u8, u8), body: &Type) -> Checked {
        let mut inner = Some(body);
        for _ in 0..DEEPEST {
            match inner {
                Some(Type::Nullable { missing, .. }) if missing.0 <= high && low <= missing.1 => {
                    let text =
                        format!("the missing code {} is one of a value in this one, too", low.max(missing.0));
                    return Err(DescriptionError::new(text));
                }
                // what these have inside is a value of its own
                Some(Type::List { .. } | Type::Shaped { .. } | Type::Record(_) | Type::Choice(_)) | None => {
                    break;
                }
                Some(Type::Named(_)) => inner = inner.and_then(|ty| self.description.resolve(ty)),
                Some(ty) => inner = ty.body(),
            }
        }
        Ok(())
    }

    /// The fields of a record, or of a variant whose tag may have opened a run of bits.
    fn fields(
        &self,
        fields: &[Field],
        rules: &[String],
        mut run: bits::Open,
        depth: u32,
    ) -> Result<bool, DescriptionError> {
        let mut open: Option<&Field> = None;
        for field in fields {
            run.part(&field.ty, self.description, &self.measured).map_err(|e| e.within(&field.name))?;
            calls::field(field, self.description).map_err(|e| e.within(&field.name))?;
            texts::rules(&field.rules).map_err(|e| e.within(&field.name))?;
            let ty = bits::bits_of(&field.ty).map_or(&field.ty, |(.., body)| body);
            let found = self.ty(ty, depth + 1);
            let takes_all = found.map_err(|e| e.within(&field.name))?;
            match open {
                Some(first) => self.ends.may_follow(first, field)?,
                None => open = takes_all.then_some(field),
            }
        }
        run.end()?;
        words::fields(fields, rules)?;
        Ok(open.is_some())
    }

    fn choice(&self, choice: &Choice, depth: u32) -> Result<bool, DescriptionError> {
        let (mut takes_all, mut run) = (false, bits::Open::default());
        if let Tag::Front(tag) = &choice.tag {
            let checked = run.part(tag, self.description, &self.measured);
            let ty = bits::bits_of(tag).map_or(&**tag, |(.., body)| body);
            checked.and_then(|()| self.tag(ty, depth)).map_err(|e| e.within("tag"))?;
        }
        let mut names = BTreeSet::new();
        for (i, variant) in choice.variants.iter().enumerate() {
            // a few are compared with each other
            let twice = match i {
                0..16 => choice.variants.iter().take(i).any(|other| other.name == variant.name),
                16 => choice.variants.iter().take(17).any(|other| !names.insert(other.name.as_str())),
                _ => !names.insert(variant.name.as_str()),
            };
            if twice {
                let name = quoted(&variant.name);
                return Err(DescriptionError::new(format!("two variants are called `{name}`")));
            }
            let found = self.fields(&variant.fields, &choice.rules, run, depth);
            takes_all |= found.map_err(|e| e.within(&variant.name))?;
        }
        words::tags(choice)?;
        Ok(takes_all)
    }

    /// Whether a type may be that of a tag.
    fn tag(&self, tag: &Type, depth: u32) -> Checked {
        if self.ty(tag, depth + 1)? {
            return Err(DescriptionError::new("a tag does not take everything to the end"));
        }
        match tag {
            Type::Unit
            | Type::Float { .. }
            | Type::Shaped { .. }
            | Type::Record(_)
            | Type::Choice(_)
            | Type::Nullable { .. }
            | Type::Padding { .. }
            | Type::Alignment { .. }
            | Type::Magic { .. } => Err(DescriptionError::new("a tag is an integer, a bool or bytes")),
            _ => Ok(()),
        }
    }
}

/// What is read ahead is held to what is written after it, where a record has it as a field, or a choice as its tag.
fn field_ahead(ty: &Type) -> Checked {
    match ty {
        Type::Peeked { .. } => Err(DescriptionError::new("only a field or a tag is read ahead")),
        Type::Ordered { body, .. } | Type::Conditional { body, .. } | Type::Tail { body } => {
            field_ahead(body)
        }
        _ => Ok(()),
    }
}

/// Whether a field has a position of its own.
fn lies_elsewhere(ty: &Type) -> bool {
    match ty {
        Type::At { .. } => true,
        Type::Named(_) | Type::Record(_) | Type::Choice(_) => false,
        ty => ty.body().is_some_and(lies_elsewhere),
    }
}

/// What a type may not say, apart from what is in it.
fn rules(ty: &Type) -> Checked {
    let wrong = |text: &str| Err(DescriptionError::new(text));
    match ty {
        Type::Int { bytes, signed } => width(*bytes, matches!(bytes, 3 | 5..8) || int(*bytes, *signed)),
        Type::Varint { code, bytes } => width(*bytes, int(*bytes, code.is_signed())),
        Type::Float { bytes } => width(*bytes, NumberType::float(*bytes).is_some()),
        Type::Text { encoding: Encoding::Latin1, len: Extent::Ends(end), .. } if !end.bytes().is_ascii() => {
            wrong("a terminator of Latin-1 text is ASCII")
        }
        Type::Text { encoding, len: Extent::Ends(end), .. }
            if !end.bytes().len().is_multiple_of(encoding.unit().bytes) =>
        {
            wrong("a terminator of UTF-16 and UTF-32 text has whole units")
        }
        Type::Text { nul: true, len: Extent::Ends(end), .. } if end.fate() == Fate::Kept => {
            wrong("a text that keeps its terminator has no NUL before it")
        }
        Type::Text { len, .. } | Type::Bytes { len } => {
            extent(len, matches!(len, Extent::Each(_) | Extent::Until(_) | Extent::Gaps))
        }
        Type::Padding { len, .. } => extent(len, is_found(len) || is_of_items(len)),
        Type::List { item, len } => {
            let is_each = matches!(len, Extent::Each(_) | Extent::Until(_) | Extent::Gaps);
            let is_packed = matches!(**item, Type::Packed { .. });
            extent(len, matches!(len, Extent::Terminated | Extent::Ends(_)) || (is_each && is_packed))
        }
        Type::Shaped { dim_bytes, rank, .. } => {
            width(*dim_bytes, matches!(dim_bytes, 1..=8))?;
            extent(rank, is_found(rank) || is_of_items(rank) || *rank == Extent::ToEnd)
        }
        Type::Region { len: Extent::ToEnd, fill: Some(_), .. } => {
            wrong("a region that takes everything to the end has no rest to fill")
        }
        Type::Region { len: Extent::Ends(_), fill: Some(_), .. } => {
            wrong("a region up to a terminator has no rest to fill")
        }
        Type::Region { len, .. } => {
            extent(len, is_of_items(len) || (is_found(len) && !matches!(len, Extent::Ends(_))))
        }
        Type::At { position, .. } => words::position(position),
        Type::Peeked { body } if lies_elsewhere(body) => {
            wrong("`peek` reads what comes next, and `at` what lies elsewhere")
        }
        Type::Nullable { present, missing, .. } => codes(*present, *missing),
        Type::Bits { .. } => wrong("bits are a field of a record"),
        Type::Packed { .. } => wrong("an element of so many bits is in a list"),
        Type::Trimmed { byte, body } => match **body {
            Type::Text { encoding: Encoding::Latin1, .. } if !byte.is_ascii() => {
                wrong("the filling of Latin-1 text is ASCII")
            }
            Type::Text { encoding, .. } if encoding.unit() != Unit::BYTE && !byte.is_ascii() => {
                wrong("the filling of UTF-16 and UTF-32 text is ASCII")
            }
            Type::Text { nul: false, ref len, .. } | Type::Bytes { ref len }
                if *len != Extent::Terminated =>
            {
                Ok(())
            }
            _ => wrong("only text and bytes without a NUL have a filling at their end"),
        },
        Type::Alignment { to: 0, .. } => wrong("an alignment is 1 or more"),
        Type::Magic { value: Magic::Number { value, bytes } } => {
            width(*bytes, int(*bytes, false))?;
            words::magic(value, *bytes)
        }
        Type::Opaque { min, max: Some(max), .. } => opaque(*min, *max),
        _ => Ok(()),
    }
}

fn extent(len: &Extent, is_none: bool) -> Checked {
    match len {
        _ if is_none => {
            let shown = format!("{len:?}");
            let shown = quoted(&shown);
            Err(DescriptionError::new(format!("the description has a type whose extent cannot be {shown}")))
        }
        Extent::Prefixed { len, inclusive, .. } => length(len, *inclusive),
        Extent::Expr(text) => words::count(text),
        _ => Ok(()),
    }
}

/// Whether it says how many elements a list has.
fn is_of_items(len: &Extent) -> bool {
    matches!(len, Extent::Each(_) | Extent::Gaps)
}

/// Whether what ends it is looked for in the bytes.
fn is_found(len: &Extent) -> bool {
    matches!(len, Extent::Until(_) | Extent::Terminated | Extent::Ends(_))
}

/// After an element that takes everything nothing is left for the next one.
fn items(len: &Extent, takes_all: bool) -> Result<bool, DescriptionError> {
    match (len, takes_all) {
        (_, false) | (Extent::Fixed(0), _) => Ok(false),
        (Extent::Fixed(1), _) => Ok(true),
        _ => Err(DescriptionError::new("each element takes everything to the end")),
    }
}

fn length(len: &Integer, inclusive: bool) -> Checked {
    match len {
        Integer::Fixed { bytes, .. } => width(*bytes, matches!(bytes, 1..=8)),
        _ if inclusive => {
            Err(DescriptionError::new("a length of variable size does not count its own bytes"))
        }
        Integer::Varint { bytes, .. } => width(*bytes, matches!(bytes, 1 | 2 | 4 | 8)),
        Integer::Opaque { min, max, .. } => opaque(*min, *max),
    }
}

fn opaque(min: u64, max: u64) -> Checked {
    match min <= max {
        true => Ok(()),
        false => Err(DescriptionError::new(format!(
            "at least {min} bytes and at most {max}: no value has that many"
        ))),
    }
}

/// Whether some number is an integer of that many bytes.
fn int(bytes: u8, signed: bool) -> bool {
    NumberType::int(bytes, signed).is_some()
}

fn width(bytes: u8, is_known: bool) -> Checked {
    match is_known {
        true => Ok(()),
        false => Err(DescriptionError::new(format!(
            "the description has a number of {bytes} bytes; no number is that wide"
        ))),
    }
}

fn codes(present: u8, (low, high): (u8, u8)) -> Checked {
    if low > high {
        return Err(DescriptionError::new(format!("there are no missing codes from {low} to {high}")));
    }
    match present >= low && present <= high {
        true => Err(DescriptionError::new(format!(
            "presence byte {present} is one of the missing codes {low} to {high}"
        ))),
        false => Ok(()),
    }
}

fn quoted(text: &str) -> String {
    super::expr::shortened(text).to_string()
}
