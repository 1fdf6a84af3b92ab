//! `CREATE EXTERNAL TABLE .. STORED AS SDDS LOCATION '..'`.

use crate::opening::Opening;
use crate::wrong;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::Result;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// Tables of a format, or of all.
#[derive(Debug)]
struct Factory(Option<&'static str>);

#[async_trait]
impl TableProviderFactory for Factory {
    async fn create(&self, _: &dyn Session, said: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let table = &said.name;
        if !said.schema.fields().is_empty() {
            return Err(wrong(format!("table {table}: its columns are those of the file, and are not said")));
        }
        if !said.order_exprs.is_empty() {
            return Err(wrong(format!(
                "table {table}: WITH ORDER has no effect on such files; say ORDER BY in a query"
            )));
        }
        let mut opening = Opening::new("");
        opening.paths.clone_from(&said.locations);
        opening.format = self.0.map(str::to_owned);
        for (name, text) in &said.options {
            opening = crate::said::said(opening, name.strip_prefix("format.").unwrap_or(name), text)?;
        }
        Ok(Arc::new(opening.table()?))
    }
}

pub(crate) fn register(context: &SessionContext) {
    let state = context.state_ref();
    let mut state = state.write();
    let factories = state.table_factories_mut();
    for format in binfmt::FORMATS {
        // DataFusion reads these itself
        if format.name() != "csv" {
            factories.insert(format.name().to_uppercase(), Arc::new(Factory(Some(format.name()))));
        }
    }
    factories.insert("BINFMT".to_owned(), Arc::new(Factory(None)));
}
