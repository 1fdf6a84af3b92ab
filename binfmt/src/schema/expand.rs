//! From the constants of a type to plain data.
//!
//! The constants cost a user's build next to nothing: plain values, in which inner shapes are functions that nothing has called.
//! Only a program that asks for a schema pays for it, here. Each struct and enum becomes a definition that others refer to by
//! name, so that a type may contain itself and a type that is used often is described once.

use super::integer::Integer;
use super::names::{with_values, without_paths};
use super::types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type, Variant};
use crate::codec::standard;
use crate::wire::{self, Bound, Endian, Fixed, IntShape, Note, Notes, OPEN, Part, Shape, TypeOf};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The description of a type.
pub(super) fn describe(shape: Shape) -> Description {
    let mut types = Types::default();
    let root = types.expand(shape, Words(&[]));
    Description { root, definitions: types.definitions }
}

/// What stands beside a shape in words.
#[derive(Clone, Copy)]
struct Words(Notes);

impl Words {
    fn get(self, what: Note) -> Option<String> {
        let text = self.0.iter().find(|(key, _)| is(*key, what)).map(|(_, text)| *text)?;
        Some(match what {
            Note::Doc | Note::By => text.to_string(),
            _ => self.with_constants(text),
        })
    }

    /// An expression with the values of its constants.
    fn with_constants(self, text: &str) -> String {
        let value = |(key, name): &(Note, &'static str)| match key {
            Note::Constant(value) | Note::Member(value) => value().map(|value| (*name, value)),
            _ => None,
        };
        let known: Vec<(&str, String)> = self.0.iter().filter_map(value).collect();
        with_values(text, &known)
    }

    /// An expression with the names that fields of other types have.
    fn with_members(self, text: &str) -> String {
        let name = |(key, name): &(Note, &'static str)| match key {
            Note::Member(described) => described().map(|described| (*name, described)),
            _ => None,
        };
        let known: Vec<(&str, String)> = self.0.iter().filter_map(name).collect();
        with_values(text, &known)
    }

    fn text(self, what: Note) -> String {
        self.get(what).unwrap_or_default()
    }

    fn rules(self) -> Vec<String> {
        let rules = self.0.iter().filter(|(key, _)| matches!(key, Note::Rule | Note::Args));
        rules
            .map(|(key, rule)| {
                let computed = ["range", "since", "until_version"].iter().any(|word| rule.starts_with(word));
                if computed || matches!(key, Note::Args) {
                    self.with_constants(rule)
                } else {
                    self.with_members(rule)
                }
            })
            .collect()
    }

    /// The byte order that is fixed for a part, or of a tag.
    fn order(self, what: fn(Endian) -> Note) -> Option<ByteOrder> {
        let said = |order| self.get(what(order)).is_some();
        [Endian::Little, Endian::Big].into_iter().find(|order| said(*order)).map(fixed)
    }
}

/// Whether two texts say the same thing; of constants each says its own.
fn is(a: Note, b: Note) -> bool {
    match (a, b) {
        (Note::Order(a), Note::Order(b)) | (Note::TagOrder(a), Note::TagOrder(b)) => a == b,
        (Note::Constant(_) | Note::Member(_), _) => false,
        (a, b) => core::mem::discriminant(&a) == core::mem::discriminant(&b),
    }
}

/// The types that were met.
#[derive(Default)]
struct Types {
    definitions: BTreeMap<String, Type>,
    /// Each with the name of its definition.
    met: Vec<(Identity, String)>,
}

/// What makes two types the same: the name with its path, and the parts, for types inside two functions or blocks may
/// have the same path.
#[derive(PartialEq, Eq)]
struct Identity {
    path: &'static str,
    parts: Vec<(&'static str, &'static str, wire::Sizes)>,
}

impl Identity {
    fn new(path: &'static str, parts: impl Iterator<Item = Part>) -> Self {
        Identity { path, parts: parts.map(|p| (p.name(), p.type_name(), p.sizes())).collect() }
    }
}

impl Types {
    fn boxed(&mut self, shape: fn() -> Shape, words: Words) -> Box<Type> {
        Box::new(self.expand(shape(), words))
    }

