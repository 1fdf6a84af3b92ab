//! Damaged files.
