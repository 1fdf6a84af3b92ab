//! Batches of columns to record batches and back.

use crate::error::{ours, uneven};
use crate::node::{Member, Node, codes_of};
use crate::options::Conversion;
use crate::{logical, marks, of_column, of_field, read, write};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema, SchemaRef};
use binfmt::columns::Columns;
use binfmt::table::{Logical, TableField, TableSchema};
use binfmt::{Error, Result, Step};
use std::collections::HashMap;
use std::sync::Arc;

/// The columns of a table and the fields of Arrow's schema, with the way from each to the other.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Table};
/// use binfmt_arrow::{Conversion, Mapping};
///
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u16, 2])), ("y".into(), Column::from(vec![0.5, 1.5]))])?;
/// let table = ColumnsTable::new(columns.clone());
/// let mapping = Mapping::of_table(table.schema(), &Conversion::new())?;
/// let batch = mapping.to_batch(columns.clone())?;
/// assert_eq!((batch.num_rows(), batch.schema().field(0).data_type().to_string()), (2, "UInt16".to_owned()));
///
/// // whoever has the batch alone reads it again
/// let back = Mapping::of_arrow(&batch.schema())?;
/// assert_eq!(back.to_columns(batch)?, columns);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mapping {
    members: Arc<[Member]>,
    table: Arc<TableSchema>,
    schema: SchemaRef,
}

impl Mapping {
    /// The way of a table's columns to Arrow.
    ///
    /// ```
    /// use binfmt::table::TableSchema;
    /// let mapping = binfmt_arrow::Mapping::of_table(&TableSchema::new([]), &Default::default())?;
    /// assert!(mapping.arrow_schema().fields().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Arrow has nothing for the type of a column: more than `i32::MAX` bytes or elements in each row, or a number that it has not.
    pub fn of_table(table: &TableSchema, how: &Conversion) -> Result<Self> {
        let members =
            table.fields.iter().map(|field| of_column::member(field, how)).collect::<Result<_>>()?;
        Ok(Mapping::new(members, table.clone()))
    }

    /// The way of Arrow's fields to columns: of those that were made by [`of_table`](Self::of_table), and of everybody else's.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    /// let schema = Schema::new(vec![Field::new("name", DataType::Utf8View, true)]);
    /// let mapping = binfmt_arrow::Mapping::of_arrow(&schema)?;
    /// assert_eq!(mapping.table_schema().fields[0].ty.to_string(), "text?");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no column for a type of Arrow: decimal numbers with digits after the point, intervals, run-end encoded arrays,
    /// views of lists, sparse unions.
    pub fn of_arrow(schema: &Schema) -> Result<Self> {
        let found = of_field::members(schema.fields(), 0)?;
        let mut fields = Vec::with_capacity(found.len());
        for (member, place) in &found {
            fields.push(table_field(member, schema.field(*place)));
        }
        let mut table = TableSchema::new(fields);
        table.meta = said(schema.metadata()).collect();
        table.meta.sort();
        let members = found.into_iter().map(|(member, _)| member).collect();
        Ok(Mapping { members, table: Arc::new(table), schema: Arc::new(schema.clone()) })
    }

