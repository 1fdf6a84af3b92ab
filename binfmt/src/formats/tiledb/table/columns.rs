//! Coordinates and attributes as columns.

use crate::columns::{BytesColumn, Column, ColumnType, ListColumn};
use crate::error::{Error, Result};
use crate::formats::tiledb::layout::{Attribute, Datatype, Dimension, FilterPipeline};
use crate::formats::tiledb::values;
use crate::numbers::{NumberType, Numbers};
use crate::table::{Logical, TableField, TimeUnit, keys};

pub(super) fn dimension_field(dimension: &Dimension, datatype: Datatype) -> TableField {
    let kind = datatype.number_type().unwrap_or(NumberType::U8);
    TableField::new(dimension.name.as_str(), ColumnType::Number(kind))
        .logical(logical(datatype))
        .with(keys::NATIVE, datatype.to_string())
        .with("tiledb:dimension", "true")
        .with("tiledb:domain", format!("{}..={}", dimension.domain[0], dimension.domain[1]))
        .with(
            "tiledb:tile_extent",
            dimension.tile_extent.map_or_else(String::new, |extent| extent.to_string()),
        )
}

/// Filters in the order in which they are applied.
pub(super) fn filters(pipeline: &FilterPipeline) -> String {
    pipeline.filters.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn attribute_field(attribute: &Attribute) -> TableField {
    let Attribute { name, datatype, cell_val_num, .. } = attribute;
    let number = datatype.number_type().unwrap_or(NumberType::U8);
    let text = datatype.is_byte_text();
    let ty = match cell_val_num.fixed().map(|n| n as usize) {
        Some(1) => ColumnType::Number(number),
        Some(n) if text => ColumnType::FixedBytes(n),
        Some(len) => ColumnType::Array { len, items: Box::new(ColumnType::Number(number)) },
        None if text => ColumnType::Text,
        None if *datatype == Datatype::Any => ColumnType::Bytes,
        None => ColumnType::List(Box::new(ColumnType::Number(number))),
    };
    // nobody looks at the bytes of a text
    let encoding = if ty == ColumnType::Text { "any" } else { "" };
    TableField::new(name.as_str(), ty)
        .logical(logical(*datatype))
        .with(keys::NATIVE, datatype.to_string())
        .with(keys::ENCODING, encoding)
        .with("tiledb:filters", filters(&attribute.filters))
}

fn logical(datatype: Datatype) -> Option<Logical> {
    match datatype {
        Datatype::StringUtf16 | Datatype::StringUtf32 | Datatype::StringUcs2 | Datatype::StringUcs4 => {
            Some(Logical::CodeUnits)
        }
        text if text.is_byte_text() => Some(Logical::Character),
        datatype => datatype.time_unit().map(Logical::Timestamp),
    }
}

impl Datatype {
    /// What the values count since the beginning of 1970, if they are times.
    ///
    /// ```
    /// use binfmt::{formats::tiledb::Datatype, table::TimeUnit};
    /// assert_eq!(Datatype::DatetimeMs.time_unit(), Some(TimeUnit::Milli));
    /// assert_eq!(Datatype::Int64.time_unit(), None);
    /// ```
    pub fn time_unit(self) -> Option<TimeUnit> {
        Some(match self {
            Datatype::DatetimeYear => TimeUnit::Year,
            Datatype::DatetimeMonth => TimeUnit::Month,
            Datatype::DatetimeWeek => TimeUnit::Week,
            Datatype::DatetimeDay => TimeUnit::Day,
            Datatype::DatetimeHr => TimeUnit::Hour,
            Datatype::DatetimeMin => TimeUnit::Minute,
            Datatype::DatetimeSec => TimeUnit::Second,
            Datatype::DatetimeMs => TimeUnit::Milli,
            Datatype::DatetimeUs => TimeUnit::Micro,
            Datatype::DatetimeNs => TimeUnit::Nano,
            Datatype::DatetimePs => TimeUnit::Pico,
            Datatype::DatetimeFs => TimeUnit::Femto,
            Datatype::DatetimeAs => TimeUnit::Atto,
            _ => return None,
        })
    }
}

/// An attribute as the column of its field: the values are moved.
pub(super) fn column(column: values::Column) -> Result<Column> {
    let (datatype, num, cells) = (column.datatype(), column.cell_val_num(), column.num_cells());
    let (values, offsets) = column.into_parts();
    let whole = |found: Option<Column>| found.ok_or_else(|| Error::other("offsets outside of the values"));
    Ok(match (num.fixed().map(|n| n as usize), values) {
        (Some(1), values) => Column::Numbers(values),
        (Some(size), Numbers::U8(bytes)) if datatype.is_byte_text() => {
            Column::FixedBytes { size, rows: cells, bytes }
        }
        (Some(len), values) => Column::Array { len, rows: cells, items: Box::new(values.into()) },
        (None, Numbers::U8(bytes)) if datatype.is_byte_text() => {
            whole(BytesColumn::from_parts(offsets, bytes).map(Column::Text))?
        }
        (None, Numbers::U8(bytes)) if datatype == Datatype::Any => {
            whole(BytesColumn::from_parts(offsets, bytes).map(Column::Bytes))?
        }
        (None, values) => {
            let lists = ListColumn::from_parts(offsets, Column::from(values));
            whole(lists.map(|lists| Column::List(Box::new(lists))))?
        }
    })
}
