//! One field: the legal meanings of its words.

use super::bits::{Bits, Packed};
use super::codec::Codec;
use super::form::form;
use super::integer::{IntForm, Integer};
pub(crate) use super::magic::{Magic, magic};
use super::types::Renames;
use super::version::{self, Condition};
use super::{docs, types};
use crate::attr::{
    Arg, AssertWord, AtWord, EndsWord, Page, Rest, ShapeWord, SkipWord, SumWord, Value, Words,
};
use crate::diag::Errors;
use proc_macro2::Span;
use std::rc::Rc;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprPath, Ident, Member, Path, Type};

/// A field of a struct or of a variant.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The local that holds its value; mixed-site hygiene, so that nothing of the user can meet it.
    pub(crate) local: Ident,
    /// Its name in expressions: the field's own, or `_0`.
    pub(crate) scope: Ident,
    /// Its name in errors and descriptions.
    pub(crate) name: String,
    /// What it and those beside it are called in descriptions.
    pub(crate) renames: Renames,
    pub(crate) ty: Type,
    pub(crate) vis: syn::Visibility,
    /// What the user says about it.
    pub(crate) docs: Vec<syn::Attribute>,
    pub(crate) span: Span,
    pub(crate) words: Words,
    pub(crate) before: Vec<Step>,
    pub(crate) after: Vec<Step>,
    pub(crate) content: Content,
    pub(crate) cond: Option<Condition>,
    /// The value where the condition does not hold.
    pub(crate) otherwise: Option<Expr>,
    pub(crate) args: Vec<Arg>,
    pub(crate) asserts: Vec<AssertWord>,
    pub(crate) range: Option<Expr>,
    pub(crate) len_of: Option<LenOf>,
    pub(crate) calc: Option<Expr>,
    /// The field whose position it is, which is filled in.
    pub(crate) offset_of: Option<Ident>,
    /// The field whose position it is, which is compared.
    pub(crate) place_of: Option<Ident>,
    /// Whether a number is compared with its position.
    pub(crate) located: bool,
    pub(crate) sum: Option<SumWord>,
    /// Whether the number is on the wire alone and its field is `()`; then `ty` is the type that it has there.
    pub(crate) hidden: bool,
    /// Whether a number that is not a field is the length of this one.
    pub(crate) measured: bool,
    /// Keeps the tag of a variant, so it has no bytes of its own.
    pub(crate) is_tag: bool,
    pub(crate) doc: String,
}

/// When a field has bytes, and what its value is when it has none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Always,
    /// An `Option` says whether.
    Optional,
    /// A value stands for it.
    Otherwise,
    /// An `Option` that has a value unless the end comes first.
    Tail,
}

/// Bytes on the wire that are not a value.
pub(crate) enum Step {
    Pad { count: Expr, fill: Expr, strict: bool },
    Align { to: Expr, fill: Expr, strict: bool },
    Magic(Magic),
}

/// Where the value of a field comes from.
pub(crate) enum Content {
    /// Not on the wire.
    Skipped(Option<Expr>),
    /// `()` whose bytes are the steps beside it.
    Nothing,
    /// The runtime's form, perhaps with a conversion.
    Coded(Form, Option<Conversion>),
    /// The user's functions.
    With { decode: Codec, encode: Codec, limits: Option<(Expr, Expr)>, order: Order, by: String },
}

/// `map` or `try_map`.
pub(crate) struct Conversion {
    pub(crate) decode: Expr,
    pub(crate) encode: Expr,
    pub(crate) wire: Option<Type>,
    pub(crate) fallible: bool,
}

