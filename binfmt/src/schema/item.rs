//! Fields of two records that are compared, and the bytes beside them.

use super::compare::words;
use super::types::{ByteOrder, Description, Extent, Field, Type};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A field, or bytes beside one.
#[derive(Clone)]
pub(super) struct Item<'a> {
    pub(super) name: Cow<'a, str>,
    native: &'a str,
    pub(super) ty: Cow<'a, Type>,
    /// The byte order that a record fixes which it was taken out of.
    order: Option<&'a ByteOrder>,
}

impl<'a> Item<'a> {
    pub(super) fn of_type(ty: &'a Type) -> Self {
        Item { name: Cow::Borrowed(""), native: "", ty: Cow::Borrowed(ty), order: None }
    }

    fn of(field: &'a Field) -> Self {
        let (name, ty) = (Cow::Borrowed(field.name.as_str()), Cow::Borrowed(&field.ty));
        Item { name, native: &field.native, ty, order: None }
    }

    /// What it is, for a message.
    pub(super) fn words(&self) -> String {
        let beside = self.is_beside();
        words(&self.ty, if beside { "" } else { self.native }, !beside)
    }

    /// Whether it holds no value: ignored bytes, alignment, magic.
    pub(super) fn is_beside(&self) -> bool {
        let ty = match &*self.ty {
            Type::Conditional { body, .. } => body,
            ty => ty,
        };
        let fixed = matches!(
            ty,
            Type::Padding { len: Extent::Fixed(_), .. } | Type::Alignment { .. } | Type::Magic { .. }
        );
        self.name.is_empty() || fixed
    }

    /// The type in the byte order that it has where it stands.
    pub(super) fn ordered(&self) -> Cow<'_, Type> {
        match self.order {
            Some(order) => {
                let body = Box::new(self.ty.clone().into_owned());
                Cow::Owned(Type::Ordered { order: order.clone(), body })
            }
            None => Cow::Borrowed(&*self.ty),
        }
    }

    /// What may stand for this: the fields of a record, and for ignored bytes that may be missing one more of them, for
    /// nothing looks at their presence byte.
    pub(super) fn parts(&self, description: &'a Description) -> Option<Vec<Item<'a>>> {
        let Cow::Borrowed(ty) = self.ty else { return None };
        let (ty, order) = unordered(description.resolve(ty)?, self.order);
        match ty {
            Type::Record(record) => {
                let order = record.order.as_ref().or(order);
                let part = |field: &'a Field| {
                    let mut part = Item { order, ..Item::of(field) };
                    if !self.name.is_empty() && !part.name.is_empty() {
                        part.name = Cow::Owned(format!("{}.{}", self.name, part.name));
                    }
                    part
                };
                Some(record.fields.iter().map(part).collect())
            }
            Type::Nullable { body, blank: true, .. } => {
                let (Type::Padding { len, .. }, order) = unordered(body, order) else { return None };
                let ty = Type::Padding { len: Extent::Fixed(1), fill: 0, strict: false };
                let byte = Item { name: Cow::Borrowed(""), ty: Cow::Owned(ty), ..self.clone() };
                let ty = Type::Padding { len: len.clone(), fill: 0, strict: false };
                Some([byte, Item { ty: Cow::Owned(ty), order, ..self.clone() }].into())
            }
            _ => None,
        }
    }

    /// The bytes of ignored ones.
    fn ignored(&self) -> Option<u64> {
        match &*self.ty {
            Type::Padding { len: Extent::Fixed(n), .. } => Some(*n),
            _ => None,
        }
    }
}

/// A type without the byte order around it, and that order.
fn unordered<'a>(ty: &'a Type, outer: Option<&'a ByteOrder>) -> (&'a Type, Option<&'a ByteOrder>) {
    match ty {
        Type::Ordered { order, body } => unordered(body, Some(order)),
        ty => (ty, outer),
    }
}

/// The fields as items, neighbouring ignored bytes as one.
pub(super) fn items(fields: &[Field]) -> Vec<Item<'_>> {
    fields.iter().fold(Vec::new(), |list, field| joined(list, Item::of(field)))
}

/// The list with one more item.
pub(super) fn joined<'a>(mut list: Vec<Item<'a>>, item: Item<'a>) -> Vec<Item<'a>> {
    let both = list.last().and_then(Item::ignored).zip(item.ignored());
    match (list.last_mut(), both.and_then(|(a, b)| a.checked_add(b))) {
        (Some(last), Some(n)) => {
            let len = Extent::Fixed(n);
            last.ty = Cow::Owned(Type::Padding { len, fill: 0, strict: false });
        }
        _ => list.push(item),
    }
    list
}
