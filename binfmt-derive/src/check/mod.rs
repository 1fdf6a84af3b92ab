//! Rules between words, types and fields that the model alone does not express.
//!
//! The idea: what the model cannot hold needs no rule (two words for the end of a field are one `Extent`), so what stands here
//! are relations: between a word and a type (`sight`), between fields (`scope`, and below), between a field and its struct. One
//! function for each rule, with its reason. The stage only looks and reports; it runs to its end, so that a user sees all
//! mistakes of one build, each once and where it was written.

mod bits;
mod columns;
mod conditions;
mod constants;
mod features;
mod hollow;
mod inner;
mod lengths;
mod literals;
mod pinned;
mod scope;
mod sight;
mod tags;
mod text;
mod version;

use crate::attr::AssertWord;
use crate::diag::Errors;
use crate::model::field::{Content, Extent, Field, Form};
use crate::model::{Body, Container, Fields, Pick, Tag, Variant, types};
use std::collections::HashMap;

/// Every rule.
pub(crate) fn container(container: &Container, errors: &mut Errors) {
    match &container.body {
        Body::Struct(fields) => {
            transparent(container, fields, errors);
            key_order(container, fields, errors);
            group(container, fields, &container.ident.to_string(), errors);
            columns::rules(container, fields, errors);
        }
        Body::Enum { tag, variants } => {
            let is_written = matches!(tag, Tag::Front { peek: false, .. });
            for variant in variants {
                let owner = format!("{}::{}", container.ident, variant.ident);
                group(container, &variant.fields, &owner, errors);
                for expr in variant.asserts.iter().flat_map(AssertWord::expressions) {
                    scope::no_self(expr, errors);
                }
                columns::no_struct(&variant.fields, errors);
                conditions::asserts(&variant.asserts, errors);
                chosen_once(variant, is_written, errors);
            }
            named_apart(variants, errors);
            if let Tag::Untagged = tag {
                untagged(variants, errors);
            } else {
                tags::shared(variants, errors);
            }
            if let Some(ty) = container.tag_type() {
                literals::rules(ty, variants, errors);
            }
            if let Tag::Front { ty, bits, .. } = tag {
                tag_type(&ty.ty, errors);
                if let Some(bits) = bits {
                    bits::tag(ty, bits, errors);
                    tags::too_wide(&ty.ty, bits, variants, errors);
                }
            }
        }
    }
    if let Body::Struct(_) = container.body {
        for expr in container.asserts.iter().flat_map(AssertWord::expressions) {
            scope::no_self(expr, errors);
        }
    }
    conditions::asserts(&container.asserts, errors);
    scope::outer(container, errors);
    sight::prefix_type_of(container, errors);
    pinned::rules(container, errors);
    pinned::described(container, errors);
    version::rules(container, errors);
    hollow::endless(container, errors);
    features::heap(container, errors);
}

/// The rules of the fields of one struct or variant. A field whose words could not be read is left out: what else is wrong
/// with it would follow from that.
fn group(container: &Container, fields: &Fields, owner: &str, errors: &mut Errors) {
    for field in fields.all.iter().filter(|field| !field.words.broken) {
        sight::field(field, errors);
        conditions::field(field, errors);
        hollow::range(field, errors);
        constants::rules(field, errors);
        hollow::versions(field, errors);
        hollow::rest(field, errors);
        helpers(field, errors);
    }
    scope::names(container, fields, owner, errors);
    lengths::rules(container, fields, errors);
    one_length_each(fields, errors);
    elsewhere(container, fields, errors);
    gaps_are_last(fields, errors);
    end_is_last(fields, errors);
}

/// `transparent` promises that the struct is its one field: with a second one, or with padding, it has bytes of its own that
/// the schema and the paths of errors would not show.
fn transparent(container: &Container, fields: &Fields, errors: &mut Errors) {
    let Some(span) = container.words.span("transparent") else { return };
    let wire = fields.all.iter().filter(|field| !matches!(field.content, Content::Skipped(_))).count();
    if wire != 1 {
        errors.at(span, format!("`transparent` needs exactly one field on the wire, found {wire}"));
    }
    let steps = fields.all.iter().find(|field| !field.before.is_empty() || !field.after.is_empty());
    if let Some(field) = steps {
        let text =
            "a `transparent` struct has no bytes beside its field: remove the padding or `transparent`";
        errors.at(field.span, text);
    }
}

/// A position is not a name, so a tuple struct has nothing to sort; and of the orders of names only one is known.
fn key_order(container: &Container, fields: &Fields, errors: &mut Errors) {
    let Some(word) = container.words.get("key_order") else { return };
    if let crate::attr::Value::Name(name) = &word.value
        && name != "lexicographic"
    {
        errors.at(name.span(), format!("unknown order `{name}`: write `key_order = lexicographic`"));
    }
    if fields.all.iter().any(|field| matches!(field.member, syn::Member::Unnamed(_))) {
        errors.at(word.ident.span(), "`key_order` needs named fields: a tuple struct has no names to sort");
    }
}

