//! Orders of results, and results in batches. The arrays are those that libtiledb 1.6.3 wrote.

use crate::support::tiledb::path;
use binfmt::formats::tiledb::*;

/// Every array with its name.
fn arrays() -> Vec<(String, Array)> {
    let mut arrays = Vec::new();
    for entry in std::fs::read_dir(path("")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().join("__array_schema.tdb").is_file() && name != "f_big" {
            let options = Options::new().key(Key::new(*b"0123456789abcdeF0123456789abcdeF"));
            let options = if name.starts_with("e_") { options } else { Options::new() };
            arrays.push((name, options.open(Folder::new(entry.path())).unwrap()));
        }
    }
    assert!(arrays.len() > 60);
    arrays
}

/// Coordinates of a cell, and the bytes of its values: a NaN is itself in them.
type CellOf = (Vec<Number>, Vec<Vec<u8>>);

/// Coordinates and values of every cell.
fn listed(schema: &ArraySchema, cells: &Cells) -> Vec<CellOf> {
    let dims: Vec<Numbers> =
        schema.domain.dimensions.iter().map(|d| cells.coordinate(&d.name).unwrap().into_owned()).collect();
    let bytes = |column: &Column, i: usize| {
        let mut bytes = Vec::new();
        column.cell(i).for_each(|value| value.put_le_bytes(&mut bytes));
        bytes
    };
    let cell = |i: usize| {
        let at = dims.iter().map(|values| values.get(i).unwrap()).collect();
        (at, cells.columns().iter().map(|(_, column)| bytes(column, i)).collect())
    };
    (0..cells.num_cells()).map(cell).collect()
}

/// The tile of a coordinate; floats are not rounded down.
fn tile(d: &Dimension, value: Number) -> f64 {
    match (value, d.domain[0], d.tile_extent.unwrap()) {
        (Number::F32(v), Number::F32(low), Number::F32(extent)) => ((v - low) / extent).into(),
        (Number::F64(v), Number::F64(low), Number::F64(extent)) => (v - low) / extent,
        (v, low, extent) => {
            let [v, low, extent] = [v, low, extent].map(|v| v.as_i128().unwrap());
            (v - low).div_euclid(extent) as f64
        }
    }
}

fn in_order<T>(layout: Layout, mut values: Vec<T>) -> Vec<T> {
    if layout == Layout::ColumnMajor {
        values.reverse();
    }
    values
}

/// What sorts cells into global order.
fn global_key(schema: &ArraySchema, at: &[Number]) -> (Vec<f64>, Vec<Number>) {
    let tiles = schema.domain.dimensions.iter().zip(at).map(|(d, v)| tile(d, *v)).collect();
    (in_order(schema.tile_order, tiles), in_order(schema.cell_order, at.to_vec()))
}

#[test]
fn global_order_is_that_of_tiles_and_of_cells_in_them() {
    for (name, array) in arrays() {
        let schema = array.schema();
        let mut wanted = listed(schema, &array.read().unwrap());
        wanted.sort_by(|(a, _), (b, _)| global_key(schema, a).partial_cmp(&global_key(schema, b)).unwrap());
        let cells = array.query().global_order().read().unwrap();
        assert_eq!(cells.shape(), None);
        assert_eq!(listed(schema, &cells), wanted, "{name}");
    }
}

/// The tiles of a file of the only fragment, one after the other.
fn stored(
    array: &Array,
    file: &str,
    a: usize,
    codec: &mut TileCodec,
    len: impl Fn(usize) -> usize,
) -> Vec<Vec<u8>> {
    let fragment = &array.fragments()[0];
    let bytes = std::fs::read(array.storage().path().join(fragment.name().as_str()).join(file)).unwrap();
    let offsets = &fragment.metadata().tile_offsets[a].values;
    let end = |i: usize| offsets.get(i + 1).map_or(bytes.len(), |end| *end as usize);
    let tile = |(i, at): (usize, &u64)| {
        let mut out = vec![0; len(i)];
        codec.unfilter(&bytes[*at as usize..end(i)], &mut out).unwrap();
        out
    };
    offsets.iter().enumerate().map(tile).collect()
}

