//! Fields of text as values of the types that a file that is written has.

use super::cells::CellType;
use super::field::{Inferred, Logical, TableField, TableSchema};
use super::filled::inner;
use super::{Projected, Table};
use crate::columns::ColumnType;
use crate::numbers::NumberType;
use std::sync::Arc;

/// As what the fields of a column are read for a column of that type, if not as what they look like.
pub(super) fn cell_type(field: &TableField, to: &TableField) -> Option<CellType> {
    field.inferred?;
    let inferred = CellType::of_field(field)?;
    let wanted = wanted(inferred, inner(&to.ty), to.logical.as_ref())?;
    (wanted != inferred).then_some(wanted)
}

/// A column as it is read for one of that type, and as what, if its fields are not read as what they look like.
pub(crate) fn as_read(field: &TableField, to: &TableField) -> (TableField, Option<CellType>) {
    match cell_type(field, to) {
        None => (field.clone(), None),
        Some(ty) => (typed(field, ty), Some(ty)),
    }
}

/// The column of fields that are read as this type.
pub(super) fn typed(field: &TableField, ty: CellType) -> TableField {
    let inferred = field.inferred.map(|_| Inferred::Values);
    TableField { ty: ty.column_type(), logical: ty.logical(), inferred, ..field.clone() }
}

fn wanted(inferred: CellType, to: &ColumnType, logical: Option<&Logical>) -> Option<CellType> {
    Some(match (to, logical) {
        (ColumnType::Number(NumberType::I64), Some(Logical::Timestamp(unit))) => CellType::Time(*unit),
        (_, Some(Logical::X87)) => CellType::F64,
        (_, Some(Logical::Character | Logical::CodeUnits | Logical::TimestampWithOffset))
        | (ColumnType::Text, _) => CellType::Text,
        (ColumnType::Bytes | ColumnType::FixedBytes(_), _) => CellType::Bytes,
        // numbers are checked where they become those of the other type
        (ColumnType::Number(kind), _) => match inferred {
            CellType::Bool | CellType::I64 | CellType::U64 | CellType::F64 | CellType::Time(_) => inferred,
            _ => CellType::of_number(*kind)?,
        },
        (ColumnType::List(_) | ColumnType::Array { .. }, _) => {
            let (mut items, mut depth) = (to, 0u8);
            while let ColumnType::List(of) | ColumnType::Array { items: of, .. } = items {
                (items, depth) = (of, depth.checked_add(1)?);
            }
            let inferred = match inferred {
                CellType::List(item, _) => item.cell_type(),
                _ => CellType::Text,
            };
            CellType::List(wanted(inferred, items, None)?.item()?, depth)
        }
        _ => return None,
    })
}

/// The table with some columns read as other types, in their places; `None` where they have no fields of text.
pub(super) fn in_place(table: &Arc<dyn Table>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
    let mut leaves = table.schema().whole_columns();
    let first = leaves.len();
    let table = Arc::clone(table).read_as(columns)?;
    for (read, (column, _)) in table.schema().whole_columns().into_iter().skip(first).zip(columns) {
        if let Some(leaf) = leaves.get_mut(*column) {
            (leaf.column, leaf.ty) = (read.column, read.ty);
        }
    }
    Some(Arc::new(Projected::new(table, leaves)))
}

/// The table with the times that nobody said are some as the texts that they are in the file, as what is shown, or written as text, should have
/// them.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableFormat, as_written, csv::Csv};
/// let files = Memory::new();
/// files.write("x.csv", b"day\n2024-03-01\n")?;
/// let table = Csv.open(std::sync::Arc::new(files), "x.csv", &Settings::new())?;
/// assert_eq!(table.schema().fields[0].type_name(), "time[D]?");
/// assert_eq!(as_written(&table).schema().fields[0].type_name(), "text?");
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn as_written(table: &Arc<dyn Table>) -> Arc<dyn Table> {
    let times = inferred_times(table.schema());
    let found = if times.is_empty() { None } else { in_place(table, &times) };
    found.unwrap_or_else(|| Arc::clone(table))
}

/// The columns of times that nobody said are some, as texts.
pub(super) fn inferred_times(schema: &TableSchema) -> Vec<(usize, CellType)> {
    let fields = schema.fields.iter().enumerate();
    let is_inferred = |field: &TableField| {
        field.inferred.is_some() && matches!(CellType::of_field(field), Some(CellType::Time(_)))
    };
    fields.filter(|(_, field)| is_inferred(field)).map(|(place, _)| (place, CellType::Text)).collect()
}
