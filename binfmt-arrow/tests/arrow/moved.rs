//! What is moved lies at the same address before and after.

use crate::support::one;
use arrow_array::Array;
use arrow_data::ArrayData;
use binfmt::columns::{BytesColumn, Column, ColumnData, ListColumn, NullableColumn};
use binfmt::numbers::{F16, Numbers};
use binfmt::table::{Logical, TableField, TableSchema, TimeUnit};
use binfmt::{BinFormat, Nullable, TypedColumns};
use binfmt_arrow::{Conversion, Mapping};

/// Where the memory of a column is, in the order in which Arrow has it.
fn places(column: &Column, found: &mut Vec<usize>) {
    match column {
        Column::Numbers(numbers) => found.push(address(numbers)),
        Column::Text(v) | Column::Bytes(v) => {
            found.extend([v.offsets().as_ptr() as usize, v.items().as_ptr() as usize]);
        }
        Column::FixedBytes { bytes, .. } => found.push(bytes.as_ptr() as usize),
        Column::Nullable(v) | Column::Optional(v) => places(v.values(), found),
        Column::List(v) => {
            found.push(v.offsets().as_ptr() as usize);
            places(v.items(), found);
        }
        Column::Array { items, .. } => places(items, found),
        Column::Record { fields, .. } => fields.iter().for_each(|(_, column)| places(column, found)),
        Column::Choice(v) => v.columns().iter().for_each(|(_, column)| places(column, found)),
        Column::Shaped { shapes, items } => {
            found.push(items.offsets().as_ptr() as usize);
            places(items.items(), found);
            found.extend([shapes.offsets().as_ptr() as usize, shapes.items().as_ptr() as usize]);
        }
        _ => {}
    }
}

fn address(numbers: &Numbers) -> usize {
    match numbers {
        Numbers::I8(v) => v.as_ptr() as usize,
        Numbers::U16(v) => v.as_ptr() as usize,
        Numbers::U64(v) => v.as_ptr() as usize,
        Numbers::I64(v) => v.as_ptr() as usize,
        Numbers::F16(v) => v.as_ptr() as usize,
        Numbers::F32(v) => v.as_ptr() as usize,
        Numbers::F64(v) => v.as_ptr() as usize,
        Numbers::I128(v) => v.as_ptr() as usize,
        Numbers::U128(v) => v.as_ptr() as usize,
        other => panic!("{other:?}"),
    }
}

fn buffers(data: &ArrayData, found: &mut Vec<usize>) {
    if !matches!(data.data_type(), arrow_schema::DataType::Union(..)) {
        found.extend(data.buffers().iter().map(|buffer| buffer.as_ptr() as usize));
    }
    data.child_data().iter().for_each(|child| buffers(child, found));
}

/// The arrays are where the column was, and the column that comes back is where it was.
fn is_moved(name: &str, column: Column, logical: Option<Logical>, back: bool) {
    let (mut before, mut there, mut after) = (Vec::new(), Vec::new(), Vec::new());
    places(&column, &mut before);
    let (_, columns) = one(column.clone());
    drop(columns);
    let schema = TableSchema::new([TableField::new("x", column.column_type()).logical(logical)]);
    let columns = binfmt::columns::Columns::new(vec![("x".into(), column)]).unwrap();
    let mapping = Mapping::of_table(&schema, &Conversion::new()).unwrap();
    let batch = mapping.to_batch(columns).unwrap();
    buffers(&batch.column(0).to_data(), &mut there);
    assert_eq!(before, there, "{name}: to Arrow");
    let columns = mapping.to_columns(batch).unwrap();
    if back {
        places(columns.get("x").unwrap(), &mut after);
        assert_eq!(before, after, "{name}: back");
    }
}

fn texts() -> BytesColumn {
    BytesColumn::from_iter(["one", "", "drei", "\u{1F600}"].map(str::as_bytes))
}

