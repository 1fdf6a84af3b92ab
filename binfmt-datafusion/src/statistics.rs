//! What is known of the rows before they are read.

use crate::files::Files;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, Statistics};

/// The number of rows of all files, exact if all of them are wanted and every file knows it.
pub(crate) fn statistics(files: &Files, all_wanted: bool) -> Statistics {
    let exact = files.all().map(|(_, file)| file.table.num_rows().exact()).sum::<Option<u64>>();
    let guess = files.all().map(|(_, file)| file.table.num_rows().guess()).sum::<Option<u64>>();
    let narrow = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let num_rows = match (exact, guess) {
        (Some(rows), _) if all_wanted => Precision::Exact(narrow(rows)),
        (_, Some(rows)) => Precision::Inexact(narrow(rows)),
        _ => Precision::Absent,
    };
    let fields = files.schema().fields().len();
    Statistics {
        num_rows,
        total_byte_size: Precision::Absent,
        column_statistics: vec![ColumnStatistics::new_unknown(); fields],
    }
}
