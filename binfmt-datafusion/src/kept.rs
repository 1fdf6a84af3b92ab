//! Rows that are kept until all are there, in the memory that a query may have.

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::common::utils::memory::RecordBatchMemoryCounter;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use std::sync::Arc;

pub(crate) struct Kept {
    pub(crate) batches: Vec<RecordBatch>,
    memory: MemoryReservation,
    /// Memory that several batches are slices of is counted once.
    counter: RecordBatchMemoryCounter,
}

impl Kept {
    /// Nothing yet, for what is said.
    pub(crate) fn new(what: &str, pool: &Arc<dyn MemoryPool>) -> Self {
        let memory = MemoryConsumer::new(what).register(pool);
        Kept { batches: Vec::new(), memory, counter: RecordBatchMemoryCounter::new() }
    }

    /// Keeps a batch.
    ///
    /// # Errors
    /// The query may not have as much memory.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.memory.try_grow(self.counter.count_batch(&batch))?;
        self.batches.push(batch);
        Ok(())
    }
}
