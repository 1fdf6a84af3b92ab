//! Columns there and back.

use arrow_array::{Array, RecordBatch};
use binfmt::columns::{Column, ColumnType, Columns};
use binfmt::table::{TableField, TableSchema};
use binfmt_arrow::{Choices, Conversion, Mapping, Texts, Times};

/// As text: so a NaN is equal to itself.
pub(crate) fn shown(columns: &Columns) -> String {
    format!("{columns:?}")
}

/// Every way in which nothing is lost.
pub(crate) fn lossless() -> [Conversion; 4] {
    let all = Conversion::new().missing_codes(true).times(Times::Unscaled);
    [
        all.texts(Texts::Binary),
        all.texts(Texts::Latin1).choices(Choices::Struct),
        all.texts(Texts::Binary).choices(Choices::Struct),
        Conversion::of_files().texts(Texts::Latin1).times(Times::Unscaled),
    ]
}

/// Looks at all that Arrow demands of arrays.
pub(crate) fn is_valid(batch: &RecordBatch) {
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        array.to_data().validate_full().unwrap_or_else(|e| panic!("{field}: {e}"));
        assert_eq!(field.data_type(), array.data_type());
        assert!(field.is_nullable() || array.null_count() == 0, "{field}");
    }
}

/// The same columns come back, by the mapping and by one that was made of the schema alone.
pub(crate) fn comes_back(schema: &TableSchema, columns: &Columns, how: &Conversion) -> RecordBatch {
    let there = Mapping::of_table(schema, how).unwrap_or_else(|e| panic!("{e}"));
    let batch = there.to_batch(columns.clone()).unwrap_or_else(|e| panic!("{e}"));
    is_valid(&batch);
    assert_eq!(batch.num_rows(), columns.num_rows());
    assert_eq!(shown(&there.to_columns(batch.clone()).unwrap()), shown(columns));
    let back = Mapping::of_arrow(&batch.schema()).unwrap();
    let types = |schema: &TableSchema| {
        let said = |f: &TableField| {
            let mut meta = f.meta.clone();
            meta.sort();
            (f.name.clone(), f.ty.clone(), f.logical.clone(), f.constant, meta)
        };
        schema.fields.iter().map(said).collect::<Vec<_>>()
    };
    assert_eq!(types(back.table_schema()), types(schema));
    assert_eq!(shown(&back.to_columns(batch.clone()).unwrap()), shown(columns), "{:?}", batch.schema());
    // rows from the middle: the offsets begin somewhere
    if columns.num_rows() > 2 {
        let rows = columns.num_rows();
        let part = back.to_columns(batch.slice(1, rows - 2)).unwrap();
        assert_eq!(shown(&part), shown(&columns.slice(1..rows - 1)));
    }
    batch
}

/// One column, of the type that it has.
pub(crate) fn one(column: Column) -> (TableSchema, Columns) {
    let schema = TableSchema::new([TableField::new("x", column.column_type())]);
    (schema, Columns::new(vec![("x".into(), column)]).unwrap())
}

pub(crate) fn schema_of(types: impl IntoIterator<Item = (binfmt::schema::Name, ColumnType)>) -> TableSchema {
    TableSchema::new(types.into_iter().map(|(name, ty)| TableField::new(name, ty)))
}

/// Whether something went without a panic, so that its input can be shown.
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok()
}
