//! Regions of an array: which cells they have, in which tiles these are, and where each goes in another order.

mod copy;
mod order;
mod range;
mod space;
mod target;

#[cfg(feature = "ndarray")]
pub(crate) use copy::strides;
pub(crate) use copy::{Boxed, copy_cells};
pub(crate) use order::{Order, global_keys, slowest_first, tile_keys};
pub(crate) use range::{Ranges, outside};
pub(crate) use space::{Region, Space, contains, domain, intersection, region, shape, written};
pub(crate) use target::{Needed, Target};
