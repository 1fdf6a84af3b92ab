//! Files read page by page, from their start or as they grow.

mod blocks;
mod column_blocks;
mod follow;
mod open_page;
pub(super) mod page_reader;
pub(super) mod pages;
pub(super) mod reader;
mod string_index;

pub use column_blocks::ColumnBlocks;
pub use follow::{Follower, News};
pub use open_page::{PageFront, PageStart};
pub use reader::{Options, Reader, StreamReader};
