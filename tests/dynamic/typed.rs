//! Columns of the derive as columns that are known at run time, and back: moved, at the same addresses.

use binfmt::columns::{
    BytesColumn, Column, ColumnData, ColumnType, Columns, ListColumn, TextColumn, TypedColumn,
};
use binfmt::schema::Name;
use binfmt::{BinFormat, Nullable, TypedColumns};

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Place {
    x: f32,
    y: f32,
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
    raw: Vec<u8>,
    #[binfmt(length_prefixed(u8))]
    counts: Vec<u32>,
    #[binfmt(columns)]
    place: Place,
    #[binfmt(length_prefixed(u8), columns)]
    path: Vec<Place>,
    r#type: bool,
}

fn readings() -> ReadingColumns {
    ReadingColumns::from_rows((0..1000u16).map(|i| {
        let place = Place { x: f32::from(i), y: 0.5 };
        Reading {
            station: i,
            xyz: [f32::from(i); 3],
            celsius: if i.is_multiple_of(3) { Nullable::Missing(4) } else { Nullable::Value(f64::from(i)) },
            note: format!("n{i}"),
            raw: vec![7; usize::from(i % 5)],
            counts: vec![u32::from(i); usize::from(i % 4)],
            path: vec![place.clone(); usize::from(i % 3)],
            place,
            r#type: i.is_multiple_of(2),
        }
    }))
}

/// Where the memory of each is, but for the arrays.
fn addresses(columns: &ReadingColumns) -> [usize; 14] {
    [
        columns.station.as_ptr() as usize,
        columns.celsius.codes().as_ptr() as usize,
        columns.celsius.values().as_ptr() as usize,
        columns.note.offsets().as_ptr() as usize,
        columns.note.text().as_ptr() as usize,
        columns.raw.offsets().as_ptr() as usize,
        columns.raw.items().as_ptr() as usize,
        columns.counts.offsets().as_ptr() as usize,
        columns.counts.items().as_ptr() as usize,
        columns.place.x.as_ptr() as usize,
        columns.path.offsets().as_ptr() as usize,
        columns.path.items().x.as_ptr() as usize,
        columns.path.items().y.as_ptr() as usize,
        columns.r#type.as_ptr() as usize,
    ]
}

#[test]
fn typed_columns_are_moved_and_come_back() {
    let typed = readings();
    let (before, bytes, array) = (addresses(&typed), typed.to_vec().unwrap(), typed.xyz.as_ptr() as usize);
    let columns = typed.into_columns().unwrap();
    let names: Vec<&str> = columns.names().collect();
    assert_eq!(names, ["station", "xyz", "celsius", "note", "raw", "counts", "place", "path", "type"]);
    let Some(Column::Array { items, .. }) = columns.get("xyz") else { panic!("{columns:?}") };
    let Column::Numbers(items) = &**items else { panic!("{items:?}") };
    assert_eq!(items.as_slice::<f32>().unwrap().as_ptr() as usize, array);
    let ty = columns.get("path").map(Column::column_type).unwrap();
    assert!(matches!(&ty, ColumnType::List(items) if matches!(**items, ColumnType::Record(_))), "{ty}");
    // in another order and beside others
    let mut columns = columns.into_columns();
    columns.reverse();
    columns.insert(3, ("other".into(), Column::from(vec![0u8; 1000])));
    let typed = ReadingColumns::from_columns(Columns::new(columns).unwrap()).unwrap();
    assert_eq!(addresses(&typed), before);
    assert_eq!(typed.to_vec().unwrap(), bytes);
}

#[test]
fn columns_that_are_not_those_of_the_struct_are_told() {
    type Change<'a> = &'a dyn Fn(&mut Vec<(Name, Column)>);
    let told = |change: Change<'_>| {
        let mut columns = readings().into_columns().unwrap().into_columns();
        change(&mut columns);
        let columns = Columns::new(columns).unwrap();
        ReadingColumns::from_columns(columns).unwrap_err().to_string()
    };
    assert_eq!(told(&|columns| drop(columns.remove(3))), "no column is called `note`");
    assert_eq!(
        told(&|columns| columns[0].1 = Column::from(vec![0i64; 1000])),
        "station: expected u16, found i64"
    );
    let wrong = Column::Text(BytesColumn::from_iter(vec![&[0xffu8][..]; 1000]));
    assert_eq!(told(&|columns| columns[3].1 = wrong.clone()), "note: a text is not UTF-8");

    let mut uneven = readings();
    uneven.station.pop();
    let e = uneven.into_columns().unwrap_err();
    assert!(e.to_string().contains("`station` has 999 rows, `xyz` has 1000"), "{e}");
    let mut inside = readings();
    inside.place.y.pop();
    assert_eq!(
        inside.into_columns().unwrap_err().to_string(),
        "place: the column has another number of rows inside"
    );
}

#[test]
fn a_column_of_another_type_is_handed_back() {
    let column = || Column::from(vec![1u8, 2]);
    assert_eq!(Vec::<u16>::from_column(column()), Err(column()));
    assert_eq!(Vec::<[u8; 2]>::from_column(column()), Err(column()));
    assert_eq!(TextColumn::from_column(column()), Err(column()));
    let wrong = Column::Text(BytesColumn::from_iter([&[0xffu8][..]]));
    assert_eq!(TextColumn::from_column(wrong.clone()), Err(wrong));
    let cut = Column::Text(BytesColumn::from_parts(vec![0, 1, 2], "é".as_bytes().to_vec()).unwrap());
    assert_eq!(TextColumn::from_column(cut.clone()), Err(cut));
    let list = Column::List(Box::new(ListColumn::from_parts(vec![0, 2], column()).unwrap()));
    assert_eq!(ListColumn::<Vec<u16>>::from_column(list.clone()), Err(list));
    // of a record those that were right, too
    let fields = vec![("x".into(), Column::from(vec![1f32])), ("y".into(), Column::from(vec![2f64]))];
    let record = Column::Record { rows: 1, fields };
    assert_eq!(PlaceColumns::from_column(record.clone()).err(), Some(record));
    assert_eq!(PlaceColumns { x: vec![1.0], y: vec![2.0] }.into_column().len(), 1);
}
