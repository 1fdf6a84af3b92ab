//! Notes for the type's description: what attributes and documentation say beside the bytes, each as a kind with its text.
//!
//! The kinds are variants of the runtime's `Note`, so that rustc refuses one that the runtime does not have. Nothing is emitted
//! where there is no note: each call costs the user's compiler time.

use super::{known, members};
use crate::attr::{AssertMessage, AssertWord, Page, Param, SumWord};
use crate::model::field::{Content, Conversion, Extent, Field, LenOf, Order, expr};
use crate::model::{Body, Container, Fields, Pick, Tag, Variant, types};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;

/// The pairs of one item.
#[derive(Default)]
struct Notes(TokenStream);

impl Notes {
    fn add(&mut self, what: TokenStream, text: &str) {
        self.0.extend(q!((__p::Note::#what, #text),));
    }

    /// The constants in expressions, by their values.
    fn constants<'e>(&mut self, container: &Container, exprs: impl IntoIterator<Item = &'e syn::Expr>) {
        self.names(container, None, exprs);
    }

    /// The same, and the fields of other types by their names.
    fn names<'e>(
        &mut self,
        container: &Container,
        field: Option<&Field>,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
    ) {
        let exprs: Vec<&syn::Expr> = exprs.into_iter().collect();
        for access in members::of(container, field, exprs.iter().copied()) {
            let (text, described) = (&access.text, access.described());
            self.0.extend(q!((__p::Note::Member(#described), #text),));
        }
        for (name, path) in known::in_expressions(container, exprs) {
            self.0.extend(
                q!((__p::Note::Constant(|| __p::Constant(&#path, __p::NoLiteral).literal()), #name),),
            );
        }
    }

    /// A further rule: it says more of the values than of the bytes.
    fn rule(&mut self, text: &str) {
        self.add(q!(Rule), text);
    }

    fn doc(&mut self, text: &str) {
        if !text.is_empty() {
            self.add(q!(Doc), text);
        }
    }

    /// The byte order, where it is fixed or chosen by an expression; a fixed one is a note of kind `what`.
    fn order(&mut self, what: TokenStream, order: &Order) {
        match order {
            Order::Inherit => {}
            Order::Le => self.add(q!(#what(__p::Endian::Little)), ""),
            Order::Be => self.add(q!(#what(__p::Endian::Big)), ""),
            Order::Chosen(chosen) => self.add(q!(Endian), &types::source(chosen)),
        }
    }
}

/// The call that hands the pairs over; nothing where there are none.
pub(super) fn call(notes: &TokenStream) -> TokenStream {
    if notes.is_empty() { TokenStream::new() } else { q!(.with_notes(&[#notes])) }
}

/// What a struct or an enum says.
pub(super) fn container(container: &Container) -> TokenStream {
    match &container.body {
        Body::Struct(fields) => types::describing(&renames(fields), || of_container(container)),
        Body::Enum { .. } => of_container(container),
    }
}

/// What the fields are called in descriptions.
fn renames(fields: &Fields) -> types::Renames {
    fields.all.first().map(|field| types::Renames::clone(&field.renames)).unwrap_or_default()
}

fn of_container(container: &Container) -> TokenStream {
    let mut notes = Notes::default();
    notes.doc(&container.doc);
    if let Order::Chosen(chosen) = &container.order {
        notes.add(q!(Endian), &types::source(chosen));
        notes.constants(container, [chosen]);
    }
    if container.transparent {
        notes.add(q!(Transparent), "");
    }
    match &container.body {
        Body::Enum { tag: Tag::Front { order, .. }, .. } => notes.order(q!(TagOrder), order),
        Body::Enum { tag: Tag::From(from), .. } => {
            notes.add(q!(TagFrom), &types::source(from));
            notes.constants(container, [from]);
        }
        Body::Enum { tag: Tag::Untagged, .. } => notes.add(q!(Untagged), ""),
        Body::Struct(_) => {}
    }
    if !container.ctx.is_empty() {
        let params = list(&container.ctx, |Param { name, ty, default }| {
            let default = default.as_ref().map(|value| format!(" = {}", types::source(value)));
            format!("{}: {}{}", name.unraw(), types::show(ty), default.unwrap_or_default())
        });
        notes.rule(&format!("ctx({params})"));
        notes.constants(container, container.ctx.iter().filter_map(|param| param.default.as_ref()));
    }
    for assert in &container.asserts {
        notes.rule(&assertion(assert));
        notes.constants(container, [&assert.condition]);
    }
    if let Some(depth) = &container.max_depth {
        notes.rule(&format!("max_depth = {}", types::source(depth)));
    }
    notes.0
}

/// What a variant says.
pub(super) fn variant(variant: &Variant) -> TokenStream {
    let mut notes = Notes::default();
    notes.doc(&variant.doc);
    types::describing(&renames(&variant.fields), || {
        notes.order(q!(Order), &variant.order);
        for assert in &variant.asserts {
            notes.rule(&assertion(assert));
        }
    });
    notes.0
}

/// The tags of a variant as they stand in the source.
pub(super) fn tag(pick: &Pick) -> String {
    match pick {
        Pick::Value(value) => types::source(value),
        Pick::Pattern(pattern) => types::source(pattern),
        Pick::Discriminant(value) if value.distance == 0 => types::source(&value.base),
        Pick::Discriminant(value) => format!("{} + {}", types::source(&value.base), value.distance),
        Pick::Other => "_".to_owned(),
        Pick::Rest(value) => format!("{} | _", types::source(value)),
    }
}

/// The documentation of a field, for the part that holds its value.
pub(super) fn doc(field: &Field) -> TokenStream {
    let doc = &field.doc;
    if doc.is_empty() { TokenStream::new() } else { q!(.doc(#doc)) }
}

/// What bytes beside a field say.
pub(super) fn step(container: &Container, field: &Field) -> TokenStream {
    let mut notes = Notes::default();
    if let Some(condition) = &field.cond {
        notes.add(q!(If), &condition.text);
        notes.constants(container, [&condition.expr]);
    }
    notes.0
}

/// What a field says.
pub(super) fn value(container: &Container, field: &Field) -> TokenStream {
    types::describing(&field.renames, || of_value(container, field))
}

fn of_value(container: &Container, field: &Field) -> TokenStream {
    let mut notes = Notes::default();
    if let Some(condition) = &field.cond {
        notes.add(q!(If), &condition.text);
    }
    if let Some(otherwise) = &field.otherwise {
        notes.add(q!(Else), &types::source(otherwise));
    }
    match &field.content {
        Content::Coded(form, conversion) => {
            if let Order::Chosen(chosen) = &form.order {
                notes.add(q!(Endian), &types::source(chosen));
            }
            match &form.extent {
                Extent::Counted(count) => notes.add(q!(Count), &types::source(count)),
                Extent::Each(each) => notes.add(q!(Each), &types::source(each)),
                Extent::Shaped(shape) => {
                    shape.rank_expr().iter().for_each(|rank| notes.add(q!(Rank), &types::source(rank)));
                }
                Extent::Until(until) => notes.add(q!(Until), &types::source(until)),
                _ => {}
            }
            if let Some(page) = form.text.as_ref().and_then(|text| text.page.as_ref()) {
                notes.rule(&match page {
                    Page::Own(path) => format!("text = with({})", types::source(path)),
                    Page::Named(name) => format!("text = encoding({name})"),
                });
            }
            if let Some(at) = &form.at {
                notes.add(q!(At), &types::source(&at.position));
            }
            if let Some((decode, encode)) = &form.process {
                let (decode, encode) = (types::source(decode), types::source(encode));
                notes.add(q!(Process), &format!("decode = {decode}, encode = {encode}"));
            }
            if let Some(within) = &form.within {
                notes.add(q!(Region), &types::source(&within.len));
            }
            match conversion {
                // rustc alone knows what is on the wire
                Some(conversion) if conversion.wire.is_none() => notes.add(q!(By), &mapped(conversion)),
                Some(conversion) => notes.rule(&mapped(conversion)),
                None => {}
            }
        }
        Content::With { order, by, .. } => {
            notes.order(q!(Order), order);
            notes.add(q!(By), by);
        }
        Content::Skipped(_) | Content::Nothing => {}
    }
    rules(field, &mut notes);
    let asserts = field.asserts.iter().map(|assert| &assert.condition);
    let values = field.otherwise.iter().chain(&field.range).chain(&field.calc).chain(asserts);
    notes.names(container, Some(field), expressions(field).into_iter().chain(values));
    notes.0
}

/// The expressions that say what the bytes of a field are.
pub(super) fn expressions(field: &Field) -> Vec<&syn::Expr> {
    let mut all: Vec<&syn::Expr> = field.cond.iter().map(|condition| &condition.expr).collect();
    if let Content::Coded(form, _) = &field.content {
        if let Order::Chosen(chosen) = &form.order {
            all.push(chosen);
        }
        all.extend(form.within.iter().map(|within| &within.len));
        all.extend(form.at.iter().map(|at| &at.position));
        match &form.extent {
            Extent::Counted(expr) | Extent::Each(expr) | Extent::Until(expr) => all.push(expr),
            Extent::Shaped(shape) => all.extend(shape.rank_expr()),
            _ => {}
        }
    }
    all.extend(field.args.iter().map(|arg| &arg.value));
    all
}

fn rules(field: &Field, notes: &mut Notes) {
    if let Some(range) = &field.range {
        notes.rule(&format!("range = {}", types::source(range)));
    }
    for word in ["since", "until_version"] {
        if let Some(version) = expr(&field.words, word) {
            notes.rule(&format!("{word} = {}", types::source(version)));
        }
    }
    if let Some(len) = &field.len_of {
        notes.rule(&len_of(len, field));
    }
    if let Some(target) = &field.offset_of {
        let target = types::described(target);
        notes.rule(&match field.hidden {
            true => format!("offset_of({target}, {})", number(field)),
            false => format!("offset_of({target}, auto)"),
        });
    }
    if let Some(target) = &field.place_of {
        notes.rule(&format!("offset_of({})", types::described(target)));
    }
    if let Some(value) = &field.calc {
        notes.rule(&format!("calc({} = {})", number(field), types::source(value)));
    }
    if let Some(sum) = &field.sum {
        notes.rule(&checksum(sum, field));
    }
    for assert in &field.asserts {
        notes.rule(&assertion(assert));
    }
    match expr(&field.words, "tag_from") {
        Some(from) => notes.add(q!(Args), &format!("tag_from = {}", types::source(from))),
        None if field.args.is_empty() => {}
        None => {
            let args = list(&field.args, |arg| match (&arg.name, types::source(&arg.value)) {
                (Some(name), value) => format!("{} = {value}", name.unraw()),
                (None, value) => value,
            });
            notes.add(q!(Args), &format!("args({args})"));
        }
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn assertion(assert: &AssertWord) -> String {
    let condition = types::source(&assert.condition);
    match &assert.said {
        AssertMessage::Nothing => format!("assert({condition})"),
        AssertMessage::Text(text) if text.value() == condition => format!("assert({condition})"),
        AssertMessage::Text(text) => format!("assert({condition}, {:?})", text.value()),
        AssertMessage::Format(text, arguments) => {
            let arguments: String = arguments.iter().map(|arg| format!(", {}", types::source(arg))).collect();
            format!("assert({condition}, {:?}{arguments})", text.value())
        }
        AssertMessage::Error(error) => format!("assert({condition}, {})", types::source(error)),
    }
}

fn len_of(len: &LenOf, field: &Field) -> String {
    let (of, bytes) = (types::described(&len.field), if len.bytes { ", bytes" } else { "" });
    let plus = len.plus.iter().map(|plus| format!(", plus = {}", types::source(plus))).collect::<String>();
    match field.hidden {
        true => format!("len_of({of}{bytes}, {}{plus})", number(field)),
        false => format!("len_of({of}{bytes}{}{plus})", if len.auto { ", auto" } else { "" }),
    }
}

fn checksum(sum: &SumWord, field: &Field) -> String {
    let ty = if field.hidden { format!("{} = ", number(field)) } else { String::new() };
    let over = sum.over.as_ref().map_or_else(|| "..".to_owned(), types::source);
    let own = sum.own.iter().map(|own| format!(", self_as = {}", types::source(own))).collect::<String>();
    format!("checksum({ty}{}, over = {over}{own})", types::source(&sum.function))
}

/// The type of a number that is not a field, as it stands in the source.
fn number(field: &Field) -> String {
    match field.words.number() {
        Some((ty, None)) => types::show(ty).to_string(),
        Some((ty, Some(form))) => format!("{}, as = {}", types::show(ty), types::show(form)),
        None => String::new(),
    }
}

fn mapped(conversion: &Conversion) -> String {
    let word = if conversion.fallible { "try_map" } else { "map" };
    let (decode, encode) = (types::source(&conversion.decode), types::source(&conversion.encode));
    match &conversion.wire {
        Some(wire) => format!("{word}(decode = {decode}, encode = {encode}, as = {})", types::show(wire)),
        None => format!("{word}(decode = {decode}, encode = {encode})"),
    }
}
