//! Layouts at random: what a plan decodes comes back.

use crate::random::{Random, any_layout, value};
use crate::support::{catch, comes_back, lossless, schema_of};
use binfmt::columns::Plan;
use binfmt::value::Value;

#[test]
fn columns_of_any_layout_come_back() {
    let mut seen = 0;
    for seed in 0..600 {
        let r = &mut Random::new(seed);
        let layout = any_layout(r, true);
        let Ok(plan) = Plan::new(&layout) else { continue };
        let rows: Vec<Value> = (0..r.below(6)).map(|_| value(r, &layout.root)).collect();
        let Ok(columns) = plan.columns_of(&rows) else { continue };
        let schema = schema_of(plan.types().map(|(name, ty)| (name.into(), ty)));
        for how in lossless() {
            let same = catch(|| comes_back(&schema, &columns, &how));
            assert!(same, "{seed} {how:?}\n{layout}\n{columns:?}");
        }
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}