#[test]
fn columns_are_moved() {
    let f16 = Column::from(vec![F16::from_bits(1), F16::from_bits(2)]);
    let list = |items: Column| Column::List(Box::new(ListColumn::from_parts(vec![0, 1, 4], items).unwrap()));
    let numbers = || Column::from(vec![1.5f64, 2.5, 3.5, 4.5]);
    let record = |column: Column| Column::Record { rows: column.len(), fields: vec![("a".into(), column)] };
    let nullable = NullableColumn::from_parts(vec![255, 0, 255, 3], numbers(), 255).unwrap();
    let array = |len, items: Column| Column::Array { len, rows: items.len() / len, items: Box::new(items) };
    let shapes = ListColumn::from_parts(vec![0, 2, 4], vec![1u64, 1, 1, 3]).unwrap();
    let shaped =
        Column::Shaped { shapes, items: Box::new(ListColumn::from_parts(vec![0, 1, 4], numbers()).unwrap()) };
    let time = Some(Logical::Timestamp(TimeUnit::Nano));
    is_moved("i8", Column::from(vec![1i8, 2]), None, true);
    is_moved("u64", Column::from(vec![1u64, u64::MAX]), None, true);
    is_moved("f16", f16, None, true);
    is_moved("times", Column::from(vec![i64::MIN, 5]), time, true);
    is_moved("i128", Column::from(vec![1i128, i128::MIN]), None, false);
    is_moved("u128", Column::from(vec![1u128, u128::MAX]), None, false);
    is_moved("text", Column::Text(texts()), None, true);
    is_moved("bytes", Column::Bytes(texts()), None, true);
    is_moved("fixed", Column::FixedBytes { size: 2, rows: 2, bytes: b"abcd".to_vec() }, None, true);
    is_moved("nullable", Column::Nullable(Box::new(nullable)), None, true);
    is_moved("list", list(numbers()), None, true);
    is_moved("list of texts", list(Column::Text(texts())), None, true);
    is_moved("array", array(2, numbers()), None, true);
    is_moved("array of arrays", array(2, array(2, numbers())), None, true);
    is_moved("record", record(record(numbers())), None, true);
    is_moved("shaped", shaped, None, true);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Reading {
    station: u16,
    xyz: [f32; 3],
    #[binfmt(nullable)]
    celsius: Nullable<f64>,
    #[binfmt(length_prefixed(u8))]
    note: String,
    #[binfmt(length_prefixed(u8))]
    counts: Vec<u32>,
    ok: bool,
}

#[test]
fn typed_columns_are_moved_and_come_back() {
    let reading = |i: u16| Reading {
        station: i,
        xyz: [f32::from(i); 3],
        celsius: if i.is_multiple_of(3) { Nullable::Missing(4) } else { Nullable::Value(f64::from(i)) },
        note: format!("n{i}"),
        counts: vec![u32::from(i); usize::from(i % 4)],
        ok: i.is_multiple_of(2),
    };
    let columns = ReadingColumns::from_rows((0..1000).map(reading));
    let bytes = columns.to_vec().unwrap();
    let before = [
        columns.station.as_ptr() as usize,
        columns.xyz.as_ptr() as usize,
        columns.celsius.values().as_ptr() as usize,
        columns.note.offsets().as_ptr() as usize,
        columns.note.text().as_ptr() as usize,
        columns.counts.offsets().as_ptr() as usize,
        columns.counts.items().as_ptr() as usize,
    ];
    let columns = columns.into_columns().unwrap();
    let schema =
        crate::support::schema_of(columns.iter().map(|(name, column)| (name.into(), column.column_type())));
    let mapping = Mapping::of_table(&schema, &Conversion::new().missing_codes(true)).unwrap();
    let batch = mapping.to_batch(columns).unwrap();
    let mut there = Vec::new();
    for array in &batch.columns()[..6] {
        // the codes are the fourth
        if array.data_type() != &arrow_schema::DataType::UInt8 {
            buffers(&array.to_data(), &mut there);
        }
    }
    assert_eq!(there, before);
    assert_eq!(batch.column(2).null_count(), 334);
    let again = ReadingColumns::from_columns(mapping.to_columns(batch).unwrap()).unwrap();
    assert_eq!(again.to_vec().unwrap(), bytes);
}
