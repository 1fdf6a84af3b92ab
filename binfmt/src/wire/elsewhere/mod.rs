//! Parts that are written elsewhere: each waits in a vector until what it comes after is written.
//!
//! What is written one after the other has no holes. So a part elsewhere comes after it, or says again what is there; and
//! when all parts are known, they are appended in the order of their positions. No sink goes back, but to fill in numbers.
//!
//! A part whose position is not given *floats*: it comes after all others. Until then it has positions of its own, above all
//! real ones: each floating part has a space of them, whose number is in the upper bits. What is noted inside it counts there.
//!
//! A part that ends by an error or a panic stays open. Who catches that and goes on is refused at the end: the output would lack it.

#[cfg(feature = "alloc")]
mod bytes;
#[cfg(not(feature = "alloc"))]
mod heapless;
pub(crate) mod landing;
#[cfg(feature = "alloc")]
mod last;
#[cfg(feature = "alloc")]
mod locate;
#[cfg(feature = "alloc")]
mod placed;
#[cfg(feature = "alloc")]
mod position;
#[cfg(feature = "alloc")]
mod settle;
#[cfg(feature = "alloc")]
mod watch;

#[cfg(not(feature = "alloc"))]
pub(crate) use heapless::{Locator, Placed, settle};
#[cfg(feature = "alloc")]
pub(crate) use locate::Locator;
#[cfg(feature = "alloc")]
pub(crate) use placed::{Before, Offset, Placed};
#[cfg(feature = "alloc")]
pub(crate) use position::{cannot_place, distance, position, position_before, position_in};
#[cfg(feature = "alloc")]
pub(crate) use settle::settle;
