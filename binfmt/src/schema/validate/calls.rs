//! Types that need to know something, and fields that pass it to them.

use super::{Checked, DescriptionError, quoted};
use crate::schema::types::{Description, Field};
use alloc::format;
use alloc::vec::Vec;

/// Whether a field passes to its type what that needs to know.
pub(super) fn field(field: &Field, description: &Description) -> Checked {
    let Some(name) = field.ty.called() else { return Ok(()) };
    let Some(ty) = description.definitions.get(name) else { return Ok(()) };
    let parameters = ty.parameters();
    if parameters.is_empty() {
        return Ok(());
    }
    let found = field.arguments().len();
    // one expression may be all of them, as a tuple
    let is_whole = found == parameters.len() || found == 1;
    if is_whole || ty.defaults().get(found).is_some_and(Option::is_some) {
        return Ok(());
    }
    let names: Vec<_> = parameters.iter().map(|(name, _)| quoted(name)).collect();
    let (name, names) = (quoted(name), names.join(", "));
    Err(DescriptionError::new(format!("`{name}` needs `args({names})`, and {found} are passed")))
}
