//! Whether the cells of a sparse fragment are in global order, each place once.

use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::region::global_keys;
use crate::numbers::Numbers;

/// Goes through the cells of a fragment, and remembers the last one.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    /// What sorts as the last cell does, in global order: its tile, then its place.
    last: Option<Vec<u64>>,
    /// Cells that are at the place of the one before them.
    pub(crate) duplicates: u64,
    /// Cells that are before the one before them in global order.
    pub(crate) out_of_order: u64,
}

impl Sequence {
    /// Counts the cells of the next tile that are before the one that precedes them, and those at its place.
    pub(crate) fn tile(&mut self, schema: &ArraySchema, coords: &[Numbers]) {
        let keys = global_keys(schema, coords);
        let of_tiles = coords.len();
        for cell in 0..coords.first().map_or(0, Numbers::len) {
            let key: Vec<u64> = keys.iter().map(|keys| keys[cell]).collect();
            if let Some(last) = &self.last {
                self.duplicates += u64::from(key[of_tiles..] == last[of_tiles..]);
                self.out_of_order += u64::from(key < *last);
            }
            self.last = Some(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;
    use crate::formats::tiledb::*;

    /// Duplicates, and cells out of order, of tiles with these coordinates.
    fn counted(tiles: &[&[[i32; 2]]]) -> (u64, u64) {
        let [x, y] =
            ["x", "y"].map(|name| Dimension::new(name, Number::I32(0), Number::I32(9), Number::I32(5)));
        let mut schema = ArraySchema::sparse(Datatype::Int32, [x, y]);
        schema.cell_order = Layout::ColumnMajor;
        let mut sequence = Sequence::default();
        for cells in tiles {
            let coords = [0, 1].map(|d| Numbers::I32(cells.iter().map(|cell| cell[d]).collect()));
            sequence.tile(&schema, &coords);
        }
        (sequence.duplicates, sequence.out_of_order)
    }

    #[test]
    fn order_and_duplicates() {
        // down the columns of a tile, then the tile to the right
        assert_eq!(counted(&[&[[0, 1], [4, 1], [0, 2]], &[[0, 5], [5, 0]]]), (0, 0));
        assert_eq!(counted(&[&[[0, 1], [0, 2], [4, 1]]]), (0, 1));
        // across the border of two tiles of cells
        assert_eq!(counted(&[&[[0, 5]], &[[0, 5], [4, 4]]]), (1, 1));
    }
}
