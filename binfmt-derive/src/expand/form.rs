//! Wire forms as types, and the context values that go with them.
//!
//! The idea: words nest as types do. `nullable, var_len` on an `Option<String>` is `Null<Var<u32, Items>>`, and the runtime
//! implements each of the two once, for whatever is inside. What is known only with a value (a count, a condition) goes along
//! as a context of the same nesting. Both are built here, from the same `Form` and in the same order, so that they cannot
//! differ.

use super::Emit;
use crate::attr::{Arg, EndsWord, Origin, Page, Rest};
use crate::bounds::int_form;
use crate::model::bits::{Bits, Packed};
use crate::model::field::{Extent, Field, Form, Order, Prefix, Presence, RegionBody};
use crate::model::integer::Integer;
use crate::model::types;
use crate::paths::q;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit};

/// The type that says how the field lies on the wire; `None` for the plain `Own`.
pub(super) fn form_of(form: &Form, presence: Presence) -> Option<TokenStream> {
    let mut plain = matches!(form.extent, Extent::Own)
        && form.text.is_none()
        && form.integer.is_none()
        && form.bits.is_none()
        && !form.split;
    let mut tokens = match &form.bits {
        Some(bits) => some_bits(bits),
        None => extent(form),
    };
    if form.process.is_some() {
        // in the region of a length, the functions are inside it
        if !matches!(form.extent, Extent::Region(..)) {
            tokens = q!(__p::Process<#tokens>);
        }
        plain = false;
    }
    if let Some(within) = &form.within {
        let fill = constant(&within.fill);
        tokens = match within.rest {
            Rest::None => q!(__p::InRegion<#tokens>),
            Rest::Skip => q!(__p::InRegion<#tokens, true, #fill>),
            Rest::Keep => q!(__p::InRegion<__p::Keep>),
        };
        plain = false;
    }
    if let Some(end) = &form.ended {
        tokens = ending(&q!(__p::Ended), end, &tokens);
        plain = false;
    }
    if let Some(null) = &form.null {
        let (present, low, high, zero) = (&null.present, &null.low, &null.high, null.zero);
        let (present, low, high) = (constant(present), constant(low), constant(high));
        let codes = q!(#present, #low, #high, #zero).to_string();
        tokens = match codes == q!(255, 0, 127, true).to_string() {
            true => q!(__p::Null<#tokens>),
            false => q!(__p::Null<#tokens, #present, #low, #high, #zero>),
        };
        plain = false;
    }
    if let Some((to, fill, strict)) = &form.pad_to {
        let (to, fill) = (constant(to), constant(fill));
        tokens = q!(__p::PadTo<#to, #fill, #strict, #tokens>);
        plain = false;
    }
    match &form.order {
        Order::Inherit => {}
        Order::Le => tokens = q!(__p::In<__p::Le, #tokens>),
        Order::Be => tokens = q!(__p::In<__p::Be, #tokens>),
        Order::Chosen(_) => tokens = q!(__p::Dyn<#tokens>),
    }
    plain &= matches!(form.order, Order::Inherit);
    if let Some(at) = &form.at {
        let from = Literal::u8_unsuffixed(at.from as u8);
        tokens = q!(__p::At<#tokens, #from>);
        plain = false;
    }
    if form.peek {
        tokens = q!(__p::Peek<#tokens>);
        plain = false;
    }
    match presence {
        Presence::Always => (!plain).then_some(tokens),
        Presence::Optional => Some(q!(__p::If<#tokens>)),
        Presence::Otherwise => Some(q!(__p::IfElse<#tokens>)),
        Presence::Tail => Some(q!(__p::Tail<#tokens>)),
    }
}

/// The form with `Own` spelled out, for places that take any form.
pub(super) fn form_or_own(form: &Form, presence: Presence) -> TokenStream {
    form_of(form, presence).unwrap_or_else(|| q!(__p::Own))
}

fn extent(form: &Form) -> TokenStream {
    let (body, own) = (body(form), own(form));
    match &form.extent {
        Extent::Own => own,
        Extent::BoolLax => q!(__p::BoolLax),
        Extent::Prefixed(prefix) => {
            let (ty, options) = (served(&prefix.ty), options(prefix));
            q!(__p::Var<#ty, #body #options>)
        }
        Extent::Region(prefix, kind) => {
            let (ty, options) = (served(&prefix.ty), options(prefix));
            let inner = match kind {
                RegionBody::Items => q!(__p::ToEnd<#body>),
                RegionBody::Own => own,
            };
            let inner = if form.process.is_some() { q!(__p::Process<#inner>) } else { inner };
            q!(__p::Region<#ty, #inner #options>)
        }
        Extent::Counted(_) => q!(__p::Counted<#body>),
        Extent::Exact(count) => match form.packed.as_ref().filter(|packed| packed.is_array).map(how) {
            Some(how) => q!(__p::BitArray<#count, #how>),
            None => q!(__p::Exact<#count, #body>),
        },
        Extent::Each(_) => q!(__p::Each<#own>),
        Extent::Shaped(shape) => {
            let (ty, column) = (served(&Integer::new(&shape.ty, None)), shape.column);
            match (shape.fixed_rank(), shape.rank_expr()) {
                (Some(rank), _) => q!(__p::ShapedTo<#ty, #rank, #column>),
                (None, Some(_)) => q!(__p::ShapedBy<#ty, #column>),
                (None, None) => q!(__p::Shaped<#ty, #column>),
            }
        }
        Extent::ToEnd => q!(__p::ToEnd<#body>),
        Extent::Gaps => q!(__p::Unread),
        Extent::Until(_) => q!(__p::Until<#own>),
        Extent::Terminated => q!(__p::Terminated<#body>),
        Extent::Ends(ends) => ending(&q!(__p::Ends), ends, &body),
    }
}

/// Some bits of an integer.
fn some_bits(bits: &Bits) -> TokenStream {
    let [bytes, before, width] = [bits.bytes, bits.before, bits.width].map(Literal::u8_unsuffixed);
    let order = bit_order(bits.lowest);
    let reserved = Literal::u8_unsuffixed(u8::from(bits.reserved) + u8::from(bits.reserved && bits.strict));
    q!(__p::Bits<#bytes, #before, #width, #order, #reserved>)
}

/// The bits of each element.
fn how(packed: &Packed) -> TokenStream {
    let (width, order, strict) =
        (Literal::u8_unsuffixed(packed.width), bit_order(packed.lowest), packed.strict);
    q!(#width, #order, #strict)
}

fn bit_order(lowest: Option<bool>) -> Literal {
    Literal::u8_unsuffixed(match lowest {
        None => 0,
        Some(false) => 1,
        Some(true) => 2,
    })
}

/// The terminator is packed into a number, as a type has no other arguments of several bytes.
fn ending(form: &TokenStream, word: &EndsWord, body: &TokenStream) -> TokenStream {
    let (end, or_eof) = (&word.end, word.or_eof);
    let fate = Literal::u8_unsuffixed(word.fate as u8);
    let bytes = match end {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. }) => q!(#end),
        _ => q!(&[#end]),
    };
    q!(#form<#body, { __p::end(#bytes, #fate, #or_eof) }>)
}

fn options(prefix: &Prefix) -> TokenStream {
    match (&prefix.max, prefix.inclusive) {
        (None, false) => TokenStream::new(),
        (None, true) => q!(, { u64::MAX }, true),
        (Some(max), inclusive) => {
            let max = constant(max);
            q!(, #max, #inclusive)
        }
    }
}

/// The values as their own type says; `split` where they go into columns of their own.
fn own(form: &Form) -> TokenStream {
    match &form.integer {
        Some((integer, false)) => {
            let integer = int_form(integer);
            q!(__p::Int<#integer>)
        }
        Some((integer, true)) => {
            let integer = int_form(integer);
            q!(__p::IntArray<#integer>)
        }
        None if form.split => q!(__p::Nested<__p::Own>),
        None => q!(__p::Own),
    }
}

/// The form and the type of a tag in front.
pub(super) fn tag(integer: &Integer, bits: Option<&Bits>, peek: bool) -> (TokenStream, TokenStream) {
    let ty = served(integer);
    let ty = if peek { q!(__p::Peeked<#ty>) } else { ty };
    (bits.map_or_else(|| q!(__p::Own), some_bits), ty)
}

/// The context of a tag in front, after what it needs.
pub(super) fn tag_context(bits: Option<&Bits>) -> (TokenStream, TokenStream) {
    match bits {
        Some(_) => (q!(let __bits = __p::BitRun::default();), q!(&__bits)),
        None => (TokenStream::new(), q!(())),
    }
}

/// The type of an integer that is not a field: its own, or with its form.
pub(super) fn served(integer: &Integer) -> TokenStream {
    let ty = &integer.ty;
    match &integer.form {
        None => q!(#ty),
        Some(form) => {
            let form = int_form(form);
            q!(__p::Wired<#ty, #form>)
        }
    }
}

fn body(form: &Form) -> TokenStream {
    if let Some(packed) = &form.packed {
        let how = how(packed);
        return q!(__p::BitItems<#how>);
    }
    let body = match &form.text {
        _ if form.integer.is_some() => {
            let integer = form.integer.as_ref().map(|(integer, _)| int_form(integer));
            q!(__p::Int<#integer>)
        }
        None if form.split => q!(__p::Nested<__p::Items>),
        None => q!(__p::Items),
        Some(text) => {
            let (encoding, nul) = (format_ident!("{}", text.encoding), text.nul);
            let bare = match text.unit() {
                _ if text.page.is_some() => {
                    let page = text.page.as_ref().map(page);
                    q!(__p::TextBody<__p::Paged<#page>, #nul>)
                }
                1 => q!(__p::TextBody<__p::#encoding, #nul>),
                _ => q!(__p::WideText<__p::#encoding, #nul>),
            };
            let lent = if form.lend { q!(__p::Lend<#bare>) } else { bare };
            return match text.trim.as_ref().map(constant) {
                Some(byte) => q!(__p::Trimmed<#lent, #byte>),
                None => lent,
            };
        }
    };
    if form.lend { q!(__p::Lend<#body>) } else { body }
}

/// The type of a code page.
fn page(page: &Page) -> TokenStream {
    match page {
        Page::Own(path) => q!(#path),
        Page::Named(name) => {
            let (text, at) = (name.to_string(), Span::mixed_site().located_at(name.span()));
            quote_spanned!(at=> __p::Encoded<{ __p::encoding(#text) }>)
        }
    }
}

/// An expression as a const generic argument.
fn constant(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Lit(_) => q!(#expr),
        _ => q!({ #expr }),
    }
}

impl Emit<'_> {
    /// The context of a field, outermost part first, as `form_of` nests the forms. `flag` is the condition when
    /// it has been evaluated already.
    pub(super) fn context(
        &self,
        field: &Field,
        form: &Form,
        place: usize,
        flag: Option<TokenStream>,
    ) -> TokenStream {
        let scoped = |expr: &Expr| self.scoped(&self.raising(expr, place), place);
        let args = self.args(field, place);
        let mut tokens = match &form.extent {
            _ if form.bits.is_some() => q!(&__bits),
            Extent::Counted(count) => {
                let count = self.number_of(count, place);
                q!((#count, #args))
            }
            Extent::Shaped(shape) => match shape.rank_expr() {
                Some(rank) => {
                    let rank = self.number_of(rank, place);
                    q!((#rank, #args))
                }
                None => args,
            },
            Extent::Each(each) => {
                let (at, each) = (Span::mixed_site().located_at(each.span()), self.raising(each, place));
                quote_spanned!(at=> (#each).__listed())
            }
            Extent::Gaps => q!(__start),
            Extent::Until(until) => {
                let at = Span::mixed_site().located_at(until.span());
                let until = match field.subject() {
                    Some(ty) => quote_spanned!(at=> __p::until::<#ty, _>(#until)),
                    None => q!(#until),
                };
                q!((#until, #args))
            }
            Extent::Terminated | Extent::Ends(_) | Extent::BoolLax => q!(()),
            _ => args,
        };
        if let Some(process) = &form.process {
            let functions = functions(process);
            tokens = q!((#functions, #tokens));
        }
        if let Some(within) = &form.within {
            let len = super::filled::region_len(self, field, place)
                .unwrap_or_else(|| self.number_of(&within.len, place));
            tokens = q!((#len, #tokens));
        }
        if let Order::Chosen(chosen) = &form.order {
            let chosen = scoped(chosen);
            tokens = q!((#chosen, #tokens));
        }
        if let Some(at) = &form.at {
            let position = super::offset::position(self, field).unwrap_or_else(|| {
                let position = self.number_of(&at.position, place);
                let base = if at.from == Origin::File { q!(0) } else { q!(__start) };
                q!((#base, #position))
            });
            tokens = q!((#position, #tokens));
        }
        if let Some(otherwise) = &field.otherwise {
            let otherwise = self.otherwise(field, otherwise, place);
            tokens = q!((#otherwise, #tokens));
        }
        match (&field.cond, flag) {
            (Some(_), Some(flag)) => q!((#flag, #tokens)),
            (Some(cond), None) => {
                let cond = self.flag(&cond.expr, place);
                q!((#cond, #tokens))
            }
            (None, _) => tokens,
        }
    }

    /// The value where a condition does not hold: made only then.
    fn otherwise(&self, field: &Field, otherwise: &Expr, place: usize) -> TokenStream {
        let (at, text) = (Span::mixed_site().located_at(otherwise.span()), types::source(otherwise));
        let value = self.scoped(otherwise, place);
        let ty = field.subject().map_or_else(|| q!(_), |ty| q!(#ty));
        quote_spanned!(at=> __p::otherwise::<#ty, _>(|| #value, #text))
    }

    /// The call with what the functions of `until`, `each` and `map` refer to in scope as long as it runs.
    pub(super) fn around(
        &self,
        form: &Form,
        function: Option<&Expr>,
        place: usize,
        call: TokenStream,
    ) -> TokenStream {
        let lazy = match &form.extent {
            Extent::Until(lazy) | Extent::Each(lazy) => Some(lazy),
            _ => None,
        };
        let process = form.process.iter().flat_map(|(decode, encode)| [decode, encode]);
        let lets: Vec<_> =
            lazy.into_iter().chain(process).chain(function).flat_map(|expr| self.lets(expr, place)).collect();
        // the trait of the call that says what `each` goes over
        let listed = matches!(form.extent, Extent::Each(_)).then(|| {
            q!(
                use __p::Listed as _;
            )
        });
        if lets.is_empty() && listed.is_none() { call } else { q!({ #listed #(#lets)* #call }) }
    }

    /// A condition.
    pub(super) fn flag(&self, condition: &Expr, place: usize) -> TokenStream {
        let at = Span::mixed_site().located_at(condition.span());
        let condition = self.scoped(&self.raising(condition, place), place);
        quote_spanned!(at=> __p::flag(#condition))
    }

    /// A function between the wire and a field. A path is called and not handed over: `u8::from` is one function for each
    /// lifetime of its argument, and as a value it would be of one.
    pub(super) fn function(function: &Expr) -> TokenStream {
        let at = Span::mixed_site().located_at(function.span());
        match function {
            Expr::Path(_) => quote_spanned!(at=> |__v| #function(__v)),
            _ => q!(#function),
        }
    }

    /// What the child's `ctx(..)` gets: nothing, one value, or a tuple.
    fn args(&self, field: &Field, place: usize) -> TokenStream {
        let value = |arg: &Arg| self.scoped(&self.raising(&arg.value, place), place);
        let values: Vec<_> = field.args.iter().map(value).collect();
        // where the type takes others, rustc says so of these tokens
        let at = field.args.first().map_or(field.ty.span(), |arg| arg.value.span());
        let at = Span::mixed_site().located_at(at);
        match &values[..] {
            [one] => one.clone(),
            many => quote_spanned!(at=> (#(#many),*)),
        }
    }

    /// The arguments for a codec of the user's own, each after a comma.
    pub(super) fn more_args(&self, field: &Field, place: usize) -> TokenStream {
        let values = field.args.iter().map(|arg| self.scoped(&arg.value, place));
        q!(#(, #values)*)
    }
}

/// The functions of `process`, each with what makes an error of its own.
fn functions((decode, encode): &(Expr, Expr)) -> TokenStream {
    let (decode, encode) = (processing(decode), processing(encode));
    q!(__p::functions(#decode, #encode))
}

/// One of them.
pub(super) fn processing(function: &Expr) -> TokenStream {
    let at = Span::mixed_site().located_at(function.span());
    let (function, raised) = (Emit::function(function), super::decode::raised());
    quote_spanned!(at=> __p::processing(#function, #raised))
}

/// Whether a context may be anything but `()`.
pub(super) fn has_context(field: &Field, form: &Form) -> bool {
    !field.args.is_empty()
        || field.cond.is_some()
        || form.at.is_some()
        || form.within.is_some()
        || form.process.is_some()
        || form.bits.is_some()
        || matches!(form.order, Order::Chosen(_))
        || matches!(form.extent, Extent::Counted(_) | Extent::Each(_) | Extent::Until(_) | Extent::Gaps)
        || matches!(&form.extent, Extent::Shaped(shape) if shape.rank_expr().is_some())
}

/// The type of a context: `()` when it plainly is, else left to inference.
pub(super) fn context_type(field: &Field, form: &Form) -> TokenStream {
    if has_context(field, form) { q!(_) } else { q!(()) }
}

/// A plain number in the output.
pub(super) fn number(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}
