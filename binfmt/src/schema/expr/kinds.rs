//! Whether a condition can be computed, as far as the types of its fields tell.

use super::{Expr, Expression, Method, Op, words};
use alloc::format;
use alloc::string::String;

/// What a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Number,
    Flag,
    Text,
    /// Something that has a number of items and is not compared.
    List,
    /// It may be any of them.
    Any,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Number => "a number",
            What::Flag => "a bool",
            What::Text => "text",
            What::List => "a list",
            What::Any => "a value",
        }
    }
}

impl Expression {
    /// Why this is not a condition over fields of these kinds, if it is not.
    pub(crate) fn mismatch(&self, kinds: &dyn Fn(usize) -> What) -> Option<String> {
        let tree = self.tree.as_ref().ok()?;
        let why = Kinds(kinds).condition(tree).err()?;
        Some(format!("{why}{}", words::instead(tree)))
    }
}

struct Kinds<'a>(&'a dyn Fn(usize) -> What);

impl Kinds<'_> {
    fn condition(&self, tree: &Expr) -> Result<(), String> {
        match self.kind(tree)? {
            What::Flag | What::Any => Ok(()),
            other => Err(format!("{} is not a condition", other.name())),
        }
    }

    fn number(&self, tree: &Expr) -> Result<(), String> {
        match self.kind(tree)? {
            What::Number | What::Any => Ok(()),
            other => Err(format!("{} is not a number", other.name())),
        }
    }

    /// What this comes to.
    fn kind(&self, tree: &Expr) -> Result<What, String> {
        Ok(match tree {
            Expr::Int(_) | Expr::Float(_) => What::Number,
            Expr::Bool(_) => What::Flag,
            Expr::Bytes(_) => What::Text,
            Expr::Order(_) | Expr::Member(..) => What::Any,
            Expr::Field(_, slot) => slot.map_or(What::Any, self.0),
            Expr::Minus(of) | Expr::Cast(of, _) => {
                self.number(of)?;
                What::Number
            }
            Expr::Not(of) => {
                self.condition(of)?;
                What::Flag
            }
            Expr::Call(of, method) => self.call(of, *method)?,
            Expr::Like(of, _) => match self.kind(of)? {
                What::Text | What::Any => What::Flag,
                other => return Err(format!("{} is not text", other.name())),
            },
            Expr::Binary(Op::And | Op::Or, a, b) => {
                self.condition(a)?;
                self.condition(b)?;
                What::Flag
            }
            Expr::Binary(op, a, b) if op.is_test() => {
                self.compared(a, b)?;
                What::Flag
            }
            Expr::Binary(_, a, b) => {
                self.number(a)?;
                self.number(b)?;
                What::Number
            }
            Expr::If(condition, yes, no) => {
                self.condition(condition)?;
                let (yes, no) = (self.kind(yes)?, self.kind(no)?);
                if yes == no { yes } else { What::Any }
            }
        })
    }

    fn call(&self, of: &Expr, method: Method) -> Result<What, String> {
        let kind = self.kind(of)?;
        match (method, kind) {
            (Method::IsSome | Method::IsNone, _) => Ok(What::Flag),
            (_, What::Number | What::Flag) => Err(format!("{} is not a list", kind.name())),
            (Method::Len, _) => Ok(What::Number),
            (Method::IsEmpty, _) => Ok(What::Flag),
        }
    }

    fn compared(&self, a: &Expr, b: &Expr) -> Result<(), String> {
        match (self.kind(a)?, self.kind(b)?) {
            (What::Any, _) | (_, What::Any) => Ok(()),
            (What::List, _) | (_, What::List) => Err("a list is not compared, only its length".into()),
            (a, b) if a == b => Ok(()),
            (What::Number, other) | (other, What::Number) => Err(format!("{} is not a number", other.name())),
            (a, b) => Err(format!("{} is not compared with {}", a.name(), b.name())),
        }
    }
}
