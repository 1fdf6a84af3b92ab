//! Which tiles a query reads.

use super::plan::{check_tiles, covering};
use super::query::AnyQuery;
use super::select;
use crate::Result;
use crate::formats::tiledb::layout::ArrayType;
use crate::formats::tiledb::region::{Space, region, written};
use crate::wire::amount::{known, plus};

impl AnyQuery<'_> {
    /// The numbers of the tiles that the query reads of each attribute, where those of all fragments follow each other, and how many there are.
    pub(crate) fn tiles(self) -> Result<(Vec<usize>, usize)> {
        let array = self.array;
        let keys = self.keys()?;
        let region = region(&keys, &array.schema);
        let first = covering(&array.fragments, &region).unwrap_or(0);
        let space = match array.schema.array_type {
            ArrayType::Dense => Some(Space::new(&array.schema)?),
            _ => None,
        };
        let (mut read, mut all) = (Vec::new(), 0usize);
        for (number, fragment) in array.fragments.iter().enumerate() {
            let (tiles, count): (Vec<usize>, usize) =
                match space.as_ref().filter(|_| fragment.metadata.footer.dense) {
                    Some(space) => match written(&fragment.metadata.footer) {
                        Some(written) => {
                            check_tiles(array, fragment, &written, space)?;
                            (space.needed_tiles(&written, &region), known(space.num_tiles(&written)))
                        }
                        None => (Vec::new(), 0),
                    },
                    None => {
                        let tiles = select::touched(fragment, &keys).collect();
                        (tiles, fragment.metadata.rtree.leaves().len())
                    }
                };
            if number >= first {
                read.extend(tiles.into_iter().map(|tile| plus(all, tile)));
            }
            all = plus(all, count);
        }
        // of a box in another order the numbers do not rise
        read.sort_unstable();
        Ok((read, all))
    }
}
