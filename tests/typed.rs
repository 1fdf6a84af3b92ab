//! Structs of the derive: every word in both directions, what else the macro makes, any value and any bytes.

mod derive;
mod property;
mod support;
mod words;
