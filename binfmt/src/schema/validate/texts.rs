//! Texts that are to be expressions, rules and tags: what cannot be one has no place in the text of a layout, and means nothing.

use super::{Checked, DescriptionError, quoted};
use crate::schema::expr::flaw::{self, Flaw};
use crate::schema::types::{ByteOrder, Choice, Extent, Magic, Tag, Type};
use alloc::format;
use alloc::string::String;

/// Those of a type itself.
pub(super) fn of(ty: &Type) -> Checked {
    ty.expressions().try_for_each(expression)?;
    if let Some(Extent::Until(text)) = ty.anatomy().extent {
        expression(text)?;
    }
    match ty {
        Type::Processed { by, .. } => sound(by, flaw::of_brackets(by).or_else(|| flaw::of_inside(by))),
        Type::Opaque { by, .. } => sound(by, flaw::of_brackets(by)),
        Type::Magic { value } => magic(value),
        Type::Record(record) => {
            order(record.order.as_ref())?;
            rules(&record.rules)
        }
        Type::Choice(choice) => of_choice(choice),
        _ => Ok(()),
    }
}

fn of_choice(choice: &Choice) -> Checked {
    order(choice.order.as_ref())?;
    rules(&choice.rules)?;
    choice.magic.as_ref().map_or(Ok(()), magic)?;
    for variant in &choice.variants {
        // an untagged variant has one that is not read
        if choice.tag != Tag::Untagged {
            expression(&variant.tag).map_err(|e| e.within(&variant.name))?;
        }
        rules(&variant.rules).map_err(|e| e.within(&variant.name))?;
    }
    Ok(())
}

fn order(order: Option<&ByteOrder>) -> Checked {
    if let Some(ByteOrder::Expr(text)) = order { expression(text) } else { Ok(()) }
}

fn magic(magic: &Magic) -> Checked {
    if let Magic::Number { value, .. } = magic { expression(value) } else { Ok(()) }
}

/// Those of a field, record, choice or variant.
pub(super) fn rules(rules: &[String]) -> Checked {
    rules.iter().try_for_each(|rule| sound(rule, flaw::of_rule(rule)))
}

fn expression(text: &str) -> Checked {
    sound(text, flaw::of_expression(text))
}

fn sound(text: &str, flaw: Option<Flaw>) -> Checked {
    match flaw {
        None => Ok(()),
        Some(Flaw { text: why, .. }) if text.trim().is_empty() => Err(DescriptionError::new(why)),
        Some(Flaw { text: why, .. }) => Err(DescriptionError::new(format!("{why}: {}", quoted(text)))),
    }
}
