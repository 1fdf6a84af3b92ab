//! Columns of layouts that are known at run time: what the value decoder makes of the same bytes.

use crate::support::full::Full;
use crate::support::types::*;
use binfmt::columns::{Column, ColumnData, Columns, ListColumn, Plan};
use binfmt::schema::{ByteOrder, Description, Encoding, Extent, Field, Magic, Record, Type};
use binfmt::value::{Name, Value};
use binfmt::{Endian, Options};

fn options() -> [Options; 4] {
    [
        Options::new(),
        Options::new().endian(Endian::Big),
        Options::new().lenient_presence(true).optional_nul(true),
        Options::new().blank_missing(true),
    ]
}

/// The columns, their values, and those of the batches of a reader: as the value decoder has them, or its error.
fn same(layout: &Description, bytes: &[u8]) {
    let plan = Plan::new(layout).unwrap();
    for options in options() {
        let with = options.ctx(layout);
        let mut values = Vec::new();
        let mut error = None;
        for value in binfmt::records_with::<Value, _>(bytes, &with) {
            match value {
                Ok(value) => values.push(value),
                Err(e) => error = Some(e.to_string()),
            }
        }
        match (plan.decode_with(bytes, &options), &error) {
            (Ok(columns), None) => {
                assert_rows(&columns, 0, &values);
                let expected = binfmt::encode_all_with(&values, &with).unwrap();
                assert_eq!(plan.encode_with(&columns, &options).unwrap(), expected);
                let mut written = Vec::new();
                let n = plan.encode_to(&columns, &mut written, &options).unwrap();
                assert_eq!((n as usize, &written), (written.len(), &expected));
                assert_eq!(plan.columns_of(&values).unwrap().num_rows(), values.len());
            }
            (Err(e), Some(expected)) => assert_eq!(e.to_string(), *expected),
            (found, expected) => panic!("{bytes:02x?}: {:?}, {expected:?}", found.map(|_| ())),
        }
        crate::dynamic::spans::agree(&plan, bytes, &options);
        for batch in [1, 3, 1000] {
            let mut reader = plan.reader(bytes, &options);
            let mut done = 0;
            let end = loop {
                match reader.next_batch(batch) {
                    Ok(Some(columns)) => {
                        assert!(columns.num_rows() <= batch);
                        assert_rows(&columns, done, &values);
                        done += columns.num_rows();
                    }
                    Ok(None) => break None,
                    Err(e) => break Some(e.to_string()),
                }
            };
            assert_eq!((done, &end), (values.len(), &error), "{bytes:02x?}");
            assert!(reader.next_batch(1).unwrap().is_none());
        }
    }
}

fn assert_rows(columns: &Columns, from: usize, values: &[Value]) {
    for row in 0..columns.num_rows() {
        let (found, expected) = (columns.row(row).unwrap(), &values[from + row]);
        // a NaN is equal to none
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "row {}", from + row);
        for (i, (name, _)) in columns.iter().enumerate() {
            let cell = columns.cell(row, i).unwrap();
            let value = expected.get(name).unwrap();
            assert_eq!(serde_json::to_string(&cell).unwrap(), serde_json::to_string(value).unwrap());
        }
    }
}

fn hostile(layout: &Description, bytes: &[u8]) {
    same(layout, bytes);
    for end in 0..bytes.len() {
        same(layout, &bytes[..end]);
    }
    for place in 0..bytes.len() {
        for b in [0, 1, 2, 0x35, 0x7f, 0x80, 0xfe, 0xff] {
            let mut changed = bytes.to_vec();
            changed[place] = b;
            same(layout, &changed);
        }
    }
}

const CELLS: &[u8] =
    b"\x01\xff\x0a\x00\x00\0\0\0\0\x03\0\0\0xy\0\x02\x03\0\0\xff\x02\0\0\0c\0\x04\0\0\0def\0";

fn cells() -> Description {
    record([
        Field::new("a", int(1)),
        Field::new("b", null(int(2))),
        Field::new("c", null(text(Encoding::Utf8, true, prefixed(4)))),
        Field::new("d", text(Encoding::Any, true, prefixed(4))),
    ])
}

type NamedColumns = Vec<(Name, Column)>;