    fn new(members: Arc<[Member]>, table: TableSchema) -> Self {
        let mut fields = Vec::with_capacity(members.len());
        for (member, field) in members.iter().zip(&table.fields) {
            fields.push(arrow_field(member, field));
            fields.extend(member.codes.then(|| codes_of(&member.name)));
        }
        let meta: HashMap<String, String> =
            table.meta.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, meta));
        Mapping { members, table: Arc::new(table), schema }
    }

    /// The schema of the record batches.
    ///
    /// ```
    /// # let schema = binfmt::table::TableSchema::new([]).with("key", "text");
    /// let mapping = binfmt_arrow::Mapping::of_table(&schema, &Default::default())?;
    /// assert_eq!(mapping.arrow_schema().metadata()["key"], "text");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn arrow_schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The schema of the columns.
    ///
    /// ```
    /// let mapping = binfmt_arrow::Mapping::of_arrow(&arrow_schema::Schema::empty())?;
    /// assert!(mapping.table_schema().fields.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn table_schema(&self) -> &TableSchema {
        &self.table
    }

    /// Whether a column has the codes of its missing values beside it.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    /// let schema = Schema::new(vec![Field::new("n", DataType::Int32, true)]);
    /// assert!(!binfmt_arrow::Mapping::of_arrow(&schema)?.has_codes());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn has_codes(&self) -> bool {
        self.members.iter().any(|member| member.codes)
    }

    /// The same, if no field of a file has the name of another.
    #[cfg(any(feature = "ipc", feature = "parquet"))]
    pub(crate) fn named_once(self) -> Result<Self> {
        let mut names = std::collections::HashSet::new();
        match self.schema.fields().iter().find(|field| !names.insert(field.name())) {
            Some(field) => Err(Error::other(format!("two columns are called {:?}", field.name()))),
            None => Ok(self),
        }
    }

    /// The fields that these columns are made of, as a file has them, and for each column's fields in turn which of those it is.
    #[cfg(any(feature = "ipc", feature = "parquet"))]
    pub(crate) fn in_file(&self, columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let fields: Vec<usize> = columns.iter().flat_map(|column| self.fields_of(*column)).collect();
        let mut some = fields.clone();
        some.sort_unstable();
        some.dedup();
        let order = fields.iter().filter_map(|field| some.binary_search(field).ok()).collect();
        (some, order)
    }

    /// The fields of Arrow's schema that belong to a column: itself, and the codes of its missing values.
    ///
    /// ```
    /// # let schema = binfmt::table::TableSchema::new([binfmt::table::TableField::new("a", binfmt::columns::ColumnType::Text)]);
    /// let mapping = binfmt_arrow::Mapping::of_table(&schema, &Default::default())?;
    /// assert_eq!(mapping.fields_of(0), 0..1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn fields_of(&self, column: usize) -> std::ops::Range<usize> {
        let fields =
            |members: &[Member]| members.iter().map(|member| 1 + usize::from(member.codes)).sum::<usize>();
        let column = column.min(self.members.len());
        let start = fields(&self.members[..column]);
        start..start + self.members.get(column).map_or(0, |member| fields(std::slice::from_ref(member)))
    }

    /// The same for some columns, in an order of their own.
    ///
    /// ```
    /// # use binfmt::{columns::ColumnType, table::{TableField, TableSchema}};
    /// let schema = TableSchema::new(["a", "b"].map(|name| TableField::new(name, ColumnType::Text)));
    /// let mapping = binfmt_arrow::Mapping::of_table(&schema, &Default::default())?.project(&[1])?;
    /// assert_eq!(mapping.arrow_schema().field(0).name(), "b");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no column of a number.
    pub fn project(&self, columns: &[usize]) -> Result<Self> {
        let all = self.members.len();
        if let Some(column) = columns.iter().find(|column| **column >= all) {
            return Err(Error::other(format!("there is no column {column}: the table has {all}")));
        }
        let members = columns.iter().map(|column| self.members[*column].clone()).collect();
        let mut table = TableSchema::new(columns.iter().map(|column| self.table.fields[*column].clone()));
        table.meta.clone_from(&self.table.meta);
        let fields: Vec<_> = columns
            .iter()
            .flat_map(|column| self.fields_of(*column))
            .map(|field| Arc::clone(&self.schema.fields()[field]))
            .collect();
        let schema = Schema::new_with_metadata(fields, self.schema.metadata().clone());
        Ok(Mapping { members, table: Arc::new(table), schema: Arc::new(schema) })
    }

    /// A record batch of columns, which are moved.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Table}};
    /// let columns = Columns::new(vec![("x".into(), Column::from(vec![1i64, 2]))])?;
    /// # let table = ColumnsTable::new(columns.clone());
    /// # let address = |columns: &Columns| columns.get("x").unwrap().as_slice::<i64>().unwrap().as_ptr().cast::<u8>();
    /// # let before = address(&columns);
    /// let batch = binfmt_arrow::Mapping::of_table(table.schema(), &Default::default())?.to_batch(columns)?;
    /// # assert_eq!(arrow_array::Array::to_data(&*batch.column(0)).buffers()[0].as_ptr(), before);
    /// assert_eq!(batch.num_rows(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The columns are not of the table's types, a text is not UTF-8, a time is beyond what Arrow's unit reaches.
    pub fn to_batch(&self, columns: Columns) -> Result<RecordBatch> {
        let rows = columns.num_rows();
        if columns.num_columns() != self.members.len() {
            return Err(uneven("a batch"));
        }
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for (member, (name, column)) in self.members.iter().zip(columns.into_columns()) {
            write::member(column, member, &mut arrays).map_err(|e| e.within(Step::Name(name.to_string())))?;
        }
        let rows = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &rows).map_err(ours)
    }

    /// The columns of a record batch. Memory that nothing else holds is moved; what stands in null places becomes 0, or nothing.
    ///
    /// ```
    /// # use arrow_array::{Int32Array, RecordBatch, ArrayRef};
    /// # use std::sync::Arc;
    /// let values: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None]));
    /// let batch = RecordBatch::try_from_iter([("a", values)]).unwrap();
    /// let columns = binfmt_arrow::Mapping::of_arrow(&batch.schema())?.to_columns(batch)?;
    /// let binfmt::columns::Column::Nullable(a) = columns.get("a").unwrap() else { unreachable!() };
    /// assert_eq!((a.codes(), a.values()), (&[255, 0][..], &vec![1i32, 0].into()));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The batch has another schema, or a null in a field that has none.
    pub fn to_columns(&self, batch: RecordBatch) -> Result<Columns> {
        let rows = batch.num_rows();
        let (_, arrays, _) = batch.into_parts();
        Columns::with_rows(rows, read::record(arrays, &self.members, None)?)
    }
}

