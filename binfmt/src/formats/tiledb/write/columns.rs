//! Whether the columns that are written are those of the array.

use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::values::Column;
use crate::{Error, Result};

/// The columns as the schema has them.
pub(super) fn in_schema_order<'c>(
    schema: &ArraySchema,
    columns: &'c [(String, Column)],
) -> Result<Vec<&'c Column>> {
    let wrong = |text: String| Err(Error::other(text));
    if let Some((name, _)) =
        columns.iter().find(|(name, _)| schema.attributes.iter().all(|a| a.name != *name))
    {
        return wrong(format!("the array has no attribute {name:?}"));
    }
    let mut ordered = Vec::new();
    for attribute in &schema.attributes {
        let mut found = columns.iter().filter(|(name, _)| *name == attribute.name);
        let name = &attribute.name;
        match (found.next(), found.next()) {
            (Some((_, column)), None) => {
                if (column.datatype(), column.cell_val_num()) != (attribute.datatype, attribute.cell_val_num)
                {
                    return wrong(format!("the column of {name:?} is of another type"));
                }
                ordered.push(column);
            }
            (None, _) => return wrong(format!("the attribute {name:?} needs a column")),
            (Some(_), Some(_)) => return wrong(format!("the attribute {name:?} has two columns")),
        }
    }
    Ok(ordered)
}

/// Every column must have so many cells.
pub(super) fn check_cells(schema: &ArraySchema, columns: &[&Column], num_cells: usize) -> Result<()> {
    if num_cells == 0 {
        return Err(Error::other("no cells to write"));
    }
    for (attribute, column) in schema.attributes.iter().zip(columns) {
        if column.num_cells() != num_cells {
            let found = column.num_cells();
            let text =
                format!("the column of {:?} has {found} cells, {num_cells} are written", attribute.name);
            return Err(Error::other(text));
        }
    }
    Ok(())
}