#[test]
fn text_of_any_length() {
    let plan = Plan::new(&cells()).unwrap();
    let columns = plan.decode(CELLS).unwrap();
    let Some(Column::Nullable(c)) = columns.get("c") else { panic!("{columns:?}") };
    assert_eq!((c.codes(), c.missing(0)), (&[0, 255][..], Some(0)));
    hostile(&cells(), CELLS);
}

fn fixed() -> Description {
    record([
        Field::new("", Type::Magic { value: Magic::Number { value: "0x5a5bu16".into(), bytes: 2 } }),
        Field::new("a", null(Type::Float { bytes: 4 })),
        Field::new("b", Type::Bool { lax: false }),
        Field::new("c", null(text(Encoding::Utf8, true, Extent::Fixed(3)))),
        Field::new("", Type::Padding { len: Extent::Fixed(2), fill: 7, strict: true }),
        Field::new("d", Type::List { item: Box::new(uint(2)), len: Extent::Fixed(2) }),
        Field::new("", Type::Alignment { to: 4, fill: 0, strict: false }),
        Field::new("e", Type::Ordered { order: ByteOrder::Big, body: Box::new(int(4)) }),
        Field::new("f", Type::Bytes { len: Extent::Fixed(2) }),
        Field::new("g", null(Type::Bool { lax: false })),
    ])
}

#[test]
fn rows_of_one_size() {
    let plan = Plan::new(&fixed()).unwrap();
    assert_eq!(plan.row_size(), Some(28));
    let row =
        b"\x5b\x5a\xff\0\0\x80\x3f\x01\xffab\0\x07\x07\x01\0\x02\0\0\0\0\0\x04\x05\x06xy\xff\x01".to_vec();
    let mut rows = row.clone();
    rows.extend(b"\x5b\x5a\x03\0\0\0\0\0\x01\0\0\0\x07\x07\x03\0\x04\0\0\0\xff\xff\xff\xff\x01\x02\x04\0");
    hostile(&fixed(), &rows);
}

#[test]
fn lists_and_records() {
    let point = Record::new("", [Field::new("0", int(2)), Field::new("1", Type::Bool { lax: true })]);
    let names = Type::List { item: Box::new(text(Encoding::Utf8, false, prefixed(1))), len: prefixed(2) };
    let inner = Record::new("Inner", [Field::new("names", names), Field::new("n", uint(8))]);
    let absent = Type::Nullable {
        present: 1,
        missing: (0, 0),
        blank: false,
        body: Box::new(text(Encoding::Utf8, false, Extent::Terminated)),
    };
    let layout = record([
        Field::new("numbers", Type::List { item: Box::new(uint(2)), len: prefixed(1) }),
        Field::new("points", Type::List { item: Box::new(Type::Record(point)), len: prefixed(1) }),
        Field::new("maybe", absent),
        Field::new("inner", Type::Record(inner)),
        Field::new("", Type::Padding { len: prefixed(1), fill: 0, strict: false }),
        Field::new("end", null(Type::Bytes { len: prefixed(1) })),
    ]);
    let mut bytes =
        b"\x02\x01\x02\x03\x04\x01\xff\xff\x01\x01ok\0\x02\0\x01a\x03bcd\x01\0\0\0\0\0\0\0\x02..\xff\x02xy"
            .to_vec();
    bytes.extend(b"\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\x05\x00");
    hostile(&layout, &bytes);
}

#[test]
fn what_blocks_do_not_know() {
    let region = Type::Region {
        len: prefixed(1),
        fill: None,
        body: Box::new(Type::List { item: Box::new(uint(2)), len: Extent::ToEnd }),
    };
    let layout = record([
        Field::new("n", uint(1)),
        Field::new("items", Type::List { item: Box::new(uint(1)), len: Extent::Expr("*n".into()) }),
        Field::new("region", region),
        Field::new("latin", text(Encoding::Latin1, false, prefixed(1))),
    ]);
    hostile(&layout, b"\x02\x01\x02\x04\x01\0\x02\0\x02\xe9a\0\0\0");
    let latin = record([Field::new("t", text(Encoding::Latin1, false, prefixed(1)))]);
    hostile(&latin, b"\x01a\x01\xe9\x02ab\x01\xe8");
}

#[test]
fn some_columns_only() {
    let plan = Plan::new(&cells()).unwrap().select(&["d", "a"]).unwrap();
    let columns = plan.decode(CELLS).unwrap();
    assert_eq!(columns.names().collect::<Vec<_>>(), ["d", "a"]);
    assert_eq!(columns.get("a").unwrap().len(), 2);
    assert_eq!(columns.cell(1, 0).unwrap().to_value().as_str(), Some("def"));
}

