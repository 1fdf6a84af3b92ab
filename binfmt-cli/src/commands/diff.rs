//! `binfmt diff`: in what two files differ.

use super::open::{self, Opened};
use super::tables;
use crate::args::{Choose, Diff};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Parts, Selection};
use crate::input::{Input, is_dash};
use crate::same::{Cursor, Same};
use crate::span::Span;
use crate::units::count;
use crate::{output, terminal};
use binfmt::columns::ColumnType;
use binfmt::table::{Leaf, Table, keys, recounted};
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &Diff, formats: Formats) -> Result<()> {
    let mut out = output::stdout();
    let bytes = bytes(args, formats)?;
    if let Some(Bytes::Same) = bytes {
        return told(&mut out, "the files are the same, byte for byte").and_then(|()| flush(&mut out));
    }
    let found = match parts(args, formats)? {
        Some(parts) => in_parts(args, formats, parts, &mut out),
        None => values(args, formats, bytes.is_some(), &mut out),
    };
    if let Some(Bytes::Differ(text)) = bytes {
        told(&mut out, &text)?;
    }
    flush(&mut out)?;
    if found? { Err(Error::Shown(1)) } else { Ok(()) }
}

fn told(out: &mut impl Write, text: &str) -> Result<()> {
    writeln!(out, "{}", terminal::line(text)).map_err(Error::output)
}

fn flush(out: &mut impl Write) -> Result<()> {
    out.flush().map_err(Error::output)
}

/// What is to be said of the bytes of two files.
enum Bytes {
    Same,
    Differ(String),
}

/// Compares bytes; `None` if one of the two cannot be read twice.
fn bytes(args: &Diff, formats: Formats) -> Result<Option<Bytes>> {
    let open = |path: &Path| Input::open(path, args.reading.limits, formats.recogniser());
    let (mut a, mut b) = (open(&args.first)?, open(&args.second)?);
    if a.stored().is_none() || b.stored().is_none() {
        return Ok(None);
    }
    let mut one = BufReader::with_capacity(1 << 18, a.reader(0)?);
    let mut other = BufReader::with_capacity(1 << 18, b.reader(0)?);
    let mut at = 0u64;
    loop {
        let (here, there) = (one.fill_buf().map_err(Error::input)?, other.fill_buf().map_err(Error::input)?);
        let both = here.len().min(there.len());
        let same = if here.get(..both) == there.get(..both) {
            both
        } else {
            here.iter().zip(there).position(|(a, b)| a != b).unwrap_or(both)
        };
        if same == both && both > 0 {
            at += both as u64;
            one.consume(both);
            other.consume(both);
            continue;
        }
        let shown = |byte: Option<&u8>| byte.map_or("the end".to_owned(), |byte| format!("{byte:02x}"));
        let (a, b) = (here.get(same), there.get(same));
        if a.is_none() && b.is_none() {
            return Ok(Some(Bytes::Same));
        }
        let at = at + same as u64;
        let text = format!("bytes: differ from byte {at} ({at:#x}) on: {} | {}", shown(a), shown(b));
        return Ok(Some(Bytes::Differ(text)));
    }
}

/// The parts of both files, if one of the two is not one table.
fn parts(args: &Diff, formats: Formats) -> Result<Option<[Parts; 2]>> {
    if args.choose.pages.is_some() || [&args.first, &args.second].iter().any(|path| is_dash(path)) {
        return Ok(None);
    }
    let of = |opened: Result<Opened<'_>>| match opened {
        // what is wrong is told where the values are compared
        Ok((format, mut job)) => format.parts(&mut job).ok().flatten(),
        Err(_) => None,
    };
    let [first, second] = open::two([&args.first, &args.second], &args.reading, formats).map(of);
    let both = first.zip(second).map(|(first, second)| [first, second]);
    Ok(both.filter(|both| both.iter().any(|parts| !parts.is_one_table)))
}

