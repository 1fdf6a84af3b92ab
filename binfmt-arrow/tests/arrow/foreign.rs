//! Record batches of other programs.

use crate::support::shown;
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder, UInt32Builder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, IntervalUnit, Schema};
use binfmt::columns::{BytesColumn, Column, Columns};
use binfmt::table::{Logical, TimeUnit};
use binfmt_arrow::Mapping;
use std::sync::Arc;

fn read(array: ArrayRef) -> Column {
    let batch = RecordBatch::try_from_iter([("x", array)]).unwrap();
    let mapping = Mapping::of_arrow(&batch.schema()).unwrap();
    let columns = mapping.to_columns(batch).unwrap();
    assert_eq!(mapping.table_schema().fields[0].ty, columns.get("x").unwrap().column_type());
    columns.get("x").unwrap().clone()
}

fn bytes(rows: &[&str]) -> BytesColumn {
    rows.iter().map(|row| row.as_bytes()).collect()
}

#[test]
fn texts_of_every_kind_are_texts() {
    let rows = vec!["a", "", "a string that is too long for a view"];
    let arrays: [ArrayRef; 4] = [
        Arc::new(StringArray::from(rows.clone())),
        Arc::new(LargeStringArray::from(rows.clone())),
        Arc::new(StringViewArray::from(rows.clone())),
        Arc::new(rows.iter().copied().collect::<DictionaryArray<Int8Type>>()),
    ];
    for array in arrays {
        assert_eq!(read(Arc::clone(&array)), Column::Text(bytes(&rows)), "{}", array.data_type());
        assert_eq!(read(array.slice(1, 2)), Column::Text(bytes(&rows[1..])), "{}", array.data_type());
    }
    let binary: ArrayRef = Arc::new(BinaryViewArray::from_iter_values(rows.iter().map(|row| row.as_bytes())));
    assert_eq!(read(binary), Column::Bytes(bytes(&rows)));
}

#[test]
fn what_stands_in_null_places_is_blanked() {
    let nulls = || Some(NullBuffer::from(vec![true, false, true]));
    let numbers: ArrayRef = Arc::new(Int32Array::new(vec![1, 99, 3].into(), nulls()));
    let bools: ArrayRef = Arc::new(BooleanArray::new(vec![true, true, true].into(), nulls()));
    let texts =
        LargeStringArray::new(OffsetBuffer::from_lengths([1, 4, 1]), b"ajunkb".to_vec().into(), nulls());
    let fixed = FixedSizeBinaryArray::new(1, b"xyz".to_vec().into(), nulls());
    let item = Arc::new(Field::new("item", DataType::Int32, false));
    let values: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4, 5, 6]));
    let lists = ListArray::new(
        Arc::clone(&item),
        OffsetBuffer::from_lengths([1, 4, 1]),
        Arc::clone(&values),
        nulls(),
    );
    let pairs = FixedSizeListArray::new(item, 2, values, nulls());
    let fields = vec![Field::new("a", DataType::Int32, true)].into();
    let records = StructArray::new(fields, vec![Arc::clone(&numbers)], nulls());
    let expected = [
        "I32([1, 0, 3])",
        "Bool([true, false, true])",
        "offsets: [0, 1, 1, 2], items: [97, 98]",
        "[120, 0, 122]",
        "I32([1, 6])",
        "I32([1, 2, 0, 0, 5, 6])",
        "I32([1, 0, 3])",
    ];
    let arrays: [ArrayRef; 7] = [
        numbers,
        bools,
        Arc::new(texts),
        Arc::new(fixed),
        Arc::new(lists),
        Arc::new(pairs),
        Arc::new(records),
    ];
    for (array, expected) in arrays.into_iter().zip(expected) {
        let ty = array.data_type().clone();
        let found = format!("{:?}", read(array));
        assert!(found.contains(expected), "{ty}: {found}");
    }
}

#[test]
fn times_of_every_kind_are_numbers_with_their_unit() {
    let arrays: [(ArrayRef, Logical); 5] = [
        (Arc::new(Date32Array::from(vec![3])), Logical::Timestamp(TimeUnit::Day)),
        (Arc::new(Date64Array::from(vec![3])), Logical::Timestamp(TimeUnit::Milli)),
        (Arc::new(Time32MillisecondArray::from(vec![3])), Logical::Duration(TimeUnit::Milli)),
        (Arc::new(DurationMicrosecondArray::from(vec![3])), Logical::Duration(TimeUnit::Micro)),
        (
            Arc::new(TimestampNanosecondArray::from(vec![3]).with_timezone("Europe/Zurich")),
            Logical::Timestamp(TimeUnit::Nano),
        ),
    ];
    for (array, logical) in arrays {
        let batch = RecordBatch::try_from_iter([("x", array)]).unwrap();
        let mapping = Mapping::of_arrow(&batch.schema()).unwrap();
        assert_eq!(mapping.table_schema().fields[0].logical, Some(logical));
        assert_eq!(mapping.to_columns(batch).unwrap().get("x"), Some(&Column::from(vec![3i64])));
    }
    let schema = Schema::new(vec![Field::new(
        "x",
        DataType::Timestamp(arrow_schema::TimeUnit::Second, Some("UTC".into())),
        false,
    )]);
    assert_eq!(
        Mapping::of_arrow(&schema).unwrap().table_schema().fields[0].get("arrow:timezone"),
        Some("UTC")
    );
}

