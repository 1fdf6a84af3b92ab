//! Every type of column, at its limits.

use crate::support::{comes_back, lossless, one};
use arrow_array::{Array, cast::AsArray};
use arrow_schema::{DataType, TimeUnit as ArrowUnit};
use binfmt::columns::{
    BytesColumn, ChoiceColumn, Column, ColumnData, ColumnType, Columns, ListColumn, NullableColumn,
};
use binfmt::numbers::{F16, NumberType, Numbers};
use binfmt::table::{Logical, TableField, TableSchema, TimeUnit, keys};
use binfmt_arrow::{Choices, Conversion, Mapping, Texts, Times};

fn nullable(codes: &[u8], values: Column) -> Column {
    Column::Nullable(Box::new(NullableColumn::from_parts(codes.to_vec(), values, 255).unwrap()))
}

fn optional(codes: &[u8], values: Column) -> Column {
    Column::Optional(Box::new(NullableColumn::from_parts(codes.to_vec(), values, 1).unwrap()))
}

fn record(fields: Vec<(&str, Column)>) -> Column {
    let rows = fields.first().map_or(0, |(_, column)| column.len());
    Column::Record { rows, fields: fields.into_iter().map(|(name, column)| (name.into(), column)).collect() }
}

fn list(offsets: &[usize], items: Column) -> Column {
    Column::List(Box::new(ListColumn::from_parts(offsets.to_vec(), items).unwrap()))
}

fn array(len: usize, items: Column) -> Column {
    Column::Array { len, rows: items.len() / len, items: Box::new(items) }
}

/// Rows 0 to 2 are `A {x}`, `B {}`, `A {x}`.
fn choice() -> Column {
    let a = record(vec![("x", nullable(&[255, 7], Column::from(vec![5u8, 0])))]);
    let b = Column::Record { rows: 1, fields: Vec::new() };
    let columns = vec![("A".into(), a), ("B".into(), b)];
    Column::Choice(Box::new(ChoiceColumn::from_parts(vec![0, 1, 0], columns).unwrap()))
}

fn names(variants: Vec<u32>) -> Column {
    let rows = |n| variants.iter().filter(|v| **v == n).count();
    let columns = [("red", rows(0)), ("green", rows(1)), ("blue", rows(2))];
    let columns = columns.map(|(name, rows)| (name.into(), Column::Record { rows, fields: Vec::new() }));
    Column::Choice(Box::new(ChoiceColumn::from_parts(variants, columns.to_vec()).unwrap()))
}

