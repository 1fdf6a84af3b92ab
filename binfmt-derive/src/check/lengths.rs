//! Lengths that never agree: a number that counts one thing, where a field is as long as the number says of another.

use crate::attr::Rest;
use crate::diag::Errors;
use crate::model::field::{Content, Extent, Field, Form, LenOf, as_name};
use crate::model::{Container, Fields, types};
use syn::ext::IdentExt as _;
use syn::{BinOp, Expr, ExprBinary, ExprLit, Ident, Lit, Type};

/// Every rule about the fields of a struct or variant.
pub(super) fn rules(container: &Container, fields: &Fields, errors: &mut Errors) {
    let whole = || fields.all.iter().filter(|field| !field.words.broken);
    for field in whole() {
        goes_over_a_list(container, fields, field, errors);
        if let Some((len_of, target)) = measured(fields, field)
            && !units(field, len_of, target, errors)
        {
            crossed(fields, field, target, errors);
        }
    }
}

/// `each` takes the elements of something, which a number has none of.
fn goes_over_a_list(container: &Container, fields: &Fields, field: &Field, errors: &mut Errors) {
    let Some(Form { extent: Extent::Each(list), .. }) = form(field) else { return };
    let Some(name) = as_name(list) else { return };
    let of_field = fields.all.iter().find(|other| is(&other.scope, name)).map(|other| &other.ty);
    let of_param = container.ctx.iter().find(|param| is(&param.name, name)).map(|param| &param.ty);
    let ty = of_field.or(of_param).map(|ty| match ty {
        Type::Reference(reference) => &*reference.elem,
        ty => ty,
    });
    if let Some(ty) = ty.filter(|ty| types::is_number(ty)) {
        let (shown, name) = (types::show(ty), name.unraw());
        let text = format!("`each` goes over a list, `{name}` is a `{shown}`\nhelp: write `count = {name}`");
        errors.on(list, text);
    }
}

/// How long a field is by one number and nothing else.
struct Said<'a> {
    by: &'a Expr,
    word: &'static str,
    in_bytes: bool,
}

fn said(field: &Field) -> Option<Said<'_>> {
    let form = form(field)?;
    match (&form.within, &form.extent) {
        (Some(within), _) if within.rest == Rest::None => {
            Some(Said { by: &within.len, word: "region", in_bytes: true })
        }
        (None, Extent::Counted(count)) => Some(Said { by: count, word: "count", in_bytes: false }),
        _ => None,
    }
}

fn says(field: &Field, number: &Field) -> bool {
    said(field).and_then(|said| as_name(said.by)).is_some_and(|name| is(name, &number.scope))
}

/// The name in `name` and `name - 4`, and the number.
fn less(expr: &Expr) -> Option<(&Ident, u64)> {
    match expr {
        Expr::Binary(ExprBinary { left, op: BinOp::Sub(_), right, .. }) => {
            Some((as_name(left)?, literal(right)?))
        }
        expr => Some((as_name(expr)?, 0)),
    }
}

fn literal(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// Elements of several bytes are not as many as their bytes, and a length is not what it is with more. True when something was
/// wrong.
fn units(number: &Field, len_of: &LenOf, target: &Field, errors: &mut Errors) -> bool {
    let Some(said) = said(target) else { return false };
    let Some((_, minus)) = less(said.by).filter(|(name, _)| is(name, &number.scope)) else { return false };
    let (name, of) = (number.scope.unraw(), target.scope.unraw());
    let Said { by, word, in_bytes } = said;
    let plus = len_of.plus.as_ref().map_or(Some(0), literal);
    if let Some(plus) = plus.filter(|plus| *plus != minus) {
        let (said, rest) = match plus {
            0 => (format!("the length of `{of}`"), name.to_string()),
            plus => (format!("the length of `{of}` and {plus} more"), format!("{name} - {plus}")),
        };
        let text = format!(
            "`{name}` is {said}, so `{of}` is never as long as `{word}` says\nhelp: write `{word} = {rest}`"
        );
        errors.on(by, text);
        return true;
    }
    if !is_wide(target) || len_of.bytes == in_bytes {
        return false;
    }
    let text = match in_bytes {
        true => format!(
            "`{name}` is the number of elements of `{of}`, and `region` takes bytes\nhelp: add `bytes` to its `len_of`"
        ),
        false => format!(
            "`{name}` is the number of bytes of `{of}`, and `count` takes elements\nhelp: leave `bytes` out of its `len_of`, or write `region = {name}`"
        ),
    };
    errors.on(by, text);
    true
}

/// Whether the bytes of a list or text are not as many as what it has of them.
fn is_wide(target: &Field) -> bool {
    let held = types::maybe(&target.ty).unwrap_or(&target.ty);
    let Some(form) = form(target) else { return false };
    match (&form.packed, &form.text) {
        (Some(packed), _) => packed.width != 8,
        (None, Some(text)) => text.unit() > 1,
        (None, None) => {
            form.integer.is_none()
                && types::items(held).and_then(types::number_size).is_some_and(|size| size > 1)
        }
    }
}

/// Two lists, each as long as the number of the other says.
fn crossed(fields: &Fields, number: &Field, target: &Field, errors: &mut Errors) {
    let Some(said) = said(target) else { return };
    let is_other = |other: &&Field| !is(&other.scope, &number.scope) && says(target, other);
    let Some(other) = fields.all.iter().find(is_other) else { return };
    // told at the first of the two
    let place = |of: &Field| fields.all.iter().position(|field| is(&field.scope, &of.scope));
    let is_first = place(target) < measured(fields, other).and_then(|(_, theirs)| place(theirs));
    if is_first && measured(fields, other).is_some_and(|(_, theirs)| says(theirs, number)) {
        let (name, of, other) = (number.scope.unraw(), target.scope.unraw(), other.scope.unraw());
        let text = format!(
            "`{name}` is the length of `{of}`, which is as long as `{other}` says\nhelp: write `{} = {name}`",
            said.word
        );
        errors.on(said.by, text);
    }
}

/// What a number is the length of.
fn measured<'f>(fields: &'f Fields, number: &'f Field) -> Option<(&'f LenOf, &'f Field)> {
    let len_of = number.len_of.as_ref()?;
    let target = fields.all.iter().find(|field| is(&field.scope, &len_of.field))?;
    Some((len_of, target))
}

fn form(field: &Field) -> Option<&Form> {
    match &field.content {
        Content::Coded(form, None) => Some(form),
        _ => None,
    }
}

fn is(a: &Ident, b: &Ident) -> bool {
    a.unraw() == b.unraw()
}
