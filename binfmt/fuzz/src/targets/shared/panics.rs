//! Panics that are no find: the fuzzer ends the program at any, before it unwinds.

use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;

/// A function, reader or writer of a target panics on purpose with this.
pub(crate) struct Struck;

/// From now on such panics unwind, and those of other crates, of which the project makes errors.
pub(crate) fn let_unwind() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !is_no_find(info) {
                before(info);
            }
        }));
    });
}

fn is_no_find(info: &PanicHookInfo<'_>) -> bool {
    let is_of_crate = |name: &str| info.location().is_some_and(|at| at.file().contains(name));
    info.payload().is::<Struck>() || ["/arrow-", "/parquet-"].into_iter().any(is_of_crate)
}
