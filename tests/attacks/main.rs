//! Programs without `unsafe` that try to corrupt memory through what is written: functions, writers and drops that panic at each call,
//! memory that is refused at each call, errors that are swallowed, and the methods of sinks in any order.
//!
//! What they leave is looked at: a vector is what it was, and no output is there that lacks something. Run under Miri and the address
//! sanitizer, which look at the rest.

mod blasts;
mod caught;
#[allow(dead_code, reason = "other programs use the rest")]
#[path = "../support/memory.rs"]
mod memory;
mod refused;
mod sinks;
mod values;
mod writers;

/// The calls that fail, each in a run of its own. Under Miri, where a run takes long: the first ones, and ever fewer of those after.
fn turns() -> impl Iterator<Item = u32> {
    let step = |k: &u32| Some(if cfg!(miri) { k + 1 + k / 3 } else { k + 1 });
    std::iter::successors(Some(1), step).take_while(|k| *k < 2000)
}