#[test]
fn columns_picked_twice() {
    let fields = ["a", "b", "c"].map(|name| Field::new(name, Type::Int { bytes: 1, signed: false }));
    let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    let bytes = [1, 2, 3, 4, 5, 6];
    let twice = plan.select(&["b", "b", "c"]).unwrap();
    let columns = twice.decode(&bytes).unwrap();
    let picked: Vec<_> = columns.names().zip([[2u8, 5], [2, 5], [3, 6]]).collect();
    for (i, (name, values)) in picked.iter().enumerate() {
        assert_eq!(columns.clone().into_columns()[i], ((*name).into(), Column::from(values.to_vec())));
    }
    // as many as there are, and in order, but not the row's
    assert!(twice.encode(&columns).unwrap_err().to_string().contains("some of the columns"));
    assert_eq!(plan.encode(&plan.select(&["a", "b", "c"]).unwrap().decode(&bytes).unwrap()).unwrap(), bytes);
}

#[test]
fn a_writer_that_fails() {
    let plan = Plan::new(&cells()).unwrap();
    let columns = plan.decode(&CELLS.repeat(9000)).unwrap();
    let all = CELLS.len() * 9000;
    for n in [0, 1, 34, 35, all / 2, all - 1] {
        let e = plan.encode_to(&columns, Full(n), &Options::new()).unwrap_err();
        assert!(matches!(e.kind(), binfmt::ErrorKind::Io(_)) && e.offset().unwrap() <= n as u64, "{n}: {e}");
    }
    assert_eq!(plan.encode_to(&columns, Full(all), &Options::new()).unwrap(), all as u64);
}

#[test]
fn columns_of_another_layout() {
    let plan = Plan::new(&cells()).unwrap();
    let good = plan.decode(CELLS).unwrap().into_columns();
    let refused = |change: &dyn Fn(&mut NamedColumns)| {
        let mut columns = good.clone();
        change(&mut columns);
        Columns::new(columns).and_then(|columns| plan.encode(&columns)).unwrap_err().to_string()
    };
    assert!(refused(&|c| c[0].0 = "z".into()).contains("expected column `a`, found column `z`"));
    assert!(refused(&|c| c[0].1 = vec![1u8, 2].into()).contains("a: the column has another type"));
    assert!(refused(&|c| c[0].1 = vec![1i8].into()).contains("expected 1 rows, found 2"));
    assert!(refused(&|c| drop(c.pop())).contains("expected 4 columns, found 3"));
    // a text that is not one, and a code that is not one: the row, the column and the offset
    let text = refused(&|c| {
        let Column::Nullable(column) = &mut c[2].1 else { unreachable!() };
        let bytes = Column::Text([&b""[..], b"\xff"].into_iter().collect());
        **column = binfmt::columns::NullableColumn::from_parts(column.codes().to_vec(), bytes, 255).unwrap();
    });
    assert!(text.starts_with("[1].c at byte 0x"), "{text}");
    let code = refused(&|c| {
        let Column::Nullable(column) = &mut c[1].1 else { unreachable!() };
        **column = binfmt::columns::NullableColumn::from_parts(vec![255, 200], column.values().clone(), 255)
            .unwrap();
    });
    assert!(code.starts_with("[1].b at byte 0x11: missing code 200"), "{code}");
    let one = plan.select(&["a"]).unwrap();
    assert!(one.encode(&one.decode(CELLS).unwrap()).is_err());
}

#[test]
fn limits() {
    let plan = Plan::new(&cells()).unwrap();
    let many = CELLS.repeat(1000);
    let e = plan.decode_with(&many, &Options::new().max_memory(10_000)).unwrap_err();
    assert!(matches!(e.kind(), binfmt::ErrorKind::MemoryLimit { .. }), "{e}");
    // a batch is within the limit, and a length that lies is not waited for
    let options = Options::new().max_memory(1 << 20);
    let mut reader = plan.reader(&many[..], &options);
    let mut rows = 0;
    while let Some(batch) = reader.next_batch(100).unwrap() {
        rows += batch.num_rows();
    }
    assert_eq!(rows, 2000);
    let lie = [&CELLS[..27], b"\xff\xff\xff\x7f"].concat();
    let endless = std::io::Read::chain(&lie[..], std::io::repeat(1));
    let mut reader = plan.reader(endless, &options);
    assert_eq!(reader.next_batch(100).unwrap().unwrap().num_rows(), 1);
    let e = reader.next_batch(100).unwrap_err();
    assert!(matches!(e.kind(), binfmt::ErrorKind::MemoryLimit { .. }), "{e}");
    let nothing = record([Field::new("a", Type::List { item: Box::new(uint(1)), len: Extent::Fixed(0) })]);
    assert!(Plan::new(&nothing).unwrap().decode(&[1]).unwrap_err().to_string().contains("zero size"));
}

