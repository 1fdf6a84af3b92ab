//! Comparing a struct with a format string, before the first cell is read.

use super::template::{Column, Extent, Template};
use super::types::ScidbType;
use crate::codec::Layout;
use crate::wire::{Bound, Part, Shape};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Everything in which a struct differs from a format, by field.
///
/// ```
/// use binfmt::{BinFormat, formats::scidb::Template};
/// #[derive(BinFormat)]
/// #[binfmt(le)]
/// struct Cell { a: i32, #[binfmt(nullable)] b: Option<i16> }
/// let format: Template = "(int64, int16, int8)".parse().unwrap();
/// let e = format.check_struct::<Cell>().unwrap_err();
/// assert_eq!(e.differences().len(), 3);
/// assert!(e.to_string().contains("a: the struct has `i32` (int32), the format has int64"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    format: String,
    differences: Vec<Difference>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    field: String,
    text: String,
}

impl Difference {
    /// The field of the struct, or the number of the format's column (`column 3`) where the struct has none.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i8 }
    /// let e = "(int16)".parse::<Template>().unwrap().check_struct::<Cell>().unwrap_err();
    /// assert_eq!(e.differences()[0].field(), "a");
    /// ```
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What differs, in words.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i8 }
    /// let e = "(int8, bool)".parse::<Template>().unwrap().check_struct::<Cell>().unwrap_err();
    /// assert_eq!(e.differences()[0].text(), "the struct has nothing, the format has bool");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Mismatch {
    /// The differences, in the order of the fields.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i8 }
    /// let e = "(int16)".parse::<Template>().unwrap().check_struct::<Cell>().unwrap_err();
    /// assert_eq!(e.differences().len(), 1);
    /// ```
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the struct does not fit the format {}:", self.format)?;
        for d in &self.differences {
            write!(f, "\n  {}: {}", d.field, d.text)?;
        }
        Ok(())
    }
}

impl core::error::Error for Mismatch {}

/// One column as the struct describes it.
struct Seen {
    name: &'static str,
    /// The Rust type; empty for bytes without a field.
    ty: &'static str,
    kind: Kind,
    nullable: bool,
}

/// What a column of a load file can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int {
        bytes: usize,
        signed: bool,
    },
    Float {
        bytes: usize,
    },
    Bool,
    /// A u32 length, then text or bytes.
    Prefixed {
        nul: bool,
    },
    /// A u32 length, then what is stepped over.
    PrefixedSkip,
    /// Text or bytes of a fixed size.
    Fixed {
        bytes: usize,
    },
    /// Bytes without a field.
    Skip {
        bytes: usize,
    },
    /// Another type of a fixed size.
    Sized {
        bytes: usize,
    },
    /// Nothing that a load file can hold.
    Other,
}

impl Template {
    /// Compares a struct with this format, column by column.
    ///
    /// Names do not count: a format string has none. A nullable column needs `nullable`, a string `var_len` and `nul`,
    /// a binary `var_len`; `string(n)` is `count = n` with `nul`; `skip(n)` is `skip(bytes = n)` or a pad, `skip` is a
    /// field of type [`Ignored`](crate::Ignored); a user's type is any type of the same size.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i64, #[binfmt(nullable, var_len, nul)] b: Option<String>, #[binfmt(skip(bytes = 4))] c: f64 }
    /// let format: Template = "(int64, string null, skip(4), double)".parse().unwrap();
    /// assert!(format.check_struct::<Cell>().is_ok());
    /// ```
    ///
    /// # Errors
    /// They differ: one error that lists every difference.
    pub fn check_struct<T: Layout>(&self) -> Result<(), Mismatch> {
        let mut differences = Vec::new();
        match self.columns() {
            None => differences.push(Difference {
                field: "format".to_string(),
                text: "`opaque` is SciDB's own dump of chunks, which no struct describes".to_string(),
            }),
            Some(columns) => compare(columns, &struct_columns::<T>(), &mut differences),
        }
        if differences.is_empty() { Ok(()) } else { Err(Mismatch { format: self.to_string(), differences }) }
    }
}

fn compare(columns: &[Column], fields: &[Seen], differences: &mut Vec<Difference>) {
    for i in 0..columns.len().max(fields.len()) {
        let (column, field) = (columns.get(i), fields.get(i));
        let number = format!("column {}", i.saturating_add(1));
        let name = field.map_or(number.as_str(), |f| if f.ty.is_empty() { number.as_str() } else { f.name });
        let has = match field {
            Some(f) if column.is_some_and(|c| fits(c, f)) => continue,
            Some(f) => described(f),
            None => "nothing".to_string(),
        };
        let wants = column.map_or("nothing".to_string(), ToString::to_string);
        let text = format!("the struct has {has}, the format has {wants}");
        differences.push(Difference { field: name.to_string(), text });
    }
}

fn described(f: &Seen) -> String {
    let null = if f.nullable { " null" } else { "" };
    let kind = match f.kind {
        Kind::Int { bytes, signed } => {
            format!("{}int{}", if signed { "" } else { "u" }, bytes.saturating_mul(8))
        }
        Kind::Float { bytes: 4 } => "float".to_string(),
        Kind::Float { .. } => "double".to_string(),
        Kind::Bool => "bool".to_string(),
        Kind::Prefixed { nul: true } => "string".to_string(),
        Kind::Prefixed { nul: false } => "binary".to_string(),
        Kind::PrefixedSkip => "skip".to_string(),
        Kind::Fixed { bytes } => format!("{bytes} bytes of text or binary"),
        Kind::Skip { bytes } => return format!("skip({bytes})"),
        Kind::Sized { bytes } => format!("{bytes} bytes"),
        Kind::Other => return format!("`{}`, which no load file can hold", f.ty),
    };
    format!("`{}` ({kind}{null})", f.ty)
}

