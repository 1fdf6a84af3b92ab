//! `binfmt stats`: what the values of each column are like.

use super::tables;
use crate::args::Stats;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Written;
use crate::input::is_dash;
use crate::report::remark;
use crate::stats::{ColumnStats, Least, Limits, Meaning};
use crate::summary::{Listing, Summary};
use crate::tabular::Part;
use crate::{json, output, paths, style};
use binfmt::numbers::Number;
use binfmt::table::TimeUnit;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::OnceLock;

pub(crate) fn run(args: &Stats, formats: Formats) -> Result<()> {
    let paths = paths::meant(&args.paths)?;
    let (table, names) = tables::of_files(&paths, &args.reading, formats, (&args.choose, Written::Own))?;
    let one = <[_; 1]>::try_from(names.clone()).ok().map(|[name]| name);
    let selection = tables::chosen(table, &args.choose, names)?;
    let limits = OnceLock::new();
    let none = |part: Part| {
        let all = || selection.leaves.iter().map(|_| Limits::of_parts(part.of)).collect::<Vec<_>>();
        let each = selection.leaves.iter().zip(limits.get_or_init(all));
        let columns = each.map(|(leaf, limits)| {
            let meaning = Meaning::of_leaf(leaf, selection.table.schema().fields.get(leaf.column));
            ColumnStats::new((leaf, meaning), part, limits, args.brief)
        });
        columns.collect::<Vec<_>>()
    };
    let (found, done) = selection.spread(none, ColumnStats::add, merged);
    let (mut columns, rows) = found.unwrap_or_else(|| (none(Part { number: 0, of: 1 }), 0));
    let names = selection.leaves.iter().map(|leaf| selection.type_name(leaf));
    columns.iter_mut().zip(names).for_each(|(column, name)| column.ty = name);
    let named = |e: Error| one.iter().fold(e, Error::at);
    if let Some(bytes) = columns.iter().find_map(ColumnStats::lost) {
        return Err(named(Error::data(format_args!("cannot allocate {bytes} bytes for a text"))));
    }
    // what was read before the damage is told before the message about it
    if rows > 0 || done.is_ok() {
        let units = selection.leaves.iter().map(|leaf| selection.time(leaf));
        show(&columns, &units.collect::<Vec<_>>(), rows, args)?;
    }
    done.map_err(named)?;
    tables::tell_if_none(&args.choose, &selection, rows);
    if let ([path], 0) = (&paths[..], rows)
        && !is_dash(path)
    {
        let (format, mut job) = super::open::open(path, &args.reading, formats, false)?;
        format
            .in_vain(&mut job)
            .into_iter()
            .for_each(|text| remark(&format!("{}: {text}", job.input.name())));
    }
    Ok(())
}

/// What is known of the rows of two parts.
fn merged(mut all: (Vec<ColumnStats>, u64), more: (Vec<ColumnStats>, u64)) -> (Vec<ColumnStats>, u64) {
    all.0.iter_mut().zip(more.0).for_each(|(stats, more)| stats.merge(more));
    (all.0, all.1 + more.1)
}

const COLUMNS: &[&str] = &[
    "column",
    "type",
    "count",
    "missing",
    "nan",
    "min",
    "25 %",
    "median",
    "75 %",
    "max",
    "mean",
    "deviation",
    "distinct",
    "histogram",
    "elements",
];

fn show(columns: &[ColumnStats], units: &[Option<TimeUnit>], rows: u64, args: &Stats) -> Result<()> {
    let as_json = args.json;
    let mut summary = Summary::default();
    summary.fact("rows", "Rows", rows);
    let all = if as_json { KEYS } else { COLUMNS };
    let names = if args.brief { BRIEF } else { all };
    // what only lists have is told where there are some, and how many elements are missing beside how many there are
    let has_lists = columns.iter().any(|column| column.elements().is_some());
    let is_told = |name: &&&str| !name.starts_with("elements") || has_lists && all.contains(name);
    let names = names.get(..names.iter().filter(is_told).count()).unwrap_or_default();
    let places: Vec<usize> = (0..all.len()).filter(|i| names.contains(&all[*i])).collect();
    let listed = columns.iter().zip(units).map(|(column, unit)| {
        let mut cells = row(column, as_json);
        if let Some(unit) = unit.filter(|_| !as_json) {
            dated(column, unit, &mut cells);
        }
        places.iter().filter_map(|i| cells.get(*i).cloned()).collect()
    });
    summary.table("columns", Listing { title: "Columns", columns: names, rows: listed.collect() });
    let mut out = output::stdout();
    if as_json {
        json::pretty(&mut out, &summary).map_err(|e| Error::output(e.into()))?;
        out.write_all(b"\n").map_err(Error::output)?;
    } else {
        summary.write(&mut out, style::on_stdout())?;
    }
    out.flush().map_err(Error::output)
}

/// What is exact.
const BRIEF: &[&str] = &[
    "column",
    "type",
    "count",
    "missing",
    "nan",
    "min",
    "max",
    "mean",
    "deviation",
    "elements",
    "elements_missing",
];

const KEYS: &[&str] = &[
    "column",
    "type",
    "count",
    "missing",
    "nan",
    "min",
    "q25",
    "median",
    "q75",
    "max",
    "mean",
    "deviation",
    "distinct",
    "histogram",
    "distinct_is_exact",
    "elements",
    "elements_missing",
];