/// What is said of a column of Arrow's, in the words of a table.
fn table_field(member: &Member, field: &Field) -> TableField {
    let mut found = TableField::new(member.name.clone(), member.node.column_type());
    found.logical = of_field::logical_of(field);
    found.constant = field.metadata().get(marks::CONSTANT).is_some_and(|text| text == "true");
    found.meta = said(field.metadata()).collect();
    found.meta.sort();
    if let arrow_schema::DataType::Timestamp(_, Some(zone)) = field.data_type() {
        found = found.with("arrow:timezone", zone.as_ref());
    }
    found
}

/// What others say, without the marks of a conversion.
fn said(
    all: &HashMap<String, String>,
) -> impl Iterator<Item = (std::borrow::Cow<'static, str>, String)> + '_ {
    let ours = |key: &str| marks::ALL.contains(&key) || key.starts_with("ARROW:");
    all.iter().filter(move |(key, _)| !ours(key)).map(|(key, text)| (key.clone().into(), text.clone()))
}

fn arrow_field(member: &Member, field: &TableField) -> Field {
    let mut said: HashMap<String, String> =
        field.meta.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    if let Some(text) = field.logical.as_ref().and_then(logical::text) {
        said.insert(marks::LOGICAL.to_owned(), text);
    }
    if field.constant {
        said.insert(marks::CONSTANT.to_owned(), "true".to_owned());
    }
    let values = match &member.node {
        Node::Nullable { values, .. } | Node::Optional(values) => values,
        node => node,
    };
    match (&field.logical, values) {
        (Some(Logical::Tensor { shape, column_major }), Node::Array { .. }) => {
            marks::tensor(shape, *column_major, &mut said);
        }
        // in a list they are no values of their own
        (Some(Logical::X87), Node::FixedBytes(_) | Node::Value(_)) => {
            said.insert(arrow_schema::extension::EXTENSION_TYPE_NAME_KEY.to_owned(), marks::X87.to_owned());
        }
        _ => {}
    }
    member.node.field(&member.name, said)
}