#[test]
fn one_column_behind_the_other() {
    let plan = Plan::new(&cells()).unwrap();
    let columns = plan.decode(CELLS).unwrap();
    for options in options() {
        let bytes = plan.encode_column_major(&columns, &options).unwrap();
        assert_eq!(bytes.len(), CELLS.len());
        assert_eq!(bytes[..3], [1, 2, 255]);
        assert_eq!(plan.decode_column_major(&bytes, 2, &options).unwrap(), columns);
        let some = plan.select(&["d", "a"]).unwrap().decode_column_major(&bytes, 2, &options).unwrap();
        assert_eq!(some.names().collect::<Vec<_>>(), ["d", "a"]);
        for end in 0..bytes.len() {
            let e = plan.decode_column_major(&bytes[..end], 2, &options).unwrap_err();
            assert!(e.is_incomplete() && e.offset().unwrap() <= end as u64, "{end}: {e}");
        }
        let e = plan.decode_column_major(&bytes, 1, &options).unwrap_err();
        assert!(e.offset().unwrap() > 0, "{e}");
    }
}

fn ranged(name: &str, ty: Type, rule: &str) -> Field {
    let mut field = Field::new(name, ty);
    field.rules = vec![rule.into()];
    field
}

/// What a rule forbids is an error in columns as it is in values: in blocks of rows, in rows of any size, in lists.
#[test]
fn rules_hold_in_columns() {
    let part =
        || [ranged("m", uint(1), "range = 1..=12"), ranged("x", Type::Float { bytes: 4 }, "range = 0.5..")];
    hostile(&record(part()), b"\x01\0\0\x00\x3f\x0c\0\0\x80\x3f");
    let inside = Type::Record(Record::new("Part", part()));
    let layout = record([
        ranged("n", int(2), "range = (-3..3)"),
        Field::new("list", Type::List { item: Box::new(inside.clone()), len: prefixed(1) }),
        ranged("code", null(uint(1)), "range = ..=0x35"),
        ranged("end", uint(1), "range = ..*n + 2"),
        Field::new("two", Type::List { item: Box::new(inside), len: Extent::Fixed(2) }),
    ]);
    let two = b"\x01\0\0\x00\x3f\x02\0\0\x00\x3f";
    let row = [&b"\x01\0\x01\x01\0\0\x80\x3f\xff\x05\x02"[..], two, b"\x02\0\0\x35\x05\x03", two].concat();
    hostile(&layout, &row);
    let e = Plan::new(&record(part())).unwrap().decode(b"\x01\0\0\x80\x3f\x0d\0\0\x80\x3f").unwrap_err();
    assert_eq!(e.to_string(), "[1].m at byte 0x5: 13 is not in 1..=12");
}