/// Compares part with part.
fn in_parts(
    args: &Diff,
    formats: Formats,
    [first, second]: [Parts; 2],
    out: &mut impl Write,
) -> Result<bool> {
    let [one, other] = open::two([&args.first, &args.second], &args.reading, formats);
    let (mut one, mut other) = (one?, other?);
    let mut differs = first.count != second.count;
    for number in 0..first.count.min(second.count) {
        let mut told = Vec::new();
        let pages = Some(Span { from: number, to: Some(number + 1) });
        if compare(args, table(&mut one, pages)?, table(&mut other, pages)?, &mut told)?.0 {
            differs = true;
            writeln!(out, "{} {number}", first.unit).map_err(Error::output)?;
            out.write_all(&told).map_err(Error::output)?;
        }
    }
    if first.count != second.count {
        told(out, &format!("{}s: {} | {}", first.unit, first.count, second.count))?;
    }
    if !differs {
        told(out, &format!("the values are the same: {} of them", first.count))?;
    }
    Ok(differs)
}

/// A table, and the name of its file.
type Named = (Arc<dyn Table>, Vec<String>);

/// The table of these pages.
fn table((format, job): &mut Opened<'_>, pages: Option<Span>) -> Result<Named> {
    job.pages = pages;
    let table = format.table(job).map_err(|e| job.input.blamed(e))?;
    Ok((table, vec![job.input.name()]))
}

/// Compares files that are one table each, and tells whether something differs.
fn values(args: &Diff, formats: Formats, has_bytes: bool, out: &mut impl Write) -> Result<bool> {
    let both = open::two([&args.first, &args.second], &args.reading, formats);
    let both = both.map(|opened| opened.and_then(|mut opened| table(&mut opened, args.choose.pages)));
    match both.into() {
        (Ok(first), Ok(second)) => {
            let (differs, read) = compare(args, first, second, out)?;
            for (selection, rows) in &read {
                tables::tell_if_none(&args.choose, selection, *rows);
            }
            Ok(differs)
        }
        // of unknown formats the bytes say what there is to say
        (Err(Error::Usage(_)), Err(Error::Usage(_)))
            if has_bytes && args.reading.format.is_none() && args.reading.settings.is_empty() =>
        {
            Ok(true)
        }
        (Err(e), _) | (_, Err(e)) => Err(e),
    }
}

/// What was chosen of a file, and how many rows that are.
type Read = (Selection, u64);

/// Compares columns and values, and tells whether something differs, and what was read of both.
fn compare(args: &Diff, first: Named, second: Named, out: &mut impl Write) -> Result<(bool, [Read; 2])> {
    let all = Choose { columns: None, rename: Vec::new(), ..args.choose.clone() };
    let mut one = tables::kept(first.0, &args.choose, first.1, &[PAGE])?;
    let mut other = tables::kept(second.0, &all, second.1, &[PAGE])?;
    let differs = schemas(args, &mut one, &mut other, out)?;
    count_alike(&mut one, &mut other);
    // the numbers of rows are those of the file, where rows are chosen by them
    let first = one.wanted.rows.as_ref().map_or(0, |rows| rows.start.unsigned_abs());
    let same = Same { tolerance: args.tolerance, absolute: args.absolute, most: args.most, first };
    let found =
        same.compare(&mut Cursor::new(&one, &args.first)?, &mut Cursor::new(&other, &args.second)?, out)?;
    let rows = |rows: u64| count(rows, "row", "rows");
    if found.rows.0 != found.rows.1 {
        told(out, &format!("rows: {} | {}", found.rows.0, found.rows.1))?;
    }
    if found.values > 0 {
        let values = count(found.values, "value differs", "values differ");
        told(
            out,
            &format!("values: {values}, in {} of {}", rows(found.different), found.rows.0.min(found.rows.1)),
        )?;
    }
    let is_same = !differs && found.values == 0 && found.rows.0 == found.rows.1;
    let left_out = left_out(args, &one, &other);
    if is_same {
        let columns = one.leaves.iter().filter(|leaf| !is_added(&one, leaf)).count();
        let columns = count(columns as u64, "column", "columns");
        let what = if left_out.is_empty() { "the values" } else { "the values of the rows" };
        told(out, &format!("{what} are the same: {} of {columns}", rows(found.rows.0)))?;
    }
    left_out.iter().try_for_each(|text| told(out, &format!("not compared: {text}")))?;
    Ok((!is_same, [(one, found.rows.0), (other, found.rows.1)]))
}

