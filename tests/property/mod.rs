//! Whatever the value, whatever the bytes, wherever the output ends.

mod failing_writer;
mod sinks;
mod values;
mod words;
