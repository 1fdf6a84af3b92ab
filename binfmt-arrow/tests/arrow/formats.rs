//! Files of all formats.

use crate::fixtures::all;
use crate::support::{catch, comes_back, lossless};
use binfmt::table::Wanted;
use std::collections::BTreeMap;

#[test]
fn what_tables_have_comes_back() {
    let mut seen = BTreeMap::new();
    for fixture in all() {
        let Ok(table) = fixture.open() else { continue };
        for batch in table.clone().batches(&Wanted::new().batch_rows(100)).unwrap() {
            // those before the damage
            let Ok(columns) = batch else { break };
            for how in lossless() {
                let batch = catch(|| comes_back(table.schema(), &columns, &how));
                assert!(batch, "{fixture:?} {how:?}");
            }
            *seen.entry(fixture.format).or_insert(0) += 1;
        }
    }
    assert!(seen.values().all(|batches| *batches > 5) && seen.len() == 5, "{seen:?}");
}