#[test]
fn nulls_of_every_kind_are_missing_values() {
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    dictionary.append_value("a");
    dictionary.append_null();
    let mut lists = ListBuilder::new(UInt32Builder::new());
    lists.values().append_value(1);
    lists.values().append_null();
    lists.append(true);
    lists.append(false);
    let arrays: [ArrayRef; 3] =
        [Arc::new(dictionary.finish()), Arc::new(NullArray::new(2)), Arc::new(lists.finish())];
    let codes = [&[255, 0][..], &[0, 0], &[255, 0]];
    for (array, codes) in arrays.into_iter().zip(codes) {
        let Column::Nullable(v) = read(array) else { panic!() };
        assert_eq!(v.codes(), codes);
    }
}

/// Those of a table without rows, or of nothing but nulls.
#[test]
fn dictionaries_may_have_no_values() {
    let texts: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
    let dictionary = |keys: Vec<Option<i8>>| -> ArrayRef {
        Arc::new(DictionaryArray::<Int8Type>::new(keys.into(), Arc::clone(&texts)))
    };
    assert_eq!(read(dictionary(Vec::new())), Column::Text(bytes(&[])));
    let Column::Nullable(v) = read(dictionary(vec![None, None])) else { panic!() };
    assert_eq!((v.num_missing(), v.values()), (2, &Column::Text(bytes(&["", ""]))));
    // and so may a choice have no variants
    let said = [("binfmt:variants".to_owned(), String::new())];
    for keys in [vec![], vec![None]] {
        let array = dictionary(keys);
        let field = Field::new("x", array.data_type().clone(), true).with_metadata(said.clone().into());
        let schema = Arc::new(Schema::new(vec![field]));
        let mapping = Mapping::of_arrow(&schema).unwrap();
        let rows = array.len();
        let found = mapping.to_columns(RecordBatch::try_new(schema, vec![array]).unwrap());
        match rows {
            0 => assert_eq!(found.unwrap().num_rows(), 0),
            _ => assert_eq!(found.unwrap_err().to_string(), "x: the parts of a choice do not fit together"),
        }
    }
}

#[test]
fn a_null_where_none_may_be_is_an_error() {
    let field = Field::new("x", DataType::Int32, false);
    let schema = Arc::new(Schema::new(vec![field]));
    let mapping = Mapping::of_arrow(&schema).unwrap();
    let nullable: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None]));
    let batch = RecordBatch::try_from_iter([("x", nullable)]).unwrap();
    let e = mapping.to_columns(batch).unwrap_err();
    assert_eq!(e.to_string(), "x[1]: the value is null, in a field that has no nulls");
}

#[test]
fn what_there_is_no_column_for_is_refused_with_its_place() {
    let refused = |ty: DataType| {
        let inner = Field::new_struct("a", vec![Field::new("b", ty, true)], false);
        Mapping::of_arrow(&Schema::new(vec![inner])).unwrap_err().to_string()
    };
    let text = refused(DataType::Decimal128(10, 2));
    let decimal = "a.b: there is no column for values of Arrow's type Decimal128(10, 2): make it a float, a text or an integer first";
    assert_eq!(text, decimal);
    let text = refused(DataType::Interval(IntervalUnit::MonthDayNano));
    assert_eq!(text, "a.b: there is no column for values of Arrow's type Interval(MonthDayNano)");
    let mut deep = DataType::Int8;
    for _ in 0..100 {
        deep = DataType::List(Arc::new(Field::new("item", deep, false)));
    }
    assert!(refused(deep).ends_with("types that are nested too deeply"));
}

#[test]
fn integers_of_decimals_are_exact() {
    let decimals =
        Decimal128Array::from(vec![i128::from(u64::MAX) * 3]).with_precision_and_scale(38, 0).unwrap();
    assert_eq!(read(Arc::new(decimals)), Column::from(vec![i128::from(u64::MAX) * 3]));
}

#[test]
fn a_batch_without_columns_has_rows() {
    let mapping = Mapping::of_arrow(&Schema::empty()).unwrap();
    let batch = mapping.to_batch(Columns::with_rows(7, vec![]).unwrap()).unwrap();
    assert_eq!(batch.num_rows(), 7);
    assert_eq!(shown(&mapping.to_columns(batch).unwrap()), shown(&Columns::with_rows(7, vec![]).unwrap()));
}
