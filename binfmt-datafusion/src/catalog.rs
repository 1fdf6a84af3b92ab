//! Files in the place of tables: `FROM 'run*.sdds'`.

use crate::information::{Catalogs, SessionFunctions};
use crate::opening::Opening;
use crate::place::{self, is_url};
use crate::refusal::reason;
use crate::wrong;
use async_trait::async_trait;
use datafusion::catalog::{CatalogProviderList, DynamicFileCatalog, TableProvider, UrlTableFactory};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::prelude::SessionContext;
use datafusion_session::SessionStore;
use std::path::Path;
use std::sync::Arc;

/// Ours, and what DataFusion reads itself.
#[derive(Debug)]
struct Files {
    others: DynamicListTableFactory,
}

#[async_trait]
impl UrlTableFactory for Files {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        // the name of a table that is not there is not that of a file
        if !name.contains(['.', '/']) {
            return Ok(None);
        }
        match opening(name) {
            Some(opening) => Ok(Some(Arc::new(opening.table()?))),
            None => {
                // the engine takes whatever a store refuses for a file that is not there
                if is_url(name) {
                    let all = place::all(name)?;
                    let first = all.first().map(|first| place::to_read(first)).transpose();
                    if first.map_err(|e| wrong(e.to_string()))?.flatten().is_none() {
                        return Ok(None);
                    }
                }
                self.others.try_new(name).await.map_err(|e| of_file(name, &e))
            }
        }
    }
}

/// An error of a file that DataFusion reads itself, which does not say which file it is.
fn of_file(name: &str, e: &DataFusionError) -> DataFusionError {
    wrong(match e.find_root() {
        DataFusionError::ObjectStore(e) => format!("{name}: {}", reason(&**e)),
        DataFusionError::ParquetError(e) => format!("{name}: {e}"),
        DataFusionError::ArrowError(e, _) => format!("{name}: {e}"),
        e => format!("{name}: {e}"),
    })
}

/// How files of a name are opened; `None` if DataFusion reads them itself.
pub(crate) fn opening(name: &str) -> Option<Opening> {
    let ending = Path::new(name).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let opening = Opening::new(name);
    Some(match ending.as_deref() {
        // of an object store DataFusion reads streams of Arrow only, and no files
        Some("arrow") if is_url(name) => opening.format("arrow"),
        Some("parquet" | "arrow" | "json") => return None,
        // a name of Arrow's files that DataFusion does not know
        Some("feather") => opening.format("arrow"),
        // these do not tell what they are
        Some("csv" | "tsv") => opening.format("csv"),
        Some("jsonl" | "ndjson") => opening.format("jsonl"),
        _ => opening,
    })
}

pub(crate) fn with_files(context: SessionContext) -> SessionContext {
    let files = Arc::new(Files { others: DynamicListTableFactory::new(SessionStore::new()) });
    let known = Arc::clone(context.state_ref().read().catalog_list());
    let mut catalogs: Arc<dyn CatalogProviderList> =
        Arc::new(DynamicFileCatalog::new(known, Arc::clone(&files) as Arc<dyn UrlTableFactory>));
    let functions = Arc::new(SessionFunctions::default());
    if context.copied_config().information_schema() {
        // in the place of the engine's own, which would come first
        context.state_ref().write().config_mut().options_mut().catalog.information_schema = false;
        catalogs = Arc::new(Catalogs { all: catalogs, functions: Arc::clone(&functions) });
    }
    let state = context.into_state_builder().with_catalog_list(catalogs).build();
    let context = SessionContext::new_with_state(state);
    files.others.session_store().with_state(context.state_weak_ref());
    functions.of(&context);
    context
}
