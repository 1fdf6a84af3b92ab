//! Objects, data files and sets of the BEAT platform, which its own backend packed and wrote.

mod dataset;
mod files;
mod objects;
mod refusals;
