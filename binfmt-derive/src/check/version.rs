//! The rules of `version`.

use crate::diag::Errors;
use crate::model::{Body, Container, Fields};

/// `version` is what `since` and `until_version` compare with: one without the other would do nothing.
pub(super) fn rules(container: &Container, errors: &mut Errors) {
    let all: Vec<&Fields> = match &container.body {
        Body::Struct(fields) => vec![fields],
        Body::Enum { variants, .. } => variants.iter().map(|variant| &variant.fields).collect(),
    };
    let words = |names: &[&str]| {
        let mut fields = all.iter().flat_map(|fields| &fields.all);
        fields.find_map(|field| field.words.first_of(names).map(|word| word.ident.clone()))
    };
    match (container.words.span("version"), words(&["since", "until_version"])) {
        // what could not be read may have been one
        (Some(_), None) if all.iter().flat_map(|fields| &fields.all).any(|field| field.words.broken) => {}
        (Some(span), None) => {
            errors.at(
                span,
                "`version` is what `since` and `until_version` compare with, and no field has one of them",
            );
        }
        (None, Some(word)) => {
            let text = format!(
                "`{word}` needs `version = <expr>` on the struct or enum: an earlier field, or an argument in `ctx(..)`"
            );
            errors.at(word.span(), text);
        }
        _ => {}
    }
}
