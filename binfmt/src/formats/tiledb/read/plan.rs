//! What each fragment gives to a dense result.

use super::select::{self, Selected};
use crate::formats::tiledb::array::{AnyArray, Fragment, METADATA_FILE};
use crate::formats::tiledb::region::{
    Needed, Region, Space, Target, contains, domain, intersection, written,
};
use crate::formats::tiledb::storage::in_file;
use crate::{Error, ErrorKind, Result, Step};

/// What a fragment gives to the result.
pub(super) enum Part<'a> {
    /// Tiles, and where their cells go.
    Tiles { fragment: &'a Fragment, tiles: Vec<usize>, needed: Vec<Needed> },
    /// Single cells, and where each goes.
    Cells { selected: Selected<'a>, to: Vec<usize> },
}

/// Everything that is known of a result before an attribute is read.
pub(super) struct Plan<'a> {
    pub(super) space: Space,
    pub(super) num_cells: usize,
    /// Whether the first part writes every cell.
    pub(super) covered: bool,
    pub(super) parts: Vec<Part<'a>>,
}

/// What each fragment gives, from the last one on that has everything.
pub(super) fn add_parts<'a>(
    array: &'a AnyArray<'_>,
    keys: &[[u64; 2]],
    region: &Region,
    target: &Target<'_>,
    plan: &mut Plan<'a>,
) -> Result<()> {
    let covering = covering(&array.fragments, region);
    plan.covered = covering.is_some();
    for fragment in array.fragments.iter().skip(covering.unwrap_or(0)) {
        if !fragment.metadata.footer.dense {
            let Some(selected) = select::select(array, fragment, keys, usize::MAX)? else { continue };
            let to = selected.places(&array.schema, &plan.space, target);
            plan.parts.push(Part::Cells { selected, to });
            continue;
        }
        let Some(written) = written(&fragment.metadata.footer) else { continue };
        check_tiles(array, fragment, &written, &plan.space)?;
        let needed = plan.space.needed(&written, region, target);
        let tiles = needed.iter().map(|needed| needed.tile).collect();
        plan.parts.push(Part::Tiles { fragment, tiles, needed });
    }
    Ok(())
}

/// The last fragment that has everything, so that nothing of those before it is left.
pub(super) fn covering(fragments: &[Fragment], region: &Region) -> Option<usize> {
    let all = |f: &Fragment| {
        f.metadata.footer.dense && written(&f.metadata.footer).is_some_and(|w| contains(&w, region))
    };
    fragments.iter().rposition(all)
}

/// The fragment has as many tiles as its region needs, so that their numbers mean something.
pub(super) fn check_tiles(
    array: &AnyArray<'_>,
    fragment: &Fragment,
    written: &Region,
    space: &Space,
) -> Result<()> {
    in_metadata(array, fragment, written, space)
        .map_err(|e| in_file(e, &format!("{}/{METADATA_FILE}", fragment.name)))
}

fn in_metadata(array: &AnyArray<'_>, fragment: &Fragment, written: &Region, space: &Space) -> Result<()> {
    let domain = domain(&array.schema);
    // what was consolidated may reach to the ends of tiles, beyond the domain
    let low = |w: &[[i128; 2]], d: &[[i128; 2]]| w.iter().zip(d).all(|(w, d)| w[0] >= d[0] && w[0] <= w[1]);
    if !domain.is_some_and(|domain| low(written, &domain) && intersection(written, &domain).is_some()) {
        return Err(ErrorKind::invalid("non-empty domain", "", "not in the array's domain").into());
    }
    let num_tiles = space.num_tiles(written);
    let metadata = &fragment.metadata;
    for (i, attribute) in array.schema.attributes.iter().enumerate() {
        let lists = [&metadata.tile_offsets, &metadata.tile_var_offsets, &metadata.tile_var_sizes];
        let lists = &lists[..if attribute.cell_val_num.fixed().is_some() { 1 } else { 3 }];
        for list in lists {
            let found = list.get(i).map_or(0, |list| list.values.len());
            if Some(found) != num_tiles {
                let e = Error::from(ErrorKind::count("tiles", num_tiles.unwrap_or(usize::MAX), found));
                return Err(e.within(Step::Name(attribute.name.clone())));
            }
        }
    }
    Ok(())
}
