//! Folders with names like `year=2024` as columns, and the names of the files.

use crate::wrong;
use datafusion::arrow::array::{AsArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::Expr;
use std::sync::Arc;

/// What stands for a missing value in the name of a folder, for all who write such folders.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// The column that the names of files are.
const FILE: &str = "_file";

/// The columns that folders are, and their values for each file.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    pub(crate) fields: Fields,
    pub(crate) values: Vec<Vec<ScalarValue>>,
}

/// What the folders of a file say.
fn said(name: &str) -> Vec<(&str, &str)> {
    let folders = name.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders
        .split('/')
        .filter_map(|folder| folder.split_once('='))
        .filter(|(key, _)| !key.is_empty())
        .collect()
}

impl Folders {
    /// The same with the names of the files, unless that is a column already.
    pub(crate) fn with_files(mut self, names: &[String], columns: &SchemaRef) -> Self {
        let all = columns.fields().iter().chain(self.fields.iter());
        if all.into_iter().all(|field| field.name() != FILE) {
            let name = Arc::new(Field::new(FILE, DataType::Utf8, false));
            self.fields = self.fields.iter().cloned().chain([name]).collect();
            let all = self.values.iter_mut().zip(names);
            all.for_each(|(values, name)| values.push(ScalarValue::Utf8(Some(name.clone()))));
        }
        self
    }

    /// Those of files that a pattern stands for; a file that is named alone has none. What is a column of the files is not
    /// taken from a folder.
    ///
    /// # Errors
    /// Files are in folders of different names.
    pub(crate) fn new(patterns: &[String], names: &[String], columns: &SchemaRef) -> Result<Self> {
        let mut folders = Folders { fields: Fields::empty(), values: vec![Vec::new(); names.len()] };
        let Some(first) =
            names.first().filter(|_| patterns.iter().any(|path| path.contains(['*', '?', '['])))
        else {
            return Ok(folders);
        };
        let keys = |name| said(name).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
        if let Some(other) = names.iter().find(|name| keys(name.as_str()) != keys(first)) {
            let shown = |name| keys(name).join(", ");
            return Err(wrong(format!(
                "folders differ: {first} is in folders of [{}], and {other} in those of [{}]",
                shown(first),
                shown(other)
            )));
        }
        let mut fields = Vec::new();
        for (place, key) in keys(first).into_iter().enumerate() {
            if columns.field_with_name(key).is_ok() {
                continue;
            }
            let texts = names.iter().filter_map(|name| said(name).get(place).map(|(_, text)| *text));
            let texts: Vec<Option<&str>> = texts.map(|text| (text != MISSING).then_some(text)).collect();
            let is_number = texts.iter().flatten().all(|text| text.parse::<i64>().is_ok());
            let value = |text: Option<&str>| match is_number {
                true => ScalarValue::Int64(text.and_then(|text| text.parse().ok())),
                false => ScalarValue::Utf8(text.map(str::to_owned)),
            };
            let ty = if is_number { DataType::Int64 } else { DataType::Utf8 };
            fields.push(Arc::new(Field::new(key, ty, texts.contains(&None))));
            folders.values.iter_mut().zip(texts).for_each(|(values, text)| values.push(value(text)));
        }
        folders.fields = fields.into();
        Ok(folders)
    }

    /// Whether a filter asks about folders only: then it says which files are read.
    pub(crate) fn decide(&self, filter: &Expr) -> bool {
        !filter.column_refs().is_empty() && self.know(filter)
    }

    /// Whether a filter asks about nothing else than folders. What the engine leaves of one may be a constant.
    fn know(&self, filter: &Expr) -> bool {
        let is_folder = |name: &str| self.fields.iter().any(|field| field.name() == name);
        !filter.is_volatile() && filter.column_refs().iter().all(|column| is_folder(&column.name))
    }

    /// Which files filters leave.
    pub(crate) fn left(&self, state: &dyn Session, filters: &[Expr]) -> Result<Vec<bool>> {
        let rows = self.values.len();
        let mut left = vec![true; rows];
        let schema = Arc::new(Schema::new(self.fields.clone()));
        let columns = (0..self.fields.len()).map(|column| {
            ScalarValue::iter_to_array(self.values.iter().filter_map(|values| values.get(column).cloned()))
        });
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let columns = columns.collect::<Result<_>>()?;
        let files = RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)?;
        let schema = DFSchema::try_from(schema)?;
        for filter in filters.iter().filter(|filter| self.know(filter)) {
            let matching =
                state.create_physical_expr(filter.clone(), &schema)?.evaluate(&files)?.into_array(rows)?;
            // what is not known does not match, and neither does a NULL that is no bool
            match matching.as_boolean_opt() {
                Some(all) => {
                    left.iter_mut().zip(all).for_each(|(left, matching)| *left &= matching == Some(true))
                }
                None => left.fill(false),
            }
        }
        Ok(left)
    }
}
