//! Expressions: numbers, fields, arithmetic, comparisons, conditions.
//!
//! A description has them as they are in the source, so this is a small part of Rust. Integers are computed in `i128`,
//! and checked: what overflows there is an error. Most fit into 64 bits and take a shorter way to the same number (`short`).
//! Everything else is refused with the text of the expression. What people ask
//! of the rows of a table is the same in [words](words) of their own.
//!
//! A text is parsed once. In its tree the names of earlier fields are *slots*, places among the fields that have values, so that
//! no name is looked up when a value is read. A text that is not understood is kept with the reason: only a value that
//! needs it is refused.

pub(crate) mod flaw;
#[cfg(feature = "table")]
mod kinds;
mod like;
pub(crate) mod literal;
#[cfg(feature = "table")]
mod needed;
mod op;
mod parse;
mod pattern;
mod range;
mod short;
#[cfg(feature = "table")]
mod times;
mod why;
mod words;

use crate::error::{Error, Result};
use crate::numbers::{Number, to_f32};
use crate::wire::Endian;
use crate::wire::amount::plus;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

#[cfg(feature = "table")]
pub(crate) use kinds::What;
use like::Like;
#[cfg(feature = "table")]
pub(crate) use needed::{Literal, Needed};
use op::{IntType, Op};
pub(crate) use pattern::{Patterns, Tag, Tags};
pub(crate) use range::{Range, Rule};
use short::Short;
pub(crate) use short::Test;
use why::{Why, is_not, no_field, no_member, overflow};

/// What a field holds, as far as expressions ask.
pub(crate) trait Operand {
    /// An integer.
    fn int(&self) -> Option<i128>;
    /// An integer of 64 bits.
    fn small(&self) -> Option<i64> {
        i64::try_from(self.int()?).ok()
    }
    /// A number of any kind, but no bool.
    fn number(&self) -> Option<Number>;
    /// A bool.
    fn flag(&self) -> Option<bool>;
    /// Bytes, or those of a text.
    fn bytes(&self) -> Option<&[u8]>;
    /// A field of a record.
    fn member(&self, name: &str) -> Option<&Self>;
    /// How many elements a list has, or bytes a text.
    fn num_items(&self) -> Option<usize>;
    /// Whether it is neither missing nor absent.
    fn is_there(&self) -> bool;
    /// What it is, for messages.
    fn what(&self) -> &'static str;
}

/// What the names of an expression stand for, by their slots: mostly the earlier fields of a record.
pub(crate) trait Operands<V> {
    /// The value of a slot.
    fn at(&self, slot: usize) -> Option<&V>;

    /// All values in the order of their slots, or none if they are found in another way.
    fn in_order(&self) -> &[V];
}

/// What an expression comes to where any value will do.
pub(crate) enum Term<'s, V> {
    Int(i128),
    Flag(bool),
    Bytes(&'s [u8]),
    /// A field, or a part of one, as it is.
    Field(&'s V),
}

/// What an expression can name.
pub(crate) type Scope<'s, V> = &'s (dyn Operands<V> + 's);

/// The slot of a name, if it has one.
pub(crate) type Slots<'s> = &'s dyn Fn(&str) -> Option<usize>;

/// No names at all.
pub(crate) struct Nothing;

impl<V> Operands<V> for Nothing {
    fn at(&self, _: usize) -> Option<&V> {
        None
    }
    fn in_order(&self) -> &[V] {
        &[]
    }
}

/// One name, of slot 0.
struct Parameter<'s, V>(&'s V);

impl<V> Operands<V> for Parameter<'_, V> {
    fn at(&self, slot: usize) -> Option<&V> {
        (slot == 0).then_some(self.0)
    }
    fn in_order(&self) -> &[V] {
        core::slice::from_ref(self.0)
    }
}

/// What is never there: the fields of an expression that names none.
enum Never {}

