//! Objects as rows: a column for each field, objects inside spread out, arrays as JSON.

use super::chunks::Item;
use super::declared::Declared;
use crate::error::Result;
use crate::items::Items;
use crate::pick::Pick;
use crate::table::{Column, Head, Rows, Shown, Tables, show, show_value};
use binfmt::formats::beat::{Basic, FieldType, Format};
use binfmt::numbers::Number;
use binfmt::value::Value;

/// Rows that are passed at once, or those of so many bytes.
const BATCH: usize = 512;
const BATCH_BYTES: u64 = 1 << 20;

/// Writes a row for each object.
pub(super) fn write(
    declared: &Declared,
    mut chunks: Items<'_, Item>,
    pick: &Pick,
    out: &mut dyn Tables,
) -> Result<()> {
    let mut columns = Vec::new();
    if declared.header.is_some() {
        columns.push(FieldColumn { column: number("_start"), origin: Origin::Start });
        columns.push(FieldColumn { column: number("_end"), origin: Origin::End });
    }
    let format = declared.declaration.format();
    match &declared.joined {
        None => leaves(format, "", &mut Vec::new(), &mut columns),
        Some(beside) => {
            let others = beside.sets.iter().map(|side| (&side.name, side.declaration.format()));
            for (place, (name, format)) in std::iter::once((&beside.own, format)).chain(others).enumerate() {
                leaves(format, &format!("{name}."), &mut vec![place], &mut columns);
            }
        }
    }
    let names: Vec<&str> = columns.iter().map(|place| place.column.name.as_str()).collect();
    let chosen = pick.columns_of(&names)?;
    let columns: Vec<&FieldColumn> = chosen.iter().filter_map(|i| columns.get(*i)).collect();
    let headings = columns.iter().map(|place| place.column.clone()).collect();
    out.begin(&Head { columns: headings, ..Head::default() })?;
    loop {
        let (begin, mut items, mut done) = (chunks.bytes(), Vec::new(), None);
        while done.is_none() && items.len() < BATCH && chunks.bytes() - begin < BATCH_BYTES {
            match chunks.next() {
                Some(Ok(item)) => items.push(item),
                Some(Err(e)) => done = Some(Err(e)),
                None => done = Some(Ok(())),
            }
        }
        // what was read before the damage is shown
        out.rows(&Batch { items: &items, columns: &columns })?;
        if let Some(done) = done {
            return out.end().and(done);
        }
    }
}

/// A column, and where its values are.
struct FieldColumn {
    column: Column,
    origin: Origin,
}

/// What gives a column its values.
enum Origin {
    Start,
    End,
    /// The numbers of the fields on the path from the object.
    Field(Vec<usize>),
}

fn number(name: &str) -> Column {
    Column::new(name.to_owned(), true)
}

/// A column for each field that is not an object.
fn leaves(format: &Format, front: &str, path: &mut Vec<usize>, out: &mut Vec<FieldColumn>) {
    for (i, (name, ty)) in format.fields().iter().enumerate() {
        path.push(i);
        match ty {
            FieldType::Object(format) => leaves(format, &format!("{front}{name}."), path, out),
            ty => {
                let text = [Basic::String, Basic::Bool, Basic::Complex64, Basic::Complex128];
                let is_number = matches!(ty, FieldType::Basic(basic) if !text.contains(basic));
                let column = Column::new(format!("{front}{name}"), is_number);
                out.push(FieldColumn { column, origin: Origin::Field(path.clone()) });
            }
        }
        path.pop();
    }
}

struct Batch<'a> {
    items: &'a [Item],
    columns: &'a [&'a FieldColumn],
}

impl Rows for Batch<'_> {
    fn num_rows(&self) -> usize {
        self.items.len()
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let (Some(item), Some(place)) = (self.items.get(row), self.columns.get(column)) else {
            return Shown::Missing(None);
        };
        match (&place.origin, item.indices) {
            (Origin::Start, Some((start, _))) => show(Number::U64(start).into(), room),
            (Origin::End, Some((_, end))) => show(Number::U64(end).into(), room),
            (Origin::Field(path), _) => match inside(&item.value, path) {
                Some(value) => show_value(value, room),
                None => Shown::Missing(None),
            },
            _ => Shown::Missing(None),
        }
    }
}

fn inside<'v>(value: &'v Value, path: &[usize]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, i| match value {
        Value::Record(fields) => fields.values().get(*i),
        _ => None,
    })
}
