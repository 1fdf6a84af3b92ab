//! Words for which the library needs a feature. A macro sees the features of its own crate only, which those of the library
//! switch on: so a word without its feature is told here, once, and not by rustc for each item that is missing.

use crate::attr::Rest;
use crate::diag::Errors;
use crate::model::field::{Content, Field, Form};
use crate::model::{Body, Container};
use proc_macro2::Span;

/// What a struct of columns needs.
pub(super) fn columns(span: Span, errors: &mut Errors) {
    if !cfg!(feature = "columns") {
        let text = "the word `columns` needs the feature `columns` of binfmt\nhelp: in Cargo.toml: `binfmt = { version = \"..\", features = [\"columns\"] }`";
        errors.at(span, text);
    }
}

/// Words whose values, or what reads and writes them, are on the heap.
const ON_THE_HEAP: &[&str] = &["at", "offset_of", "gaps", "each", "until", "shape", "process", "peek"];

/// What the words of a type need.
pub(super) fn heap(container: &Container, errors: &mut Errors) {
    if cfg!(feature = "alloc") {
        return;
    }
    let mut needs = |word: &str, span: Option<Span>| {
        if let Some(span) = span {
            let text = format!(
                "{word} needs the feature `alloc` of binfmt\nhelp: in Cargo.toml: `binfmt = {{ version = \"..\", default-features = false, features = [\"alloc\", \"derive\"] }}`"
            );
            errors.at(span, text);
        }
    };
    needs("the word `process`", container.words.span("process"));
    let fields = match &container.body {
        Body::Struct(fields) => vec![fields],
        Body::Enum { variants, .. } => variants.iter().map(|variant| &variant.fields).collect(),
    };
    for field in fields.into_iter().flat_map(|fields| &fields.all) {
        for word in ON_THE_HEAP {
            // a number that is compared with a position is computed from what is there
            if *word != "offset_of" || field.place_of.is_none() {
                needs(&format!("the word `{word}`"), field.words.span(word));
            }
        }
        if field.sum.as_ref().is_some_and(|sum| sum.own.is_some()) {
            needs("a checksum that covers itself", field.words.span("checksum"));
        }
        if let Some(form) = form(field) {
            if form.ended.is_some() {
                needs("a region up to a terminator", field.words.span("region"));
            }
            if form.within.as_ref().is_some_and(|within| within.rest == Rest::Keep) {
                needs("`rest = keep`", field.words.span("region"));
            }
            if form.text.as_ref().is_some_and(|text| text.page.is_some() || text.unit() > 1) {
                needs("text that is not UTF-8, Latin-1 or ASCII", field.words.span("text"));
            }
        }
    }
}

fn form(field: &Field) -> Option<&Form> {
    match &field.content {
        Content::Coded(form, _) => Some(form),
        _ => None,
    }
}