/// The wire form, outermost part first.
#[derive(Clone)]
pub(crate) struct Form {
    /// Where it is, if elsewhere.
    pub(crate) at: Option<AtWord>,
    /// Whether its bytes stay unread.
    pub(crate) peek: bool,
    pub(crate) order: Order,
    pub(crate) pad_to: Option<(Expr, Expr, bool)>,
    pub(crate) null: Option<Null>,
    pub(crate) within: Option<Within>,
    /// The terminator of the region.
    pub(crate) ended: Option<EndsWord>,
    /// The functions between the bytes and the rest of the form: for reading, and for writing.
    pub(crate) process: Option<(Expr, Expr)>,
    pub(crate) extent: Extent,
    pub(crate) text: Option<Text>,
    pub(crate) lend: bool,
    /// The form of the integer, or of the elements; whether they are those of an array.
    pub(crate) integer: Option<(IntForm, bool)>,
    /// The bits of an integer that the field has.
    pub(crate) bits: Option<Bits>,
    /// The bits of each of its elements.
    pub(crate) packed: Option<Packed>,
    /// The values go into columns of their own. No word says this: the struct of columns asks for such a form of a field.
    pub(crate) split: bool,
}

impl Form {
    /// Whether the type alone says everything.
    pub(crate) fn is_own(&self) -> bool {
        self.is_whole() && matches!(self.order, Order::Inherit)
    }

    /// Whether the type says everything but the byte order.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.extent, Extent::Own)
            && self.at.is_none()
            && !self.peek
            && self.null.is_none()
            && self.within.is_none()
            && self.ended.is_none()
            && self.process.is_none()
            && self.pad_to.is_none()
            && self.text.is_none()
            && self.integer.is_none()
            && self.bits.is_none()
    }
}

#[derive(Clone)]
pub(crate) enum Order {
    Inherit,
    Le,
    Be,
    Chosen(Expr),
}

#[derive(Clone)]
pub(crate) struct Null {
    pub(crate) present: Expr,
    pub(crate) low: Expr,
    pub(crate) high: Expr,
    pub(crate) zero: bool,
}

/// A number of bytes that an expression says.
#[derive(Clone)]
pub(crate) struct Within {
    pub(crate) len: Expr,
    pub(crate) rest: Rest,
    pub(crate) fill: Expr,
}

/// Where the value ends.
#[derive(Clone)]
pub(crate) enum Extent {
    Own,
    BoolLax,
    Prefixed(Prefix),
    Region(Prefix, RegionBody),
    Counted(Expr),
    Exact(Expr),
    Each(Expr),
    Shaped(ShapeWord),
    ToEnd,
    Gaps,
    Until(Expr),
    Terminated,
    Ends(EndsWord),
}

/// What fills a byte-sized region.
#[derive(Clone, Copy)]
pub(crate) enum RegionBody {
    Items,
    Own,
}

#[derive(Clone)]
pub(crate) struct Prefix {
    pub(crate) ty: Integer,
    pub(crate) max: Option<Expr>,
    pub(crate) inclusive: bool,
}

#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) encoding: &'static str,
    /// A code page, instead.
    pub(crate) page: Option<Page>,
    pub(crate) nul: bool,
    /// The filling at the end.
    pub(crate) trim: Option<Expr>,
}

pub(crate) struct LenOf {
    pub(crate) field: Ident,
    pub(crate) bytes: bool,
    pub(crate) auto: bool,
    /// What it counts beside the field.
    pub(crate) plus: Option<Expr>,
}

/// What a container gives to its fields.
pub(crate) struct Defaults {
    pub(crate) len: Integer,
    pub(crate) max_len: Option<Expr>,
    /// What `version` says.
    pub(crate) version: Option<Condition>,
    /// The parameters `const N: usize` of the container: a count of one is part of the type.
    pub(crate) sizes: Vec<Ident>,
}

/// The name of a field in expressions: its own, or `_0`.
fn scope(field: &syn::Field, index: usize) -> Ident {
    field.ident.clone().unwrap_or_else(|| Ident::new(&format!("_{index}"), Span::call_site()))
}

/// What fields are called in descriptions, where it is not what they are called in expressions.
pub(crate) fn renames<'w>(fields: &syn::Fields, words: impl IntoIterator<Item = &'w Words>) -> Renames {
    let all = fields.iter().enumerate().zip(words);
    let pair = |((index, field), words): ((usize, &syn::Field), &Words)| {
        let own = syn::ext::IdentExt::unraw(&scope(field, index)).to_string();
        text(words, "rename").filter(|name| *name != own).map(|name| (own, name))
    };
    all.filter_map(pair).collect()
}