fn all() -> Vec<Column> {
    let texts =
        || Column::Text(BytesColumn::from_iter(["", "a\u{0}b", "\u{e9}\u{1F600}"].map(str::as_bytes)));
    let mut all = vec![
        Column::from(vec![i8::MIN, 0, i8::MAX]),
        Column::from(vec![i16::MIN, 0, i16::MAX]),
        Column::from(vec![i32::MIN, 0, i32::MAX]),
        Column::from(vec![i64::MIN, 0, i64::MAX, 9_007_199_254_740_993]),
        Column::from(vec![i128::MIN, -1, i128::MAX]),
        Column::from(vec![0, 1, u8::MAX]),
        Column::from(vec![0, 1, u16::MAX]),
        Column::from(vec![0, 1, u32::MAX]),
        Column::from(vec![0, 9_007_199_254_740_993, u64::MAX]),
        Column::from(vec![0, 1, u128::MAX]),
        Column::from(vec![F16::from_bits(0), F16::from_bits(0x8000), F16::from_bits(0x7c00)]),
        Column::from(vec![f32::MIN_POSITIVE, -0.0, f32::INFINITY]),
        Column::from(vec![f64::NAN, -0.0, f64::NEG_INFINITY]),
        Column::from(vec![true, false, true]),
        texts(),
        Column::Bytes(BytesColumn::from_iter([&[0xffu8, 0][..], &[], &[1]])),
        Column::FixedBytes { size: 2, rows: 3, bytes: (0..6).collect() },
        Column::FixedBytes { size: 0, rows: 3, bytes: Vec::new() },
        nullable(&[255, 0, 127], Column::from(vec![1i64, 0, 0])),
        nullable(&[255, 0, 9], Column::FixedBytes { size: 1, rows: 3, bytes: vec![1, 0, 0] }),
        nullable(&[0, 255, 1], Column::Text(BytesColumn::from_iter([&b""[..], b"x", b""]))),
        optional(&[1, 0, 1], Column::from(vec![1u16, 0, 3])),
        // missing in two ways
        optional(&[1, 0, 1], nullable(&[255, 0, 8], Column::from(vec![1u16, 0, 0]))),
        nullable(&[255, 3, 255], optional(&[1, 0, 0], Column::from(vec![true, false, false]))),
        list(&[0, 0, 2, 3], texts()),
        list(&[0, 2, 3, 3], nullable(&[255, 0, 5], Column::from(vec![1i8, 0, 0]))),
        list(&[0, 1, 2, 2], list(&[0, 0, 3], Column::from(vec![1u8, 2, 3]))),
        array(2, Column::from(vec![1u8, 2, 3, 4, 5, 6])),
        array(3, array(2, Column::from((0..18).collect::<Vec<u64>>()))),
        array(1, nullable(&[255, 0, 5], Column::from(vec![1i8, 0, 0]))),
        array(1, texts()),
        Column::Array { len: 0, rows: 3, items: Box::new(Column::from(Vec::<u8>::new())) },
        record(vec![("a", Column::from(vec![1u8, 2, 3])), ("b", texts())]),
        record(vec![("n", nullable(&[255, 0, 4], Column::from(vec![1.5f32, 0.0, 0.0]))), ("a", texts())]),
        nullable(
            &[255, 6, 255],
            record(vec![("n", nullable(&[255, 0, 4], Column::from(vec![1.5f32, 0.0, 0.0])))]),
        ),
        Column::Record { rows: 3, fields: Vec::new() },
        names(vec![2, 0, 2, 1]),
        nullable(&[255, 4, 255], names(vec![2, 0, 1])),
        choice(),
        nullable(&[255, 255, 3], choice()),
        optional(&[1, 1, 0], choice()),
        list(&[0, 1, 3, 3], choice()),
        Column::Shaped {
            shapes: ListColumn::from_parts(vec![0, 2, 4, 6], vec![2, 1, 0, 3, 1, 1]).unwrap(),
            items: Box::new(ListColumn::from_parts(vec![0, 2, 2, 3], texts()).unwrap()),
        },
    ];
    let nothing: Vec<Column> = all.iter().map(|column| column.column_type().empty()).collect();
    all.extend(nothing);
    all
}

#[test]
fn every_type_comes_back() {
    for column in all() {
        let (schema, columns) = one(column);
        for how in lossless() {
            comes_back(&schema, &columns, &how);
        }
    }
}

#[test]
fn every_type_is_what_the_table_of_the_documentation_says() {
    let says = |column: Column| {
        let (schema, _) = one(column);
        let mapping = Mapping::of_table(&schema, &Conversion::new()).unwrap();
        mapping.arrow_schema().field(0).clone()
    };
    let extension = |column: Column| {
        let field = says(column);
        (field.data_type().clone(), field.metadata().get("ARROW:extension:name").cloned().unwrap_or_default())
    };
    assert_eq!(*says(Column::from(vec![F16::default()])).data_type(), DataType::Float16);
    assert_eq!(extension(Column::from(vec![0i128])), (DataType::FixedSizeBinary(16), "binfmt.int128".into()));
    assert_eq!(
        extension(Column::from(vec![0u128])),
        (DataType::FixedSizeBinary(16), "binfmt.uint128".into())
    );
    let nested = says(array(3, array(2, Column::from((0..18).collect::<Vec<u64>>()))));
    assert_eq!(nested.metadata()["ARROW:extension:name"], "arrow.fixed_shape_tensor");
    assert_eq!(nested.metadata()["ARROW:extension:metadata"], "{\"shape\":[3,2]}");
    assert_eq!(nested.data_type().to_string(), "FixedSizeList(6 x non-null UInt64)");
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    assert_eq!(*says(names(vec![0])).data_type(), dictionary);
    assert!(matches!(says(choice()).data_type(), DataType::Union(..)));
    assert!(
        matches!(extension(nullable(&[1, 2, 3], choice())), (DataType::Struct(_), name) if name == "binfmt.value")
    );
}