    /// `words` are those of the field whose form this is.
    fn expand(&mut self, shape: Shape, words: Words) -> Type {
        match shape {
            Shape::Unit => Type::Unit,
            Shape::Int { bytes, signed } | Shape::NonZero { bytes, signed } => Type::Int { bytes, signed },
            Shape::Varint { code, bytes } => Type::Varint { code, bytes },
            Shape::Float { bytes } => Type::Float { bytes },
            Shape::Bool { lax } => Type::Bool { lax },
            Shape::Boxed { body } => self.expand(body(), words),
            Shape::Array { num, item } => self.items(item, Extent::Fixed(num as u64), words),
            Shape::Bounded { by, body } => {
                let list = matches!(by, Bound::Each | Bound::Until);
                self.bounded(body(), extent(by, words), list, words)
            }
            Shape::Region { by, fill, body } => {
                Type::Region { len: extent(by, words), fill, body: self.boxed(body, words) }
            }
            Shape::At { from, body } => {
                Type::At { position: words.text(Note::At), from, body: self.boxed(body, words) }
            }
            Shape::Peeked { body } => Type::Peeked { body: self.boxed(body, words) },
            Shape::Processed { by: "", body } => {
                Type::Processed { by: words.text(Note::Process), body: self.boxed(body, words) }
            }
            Shape::Processed { by, body } => Type::Processed { by: by.into(), body: self.boxed(body, words) },
            Shape::Tail { body } => Type::Tail { body: self.boxed(body, words) },
            Shape::Shaped { dim_bytes, dim_signed, rank, column_major, item } => Type::Shaped {
                item: self.boxed(item, Words(&[])),
                dim_bytes,
                dim_signed,
                rank: match rank {
                    Some(n) => Extent::Fixed(n as u64),
                    None => Extent::Expr(words.text(Note::Rank)),
                },
                column_major,
            },
            Shape::Bits { bits, run, order, reserved, body } => Type::Bits {
                bits,
                run,
                order,
                body: match reserved {
                    Some(strict) => Box::new(Type::Padding { len: Extent::Fixed(0), fill: 0, strict }),
                    None => self.boxed(body, words),
                },
            },
            Shape::Packed { bits, order, strict, body } => {
                Type::Packed { bits, order, strict, body: self.boxed(body, words) }
            }
            Shape::Nullable { present, missing, blank, body } => {
                Type::Nullable { present, missing, blank, body: self.boxed(body, words) }
            }
            Shape::Conditional { body } => Type::Conditional {
                condition: words.text(Note::If),
                otherwise: words.get(Note::Else),
                body: self.boxed(body, words),
            },
            Shape::Ordered { little, body } => Type::Ordered {
                order: match little {
                    Some(true) => ByteOrder::Little,
                    Some(false) => ByteOrder::Big,
                    None => ByteOrder::Expr(words.text(Note::Endian)),
                },
                body: self.boxed(body, words),
            },
            Shape::Padded { size, fill, strict, body } => {
                Type::Padded { size: size as u64, fill, strict, body: self.boxed(body, words) }
            }
            Shape::Record { name, notes, parts, of } => self.record(name, Words(notes), parts(), of),
            Shape::Choice { name, notes, variants, tag, front, of } => {
                let magic = match front() {
                    [part, ..] => match self.expand(part.shape(), Words(&[])) {
                        Type::Magic { value } => Some(value),
                        _ => None,
                    },
                    [] => None,
                };
                self.choice(name, Words(notes), variants(), (tag, magic), of)
            }
            Shape::Padding { num, fill, strict } => {
                Type::Padding { len: Extent::Fixed(num as u64), fill, strict }
            }
            Shape::Alignment { to, fill, strict } => Type::Alignment { to: to as u64, fill, strict },
            Shape::Magic { bytes } => Type::Magic { value: Magic::Bytes(bytes.to_vec()) },
            Shape::MagicNumber { value, bytes, known } => Type::Magic {
                value: match known.and_then(|known| known()) {
                    Some(Fixed::Bytes(bytes)) => Magic::Bytes(bytes),
                    Some(Fixed::Number(n)) => Magic::Number { value: n.to_string(), bytes },
                    None => Magic::Number { value: value.to_string(), bytes },
                },
            },
            Shape::Foreign { of, sizes } => opaque(without_paths(of()), sizes()),
            // a body that nothing bounds goes to the end of what it is in
            body @ (Shape::Text { .. } | Shape::Trimmed { .. } | Shape::Ignored | Shape::Sequence { .. }) => {
                self.bounded(body, Extent::ToEnd, false, words)
            }
            Shape::Opaque => Type::Opaque { by: words.text(Note::By), min: 0, max: None },
        }
    }

