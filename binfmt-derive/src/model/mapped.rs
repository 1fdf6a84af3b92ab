//! A struct or an enum whose fields have no bytes of their own: another type is on the wire for the whole (`map`, `try_map`), or a
//! module of the user's reads and writes it (`with`).

use super::codec::Codec;
use super::field::{self, Conversion, Order};
use super::krate;
use crate::attr::{self, Param, Value, Words};
use crate::diag::Errors;
use crate::keyword::Level;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Expr, Generics, Ident, Path, Type, WherePredicate};

/// The derived item. Its fields have no bytes of their own.
pub(crate) struct Mapped {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) order: Order,
    pub(crate) ctx: Vec<Param>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) by: By,
}

/// What reads and writes the whole.
pub(crate) enum By {
    /// Another type, and functions between the two.
    Type { conversion: Conversion, wire: Type },
    /// A module, and how many bytes it says that there are.
    Module { decode: Codec, encode: Codec, size: Option<Expr> },
}

impl Mapped {
    /// What is on the wire, if that is a type.
    pub(crate) fn wire(&self) -> Option<&Type> {
        match &self.by {
            By::Type { wire, .. } => Some(wire),
            By::Module { .. } => None,
        }
    }
}

/// The words that make it one.
const WORDS: &[&str] = &["map", "try_map", "with"];

/// What may stand beside the functions.
const BESIDE: &[&str] = &["map", "try_map", "with", "le", "be", "ctx", "bound", "crate"];

/// Whether the item says so.
pub(crate) fn is_mapped(input: &DeriveInput) -> bool {
    let named = |attr: &Attribute| {
        let text = attr.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        attr.path().is_ident("binfmt") && (text.contains("map") || text.contains("with"))
    };
    // the lists are read twice only where they may say so
    input.attrs.iter().any(named)
        && attr::parse(&input.attrs, level(input), &mut Errors::default()).first_of(WORDS).is_some()
}

fn level(input: &DeriveInput) -> Level {
    if let Data::Enum(_) = input.data { Level::Enum } else { Level::Struct }
}

/// Reads and lowers the whole item.
pub(crate) fn lower(input: &DeriveInput, errors: &mut Errors) -> Option<Mapped> {
    let words = attr::parse(&input.attrs, level(input), errors);
    beside(&words, errors);
    without_words(input, words.first_of(WORDS)?.key, errors);
    let by = by(&words, errors)?;
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
        by,
    })
}

fn by(words: &Words, errors: &mut Errors) -> Option<By> {
    if let Some(Value::Path(module)) = words.get("with").map(|word| &word.value) {
        let function = |name| Codec::in_module(module, name);
        let size = field::expr(words, "size").cloned();
        return Some(By::Module { decode: function("decode"), encode: function("encode"), size });
    }
    let conversion = field::conversion(words)?;
    if let Some(wire) = conversion.wire.clone() {
        return Some(By::Type { conversion, wire });
    }
    let word = words.first_of(WORDS)?;
    let text = format!("`{0}` of a whole type says what is on the wire: `{0}(.., as = <type>)`", word.key);
    errors.at(word.ident.span(), text);
    None
}

/// Other words are about bytes that such a type has none of.
fn beside(words: &Words, errors: &mut Errors) {
    let Some(map) = words.first_of(WORDS) else { return };
    let is_sized = map.key == "with";
    let odd = words.iter().find(|word| !(BESIDE.contains(&word.key) || is_sized && word.key == "size"));
    if let Some(odd) = odd {
        let what = if is_sized { "the module" } else { "the type `as`" };
        let text =
            format!("`{}` and `{}` exclude each other: {what} says what the bytes are", map.key, odd.ident);
        errors.between(map.ident.span(), odd.ident.span(), text);
    }
}

fn without_words(input: &DeriveInput, word: &str, errors: &mut Errors) {
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
        let text =
            format!("this has no bytes of its own: `{word}` on the whole type says what is on the wire");
        errors.at(attr.path().span(), text);
    }
}
