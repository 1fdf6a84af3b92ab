//! Where the files of an array are: in a folder, in memory, or wherever a storage of the user's has them.

mod files;
mod folder;
mod memory;
mod name;

pub use files::{Fill, Storage};
pub(crate) use files::{check_size, in_file, io_error, read_file};
pub use folder::Folder;
pub use memory::Memory;
pub use name::FragmentName;
pub(crate) use name::visible;
