//! Whatever the value, whatever the bytes, wherever the output ends.

#[path = "../support/composite.rs"]
mod composite;
mod failing_writer;
mod sinks;
mod values;
#[path = "../support/wire.rs"]
mod wire;
mod words;
