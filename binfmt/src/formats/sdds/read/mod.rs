//! Files read page by page, from their start or as they grow.

mod follow;
pub(super) mod pages;
pub(super) mod reader;

pub use follow::{Follower, News};
pub use reader::{Options, Reader, StreamReader};
