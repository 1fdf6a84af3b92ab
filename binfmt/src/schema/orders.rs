//! The byte orders of two types that are compared.

use super::types::ByteOrder;
use alloc::borrow::ToOwned;
use alloc::string::String;

/// The byte orders that hold at a place.
#[derive(Clone, Copy, Default)]
pub(super) struct Orders {
    pub(super) expected: Order,
    pub(super) found: Order,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Order {
    /// `None` when nothing fixes it, or an expression does.
    pub(super) little: Option<bool>,
    /// Where it was fixed: the length of the path of that record; `None` inside the field itself.
    pub(super) at: Option<usize>,
}

impl Order {
    pub(super) fn set(&mut self, order: Option<&ByteOrder>, at: Option<usize>) {
        if let Some(order) = order {
            let little = match order {
                ByteOrder::Little => Some(true),
                ByteOrder::Big => Some(false),
                ByteOrder::Expr(_) => None,
            };
            *self = Order { little, at };
        }
    }
}

pub(super) fn order_text(little: Option<bool>) -> String {
    match little {
        Some(true) => "little-endian".to_owned(),
        Some(false) => "big-endian".to_owned(),
        None => "any".to_owned(),
    }
}
