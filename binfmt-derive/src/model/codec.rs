//! Functions of the user's that read and write a field: `with`, `decode_with`, `encode_with`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{GenericArgument, Ident, Path, PathArguments};

/// A function of the user's that reads or writes a field.
pub(crate) struct Codec {
    path: Path,
    /// Its type arguments after those of the order and of the source or sink.
    args: Vec<GenericArgument>,
}

impl Codec {
    /// The function of a module or type. Arguments after the name of a module are those of its functions: it has none itself.
    pub(super) fn in_module(module: &Path, name: &str) -> Self {
        let mut path = module.clone();
        let last = path.segments.last_mut();
        let span = last.as_ref().map_or_else(Span::call_site, |segment| segment.ident.span());
        let is_type =
            last.as_ref().is_some_and(|segment| segment.ident.to_string().starts_with(char::is_uppercase));
        let args = match last {
            Some(segment) if !is_type => std::mem::take(&mut segment.arguments),
            _ => PathArguments::None,
        };
        // a function that is missing is not a slip of the word, which rustc would offer to replace
        path.segments.push(Ident::new(name, Span::mixed_site().located_at(span)).into());
        Self::new(path, args)
    }

    fn new(path: Path, args: PathArguments) -> Self {
        let args = match args {
            PathArguments::AngleBracketed(list) => list.args.into_iter().collect(),
            _ => Vec::new(),
        };
        Self { path, args }
    }

    /// A function by its path, whose own arguments stand after those of the order and of the source or sink.
    pub(super) fn of(mut path: Path) -> Self {
        let args = path.segments.last_mut().map(|last| std::mem::take(&mut last.arguments));
        Self::new(path, args.unwrap_or(PathArguments::None))
    }

    /// Where it stands in the source.
    pub(crate) fn span(&self) -> Span {
        self.path.segments.last().map_or_else(Span::call_site, |segment| segment.ident.span())
    }

    /// The call for an order and a source or sink.
    pub(crate) fn call(&self, order: &TokenStream, end: &TokenStream, with: &TokenStream) -> TokenStream {
        let (path, args) = (expression(&self.path), &self.args);
        let at = Span::mixed_site().located_at(self.span());
        quote_spanned!(at=> #path::<#order, #end #(, #args)*>(#with))
    }
}

/// A path where an expression stands: `Scaled::<10>::decode`.
fn expression(path: &Path) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
            args.colon2_token = Some(syn::Token![::](args.lt_token.span));
        }
    }
    path
}
