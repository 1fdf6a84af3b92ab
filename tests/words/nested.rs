//! Words together, as in real formats: a footer with a pipeline of filters like TileDB's, a page with a run-time byte
//! order like that of SDDS.

use crate::support::wire::{assert_error, bad, refused_with, same, same_with, short_with};
use binfmt::{BinFormat, Endian, ErrorKind, Options};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Datatype {
    Int32 = 0,
    Float64 = 3,
    Uint8 = 6,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(datatype: Datatype), tag_from = datatype)]
enum Scalar {
    #[binfmt(tag = Datatype::Int32)]
    Int32(i32),
    #[binfmt(tag = Datatype::Float64)]
    Float64(f64),
    #[binfmt(tag = Datatype::Uint8)]
    Uint8(u8),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Compression {
    kind: u8,
    level: i32,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Filter {
    #[binfmt(tag = 1)]
    Gzip(#[binfmt(length_prefixed(u32, in = bytes))] Compression),
    #[binfmt(tag = 7)]
    BitWidthReduction(#[binfmt(length_prefixed(u32, in = bytes))] u32),
    #[binfmt(tag = 8)]
    Bitshuffle(#[binfmt(length_prefixed(u32, in = bytes))] ()),
    #[binfmt(other)]
    Unknown {
        tag: u8,
        #[binfmt(length_prefixed(u32))]
        metadata: Vec<u8>,
    },
}

#[derive(BinFormat, Debug, PartialEq)]
struct FilterPipeline {
    max_chunk_size: u32,
    #[binfmt(length_prefixed(u32))]
    filters: Vec<Filter>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct GenericTileHeader {
    version: u32,
    datatype: Datatype,
    #[binfmt(length_prefixed(u32, in = bytes))]
    pipeline: FilterPipeline,
}

fn pipeline() -> Vec<u8> {
    let filters = [
        &[1, 5, 0, 0, 0, 9, 6, 0, 0, 0][..],
        &[7, 4, 0, 0, 0, 0, 1, 0, 0],
        &[8, 0, 0, 0, 0],
        &[77, 2, 0, 0, 0, 0xAA, 0xBB],
    ];
    [&[0, 0, 1, 0, 4, 0, 0, 0][..], &filters.concat()].concat()
}

fn header(region: &[u8]) -> Vec<u8> {
    [&[3, 0, 0, 0, 6][..], &(region.len() as u32).to_le_bytes(), region].concat()
}

#[test]
fn a_generic_tile_header() {
    let filters = vec![
        Filter::Gzip(Compression { kind: 9, level: 6 }),
        Filter::BitWidthReduction(256),
        Filter::Bitshuffle(()),
        Filter::Unknown { tag: 77, metadata: vec![0xAA, 0xBB] },
    ];
    let value = GenericTileHeader {
        version: 3,
        datatype: Datatype::Uint8,
        pipeline: FilterPipeline { max_chunk_size: 65536, filters },
    };
    same(&value, &header(&pipeline()));
}

#[test]
fn what_is_wrong_deep_inside() {
    let mut region = pipeline();
    region[9] = 6;
    let e = bad::<GenericTileHeader>(&header(&region));
    assert_error!(e, 27, "pipeline.filters[0].0", ErrorKind::UnconsumedRegion { count: 1 });
    region[9] = 4;
    let e = bad::<GenericTileHeader>(&header(&region));
    assert_error!(e, 23, "pipeline.filters[0].0.level", ErrorKind::RegionEnd { needed: 4, remaining: 3 });
    let mut longer = pipeline();
    longer.push(0);
    let e = bad::<GenericTileHeader>(&header(&longer));
    assert_error!(e, 48, "pipeline", ErrorKind::UnconsumedRegion { count: 1 });
    let mut typeless = header(&pipeline());
    typeless[4] = 1;
    let e = bad::<GenericTileHeader>(&typeless);
    assert_error!(e, 4, "datatype", ErrorKind::UnknownTag { found, of } if found == "1" && of == "Datatype");
}

struct Schema {
    datatype: Datatype,
    num_dims: usize,
    num_attrs: usize,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, ctx(schema: &Schema))]
struct Footer {
    version: u32,
    dense: bool,
    null_non_empty_domain: bool,
    #[binfmt(if(!*null_non_empty_domain), count = schema.num_dims, args(schema.datatype))]
    non_empty_domain: Option<Vec<[Scalar; 2]>>,
    num_sparse_tiles: u64,
    #[binfmt(count = schema.num_attrs + 1)]
    file_sizes: Vec<u64>,
    #[binfmt(count = schema.num_attrs)]
    file_var_sizes: Vec<u64>,
    #[binfmt(args(schema.num_dims, schema.datatype))]
    rtree: RTree,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(num_dims: usize, datatype: Datatype))]
struct RTree {
    fanout: u32,
    #[binfmt(length_prefixed(u32), args(num_dims, datatype))]
    levels: Vec<Level>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(num_dims: usize, datatype: Datatype))]
struct Level {
    #[binfmt(length_prefixed(u64), args(num_dims, datatype))]
    mbrs: Vec<Mbr>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(num_dims: usize, datatype: Datatype))]
struct Mbr {
    #[binfmt(count = num_dims, args(datatype))]
    ranges: Vec<[Scalar; 2]>,
}

fn range(low: i32, high: i32) -> [Scalar; 2] {
    [Scalar::Int32(low), Scalar::Int32(high)]
}

fn footer() -> (Footer, Vec<u8>) {
    let value = Footer {
        version: 3,
        dense: true,
        null_non_empty_domain: false,
        non_empty_domain: Some(vec![range(1, 4), range(-1, 4)]),
        num_sparse_tiles: 0,
        file_sizes: vec![10, 20],
        file_var_sizes: vec![30],
        rtree: RTree {
            fanout: 10,
            levels: vec![Level { mbrs: vec![Mbr { ranges: vec![range(1, 2), range(3, 4)] }] }],
        },
    };
    let mut bytes = vec![3, 0, 0, 0, 1, 0];
    for n in [1i32, 4, -1, 4] {
        bytes.extend(n.to_le_bytes());
    }
    for n in [0u64, 10, 20, 30] {
        bytes.extend(n.to_le_bytes());
    }
    bytes.extend([10, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    for n in [1i32, 2, 3, 4] {
        bytes.extend(n.to_le_bytes());
    }
    (value, bytes)
}

#[test]
fn a_footer_under_its_schema() {
    let schema = Schema { datatype: Datatype::Int32, num_dims: 2, num_attrs: 1 };
    let (value, bytes) = footer();
    same_with(&value, &bytes, &Options::new().ctx(&schema));
    // fixed by `le`, whatever the caller says
    same_with(&value, &bytes, &Options::new().endian(Endian::Big).ctx(&schema));
    let [slice, _] = short_with::<Footer, _>(&bytes[..bytes.len() - 1], &Options::new().ctx(&schema));
    assert_eq!(slice.path().to_string(), "rtree.levels[0].mbrs[0].ranges[1][1].0");
    let other = Schema { datatype: Datatype::Float64, ..schema };
    let e = refused_with(&value, &Options::new().ctx(&other));
    let path = "non_empty_domain[0][0]";
    assert_error!(e, 6, path, ErrorKind::VariantMismatch { of: "Scalar", found: "Int32" });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Chunk {
    len_original: u32,
    #[binfmt(len_of(data, auto))]
    len_filtered: u32,
    #[binfmt(len_of(metadata, auto))]
    len_metadata: u32,
    #[binfmt(count = len_metadata)]
    metadata: Vec<u8>,
    #[binfmt(count = len_filtered)]
    data: Vec<u8>,
}

#[test]
fn a_chunk_whose_lengths_stand_apart() {
    let value =
        Chunk { len_original: 9, len_filtered: 2, len_metadata: 1, metadata: vec![7], data: vec![8, 9] };
    same(&value, &[9, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 7, 8, 9]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DataType {
    Short,
    Double,
    Text,
}

struct Definition {
    data_type: DataType,
    fixed: bool,
    dimensions: usize,
}

struct Header {
    parameters: Vec<Definition>,
    arrays: Vec<Definition>,
    columns: Vec<Definition>,
}

impl Header {
    fn stored_parameters(&self) -> impl Iterator<Item = &Definition> {
        self.parameters.iter().filter(|definition| !definition.fixed)
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct RowCount {
    short: i32,
    #[binfmt(if(*short == i32::MIN))]
    long: Option<i64>,
}

impl RowCount {
    fn rows(&self) -> i64 {
        self.long.unwrap_or(self.short.into())
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Text {
    #[binfmt(length_prefixed(i32))]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: &Definition), tag_from = kind.data_type)]
enum Value {
    #[binfmt(tag = DataType::Short)]
    Short(i16),
    #[binfmt(tag = DataType::Double)]
    Double(f64),
    #[binfmt(tag = DataType::Text)]
    Text(Text),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: &Definition))]
struct Array {
    #[binfmt(count = kind.dimensions)]
    dimensions: Vec<i32>,
    #[binfmt(count = dimensions.iter().map(|n| i64::from(*n)).product::<i64>(), args(kind))]
    values: Vec<Value>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(header: &Header))]
struct Row {
    #[binfmt(each(&header.columns))]
    values: Vec<Value>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(header: &Header))]
struct Page {
    rows: RowCount,
    #[binfmt(each(header.stored_parameters()))]
    parameters: Vec<Value>,
    #[binfmt(each(&header.arrays))]
    arrays: Vec<Array>,
    #[binfmt(count = rows.rows(), args(header))]
    table: Vec<Row>,
}

fn page_header() -> Header {
    let definition = |data_type, fixed| Definition { data_type, fixed, dimensions: 2 };
    Header {
        parameters: vec![
            definition(DataType::Short, false),
            definition(DataType::Double, true),
            definition(DataType::Text, false),
        ],
        arrays: vec![definition(DataType::Short, false)],
        columns: vec![definition(DataType::Double, false), definition(DataType::Text, false)],
    }
}

fn page() -> Page {
    let text = |text: &str| Value::Text(Text { bytes: text.into() });
    Page {
        rows: RowCount { short: 2, long: None },
        parameters: vec![Value::Short(1), text("p")],
        arrays: vec![Array { dimensions: vec![1, 2], values: vec![Value::Short(3), Value::Short(4)] }],
        table: vec![
            Row { values: vec![Value::Double(1.0), text("a")] },
            Row { values: vec![Value::Double(2.0), text("")] },
        ],
    }
}

#[test]
fn a_page_in_both_orders() {
    let header = page_header();
    let little = b"\x02\0\0\0\x01\0\x01\0\0\0p\x01\0\0\0\x02\0\0\0\x03\0\x04\0\0\0\0\0\0\0\xf0\x3f\x01\0\0\0a\0\0\0\0\0\0\0\x40\0\0\0\0";
    same_with(&page(), little, &Options::new().ctx(&header));
    let big = b"\0\0\0\x02\0\x01\0\0\0\x01p\0\0\0\x01\0\0\0\x02\0\x03\0\x04\x3f\xf0\0\0\0\0\0\0\0\0\0\x01a\x40\0\0\0\0\0\0\0\0\0\0\0";
    same_with(&page(), big, &Options::new().endian(Endian::Big).ctx(&header));
}

#[test]
fn a_page_that_contradicts_its_header() {
    let header = page_header();
    let options = Options::new().ctx(&header);
    let mut value = page();
    value.table[1].values.pop();
    let e = refused_with(&value, &options);
    assert_error!(e, 44, "table[1].values", ErrorKind::LengthMismatch { expected: 2, found: 1 });
    let mut value = page();
    value.parameters[0] = Value::Double(1.0);
    let e = refused_with(&value, &options);
    assert_error!(e, 4, "parameters[0]", ErrorKind::VariantMismatch { of: "Value", found: "Double" });
    let [slice, _] = short_with::<Page, _>(b"\x02\0\0\0\x01\0\xff\xff\xff\xff", &options);
    assert_error!(slice, 6, "parameters[1].0.bytes", ErrorKind::InvalidLength { found: -1 });
    let [slice, _] = short_with::<Page, _>(b"\x02\0\0\0\x01\0\0\0\0\0\xff\xff\xff\xff\x02\0\0\0", &options);
    assert_error!(slice, 18, "arrays[0].values", ErrorKind::InvalidLength { found: -2 });
}
