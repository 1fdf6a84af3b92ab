//! Stores for what DataFusion reads and writes itself: Parquet, CSV, JSON.

use crate::wrong;
use datafusion::common::Result;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionContext;
use object_store::ObjectStore;
use std::sync::Arc;
use url::Url;

/// The stores that a session knows, and those that are found by their URLs.
#[derive(Debug)]
struct Stores {
    known: Arc<dyn ObjectStoreRegistry>,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.known.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.known.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.known.get_store(url).or_else(|_| super::store(url).map_err(|e| wrong(e.to_string())))
    }
}

/// The session with these stores; as it was, if it cannot have them.
pub(crate) fn with_stores(context: SessionContext) -> SessionContext {
    let known = context.runtime_env();
    let stores = Stores { known: Arc::clone(&known.object_store_registry) };
    let runtime = RuntimeEnvBuilder::from_runtime_env(&known).with_object_store_registry(Arc::new(stores));
    match runtime.build_arc() {
        Ok(runtime) => {
            let state = context.into_state_builder().with_runtime_env(runtime).build();
            SessionContext::new_with_state(state)
        }
        Err(_) => context,
    }
}
