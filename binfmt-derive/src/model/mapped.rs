//! A struct or an enum that another type is on the wire for: `map` and `try_map` on the whole.

use super::field::{self, Conversion, Order};
use super::krate;
use crate::attr::{self, Param, Value, Words};
use crate::diag::Errors;
use crate::keyword::Level;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Generics, Ident, Path, Type, WherePredicate};

/// The derived item. Its fields have no bytes of their own.
pub(crate) struct Mapped {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) order: Order,
    pub(crate) ctx: Vec<Param>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) conversion: Conversion,
    /// What is on the wire.
    pub(crate) wire: Type,
}

/// What may stand beside the functions.
const BESIDE: &[&str] = &["map", "try_map", "le", "be", "ctx", "bound", "crate"];

/// Whether the item says so.
pub(crate) fn is_mapped(input: &DeriveInput) -> bool {
    let named = |attr: &Attribute| {
        let text = attr.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        attr.path().is_ident("binfmt") && text.contains("map")
    };
    // the lists are read twice only where they may say so
    input.attrs.iter().any(named)
        && attr::parse(&input.attrs, level(input), &mut Errors::default())
            .first_of(&["map", "try_map"])
            .is_some()
}

fn level(input: &DeriveInput) -> Level {
    if let Data::Enum(_) = input.data { Level::Enum } else { Level::Struct }
}

/// Reads and lowers the whole item.
pub(crate) fn lower(input: &DeriveInput, errors: &mut Errors) -> Option<Mapped> {
    let words = attr::parse(&input.attrs, level(input), errors);
    beside(&words, errors);
    without_words(input, errors);
    let conversion = field::conversion(&words)?;
    let Some(wire) = conversion.wire.clone() else {
        let word = words.first_of(&["map", "try_map"])?;
        let text =
            format!("`{0}` of a whole type says what is on the wire: `{0}(.., as = <type>)`", word.key);
        errors.at(word.ident.span(), text);
        return None;
    };
    Some(Mapped {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        krate: krate(&input.attrs),
        order: field::order(&words),
        ctx: match words.get("ctx").map(|word| &word.value) {
            Some(Value::Params(params)) => params.clone(),
            _ => Vec::new(),
        },
        bound: match words.get("bound").map(|word| &word.value) {
            Some(Value::Bounds(bounds)) => Some(bounds.clone()),
            _ => None,
        },
        conversion,
        wire,
    })
}

/// Other words are about bytes that such a type has none of.
fn beside(words: &Words, errors: &mut Errors) {
    let Some(map) = words.first_of(&["map", "try_map"]) else { return };
    if let Some(odd) = words.iter().find(|word| !BESIDE.contains(&word.key)) {
        let text = format!(
            "`{}` and `{}` exclude each other: the type `as` says what the bytes are",
            map.key, odd.ident
        );
        errors.between(map.ident.span(), odd.ident.span(), text);
    }
}

fn without_words(input: &DeriveInput, errors: &mut Errors) {
    let variants = |data: &syn::DataEnum| -> Vec<Attribute> {
        let fields = data.variants.iter().flat_map(|variant| &variant.fields).flat_map(|field| &field.attrs);
        data.variants.iter().flat_map(|variant| &variant.attrs).chain(fields).cloned().collect()
    };
    let attrs: Vec<Attribute> = match &input.data {
        Data::Struct(data) => data.fields.iter().flat_map(|field| field.attrs.clone()).collect(),
        Data::Enum(data) => variants(data),
        Data::Union(data) => data.fields.named.iter().flat_map(|field| field.attrs.clone()).collect(),
    };
    if let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("binfmt")) {
        let text = "this has no bytes of its own: `map` on the whole type says what is on the wire";
        errors.at(attr.path().span(), text);
    }
}
