//! Single cases of libtiledb 1.6.3: every datatype through every filter, and cells twice at one place.

use crate::support::tiledb::path;
use binfmt::formats::tiledb::*;
use serde_json::Value as Json;

fn json(name: &str) -> Json {
    serde_json::from_str(&std::fs::read_to_string(path(name)).unwrap()).unwrap()
}

fn bytes(json: &Json) -> Vec<u8> {
    let digits: Vec<u8> = json.as_str().unwrap().chars().map(|c| c.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|two| two[0] << 4 | two[1]).collect()
}

/// A filter as libtiledb makes it, by name.
fn filter(name: &str) -> Filter {
    match name {
        "NONE" => Filter::none(),
        "GZIP" => Filter::gzip(-1),
        "ZSTD" => Filter::zstd(-1),
        "LZ4" => Filter::lz4(-1),
        "RLE" => Filter::rle(-1),
        "BZIP2" => Filter::bzip2(-1),
        "DOUBLE_DELTA" => Filter::double_delta(-1),
        "BIT_WIDTH_REDUCTION" => Filter::bit_width_reduction(256),
        "BITSHUFFLE" => Filter::bitshuffle(),
        "BYTESHUFFLE" => Filter::byteshuffle(),
        "POSITIVE_DELTA" => Filter::positive_delta(1024),
        other => panic!("{other}"),
    }
}

#[test]
fn every_type_through_every_filter() {
    let (mut tiles, mut same, mut refused) = (0, 0, 0);
    for (datatype, of_type) in json("filters/tiles.json").as_object().unwrap() {
        let datatype = Datatype::named(datatype).unwrap();
        let values = bytes(&of_type["values"]);
        for (name, tile) in of_type.as_object().unwrap().iter().filter(|(name, _)| *name != "values") {
            let place = format!("{datatype} {name}");
            let pipeline = FilterPipeline::new([filter(name)]);
            if tile.is_null() {
                let x = Dimension::new("x", Number::I32(0), Number::I32(15), Number::I32(16));
                let a = Attribute::new("a", datatype).filtered(pipeline.filters);
                let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(a);
                assert!(Options::new().create(Memory::new(), schema).is_err(), "{place}");
                refused += 1;
                continue;
            }
            let theirs = bytes(tile);
            let mut codec = TileCodec::new(&pipeline, datatype, datatype.size().unwrap(), None).unwrap();
            let mut back = vec![0; values.len()];
            codec.unfilter(&theirs, &mut back).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert_eq!(back, values, "{place}");
            let ours = codec.filter(&values).unwrap_or_else(|e| panic!("{place}: {e}"));
            // of compressors there are several outputs
            if !["GZIP", "ZSTD", "LZ4", "BZIP2"].contains(&name.as_str()) {
                assert_eq!(ours, theirs, "{place}");
                same += 1;
            }
            let explained = pipeline.explain(datatype, false, &theirs);
            let told: u64 = explained.iter().map(|trace| trace.bytes().len() as u64).sum();
            assert_eq!(told, theirs.len() as u64, "{place}: bytes that are explained");
            assert!(explained.iter().all(|trace| trace.error().is_none()), "{place}");
            tiles += 1;
        }
    }
    // double delta has no floats
    assert_eq!((tiles, same, refused), (328, 208, 2));
}

fn found(cells: &Cells) -> Vec<[i64; 2]> {
    let Numbers::I32(places) = cells.coordinate("x").unwrap().into_owned() else {
        panic!("other coordinates")
    };
    let values: Vec<i32> = cells.column("a").unwrap().values().as_slice().unwrap().to_vec();
    places.into_iter().zip(values).map(|(x, a)| [x.into(), a.into()]).collect()
}

#[test]
fn cells_twice_at_one_place() {
    let cells = json("duplicates/cells.json");
    for (name, regions) in cells.as_object().unwrap() {
        for threads in [1, 3] {
            let folder = Folder::new(path(&format!("duplicates/{name}")));
            let array = Options::new().threads(threads).open(folder).unwrap();
            for (region, wanted) in regions.as_object().unwrap() {
                let wanted: Vec<[i64; 2]> = serde_json::from_value(wanted.clone()).unwrap();
                let (low, high) = region.split_once("..=").unwrap();
                let (low, high): (i64, i64) = (low.parse().unwrap(), high.parse().unwrap());
                let query = array.query().range("x", low..=high);
                let all = found(&query.read().unwrap());
                let places = |cells: &[[i64; 2]]| cells.iter().map(|[x, _]| *x).collect::<Vec<_>>();
                assert_eq!(places(&all), places(&wanted), "{name} {region}");
                if places(&wanted).windows(2).any(|two| two[0] == two[1]) {
                    assert_eq!(all, wanted, "{name} {region}");
                }
                for order in
                    [query.clone(), query.clone().order(Layout::ColumnMajor), query.clone().global_order()]
                {
                    assert_eq!(found(&order.read().unwrap()), all, "{name} {region}");
                    let parts = order.batches(8).flat_map(|cells| found(&cells.unwrap()));
                    assert_eq!(
                        places(&parts.collect::<Vec<_>>()),
                        places(&all),
                        "{name} {region}: in batches"
                    );
                }
            }
        }
    }
}