/// A tag is matched and written, so it must be an integer or an array of bytes: floats are not patterns, a bool has room for
/// two variants and an `Option` says that better, and text would have to be decoded before it can be compared.
fn tag_type(ty: &syn::Type, errors: &mut Errors) {
    if types::is_float(ty) || types::is_bool(ty) || types::is_open(ty) {
        let shown = types::show(ty);
        let text = format!("a tag must be an integer or an array of bytes (`[u8; 4]`), found `{shown}`");
        errors.on(ty, text);
    } else if let Some(text) = types::refusal(ty) {
        errors.on(ty, text);
    }
}

/// `other` is what no tag chooses: a tag on the same variant is the one that is written, where one is.
fn chosen_once(variant: &Variant, is_written: bool, errors: &mut Errors) {
    let (Some(tag), Some(other)) = (variant.words.span("tag"), variant.words.span("other")) else { return };
    if !matches!(variant.pick, Pick::Rest(_)) {
        let text = "`tag` and `other` exclude each other: `other` takes every tag that no variant names\nhelp: `other, tag = 0` writes all of them as 0";
        errors.between(tag, other, text);
    } else if !is_written {
        let text = "`tag` and `other` exclude each other: this enum does not write its tag, which is known from elsewhere";
        errors.between(tag, other, text);
    }
}

/// The names that descriptions have are each of one variant.
fn named_apart(variants: &[Variant], errors: &mut Errors) {
    let mut known = HashMap::new();
    for variant in variants {
        if let Some(first) = known.insert(&variant.name, &variant.ident) {
            let text = format!(
                "`{first}` and `{}` are both called `{}` in errors and descriptions: `rename` one otherwise",
                variant.ident, variant.name
            );
            errors.at(variant.words.span("rename").unwrap_or(variant.ident.span()), text);
        }
    }
}

/// Variants that are tried have no tags, and after one that takes whatever comes none is reached.
fn untagged(variants: &[Variant], errors: &mut Errors) {
    let mut always = None;
    for variant in variants {
        if let Some(word) = variant.words.first_of(&["tag", "other"]) {
            let text =
                format!("the variants of an `untagged` enum are tried in their order: remove `{}`", word.key);
            errors.at(word.ident.span(), text);
        }
        if let Some((first, why)) = always {
            let text = format!(
                "`{}` is never read: `{first}`, which is tried before it, {why} and always fits\nhelp: put `{first}` last",
                variant.ident
            );
            errors.at(variant.ident.span(), text);
        }
        always = always.or(fits_always(variant).map(|why| (&variant.ident, why)));
    }
}

/// What makes a variant fit all bytes, if that is certain.
fn fits_always(variant: &Variant) -> Option<&'static str> {
    // of these words none refuses a byte
    let plain = ["until_eof", "borrow", "rename", "le", "be"];
    let takes_all = |field: &Field| {
        types::is_bytes(&field.ty)
            && field.words.has("until_eof")
            && field.words.iter().all(|word| plain.contains(&word.key))
    };
    let has_bytes = |field: &&Field| match &field.content {
        Content::Skipped(_) => false,
        Content::Nothing => !field.before.is_empty() || !field.after.is_empty(),
        _ => true,
    };
    let is_free = variant.magic.is_none() && variant.asserts.is_empty() && !variant.words.broken;
    let mut fields = variant.fields.all.iter().filter(has_bytes);
    match (fields.next().filter(|_| is_free), fields.next()) {
        (Some(field), None) => takes_all(field).then_some("takes everything to the end"),
        (None, _) if is_free => Some("has no bytes"),
        _ => None,
    }
}

/// Words that only say more about another word: alone they would do nothing, and whoever wrote them expects that they do.
fn helpers(field: &Field, errors: &mut Errors) {
    let words = &field.words;
    let rules: &[(&str, &[&str], &str)] = &[
        (
            "fill",
            &[
                "pad_before",
                "pad_after",
                "align_before",
                "align_after",
                "pad_to",
                "skip",
                "reserved",
                "region",
            ],
            "`fill` says what padding is made of, and this field has none: add `pad_before`, `pad_after`, `align_before`, `align_after`, `pad_to` or `reserved`",
        ),
        (
            "strict",
            &["pad_before", "pad_after", "align_before", "align_after", "pad_to", "skip", "reserved", "bits"],
            "`strict` checks the padding, and this field has none: add `pad_before`, `pad_after`, `align_before`, `align_after`, `pad_to` or `reserved`",
        ),
        (
            "size",
            &["with", "decode_with"],
            "`size(<min>, <max>)` gives the limits of a custom codec: add `with = <module>`",
        ),
        (
            "default",
            &["skip", "since", "until_version"],
            "`default` is the value of a field that is not on the wire: add `skip` or `since = <version>`",
        ),
    ];
    for (word, needs, text) in rules {
        if let (Some(span), None) = (words.span(word), words.first_of(needs)) {
            errors.at(span, text);
        }
    }
}

