//! What decides between variants that are tried, besides their bytes: the rules of a struct that a value can answer.

use super::compile::{Slots, expression};
use super::node::ArmTest;
use crate::schema::{Extent, Field, Type, Variant, split};
use alloc::vec::Vec;

/// Adds what must hold of a variant.
///
/// # Errors
/// The first rule by which a struct would refuse it, and that a value cannot decide.
pub(super) fn tests<'d>(
    variant: &'d Variant,
    parameters: &Slots<'d>,
    tests: &mut Vec<ArmTest>,
) -> Result<(), &'d str> {
    let (mut slots, mut next) = (parameters.clone(), 0_usize);
    for field in &variant.fields {
        let own = next;
        if !field.ty.is_silent() {
            slots.insert(&field.name, own);
            next = own.wrapping_add(1);
        }
        for rule in &field.rules {
            tests.extend(test(rule, (own, field), &variant.fields, &slots).map_err(|()| &**rule)?);
        }
    }
    for rule in &variant.rules {
        if rule.starts_with("assert(") {
            tests.push(assertion(rule, &slots).ok_or(&**rule)?);
        }
    }
    Ok(())
}

/// What a rule of a field asks.
fn test<'d>(
    rule: &str,
    (own, field): (usize, &Field),
    fields: &[Field],
    slots: &Slots<'d>,
) -> Result<Option<ArmTest>, ()> {
    if rule.starts_with("assert(") {
        return assertion(rule, slots).map(Some).ok_or(());
    }
    if let Some(calc) = inside(rule, "calc(") {
        let (_, text) = calc.split_once('=').ok_or(())?;
        let number = expression(text.trim(), slots);
        return if number.is_known() { Ok(Some(ArmTest::Equals(own, number))) } else { Err(()) };
    }
    match inside(rule, "len_of(") {
        // what is as long as the number says needs no look at it
        Some(of) if !is_tied(of, field, fields) => Err(()),
        _ if rule.starts_with("checksum(") => Err(()),
        _ => Ok(None),
    }
}

fn inside<'r>(rule: &'r str, word: &str) -> Option<&'r str> {
    rule.strip_prefix(word)?.strip_suffix(')')
}

/// `assert(expr)`, `assert(expr, "text")`.
fn assertion(rule: &str, slots: &Slots<'_>) -> Option<ArmTest> {
    let text = split(inside(rule, "assert(")?, ',').first()?.trim();
    let holds = expression(text, slots);
    holds.is_known().then(|| ArmTest::Holds(holds, text.into()))
}

/// Whether the number of a field says how long another one is.
fn is_tied(of: &str, field: &Field, fields: &[Field]) -> bool {
    let mut words = split(of, ',').into_iter().map(str::trim);
    let (name, in_bytes) = (words.next().unwrap_or_default(), words.any(|word| word == "bytes"));
    let Some(target) = fields.iter().find(|field| *field.name == *name) else { return false };
    let len = match &target.ty {
        Type::Bytes { len } => len,
        Type::Text { len, .. } | Type::Region { len, .. } if in_bytes => len,
        Type::List { len, .. } if !in_bytes => len,
        _ => return false,
    };
    matches!(len, Extent::Expr(text) if *text.trim_start_matches('*') == *field.name)
}