/// The same when writing, row by row and column by column.
#[test]
fn rules_hold_when_columns_are_written() {
    let text = Field::new("t", text(Encoding::Utf8, false, prefixed(1)));
    let fields = [ranged("m", uint(1), "range = 1..=12"), ranged("n", null(uint(16)), "range = ..=3")];
    for fields in [fields.to_vec(), [&fields[..], &[text]].concat()] {
        let plan = Plan::new(&record(fields)).unwrap();
        let mut bytes: Vec<u8> = [&[3, 255, 3][..], &[0; 15], &[1, 7], &[0; 16]].concat();
        if plan.names().len() == 3 {
            bytes.splice(18..18, *b"\x01a");
            bytes.push(0);
        }
        let good = plan.decode(&bytes).unwrap();
        assert_eq!(plan.encode(&good).unwrap(), bytes);
        for (column, row, value, expected) in [
            (0, 1, Value::from(13u8), "[1].m at byte 0x12: 13 is not in 1..=12"),
            (0, 0, Value::from(0u8), "[0].m at byte 0x0: 0 is not in 1..=12"),
            (1, 0, Value::from(4u128), "[0].n at byte 0x1: 4 is not in ..=3"),
            (
                1,
                0,
                Value::from(u128::MAX),
                "[0].n at byte 0x1: 340282366920938463463374607431768211455 is not in ..=3",
            ),
        ] {
            let mut rows: Vec<Value> = (0..2).map(|i| good.row(i).unwrap()).collect();
            let Value::Record(fields) = &mut rows[row] else { unreachable!() };
            fields.values_mut()[column] = value;
            let bad = plan.columns_of(&rows).unwrap();
            let expected =
                if plan.names().len() == 3 { expected.replace("0x12", "0x14") } else { expected.into() };
            assert_eq!(plan.encode(&bad).unwrap_err().to_string(), expected);
            assert!(
                plan.encode_column_major(&bad, &Options::new())
                    .unwrap_err()
                    .to_string()
                    .contains("is not in")
            );
        }
    }
    // what is missing has no number
    let plan = Plan::new(&record([ranged("n", null(uint(1)), "range = 5..")])).unwrap();
    assert_eq!(plan.encode(&plan.decode(b"\0\0\xff\x05").unwrap()).unwrap(), b"\0\0\xff\x05");
}

#[test]
fn a_row_of_nearly_all_bytes_there_are_is_no_overflow() {
    let mut planned = 0;
    for pad in [1 << 62, u64::MAX / 3 + 1, i64::MAX as u64, u64::MAX / 2, u64::MAX] {
        let layout = Description::new(Type::Record(Record::new(
            "Row",
            [
                Field::new("x", Type::Int { bytes: 4, signed: false }),
                Field::new("gap", Type::Padding { len: Extent::Fixed(pad), fill: 0, strict: false }),
                Field::new("y", Type::Float { bytes: 8 }),
            ],
        )));
        let Ok(plan) = Plan::new(&layout) else { continue };
        planned += 1;
        assert!(plan.decode(&[0; 20]).is_err(), "{pad}");
        assert_eq!(plan.decode(&[]).unwrap().num_rows(), 0);
    }
    assert!(planned > 1);
}

/// What a column says of its rows is what it has: all that is done with columns relies on it.
#[test]
fn columns_have_inside_what_they_say() {
    let bytes = |size, rows, len| Column::FixedBytes { size, rows, bytes: vec![0; len] };
    let array = |len, rows, items: Vec<u8>| Column::Array { len, rows, items: Box::new(items.into()) };
    let record = |rows, fields: Vec<Column>| {
        let name = |i: usize| Name::from(format!("f{i}"));
        let fields = fields.into_iter().enumerate().map(|(i, field)| (name(i), field));
        Column::Record { rows, fields: fields.collect() }
    };
    let shaped = |shapes: &[&[u64]], offsets, items: Vec<u8>| Column::Shaped {
        shapes: shapes.iter().collect(),
        items: Box::new(ListColumn::from_parts(offsets, items.into()).unwrap()),
    };
    let listed = |items: Column| {
        let rows = items.len();
        Column::List(Box::new(ListColumn::from_parts(vec![0, rows], items).unwrap()))
    };
    for whole in [
        bytes(2, 3, 6),
        bytes(0, 3, 0),
        array(2, 2, vec![1, 2, 3, 4]),
        record(2, vec![bytes(1, 2, 2), vec![1u8, 2].into()]),
        shaped(&[&[2], &[]], vec![0, 2, 3], vec![1, 2, 3]),
    ] {
        assert_eq!(Columns::new(vec![("x".into(), whole)]).unwrap().slice(1..2).num_rows(), 1);
    }
    for odd in [
        bytes(2, 3, 5),
        bytes(usize::MAX, 2, 0),
        array(2, 2, vec![1, 2, 3]),
        array(usize::MAX, usize::MAX, vec![1]),
        record(2, vec![vec![1u8].into()]),
        shaped(&[&[2]], vec![0, 2, 3], vec![1, 2, 3]),
        listed(bytes(2, 3, 5)),
        record(1, vec![listed(record(2, vec![vec![1u8].into()]))]),
    ] {
        let e = Columns::new(vec![("x".into(), odd)]).unwrap_err().to_string();
        assert_eq!(e, "x: the column has another number of rows inside");
    }
}
