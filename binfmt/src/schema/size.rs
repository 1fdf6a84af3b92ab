//! How many bytes a type takes.

use super::types::{Description, Extent, Field, Magic, Tag, Type};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The fewest and the most bytes; `None` where there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Size {
    const fn exact(n: u64) -> Self {
        Size { min: n, max: Some(n) }
    }

    const fn from(min: u64) -> Self {
        Size { min, max: None }
    }

    const fn up_to(max: Option<u64>) -> Self {
        Size { min: 0, max }
    }

    /// The one size of what has only one.
    pub(super) fn only(self) -> Option<u64> {
        self.max.filter(|max| *max == self.min)
    }

    /// This, then the other.
    fn then(self, next: Size) -> Size {
        let max = self.max.zip(next.max).and_then(|(a, b)| a.checked_add(b));
        Size { min: self.min.saturating_add(next.min), max }
    }

    /// So many times this.
    fn times(self, n: u64) -> Size {
        let max = if n == 0 { Some(0) } else { self.max.and_then(|max| max.checked_mul(n)) };
        Size { min: self.min.saturating_mul(n), max }
    }

    /// This or the other.
    fn or(self, other: Size) -> Size {
        Size { min: self.min.min(other.min), max: self.max.zip(other.max).map(|(a, b)| a.max(b)) }
    }
}

/// The size of a type of this description.
pub(super) fn of(description: &Description, ty: &Type) -> Size {
    Sizes { description, inside: Vec::new(), known: BTreeMap::new() }.of(ty)
}

struct Sizes<'a> {
    description: &'a Description,
    /// The names that are being looked into.
    inside: Vec<&'a str>,
    known: BTreeMap<&'a str, Size>,
}

impl<'a> Sizes<'a> {
    fn of(&mut self, ty: &'a Type) -> Size {
        match ty {
            Type::Unit => Size::exact(0),
            Type::Int { bytes, .. } | Type::Float { bytes } => Size::exact((*bytes).into()),
            Type::Varint { code, bytes } => Size { min: 1, max: Some(code.max_len(*bytes) as u64) },
            Type::Bool { .. } => Size::exact(1),
            Type::Text { len, .. } | Type::Bytes { len } | Type::Padding { len, .. } => {
                Self::extent(len, Size::exact(1))
            }
            Type::List { item, len } => {
                let item = self.of(item);
                Self::extent(len, item)
            }
            Type::Shaped { dim_bytes, rank, .. } => match rank {
                Extent::Fixed(rank) => Size::from(rank.saturating_mul((*dim_bytes).into())),
                _ => Size::from(0),
            },
            Type::Region { len, .. } => Self::extent(len, Size::exact(1)),
            Type::Nullable { body, blank, .. } => {
                let body = self.of(body);
                let body = if *blank { body } else { Size::up_to(body.max) };
                Size::exact(1).then(body)
            }
            Type::Conditional { body, .. } => Size::up_to(self.of(body).max),
            Type::Ordered { body, .. } => self.of(body),
            Type::Padded { size, .. } => Size::exact(*size),
            Type::Alignment { to, .. } => Size::up_to(Some(to.saturating_sub(1))),
            Type::Magic { value: Magic::Bytes(bytes) } => Size::exact(bytes.len() as u64),
            Type::Magic { value: Magic::Number { bytes, .. } } => Size::exact((*bytes).into()),
            Type::Record(record) => self.fields(&record.fields),
            Type::Choice(choice) => {
                let tag = match &choice.tag {
                    Tag::Front(tag) => self.of(tag),
                    Tag::Expr(_) => Size::exact(0),
                };
                let variants = choice.variants.iter().map(|variant| self.fields(&variant.fields));
                tag.then(variants.reduce(Size::or).unwrap_or(Size::exact(0)))
            }
            Type::Named(name) => self.named(name),
            Type::Opaque { min, max, .. } => Size { min: *min, max: *max },
        }
    }

    fn fields(&mut self, fields: &'a [Field]) -> Size {
        fields.iter().fold(Size::exact(0), |sum, field| sum.then(self.of(&field.ty)))
    }

    fn named(&mut self, name: &'a str) -> Size {
        // what is inside of itself has no largest size
        if self.inside.contains(&name) {
            return Size::from(0);
        }
        if let Some(size) = self.known.get(name) {
            return *size;
        }
        let Some(ty) = self.description.definitions.get(name) else { return Size::from(0) };
        self.inside.push(name);
        let size = self.of(ty);
        self.inside.pop();
        self.known.insert(name, size);
        size
    }

    fn extent(len: &Extent, item: Size) -> Size {
        match len {
            Extent::Fixed(n) => item.times(*n),
            Extent::Prefixed { len, .. } => Size::from(len.sizes().0),
            Extent::Terminated => Size::from(1),
            _ => Size::from(0),
        }
    }
}
