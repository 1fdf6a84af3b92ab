//! Rows as structs of the user, and as the columns of a layout that is known only at run time.

mod batch;
pub(super) mod structs;
