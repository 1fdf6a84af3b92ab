//! Whether the columns that are written are those of the array.

use crate::formats::tiledb::layout::{ArraySchema, Attribute, CellValNum, Datatype};
use crate::formats::tiledb::values::Column;
use crate::{Error, ErrorKind, Result, Step};
use std::collections::BTreeMap;

/// The columns as the schema has them.
pub(super) fn in_schema_order<'c>(
    schema: &ArraySchema,
    columns: &'c [(String, Column)],
) -> Result<Vec<&'c Column>> {
    let places = schema.places();
    let mut given: BTreeMap<&str, (&Column, bool)> = BTreeMap::new();
    for (name, column) in columns {
        if !places.contains_key(name.as_str()) {
            schema.place_of(name)?;
        }
        given.entry(name).and_modify(|(_, again)| *again = true).or_insert((column, false));
    }
    let mut ordered = Vec::new();
    for attribute in &schema.attributes {
        let name = &attribute.name;
        match given.get(name.as_str()).copied() {
            Some((column, false)) => {
                if (column.datatype(), column.cell_val_num()) != (attribute.datatype, attribute.cell_val_num)
                {
                    return Err(other_type(attribute, column));
                }
                ordered.push(column);
            }
            None => return Err(ErrorKind::Missing { of: "column", name: name.clone() }.into()),
            Some((_, true)) => {
                return Err(ErrorKind::Duplicate { of: "column", name: name.clone() }.into());
            }
        }
    }
    Ok(ordered)
}

/// Every column must have that many cells.
pub(super) fn check_cells(schema: &ArraySchema, columns: &[&Column], num_cells: usize) -> Result<()> {
    if num_cells == 0 {
        return Err(no_cells());
    }
    for (attribute, column) in schema.attributes.iter().zip(columns) {
        if column.num_cells() != num_cells {
            let e = Error::from(ErrorKind::count("cells", num_cells, column.num_cells()));
            return Err(e.within(Step::Name(attribute.name.clone())));
        }
    }
    Ok(())
}

/// The error of a write that has nothing to write.
#[cold]
pub(super) fn no_cells() -> Error {
    ErrorKind::invalid("region", "", "there are no cells to write").into()
}

#[cold]
fn other_type(attribute: &Attribute, column: &Column) -> Error {
    let shown = |datatype: Datatype, values: CellValNum| match values.fixed() {
        Some(1) => datatype.to_string(),
        Some(n) => format!("{datatype} x {n}"),
        None => format!("{datatype}, any number of them"),
    };
    let expected = shown(attribute.datatype, attribute.cell_val_num);
    let found = shown(column.datatype(), column.cell_val_num());
    ErrorKind::mismatch(format!("column `{}`", attribute.name), expected, found).into()
}