/// The columns of a struct; bytes that no field owns and that stand side by side are one skip.
fn struct_columns<T: Layout>() -> Vec<Seen> {
    if T::PARTS.is_empty() {
        let (kind, nullable) = classify(T::SHAPE, T::FACTS.sizes().exact());
        return alloc::vec![Seen { name: "the type", ty: core::any::type_name::<T>(), kind, nullable }];
    }
    let mut seen = Vec::new();
    columns_of(T::PARTS, &mut seen);
    seen
}

fn columns_of(parts: &'static [Part], seen: &mut Vec<Seen>) {
    for part in parts {
        let shape = part.shape();
        // a struct inside of a struct stands for its columns, but for the one type that is two numbers: datetimetz
        if let Shape::Record { parts, .. } = shape
            && part.sizes().exact() != Some(16)
        {
            columns_of(parts(), seen);
            continue;
        }
        let (kind, nullable) = classify(shape, part.sizes().exact());
        let ty = if matches!(kind, Kind::Skip { .. }) { "" } else { part.type_name() };
        seen.push(Seen { name: part.name(), ty, kind, nullable });
    }
}

fn classify(shape: Shape, exact: Option<usize>) -> (Kind, bool) {
    let kind = match shape {
        Shape::Nullable { present: 0xFF, missing: (0, 127), blank: true, body } => {
            let (kind, nested) = classify(body(), exact.map(|n| n.saturating_sub(1)));
            return if nested { (Kind::Other, true) } else { (kind, true) };
        }
        Shape::Int { bytes, signed } => Kind::Int { bytes: bytes.into(), signed },
        Shape::Float { bytes } => Kind::Float { bytes: bytes.into() },
        Shape::Bool { .. } => Kind::Bool,
        Shape::Ordered { body, .. } => return classify(body(), exact),
        Shape::Bounded { by: Bound::Prefixed { bytes: 4, signed: false, .. }, body } => match body() {
            Shape::Text { nul, .. } => Kind::Prefixed { nul },
            Shape::Sequence { item } if matches!(item(), Shape::Int { bytes: 1, .. }) => {
                Kind::Prefixed { nul: false }
            }
            Shape::Ignored => Kind::PrefixedSkip,
            _ => Kind::Other,
        },
        Shape::Bounded { by: Bound::Fixed(num), .. } if exact == Some(num) => Kind::Fixed { bytes: num },
        Shape::Padding { num, .. } => Kind::Skip { bytes: num },
        Shape::Opaque => exact.map_or(Kind::Other, |bytes| Kind::Skip { bytes }),
        _ => exact.map_or(Kind::Other, |bytes| Kind::Sized { bytes }),
    };
    (kind, false)
}

fn fits(column: &Column, field: &Seen) -> bool {
    let Some(ty) = column.ty() else {
        return match (column.extent(), field.kind) {
            // the flag of a skipped column is one byte more
            (Extent::Fixed(n), Kind::Skip { bytes }) => {
                n as usize == bytes.saturating_sub(usize::from(column.is_nullable()))
            }
            (Extent::Prefixed, Kind::PrefixedSkip) => column.is_nullable() == field.nullable,
            _ => false,
        };
    };
    column.is_nullable() == field.nullable && type_fits(ty, column.extent(), field.kind)
}

fn type_fits(ty: &ScidbType, extent: Extent, kind: Kind) -> bool {
    let int = |n, s| kind == Kind::Int { bytes: n, signed: s };
    let bytes_of = |n: u32| {
        let n = n as usize;
        matches!(kind, Kind::Fixed { bytes } | Kind::Sized { bytes } if bytes == n)
    };
    match (ty, extent) {
        (ScidbType::String, Extent::Prefixed) => kind == Kind::Prefixed { nul: true },
        (ScidbType::Binary, Extent::Prefixed) => kind == Kind::Prefixed { nul: false },
        (ScidbType::String | ScidbType::Binary, Extent::Fixed(n)) => bytes_of(n),
        (ScidbType::User(_), Extent::Prefixed) => matches!(kind, Kind::Prefixed { nul: false }),
        (ScidbType::User(_), Extent::Fixed(n)) => match kind {
            Kind::Int { bytes, .. } | Kind::Float { bytes } => bytes == n as usize,
            _ => bytes_of(n),
        },
        (ScidbType::Bool, _) => kind == Kind::Bool || int(1, false),
        (ScidbType::Char, _) => int(1, false) || int(1, true),
        (ScidbType::Int8, _) => int(1, true),
        (ScidbType::Int16, _) => int(2, true),
        (ScidbType::Int32, _) => int(4, true),
        (ScidbType::Int64 | ScidbType::Datetime, _) => int(8, true),
        (ScidbType::Uint8, _) => int(1, false),
        (ScidbType::Uint16, _) => int(2, false),
        (ScidbType::Uint32, _) => int(4, false),
        (ScidbType::Uint64, _) => int(8, false),
        (ScidbType::Float, _) => kind == Kind::Float { bytes: 4 },
        (ScidbType::Double, _) => kind == Kind::Float { bytes: 8 },
        (ScidbType::Datetimetz, _) => kind == Kind::Sized { bytes: 16 },
    }
}