impl Field {
    /// The type that the wire form is about: what a conversion reads, else the field's own type; `None` when
    /// a conversion leaves it open.
    pub(crate) fn subject(&self) -> Option<&Type> {
        match &self.content {
            Content::Coded(_, Some(conversion)) => conversion.wire.as_ref(),
            _ => Some(&self.ty),
        }
    }

    /// Whether a condition is about it, and what it is where that does not hold.
    pub(crate) fn presence(&self) -> Presence {
        match (&self.cond, &self.otherwise) {
            (None, _) if self.is_tail() => Presence::Tail,
            (None, _) => Presence::Always,
            (Some(_), None) => Presence::Optional,
            (Some(_), Some(_)) => Presence::Otherwise,
        }
    }

    /// Whether it may be missing at the end.
    pub(crate) fn is_tail(&self) -> bool {
        self.words.has("optional_tail")
    }

    /// The bits of an integer that it is.
    pub(crate) fn bits(&self) -> Option<&Bits> {
        match &self.content {
            Content::Coded(form, _) => form.bits.as_ref(),
            _ => None,
        }
    }

    /// Where the field is, if elsewhere.
    pub(crate) fn at(&self) -> Option<&AtWord> {
        match &self.content {
            Content::Coded(form, _) => form.at.as_ref(),
            _ => None,
        }
    }

    /// Whether its bytes are those of what follows.
    pub(crate) fn is_peeked(&self) -> bool {
        matches!(&self.content, Content::Coded(form, _) if form.peek)
    }

    /// Whether the field keeps what no other describes.
    pub(crate) fn keeps_gaps(&self) -> bool {
        matches!(&self.content, Content::Coded(form, _) if matches!(form.extent, Extent::Gaps))
    }

    /// Whether the field has bytes through its type (which then needs the runtime's traits).
    pub(crate) fn is_typed(&self) -> bool {
        matches!(self.content, Content::Coded(..)) && !self.is_tag
    }

    /// Whether the field keeps a value that is on the wire.
    pub(crate) fn has_value(&self) -> bool {
        !self.hidden && !matches!(self.content, Content::Skipped(_) | Content::Nothing)
    }

    /// Lowers one field.
    pub(crate) fn lower(
        field: &syn::Field,
        index: usize,
        mut words: Words,
        (defaults, renames): (&Defaults, &Renames),
        errors: &mut Errors,
    ) -> Self {
        let so_far = errors.count();
        if defaults.version.is_some() {
            version::no_until(&words, errors);
        }
        let (member, name) = match &field.ident {
            Some(ident) => {
                let name = syn::ext::IdentExt::unraw(ident).to_string();
                (Member::Named(ident.clone()), name)
            }
            None => (Member::Unnamed(index.into()), index.to_string()),
        };
        let scope = scope(field, index);
        let name = text(&words, "rename").unwrap_or(name);
        let (mut before, after) = steps(&words, errors);
        let number = words.number().map(|(ty, form)| Integer::new(ty, form.as_ref()));
        let number = number.filter(|_| types::is_unit(&field.ty));
        let content = match &number {
            Some(Integer { ty, form: own }) => {
                let integer = own.clone().map(|own| (own, false));
                Content::Coded(Form { integer, ..form(&words, Some(ty), defaults) }, None)
            }
            None => content(field, &words, defaults, &mut before, errors),
        };
        words.broken |= errors.count() > so_far;
        let when = match words.get("if").map(|word| &word.value) {
            Some(Value::If(word)) => Some(&**word),
            _ => None,
        };
        let cond = match when {
            Some(word) => Some(Condition::of(word.condition.clone())),
            None => version::condition(&words, defaults.version.as_ref()),
        };
        let otherwise = match when {
            Some(word) => word.otherwise.clone(),
            None => cond.as_ref().and_then(|_| default(&words, &field.ty)),
        };
        Self {
            member,
            local: Ident::new(&format!("__f{index}"), Span::mixed_site()),
            scope,
            name,
            renames: Rc::clone(renames),
            hidden: number.is_some(),
            measured: false,
            ty: number.map_or_else(|| field.ty.clone(), |number| number.ty),
            vis: field.vis.clone(),
            docs: field.attrs.iter().filter(|attr| attr.path().is_ident("doc")).cloned().collect(),
            span: field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span),
            before,
            after,
            content,
            cond,
            otherwise,
            args: match words.get("args").map(|word| &word.value) {
                Some(Value::Args(args)) => args.clone(),
                _ => expr(&words, "tag_from")
                    .map(|value| vec![Arg { name: None, value: value.clone() }])
                    .unwrap_or_default(),
            },
            asserts: asserts(&words),
            range: expr(&words, "range").cloned(),
            len_of: match words.get("len_of").map(|word| &word.value) {
                Some(Value::LenOf(word)) => Some(LenOf {
                    field: word.field.clone(),
                    bytes: word.bytes,
                    auto: word.auto || word.ty.is_some(),
                    plus: word.plus.clone(),
                }),
                _ => None,
            },
            sum: match words.get("checksum").map(|word| &word.value) {
                Some(Value::Checksum(word)) => Some((**word).clone()),
                _ => None,
            },
            calc: match words.get("calc").map(|word| &word.value) {
                Some(Value::Calc(word)) => Some(word.value.clone()),
                _ => None,
            },
            offset_of: offset_of(&words, true),
            place_of: offset_of(&words, false),
            located: false,
            is_tag: false,
            doc: docs::text(&field.attrs),
            words,
        }
    }
}

