//! Decimals on their way into formats that have none.

use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::StreamExt;
use std::sync::Arc;

/// How many digits a float keeps.
const DIGITS: u8 = 15;

/// What decimals become where they are not kept.
fn instead(ty: &DataType, is_text: bool) -> Option<DataType> {
    match ty {
        DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..)
            if is_text =>
        {
            Some(DataType::Utf8)
        }
        DataType::Decimal32(_, 0) | DataType::Decimal64(_, 0) => Some(DataType::Int64),
        DataType::Decimal128(digits, 0) if *digits <= 18 => Some(DataType::Int64),
        // an integer of 128 bits
        DataType::Decimal128(_, 0) => None,
        DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => Some(DataType::Float64),
        _ => None,
    }
}

fn digits(ty: &DataType) -> u8 {
    match ty {
        DataType::Decimal32(digits, _)
        | DataType::Decimal64(digits, _)
        | DataType::Decimal128(digits, _)
        | DataType::Decimal256(digits, _) => *digits,
        _ => 0,
    }
}

/// The rows with texts, integers or floats for decimals, and what that loses.
pub(crate) fn without(
    rows: SendableRecordBatchStream,
    is_text: bool,
) -> (SendableRecordBatchStream, Vec<String>) {
    let schema = rows.schema();
    let mut notes = Vec::new();
    let mut field = |field: &Arc<Field>| match instead(field.data_type(), is_text) {
        Some(ty) => {
            if ty == DataType::Float64 && digits(field.data_type()) > DIGITS {
                notes.push(format!("column `{}`: decimals become floats", field.name()));
            }
            Arc::new(field.as_ref().clone().with_data_type(ty))
        }
        None => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(&mut field).collect();
    if fields[..] == schema.fields()[..] {
        return (rows, notes);
    }
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    let wanted = Arc::clone(&schema);
    let rows = rows.map(move |batch| {
        let batch = batch?;
        let columns = batch.columns().iter().zip(wanted.fields());
        let columns = columns.map(|(column, field)| cast(column, field.data_type()));
        Ok(RecordBatch::try_new(Arc::clone(&wanted), columns.collect::<Result<_, _>>()?)?)
    });
    (Box::pin(RecordBatchStreamAdapter::new(schema, rows)), notes)
}