    /// A body with its end; with `list` bytes stay elements, which a condition or another list goes through.
    fn bounded(&mut self, body: Shape, len: Extent, list: bool, words: Words) -> Type {
        match body {
            Shape::Text { encoding: wire::Encoding::Any, nul: false } => Type::Bytes { len },
            Shape::Text { encoding, nul } => Type::Text { encoding, nul, len },
            Shape::Trimmed { byte, body } => {
                Type::Trimmed { byte, body: Box::new(self.bounded(body(), len, list, words)) }
            }
            Shape::Ignored => Type::Padding { len, fill: 0, strict: false },
            Shape::Sequence { item } if list => Type::List { item: self.boxed(item, words), len },
            Shape::Sequence { item } => self.items(item, len, words),
            other => self.expand(other, words),
        }
    }

    /// Elements one after the other; of single bytes, bytes.
    fn items(&mut self, item: fn() -> Shape, len: Extent, words: Words) -> Type {
        match self.expand(item(), words) {
            Type::Int { bytes: 1, signed: false } => Type::Bytes { len },
            item => Type::List { item: Box::new(item), len },
        }
    }

    fn record(&mut self, name: &str, words: Words, parts: &'static [Part], of: TypeOf) -> Type {
        if name.is_empty() {
            return Type::Record(Record::new("", self.fields(parts)));
        }
        let identity = Identity::new((of.name)(), parts.iter().copied());
        self.define(name, identity, |types| match parts {
            [part] if words.get(Note::Transparent).is_some() => types.transparent(part, order(of, words)),
            _ => Type::Record(Record {
                name: name.into(),
                doc: words.text(Note::Doc),
                order: order(of, words),
                rules: words.rules(),
                fields: types.fields(parts),
            }),
        })
    }

    /// A struct that is its one field.
    fn transparent(&mut self, part: &Part, order: Option<ByteOrder>) -> Type {
        let body = self.field(part).ty;
        match order {
            Some(order) => Type::Ordered { order, body: Box::new(body) },
            None => body,
        }
    }

    #[allow(clippy::type_complexity, reason = "a tag and a magic, where there are any")]
    fn choice(
        &mut self,
        name: &str,
        words: Words,
        variants: &'static [wire::VariantParts],
        (tag, magic): (Option<fn() -> Shape>, Option<Magic>),
        of: TypeOf,
    ) -> Type {
        let parts = variants.iter().flat_map(|v| v.parts().iter().copied());
        self.define(name, Identity::new((of.name)(), parts), |types| {
            let tag = tag.map(|tag| types.expand(tag(), Words(&[])));
            Type::Choice(Choice {
                name: name.into(),
                doc: words.text(Note::Doc),
                order: order(of, words),
                rules: words.rules(),
                magic,
                tag: match (tag, words.order(Note::TagOrder)) {
                    (Some(tag), None) => Tag::Front(Box::new(tag)),
                    (Some(tag), Some(order)) => {
                        Tag::Front(Box::new(Type::Ordered { order, body: Box::new(tag) }))
                    }
                    (None, _) if words.get(Note::Untagged).is_some() => Tag::Untagged,
                    (None, _) => Tag::Expr(words.text(Note::TagFrom)),
                },
                variants: variants
                    .iter()
                    .map(|v| Variant {
                        name: v.name().into(),
                        doc: Words(v.notes()).text(Note::Doc),
                        tag: {
                            let known = v.constants().iter().map(|(name, value)| (*name, value()));
                            with_values(v.tag(), &known.collect::<Vec<_>>())
                        },
                        rules: Words(v.notes()).rules(),
                        fields: types.variant(v),
                    })
                    .collect(),
            })
        })
    }

    /// Puts a type among the definitions, once, and refers to it.
    fn define(&mut self, name: &str, identity: Identity, make: impl FnOnce(&mut Self) -> Type) -> Type {
        if let Some((_, name)) = self.met.iter().find(|(known, _)| *known == identity) {
            return Type::Named(name.clone());
        }
        let name = self.free_name(name, identity.path);
        // what is inside may refer to it
        self.met.push((identity, name.clone()));
        match make(self) {
            // a transparent struct around a named type is that type; a name is not a definition
            Type::Named(inner) if inner != name => {
                for (_, known) in self.met.iter_mut().filter(|(_, known)| *known == name) {
                    known.clone_from(&inner);
                }
                Type::Named(inner)
            }
            // one around bytes without a value is these bytes: a field has a value only if its type has
            made if made.is_silent() => {
                self.met.retain(|(_, known)| *known != name);
                made
            }
            made => {
                // a transparent struct around itself has no bytes that anything explains
                let endless = Type::Opaque { by: name.clone(), min: 0, max: None };
                let made = if matches!(made, Type::Named(_)) { endless } else { made };
                self.definitions.insert(name.clone(), made);
                Type::Named(name)
            }
        }
    }

