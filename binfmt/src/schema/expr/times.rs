//! Texts that stand for numbers, such as times.

use super::short::Short;
use super::{Expr, Expression};
use alloc::boxed::Box;

impl Expression {
    /// Texts that are compared with a field become the numbers that they are there, if `number` knows them.
    pub(crate) fn read_texts(&mut self, number: &dyn Fn(usize, &[u8]) -> Option<i64>) {
        if let Ok(tree) = &mut self.tree {
            read(tree, number);
            self.short = Short::new(tree);
        }
    }
}

fn read(tree: &mut Expr, number: &dyn Fn(usize, &[u8]) -> Option<i64>) {
    match tree {
        Expr::Not(of) => read(of, number),
        Expr::Binary(_, a, b) => {
            side(a, b, number);
            side(b, a, number);
            read(a, number);
            read(b, number);
        }
        _ => {}
    }
}

fn side(field: &Expr, text: &mut Box<Expr>, number: &dyn Fn(usize, &[u8]) -> Option<i64>) {
    if let (Expr::Field(_, Some(slot)), Expr::Bytes(bytes)) = (field, &**text)
        && let Some(n) = number(*slot, bytes)
    {
        **text = Expr::Int(n.into());
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
            expression.read_texts(&|slot, text| (slot == 0 && text == b"five").then_some(5));
            let is_short = matches!(expression.short, Some(Short::Test(_)));
            // a number that stands first is compared by the tree
            assert_eq!(is_short, !text.starts_with('\''), "{text}");
        }
    }
}
