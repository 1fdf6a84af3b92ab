//! Tasks of batches that are made already, and what tasks do after they have decoded.

use super::{Batches, Task, Tasks};
use crate::columns::Columns;
use crate::error::Result;
use std::sync::Arc;

/// Batches that are decoded by who asks for the next task.
pub(crate) fn in_turn(batches: Batches) -> Tasks {
    Box::new(batches.map(|batch| Box::new(|| vec![batch]) as Task))
}

/// The same tasks, whose batches are changed by who makes them.
pub(super) fn and_then(
    tasks: Tasks,
    change: impl Fn(Columns) -> Result<Columns> + Send + Sync + 'static,
) -> Tasks {
    let change = Arc::new(change);
    Box::new(tasks.map(move |task| {
        let change = Arc::clone(&change);
        Box::new(move || task().into_iter().map(|batch| change(batch?)).collect()) as Task
    }))
}