    /// The name, with the arguments of a generic type, and with a number when another type has it.
    fn free_name(&self, name: &str, path: &str) -> String {
        let short = without_paths(path);
        let arguments = short.find('<').map_or("", |i| &short[i..]);
        let name = format!("{name}{arguments}");
        let taken = |name: &String| self.met.iter().any(|(_, known)| known == name);
        let numbered = (2u64..).map(|n| format!("{name}#{n}"));
        core::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
    }

    /// The fields of a variant, in the byte order that it fixes for those that have none of their own.
    fn variant(&mut self, variant: &wire::VariantParts) -> Vec<Field> {
        let mut fields = self.fields(variant.parts());
        let Some(order) = Words(variant.notes()).order(Note::Order) else { return fields };
        for field in &mut fields {
            if !matches!(field.ty, Type::Ordered { .. }) {
                let body = core::mem::replace(&mut field.ty, Type::Unit);
                field.ty = Type::Ordered { order: order.clone(), body: Box::new(body) };
            }
        }
        fields
    }

    fn fields(&mut self, parts: &'static [Part]) -> Vec<Field> {
        parts.iter().map(|part| self.field(part)).collect()
    }

    fn field(&mut self, part: &Part) -> Field {
        let words = Words(part.notes());
        let mut ty = match part.shape() {
            Shape::Opaque => opaque(words.text(Note::By), part.sizes()),
            shape => self.expand(shape, words),
        };
        if let Some(order) = words.order(Note::Order) {
            ty = Type::Ordered { order, body: Box::new(ty) };
        }
        if let (Some(condition), false) = (words.get(Note::If), matches!(ty, Type::Conditional { .. })) {
            let otherwise = words.get(Note::Else);
            ty = Type::Conditional { condition, otherwise, body: Box::new(ty) };
        }
        let (name, native) = match part.is_beside() {
            // whose they are: `q (alignment)`
            true if part.name().ends_with(')') => ("", part.name()),
            true => ("", ""),
            false => (part.name(), part.type_name()),
        };
        Field {
            name: name.into(),
            ty,
            doc: part.text().to_string(),
            native: native.to_string(),
            rules: words.rules().into_iter().chain(not_zero(part.shape())).collect(),
        }
    }
}

/// The rule of a number that is not 0, of a field that is one or may have one.
fn not_zero(shape: Shape) -> Option<String> {
    match shape {
        Shape::NonZero { signed, .. } => Some(format!("range = {}", standard::not_zero(signed))),
        Shape::Nullable { body, .. }
        | Shape::Conditional { body }
        | Shape::Ordered { body, .. }
        | Shape::Peeked { body }
        | Shape::Tail { body } => not_zero(body()),
        _ => None,
    }
}

/// The byte order that a container fixes.
fn order(of: TypeOf, words: Words) -> Option<ByteOrder> {
    match (of.order)() {
        Some(order) => Some(fixed(order)),
        None => words.get(Note::Endian).map(ByteOrder::Expr),
    }
}

fn fixed(order: Endian) -> ByteOrder {
    match order {
        Endian::Little => ByteOrder::Little,
        Endian::Big => ByteOrder::Big,
    }
}

fn opaque(by: String, sizes: wire::Sizes) -> Type {
    let max = (sizes.max != OPEN).then_some(sizes.max as u64);
    Type::Opaque { by, min: sizes.min as u64, max }
}

fn integer(shape: IntShape) -> Integer {
    match shape {
        IntShape::Fixed { bytes, signed } => Integer::Fixed { bytes, signed },
        IntShape::Varint { code, bytes } => Integer::Varint { code, bytes },
        IntShape::Custom { of, sizes } => {
            let sizes = sizes();
            Integer::Opaque { by: without_paths(of()), min: sizes.min as u64, max: sizes.max as u64 }
        }
    }
}

fn extent(by: Bound, words: Words) -> Extent {
    match by {
        Bound::Fixed(n) => Extent::Fixed(n as u64),
        Bound::Prefixed { len, max, inclusive } => {
            Extent::Prefixed { len: integer(len), max: (max != u64::MAX).then_some(max), inclusive }
        }
        Bound::Counted => Extent::Expr(words.text(Note::Count)),
        Bound::Sized => Extent::Expr(words.text(Note::Region)),
        Bound::Each => Extent::Each(words.text(Note::Each)),
        Bound::Until => Extent::Until(words.text(Note::Until)),
        Bound::Terminated => Extent::Terminated,
        Bound::Ends(end) => Extent::Ends(end),
        Bound::ToEnd => Extent::ToEnd,
        Bound::Gaps => Extent::Gaps,
    }
}
