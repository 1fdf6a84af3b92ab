//! The word `columns`: a struct with one column for each field, and how rows get into it and out of it.
//!
//! The idea: the runtime has the loops (blocks, rows, whole structs), and the derive emits one walk over the parts, which
//! each loop runs with another visitor. Which column holds a field, and how it is read, follows from the wire form as a type.
//! So a new loop or a new column needs nothing here, and a word that columns cannot follow makes a row go through the
//! struct's own decoder (see `whole`) instead of being decoded a second way.

use super::form::{form_or_own, number};
use super::{Emit, Entry, decode, entries};
use crate::model::field::{Content, Extent, Field, Form, Magic, Order, Presence, Step};
use crate::model::{Body, Columns, Container, Fields, types};
use crate::paths::{local, q};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Index, Member, Type};

/// A field with its column.
struct Column<'a> {
    field: &'a Field,
    member: Member,
    /// The form that decides about the column, and reads and writes it where rows are not structs in between.
    form: TokenStream,
}

/// The struct, and its impls for inside the block.
pub(super) fn expand(container: &Container) -> (TokenStream, TokenStream) {
    match (&container.columns, &container.body) {
        (Some(made), Body::Struct(fields)) => {
            let columns = columns(fields);
            (record(container, made, &columns), impls(container, made, fields, &columns))
        }
        _ => (TokenStream::new(), TokenStream::new()),
    }
}

fn columns(fields: &Fields) -> Vec<Column<'_>> {
    let kept = fields
        .all
        .iter()
        .filter(|field| field.has_value())
        .filter(|field| !field.bits().is_some_and(|bits| bits.reserved));
    let column = |(place, field): (usize, _)| {
        let field: &Field = field;
        let member = match &field.member {
            Member::Named(name) => Member::Named(name.clone()),
            Member::Unnamed(_) => Member::Unnamed(Index::from(place)),
        };
        let form = match &field.content {
            Content::Coded(form, None) if field.words.has("columns") => {
                form_or_own(&Form { split: true, ..form.clone() }, Presence::Always)
            }
            // a column of bits is one of their values
            Content::Coded(form, None) if form.bits.is_some() => q!(__p::Own),
            Content::Coded(form, None) => form_or_own(form, field.presence()),
            _ => q!(__p::Whole),
        };
        Column { field, member, form }
    };
    kept.enumerate().map(column).collect()
}

