//! SciDB
