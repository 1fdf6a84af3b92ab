//! What the item means: the words of `attr` lowered to legal meanings, with every default applied.

pub(crate) mod bits;
pub(crate) mod codec;
pub(crate) mod computed;
pub(crate) mod described;
pub(crate) mod docs;
pub(crate) mod field;
mod form;
pub(crate) mod integer;
mod magic;
pub(crate) mod mapped;
mod pick;
pub(crate) mod sums;
pub(crate) mod tags;
pub(crate) mod types;
mod version;

use crate::attr::{self, AssertWord, Param, TagWord, Value, Words};
use crate::diag::Errors;
use crate::keyword::Level;
use field::{Defaults, Field, Magic, Order};
use integer::Integer;
pub(crate) use pick::is_constant;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Expr, Generics, Ident, Lit, Pat, Path, Type, WherePredicate};
use tags::Tags;

/// The derived item.
pub(crate) struct Container {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) words: Words,
    pub(crate) krate: Path,
    pub(crate) name: String,
    pub(crate) order: Order,
    pub(crate) magic: Option<Magic>,
    pub(crate) ctx: Vec<Param>,
    pub(crate) transparent: bool,
    /// `repr(packed)`: fields lie unaligned.
    pub(crate) packed: bool,
    pub(crate) asserts: Vec<AssertWord>,
    pub(crate) max_depth: Option<Expr>,
    pub(crate) size: Option<Expr>,
    pub(crate) columns: Option<Columns>,
    /// The description in a file that the type is compared with.
    pub(crate) described: Option<described::Described>,
    /// That the fingerprint is known while compiling, and what it must be.
    pub(crate) pinned: Option<Option<Expr>>,
    /// The functions between the bytes and the whole: for reading, and for writing.
    pub(crate) process: Option<(Expr, Expr)>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) body: Body,
    pub(crate) doc: String,
}

impl Container {
    /// The type of its tags, where it is plain to see: of a tag in front, and of one that is a parameter or what one refers to.
    pub(crate) fn tag_type(&self) -> Option<&Type> {
        let from = match &self.body {
            Body::Enum { tag: Tag::Front { ty, .. }, .. } => return Some(&ty.ty),
            Body::Enum { tag: Tag::From(from), .. } => from,
            _ => return None,
        };
        let of = |expr: &Expr| match expr {
            Expr::Path(path) => {
                self.ctx.iter().find(|param| path.path.is_ident(&param.name)).map(|param| &param.ty)
            }
            _ => None,
        };
        match from {
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => match of(expr) {
                Some(Type::Reference(reference)) => Some(&reference.elem),
                _ => None,
            },
            from => of(from),
        }
    }

    fn variants(&self) -> &[Variant] {
        match &self.body {
            Body::Enum { variants, .. } => variants,
            Body::Struct(_) => &[],
        }
    }

    /// Whether a variant has a byte string for its tag.
    pub(crate) fn has_byte_tags(&self) -> bool {
        let is_bytes =
            |tag: &Tags| matches!(tag, Tags::One(Expr::Lit(tag)) if matches!(tag.lit, Lit::ByteStr(_)));
        self.variants().iter().any(|variant| tags::of(&variant.pick).iter().any(is_bytes))
    }

    /// Whether a variant keeps a tag that is bytes.
    pub(crate) fn keeps_bytes(&self) -> bool {
        let keeps = |variant: &Variant| variant.tag_field().is_some_and(|field| types::is_array(&field.ty));
        self.has_byte_tags() && self.variants().iter().any(keeps)
    }

    /// Whether byte strings among its tags are arrays: of a tag in front, and of one from elsewhere that plainly is an array.
    pub(crate) fn has_array_tags(&self) -> bool {
        let is_in_front = matches!(self.body, Body::Enum { tag: Tag::Front { .. }, .. });
        is_in_front || self.tag_type().is_some_and(types::is_array)
    }
}

/// The struct of columns that the word `columns` asks for.
pub(crate) struct Columns {
    pub(crate) name: Ident,
    pub(crate) vis: syn::Visibility,
}

