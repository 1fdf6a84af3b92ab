//! Parameters of `ctx(..)` that nothing names: rustc warns of them, as of those of a function, because they become one.

use crate::model::Container;
use crate::names;
use crate::paths::q;
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput};

/// A function that has the parameters, outside the block in which lints are quiet; nothing where all are used.
pub(crate) fn parameters(input: &DeriveInput, container: &Container) -> TokenStream {
    if container.ctx.is_empty() {
        return TokenStream::new();
    }
    let used = names::mentioned(words(input));
    let unused = container.ctx.iter().map(|param| &param.name);
    let unused: Vec<_> = unused.filter(|name| !used.contains(&name.unraw().to_string())).collect();
    match unused.is_empty() {
        true => TokenStream::new(),
        false => q! {
            const _: () = {
                #[allow(dead_code)]
                fn __ctx(#(#unused: ()),*) {}
            };
        },
    }
}

/// All words of an item, its variants and fields, but for what declares the parameters.
fn words(input: &DeriveInput) -> TokenStream {
    let (fields, variants): (Vec<_>, Vec<_>) = match &input.data {
        Data::Struct(data) => (data.fields.iter().collect(), Vec::new()),
        Data::Enum(data) => (
            data.variants.iter().flat_map(|variant| &variant.fields).collect(),
            data.variants.iter().collect(),
        ),
        Data::Union(_) => (Vec::new(), Vec::new()),
    };
    let own = input.attrs.iter();
    let inner = fields.into_iter().flat_map(|field| &field.attrs);
    let inner = inner.chain(variants.into_iter().flat_map(|variant| &variant.attrs));
    let lists = own.chain(inner).filter_map(|attr| attr.meta.require_list().ok());
    lists
        .filter(|list| list.path.is_ident("binfmt"))
        .flat_map(|list| undeclared(list.tokens.clone()))
        .collect()
}

/// The words without `ctx(..)`.
fn undeclared(words: TokenStream) -> TokenStream {
    let mut is_ctx = false;
    let rest = words.into_iter().filter(|token| {
        let was = std::mem::replace(&mut is_ctx, matches!(token, TokenTree::Ident(word) if word == "ctx"));
        !(was && matches!(token, TokenTree::Group(_)))
    });
    rest.collect()
}
