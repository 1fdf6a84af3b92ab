//! The files of an array, and the names of its fragments.

mod files;
mod name;

pub use crate::storage::{Fill, Folder, Memory, Storage};
pub(crate) use files::{check_size, in_file, io_error, read_file};
pub use name::FragmentName;
pub(crate) use name::visible;
