//! `#[binfmt(..)]` lists as words with values: what the user wrote, before it means anything.

mod condition;
mod ends;
mod front;
mod number;
mod value;

use crate::diag::Errors;
use crate::keyword::{self, BESIDE_SKIP, Keyword, Level};
use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Token};

pub(crate) use condition::{AssertMessage, AssertWord};
pub(crate) use ends::{AtWord, BitsWord, EndsWord, Origin, RegionWord, Rest};
pub(crate) use front::{NullWord, PrefixWord, ShapeWord, TagWord};
pub(crate) use number::{NumberType, SumWord};
pub(crate) use value::{Arg, CodingWord, Page, Param, SkipWord, Value, is_any};

/// One word with its value.
#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) key: &'static str,
    /// As written (an alias keeps its spelling), for the span.
    pub(crate) ident: Ident,
    pub(crate) value: Value,
}

/// All words of one item, several lists added up.
#[derive(Clone, Default)]
pub(crate) struct Words {
    list: Vec<Word>,
    /// Something in the lists is wrong, so that words may be missing here.
    pub(crate) broken: bool,
}

impl Words {
    /// The word of this name.
    pub(crate) fn get(&self, key: &str) -> Option<&Word> {
        self.list.iter().find(|word| word.key == key)
    }

    /// All words of this name (`assert` may be said more than once).
    pub(crate) fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Word> {
        self.list.iter().filter(move |word| word.key == key)
    }

    /// The type of a number that is not a field, where a word says one.
    pub(crate) fn number(&self) -> Option<&NumberType> {
        self.list.iter().find_map(|word| match &word.value {
            Value::LenOf(word) => word.ty.as_ref(),
            Value::Calc(word) => Some(&word.ty),
            Value::OffsetOf(word) => word.ty.as_ref(),
            Value::Checksum(word) => word.ty.as_ref(),
            _ => None,
        })
    }

    /// Every word in the order written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Word> {
        self.list.iter()
    }

    /// Whether the word was said.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Where the word was said.
    pub(crate) fn span(&self, key: &str) -> Option<Span> {
        self.get(key).map(|word| word.ident.span())
    }

    /// The first of these words that was said.
    pub(crate) fn first_of(&self, keys: &[&str]) -> Option<&Word> {
        self.list.iter().find(|word| keys.contains(&word.key))
    }
}

/// Reads every `#[binfmt(..)]` list of one item; mistakes go to `errors` and parsing goes on after them.
pub(crate) fn parse(attrs: &[Attribute], level: Level, errors: &mut Errors) -> Words {
    let mut words = Words::default();
    let before = errors.count();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("binfmt")) {
        match &attr.meta {
            syn::Meta::List(list) => {
                // What a mistake left unread inside parentheses is not a second mistake.
                let so_far = errors.count();
                let parser = |input: ParseStream<'_>| {
                    parse_list(input, level, &mut words, errors);
                    Ok(())
                };
                let rest = parser.parse2(list.tokens.clone());
                if let Err(error) = rest
                    && errors.count() == so_far
                {
                    errors.add(error);
                }
            }
            other => errors.add(syn::Error::new_spanned(other, "expected a list: `#[binfmt(..)]`")),
        }
    }
    check_pairs(&words, errors);
    words.broken = errors.count() > before;
    words
}

fn parse_list(input: ParseStream<'_>, level: Level, words: &mut Words, errors: &mut Errors) {
    while !input.is_empty() {
        let Ok(ident) = input.call(Ident::parse_any) else {
            errors.add(input.error("expected an attribute word"));
            to_comma(input);
            continue;
        };
        match parse_word(input, &ident, level) {
            Ok((key, value)) => {
                if input.is_empty() || input.peek(Token![,]) {
                    add(words, Word { key: key.name, ident, value }, key, errors);
                } else {
                    errors.at(input.span(), format!("expected `,` after `{}`", key.usage));
                }
            }
            Err(error) => errors.add(error),
        }
        to_comma(input);
    }
}

/// Skips what is left of a word and the comma after it.
fn to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Option<Token![,]>>().ok().flatten().is_some() {
            return;
        }
        let _ = input.parse::<TokenTree>();
    }
}

fn parse_word(input: ParseStream<'_>, ident: &Ident, level: Level) -> syn::Result<(&'static Keyword, Value)> {
    let name = ident.unraw().to_string();
    let Some(key) = keyword::find(&name) else {
        return Err(syn::Error::new(ident.span(), keyword::unknown(&name, level)));
    };
    if !key.fits(level) {
        let text = format!("`{name}` belongs on {}, not on {}", key.places(), level.article());
        return Err(syn::Error::new(ident.span(), text));
    }
    Ok((key, value::parse(input, ident, key, level)?))
}

fn add(words: &mut Words, word: Word, key: &Keyword, errors: &mut Errors) {
    match words.get(key.name) {
        Some(first) if !key.repeats => {
            let help =
                if word.key == "magic" { "\nhelp: one has all of the bytes: `magic = b\"..\"`" } else { "" };
            let text = format!("duplicate attribute `{}`{help}", word.ident);
            errors.between(first.ident.span(), word.ident.span(), text);
        }
        _ => words.list.push(word),
    }
}

/// Contradictions between two words of one item, one error for each second word.
fn check_pairs(words: &Words, errors: &mut Errors) {
    let bare_skip = words.list.iter().find(|word| matches!(word.value, Value::Skip(SkipWord::Absent)));
    if let Some(skip) = bare_skip {
        let odd = words.list.iter().find(|word| word.key != "skip" && !BESIDE_SKIP.contains(&word.key));
        if let Some(odd) = odd {
            let text = format!(
                "`skip` and `{}` exclude each other: a skipped field is not on the wire\nhelp: for bytes that are on the wire and ignored, write `skip(bytes = N)`",
                odd.ident
            );
            errors.between(skip.ident.span(), odd.ident.span(), text);
        }
        return;
    }
    let is_list = keyword::is_list_of_bits(|key| words.has(key));
    for (i, second) in words.list.iter().enumerate() {
        for first in &words.list[..i] {
            if is_list && keyword::is_beside_lists(first.key, second.key) {
                continue;
            }
            if let Some(why) = keyword::exclusion(first.key, second.key) {
                let text = format!("`{}` and `{}` exclude each other: {why}", first.ident, second.ident);
                errors.between(first.ident.span(), second.ident.span(), text);
                break;
            }
        }
    }
}