impl Operand for Never {
    fn int(&self) -> Option<i128> {
        match *self {}
    }
    fn number(&self) -> Option<Number> {
        match *self {}
    }
    fn flag(&self) -> Option<bool> {
        match *self {}
    }
    fn bytes(&self) -> Option<&[u8]> {
        match *self {}
    }
    fn member(&self, _: &str) -> Option<&Self> {
        match *self {}
    }
    fn num_items(&self) -> Option<usize> {
        match *self {}
    }
    fn is_there(&self) -> bool {
        match *self {}
    }
    fn what(&self) -> &'static str {
        match *self {}
    }
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Int(i128),
    Float(f64),
    Bool(bool),
    Bytes(Vec<u8>),
    Order(Endian),
    /// A field by its name, and its slot once that is known.
    Field(String, Option<usize>),
    Member(Box<Expr>, String),
    Call(Box<Expr>, Method),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Cast(Box<Expr>, IntType),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Whether a text matches.
    Like(Box<Expr>, Box<Like>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// What can be asked of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Len,
    IsEmpty,
    IsSome,
    IsNone,
}

/// An expression of a description: its text, and its tree if it is understood.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: Box<str>,
    tree: Result<Expr, Why>,
    short: Option<Short>,
}

impl Expression {
    /// The expression of a text whose names have these slots.
    pub(crate) fn new(text: &str, slots: Slots<'_>) -> Self {
        let tree = parse::expression(text).map(|mut tree| {
            tree.each_name(&mut |name, slot| *slot = slots(name));
            tree
        });
        let short = tree.as_ref().ok().and_then(Short::new);
        Expression { text: text.into(), tree, short }
    }

    /// Whether it is understood, and all its names have slots.
    pub(crate) fn is_known(&self) -> bool {
        self.tree.clone().is_ok_and(|mut tree| {
            let mut known = true;
            tree.each_name(&mut |_, slot| known &= slot.is_some());
            known
        })
    }

    /// The number that it comes to.
    #[inline]
    pub(crate) fn int<V: Operand>(&self, scope: Scope<'_, V>, at: u64) -> Result<i128> {
        match self.short.as_ref().and_then(|short| short.int(scope.in_order())) {
            Some(n) => Ok(n.into()),
            None => self.work_out(at, |tree| match tree.small(scope) {
                Some(n) => Ok(n.into()),
                None => tree.int(scope),
            }),
        }
    }

    /// What it is if it compares a field with a constant.
    #[inline]
    pub(crate) fn as_test(&self) -> Option<&Test> {
        match &self.short {
            Some(Short::Test(test)) => Some(test),
            _ => None,
        }
    }

    /// Whether it holds, if it compares a field, which these slots have, with a constant.
    #[inline(always)]
    fn holds<V: Operand>(&self, slots: &[V]) -> Option<bool> {
        self.as_test()?.holds(slots)
    }

    /// The condition that it comes to.
    #[inline(never)]
    pub(crate) fn flag<V: Operand>(&self, scope: Scope<'_, V>, at: u64) -> Result<bool> {
        let slots = scope.in_order();
        match self.holds(slots).or_else(|| self.short.as_ref()?.flag(slots)) {
            Some(flag) => Ok(flag),
            None => self.work_out(at, |tree| tree.flag(scope)),
        }
    }

    /// The byte order that it comes to.
    pub(crate) fn order<V: Operand>(&self, scope: Scope<'_, V>, at: u64) -> Result<Endian> {
        self.work_out(at, |tree| match tree.taken(scope)? {
            Expr::Order(order) => Ok(*order),
            _ => Err("this is not a byte order".into()),
        })
    }

    /// How many elements the list has that it names.
    pub(crate) fn num_items<V: Operand>(&self, scope: Scope<'_, V>, at: u64) -> Result<usize> {
        self.work_out(at, |tree| tree.len(scope))
    }

    /// The tag that it comes to.
    pub(crate) fn tag<V: Operand>(&self, scope: Scope<'_, V>, at: u64) -> Result<Tag> {
        self.work_out(at, |tree| {
            let tree = tree.taken(scope)?;
            match (tree.as_flag(scope)?, tree.as_bytes(scope)?) {
                (Some(b), _) => Ok(Tag::Bool(b)),
                (_, Some(b)) => Ok(Tag::Bytes(b.to_vec())),
                _ => tree.int(scope).map(Tag::Int),
            }
        })
    }

