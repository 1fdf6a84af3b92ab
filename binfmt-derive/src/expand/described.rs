//! The comparison with the description in a file.

use super::form::number;
use crate::model::Container;
use crate::model::described::DescribedPart;
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// What compares the type; nothing without the word.
pub(super) fn check(container: &Container, own: &TokenStream) -> Option<TokenStream> {
    let described = container.described.as_ref()?;
    let (name, at) = (&container.name, Span::mixed_site().located_at(described.file.span()));
    let (file, path) = (described.file.value(), described.path.to_string_lossy());
    let all = list(&described.definitions);
    Some(quote_spanned!(at=> {
        // rustc reads the file, too, so that it compiles this again when the file changes
        const _: &[u8] = __p::core::include_bytes!(#path);
        __p::described(&<#own as __p::Layout>::TREE, #all, #name, #file)
    }))
}

fn list(all: &[DescribedPart]) -> TokenStream {
    let all = all.iter().map(|DescribedPart { name, what, shown, definition, below }| {
        let definition = match definition {
            Some(place) => {
                let place = number(*place);
                q!(__p::core::option::Option::Some(#place))
            }
            None => q!(__p::core::option::Option::None),
        };
        let below = list(below);
        q!(__p::DescribedPart { name: #name, what: #what, shown: #shown, definition: #definition, below: #below })
    });
    q!(&[#(#all),*])
}