/// Two fields that both hold the length of a third would have to be kept equal by the user, who used `len_of` to be rid of
/// that.
fn one_length_each(fields: &Fields, errors: &mut Errors) {
    let mut seen: HashMap<(String, bool), &Field> = HashMap::new();
    for field in &fields.all {
        let Some(len_of) = &field.len_of else { continue };
        let key = (len_of.field.to_string(), len_of.bytes);
        if let Some(first) = seen.insert(key, field) {
            let text = format!("`{}` is already the length of `{}`", first.scope, len_of.field);
            errors.at(len_of.field.span(), text);
        }
    }
}

/// A part elsewhere is not in the row that a struct of columns is made of, nor the one field that a transparent struct is.
fn elsewhere(container: &Container, fields: &Fields, errors: &mut Errors) {
    let mut sound = fields.all.iter().filter(|field| !field.words.broken);
    let found = sound.find_map(|field| field.words.first_of(&["at", "gaps", "peek", "optional_tail"]));
    let Some((span, own)) = found.map(|word| (word.ident.span(), word.key)) else { return };
    for (word, why) in [
        ("columns", "a row is read by itself: leave `columns` out"),
        ("transparent", "the struct would have no bytes of its own"),
    ] {
        if container.words.has(word) {
            errors.at(span, format!("`{word}` and `{own}` exclude each other: {why}"));
        }
    }
}

/// What nothing has read is known when everything else is read, and is a matter of whole files and regions. With parts
/// elsewhere nothing but the order of the fields says so.
fn gaps_are_last(fields: &Fields, errors: &mut Errors) {
    let mut wire = fields.on_wire().filter(|field| !field.words.broken).peekable();
    while let Some(field) = wire.next() {
        let Some(span) = field.words.span("gaps") else { continue };
        if fields.tagged {
            errors.at(span, "`gaps` keeps what is not described of a whole file: put it into a struct");
        } else if let Some(next) = wire.peek() {
            let text = format!(
                "`{}` comes after `{1}`, which keeps what no part describes\nhelp: put `{1}` last",
                next.scope, field.scope
            );
            errors.at(next.span, text);
        }
    }
}

/// Whether a function gets all bytes up to the end.
pub(super) fn takes_rest(form: &Form) -> bool {
    form.process.is_some() && !matches!(form.extent, Extent::Region(..))
}

/// What comes after a field that takes everything to the end is written and can never be read. Two fields with an `if` each
/// may exclude each other; a field inside `pad_to` ends with it. Types that go to the end by themselves are known to rustc
/// alone: see `ends` in `expand::checks`.
fn end_is_last(fields: &Fields, errors: &mut Errors) {
    let takes_all = |field: &Field| match &field.content {
        Content::Coded(form, _) => {
            (matches!(form.extent, Extent::ToEnd) || takes_rest(form))
                && form.pad_to.is_none()
                && form.within.is_none()
                && form.ended.is_none()
                && form.at.is_none()
                && !form.peek
        }
        _ => false,
    };
    let has_bytes = |field: &Field| match field.content {
        Content::Skipped(_) => false,
        Content::Nothing => !field.before.is_empty() || !field.after.is_empty(),
        _ => !field.is_tag && field.at().is_none() && !field.is_peeked(),
    };
    let mut open: Option<&Field> = None;
    for field in fields.on_wire().filter(|field| !field.words.broken) {
        let found = match open {
            Some(first)
                if has_bytes(field)
                    && (first.cond.is_none() || field.cond.is_none())
                    && !(first.is_tail() && field.is_tail()) =>
            {
                Some((first, field.scope.to_string(), field.span))
            }
            _ if takes_all(field) || field.is_tail() => {
                open = open.or(Some(field));
                let word = field.words.first_of(&["pad_after", "align_after"]);
                word.map(|word| (field, word.ident.to_string(), word.ident.span()))
            }
            _ => None,
        };
        if let Some((first, later, span)) = found {
            let x = &first.scope;
            let text = format!(
                "`{later}` comes after `{x}`, which takes everything to the end\nhelp: put `{x}` last, or say where it ends: `length_prefixed(u32)`, `count = ..` or `pad_to = ..`"
            );
            errors.at(span, text);
            return;
        }
    }
}