/// The line of a column; what is computed is rounded for people, what is among the values is exact.
fn row(column: &ColumnStats, as_json: bool) -> Vec<Value> {
    let float = |x: Option<f64>| x.map_or(Value::Null, |x| number(if as_json { x } else { rounded(x) }));
    let end = |end: Option<&Least>| match end {
        None => Value::Null,
        Some(Least::Number(n)) => exact(*n, as_json),
        Some(Least::Text(text)) => Value::String(text_of(text, as_json)),
    };
    let quarters = column.quarters().map(float);
    let [low_quarter, median, high_quarter] = quarters;
    let distinct = match column.distinct() {
        None => Value::Null,
        Some((n, is_exact)) if as_json || is_exact => n.into(),
        Some((n, _)) => format!("about {n}").into(),
    };
    let mut cells = vec![
        column.name.as_str().into(),
        column.ty.as_str().into(),
        (column.rows - column.missing).into(),
        column.missing.into(),
        column.nan.into(),
        end(column.low()),
        low_quarter,
        median,
        high_quarter,
        end(column.high()),
        float(column.mean()),
        float(column.deviation()),
        distinct,
        histogram(column, as_json),
    ];
    let (elements, lost) = column.elements().unzip();
    if as_json {
        let counts = [elements, lost].map(|n| n.map_or(Value::Null, Value::from));
        cells.push(column.distinct().map_or(Value::Null, |(_, is_exact)| is_exact.into()));
        cells.extend(counts);
        return cells;
    }
    cells.push(match (elements, lost) {
        (Some(there), Some(lost @ 1..)) => format!("{there}, {lost} missing").into(),
        (there, _) => there.map_or(Value::Null, Value::from),
    });
    cells
}

/// The line of a column of times, which people read as dates; programs count their units.
fn dated(column: &ColumnStats, unit: TimeUnit, cells: &mut [Value]) {
    let exact = |n: i64| Value::String(unit.format_time(n));
    let end = |end: Option<&Least>| match end {
        Some(Least::Number(n)) => n.as_i128().and_then(|n| i64::try_from(n).ok()).map(exact),
        _ => None,
    };
    // what is computed is as near as a float of 64 bits, and so are the units of a date then
    let near = |x: Option<f64>| {
        let there = x.filter(|x| (i64::MIN as f64..i64::MAX as f64).contains(x));
        there.map(|x| exact(x.round() as i64))
    };
    let [low_quarter, median, high_quarter] = column.quarters().map(near);
    let named = [
        ("min", end(column.low())),
        ("25 %", low_quarter),
        ("median", median),
        ("75 %", high_quarter),
        ("max", end(column.high())),
        ("mean", near(column.mean())),
        ("deviation", column.deviation().map(|x| Value::String(format!("{} {unit}", rounded(x))))),
    ];
    for (name, value) in named {
        let cell = COLUMNS.iter().position(|known| *known == name).and_then(|place| cells.get_mut(place));
        if let (Some(cell), Some(value)) = (cell, value) {
            *cell = value;
        }
    }
}

fn histogram(column: &ColumnStats, as_json: bool) -> Value {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    match column.histogram() {
        None => Value::Null,
        Some(counts) if as_json => json!(counts),
        Some(counts) => {
            let most = counts.iter().copied().max().unwrap_or(0).max(1);
            let bar = |count: &u64| match count {
                0 => ' ',
                // a bar for what is there at all, the highest for the most
                n => usize::try_from(n * 7 / most).ok().and_then(|i| BARS.get(i)).copied().unwrap_or(' '),
            };
            format!("|{}|", counts.iter().map(bar).collect::<String>()).into()
        }
    }
}

fn exact(n: Number, as_json: bool) -> Value {
    match (n, n.as_i128()) {
        (Number::Bool(flag), _) if as_json => flag.into(),
        (Number::Bool(flag), _) => flag.to_string().into(),
        (_, Some(n)) => match (i64::try_from(n), u64::try_from(n)) {
            (Ok(n), _) => n.into(),
            (_, Ok(n)) => n.into(),
            _ => n.to_string().into(),
        },
        // the shortest text that reads back to the same number of its own width, as a number of the greatest
        (n, None) => number(n.to_string().parse().unwrap_or_else(|_| n.to_f64())),
    }
}

/// A number, or the word for what JSON has no number for.
fn number(x: f64) -> Value {
    match serde_json::Number::from_f64(x) {
        Some(n) => Value::Number(n),
        None if x.is_nan() => "nan".into(),
        None => if x > 0.0 { "inf" } else { "-inf" }.into(),
    }
}

/// With six digits, and all of a whole number: zeros at the end of one would look exact.
fn rounded(x: f64) -> f64 {
    match x.abs() {
        1e6..1e16 => x.round(),
        _ => format!("{x:.5e}").parse().unwrap_or(x),
    }
}

/// A text that may be long, or no text.
fn text_of(text: &[u8], as_json: bool) -> String {
    const SHOWN: usize = 20;
    // a character has four bytes at most
    let looked_at = if as_json { text } else { text.get(..4 * (SHOWN + 1)).unwrap_or(text) };
    let all = String::from_utf8_lossy(looked_at);
    match all.char_indices().nth(SHOWN).filter(|_| !as_json) {
        Some((end, _)) => format!("{}…", all.get(..end).unwrap_or_default()),
        None => all.into_owned(),
    }
}