    /// What it comes to, whatever that is.
    pub(crate) fn term<'s, V: Operand>(&'s self, scope: Scope<'s, V>, at: u64) -> Result<Term<'s, V>> {
        self.work_out(at, |tree| {
            let tree = tree.taken(scope)?;
            if let Some(value) = tree.field(scope)? {
                return Ok(Term::Field(value));
            }
            match (tree, tree.as_flag(scope)?) {
                (Expr::Bytes(bytes), _) => Ok(Term::Bytes(bytes)),
                (_, Some(flag)) => Ok(Term::Flag(flag)),
                _ => tree.int(scope).map(Term::Int),
            }
        })
    }

    #[inline(never)]
    fn work_out<'e, T>(&'e self, at: u64, as_type: impl FnOnce(&'e Expr) -> Result<T, Why>) -> Result<T> {
        match self.tree.as_ref().map_err(Why::clone).and_then(as_type) {
            Ok(term) => Ok(term),
            Err(why) => Err(refused(&self.text, &why, at)),
        }
    }
}

/// Which element is the last of its list: `|element| ..`, or `|element: &u8| ..`.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    text: Box<str>,
    /// Over the element alone, slot 0.
    body: Option<Expression>,
}

impl Predicate {
    pub(crate) fn new(text: &str) -> Self {
        let closure = text.trim().strip_prefix('|').and_then(|rest| rest.split_once('|'));
        let body = closure.map(|(parameter, body)| {
            let own = parameter.split_once(':').map_or(parameter, |(own, _)| own);
            let own = own.trim().trim_start_matches('&').trim();
            Expression::new(body, &|name| (name == own).then_some(0))
        });
        Predicate { text: text.into(), body }
    }

    /// Whether an element ends its list.
    pub(crate) fn is_last<V: Operand>(&self, element: &V, at: u64) -> Result<bool> {
        match &self.body {
            Some(body) => body.flag(&Parameter(element), at),
            None => Err(refused(&self.text, "this is not a function of one element", at)),
        }
    }
}

/// The number that an expression comes to that names no field.
pub(crate) fn constant(text: &str, at: u64) -> Result<i128> {
    Expression::new(text, &|_| None).int::<Never>(&Nothing, at)
}

/// Every name in an expression, in as far as it is understood.
pub(crate) fn names(text: &str, name: &mut dyn FnMut(&str)) {
    if let Ok(mut tree) = parse::expression(text) {
        tree.each_name(&mut |found, _| name(found));
    }
}

/// What a name of an expression stands for. A field of a tuple is `_0` there, and `0` in a description.
pub(crate) fn named<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    let number =
        || name.strip_prefix('_').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    find(name).or_else(|| find(number()?))
}

impl Expr {
    /// The expressions that it is made of.
    fn children(&mut self) -> impl Iterator<Item = &mut Expr> {
        let list = match self {
            Expr::Int(_)
            | Expr::Float(_)
            | Expr::Bool(_)
            | Expr::Bytes(_)
            | Expr::Order(_)
            | Expr::Field(..) => [None, None, None],
            Expr::Member(of, _)
            | Expr::Call(of, _)
            | Expr::Not(of)
            | Expr::Minus(of)
            | Expr::Cast(of, _)
            | Expr::Like(of, _) => [Some(of), None, None],
            Expr::Binary(_, a, b) => [Some(a), Some(b), None],
            Expr::If(condition, yes, no) => [Some(condition), Some(yes), Some(no)],
        };
        list.into_iter().flatten().map(|of| &mut **of)
    }

    fn each_name(&mut self, found: &mut dyn FnMut(&str, &mut Option<usize>)) {
        match self {
            Expr::Field(name, slot) => found(name, slot),
            other => other.children().for_each(|of| of.each_name(found)),
        }
    }

    /// How many expressions there are in it, with itself.
    fn nodes(&mut self) -> usize {
        self.children().map(Expr::nodes).fold(1, plus)
    }
}

