//! TileDB arrays, format version 3: what TileDB 1.6 writes and today's TileDB still reads.
//!
//! An array is a folder. Facts about the bytes were observed on libtiledb 1.6.3 and 2.30.0.
//!
//! ```
//! use binfmt::BinFormat;
//! use binfmt::formats::tiledb::*;
//!
//! /// A cell: attributes and dimensions by name, checked against the array's schema before a byte is read.
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Weather { day: i32, celsius: f32, #[binfmt(var_len)] note: String }
//!
//! let day = Dimension::new("day", Number::I32(1), Number::I32(365), Number::I32(7));
//! let schema = ArraySchema::sparse(Datatype::Int32, [day])
//!     .attribute(Attribute::new("celsius", Datatype::Float32).filtered([Filter::byteshuffle(), Filter::zstd(3)]))
//!     .attribute(Attribute::new("note", Datatype::StringUtf8).values(CellValNum::VAR));
//! let mut array = Options::new().create(Memory::new(), schema)?;
//! array.insert().cells(&[
//!     Weather { day: 40, celsius: -3.5, note: "snow".into() },
//!     Weather { day: 12, celsius: 4.0, note: "".into() },
//! ])?.write()?;
//!
//! let cold: Vec<Weather> = array.query().range("day", 32..=59).read_as()?;
//! assert_eq!(cold[0].note, "snow");
//! // or as columns
//! let cells = array.query().attributes(["celsius"]).read()?;
//! assert_eq!(cells.column("celsius").unwrap().values(), &Numbers::F32(vec![4.0, -3.5]));
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! # Files
//!
//! | file | what it contains |
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
//! All numbers are little-endian. The tables are with the structs:
//!
//! | unit | struct |
//! |---|---|
//! | generic tile: a header, then a tile | [`GenericTileHeader`] |
//! | tile: chunks, each filtered by itself | [`TileChunks`], [`TileChunk`] |
//! | filter pipeline, filter, its options | [`FilterPipeline`], [`Filter`], [`CompressionOptions`], [`WindowSize`] |
//! | array schema, domain, dimension, attribute | [`ArraySchema`], [`Domain`], [`Dimension`], [`Attribute`] |
//! | R-tree, its levels and boxes | [`RTree`], [`Level`], [`Mbr`] |
//! | positions and sizes of tiles | [`TileOffsets`] |
//! | footer, whose size the schema decides | [`Footer`] |
//!
//! A tile of variable values begins again: the offsets of its cells count from its own first byte, and the last cell ends
//! where the tile does. A tile of coordinates contains all of the first dimension, then all of the second.
//!
//! # What is supported
//!
//! * Reading: dense and sparse arrays; all datatypes; cells of one, several, or any number of values; tiles and cells in
//!   row- and column-major order; several fragments, of which the last wins, consolidated ones, and the array as it was at
//!   an earlier time ([`Options::at`]); encrypted arrays ([`Options::key`]); ranges of coordinates and chosen
//!   attributes, for which only the tiles are read that they touch ([`Array::query`]).
//! * Results as columns ([`Cells`]), as structs of your own ([`Query::read_as`]), as arrays of the crate `ndarray`
//!   (`Cells::array`, feature `ndarray`); row-major, column-major, or in global order ([`Query::global_order`]); whole, or
//!   in batches of bounded size ([`Query::batches`]). Cells are written from the same three.
//! * All filters, in both directions ([`TileCodec`]): gzip, zstd, LZ4, bzip2, RLE, double delta, bit width reduction,
//!   positive delta, byteshuffle, bitshuffle, AES-256-GCM.
//! * Schemas and fragment metadata, in both directions; what is written equals what libtiledb 1.6.3 writes, but for
//!   the output of compressors.
//! * Writing: new arrays ([`Options::create`]); regions of dense arrays and cells of sparse ones as new fragments,
//!   through any filters, encrypted where there is a key ([`Array::insert`]). A fragment is visible when its last file is
//!   there. libtiledb 1.6.3 and 2.30.0 read what is written.
//! * Checking: all of a fragment is read and compared with its metadata ([`Array::verify`]); single tiles as they are stored
//!   ([`Array::data_files`], [`Array::tile`]).
//! * Files in a folder or in memory, or wherever a [`Storage`] of yours has them. In a folder, what was written is on the disk,
//!   its name too, before the call returns.
//! * All fragments as one ([`Array::consolidate`]), and what then, or after writers that were killed, is left over
//!   ([`Array::left_over`], [`Array::remove`]). libtiledb 1.6.3 and 2.30.0 read the same afterwards.
//! * Several threads, which filter tiles at the same time ([`Options::threads`]).
//! * Not supported: key-value stores, groups, other format versions (the error says which TileDB writes such a version). An array that a later TileDB has written to, consolidated or given another schema
//!   still has its files of version 3; it is refused all the same, because they are not all that it contains, or nothing of it.
//!
//! # Where the description and the software differ
//!
//! The description of the format that TileDB 1.6 comes with says otherwise in these places; here is what the software
//! does:
//!
//! * A fragment's metadata file is not a single generic tile: it is 2 + 3 N of them and the footer, N being the attributes.
//! * The footer has a byte after the version that says whether the fragment is dense. It is not a generic tile, it is never
//!   encrypted, and no length follows it.
//! * There are tile offsets for each attribute and for the coordinates, in dense fragments too (zeros).
//! * The length of a window of bit width reduction is that before the reduction.
//! * Offsets of variable cells count from their tile, not from the file.
//! * A chunk of an empty pipeline has no metadata.
//! * `__lock.tdb` is empty.
//! * Coordinates are split by dimension within each tile, not within the file, and a chunk never contains two dimensions.
//! * A dimension may have no tile extent, and then none is on disk.
//! * Times are not integers to bit width reduction and positive delta: they pass through both as they are.
//! * The last write of a cell wins, says the description. In both libraries sparse cells in a dense array win over a later
//!   dense write of a part of the domain, where there are two dimensions or more; here the last write wins all the same.
//! * No two cells of a fragment are at one place, unless libtiledb 1.6 is told not to look. Where the ranges of a query have
//!   tiles of one fragment only, all its cells are told, here as in both libraries; where there are several, one for each place.
//! * Boxes and non-empty domains are a low and a high coordinate for each dimension, one dimension after the other.
//!
//! And it is silent about: the numbers of all enums; the 32 digits that the name of a fragment needs; that the first level of
//! the R-tree is the root; zlib containers, raw LZ4 blocks and the big-endian lengths of RLE; all of double delta; the blocks
//! of bitshuffle; in which order the metadata of several filters stands; what filters do with types that they do not take;
//! AES-256-GCM; fill values; which fragment wins; zeros for the tiles of files that are not there.
//!
//! libtiledb 1.6.3 loses data where bit width reduction meets a window of signed values whose distances exceed the
//! type; such windows are written raw here. Cells of variable attributes that were never written it reads back as
//! garbage; here, as in 2.30, they are one fill value. Of dense arrays of several fragments it sometimes returns fill values
//! where cells were written, or too few cells; here, as in 2.30, all are there. It takes times for unsigned numbers where it
//! sorts cells and computes the boxes of sparse fragments: of coordinates below and above 0 its boxes are wrong, and ranges
//! miss cells, here too; [`Array::verify`] tells.

mod array;
mod check;
mod explain;
mod filter;
mod layout;
mod metadata;
mod read;
mod region;
mod room;
#[cfg(feature = "table")]
mod serial;
mod storage;
#[cfg(feature = "table")]
mod table;
mod values;
mod work;
mod write;

pub use crate::numbers::{Element, Number, NumberType, Numbers};
pub use array::{Array, Fragment, Options};
pub use check::{IgnoredFile, IgnoredReason, Verified};
pub use explain::Explained;
pub use filter::{Key, TileCodec};
pub use layout::{
    ArraySchema, ArrayType, Attribute, CellValNum, CompressionOptions, Compressor, DEFAULT_MAX_CHUNK_SIZE,
    Datatype, Dimension, Domain, Encryption, FORMAT_VERSION, Filter, FilterPipeline, Footer,
    GenericTileHeader, Layout, Level, Mbr, RTREE_FANOUT, RTree, TileChunk, TileChunks, TileOffsets,
    WindowSize,
};
pub use metadata::FragmentMetadata;
pub use read::{Batches, Cells, FragmentFile, Query, TileContent};
#[cfg(feature = "table")]
pub use serial::{FragmentContent, FragmentSeed};
pub use storage::{Fill, Folder, FragmentName, Memory, Storage};
#[cfg(feature = "table")]
pub use table::Tables;
pub use values::Column;
pub use write::Insert;
