//! The bytes of an array's files as annotated types: what is beside the description of the format.

mod chunk;
mod datatype;
mod fragment;
mod generic;
pub(crate) mod parts;
mod pipeline;
mod schema;

pub use chunk::{TileChunk, TileChunks};
pub use datatype::Datatype;
pub use fragment::{Footer, Level, Mbr, RTREE_FANOUT, RTree, TileOffsets};
pub use generic::{Encryption, GenericTileHeader};
pub use pipeline::{
    CompressionOptions, Compressor, DEFAULT_MAX_CHUNK_SIZE, Filter, FilterPipeline, WindowSize,
};
pub use schema::{ArraySchema, ArrayType, Attribute, CellValNum, Dimension, Domain, FORMAT_VERSION, Layout};