#[test]
fn global_order_is_that_of_the_files() {
    let mut compared = 0;
    for (name, array) in arrays() {
        let schema = array.schema();
        let sparse = schema.array_type == ArrayType::Sparse;
        if array.fragments().len() != 1 || !sparse || name.starts_with("e_") {
            continue;
        }
        let (size, dims) = (schema.domain.datatype.size().unwrap(), schema.domain.dimensions.len());
        let mut codec =
            TileCodec::new(&schema.coords_filters, schema.domain.datatype, size * dims, None).unwrap();
        let metadata = array.fragments()[0].metadata();
        let last = metadata.rtree.leaves().len() - 1;
        let cells = |i| if i == last { metadata.footer.last_tile_cell_num } else { schema.capacity } as usize;
        let tiles =
            stored(&array, "__coords.tdb", schema.attributes.len(), &mut codec, |i| cells(i) * dims * size);
        let found = array.query().global_order().attributes([""; 0]).read().unwrap();
        for (d, (_, values)) in found.coords().iter().enumerate() {
            let of = |(i, tile): (usize, &Vec<u8>)| tile[d * cells(i) * size..][..cells(i) * size].to_vec();
            let wanted: Vec<u8> = tiles.iter().enumerate().flat_map(of).collect();
            assert_eq!(values.to_le_bytes(), wanted, "{name}");
        }
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
}

#[test]
fn batches_are_the_result() {
    for (name, array) in arrays() {
        let schema = array.schema();
        for order in 0..3 {
            let query = match order {
                0 => array.query(),
                1 => array.query().order(Layout::ColumnMajor),
                _ => array.query().global_order(),
            };
            let wanted = listed(schema, &query.read().unwrap());
            for budget in [1, 60, 900, 1 << 20] {
                if budget == 1 && wanted.len() > 100 {
                    continue;
                }
                let mut found = Vec::new();
                let mut batches = 0;
                for cells in query.batches(budget) {
                    let cells = cells.unwrap();
                    let bytes: usize =
                        cells.columns().iter().map(|(_, c)| c.values().to_le_bytes().len()).sum();
                    assert!(cells.num_cells() == 1 || bytes as u64 <= budget, "{name}: {bytes} of {budget}");
                    found.extend(listed(schema, &cells));
                    batches += 1;
                }
                assert_eq!(found, wanted, "{name} {order} {budget}");
                assert!(budget > 1 || batches == wanted.len(), "{name}: {batches}");
                assert!(budget < 1 << 20 || batches <= 1, "{name}: {batches}");
            }
        }
    }
}

#[test]
fn batches_of_ranges_and_of_nothing() {
    let array = Array::open(path("d2_row_col")).unwrap();
    let query = array.query().range("rows", 2..=3).range("cols", 2..=5).attributes(["a"]).global_order();
    let parts: Vec<Cells> = query.batches(16).collect::<Result<_, _>>().unwrap();
    assert!(parts.len() > 1);
    let parts: Vec<CellOf> = parts.iter().flat_map(|cells| listed(array.schema(), cells)).collect();
    assert_eq!(parts, listed(array.schema(), &query.read().unwrap()));
    assert_eq!(parts.len(), 8);
    assert_eq!(array.query().range("rows", 9..).batches(100).count(), 0);
    let mut wrong = array.query().attributes(["nothing"]).batches(100);
    let e = wrong.next().unwrap().unwrap_err();
    assert_eq!(e.to_string(), "unknown attribute `nothing`, expected one of `a`, `b`");
    assert!(wrong.next().is_none());
}

#[test]
fn cells_are_found_by_their_numbers() {
    for (name, array) in arrays() {
        let schema = array.schema();
        let dims = schema.domain.dimensions.len();
        for order in [Layout::RowMajor, Layout::ColumnMajor] {
            let query = array.query().order(order);
            let cells = query.read().unwrap();
            let all = listed(schema, &cells);
            for (i, (at, _)) in all.iter().enumerate() {
                let told = (0..dims).map(|d| cells.coordinate_of(d, i).unwrap());
                assert!(told.eq(at.iter().copied()), "{name}: {i}");
            }
            assert_eq!(cells.coordinate_of(0, all.len()).or(cells.coordinate_of(dims, 0)), None);
            let n = all.len();
            for rows in [0..0, 0..1, 1..3, n / 2..n / 2 + 2, n - 1..n, n..n + 5, 0..n, 2..n + 9] {
                let (part, before) = query.clone().narrowed_to(rows.start as u64..rows.end as u64).unwrap();
                let some = listed(schema, &part.read().unwrap());
                let skipped = rows.start - before as usize;
                let found = some.iter().skip(skipped).take(rows.len());
                assert!(found.eq(all.iter().skip(rows.start).take(rows.len())), "{name}: {rows:?}");
                if schema.array_type == ArrayType::Dense && dims == 1 && !rows.is_empty() && rows.end <= n {
                    assert_eq!(some.len(), rows.len(), "{name}");
                }
            }
        }
    }
}