/// A struct or an enum.
pub(crate) enum Body {
    Struct(Fields),
    Enum { tag: Tag, variants: Vec<Variant> },
}

/// The fields in the order of the source, and the order that they have on the wire.
pub(crate) struct Fields {
    pub(crate) all: Vec<Field>,
    pub(crate) wire: Vec<usize>,
    /// Whether the tag of an enum comes before them.
    pub(crate) tagged: bool,
    /// Whether the tag opens a run of bits.
    pub(crate) in_run: bool,
}

impl Fields {
    /// The fields in wire order.
    pub(crate) fn on_wire(&self) -> impl Iterator<Item = &Field> {
        self.wire.iter().map(|i| &self.all[*i])
    }
}

/// Where the tag of an enum is.
pub(crate) enum Tag {
    /// In front of the value.
    Front {
        ty: Integer,
        /// It is the first bits of a run, with which the fields of each variant go on.
        bits: Option<bits::Bits>,
        order: Order,
        /// It is the first bytes of the variant.
        peek: bool,
    },
    /// Known already.
    From(Expr),
    /// There is none: the variants are tried in their order.
    Untagged,
}

/// A variant and how it is chosen.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) words: Words,
    pub(crate) pick: Pick,
    /// The byte order of its fields, not of the tag.
    pub(crate) order: Order,
    /// After the tag.
    pub(crate) magic: Option<Magic>,
    pub(crate) asserts: Vec<AssertWord>,
    pub(crate) fields: Fields,
    pub(crate) doc: String,
}

impl Variant {
    /// The byte order of its fields in an enum of this one.
    pub(crate) fn order_in(&self, order: &TokenStream) -> TokenStream {
        match self.order {
            Order::Le => crate::paths::q!(__p::Le),
            Order::Be => crate::paths::q!(__p::Be),
            Order::Inherit | Order::Chosen(_) => order.clone(),
        }
    }

    /// The field that keeps the tag.
    pub(crate) fn tag_field(&self) -> Option<&Field> {
        self.fields.all.iter().find(|field| field.is_tag)
    }

