//! Rules of the word `columns`: what a struct of columns can be made of.
//!
//! They are few, because a struct that cannot be decoded column by column is decoded as a whole and then taken apart. What is
//! refused has no column type at all.

use crate::diag::Errors;
use crate::model::{Container, Fields};
use quote::ToTokens;

/// The rules of a struct. A parameter would give the struct of columns one too, and columns that borrow or hold a type not
/// known here have no `Default` and no type to name; a struct without values has rows without columns, whose number nothing
/// could keep. The library may be built without them.
pub(crate) fn rules(container: &Container, fields: &Fields, errors: &mut Errors) {
    let Some(span) = container.words.span("columns") else {
        no_struct(fields, errors);
        return;
    };
    super::features::columns(span, errors);
    if container.generics.lt_token.is_some() && !container.generics.params.is_empty() {
        let text = "a `columns` struct has no parameters: its columns own their values, and each is of one type\nhelp: use owned types (`String` for `&str`, `Vec<u8>` for `&[u8]`)";
        errors.on(container.generics.params.to_token_stream(), text);
    }
    if fields.all.iter().all(|field| !field.has_value()) {
        errors.at(
            span,
            "`columns` needs a field with a value on the wire: rows without values have no columns",
        );
    }
}

/// `columns` on a field says how the struct of columns holds it: without that struct it would do nothing.
pub(crate) fn no_struct(fields: &Fields, errors: &mut Errors) {
    for span in fields.all.iter().filter_map(|field| field.words.span("columns")) {
        let text = "`columns` on a field splits it into its own columns: the struct needs the word too";
        errors.at(span, text);
    }
}
