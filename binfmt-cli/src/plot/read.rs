//! Columns of a table as what is drawn.

use super::dates::seconds;
use super::figure::{Series, Title};
use super::grid::Grid;
use super::symbols;
use crate::error::{Error, Result};
use crate::format::Selection;
use binfmt::columns::{Column, ColumnData, ColumnType, ValueRef};
use binfmt::table::{Leaf, Logical, TimeUnit, keys};

/// What the columns of a selection are for: along the side, if one is, then what is drawn, then the numbers of the pages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) has_x: bool,
    /// Whether the column along the side is drawn, too.
    pub(crate) draws_x: bool,
    pub(crate) has_pages: bool,
    /// What the numbers along the side count, where the file does not say that they are times.
    pub(crate) counts: Option<TimeUnit>,
    /// In what the times of both sides are counted, if files before this one have some.
    pub(crate) times: [Option<TimeUnit>; 2],
}

/// The number of a page, and its points.
type Page = (f64, Vec<(f64, f64)>);

/// As many pages have a line of their own; more are drawn as one with gaps.
const PAGES: usize = 8;

/// The lines of a file, one for each column and page, and the titles of both sides.
pub(crate) fn points(
    selection: &Selection,
    wanted: Wanted,
    file: Option<&str>,
) -> Result<(Vec<Series>, Title, Title)> {
    let leaves = &selection.leaves;
    let count = leaves.len().saturating_sub(usize::from(wanted.has_pages));
    let first = usize::from(wanted.has_x && !wanted.draws_x);
    let drawn: Vec<Leaf> = leaves.iter().take(count).skip(first).cloned().collect();
    for (place, leaf) in leaves.iter().enumerate().take(count) {
        if let Err(e) = are_numbers(leaf)
            && has_values(selection, place)?
        {
            return Err(e);
        }
    }
    let time = |leaf: &Leaf| selection.time(leaf).filter(|unit| seconds(*unit).is_some());
    let side = leaves.first().filter(|_| wanted.has_x);
    let across = side.and_then(|leaf| time(leaf).or(wanted.counts));
    let [x_time, y_time] = [wanted.times[0].or(across), wanted.times[1].or(drawn.iter().find_map(time))];
    let times: Vec<Option<TimeUnit>> = drawn.iter().map(time).collect();
    let mut found: Vec<Vec<Page>> = vec![Vec::new(); drawn.len()];
    selection.each(|columns, rows| {
        let page = if wanted.has_pages { columns.last().and_then(|column| numbers(column)) } else { None };
        let x = if wanted.has_x { columns.first().and_then(|column| numbers(column)) } else { None };
        let x = x.map(|x| in_unit(x, across, x_time));
        for ((pages, time), column) in found.iter_mut().zip(&times).zip(columns.iter().skip(first)) {
            let Some(values) = numbers(column).map(|y| in_unit(y, *time, y_time)) else { continue };
            for (row, y) in values.into_iter().enumerate().take(rows) {
                let page = page.as_ref().and_then(|page| page.get(row)).copied().unwrap_or(0.0);
                if pages.last().is_none_or(|(last, _)| *last != page) {
                    pages.push((page, Vec::new()));
                }
                if let Some((_, points)) = pages.last_mut() {
                    let number = points.len() as f64;
                    let x = x.as_ref().map_or(number, |x| x.get(row).copied().unwrap_or(f64::NAN));
                    points.push((x, y));
                }
            }
        }
        Ok(())
    })?;
    let mut series = Vec::new();
    for (leaf, pages) in drawn.iter().zip(found) {
        let label = |page: Option<f64>| {
            let page = page.map(|page| format!("page {page}"));
            let words = [Some(leaf.name.clone()), file.map(str::to_owned), page];
            words.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let count = pages.len();
        if (2..=PAGES).contains(&count) {
            series
                .extend(pages.into_iter().map(|(page, points)| Series { label: label(Some(page)), points }));
        } else {
            let parts: Vec<_> = pages.into_iter().map(|(_, points)| points).collect();
            series.push(Series { label: label(None), points: parts.join(&(f64::NAN, f64::NAN)) });
        }
    }
    let x = match side {
        Some(leaf) => titled(selection, &[(leaf, across)], x_time),
        None => Title::of("row"),
    };
    let columns: Vec<_> = drawn.iter().zip(times).collect();
    Ok((series, x, titled(selection, &columns, y_time)))
}

/// Times in another unit; what are none stay as they are.
fn in_unit(mut values: Vec<f64>, from: Option<TimeUnit>, to: Option<TimeUnit>) -> Vec<f64> {
    if let (Some(from), Some(to)) = (from, to)
        && let (Some(each), Some(whole)) = (seconds(from), seconds(to))
        && from != to
    {
        values.iter_mut().for_each(|x| *x *= each / whole);
    }
    values
}

/// Whether any row has a value in a column.
fn has_values(selection: &Selection, place: usize) -> Result<bool> {
    let mut found = false;
    selection.each(|columns, rows| {
        let is_there = |row: usize| {
            let value = columns.get(place).and_then(|column| column.get(row));
            value.is_some_and(|value| !matches!(value, ValueRef::Missing(_) | ValueRef::Absent))
        };
        found |= (0..rows).any(is_there);
        Ok(())
    })?;
    Ok(found)
}

/// The image in a column: of numbers at the places that two columns before it say, of lists line by line, or of the first array
/// with two dimensions.
pub(crate) fn image(selection: &Selection) -> Result<(Grid, Vec<Title>)> {
    let leaves = &selection.leaves;
    let title = |leaf: &Leaf| titled(selection, &[(leaf, selection.time(leaf))], selection.time(leaf));
    let titles = leaves.iter().map(title).collect();
    let refused = |leaf: &Leaf, text: &str| Err(Error::usage(format_args!("column `{}` {text}", leaf.name)));
    if let [x, y, z] = &leaves[..] {
        for leaf in [x, y, z] {
            are_numbers(leaf)?;
        }
        let mut places = Vec::new();
        selection.each(|columns, _| {
            let mut columns = columns.iter().filter_map(|column| numbers(column));
            if let (Some(x), Some(y), Some(z)) = (columns.next(), columns.next(), columns.next()) {
                places.extend(x.into_iter().zip(y).zip(z).map(|((x, y), z)| (x, y, z)));
            }
            Ok(())
        })?;
        return match Grid::of_places(&places) {
            Some(grid) => Ok((grid, titles)),
            None => refused(z, "has too many different places for an image"),
        };
    }
    let Some(leaf) = leaves.last() else { return Err(Error::usage("--image names no column")) };
    if are_numbers(leaf).is_ok() {
        return refused(leaf, "has one number in each row: --x and --y say where each is");
    }
    let planes = match selection.table.schema().fields.get(leaf.column).map(|field| &field.logical) {
        Some(Some(Logical::Tensor { shape, .. })) => shape.clone(),
        _ => Vec::new(),
    };
    if planes.len() > 2 {
        return refused(leaf, "has arrays with more than two dimensions in each row, and an image has two");
    }
    let mut lines = Vec::new();
    let (mut whole, mut is_deep) = (None, false);
    selection.each(|columns, _| {
        let Some(column) = columns.last() else { return Ok(()) };
        for row in (0..column.len()).filter_map(|row| column.get(row)) {
            match row {
                ValueRef::Array([_, columns], items) if whole.is_none() => {
                    whole = numbers_of(ValueRef::List(items)).map(|all| {
                        let columns = usize::try_from(*columns).unwrap_or(usize::MAX).max(1);
                        all.chunks(columns).map(<[f64]>::to_vec).collect::<Vec<_>>()
                    });
                }
                ValueRef::Array(shape, _) if shape.len() > 2 => is_deep = true,
                ValueRef::Array([_], items) => lines.extend(numbers_of(ValueRef::List(items))),
                row => lines.extend(numbers_of(row)),
            }
        }
        Ok(())
    })?;
    if is_deep {
        return refused(leaf, "has arrays with more than two dimensions, and an image has two");
    }
    // rows that are planes, of which one can be drawn
    if let [_, across] = planes[..] {
        let [plane] = &lines[..] else {
            return refused(leaf, "has a plane in each row: --rows 5 draws that of the row 5");
        };
        let across = usize::try_from(across).unwrap_or(usize::MAX).max(1);
        return Ok((Grid::of_lines(&plane.chunks(across).map(<[f64]>::to_vec).collect::<Vec<_>>()), titles));
    }
    match whole.unwrap_or(lines) {
        lines if lines.is_empty() => {
            refused(leaf, "has no lists or arrays of numbers with one or two dimensions")
        }
        lines => Ok((Grid::of_lines(&lines), titles)),
    }
}

/// The numbers of a list.
fn numbers_of(list: ValueRef<'_>) -> Option<Vec<f64>> {
    let ValueRef::List(items) = list else { return None };
    let one = |i| match items.get(i) {
        Some(ValueRef::Number(n)) => Some(n.to_f64()),
        Some(ValueRef::Missing(_) | ValueRef::Absent) => Some(f64::NAN),
        _ => None,
    };
    (0..items.len()).map(one).collect()
}

/// The numbers of a column; missing ones are not a number.
fn numbers(column: &Column) -> Option<Vec<f64>> {
    match column {
        Column::Numbers(numbers) => Some(numbers.f64s()),
        Column::Nullable(v) | Column::Optional(v) => {
            let mut values = numbers(v.values())?;
            let missing = values.iter_mut().enumerate().filter(|(row, _)| v.is_missing(*row));
            missing.for_each(|(_, x)| *x = f64::NAN);
            Some(values)
        }
        _ => None,
    }
}

pub(crate) fn are_numbers(leaf: &Leaf) -> Result<()> {
    let mut ty = &leaf.ty;
    while let ColumnType::Nullable { values, .. } | ColumnType::Optional(values) = ty {
        ty = values;
    }
    match ty {
        ColumnType::Number(_) => Ok(()),
        ty => Err(Error::usage(format_args!("column `{}` has no numbers to draw, but {ty}", leaf.name))),
    }
}

/// Names and units of columns, each with what it counts; times are shown in the unit of them all.
fn titled(selection: &Selection, columns: &[(&Leaf, Option<TimeUnit>)], time: Option<TimeUnit>) -> Title {
    let fields = &selection.table.schema().fields;
    let units = |(leaf, own): &(&Leaf, Option<TimeUnit>)| {
        let field = fields.get(leaf.column);
        match (own.and(time), field.and_then(|field| field.logical.as_ref())) {
            (Some(time), _) => time.units(),
            (None, Some(Logical::Duration(unit))) => unit.to_string(),
            _ => symbols::plain(field.and_then(|field| field.get(keys::UNITS)).unwrap_or_default()),
        }
    };
    Title {
        names: columns.iter().map(|(leaf, _)| leaf.name.clone()).collect(),
        units: columns.iter().map(units).collect(),
        time: columns.iter().find_map(|(_, own)| own.and(time)),
    }
}
