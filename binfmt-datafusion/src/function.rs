//! Table functions: `sdds('f')`, `scidb('f', '(int8)')`, `binfmt('any')`.

use crate::opening::Opening;
use crate::wrong;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// The function of a format, or of all.
#[derive(Debug)]
struct Function(Option<&'static str>);

fn text(e: &Expr) -> Result<&str> {
    match e {
        Expr::Literal(
            ScalarValue::Utf8(Some(text))
            | ScalarValue::LargeUtf8(Some(text))
            | ScalarValue::Utf8View(Some(text)),
            _,
        ) => Ok(text),
        other => Err(wrong(format!("expected a text, found {other}"))),
    }
}

impl TableFunctionImpl for Function {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let texts = args.exprs().iter().map(text).collect::<Result<Vec<_>>>()?;
        let Some((path, said)) = texts.split_first() else { return Err(wrong("which file?")) };
        let mut opening = Opening::new(*path);
        if let Some(format) = self.0 {
            opening = opening.format(format);
        }
        for text in said {
            // what a row is may be said alone
            let usual = if opening.format.as_deref() == Some("scidb") { "schema" } else { "layout" };
            let is_name =
                |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let (name, text) = match text.split_once('=') {
                Some((name, text)) if is_name(name) => (name, text),
                _ => (usual, *text),
            };
            if name == "layout" && opening.format.is_none() {
                opening = opening.format("layout");
            }
            opening = opening.with(name, text);
        }
        Ok(Arc::new(opening.table()?))
    }
}

pub(crate) fn register(context: &SessionContext) {
    for format in binfmt::FORMATS {
        context.register_udtf(format.name(), Arc::new(Function(Some(format.name()))));
    }
    context.register_udtf("binfmt", Arc::new(Function(None)));
}