#[test]
fn what_is_said_of_a_column_is_in_its_field() {
    let number = |kind| ColumnType::Number(kind);
    let tensor = |column_major| Logical::Tensor { shape: vec![2, 3], column_major };
    let six = ColumnType::Array { len: 6, items: Box::new(number(NumberType::F32)) };
    let schema = TableSchema::new([
        TableField::new("t", number(NumberType::F64))
            .with(keys::UNITS, "m")
            .with(keys::DESCRIPTION, "long")
            .constant(),
        TableField::new("c", six.clone()).logical(tensor(false)),
        TableField::new("f", six).logical(tensor(true)),
        TableField::new("x", ColumnType::FixedBytes(10)).logical(Logical::X87),
        TableField::new("t", ColumnType::Text),
    ])
    .with(keys::FORMAT, "sdds");
    let columns = schema.fields.iter().map(|field| (field.name.clone(), field.ty.empty())).collect();
    let batch = comes_back(&schema, &Columns::new(columns).unwrap(), &Conversion::new());
    let schema = batch.schema();
    assert_eq!(schema.metadata()[keys::FORMAT], "sdds");
    let said = |i: usize, key: &str| schema.field(i).metadata().get(key).cloned().unwrap_or_default();
    assert_eq!(
        (said(0, "units"), said(0, "description"), said(0, "binfmt:constant")),
        ("m".into(), "long".into(), "true".into())
    );
    assert_eq!(said(1, "ARROW:extension:metadata"), "{\"shape\":[2,3]}");
    assert_eq!(said(2, "ARROW:extension:metadata"), "{\"shape\":[3,2],\"permutation\":[1,0]}");
    assert_eq!(said(3, "ARROW:extension:name"), "binfmt.x87");
}

#[test]
fn times_are_times() {
    let units = [
        (TimeUnit::Week, ArrowUnit::Second, 604_800),
        (TimeUnit::Day, ArrowUnit::Second, 86_400),
        (TimeUnit::Hour, ArrowUnit::Second, 3600),
        (TimeUnit::Minute, ArrowUnit::Second, 60),
        (TimeUnit::Second, ArrowUnit::Second, 1),
        (TimeUnit::Milli, ArrowUnit::Millisecond, 1),
        (TimeUnit::Micro, ArrowUnit::Microsecond, 1),
        (TimeUnit::Nano, ArrowUnit::Nanosecond, 1),
    ];
    for (unit, theirs, factor) in units {
        for times in [Times::Seconds, Times::Milliseconds] {
            let field =
                TableField::new("t", ColumnType::Number(NumberType::I64)).logical(Logical::Timestamp(unit));
            let schema = TableSchema::new([field]);
            let columns =
                Columns::new(vec![("t".into(), Column::from(vec![3i64, -2, 0, i64::MIN]))]).unwrap();
            let batch = comes_back(&schema, &columns, &Conversion::new().times(times));
            let coarse = times == Times::Milliseconds && theirs == ArrowUnit::Second;
            let (theirs, factor) =
                if coarse { (ArrowUnit::Millisecond, factor * 1000) } else { (theirs, factor) };
            assert_eq!(*batch.column(0).data_type(), DataType::Timestamp(theirs, None));
            let data = batch.column(0).to_data();
            // the lowest number is not a time, and not multiplied
            assert_eq!(data.buffers()[0].typed_data::<i64>(), [3 * factor, -2 * factor, 0, i64::MIN]);
        }
    }
    let years =
        TableField::new("t", ColumnType::Number(NumberType::I64)).logical(Logical::Timestamp(TimeUnit::Year));
    let columns = Columns::new(vec![("t".into(), Column::from(vec![3i64, -2, 0]))]).unwrap();
    let batch = comes_back(&TableSchema::new([years]), &columns, &Conversion::new());
    assert_eq!(*batch.column(0).data_type(), DataType::Int64);
    // too far away
    let days =
        TableField::new("t", ColumnType::Number(NumberType::I64)).logical(Logical::Timestamp(TimeUnit::Day));
    let columns = Columns::new(vec![("t".into(), Column::from(vec![1i64, i64::MAX / 2]))]).unwrap();
    let e = Mapping::of_table(&TableSchema::new([days]), &Conversion::new())
        .unwrap()
        .to_batch(columns)
        .unwrap_err();
    assert_eq!(
        e.to_string(),
        "t[1]: the time 4611686018427387903 is too far away for Arrow's Timestamp(s); times may be left in their own unit"
    );
}

