//! Values of layouts as objects of Python, and back.

mod from;
mod to;

pub(crate) use from::from_python;
pub(crate) use to::to_python;
