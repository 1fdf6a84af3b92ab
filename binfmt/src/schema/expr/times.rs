//! Fields and texts that stand for numbers of units, such as times.

use super::short::Short;
use super::{Expr, Expression, Op};
use alloc::boxed::Box;

/// The number that a text is beside the field of a slot, and the slot where the field is counted in the same unit. The last says whether
/// the two are compared: else something is computed of them.
pub(crate) type ReadText<'a> = &'a dyn Fn(usize, &[u8], bool) -> Option<(usize, i64)>;

impl Expression {
    /// Texts that are compared with a field become the numbers that they are there, if `number` knows them.
    pub(crate) fn read_texts(&mut self, number: ReadText<'_>) {
        if let Ok(tree) = &mut self.tree {
            read(tree, number);
            self.short = Short::new(tree);
        }
    }

    /// Fields that are compared with each other are read from the slots where both are counted in one unit, if `slots` knows them.
    pub(crate) fn compare_in_one_unit(&mut self, slots: &dyn Fn([usize; 2]) -> Option<[usize; 2]>) {
        if let Ok(tree) = &mut self.tree {
            compare(tree, slots);
            self.short = Short::new(tree);
        }
    }

    /// The slots of two fields of different units of which something is computed together.
    pub(crate) fn mixed_units<U: PartialEq>(&self, unit: &dyn Fn(usize) -> Option<U>) -> Option<[usize; 2]> {
        let tree = self.tree.as_ref().ok()?;
        Units(unit).of(tree).err()
    }
}

fn read(tree: &mut Expr, number: ReadText<'_>) {
    match tree {
        Expr::Not(of) => read(of, number),
        Expr::Binary(op, a, b) => {
            side(a, b, op.is_comparison(), number);
            side(b, a, op.is_comparison(), number);
            read(a, number);
            read(b, number);
        }
        _ => {}
    }
}

fn side(field: &mut Expr, text: &mut Box<Expr>, is_compared: bool, number: ReadText<'_>) {
    if let (Expr::Field(_, Some(slot)), Expr::Bytes(bytes)) = (field, &**text)
        && let Some((counted, n)) = number(*slot, bytes, is_compared)
    {
        *slot = counted;
        **text = Expr::Int(n.into());
    }
}

fn compare(tree: &mut Expr, slots: &dyn Fn([usize; 2]) -> Option<[usize; 2]>) {
    match tree {
        Expr::Not(of) => compare(of, slots),
        Expr::Binary(op, a, b) => {
            if let (Expr::Field(_, Some(a)), Expr::Field(_, Some(b))) = (&mut **a, &mut **b)
                && op.is_comparison()
                && let Some(counted) = slots([*a, *b])
            {
                [*a, *b] = counted;
                return;
            }
            compare(a, slots);
            compare(b, slots);
        }
        _ => {}
    }
}

struct Units<'a, U>(&'a dyn Fn(usize) -> Option<U>);

impl<U: PartialEq> Units<'_, U> {
    /// A field whose unit this is in, if it is in one.
    fn of(&self, tree: &Expr) -> Result<Option<usize>, [usize; 2]> {
        Ok(match tree {
            Expr::Field(_, slot) => slot.filter(|slot| (self.0)(*slot).is_some()),
            Expr::Minus(of) => self.of(of)?,
            // what a method or a cast makes of it is a number
            Expr::Not(of) | Expr::Cast(of, _) | Expr::Call(of, _) | Expr::Like(of, _) => {
                self.of(of)?;
                None
            }
            Expr::Binary(Op::And | Op::Or, a, b) => {
                self.of(a)?;
                self.of(b)?;
                None
            }
            Expr::Binary(op, a, b) => {
                let both = self.both(a, b)?;
                // a product is a number, whose unit nobody knows
                both.filter(|_| matches!(op, Op::Add | Op::Sub))
            }
            Expr::If(condition, yes, no) => {
                self.of(condition)?;
                self.both(yes, no)?
            }
            Expr::Int(_)
            | Expr::Float(_)
            | Expr::Bool(_)
            | Expr::Bytes(_)
            | Expr::Order(_)
            | Expr::Member(..) => None,
        })
    }

    fn both(&self, a: &Expr, b: &Expr) -> Result<Option<usize>, [usize; 2]> {
        match (self.of(a)?, self.of(b)?) {
            (Some(a), Some(b)) if (self.0)(a) != (self.0)(b) => Err([a, b]),
            (a, b) => Ok(a.or(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_became_a_number_is_compared_the_short_way() {
        for text in ["t > 'five'", "'five' = t", "not t <= 'five'"] {
            let mut expression = Expression::of_words(text, &|name| (name == "t").then_some(0));
            assert!(expression.short.is_none(), "{text}");
            expression.read_texts(&|slot, text, _| (slot == 0 && text == b"five").then_some((0, 5)));
            let is_short = matches!(expression.short, Some(Short::Test(_)));
            // a number that stands first is compared by the tree
            assert_eq!(is_short, !text.starts_with('\''), "{text}");
        }
    }
}
