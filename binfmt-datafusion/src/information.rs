//! `information_schema`, whose `columns` also have units, descriptions, and what the files call the types.
//!
//! The engine's own has no place for them, and stands before every catalog while its option is on: here it is off, and the catalogs
//! have one that is the same otherwise.

use async_trait::async_trait;
use binfmt::table::keys;
use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::information_schema::{INFORMATION_SCHEMA, InformationSchemaProvider};
use datafusion::catalog::{
    CatalogProvider, CatalogProviderList, MemTable, SchemaProvider, Session, TableFunction, TableProvider,
};
use datafusion::common::Result;
use datafusion::datasource::TableType;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The columns that are added, and the keys of what they tell.
const ADDED: [(&str, &str); 3] =
    [("units", keys::UNITS), ("description", keys::DESCRIPTION), ("native_type", keys::NATIVE)];

type Functions = HashMap<String, Arc<TableFunction>>;

/// What tells the functions of a session, as soon as there is one.
#[derive(Default)]
pub(crate) struct SessionFunctions(OnceLock<Box<dyn Fn() -> Functions + Send + Sync>>);

impl SessionFunctions {
    pub(crate) fn of(&self, session: &SessionContext) {
        let state = session.state_weak_ref();
        let functions = move || state.upgrade().map(|state| state.read().table_functions().clone());
        let _ = self.0.set(Box::new(move || functions().unwrap_or_default()));
    }
}

impl fmt::Debug for SessionFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionFunctions")
    }
}

/// Catalogs that have an `information_schema`.
#[derive(Debug)]
pub(crate) struct Catalogs {
    pub(crate) all: Arc<dyn CatalogProviderList>,
    pub(crate) functions: Arc<SessionFunctions>,
}

impl CatalogProviderList for Catalogs {
    fn register_catalog(
        &self,
        name: String,
        catalog: Arc<dyn CatalogProvider>,
    ) -> Option<Arc<dyn CatalogProvider>> {
        self.all.register_catalog(name, catalog)
    }

    fn catalog_names(&self) -> Vec<String> {
        self.all.catalog_names()
    }

    fn catalog(&self, name: &str) -> Option<Arc<dyn CatalogProvider>> {
        let information = Information { all: Arc::clone(&self.all), functions: Arc::clone(&self.functions) };
        Some(Arc::new(Catalog { catalog: self.all.catalog(name)?, information: Arc::new(information) }))
    }
}

#[derive(Debug)]
struct Catalog {
    catalog: Arc<dyn CatalogProvider>,
    information: Arc<Information>,
}

impl CatalogProvider for Catalog {
    fn schema_names(&self) -> Vec<String> {
        self.catalog.schema_names()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        if name == INFORMATION_SCHEMA {
            return Some(Arc::clone(&self.information) as _);
        }
        self.catalog.schema(name)
    }

    fn register_schema(
        &self,
        name: &str,
        schema: Arc<dyn SchemaProvider>,
    ) -> Result<Option<Arc<dyn SchemaProvider>>> {
        self.catalog.register_schema(name, schema)
    }

    fn deregister_schema(&self, name: &str, cascade: bool) -> Result<Option<Arc<dyn SchemaProvider>>> {
        self.catalog.deregister_schema(name, cascade)
    }
}

#[derive(Debug)]
struct Information {
    all: Arc<dyn CatalogProviderList>,
    functions: Arc<SessionFunctions>,
}

impl Information {
    /// The engine's, of the catalogs as they are now.
    fn own(&self) -> InformationSchemaProvider {
        InformationSchemaProvider::new(Arc::clone(&self.all))
    }
}

#[async_trait]
impl SchemaProvider for Information {
    fn table_names(&self) -> Vec<String> {
        self.own().table_names()
    }

    fn table_exist(&self, name: &str) -> bool {
        self.own().table_exist(name)
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let functions = self.functions.0.get().map(|functions| functions()).unwrap_or_default();
        let own = self.own().with_table_functions(functions).table(name).await?;
        let own = match own {
            Some(own) if name.eq_ignore_ascii_case("columns") => own,
            other => return Ok(other),
        };
        let schema = own.schema();
        let added = ADDED.map(|(name, _)| Arc::new(Field::new(name, DataType::Utf8, true)));
        let schema = Arc::new(Schema::new(schema.fields().iter().cloned().chain(added).collect::<Vec<_>>()));
        Ok(Some(Arc::new(Columns { all: Arc::clone(&self.all), own, schema })))
    }
}

/// `information_schema.columns`.
#[derive(Debug)]
struct Columns {
    all: Arc<dyn CatalogProviderList>,
    own: Arc<dyn TableProvider>,
    schema: SchemaRef,
}

/// A table by the names of its catalog and schema, and its own.
type Name = [String; 3];

impl Columns {
    /// The columns of a table; `None` if it is gone.
    async fn of(&self, [catalog, schema, table]: &Name) -> Result<Option<SchemaRef>> {
        let schema = self.all.catalog(catalog).and_then(|catalog| catalog.schema(schema));
        let Some(schema) = schema else { return Ok(None) };
        Ok(schema.table(table).await?.map(|table| table.schema()))
    }

    /// The same rows with what the tables say of their columns.
    async fn with_more(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let text = |column: usize, row: usize| batch.column(column).as_string::<i32>().value(row).to_owned();
        let mut known: HashMap<Name, Option<SchemaRef>> = HashMap::new();
        let mut said: [Vec<Option<String>>; ADDED.len()] = Default::default();
        for row in 0..batch.num_rows() {
            let name = [0, 1, 2].map(|column| text(column, row));
            if !known.contains_key(&name) {
                known.insert(name.clone(), self.of(&name).await?);
            }
            let schema = known.get(&name).and_then(Option::as_ref);
            let field = schema.and_then(|schema| schema.field_with_name(&text(3, row)).ok());
            for (said, (_, key)) in said.iter_mut().zip(ADDED) {
                said.push(field.and_then(|field| field.metadata().get(key).cloned()));
            }
        }
        let added = said.into_iter().map(|said| Arc::new(StringArray::from(said)) as ArrayRef);
        let columns = batch.columns().iter().cloned().chain(added).collect();
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }
}

#[async_trait]
impl TableProvider for Columns {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let rows = self.own.scan(state, None, &[], None).await?;
        let mut batches = Vec::new();
        for batch in collect(rows, state.task_ctx()).await? {
            batches.push(self.with_more(&batch).await?);
        }
        MemTable::try_new(self.schema(), vec![batches])?.scan(state, projection, filters, limit).await
    }
}
