//! Cells of dense arrays.

use super::grid::Grid;
use super::plan::{Plan, add_parts};
use super::result::Cells;
use super::{fixed, variable};
use crate::formats::tiledb::array::AnyArray;
use crate::formats::tiledb::region::{Order, Space, Target, region};
use crate::formats::tiledb::values::{Column, whole};
use crate::{ErrorKind, Result};

pub(super) fn read(
    array: &AnyArray<'_>,
    keys: &[[u64; 2]],
    attributes: &[usize],
    order: Order,
    mut earlier: Cells,
) -> Result<Cells> {
    let region = region(keys, &array.schema);
    let len = |[low, high]: &[i128; 2]| usize::try_from((high - low + 1).max(0)).ok();
    let shape: Option<Vec<usize>> = region.iter().map(len).collect();
    let cells = shape.as_ref().and_then(|shape| shape.iter().try_fold(1usize, |n, len| n.checked_mul(*len)));
    let (Some(shape), Some(num_cells)) = (shape, cells) else {
        return Err(ErrorKind::TooLarge { of: "the result" }.into());
    };
    let mut plan = Plan { space: Space::new(&array.schema)?, num_cells, covered: false, parts: Vec::new() };
    if num_cells > 0 {
        let target = Target::new(&region, order, &array.schema);
        add_parts(array, keys, &region, &target, &mut plan)?;
    }
    let mut columns = Vec::new();
    for a in attributes {
        let attribute = &array.schema.attributes[*a];
        let number = attribute.number_type();
        let column = match attribute.cell_val_num.fixed() {
            Some(_) => {
                let mut values = earlier.take_values(&attribute.name, number);
                fixed::read_dense(array, *a, &plan, &mut values)?;
                Column::fixed(attribute.datatype, attribute.cell_val_num, values)
            }
            None => {
                let (values, offsets) = variable::read_dense(array, *a, &plan)?;
                Column::variable(attribute.datatype, values, offsets)
            }
        };
        let column = whole(column, attribute)?;
        columns.push((attribute.name.clone(), column));
    }
    // in the order of the tiles the cells are not a box
    let shape = (order != Order::Global).then_some(shape);
    let grid = Some(Grid::new(region, order, &array.schema, array.limit));
    Ok(Cells { num_cells, shape, grid, coords: Vec::new(), columns })
}