/// The struct of columns.
fn record(container: &Container, made: &Columns, columns: &[Column<'_>]) -> TokenStream {
    let (name, vis) = (&made.name, &made.vis);
    let doc =
        format!("The columns of [`{}`]: one for each field, a value in each for every row.", container.ident);
    let fields = columns.iter().map(|column| {
        let (docs, vis, ty) = (&column.field.docs, &column.field.vis, shown(container, column));
        let own = format!("`{}` of each row.", column.field.name);
        let docs = if docs.is_empty() { quote!(#[doc = #own]) } else { quote!(#(#docs)*) };
        match &column.member {
            Member::Named(member) => quote!(#docs #vis #member: #ty),
            Member::Unnamed(_) => quote!(#docs #vis #ty),
        }
    });
    let body = match columns.first().map(|column| &column.member) {
        Some(Member::Unnamed(_)) => quote!(( #(#fields),* );),
        _ => quote!({ #(#fields),* }),
    };
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis struct #name #body
    }
}

/// The type of a column: as a person writes it where the tokens show what it is, else as the runtime decides. Both are the
/// same type.
fn shown(container: &Container, column: &Column<'_>) -> TokenStream {
    let krate = &container.krate;
    let (ty, form) = (&column.field.ty, outside(column.form.clone(), krate));
    match &column.field.content {
        Content::Coded(form, None) if column.field.cond.is_none() => plain(ty, form, krate),
        _ => None,
    }
    .unwrap_or_else(|| quote!(<#form as #krate::__private::Store<#ty>>::Column))
}

/// Columns of numbers, text and bytes, and of these where they may be missing.
fn plain(ty: &Type, form: &Form, krate: &syn::Path) -> Option<TokenStream> {
    let held = types::maybe(ty).filter(|_| form.null.is_some()).unwrap_or(ty);
    if form.integer.is_some() && types::items(held).is_some() {
        return None;
    }
    let number = |ty: &Type| types::is_number(ty) && !matches!(form.extent, Extent::Region(..));
    let column = match held {
        Type::Array(array) if number(&array.elem) && matches!(form.extent, Extent::Own) => {
            quote!(#krate::__private::Vec<#held>)
        }
        _ if number(held) => quote!(#krate::__private::Vec<#held>),
        _ if types::is_text(held) => quote!(#krate::columns::TextColumn),
        _ if types::is_bytes(held) => quote!(#krate::columns::BytesColumn),
        _ => return None,
    };
    Some(match &form.null {
        Some(_) => quote!(#krate::columns::NullableColumn<#column>),
        None => column,
    })
}

/// The same tokens for a place where `__p` is not in scope.
fn outside(tokens: TokenStream, krate: &syn::Path) -> TokenStream {
    let replace = |token: TokenTree| -> TokenStream {
        match token {
            TokenTree::Ident(ident) if ident == "__p" => quote!(#krate::__private),
            TokenTree::Group(group) => {
                let inner = outside(group.stream(), krate);
                TokenTree::Group(Group::new(group.delimiter(), inner)).into()
            }
            other => other.into(),
        }
    };
    tokens.into_iter().map(replace).collect()
}

/// Whether a row is read and written as a struct: something in it depends on other fields, on functions of the user, or
/// on where it stands.
fn whole(container: &Container, fields: &Fields) -> bool {
    let depends = !container.asserts.is_empty()
        || container.max_depth.is_some()
        || matches!(container.order, Order::Chosen(_));
    depends || !fields.all.iter().all(is_simple)
}

fn is_simple(field: &Field) -> bool {
    let form = match &field.content {
        Content::Skipped(_) => return true,
        Content::Nothing => true,
        Content::Coded(form, None) => {
            !matches!(form.order, Order::Chosen(_))
                && form.at.is_none()
                && !form.peek
                && form.process.is_none()
                && form.within.is_none()
                && form.ended.is_none()
                && form.bits.is_none()
                && !matches!(form.extent, Extent::Counted(_) | Extent::Each(_) | Extent::Until(_))
                && !matches!(&form.extent, Extent::Shaped(shape) if shape.rank_expr().is_some())
        }
        _ => false,
    };
    let aligned = |step: &Step| matches!(step, Step::Align { .. });
    form && field.cond.is_none()
        && !field.is_tail()
        && field.args.is_empty()
        && field.asserts.is_empty()
        && field.range.is_none()
        && field.len_of.is_none()
        && !field.hidden
        && field.sum.is_none()
        && !field.before.iter().chain(&field.after).any(aligned)
}

fn impls(container: &Container, made: &Columns, fields: &Fields, columns: &[Column<'_>]) -> TokenStream {
    let (row, name) = (&container.ident, &made.name);
    let members: Vec<&Member> = columns.iter().map(|column| &column.member).collect();
    let types: Vec<&Type> = columns.iter().map(|column| &column.field.ty).collect();
    let forms: Vec<&TokenStream> = columns.iter().map(|column| &column.form).collect();
    let first = &members[..members.len().min(1)];
    let set = set(container, fields, columns);
    let major = match whole(container, fields) || beside(container, fields) {
        true => TokenStream::new(),
        false => q!(#[automatically_derived] impl __p::ColumnMajor for #name {}),
    };
    q! {
        #[automatically_derived]
        impl __p::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#members: <#forms as __p::Store<#types>>::empty()),* }
            }
        }
        #[automatically_derived]
        impl __p::ColumnData for #name {
            type Item<'__a> = #row;
            type Slice<'__a> = __p::View<'__a, Self>;
            fn len(&self) -> __p::core::primitive::usize {
                #(__p::ColumnData::len(&self.#first))*
            }
            fn get(&self, __i: __p::core::primitive::usize) -> __p::core::option::Option<#row> {
                __p::ColumnSet::get_row(self, __i)
            }
            fn slice(
                &self,
                __rows: __p::core::ops::Range<__p::core::primitive::usize>,
            ) -> __p::core::option::Option<__p::View<'_, Self>> {
                __p::View::of(self, __rows)
            }
            fn truncate(&mut self, __rows: __p::core::primitive::usize) {
                #(__p::ColumnData::truncate(&mut self.#members, __rows);)*
            }
            fn expect(
                &mut self,
                __from: __p::core::primitive::usize,
                __done: __p::core::primitive::usize,
                __more: __p::core::primitive::usize,
            ) {
                #(__p::ColumnData::expect(&mut self.#members, __from, __done, __more);)*
            }
            fn room(&mut self, __more: __p::core::primitive::usize) -> __p::core::primitive::bool {
                true #(&& __p::ColumnData::room(&mut self.#members, __more))*
            }
        }
        #[automatically_derived]
        impl __p::Columnar for #row {
            type Columns = #name;
        }
        #[automatically_derived]
        impl __p::ColumnSet for #name {
            type Row = #row;
            #set
        }
        #major
    }
}

/// Whether something stands on the wire beside the values.
fn beside(container: &Container, fields: &Fields) -> bool {
    entries(container.magic.as_ref(), fields)
        .iter()
        .any(|entry| matches!(entry, Entry::Magic(_) | Entry::Step(..)))
}

/// What is in the impl of `ColumnSet`.
fn set(container: &Container, fields: &Fields, columns: &[Column<'_>]) -> TokenStream {
    let members: Vec<&Member> = columns.iter().map(|column| &column.member).collect();
    let types: Vec<&Type> = columns.iter().map(|column| &column.field.ty).collect();
    let forms: Vec<&TokenStream> = columns.iter().map(|column| &column.form).collect();
    let names = columns.iter().map(|column| &column.field.name);
    let whole = whole(container, fields);
    let blocks = match whole {
        true => q!(false),
        false => q!(true #(&& <#forms as __p::ColumnAs<#types>>::BLOCKS)*),
    };
    let list = |one: &dyn Fn(&TokenStream, &Type, &Member) -> TokenStream| {
        columns.iter().rev().fold(q!(()), |rest, column| {
            let one = one(&column.form, &column.field.ty, &column.member);
            q!((#one, #rest))
        })
    };
    let locals = members.iter().map(|member| local_of(member));
    let (parts, taken, given, made) = match is_split(container, columns) {
        true => (
            list(&|form, ty, _| q!(<#form as __p::Store<#ty>>::Column)),
            list(&|_, _, member| q!(self.#member)),
            list(&|_, _, member| local_of(member).into_token_stream()),
            q!(Self { #(#members: #locals),* }),
        ),
        false => {
            (q!(__p::Unsplit), q!(__p::Unsplit), q!(_), q!(<Self as __p::core::default::Default>::default()))
        }
    };
    let (push, get) = (push_row(container, columns), get_row(container, fields, columns));
    let (walk, walk_mut) = match whole {
        true => (TokenStream::new(), TokenStream::new()),
        false => (calls(container, fields, columns, &q!(&)), calls(container, fields, columns, &q!(&mut))),
    };
    q! {
        const WHOLE: __p::core::primitive::bool = #whole;
        const BLOCKS: __p::core::primitive::bool = #blocks;
        const BYTES: __p::core::primitive::usize = 0 #(+ <#forms as __p::Store<#types>>::BYTES)*;
        type Parts = #parts;
        fn into_parts(self) -> Self::Parts {
            #taken
        }
        fn from_parts(#given: Self::Parts) -> Self {
            #made
        }
        #push
        #get
        fn lengths(
            &self,
            __each: &mut dyn __p::core::ops::FnMut(&'static __p::core::primitive::str, __p::core::primitive::usize),
        ) {
            #(__each(#names, __p::ColumnData::len(&self.#members));)*
        }
        #[inline(always)]
        fn walk<__O: __p::Order, __V: __p::Walk>(&self, __each: &mut __V) -> __p::Result<()> {
            #walk
            __p::Ok(())
        }
        #[inline(always)]
        fn walk_mut<__O: __p::Order, __V: __p::WalkMut>(&mut self, __each: &mut __V) -> __p::Result<()> {
            #walk_mut
            __p::Ok(())
        }
    }
}

/// Whether the types of all columns may stand in an impl that is as visible as the struct: they are those of the standard library, or as
/// visible as their fields, and these as the struct.
fn is_split(container: &Container, columns: &[Column<'_>]) -> bool {
    let Some(made) = &container.columns else { return false };
    let vis = made.vis.to_token_stream().to_string();
    let is_known = |column: &Column<'_>| {
        let (ty, content) = (&column.field.ty, &column.field.content);
        let is_list = types::items(ty).is_some_and(types::is_number);
        let is_plain =
            matches!(content, Content::Coded(form, None) if plain(ty, form, &container.krate).is_some());
        is_list || is_plain || column.field.vis.to_token_stream().to_string() == vis
    };
    vis.is_empty() || columns.iter().all(is_known)
}

/// A variable for a column.
fn local_of(member: &Member) -> Ident {
    local(&match member {
        Member::Named(name) => format!("__column_{}", name.unraw()),
        Member::Unnamed(index) => format!("__column_{}", index.index),
    })
}

fn push_row(container: &Container, columns: &[Column<'_>]) -> TokenStream {
    let row = &container.ident;
    let takes = columns.iter().map(|column| {
        let (member, value) = (&column.field.member, &column.field.local);
        q!(#member: #value,)
    });
    let pushes = columns.iter().map(|column| {
        let (form, ty, member, value) = (&column.form, &column.field.ty, &column.member, &column.field.local);
        q!(&& <#form as __p::Store<#ty>>::push(&mut self.#member, #value))
    });
    q! {
        fn push_row(&mut self, __row: #row) -> __p::core::primitive::bool {
            let #row { #(#takes)* .. } = __row;
            true #(#pushes)*
        }
    }
}

fn get_row(container: &Container, fields: &Fields, columns: &[Column<'_>]) -> TokenStream {
    let row = &container.ident;
    let i: Ident = local("__i");
    let emit = Emit {
        fields,
        parts: TokenStream::new(),
        order: TokenStream::new(),
        encode: false,
        filled: Vec::new(),
    };
    let values = fields.on_wire().enumerate().map(|(place, field)| {
        let (value, ty) = (&field.local, &field.ty);
        match &field.content {
            Content::Nothing => TokenStream::new(),
            Content::Skipped(default) => {
                let default = match default {
                    Some(expr) => emit.scoped(expr, place),
                    None => q!(__p::core::default::Default::default()),
                };
                q!(let #value: #ty = #default;)
            }
            _ if field.bits().is_some_and(|bits| bits.reserved) => q!(let #value = ();),
            _ => columns
                .iter()
                .filter(|column| column.field.local == field.local)
                .map(|column| {
                    let (form, member) = (&column.form, &column.member);
                    q!(let #value = <#form as __p::Store<#ty>>::value(&self.#member, #i)?;)
                })
                .collect(),
        }
    });
    let build = decode::build(fields);
    q! {
        fn get_row(&self, #i: __p::core::primitive::usize) -> __p::core::option::Option<#row> {
            #(#values)*
            __p::core::option::Option::Some(#row #build)
        }
    }
}

/// One call for each part.
fn calls(container: &Container, fields: &Fields, columns: &[Column<'_>], by: &TokenStream) -> TokenStream {
    let order = match &container.order {
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        _ => q!(__O),
    };
    let entries = entries(container.magic.as_ref(), fields);
    let call = |(i, entry): (usize, &Entry<'_>)| {
        let i = number(i);
        match entry {
            Entry::Magic(magic) => beside_call(&order, &i, &fixed(magic)),
            Entry::Step(_, _, Step::Magic(magic)) => beside_call(&order, &i, &fixed(magic)),
            Entry::Step(_, _, Step::Pad { count, fill, strict }) => {
                let padding = q!(__p::Padding { count: #count, fill: #fill, strict: #strict });
                beside_call(&order, &i, &padding)
            }
            Entry::Step(_, _, Step::Align { .. }) | Entry::Edge(_) => TokenStream::new(),
            Entry::Value(field, _) => columns
                .iter()
                .filter(|column| column.field.local == field.local)
                .map(|column| {
                    let (form, ty, member) = (&column.form, &column.field.ty, &column.member);
                    q!(__each.column::<#order, #form, #ty>(#i, #by self.#member)?;)
                })
                .collect(),
        }
    };
    entries.iter().filter(|entry| entry.has_part()).enumerate().map(call).collect()
}

fn beside_call(order: &TokenStream, i: &impl ToTokens, bytes: &TokenStream) -> TokenStream {
    q!(__each.beside::<#order, _>(#i, #bytes)?;)
}

fn fixed(magic: &Magic) -> TokenStream {
    match magic {
        Magic::Bytes { array, len } => {
            let len = number(*len);
            q!(__p::MagicBytes::<#len>(#array))
        }
        Magic::Number { value, ty } => {
            let ty = ty.as_ref().map_or_else(|| q!(_), |ty| q!(#ty));
            q!(__p::MagicNum::<#ty>(#value))
        }
    }
}