#[test]
fn days_are_dates_if_asked_for() {
    let days =
        TableField::new("d", ColumnType::Number(NumberType::I64)).logical(Logical::Timestamp(TimeUnit::Day));
    let schema = TableSchema::new([days]);
    let columns = Columns::new(vec![("d".into(), Column::from(vec![3i64, -2, 0, i64::MIN]))]).unwrap();
    let how = Conversion::new().times(Times::Dates);
    let batch = comes_back(&schema, &columns, &how);
    assert_eq!(*batch.column(0).data_type(), DataType::Date32);
    assert_eq!(batch.column(0).to_data().buffers()[0].typed_data::<i32>(), [3, -2, 0, i32::MIN]);
    let columns = Columns::new(vec![("d".into(), Column::from(vec![1i64, 1 << 31]))]).unwrap();
    let e = Mapping::of_table(&schema, &how).unwrap().to_batch(columns).unwrap_err();
    let text =
        "d[1]: the day 2147483648 is too far away for Arrow's Date32; times may be left in their own unit";
    assert_eq!(e.to_string(), text);
}

#[test]
fn codes_stand_beside_the_values() {
    let (schema, columns) = one(nullable(&[255, 0, 127], Column::from(vec![1i64, 0, 0])));
    let how = Conversion::new().missing_codes(true);
    let batch = comes_back(&schema, &columns, &how);
    assert_eq!(batch.schema().field(1).name(), "x.missing");
    let codes = batch.column(1).as_primitive::<arrow_array::types::UInt8Type>();
    assert_eq!(codes.iter().collect::<Vec<_>>(), [None, Some(0), Some(127)]);
    // without them the smallest code takes the place
    let mapping = Mapping::of_table(&schema, &Conversion::new()).unwrap();
    let back = mapping.to_columns(mapping.to_batch(columns).unwrap()).unwrap();
    let Some(Column::Nullable(v)) = back.get("x") else { panic!() };
    assert_eq!(v.codes(), [255, 0, 0]);
}

#[test]
fn texts_that_are_no_utf8_are_what_is_asked_for() {
    let texts = BytesColumn::from_iter([&b"ok"[..], b"caf\xe9"]);
    let (schema, columns) = one(Column::Text(texts));
    let batch = |how: Conversion| Mapping::of_table(&schema, &how).unwrap().to_batch(columns.clone());
    let e = batch(Conversion::new()).unwrap_err().to_string();
    assert!(e.starts_with("x[1]: the text is not UTF-8"), "{e}");
    let strings = |texts| {
        let batch = batch(Conversion::new().texts(texts)).unwrap();
        batch.column(0).as_string::<i64>().value(1).to_owned()
    };
    assert_eq!((strings(Texts::Latin1), strings(Texts::Lossy)), ("caf\u{e9}".into(), "caf\u{fffd}".into()));
    comes_back(&schema, &columns, &Conversion::new().texts(Texts::Latin1));
    let binary = comes_back(&schema, &columns, &Conversion::new().texts(Texts::Binary));
    assert_eq!(*binary.column(0).data_type(), DataType::LargeBinary);
    // each is UTF-8 only together with the next
    let (schema, columns) = one(Column::Text(BytesColumn::from_iter([&b"\xc3"[..], b"\xa9"])));
    let e =
        Mapping::of_table(&schema, &Conversion::new()).unwrap().to_batch(columns).unwrap_err().to_string();
    assert!(e.starts_with("x[0]: the text is not UTF-8"), "{e}");
}

#[test]
fn a_choice_as_a_struct_has_nulls_where_a_row_is_of_another_variant() {
    let (schema, columns) = one(choice());
    let batch =
        comes_back(&schema, &columns, &Conversion::new().missing_codes(true).choices(Choices::Struct));
    let parts = batch.column(0).as_struct();
    assert_eq!(parts.column_names(), ["tag", "A", "B"]);
    assert_eq!((parts.column(1).null_count(), parts.column(2).null_count()), (1, 2));
}

#[test]
fn too_large_a_type_is_refused_with_its_place() {
    let bytes = ColumnType::FixedBytes(usize::try_from(i64::from(i32::MAX) + 1).unwrap());
    let schema = TableSchema::new([TableField::new("a", ColumnType::Record(vec![("b".into(), bytes)]))]);
    let e = Mapping::of_table(&schema, &Conversion::new()).unwrap_err();
    assert_eq!(e.to_string(), "a.b: bytes of a row: Arrow has no more than 2147483647 of them");
}

#[test]
fn a_batch_of_other_columns_is_refused() {
    let (schema, _) = one(Column::from(vec![1u8]));
    let (_, columns) = one(Column::from(Numbers::F32(vec![1.0])));
    let e = Mapping::of_table(&schema, &Conversion::new()).unwrap().to_batch(columns).unwrap_err();
    assert!(e.to_string().starts_with("x: "), "{e}");
}