/// The field of `offset_of`, filled in or compared.
fn offset_of(words: &Words, auto: bool) -> Option<Ident> {
    match words.get("offset_of").map(|word| &word.value) {
        Some(Value::OffsetOf(word)) if word.auto == auto => Some(word.field.clone()),
        _ => None,
    }
}

/// The expression of a word.
pub(crate) fn expr<'a>(words: &'a Words, key: &str) -> Option<&'a Expr> {
    match words.get(key).map(|word| &word.value) {
        Some(Value::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// What `default` says; alone it is that of the type, as a literal where there is one.
fn default(words: &Words, ty: &Type) -> Option<Expr> {
    let word = words.get("default")?;
    Some(match &word.value {
        Value::Expr(expr) => expr.clone(),
        _ if types::is_bool(ty) => syn::parse_quote!(false),
        _ if types::is_float(ty) => syn::parse_quote!(0.0),
        _ if types::is_number(ty) => zero(),
        _ => syn::parse_quote_spanned!(word.ident.span()=> ::core::default::Default::default()),
    })
}

/// The functions of `process`.
pub(super) fn process(words: &Words) -> Option<(Expr, Expr)> {
    match words.get("process").map(|word| &word.value) {
        Some(Value::Map(word)) => Some((word.decode.clone(), word.encode.clone())),
        _ => None,
    }
}

/// The text of a word.
pub(crate) fn text(words: &Words, key: &str) -> Option<String> {
    match words.get(key).map(|word| &word.value) {
        Some(Value::Text(text)) => Some(text.value()),
        _ => None,
    }
}

/// `assert(..)`s in the order written.
pub(crate) fn asserts(words: &Words) -> Vec<AssertWord> {
    let lower = |word: &crate::attr::Word| match &word.value {
        Value::Assert(word) => Some((**word).clone()),
        _ => None,
    };
    words.all("assert").filter_map(lower).collect()
}

/// `le`, `be` or `endian = ..`.
pub(crate) fn order(words: &Words) -> Order {
    match expr(words, "endian") {
        Some(chosen) => Order::Chosen(chosen.clone()),
        None if words.has("le") => Order::Le,
        None if words.has("be") => Order::Be,
        None => Order::Inherit,
    }
}

fn path(words: &Words, key: &str) -> Option<Path> {
    match words.get(key).map(|word| &word.value) {
        Some(Value::Path(path)) => Some(path.clone()),
        _ => None,
    }
}

pub(super) fn zero() -> Expr {
    syn::parse_quote!(0)
}

/// The wire steps before and after the field, in wire order.
fn steps(words: &Words, errors: &mut Errors) -> (Vec<Step>, Vec<Step>) {
    let fill = || expr(words, "fill").cloned().unwrap_or_else(zero);
    let strict = words.has("strict");
    let pad = |key| expr(words, key).map(|count| Step::Pad { count: count.clone(), fill: fill(), strict });
    let align = |key| expr(words, key).map(|to| Step::Align { to: to.clone(), fill: fill(), strict });
    let mut before: Vec<Step> = align("align_before").into_iter().chain(pad("pad_before")).collect();
    if let Some(Value::Skip(SkipWord::Bytes { count, fill: own, strict: sure })) =
        words.get("skip").map(|word| &word.value)
    {
        let fill = own.clone().unwrap_or_else(fill);
        before.push(Step::Pad { count: count.clone(), fill, strict: strict || *sure });
    }
    before.extend(magic(words, errors).map(Step::Magic));
    (before, pad("pad_after").into_iter().chain(align("align_after")).collect())
}

fn content(
    field: &syn::Field,
    words: &Words,
    defaults: &Defaults,
    before: &mut Vec<Step>,
    errors: &mut Errors,
) -> Content {
    if let Some(Value::Skip(SkipWord::Absent)) = words.get("skip").map(|word| &word.value) {
        return Content::Skipped(expr(words, "default").cloned());
    }
    if types::is_phantom(&field.ty) && words.iter().next().is_none() {
        return Content::Skipped(None);
    }
    if let Some(count) = expr(words, "reserved") {
        let fill = expr(words, "fill").cloned().unwrap_or_else(zero);
        before.push(Step::Pad { count: count.clone(), fill, strict: words.has("strict") });
        return Content::Nothing;
    }
    if let Some(codec) = codec(words, errors) {
        return codec;
    }
    // words that give bytes to what has none
    let has_bytes =
        ["length_prefixed", "region", "at", "peek", "process", "pad_to", "map", "try_map", "bits"]
            .iter()
            .any(|key| words.has(key));
    if types::is_unit(&field.ty) && !has_bytes {
        return Content::Nothing;
    }
    let conversion = conversion(words);
    let subject = match &conversion {
        Some(conversion) => conversion.wire.as_ref(),
        None => Some(&field.ty),
    };
    Content::Coded(form(words, subject, defaults), conversion)
}

/// `map` or `try_map`.
pub(super) fn conversion(words: &Words) -> Option<Conversion> {
    ["map", "try_map"].into_iter().find_map(|key| match &words.get(key)?.value {
        Value::Map(map) => Some(Conversion {
            decode: map.decode.clone(),
            encode: map.encode.clone(),
            wire: map.wire.clone(),
            fallible: key == "try_map",
        }),
        _ => None,
    })
}

/// `with`, or the pair `decode_with` and `encode_with`.
fn codec(words: &Words, errors: &mut Errors) -> Option<Content> {
    let limits = match words.get("size").map(|word| &word.value) {
        Some(Value::Limits(min, max)) => Some((min.clone(), max.clone())),
        _ => None,
    };
    if let Some(module) = path(words, "with") {
        let (decode, encode) = (Codec::in_module(&module, "decode"), Codec::in_module(&module, "encode"));
        let by = format!("with = {}", types::show(&module));
        return Some(Content::With { decode, encode, limits, order: order(words), by });
    }
    match (path(words, "decode_with"), path(words, "encode_with")) {
        (Some(decode), Some(encode)) => {
            let by =
                format!("decode_with = {}, encode_with = {}", types::show(&decode), types::show(&encode));
            let (decode, encode) = (Codec::of(decode), Codec::of(encode));
            Some(Content::With { decode, encode, limits, order: order(words), by })
        }
        (None, None) => None,
        (decode, _) => {
            let (has, needs) = if decode.is_some() { ("decode", "encode") } else { ("encode", "decode") };
            if let Some(span) = words.span(&format!("{has}_with")) {
                let text = format!("`{has}_with` needs `{needs}_with` too: a field is both read and written");
                errors.at(span, text);
            }
            None
        }
    }
}

/// A bare name as an expression.
pub(crate) fn as_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(ExprPath { qself: None, path, .. }) => path.get_ident(),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => as_name(&unary.expr),
        Expr::Paren(paren) => as_name(&paren.expr),
        _ => None,
    }
}
