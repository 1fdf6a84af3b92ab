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
