//! Table functions: `sdds('f')`, `scidb('f', '(int8)')`, `binfmt('any')`; of a file `sdds_parameters('f')`, `sdds_arrays('f')`,
//! `binfmt_columns('any')`.

use crate::opening::Opening;
use crate::said::{Named, all_said};
use crate::wrong;
use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, ScalarValue};
use datafusion::datasource::MemTable;
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// The function of a format, or of all, and what is said besides.
#[derive(Debug)]
struct Function(Option<&'static str>, &'static [(&'static str, &'static str)]);

/// `binfmt_columns('any')`: what is said of the columns.
#[derive(Debug)]
struct ColumnsOf;

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

/// How the file of the first argument is opened, as the others say, and what is said besides unless they say it.
fn opening(
    args: &TableFunctionArgs<'_, '_>,
    format: Option<&str>,
    besides: &[(&str, &str)],
) -> Result<Opening> {
    let texts = args.exprs().iter().map(text).collect::<Result<Vec<_>>>()?;
    let Some((path, said)) = texts.split_first() else { return Err(wrong("which file?")) };
    let opening = Opening { format: format.map(str::to_owned), ..Opening::new(*path) };
    let opening = besides.iter().fold(opening, |opening, (name, text)| opening.with(name, text));
    all_said(opening, said)
}

impl TableFunctionImpl for Function {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        Ok(Arc::new(opening(&args, self.0, self.1)?.table()?))
    }
}

impl TableFunctionImpl for ColumnsOf {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let of = opening(&args, None, &[])?.table()?.schema();
        let said = |key: &str| {
            of.fields().iter().map(|field| field.metadata().get(key).cloned()).collect::<StringArray>()
        };
        let names: StringArray = of.fields().iter().map(|field| Some(field.name())).collect();
        let types: StringArray =
            of.fields().iter().map(|field| Some(field.data_type().to_string())).collect();
        let nullable: BooleanArray = of.fields().iter().map(|field| Some(field.is_nullable())).collect();
        let columns: [(&str, ArrayRef); 5] = [
            ("column_name", Arc::new(names)),
            ("data_type", Arc::new(types)),
            ("is_nullable", Arc::new(nullable)),
            ("units", Arc::new(said("units"))),
            ("description", Arc::new(said("description"))),
        ];
        let batch = RecordBatch::try_from_iter(columns)?;
        Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
    }
}

pub(crate) fn register(context: &SessionContext) {
    let mut functions: Vec<(&str, Arc<dyn TableFunctionImpl>)> = vec![
        ("binfmt", Arc::new(Function(None, &[]))),
        ("sdds_parameters", Arc::new(Function(Some("sdds"), &[("pages", "true")]))),
        (
            "sdds_arrays",
            Arc::new(Function(
                Some("sdds"),
                &[("arrays", "*"), ("page_numbers", "true"), ("indices", "true")],
            )),
        ),
        ("binfmt_columns", Arc::new(ColumnsOf)),
    ];
    for format in binfmt::FORMATS {
        functions.push((format.name(), Arc::new(Function(Some(format.name()), &[]))));
    }
    let names = functions.iter().map(|(name, _)| (*name).to_owned()).collect();
    for (name, function) in functions {
        context.register_udtf(name, function);
    }
    let _ = context.state_ref().write().register_relation_planner(Arc::new(Named { functions: names }));
}
