//! TileDB arrays, format version 3: what TileDB 1.6 writes and today's TileDB still reads.
//!
//! An array is a folder. Facts about the bytes were observed on libtiledb 1.6.3 and 2.30.0.
//!
//! ```no_run
//! use binfmt::formats::tiledb::{Array, Values};
//!
//! let array = Array::open("temperatures")?;
//! let cells = array.query().range("day", 10..20).attributes(["celsius"]).read()?;
//! if let Some(Values::F32(celsius)) = cells.column("celsius").map(|column| column.values()) {
//!     println!("{} cells, the first {:?}", cells.num_cells(), celsius.first());
//! }
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! # Files
//!
//! | file | what it holds |
//! |---|---|
//! | `__array_schema.tdb` | [`ArraySchema`] in a generic tile |
//! | `__lock.tdb` | nothing; TileDB 1.6 wants it |
//! | `__T1_T2_UUID/` | a fragment: the cells of one write ([`FragmentName`]) |
//! | … `__fragment_metadata.tdb` | [`FragmentMetadata`]; without it there is no fragment |
//! | … `NAME.tdb` | tiles of an attribute's values, or of the offsets of variable ones |
//! | … `NAME_var.tdb` | tiles of variable values |
//! | … `__coords.tdb` | tiles of coordinates, in sparse fragments |
//!
//! # Bytes
//!
//! All numbers are little-endian. The tables stand with the structs:
//!
//! | unit | struct |
//! |---|---|
//! | generic tile: a header, then a tile | [`GenericTileHeader`] |
//! | tile: chunks, each filtered by itself | [`TileChunks`], [`Chunk`] |
//! | filter pipeline, filter, its options | [`FilterPipeline`], [`Filter`], [`Compression`], [`WindowSize`] |
//! | array schema, domain, dimension, attribute | [`ArraySchema`], [`Domain`], [`Dimension`], [`Attribute`] |
//! | R-tree, its levels and boxes | [`RTree`], [`Level`], [`Mbr`] |
//! | positions and sizes of tiles | [`TileOffsets`] |
//! | footer, whose size the schema decides | [`Footer`] |
//!
//! A tile of variable values begins anew: the offsets of its cells count from its own first byte, and the last cell ends
//! where the tile does. A tile of coordinates holds all of the first dimension, then all of the second.
//!
//! # What is supported
//!
//! * Reading: dense and sparse arrays; all datatypes; cells of one, several, or any number of values; tiles and cells in
//!   row- and column-major order; several fragments, of which the last wins, consolidated ones, and the array as it was at
//!   an earlier time ([`OpenOptions::at`]); encrypted arrays ([`OpenOptions::key`]); ranges of coordinates and chosen
//!   attributes, for which only the tiles are read that they touch ([`Array::query`]).
//! * All filters, in both directions ([`TileCodec`]): gzip, zstd, LZ4, bzip2, RLE, double delta, bit width reduction,
//!   positive delta, byteshuffle, bitshuffle, AES-256-GCM.
//! * Schemas and fragment metadata, in both directions; what is written equals what libtiledb 1.6.3 writes, but for
//!   the output of compressors.
//! * Writing: new arrays ([`OpenOptions::create`]); regions of dense arrays and cells of sparse ones as new fragments,
//!   through any filters, encrypted where there is a key ([`Array::insert`]). A fragment is visible when its last file is
//!   there. libtiledb 1.6.3 and 2.30.0 read what is written.
//! * Checking: all of a fragment is read and compared with its metadata ([`Array::verify`]); single tiles as they are stored
//!   ([`Array::data_files`], [`Array::tile`]).
//! * Files in a folder or in memory, or wherever a [`Storage`] of yours has them.
//! * Several threads, which filter tiles at the same time ([`OpenOptions::threads`]).
//! * Not supported: consolidating, key-value stores, groups, other format versions (the error says
//!   which TileDB writes such a version).
//!
//! # Where the description and the software differ
//!
//! The description of the format that TileDB 1.6 comes with says otherwise in these places; here is what the software
//! does:
//!
//! * The footer has a byte behind the version that says whether the fragment is dense. It is no generic tile, it is never
//!   encrypted, and there is no length behind it.
//! * There are tile offsets for each attribute and for the coordinates, in dense fragments too (zeros).
//! * The length of a window of bit width reduction is that before the reduction.
//! * Offsets of variable cells count from their tile, not from the file.
//! * A chunk of an empty pipeline has no metadata.
//! * `__lock.tdb` is empty.
//! * Coordinates are split by dimension within each tile, not within the file, and a chunk never holds two dimensions.
//! * A dimension may have no tile extent, and then none is on disk.
//! * Boxes and non-empty domains are a low and a high coordinate for each dimension, one dimension after the other.
//!
//! libtiledb 1.6.3 loses data where bit width reduction meets a window of signed values whose distances exceed the
//! type; such windows are written raw here. Cells of variable attributes that were never written it reads back as
//! garbage; here, as in 2.30, they are one fill value.

mod array;
mod cell;
mod check;
mod chunk;
mod data_file;
mod datatype;
mod element;
mod explain;
mod filter;
mod fragment;
mod generic;
mod metadata;
mod name;
mod pipeline;
mod read;
mod scalar;
mod schema;
mod storage;
mod tile_cells;
mod values;
mod verify;
mod work;
mod write;

pub use array::{Array, Fragment, OpenOptions};
pub use chunk::{Chunk, TileChunks};
pub use data_file::{DataFile, TileContent};
pub use datatype::{Datatype, Number};
pub use element::Element;
pub use filter::{Key, TileCodec};
pub use fragment::{Footer, Level, Mbr, RTREE_FANOUT, RTree, TileOffsets};
pub use generic::{Encryption, GenericTileHeader};
pub use metadata::FragmentMetadata;
pub use name::FragmentName;
pub use pipeline::{Compression, Compressor, DEFAULT_MAX_CHUNK_SIZE, Filter, FilterPipeline, WindowSize};
pub use read::{Batches, Cells, Coordinate, Query};
pub use scalar::Scalar;
pub use schema::{ArraySchema, ArrayType, Attribute, CellValNum, Dimension, Domain, FORMAT_VERSION, Layout};
pub use storage::{Fill, Folder, Memory, Storage};
pub use values::{Column, Values};
pub use verify::Verified;
pub use write::Insert;
