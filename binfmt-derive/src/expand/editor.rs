//! What editors follow: a path for each word, with the place of the word. rust-analyzer looks up the tokens of an attribute in
//! what a derive makes of them, so that a word shows its meaning, leads to it, and is offered while it is written. The compiler
//! sees none of it.

use crate::keyword;
use crate::paths::q;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Path};

/// The paths of all words of an item, its variants and fields: those that nobody knows, too, which may be half a word.
pub(crate) fn paths(input: &DeriveInput, krate: &Path) -> TokenStream {
    let words = attributes(input).into_iter().flat_map(words);
    let words: Vec<Ident> = words.filter_map(|word| named(&word.unraw().to_string(), word.span())).collect();
    match words.is_empty() {
        true => TokenStream::new(),
        false => q! {
            #[allow(unused, unexpected_cfgs)]
            const _: () = {
                #[cfg(rust_analyzer)]
                use #krate::__private::words::{#(#words as _),*};
            };
        },
    }
}

/// All attributes of an item.
fn attributes(input: &DeriveInput) -> Vec<&Attribute> {
    let mut all: Vec<&Attribute> = input.attrs.iter().collect();
    match &input.data {
        Data::Struct(data) => all.extend(data.fields.iter().flat_map(|field| &field.attrs)),
        Data::Enum(data) => {
            for variant in &data.variants {
                all.extend(&variant.attrs);
                all.extend(variant.fields.iter().flat_map(|field| &field.attrs));
            }
        }
        Data::Union(_) => {}
    }
    all
}

/// The words of a list: the name at the front of each item.
fn words(attribute: &Attribute) -> Vec<Ident> {
    let Ok(list) = attribute.meta.require_list() else { return Vec::new() };
    if !list.path.is_ident("binfmt") {
        return Vec::new();
    }
    let mut is_front = true;
    let word = |token: TokenTree| {
        let was_front = std::mem::replace(&mut is_front, is_comma(&token));
        match token {
            TokenTree::Ident(word) if was_front => Some(word),
            _ => None,
        }
    };
    list.tokens.clone().into_iter().filter_map(word).collect()
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')
}

/// The word as the name of an item: some are Rust's own, and `crate` can be no name at all.
fn named(word: &str, at: Span) -> Option<Ident> {
    match syn::parse_str::<Ident>(word) {
        Ok(_) => Some(Ident::new(word, at)),
        Err(_) if ["crate", "self", "super", "Self", "_"].contains(&word) => None,
        Err(_) => Some(Ident::new_raw(word, at)),
    }
}

/// A module for each word: how it is written, where it stands, and what the table of the words says of it.
pub(crate) fn modules() -> TokenStream {
    let module = |(name, text): (&str, String)| {
        let name = named(name, Span::call_site())?;
        Some(q! {
            #[doc = #text]
            pub mod #name {}
        })
    };
    table().into_iter().filter_map(module).collect()
}

/// The words of the table, each with its text.
fn table() -> Vec<(&'static str, String)> {
    let rows = include_str!("../../docs/words.md").lines().filter(|line| line.starts_with("| [`"));
    rows.flat_map(row).collect()
}

fn row(line: &'static str) -> Vec<(&'static str, String)> {
    let cells: Vec<_> = line.trim_matches(['|', ' ']).split(" | ").collect();
    let [words, _, meaning, bytes] = cells[..] else { return Vec::new() };
    let Some((names, link)) = words.trim_start_matches('[').trim_end_matches(')').split_once("](") else {
        return Vec::new();
    };
    let text = |name| {
        let word = keyword::find(name)?;
        let (usage, places) = (word.usage, word.places());
        let text =
            format!("`{usage}` on {places}: {meaning}.\n\nOn the wire: {bytes}.\n\n[Reference]({link})");
        Some((name, text))
    };
    names.split('`').skip(1).step_by(2).filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::{modules, paths, table};
    use crate::keyword::WORDS;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_leads_somewhere() {
        let found: BTreeSet<_> = table().into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, WORDS.iter().map(|word| word.name).collect());
        let (_, text) = table().into_iter().find(|(name, _)| *name == "count").unwrap();
        assert!(text.starts_with("`count = <expr>` on a field: number of elements"), "{text}");
        assert!(
            text.ends_with("(https://docs.rs/binfmt/latest/binfmt/attributes/index.html#count)"),
            "{text}"
        );
        let modules = modules().to_string();
        assert!(modules.contains("pub mod count") && modules.contains("pub mod r#if"), "{modules}");
    }

    #[test]
    fn paths_stand_where_the_words_are() {
        let input = syn::parse_quote! {
            #[derive(BinFormat)]
            #[binfmt(le, crate = a::b)]
            enum E {
                #[binfmt(tag = f(other, nul))]
                A { #[serde(skip)] #[binfmt(if(x), as = u24, cou)] n: u8 },
            }
        };
        let paths = paths(&input, &syn::parse_quote!(a::b)).to_string();
        let last = paths.split("words :: ").nth(1).unwrap_or_default();
        assert_eq!(last, "{ le as _ , tag as _ , r#if as _ , r#as as _ , cou as _ } ; } ;");
        assert!(
            super::paths(
                &syn::parse_quote!(
                    struct S {
                        n: u8,
                    }
                ),
                &syn::parse_quote!(a)
            )
            .is_empty()
        );
    }
}
