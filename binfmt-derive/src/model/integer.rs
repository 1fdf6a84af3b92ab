//! Forms of integers: `as = u24`, `length_prefixed(leb128)`, `tag(u64, as = Own)`.

use syn::{Path, Type, parse_quote};

/// How an integer is bytes.
#[derive(Clone)]
pub(crate) enum IntForm {
    /// That many bytes.
    Fixed { bytes: usize, signed: bool },
    /// A form of variable length, by its name in the runtime.
    Varint { name: &'static str, signed: bool },
    /// A type of the user's own.
    Own(Path),
}

/// The word of each form of variable length, its name in the runtime, and whether it has a sign.
const VARINTS: &[(&str, &str, bool)] = &[
    ("leb128", "Leb128", false),
    ("sleb128", "Sleb128", true),
    ("zigzag", "Zigzag", true),
    ("vlq", "Vlq", false),
];

impl IntForm {
    /// What a path names: a word of the derive, else a type.
    pub(crate) fn of(path: &Path) -> Self {
        let word = path.get_ident().map(ToString::to_string).unwrap_or_default();
        if let Some((_, name, signed)) = VARINTS.iter().find(|(known, ..)| *known == word) {
            return IntForm::Varint { name, signed: *signed };
        }
        let bytes = word.get(1..).and_then(|bits| bits.parse::<usize>().ok()).unwrap_or(0) / 8;
        let said = |signed| format!("{}{}", if signed { 'i' } else { 'u' }, bytes * 8) == word;
        match (1..=8).contains(&bytes) && (said(true) || said(false)) {
            true => IntForm::Fixed { bytes, signed: said(true) },
            false => IntForm::Own(path.clone()),
        }
    }

    /// The Rust integer that holds each of this form, where the form alone says it.
    fn value(&self) -> Option<Type> {
        Some(match self {
            IntForm::Fixed { bytes: 3, signed: false } => parse_quote!(u32),
            IntForm::Fixed { bytes: 3, signed: true } => parse_quote!(i32),
            IntForm::Fixed { bytes: 5..=7, signed: false } => parse_quote!(u64),
            IntForm::Fixed { bytes: 5..=7, signed: true } => parse_quote!(i64),
            IntForm::Varint { signed: false, .. } => parse_quote!(u64),
            IntForm::Varint { signed: true, .. } => parse_quote!(i64),
            IntForm::Fixed { .. } | IntForm::Own(_) => return None,
        })
    }

    /// The word of a form of variable length.
    pub(crate) fn word(&self) -> Option<&'static str> {
        let IntForm::Varint { name, .. } = self else { return None };
        VARINTS.iter().find(|(_, known, _)| known == name).map(|(word, ..)| *word)
    }

    /// Whether a form of variable length has a sign.
    pub(crate) fn is_signed(&self) -> Option<bool> {
        if let IntForm::Varint { signed, .. } = self { Some(*signed) } else { None }
    }

    /// What looks like a word and is not one: `u25`.
    pub(crate) fn misspelt(&self) -> Option<String> {
        let IntForm::Own(path) = self else { return None };
        let word = path.get_ident()?.to_string();
        let digits = word.strip_prefix(['u', 'i'])?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(word)
    }

    /// Whether its size depends on the integer.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self, IntForm::Varint { .. })
    }
}

/// An integer that is not a field: a length, a dimension, a tag.
#[derive(Clone)]
pub(crate) struct Integer {
    /// Its Rust type.
    pub(crate) ty: Type,
    /// The form that it has on the wire, if not its own.
    pub(crate) form: Option<IntForm>,
}

impl Integer {
    /// `ty, as = form`: a type, or one of the words that stand for a type and a form.
    pub(crate) fn new(ty: &Type, form: Option<&Path>) -> Self {
        if let Some(form) = form {
            return Integer { ty: ty.clone(), form: Some(IntForm::of(form)) };
        }
        let word = match ty {
            Type::Path(path) if path.qself.is_none() => IntForm::of(&path.path),
            _ => return Integer { ty: ty.clone(), form: None },
        };
        match word.value() {
            Some(value) => Integer { ty: value, form: Some(word) },
            None => Integer { ty: ty.clone(), form: None },
        }
    }
}
