//! The conformance kit on schemas and metadata of TileDB's fragments: as they are inside their generic tiles, and as
//! whole files, which libtiledb 1.6.3 compressed.

use crate::conformance::typed::typed;
use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::tiledb::{self, *};
use binfmt::{BinFormat, Error, Options, Result};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const NAMES: [&str; 8] =
    ["d1_anon", "d1_i32", "d1_var", "d2_dim_datetime", "e_dense", "s1_noattr", "s2_f64", "s3_u8"];
/// Few enough for every byte of their files to be changed.
const SMALL: [&str; 3] = ["d1_anon", "d1_i32", "s1_noattr"];
const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");
const LIMIT: u64 = 1 << 14;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiledb").join(name)
}

fn key(name: &str) -> Option<&'static Key> {
    name.starts_with("e_").then_some(&KEY)
}

fn schema_file(name: &str) -> Vec<u8> {
    std::fs::read(folder(name).join("__array_schema.tdb")).unwrap()
}

/// The schema of an array, which every question asks for.
fn schema(name: &str) -> &'static ArraySchema {
    static SCHEMAS: OnceLock<Vec<ArraySchema>> = OnceLock::new();
    let read = |name: &&str| ArraySchema::from_file(&schema_file(name), key(name)).unwrap();
    let schemas = SCHEMAS.get_or_init(|| NAMES.iter().map(read).collect());
    &schemas[NAMES.iter().position(|other| *other == name).unwrap()]
}

/// The metadata file of the first fragment.
fn metadata_file(name: &str) -> Vec<u8> {
    let array = match key(name) {
        Some(key) => tiledb::Options::new().key(*key).open(Folder::new(folder(name))),
        None => Array::open(folder(name)),
    };
    let fragment = array.unwrap().fragments()[0].name().to_string();
    std::fs::read(folder(name).join(fragment).join("__fragment_metadata.tdb")).unwrap()
}

fn metadata(name: &str) -> FragmentMetadata {
    FragmentMetadata::from_bytes(&metadata_file(name), schema(name), key(name), LIMIT).unwrap()
}

fn samples(bytes: impl Fn(&str) -> Vec<u8>) -> Vec<Sample> {
    NAMES.iter().map(|name| Sample::new(*name, bytes(name)).context(*name)).collect()
}

/// All of a file that ends where its stream does.
fn rest(reader: &mut dyn Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|e| Error::other(e.to_string()))?;
    Ok(bytes)
}

fn put(bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    out.write_all(bytes).map_err(|e| Error::other(e.to_string()))
}

// what is inside a generic tile

typed!(
    Schemas,
    ArraySchema,
    "TileDB schemas",
    samples(|name| binfmt::to_vec(schema(name)).unwrap()),
    |_sample| (),
    |_, _, _| false
);
typed!(
    Trees,
    RTree,
    "TileDB R-trees",
    samples(|name| binfmt::to_vec(&metadata(name).rtree).unwrap()),
    |_sample| (),
    |_, _, _| false
);
typed!(
    Lists,
    TileOffsets,
    "TileDB tile offsets",
    samples(|name| binfmt::to_vec(&metadata(name).tile_offsets[0]).unwrap()),
    |_sample| (),
    |_, _, _| false
);
typed!(
    Footers,
    Footer,
    "TileDB footers",
    samples(|name| {
        let file = metadata_file(name);
        file[file.len() - Footer::size(schema(name)).unwrap()..].to_vec()
    }),
    |sample| schema(&sample.context),
    |_, _, _| false
);

/// A generic tile as it stands in a file.
#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct GenericTile<'a> {
    header: GenericTileHeader,
    tile: TileChunks<'a>,
}

/// A file of metadata as it stands on disk.
#[derive(BinFormat, Debug)]
#[binfmt(le, ctx(schema: &ArraySchema))]
struct MetadataFile<'a> {
    #[binfmt(count = 2 + 3 * schema.attributes.len())]
    tiles: Vec<GenericTile<'a>>,
    #[binfmt(args(schema))]
    footer: Footer,
}

struct SchemaFiles;

impl Conformance for SchemaFiles {
    type Value = ArraySchema;

    fn name(&self) -> &str {
        "TileDB schema files"
    }

    fn samples(&self) -> Vec<Sample> {
        samples(schema_file).into_iter().map(Sample::not_canonical).collect()
    }

    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<ArraySchema> {
        ArraySchema::from_file(bytes, key(&sample.context))
    }

    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<ArraySchema> {
        self.decode(sample, &rest(reader)?)
    }

    fn encode(&self, sample: &Sample, value: &ArraySchema, out: &mut dyn Write) -> Result<()> {
        put(&value.to_file(key(&sample.context))?, out)
    }

    fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace::<GenericTile<'_>>(bytes)]
    }

    fn may_end_at(&self, _: &Sample, _: usize) -> bool {
        false
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }
}

struct MetadataFiles;

impl Conformance for MetadataFiles {
    type Value = FragmentMetadata;

    fn name(&self) -> &str {
        "TileDB metadata files"
    }

    fn samples(&self) -> Vec<Sample> {
        let mut samples = samples(metadata_file);
        samples.retain(|sample| SMALL.contains(&&*sample.name));
        samples.into_iter().map(Sample::not_canonical).collect()
    }

    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<FragmentMetadata> {
        FragmentMetadata::from_bytes(bytes, schema(&sample.context), key(&sample.context), LIMIT)
    }

    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<FragmentMetadata> {
        self.decode(sample, &rest(reader)?)
    }

    fn encode(&self, sample: &Sample, value: &FragmentMetadata, out: &mut dyn Write) -> Result<()> {
        put(&value.to_bytes(schema(&sample.context), key(&sample.context))?, out)
    }

    fn trace(&self, sample: &Sample, bytes: &[u8]) -> Vec<Trace> {
        let schema = schema(&sample.context);
        vec![dump::trace_with::<MetadataFile<'_>, _>(bytes, &Options::new().ctx(schema))]
    }

    fn may_end_at(&self, _: &Sample, _: usize) -> bool {
        false
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }

    /// Where the parts are in the file is computed again.
    fn same(&self, a: &FragmentMetadata, b: &FragmentMetadata) -> bool {
        let content = |metadata: &FragmentMetadata| {
            let mut metadata = metadata.clone();
            let footer = &mut metadata.footer;
            footer.rtree_offset = 0;
            for list in [&mut footer.tile_offsets, &mut footer.tile_var_offsets, &mut footer.tile_var_sizes] {
                list.fill(0);
            }
            format!("{metadata:?}")
        };
        content(a) == content(b)
    }
}

fn answers(format: &impl Conformance, checks: u64) {
    let report = check(format);
    assert!(report.num_checks() > checks, "{report}");
    assert!(report.is_ok(), "{report}");
}

#[test]
fn what_is_inside_of_generic_tiles() {
    answers(&Schemas, 5_000);
    answers(&Trees, 1_000);
    answers(&Lists, 500);
    answers(&Footers, 3_000);
}

#[test]
fn files() {
    answers(&SchemaFiles, 5_000);
    answers(&MetadataFiles, 5_000);
}
