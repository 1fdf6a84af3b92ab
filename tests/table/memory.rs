//! Columns in memory, of every type.

use crate::support::random::{self, Random};
use crate::table::support::{is_the_same_in_parts, picks, rows};
use binfmt::columns::Plan;
use binfmt::table::{ColumnsTable, Table};
use std::sync::Arc;

#[test]
fn columns_of_any_type_are_cut_anywhere() {
    let mut count = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let layout = random::any_layout(&mut random, true);
        let Ok(plan) = Plan::new(&layout) else { continue };
        let root = layout.resolve(&layout.root).unwrap().clone();
        let values: Vec<_> = (0..6).map(|_| random::value(&mut random, &root)).collect();
        let Ok(columns) = plan.columns_of(&values) else { continue };
        let expected = rows([&columns]);
        for (from, to) in [(0, 6), (1, 3), (3, 6), (2, 2), (5, 9)] {
            let some = columns.slice(from..to);
            assert_eq!(rows([&some]), expected[from..to.min(6)], "{layout}");
            let types = |columns: &binfmt::columns::Columns| -> Vec<_> {
                columns.iter().map(|(_, column)| column.column_type()).collect()
            };
            assert_eq!(types(&some), types(&columns), "{layout}");
            // what was cut is whole: it is encoded as the rows are
            let wanted = plan.encode(&plan.columns_of(&values[from..to.min(6)]).unwrap());
            assert_eq!(plan.encode(&some).ok(), wanted.ok(), "{layout}");
        }
        let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
        is_the_same_in_parts(&table, &expected);
        picks(&table, &expected);
        count += 1;
    }
    assert!(count > 100, "{count}");
}
