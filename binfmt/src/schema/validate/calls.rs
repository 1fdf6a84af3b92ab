//! Types that need to know something, and fields that pass it to them.

use super::{Checked, DescriptionError, quoted};
use crate::schema::DEEPEST;
use crate::schema::types::{Description, Extent, Field, Type};
use alloc::format;
use alloc::vec::Vec;

/// Whether a field passes to its type what that needs to know.
pub(super) fn field(field: &Field, description: &Description) -> Checked {
    named(&field.ty, 0, &mut |name| {
        let Some(ty) = description.definitions.get(name) else { return Ok(()) };
        let parameters = ty.parameters();
        if parameters.is_empty() {
            return Ok(());
        }
        let found = field.arguments().len();
        // one expression may be all of them, as a tuple
        if found == parameters.len() || found == 1 {
            return Ok(());
        }
        let names: Vec<_> = parameters.iter().map(|(name, _)| quoted(name)).collect();
        let (name, names) = (quoted(name), names.join(", "));
        Err(DescriptionError::new(format!("`{name}` needs `args({names})`, and {found} are passed")))
    })
}

/// The named types to which a field passes its arguments: those in lists, too, unless each element is passed its own.
fn named(ty: &Type, depth: u32, found: &mut dyn FnMut(&str) -> Checked) -> Checked {
    if depth >= DEEPEST {
        return Ok(());
    }
    match ty {
        Type::Named(name) => found(name),
        Type::List { len: Extent::Each(_), .. } => Ok(()),
        ty => ty.body().map_or(Ok(()), |body| named(body, depth.wrapping_add(1), found)),
    }
}
