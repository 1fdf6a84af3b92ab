//! Which names an expression may use: fields that are earlier on the wire, and `ctx(..)`.
//!
//! A decoder has read what stands before a field and nothing else. rustc would say `cannot find value` of anything else; here
//! the message says which fields there are, or that one comes too late and what to move.

use crate::attr::{AssertWord, Origin, SkipWord, Value};
use crate::diag::Errors;
use crate::model::field::{Content, Extent, Field, Order, as_name, expr};
use crate::model::sums::Edge;
use crate::model::{Container, Fields, computed, sums, types};
use crate::names;
use std::collections::HashSet;
use syn::Expr;
use syn::ext::IdentExt;

/// Words whose number is part of the type's sizes, which are constants.
const CONSTANT: &[&str] = &["pad_before", "pad_after", "align_before", "align_after", "pad_to", "reserved"];

/// Checks the names in every expression of a struct or variant. A parameter with the name of a field is refused first: the
/// field would hide it from some expressions and not from others.
pub(crate) fn names(container: &Container, fields: &Fields, owner: &str, errors: &mut Errors) {
    let scope = Scope { container, fields, owner };
    for param in &container.ctx {
        if let Some(field) = fields.all.iter().find(|field| field.scope.unraw() == param.name.unraw()) {
            let text = format!("`{}` is an argument in `ctx(..)` and a field too: rename one", param.name);
            errors.at(field.span, text);
        }
    }
    scope.told_apart(errors);
    for (place, index) in fields.wire.iter().enumerate() {
        let field = &fields.all[*index];
        if field.words.broken {
            continue;
        }
        scope.constants(field, errors);
        for (word, expr) in expressions(field) {
            scope.check(field, place, word, expr, errors);
        }
        let asserted = field.asserts.iter().flat_map(AssertWord::expressions).chain(&field.range);
        for expr in asserted {
            no_self(expr, errors);
        }
        if let Some(len_of) = &field.len_of {
            scope.length(field, place, &len_of.field, errors);
        }
        if let Some(value) = &field.calc {
            scope.computed(value, errors);
        }
    }
    scope.made_of_itself(errors);
    scope.sums(errors);
    for field in fields.on_wire().filter(|field| !field.words.broken) {
        scope.offset(field, errors);
        scope.place_of(field, errors);
    }
}

/// The expressions of a field that are evaluated before it is read, with the word they belong to.
fn expressions(field: &Field) -> Vec<(&'static str, &Expr)> {
    let mut list = Vec::new();
    let (cond, otherwise) = if field.words.has("if") { ("if", "else") } else { ("version", "default") };
    list.extend(field.cond.iter().map(|condition| (cond, &condition.expr)));
    list.extend(field.otherwise.iter().map(|expr| (otherwise, expr)));
    let args = if field.words.has("tag_from") { "tag_from" } else { "args" };
    list.extend(field.args.iter().map(|arg| (args, &arg.value)));
    if let Content::Coded(form, _) = &field.content {
        match &form.extent {
            Extent::Counted(expr) => list.push(("count", expr)),
            Extent::Each(expr) => list.push(("each", expr)),
            Extent::Shaped(shape) => list.extend(shape.rank_expr().map(|expr| ("shape", expr))),
            Extent::Until(expr) => list.push(("until", expr)),
            _ => {}
        }
        list.extend(form.within.iter().map(|within| ("region", &within.len)));
        list.extend(form.at.iter().map(|at| ("at", &at.position)));
        // a path is a function, whose name may be that of a field
        let process = form.process.iter().flat_map(|(decode, encode)| [decode, encode]);
        let process = process.filter(|function| !matches!(function, Expr::Path(_)));
        list.extend(process.map(|function| ("process", function)));
        if let Order::Chosen(expr) = &form.order {
            list.push(("endian", expr));
        }
    }
    list
}

