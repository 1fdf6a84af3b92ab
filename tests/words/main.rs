//! Every word of the derive: the bytes that it stands for, read from slices and from streams and written to every
//! sink, and the error that it raises.

mod byte_order;
mod conditions;
mod context;
mod corners;
mod custom;
mod enums;
mod lengths;
mod magic;
mod nested;
mod nullable;
mod padding;
mod sequences;
mod shapes;
mod skip;
mod text;
#[path = "../support/wire.rs"]
mod wire;