#[cold]
pub(crate) fn refused(text: &str, why: &str, at: u64) -> Error {
    Error::message(format!("`{}` cannot be computed: {}", shortened(text), shortened(why)), at)
}

/// A text of a description as messages quote it: what is very long is cut.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// What an expression comes to, by the type that is asked for. Only fields, and what a condition chooses, have a type that is
/// not plain to see.
impl Expr {
    /// Where this is a choice, the branch that is taken.
    #[inline]
    fn taken<V: Operand>(&self, scope: Scope<'_, V>) -> Result<&Expr, Why> {
        let mut taken = self;
        while let Expr::If(condition, yes, no) = taken {
            taken = if condition.flag(scope)? { yes } else { no };
        }
        Ok(taken)
    }

    /// The field that this is.
    #[inline]
    fn field<'s, V: Operand>(&self, scope: Scope<'s, V>) -> Result<Option<&'s V>, Why> {
        match self {
            Expr::Field(name, slot) => match slot.and_then(|slot| scope.at(slot)) {
                Some(value) => Ok(Some(value)),
                None => Err(no_field(name)),
            },
            Expr::Member(of, name) => {
                let value = of.taken(scope)?.field(scope)?.and_then(|value| value.member(name));
                value.map(Some).ok_or_else(|| no_member(name))
            }
            _ => Ok(None),
        }
    }

    fn int<V: Operand>(&self, scope: Scope<'_, V>) -> Result<i128, Why> {
        match self.taken(scope)? {
            Expr::Int(n) => Ok(*n),
            Expr::Minus(of) => of.int(scope)?.checked_neg().ok_or_else(overflow),
            Expr::Cast(of, to) => Ok(to.wrap(of.int(scope)?)),
            Expr::Call(of, Method::Len) => Ok(i128::try_from(of.len(scope)?).unwrap_or(i128::MAX)),
            Expr::Binary(op, a, b) if !op.is_test() => op.apply(a.int(scope)?, b.int(scope)?),
            term => match term.field(scope)? {
                Some(value) => value.int().ok_or_else(|| is_not("a number", value)),
                None => Err("this is not a number".into()),
            },
        }
    }

    /// The number that this comes to, of any kind.
    fn number<V: Operand>(&self, scope: Scope<'_, V>) -> Result<Number, Why> {
        match self.taken(scope)? {
            Expr::Float(x) => Ok(Number::F64(*x)),
            Expr::Minus(of) => match of.number(scope)? {
                Number::F32(x) => Ok(Number::F32(-x)),
                n if n.number_type().is_float() => Ok(Number::F64(-n.to_f64())),
                n => n.as_i128().and_then(i128::checked_neg).map(Number::I128).ok_or_else(overflow),
            },
            Expr::Binary(op, a, b) if !op.is_test() => {
                let (a, b) = a.taken(scope)?.numbers(b.taken(scope)?, scope)?;
                op.apply_to(a, b)
            }
            tree @ (Expr::Int(_) | Expr::Cast(..) | Expr::Call(_, Method::Len)) => {
                tree.int(scope).map(Number::I128)
            }
            term => match term.field(scope)? {
                Some(value) => value.number().ok_or_else(|| is_not("a number", value)),
                None => Err("this is not a number".into()),
            },
        }
    }

    /// Two numbers. A literal beside a number of single precision is of single precision, as in Rust.
    fn numbers<V: Operand>(&self, other: &Expr, scope: Scope<'_, V>) -> Result<(Number, Number), Why> {
        Ok(match (self.number(scope)?, other.number(scope)?) {
            (a @ Number::F32(_), Number::F64(b)) if other.is_float() => (a, Number::F32(to_f32(b))),
            (Number::F64(a), b @ Number::F32(_)) if self.is_float() => (Number::F32(to_f32(a)), b),
            both => both,
        })
    }

    /// Whether this is a float that is written out.
    fn is_float(&self) -> bool {
        match self {
            Expr::Float(_) => true,
            Expr::Minus(of) => of.is_float(),
            _ => false,
        }
    }

    fn flag<V: Operand>(&self, scope: Scope<'_, V>) -> Result<bool, Why> {
        match self.taken(scope)?.as_flag(scope)? {
            Some(flag) => Ok(flag),
            None => Err("this is not a condition".into()),
        }
    }

    /// The condition that this is, if it is one; no choice.
    fn as_flag<V: Operand>(&self, scope: Scope<'_, V>) -> Result<Option<bool>, Why> {
        Ok(Some(match self {
            Expr::Bool(b) => *b,
            Expr::Not(of) => match of.taken(scope)?.as_flag(scope)? {
                Some(flag) => !flag,
                None => return Err("`!` is for conditions".into()),
            },
            Expr::Binary(Op::Or, a, b) => decided(true, a.flag(scope), || b.flag(scope))?,
            Expr::Binary(Op::And, a, b) => decided(false, a.flag(scope), || b.flag(scope))?,
            Expr::Binary(op, a, b) if op.is_test() => op.holds(a.compared(b, scope)?),
            Expr::Call(of, Method::IsEmpty) => of.len(scope)? == 0,
            Expr::Call(of, Method::IsSome) => of.is_there(scope)?,
            Expr::Call(of, Method::IsNone) => !of.is_there(scope)?,
            Expr::Like(of, like) => of.is_like(like, scope)?,
            field => match field.field(scope)? {
                Some(value) if !value.is_there() => return Err(is_not("a condition", value)),
                value => return Ok(value.and_then(Operand::flag)),
            },
        }))
    }

    /// The bytes that this is, if it is some; no choice.
    fn as_bytes<'s, V: Operand>(&'s self, scope: Scope<'s, V>) -> Result<Option<&'s [u8]>, Why> {
        match self {
            Expr::Bytes(bytes) => Ok(Some(bytes)),
            field => Ok(field.field(scope)?.and_then(Operand::bytes)),
        }
    }

    /// Whether this comes to a number for any values of the fields.
    #[inline]
    fn is_number(&self) -> bool {
        match self {
            Expr::Int(_) | Expr::Float(_) | Expr::Minus(_) | Expr::Cast(..) | Expr::Call(_, Method::Len) => {
                true
            }
            Expr::Binary(op, ..) => !op.is_test(),
            _ => false,
        }
    }

    /// The order of the two; `None` beside a NaN.
    fn compared<V: Operand>(&self, other: &Expr, scope: Scope<'_, V>) -> Result<Option<Ordering>, Why> {
        let (a, b) = (self.taken(scope)?, other.taken(scope)?);
        if !(a.is_number() || b.is_number()) {
            if let (Some(a), Some(b)) = (a.as_bytes(scope)?, b.as_bytes(scope)?) {
                return Ok(Some(a.cmp(b)));
            }
            if let (Some(a), Some(b)) = (a.as_flag(scope)?, b.as_flag(scope)?) {
                return Ok(Some(a.cmp(&b)));
            }
        }
        let (a, b) = a.numbers(b, scope)?;
        Ok(a.compare(b))
    }

    fn len<V: Operand>(&self, scope: Scope<'_, V>) -> Result<usize, Why> {
        match self.taken(scope)? {
            Expr::Bytes(bytes) => Ok(bytes.len()),
            term => match term.field(scope)? {
                Some(value) => value.num_items().ok_or_else(|| is_not("a list", value)),
                None => Err("this is not a list".into()),
            },
        }
    }

    fn is_there<V: Operand>(&self, scope: Scope<'_, V>) -> Result<bool, Why> {
        match self.taken(scope)?.field(scope)? {
            Some(value) => Ok(value.is_there()),
            None => Err("only a field may be missing".into()),
        }
    }
}

/// Two conditions joined by a word that the first decides if it comes to `decider`. A missing value leaves it to the second.
fn decided(
    decider: bool,
    first: Result<bool, Why>,
    second: impl FnOnce() -> Result<bool, Why>,
) -> Result<bool, Why> {
    match first {
        Ok(flag) if flag == decider => Ok(flag),
        Ok(_) => second(),
        Err(why) if why.is_missing() => match second()? {
            flag if flag == decider => Ok(flag),
            _ => Err(why),
        },
        Err(why) => Err(why),
    }
}