/// Bare names in words of the container, which see its parameters alone.
pub(super) fn outer(container: &Container, errors: &mut Errors) {
    if container.words.broken {
        return;
    }
    for word in ["endian", "tag_from"] {
        let Some(name) = expr(&container.words, word).and_then(as_name) else { continue };
        let name = name.unraw().to_string();
        let is_known = container.ctx.iter().any(|param| param.name.unraw() == name);
        if is_known || name.chars().any(char::is_uppercase) {
            continue;
        }
        let help = match (word, order_of(&name)) {
            ("endian", Some(order)) => format!("write `{order}`"),
            _ => format!("add it: `ctx({name}: <type>)`, and `args(..)` where a field has this type"),
        };
        let text =
            format!("`{word}` refers to `{name}`, which is not an argument in `ctx(..)`\nhelp: {help}");
        errors.at(container.words.span(word).unwrap_or(container.ident.span()), text);
    }
}

/// The word for a byte order that someone calls so.
fn order_of(name: &str) -> Option<&'static str> {
    match name {
        "big" | "be" => Some("be"),
        "little" | "le" => Some("le"),
        _ => None,
    }
}

/// Fields are in scope under their names: there is no value yet that `self` could be.
pub(crate) fn no_self(expr: &Expr, errors: &mut Errors) -> bool {
    let found = names::read(expr).into_iter().find(|(name, _)| name == "self");
    if let Some((_, span)) = &found {
        let text = types::show(expr).to_string();
        let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
        let name: String = text.split("self.").nth(1).unwrap_or("x").chars().take_while(is_part).collect();
        let text = format!("there is no `self` in an expression: write `{name}` for the field `self.{name}`");
        errors.at(*span, text);
    }
    found.is_some()
}

/// Whether descriptions call a field otherwise than expressions do.
fn is_renamed(field: &Field) -> bool {
    field.words.has("rename") && field.scope.unraw() != field.name.as_str()
}

/// Whether a name between backquotes would not be one in an expression.
fn parts_an_expression(name: &str) -> bool {
    let mut open = Vec::new();
    let mut is_closed = |c: char| match c {
        '(' | '[' | '{' => {
            open.push(c);
            true
        }
        ')' => open.pop() == Some('('),
        ']' => open.pop() == Some('['),
        '}' => open.pop() == Some('{'),
        _ => true,
    };
    let is_odd = |c: char| c.is_control() || "`\"'\\,;".contains(c);
    let are_closed = name.chars().all(&mut is_closed) && open.is_empty();
    !are_closed || name.contains(is_odd) || ["//", "/*", "r#"].iter().any(|mark| name.contains(mark))
}

struct Scope<'a> {
    container: &'a Container,
    fields: &'a Fields,
    owner: &'a str,
}