    /// The tags as a pattern, unless they are what is left or only rustc can compute them. Where tags are arrays, byte strings
    /// are those that they refer to, as constants are.
    pub(crate) fn pattern(&self, is_array: bool) -> Option<TokenStream> {
        let pattern = match &self.pick {
            Pick::Value(value) => quote!(#value),
            Pick::Pattern(pattern) => quote!(#pattern),
            Pick::Discriminant(..) | Pick::Other | Pick::Rest(_) => return None,
        };
        Some(if is_array { front_pattern(pattern) } else { pattern })
    }
}

/// A pattern of a tag in front, in which byte strings are arrays.
pub(crate) fn front_pattern(pattern: TokenStream) -> TokenStream {
    pattern.into_iter().map(array).collect()
}

/// A byte string as the pattern of an array.
fn array(token: TokenTree) -> TokenTree {
    let at = token.span();
    let mut group = match &token {
        TokenTree::Literal(literal) => match syn::parse_str::<syn::LitByteStr>(&literal.to_string()) {
            Ok(bytes) => {
                let bytes = bytes.value();
                Group::new(Delimiter::Bracket, quote::quote_spanned!(at=> #(#bytes),*))
            }
            Err(_) => return token,
        },
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), group.stream().into_iter().map(array).collect())
        }
        _ => return token,
    };
    group.set_span(at);
    group.into()
}

/// The tag values of a variant.
pub(crate) enum Pick {
    /// One value that can stand as a pattern.
    Value(Expr),
    /// One value computed by rustc: a discriminant that is not a literal.
    Discriminant(Discriminant),
    /// Several values.
    Pattern(Pat),
    /// Whatever is left.
    Other,
    /// The same, written with this one.
    Rest(Expr),
}

impl Pick {
    /// Whether it is what no other variant says.
    pub(crate) fn is_rest(&self) -> bool {
        matches!(self, Pick::Other | Pick::Rest(_))
    }
}

/// A discriminant in the type that Rust gives it, plus a distance.
pub(crate) struct Discriminant {
    pub(crate) base: Expr,
    pub(crate) distance: u64,
    /// `isize`, or the type of `repr(..)`.
    pub(crate) ty: Ident,
    /// The variant, for a message.
    of: String,
}

impl Discriminant {
    /// It as a tag of type `tag`, in which [`fits`](Self::fits) says that it fits.
    pub(crate) fn value(&self, tag: &Type) -> TokenStream {
        let whole = self.whole();
        let at = Span::mixed_site().located_at(self.base.span());
        quote::quote_spanned!(at=> (#whole as #tag))
    }

    /// The check, once a type, that it fits into a tag of type `tag`.
    pub(crate) fn fits(&self, tag: &Type) -> TokenStream {
        let (whole, shown) = (self.whole(), types::show(tag));
        let at = Span::mixed_site().located_at(self.base.span());
        let text = format!("binfmt: the discriminant of `{}` does not fit into its tag, `{shown}`", self.of);
        quote::quote_spanned!(at=> {
            const __D: i128 = #whole;
            __p::core::assert!(__D == __D as #tag as i128, #text)
        })
    }

    fn whole(&self) -> TokenStream {
        let (base, ty) = (&self.base, &self.ty);
        let distance = proc_macro2::Literal::u64_unsuffixed(self.distance);
        let at = Span::mixed_site().located_at(base.span());
        quote::quote_spanned!(at=> {
            const __B: #ty = #base;
            __B as i128 + #distance
        })
    }
}

/// Reads and lowers the whole item. `None` when there is nothing that further stages could use.
pub(crate) fn lower(input: &DeriveInput, errors: &mut Errors) -> Option<Container> {
    let level = match &input.data {
        Data::Struct(_) => Level::Struct,
        Data::Enum(_) => Level::Enum,
        Data::Union(data) => {
            let text = "a union has no wire format: use an enum with `tag(..)`, or a struct of bytes";
            errors.at(data.union_token.span, text);
            return None;
        }
    };
    let words = attr::parse(&input.attrs, level, errors);
    let defaults = Defaults {
        len: match words.get("len").map(|word| &word.value) {
            Some(Value::Type(ty)) => Integer::new(ty, None),
            _ => Integer { ty: syn::parse_quote!(u32), form: None },
        },
        max_len: field::expr(&words, "max_len").cloned(),
        version: types::describing(&renames(&input.data), || version::of(&words)),
        sizes: input
            .generics
            .const_params()
            .filter(|param| is_size(&param.ty))
            .map(|param| param.ident.clone())
            .collect(),
    };
    let body = match &input.data {
        Data::Enum(data) => lower_enum(input, data, &words, &defaults, errors)?,
        Data::Struct(data) => {
            let all = lower_fields(&data.fields, &defaults, errors);
            Body::Struct(in_wire_order(all, words.has("key_order"), None, errors))
        }
        Data::Union(_) => return None,
    };
    Some(Container {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        krate: krate_in(&words),
        name: field::text(&words, "rename")
            .unwrap_or_else(|| syn::ext::IdentExt::unraw(&input.ident).to_string()),
        order: field::order(&words),
        magic: field::magic(&words, errors),
        ctx: match words.get("ctx").map(|word| &word.value) {
            Some(Value::Params(params)) => params.clone(),
            _ => Vec::new(),
        },
        transparent: words.has("transparent"),
        packed: packed(&input.attrs),
        asserts: field::asserts(&words),
        max_depth: field::expr(&words, "max_depth").cloned(),
        size: field::expr(&words, "size").cloned(),
        columns: match words.get("columns").map(|word| &word.value) {
            Some(Value::Columns(name)) => Some(Columns {
                name: name.clone().unwrap_or_else(|| quote::format_ident!("{}Columns", input.ident)),
                vis: input.vis.clone(),
            }),
            _ => None,
        },
        described: described::of(&words, errors),
        pinned: match words.get("fingerprint").map(|word| &word.value) {
            Some(Value::Pinned(expected)) => Some(expected.clone()),
            // what compares with a file needs the same of the type
            _ => words.has("schema").then_some(None),
        },
        process: field::process(&words),
        bound: match words.get("bound").map(|word| &word.value) {
            Some(Value::Bounds(bounds)) => Some(bounds.clone()),
            _ => None,
        },
        body,
        doc: docs::text(&input.attrs),
        words,
    })
}

fn is_size(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("usize"))
}

fn packed(attrs: &[syn::Attribute]) -> bool {
    reprs(attrs).iter().any(|repr| repr == "packed")
}

/// The type of an enum's discriminants.
fn repr(attrs: &[syn::Attribute]) -> Ident {
    let named = reprs(attrs).into_iter().find(|name| {
        let size = name.to_string();
        size == "isize" || size == "usize" || types::is_int(&syn::parse_quote!(#name))
    });
    named.unwrap_or_else(|| Ident::new("isize", Span::mixed_site()))
}

/// What stands in `repr(..)`.
fn reprs(attrs: &[syn::Attribute]) -> Vec<Ident> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        // rustc reports what is wrong in it
        let _ = attr.parse_nested_meta(|meta| {
            found.extend(meta.path.get_ident().cloned());
            let _: Option<proc_macro2::Group> = meta.input.parse().ok();
            Ok(())
        });
    }
    found
}

/// The runtime's path, wanted even when the rest of the attributes is wrong.
pub(crate) fn krate(attrs: &[syn::Attribute]) -> Path {
    krate_in(&attr::parse(attrs, Level::Struct, &mut Errors::default()))
}

fn krate_in(words: &Words) -> Path {
    match words.get("crate").map(|word| &word.value) {
        Some(Value::Path(path)) => path.clone(),
        _ => syn::parse_quote!(::binfmt),
    }
}

fn lower_fields(fields: &syn::Fields, defaults: &Defaults, errors: &mut Errors) -> Vec<Field> {
    let words: Vec<Words> =
        fields.iter().map(|field| attr::parse(&field.attrs, Level::Field, errors)).collect();
    let renames = field::renames(fields, &words);
    let lower = |((index, field), words): ((usize, &syn::Field), Words)| {
        Field::lower(field, index, words, (defaults, &renames), errors)
    };
    let all = fields.iter().enumerate().zip(words);
    types::describing(&renames, || all.map(lower).collect())
}

/// What the fields of a struct are called in descriptions, before they are lowered.
fn renames(data: &Data) -> types::Renames {
    let Data::Struct(data) = data else { return types::Renames::default() };
    let words: Vec<Words> = data
        .fields
        .iter()
        .map(|field| attr::parse(&field.attrs, Level::Field, &mut Errors::default()))
        .collect();
    field::renames(&data.fields, &words)
}

fn in_wire_order(mut all: Vec<Field>, by_name: bool, open: Option<bits::Run>, errors: &mut Errors) -> Fields {
    computed::mark(&mut all);
    let mut wire: Vec<usize> = (0..all.len()).collect();
    if by_name {
        wire.sort_by(|a, b| all[*a].name.as_bytes().cmp(all[*b].name.as_bytes()));
    }
    let in_run = open.is_some();
    bits::place(&mut all, &wire, open, errors);
    Fields { all, wire, tagged: false, in_run }
}

fn lower_enum(
    input: &DeriveInput,
    data: &syn::DataEnum,
    words: &Words,
    defaults: &Defaults,
    errors: &mut Errors,
) -> Option<Body> {
    let tag = match (words.get("tag").map(|word| &word.value), field::expr(words, "tag_from")) {
        (Some(Value::Tag(TagWord::Type { ty, form, bits, order, peek })), _) => {
            let order = match order {
                Some(order) if order == "le" => Order::Le,
                Some(_) => Order::Be,
                None => Order::Inherit,
            };
            let bits = bits.as_deref().map(bits::Bits::tag);
            Some(Tag::Front { ty: Integer::new(ty, form.as_ref()), bits, order, peek: *peek })
        }
        (_, Some(from)) => Some(Tag::From(from.clone())),
        _ => words.has("untagged").then_some(Tag::Untagged),
    };
    if tag.is_none() && errors.is_empty() {
        let what = match data.variants.iter().all(|variant| variant.fields.is_empty()) {
            true => "an enum",
            false => "an enum with data",
        };
        let text = format!(
            "{what} needs a tag: add `#[binfmt(tag(u8))]` or `tag_from = <expr>`, or `untagged` to try the variants"
        );
        errors.at(input.ident.span(), text);
    }
    if data.variants.is_empty() {
        errors.at(input.ident.span(), "an enum without variants has no value to read or write");
    }
    let mut variants = Vec::new();
    let mut last: Option<(Expr, u64)> = None;
    for variant in &data.variants {
        let next = match (&variant.discriminant, last.take()) {
            (Some((_, value)), _) => (value.clone(), 0),
            (None, Some((base, distance))) => (base, distance + 1),
            (None, None) => (syn::parse_quote!(0), 0),
        };
        last = Some(next.clone());
        let repr = repr(&input.attrs);
        variants.push(lower_variant(variant, (next, repr), tag.as_ref(), defaults, errors));
    }
    tag.map(|tag| Body::Enum { tag, variants })
}

fn lower_variant(
    variant: &syn::Variant,
    (discriminant, repr): ((Expr, u64), Ident),
    tag: Option<&Tag>,
    defaults: &Defaults,
    errors: &mut Errors,
) -> Variant {
    let words = attr::parse(&variant.attrs, Level::Variant, errors);
    let mut all = lower_fields(&variant.fields, defaults, errors);
    let pick = pick::of(variant, &words, (discriminant, repr), tag, errors);
    match (tag, &pick) {
        // the variant begins with it
        (Some(Tag::Front { peek: true, .. }), _) => {}
        (Some(Tag::Front { ty, .. }), Pick::Other | Pick::Pattern(_)) => {
            mark_tag_field(variant, &mut all, &ty.ty, errors);
        }
        // the tag stands elsewhere, so nothing needs to keep it: only a field of that name does
        (Some(Tag::From(_)), Pick::Other | Pick::Pattern(_)) => {
            all.iter_mut()
                .filter(|field| field.scope == "tag" && !field.hidden)
                .for_each(|field| field.is_tag = true);
        }
        _ => {}
    }
    let open = match tag {
        Some(Tag::Front { bits: Some(bits), order, .. }) => {
            Some(bits::Run::of_tag(bits, order, &variant.ident))
        }
        _ => None,
    };
    let mut unknown = Errors::default();
    if open.as_ref().is_some_and(bits::Run::is_open) {
        for word in ["magic", "le", "be", "endian"] {
            if let Some(span) = words.span(word) {
                let text = "the tag opens a run of bits, which the fields of the variant go on with: nothing stands between them, and its byte order is said there";
                errors.at(span, text);
            }
        }
    }
    Variant {
        ident: variant.ident.clone(),
        name: field::text(&words, "rename")
            .unwrap_or_else(|| syn::ext::IdentExt::unraw(&variant.ident).to_string()),
        pick,
        order: field::order(&words),
        magic: field::magic(&words, errors),
        asserts: field::asserts(&words),
        fields: Fields {
            tagged: true,
            // with a tag that could not be read nothing is known of its bits
            ..in_wire_order(all, false, open, if tag.is_some() { errors } else { &mut unknown })
        },
        doc: docs::text(&variant.attrs),
        words,
    }
}

/// A variant that stands for several tags must keep the one it was read with, or it could not be written.
fn mark_tag_field(variant: &syn::Variant, all: &mut [Field], ty: &Type, errors: &mut Errors) {
    let same = |field: &Field| {
        let (a, b) = (&field.ty, ty);
        !field.hidden && quote!(#a).to_string() == quote!(#b).to_string()
    };
    let found = match &variant.fields {
        syn::Fields::Named(_) => all.iter_mut().find(|field| field.scope == "tag" && !field.hidden),
        _ => all.first_mut().filter(|field| same(field)),
    };
    match found {
        Some(field) => field.is_tag = true,
        None => {
            let ty = types::show(ty);
            let text = format!(
                "variant `{0}` stands for several tags, so it must keep the one that was read: write `{0} {{ tag: {ty}, .. }}` or `{0}({ty}, ..)`",
                variant.ident
            );
            errors.at(variant.ident.span(), text);
        }
    }
}
