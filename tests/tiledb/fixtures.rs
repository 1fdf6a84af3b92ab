//! Arrays that libtiledb 1.6.3 wrote: read to the content beside them, and their metadata written again byte for byte.

use binfmt::formats::tiledb::*;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiledb")
}

/// Every array: name, folder, content.
fn cases() -> Vec<(String, PathBuf, Json)> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            cases.push((name, path.with_extension(""), json));
        }
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(cases.len(), 72);
    cases
}

fn options(json: &Json) -> Options {
    match json["key"].as_str() {
        Some(key) => Options::new().key(Key::new(key.as_bytes().try_into().unwrap())),
        None => Options::new(),
    }
}

fn open(path: &Path, json: &Json) -> Array {
    options(json).open(Folder::new(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A number as the descriptions have it: floats by their bits.
fn number(value: Number) -> Json {
    match value {
        Number::F32(v) => json!(format!("{:08x}", v.to_bits())),
        Number::F64(v) => json!(format!("{:016x}", v.to_bits())),
        Number::U64(v) => json!(v),
        other => json!(i64::try_from(other.as_i128().unwrap()).unwrap()),
    }
}

fn hex(bytes: &[u8]) -> Json {
    json!(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>())
}

/// A cell as the descriptions have it: text by its bytes.
fn cell(column: &Column, i: usize) -> Json {
    let values: Vec<Number> = column.cell(i).collect();
    if column.datatype().is_text() {
        let bytes = values.iter().flat_map(|v| {
            let size = column.datatype().size().unwrap();
            v.as_i128().unwrap().to_le_bytes()[..size].to_vec()
        });
        return hex(&bytes.collect::<Vec<u8>>());
    }
    match column.cell_val_num().fixed() {
        Some(1) => number(values[0]),
        _ => values.into_iter().map(number).collect(),
    }
}

fn filters(pipeline: &FilterPipeline) -> Json {
    let name = |filter: &Filter| match filter {
        Filter::None(()) => json!({"type": "NONE"}),
        Filter::Gzip(c) => json!({"type": "GZIP", "compressor": 1, "level": c.level}),
        Filter::Zstd(c) => json!({"type": "ZSTD", "compressor": 2, "level": c.level}),
        Filter::Lz4(c) => json!({"type": "LZ4", "compressor": 3, "level": c.level}),
        Filter::Rle(c) => json!({"type": "RLE", "compressor": 4, "level": c.level}),
        Filter::Bzip2(c) => json!({"type": "BZIP2", "compressor": 5, "level": c.level}),
        Filter::DoubleDelta(c) => json!({"type": "DOUBLE_DELTA", "compressor": 6, "level": c.level}),
        Filter::BitWidthReduction(w) => json!({"type": "BIT_WIDTH_REDUCTION", "max_window": w.max_window}),
        Filter::Bitshuffle(()) => json!({"type": "BITSHUFFLE"}),
        Filter::Byteshuffle(()) => json!({"type": "BYTESHUFFLE"}),
        Filter::PositiveDelta(w) => json!({"type": "POSITIVE_DELTA", "max_window": w.max_window}),
        other => panic!("{other} in a schema"),
    };
    json!({"max_chunk_size": pipeline.max_chunk_size, "filters": pipeline.filters.iter().map(name).collect::<Json>()})
}

fn order(layout: Layout) -> &'static str {
    if layout == Layout::RowMajor { "row" } else { "col" }
}

fn schema(schema: &ArraySchema) -> Json {
    let dims = schema.domain.dimensions.iter().map(|d| {
        let extent = d.tile_extent.map(number);
        json!({"name": d.name, "lo": number(d.domain[0]), "hi": number(d.domain[1]), "extent": extent})
    });
    let attrs = schema.attributes.iter().map(|a| {
        let n = a.cell_val_num.fixed().map_or(json!("var"), |n| json!(n));
        json!({"name": a.name, "type": a.datatype.to_string(), "cell_val_num": n, "filters": filters(&a.filters)})
    });
    json!({
        "array_type": schema.array_type.to_string(),
        "tile_order": order(schema.tile_order),
        "cell_order": order(schema.cell_order),
        "capacity": schema.capacity,
        "coords_filters": filters(&schema.coords_filters),
        "offsets_filters": filters(&schema.offsets_filters),
        "dim_type": schema.domain.datatype.to_string(),
        "dims": dims.collect::<Json>(),
        "attrs": attrs.collect::<Json>(),
    })
}

fn ranges(ranges: &[[Number; 2]]) -> Json {
    ranges.iter().map(|range| range.iter().map(|v| number(*v)).collect::<Json>()).collect()
}

fn fragment(fragment: &Fragment, schema: &ArraySchema) -> Json {
    let m = fragment.metadata();
    let lists = |lists: &[TileOffsets]| lists.iter().map(|list| json!(list.values)).collect::<Json>();
    let level = |level: &Level| level.mbrs.iter().map(|mbr| ranges(&mbr.ranges)).collect::<Json>();
    json!({
        "name": fragment.name().as_str(),
        "footer_size": Footer::size(schema).unwrap(),
        "version": m.footer.version,
        "dense": u8::from(m.footer.dense),
        "null_ned": u8::from(m.footer.null_non_empty_domain),
        "non_empty_domain": ranges(&m.footer.non_empty_domain),
        "sparse_tile_num": m.footer.sparse_tile_num,
        "last_tile_cell_num": m.footer.last_tile_cell_num,
        "file_sizes": m.footer.file_sizes,
        "file_var_sizes": m.footer.file_var_sizes,
        "rtree_offset": m.footer.rtree_offset,
        "gt_tile_offsets": m.footer.tile_offsets,
        "gt_tile_var_offsets": m.footer.tile_var_offsets,
        "gt_tile_var_sizes": m.footer.tile_var_sizes,
        "rtree": {
            "dim_num": m.rtree.num_dims,
            "fanout": m.rtree.fanout,
            "type": m.rtree.datatype.code(),
            "levels": m.rtree.levels.iter().map(level).collect::<Json>(),
        },
        "tile_offsets": lists(&m.tile_offsets),
        "tile_var_offsets": lists(&m.tile_var_offsets),
        "tile_var_sizes": lists(&m.tile_var_sizes),
    })
}

/// Objects by their own fields: the descriptions of float domains have more.
fn assert_same(found: &Json, expected: &Json, place: &str) {
    match (found, expected) {
        (Json::Object(a), Json::Object(_)) => {
            for (name, value) in a {
                assert_same(value, &expected[name], &format!("{place}.{name}"));
            }
        }
        (Json::Array(a), Json::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}: length");
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                assert_same(a, b, &format!("{place}[{i}]"));
            }
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

#[test]
fn schemas_and_fragments_are_those_of_the_software() {
    for (name, path, json) in cases() {
        let array = open(&path, &json);
        assert_same(&schema(array.schema()), &json["schema"], &name);
        let fragments: Json = array.fragments().iter().map(|f| fragment(f, array.schema())).collect();
        assert_same(&fragments, &json["fragments"], &name);
    }
}

#[test]
fn cells_are_those_of_the_software() {
    for (name, path, json) in cases() {
        let array = open(&path, &json);
        let cells = array.read().unwrap_or_else(|e| panic!("{name}: {e}"));
        let attributes = json["attrs"].as_object().unwrap();
        assert_eq!(cells.columns().len(), attributes.len(), "{name}");
        for (attribute, column) in cells.columns() {
            let attribute = if attribute.is_empty() { "__attr" } else { attribute };
            assert_eq!(column.num_cells(), cells.num_cells());
            let found: Json = (0..column.num_cells()).map(|i| cell(column, i)).collect();
            assert_same(&found, &attributes[attribute], &format!("{name}.{attribute}"));
        }
        if let Some(coords) = json.get("coords") {
            let of =
                |i: usize| cells.coords().iter().map(|(_, v)| number(v.get(i).unwrap())).collect::<Json>();
            let found: Json = (0..cells.num_cells()).map(of).collect();
            assert_same(&found, coords, &format!("{name}.coords"));
        } else {
            assert_eq!(cells.shape().unwrap().iter().product::<usize>(), cells.num_cells());
        }
    }
}

/// The generic tiles of a file up to `end`, without their filters.
fn generic_tiles(file: &[u8], end: usize, key: Option<&Key>) -> Vec<Vec<u8>> {
    let mut rest = &file[..end];
    let mut tiles = Vec::new();
    while !rest.is_empty() {
        let (header, body) = binfmt::from_prefix::<GenericTileHeader>(rest).unwrap();
        assert_eq!(binfmt::to_vec(&header).unwrap(), rest[..rest.len() - body.len()]);
        let (tile, after) = body.split_at(header.persisted_size as usize);
        let key = key.filter(|_| header.encryption == Encryption::Aes256Gcm);
        let mut codec =
            TileCodec::new(&header.pipeline, header.datatype, header.cell_size as usize, key).unwrap();
        let mut data = vec![0; header.tile_size as usize];
        codec.unfilter(tile, &mut data).unwrap();
        tiles.push(data);
        rest = after;
    }
    tiles
}

fn key(json: &Json) -> Option<Key> {
    json["key"].as_str().map(|key| Key::new(key.as_bytes().try_into().unwrap()))
}

#[test]
fn metadata_are_written_byte_for_byte() {
    for (name, path, json) in cases() {
        let key = key(&json);
        let array = open(&path, &json);
        let schema = array.schema();
        let file = std::fs::read(path.join("__array_schema.tdb")).unwrap();
        let theirs = generic_tiles(&file, file.len(), key.as_ref());
        assert_eq!([binfmt::to_vec(schema).unwrap()], theirs[..], "{name}");
        let ours = schema.to_file(key.as_ref()).unwrap();
        assert_eq!(generic_tiles(&ours, ours.len(), key.as_ref()), theirs, "{name}");
        for fragment in array.fragments() {
            let metadata = fragment.metadata();
            let file =
                std::fs::read(path.join(fragment.name().as_str()).join("__fragment_metadata.tdb")).unwrap();
            let end = file.len() - Footer::size(schema).unwrap();
            let footer = binfmt::to_vec_with(&metadata.footer, &binfmt::Options::new().ctx(schema)).unwrap();
            assert_eq!(footer, file[end..], "{name}");
            let ours = metadata.to_bytes(schema, key.as_ref()).unwrap();
            let our_end = ours.len() - footer.len();
            let theirs = generic_tiles(&file, end, key.as_ref());
            assert_eq!(generic_tiles(&ours, our_end, key.as_ref()), theirs, "{name}");
            let again = FragmentMetadata::from_bytes(&ours, schema, key.as_ref(), 1 << 20).unwrap();
            assert_eq!(
                (&again.rtree, &again.tile_offsets),
                (&metadata.rtree, &metadata.tile_offsets),
                "{name}"
            );
            let leaves = metadata.rtree.leaves().to_vec();
            let tree = RTree::build(metadata.rtree.num_dims, metadata.rtree.datatype, leaves);
            assert_eq!(tree, metadata.rtree, "{name}");
        }
    }
}

/// Whether there is one output only: RLE, double delta and what is not a compressor.
fn is_ours(filter: &Filter) -> bool {
    !matches!(filter, Filter::Gzip(_) | Filter::Zstd(_) | Filter::Lz4(_) | Filter::Bzip2(_))
}

/// Every tile of one file: its bytes, and what they are without the filters.
fn tiles(path: &Path, offsets: &[u64], codec: &mut TileCodec) -> Vec<(Vec<u8>, Vec<u8>)> {
    let file = std::fs::read(path).unwrap();
    let ends = offsets.iter().skip(1).copied().chain([file.len() as u64]);
    let tile = |(at, end): (&u64, u64)| {
        let stored = &file[*at as usize..end as usize];
        let len = binfmt::from_slice::<TileChunks<'_>>(stored).unwrap().len_original();
        let mut data = vec![0; len as usize];
        codec.unfilter(stored, &mut data).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (stored.to_vec(), data)
    };
    offsets.iter().zip(ends).map(tile).collect()
}

#[test]
fn tiles_are_filtered_as_the_software_does() {
    let (mut same, mut all) = (0, 0);
    for (name, path, json) in cases() {
        let array = open(&path, &json);
        let key = key(&json);
        for fragment in array.fragments() {
            let metadata = fragment.metadata();
            for (i, a) in array.schema().attributes.iter().enumerate() {
                let stem = if a.name.is_empty() { "__attr" } else { &a.name };
                let folder = path.join(fragment.name().as_str());
                let size = a.datatype.size().unwrap();
                let offsets = &metadata.tile_offsets[i].values;
                let mut files = vec![match a.cell_size() {
                    Some(cell) => (format!("{stem}.tdb"), offsets, &a.filters, a.datatype, cell),
                    None => {
                        (format!("{stem}.tdb"), offsets, &array.schema().offsets_filters, Datatype::Uint64, 8)
                    }
                }];
                if a.cell_val_num == CellValNum::VAR {
                    let offsets = &metadata.tile_var_offsets[i].values;
                    files.push((format!("{stem}_var.tdb"), offsets, &a.filters, a.datatype, size));
                }
                for (file, offsets, pipeline, datatype, cell) in files {
                    let mut codec = TileCodec::new(pipeline, datatype, cell, key.as_ref()).unwrap();
                    for (stored, data) in tiles(&folder.join(&file), offsets, &mut codec) {
                        let place = format!("{name}/{file}");
                        let ours = codec.filter(&data).unwrap_or_else(|e| panic!("{place}: {e}"));
                        let mut back = vec![0; data.len()];
                        codec.unfilter(&ours, &mut back).unwrap_or_else(|e| panic!("{place}: {e}"));
                        assert_eq!(back, data, "{place}");
                        all += 1;
                        if key.is_none() && pipeline.filters.iter().all(is_ours) {
                            assert_eq!(ours, stored, "{place}");
                            same += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(same > 200 && all > 400, "{same} of {all}");
}