impl Scope<'_> {
    fn is_ctx(&self, name: &str) -> bool {
        self.container.ctx.iter().any(|param| param.name.unraw() == name)
    }

    /// The place of a field on the wire.
    fn place(&self, name: &str) -> Option<usize> {
        self.fields.on_wire().position(|field| field.scope.unraw() == name)
    }

    /// The names that descriptions have: each is that of one field, in expressions, too, where it stands for the field's own.
    fn told_apart(&self, errors: &mut Errors) {
        let mut known = HashSet::new();
        let is_told = |field: &&Field| !field.is_tag && !matches!(field.content, Content::Skipped(_));
        let has_value = |field: &&Field| field.hidden || !matches!(field.content, Content::Nothing);
        for field in self.fields.all.iter().filter(is_told).filter(has_value) {
            if !known.insert(&field.name) {
                let text = format!(
                    "two fields are called `{}` in errors and descriptions: `rename` one otherwise",
                    field.name
                );
                errors.at(field.span, text);
            }
        }
        let asserts =
            self.container.asserts.iter().chain(self.fields.all.iter().flat_map(|field| &field.asserts));
        let rules = self.fields.all.iter().flat_map(|field| field.calc.iter().chain(&field.range));
        let all =
            self.fields.all.iter().flat_map(|field| expressions(field).into_iter().map(|(_, expr)| expr));
        let all: Vec<&Expr> = all.chain(rules).chain(asserts.map(|assert| &assert.condition)).collect();
        for field in self.fields.on_wire().filter(|field| is_renamed(field) && is_told(field)) {
            let (name, at) = (&field.name, field.words.span("rename").unwrap_or(field.span));
            let own = field.scope.unraw().to_string();
            let reads = |expr: &Expr, name: &str| names::read(expr).iter().any(|(read, _)| read == name);
            // a name that is bound inside is only taken for the field where the field is there, too
            let is_taken = |expr: &&&Expr| {
                reads(expr, name) && self.place(name).is_none()
                    || reads(expr, &own) && names::bound(expr).contains(name)
            };
            if let Some(expr) = all.iter().find(is_taken) {
                let shown = types::source(*expr);
                let text = format!(
                    "`{name}` in `{shown}` would be this field in descriptions: `rename` it otherwise"
                );
                errors.at(at, text);
            } else if parts_an_expression(name) && all.iter().any(|expr| reads(expr, &own)) {
                let text = "an expression names this field, and descriptions have it with its new name: no quotes, commas, comments or brackets that are not closed in it";
                errors.at(at, text);
            }
        }
    }

    /// An expression must not read its own field or a later one, whose values do not exist yet. That a name is unknown is
    /// told for `count`, `region` and `at` alone, where a bare name is most likely a slip; in other expressions it may be a constant or function
    /// of the user's.
    fn check(&self, field: &Field, place: usize, word: &str, expr: &Expr, errors: &mut Errors) {
        let x = &field.scope;
        if no_self(expr, errors) {
            return;
        }
        for (name, span) in names::read(expr) {
            if self.is_ctx(&name) {
                continue;
            }
            let hidden = |there: usize| {
                let field = &self.fields.all[self.fields.wire[there]];
                field.hidden && field.sum.is_some()
            };
            match self.place(&name) {
                Some(there) if hidden(there) => {
                    let text = format!("`{word}` refers to `{name}`, a checksum, which is computed last");
                    errors.at(span, text);
                    return;
                }
                Some(there) if there == place => {
                    let text = format!("`{word}` refers to `{x}` itself, which is not read yet");
                    errors.at(span, text);
                    return;
                }
                Some(there) if there > place => {
                    let text = format!(
                        "`{word}` refers to `{name}`, which comes after `{x}` on the wire\nhelp: move `{name}` before `{x}`"
                    );
                    errors.at(span, text);
                    return;
                }
                _ => {}
            }
        }
        let lower = |name: &String| name.chars().all(|c| !c.is_uppercase());
        let unknown = as_name(expr).map(|name| name.unraw().to_string()).filter(|name| {
            ["count", "region", "at"].contains(&word) || (word == "endian" && order_of(name).is_some())
        });
        if let Some(name) = unknown.filter(lower)
            // parameters that could not be read have names, too
            && !self.container.words.broken
            && !self.is_ctx(&name)
            && self.place(&name).is_none()
            && let Some((_, span)) = names::read(expr).into_iter().next()
        {
            let help = match order_of(&name) {
                Some(order) if word == "endian" => format!("\nhelp: write `{order}`"),
                _ => self.before(place),
            };
            let text = format!(
                "`{word}` refers to `{name}`, which is not a field of `{}` or an argument in `ctx(...)`{help}",
                self.owner
            );
            errors.at(span, text);
        }
    }

    /// Padding is part of the sizes of the type, which are worked out before there is a value: its lengths are constants.
    fn constants(&self, field: &Field, errors: &mut Errors) {
        for word in field.words.iter() {
            let value = match &word.value {
                Value::Skip(SkipWord::Bytes { count, .. }) => count,
                Value::Expr(value) if CONSTANT.contains(&word.key) => value,
                _ => continue,
            };
            let shown = if word.key == "skip" { "skip(bytes = ..)" } else { word.key };
            for (name, span) in names::read(value) {
                let (what, help) = match (self.is_ctx(&name), self.place(&name)) {
                    (true, _) => ("an argument in `ctx(..)`", name.clone()),
                    (_, Some(_)) => ("a field", name.clone()),
                    _ => continue,
                };
                let text = format!(
                    "`{shown}` must be a constant: `{name}` is {what}\nhelp: for a number of bytes that is known only when reading, put `count = {help}` on a field of type `Ignored`"
                );
                errors.at(span, text);
                break;
            }
        }
    }

    /// A length may stand anywhere, as it is measured before anything is written; but it must be the length of something that
    /// is written, and not its own.
    fn length(&self, field: &Field, place: usize, target: &syn::Ident, errors: &mut Errors) {
        let name = target.unraw().to_string();
        match self.place(&name) {
            Some(there) if there == place => {
                errors.at(target.span(), format!("`len_of` refers to `{name}` itself"));
            }
            Some(_) => {
                let found = self.fields.all.iter().find(|field| field.scope.unraw() == name.as_str());
                if found.is_some_and(|field| matches!(field.content, Content::Skipped(_))) {
                    errors
                        .at(target.span(), format!("`len_of` refers to `{name}`, which is not on the wire"));
                }
                if found.is_some_and(|field| field.hidden || matches!(field.content, Content::Nothing)) {
                    errors.at(
                        target.span(),
                        format!("`len_of` refers to `{name}`, which has no value to measure"),
                    );
                }
            }
            None => {
                let others: Vec<_> = self
                    .fields
                    .all
                    .iter()
                    .filter(|other| other.scope != field.scope)
                    .map(|other| format!("`{}`", other.scope))
                    .collect();
                let help = match others.is_empty() {
                    true => String::new(),
                    false => format!("\nhelp: the other fields are {}", others.join(", ")),
                };
                let text =
                    format!("`len_of` refers to `{name}`, which is not a field of `{}`{help}", self.owner);
                errors.at(target.span(), text);
            }
        }
    }

    /// A computed number is checked when everything is read, so it may be made of later fields; but of values.
    fn computed(&self, value: &Expr, errors: &mut Errors) {
        if no_self(value, errors) {
            return;
        }
        for (name, span) in names::read(value) {
            let found = self.fields.all.iter().find(|field| field.scope.unraw() == name.as_str());
            if found.is_some_and(|field| matches!(field.content, Content::Nothing)) {
                errors.at(span, format!("`calc` refers to `{name}`, which has no value"));
            }
            if found.is_some_and(|field| field.sum.is_some()) {
                errors.at(span, format!("`calc` refers to `{name}`, a checksum, which is computed last"));
            }
        }
    }

    /// Numbers that are not fields must be made of others when writing.
    fn made_of_itself(&self, errors: &mut Errors) {
        let (_, circle) = computed::order(self.fields);
        let hidden: Vec<&Field> =
            circle.into_iter().filter(|field| field.hidden && !field.words.broken).collect();
        let Some(first) = hidden.first() else { return };
        let text = match &hidden[..] {
            [one] => match &one.len_of {
                Some(len) => format!(
                    "`{}` is computed from itself: it is needed to write `{1}`, whose length it is\n\
                     help: make it a field: an integer with `len_of({1}{2})`",
                    one.scope,
                    len.field,
                    if len.bytes { ", bytes" } else { "" },
                ),
                None => format!("`{}` is computed from itself", one.scope),
            },
            many => {
                let names: Vec<_> = many.iter().map(|field| format!("`{}`", field.scope)).collect();
                format!("{} are computed from each other", names.join(" and "))
            }
        };
        errors.at(first.span, text);
    }

    /// Whether the field at this place has bits of an integer that a field before it opens.
    fn in_bits(&self, place: usize) -> bool {
        self.fields.on_wire().nth(place).and_then(Field::bits).is_some_and(|bits| bits.before > 0)
    }

    /// What a checksum covers: fields of this struct, and itself only where it says what is in its place.
    fn sums(&self, errors: &mut Errors) {
        for (place, field) in self.fields.on_wire().enumerate().filter(|(_, field)| !field.words.broken) {
            let Some(sum) = &field.sum else { continue };
            let at = field.words.span("checksum").unwrap_or(field.span);
            match sums::cover(self.fields, place) {
                Err((span, text)) => errors.at(span, text),
                Ok(cover) if cover.has(place) && sum.own.is_none() => {
                    let text = format!(
                        "`{}` covers itself\nhelp: say what its bytes count as: `self_as = 0`",
                        field.scope
                    );
                    errors.at(at, text);
                }
                Ok(cover)
                    if self.in_bits(cover.end)
                        || matches!(cover.start, Edge::Before(start) if self.in_bits(start)) =>
                {
                    let text = "`over` begins or ends inside a run of bits: it covers whole bytes";
                    errors.at(at, text);
                }
                Ok(cover) if !cover.has(place) && sum.own.is_some() => {
                    let text = format!(
                        "`self_as` is for a checksum that covers itself, which `{}` does not",
                        field.scope
                    );
                    errors.at(at, text);
                }
                Ok(_) => {}
            }
        }
        if let (_, [first, .., last]) = (&(), &sums::ordered(self.fields).1[..]) {
            let text = format!("`{}` and `{}` cover each other", first.scope, last.scope);
            errors.at(first.span, text);
        }
    }

    /// A position that is filled in belongs to a part which lies where the number says, and to nothing else: it is not known
    /// before everything is written.
    fn offset(&self, field: &Field, errors: &mut Errors) {
        let Some(target) = &field.offset_of else { return };
        let own = &field.scope;
        let found = self.fields.all.iter().find(|other| other.scope.unraw() == target.unraw());
        let Some(found) = found else {
            let text = format!("`offset_of` refers to `{target}`, which is not a field of `{}`", self.owner);
            errors.at(target.span(), text);
            return;
        };
        let place = found.at().filter(|at| at.from != Origin::End);
        let leads =
            place.and_then(|at| as_name(&at.position)).is_some_and(|name| name.unraw() == own.unraw());
        if !leads {
            let text = format!(
                "`offset_of` is for a part that lies where the number says\nhelp: put `at = {own}` on `{target}`"
            );
            errors.at(target.span(), text);
            return;
        }
        let uses = |other: &Field| {
            let computed = other.calc.iter().chain(&other.range);
            let asserts = other.asserts.iter().map(|assert| &assert.condition);
            let all = expressions(other)
                .into_iter()
                .filter(|(word, _)| *word != "at" || other.scope != found.scope);
            let all = all.map(|(_, expr)| expr).chain(computed).chain(asserts);
            all.flat_map(names::read).find(|(name, _)| own.unraw() == name.as_str()).map(|(_, span)| span)
        };
        if let Some(span) = self.fields.all.iter().find_map(uses) {
            errors.at(
                span,
                format!(
                    "`{own}` is filled in when everything is written: only `at` of `{target}` can use it"
                ),
            );
        }
    }

    /// A position that is compared belongs to a field among the others: where a part elsewhere is, its own word says.
    fn place_of(&self, field: &Field, errors: &mut Errors) {
        let Some(target) = &field.place_of else { return };
        let found = self.fields.on_wire().find(|other| other.scope.unraw() == target.unraw());
        let own = &field.scope;
        let text = match found {
            _ if types::is_unit(&field.ty) => format!(
                "a position that is not a field is filled in: `offset_of({target}, u32)`, with the type that it has on the wire"
            ),
            None => format!("`offset_of` refers to `{target}`, which is not a field of `{}`", self.owner),
            Some(found) if found.scope == *own => format!("`offset_of` refers to `{target}` itself"),
            Some(found) if found.at().is_some() => format!(
                "`{target}` lies where its `at` says, so there is nothing to compare\nhelp: leave `offset_of` out, or fill the number in: `offset_of({target}, auto)`"
            ),
            Some(_) => return,
        };
        errors.at(target.span(), text);
    }

    /// The names that could have been meant.
    fn before(&self, place: usize) -> String {
        let x = &self.fields.all[self.fields.wire[place]].scope;
        let list: Vec<_> =
            self.fields.on_wire().take(place).map(|field| format!("`{}`", field.scope)).collect();
        if list.is_empty() {
            return format!("\nhelp: there is no field before `{x}`");
        }
        format!("\nhelp: fields before `{x}`: {}", list.join(", "))
    }
}
