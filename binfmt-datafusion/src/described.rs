//! What there is: tables, and their columns with what the files say of them.

use crate::sentence::Done;
use crate::wrong;
use binfmt::table::keys;
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference};
use datafusion::datasource::TableType;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::memory::MemoryStream;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{self, ObjectName};
use std::sync::Arc;

/// The name of a table or a file.
pub(crate) type Name = TableReference;

/// The table that a statement asks about: `DESCRIBE t`, `SHOW COLUMNS FROM 'x.sdds'`.
pub(crate) fn table_of(statement: &Statement) -> Result<Option<Name>> {
    let Statement::Statement(statement) = statement else { return Ok(None) };
    let name = match &**statement {
        ast::Statement::ExplainTable { table_name, .. } => table_name,
        ast::Statement::ShowColumns { show_options, .. } => {
            if show_options.filter_position.is_some() || show_options.limit.is_some() {
                return Err(wrong(
                    "SHOW COLUMNS FROM t: LIKE, WHERE and LIMIT are for SELECT .. FROM information_schema.columns",
                ));
            }
            match show_options.show_in.as_ref().and_then(|place| place.parent_name.as_ref()) {
                Some(name) => name,
                None => return Err(wrong("SHOW COLUMNS: of which table? SHOW COLUMNS FROM t")),
            }
        }
        _ => return Ok(None),
    };
    name_of(name).map(Some)
}

/// Whether a statement asks for the tables of the session, and nothing more.
pub(crate) fn is_of_tables(statement: &Statement) -> bool {
    let Statement::Statement(statement) = statement else { return false };
    match &**statement {
        ast::Statement::ShowTables { show_options, .. } => {
            show_options.show_in.is_none() && show_options.filter_position.is_none()
        }
        _ => false,
    }
}

/// A name as the engine knows it.
fn name_of(name: &ObjectName) -> Result<Name> {
    let parts: Option<Vec<String>> =
        name.0.iter().map(|part| part.as_ident().map(|part| part.value.clone())).collect();
    Ok(match parts.as_deref() {
        Some([table]) => TableReference::bare(table.clone()),
        Some([schema, table]) => TableReference::partial(schema.clone(), table.clone()),
        Some([catalog, schema, table]) => {
            TableReference::full(catalog.clone(), schema.clone(), table.clone())
        }
        _ => return Err(wrong(format!("{name} is not the name of a table"))),
    })
}

/// One batch as an answer.
fn answer(columns: Vec<(&str, ArrayRef)>) -> Result<SendableRecordBatchStream> {
    let batch = RecordBatch::try_from_iter(columns)?;
    let schema = batch.schema();
    Ok(Box::pin(MemoryStream::try_new(vec![batch], schema, None)?))
}

/// The columns of a table: names, types, and, where files say some, units and descriptions.
///
/// # Errors
/// There is no such table.
pub(crate) async fn columns(context: &SessionContext, name: &Name) -> Done<SendableRecordBatchStream> {
    let table: Arc<dyn TableProvider> = context.table_provider(name.clone()).await?;
    let schema = table.schema();
    let fields = schema.fields();
    let texts = |of: &dyn Fn(&datafusion::arrow::datatypes::Field) -> Option<String>| -> StringArray {
        fields.iter().map(|field| of(field)).collect()
    };
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("column_name", Arc::new(texts(&|field| Some(field.name().clone())))),
        ("data_type", Arc::new(texts(&|field| Some(field.data_type().to_string())))),
        (
            "is_nullable",
            Arc::new(texts(&|field| Some(if field.is_nullable() { "YES" } else { "NO" }.to_owned()))),
        ),
    ];
    for key in [keys::UNITS, keys::DESCRIPTION] {
        let said = texts(&|field| field.metadata().get(key).cloned());
        if said.iter().flatten().next().is_some() {
            columns.push((key, Arc::new(said)));
        }
    }
    Ok(answer(columns)?)
}

/// The tables and views of a session.
pub(crate) async fn tables(context: &SessionContext) -> Done<SendableRecordBatchStream> {
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for catalog in context.catalog_names().iter().filter_map(|name| context.catalog(name)) {
        for name in catalog.schema_names().iter().filter(|name| *name != "information_schema") {
            let Some(schema) = catalog.schema(name) else { continue };
            for table in schema.table_names() {
                let kind = match schema.table(&table).await?.map(|table| table.table_type()) {
                    Some(TableType::View) => "view",
                    _ => "table",
                };
                names.push(if name == "public" { table } else { format!("{name}.{table}") });
                kinds.push(kind);
            }
        }
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("table_name", Arc::new(StringArray::from(names))),
        ("table_type", Arc::new(StringArray::from(kinds))),
    ];
    Ok(answer(columns)?)
}