/// What of both files is in no column, unless only some columns were asked for.
fn left_out(args: &Diff, one: &Selection, other: &Selection) -> Vec<String> {
    if args.choose.columns.is_some() {
        return Vec::new();
    }
    let of = |path: &Path, selection: &Selection| {
        let named = |text: String| format!("{}: {text}", path.display());
        selection.table.left_out().into_iter().map(named).collect::<Vec<_>>()
    };
    [of(&args.first, one), of(&args.second, other)].concat()
}

/// The column with the numbers of the pages, which tells where a page ends.
const PAGE: &str = "_page";

/// Whether a column is not of the file.
fn is_added(selection: &Selection, leaf: &Leaf) -> bool {
    selection.table.schema().fields.get(leaf.column).is_some_and(|field| field.get(keys::ADDED).is_some())
}

/// Tells in which columns the two differ, and leaves those that both have, in the same order.
fn schemas(args: &Diff, one: &mut Selection, other: &mut Selection, out: &mut impl Write) -> Result<bool> {
    // other formats have no pages
    let needs_none =
        |selection: &Selection, leaf: &Leaf| args.choose.columns.is_none() && is_added(selection, leaf);
    let mut differs = false;
    let mut both = Vec::new();
    // of two columns of one name the first
    let all = other.table.schema().leaves();
    let found: HashMap<&str, &Leaf> = all.iter().rev().map(|leaf| (leaf.name.as_str(), leaf)).collect();
    for leaf in &one.leaves {
        match found.get(leaf.name.as_str()).copied() {
            None if needs_none(one, leaf) => {}
            None => {
                differs = true;
                told(out, &format!("column `{}`: only in {}", leaf.name, args.first.display()))?;
            }
            Some(found) => {
                // what is of another type may have the same values
                let types = [typed(one, leaf), typed(other, found)];
                if types[0] != types[1] {
                    told(out, &format!("column `{}`: {} | {}", leaf.name, types[0], types[1]))?;
                }
                both.push((leaf.clone(), found.clone()));
            }
        }
    }
    if args.choose.columns.is_none() {
        let known: HashSet<&str> = one.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
        let is_new = |leaf: &&Leaf| !known.contains(leaf.name.as_str());
        for leaf in other.leaves.iter().filter(is_new).filter(|leaf| !needs_none(other, leaf)) {
            differs = true;
            told(out, &format!("column `{}`: only in {}", leaf.name, args.second.display()))?;
        }
    }
    (one.leaves, other.leaves) = both.into_iter().unzip();
    Ok(differs)
}

/// What the values of a column are.
fn typed(selection: &Selection, leaf: &Leaf) -> String {
    let mark =
        if matches!(leaf.ty, ColumnType::Nullable { .. } | ColumnType::Optional(_)) { "?" } else { "" };
    selection.time(leaf).map_or_else(|| leaf.ty.to_string(), |unit| format!("time[{unit}]{mark}"))
}

/// Counts the times of both in the finer unit of the two.
fn count_alike(one: &mut Selection, other: &mut Selection) {
    let finer = |leaves: (&Leaf, &Leaf)| Some(one.time(leaves.0)?.max(other.time(leaves.1)?));
    let units: Vec<_> = one.leaves.iter().zip(&other.leaves).map(finer).collect();
    for selection in [one, other] {
        let columns = selection.leaves.iter().zip(&units);
        let units: Vec<_> = columns.filter_map(|(leaf, unit)| Some((leaf.column, (*unit)?))).collect();
        selection.table = recounted(Arc::clone(&selection.table), &units);
    }
}
