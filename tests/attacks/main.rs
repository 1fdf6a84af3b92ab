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
