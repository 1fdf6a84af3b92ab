//! `binfmt diff`: in what two files differ.

use super::definitions::{count_alike, fixed, is_added, schemas, told};
use super::open::{self, Opened};
use super::tables;
use crate::args::{Choose, Diff};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Facts, Parts, Selection, Written};
use crate::input::Input;
use crate::output;
use crate::region::apart;
use crate::same::{Cursor, Same};
use crate::span::{Pages, Span};
use crate::units::count;
use binfmt::table::{Leaf, Table, plain};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &Diff, formats: Formats) -> Result<()> {
    let mut out = output::stdout();
    let bytes = bytes(args, formats)?;
    if let Some(Bytes::Same) = bytes {
        return told(&mut out, "the files are the same, byte for byte").and_then(|()| flush(&mut out));
    }
    let mut both = open::two([&args.first, &args.second], &args.reading, formats);
    for (_, job) in both.iter_mut().flatten() {
        // it is looked at more than once
        job.input.keep_stream()?;
    }
    let found = match parts(args, &mut both) {
        Some(parts) => in_parts(args, both, parts, &mut out),
        None => values(args, both, bytes.is_some(), &mut out),
    };
    if let Some(Bytes::Differ(text)) = bytes {
        told(&mut out, &text)?;
    }
    flush(&mut out)?;
    if found? { Err(Error::Shown(1)) } else { Ok(()) }
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

/// Two files, as far as they could be opened.
type Both<'a> = [Result<Opened<'a>>; 2];

/// The parts of both files, if one of the two is not one table.
fn parts(args: &Diff, both: &mut Both<'_>) -> Option<[Parts; 2]> {
    if args.choose.pages.is_some() {
        return None;
    }
    let of = |opened: &mut Result<Opened<'_>>| match opened {
        // what is wrong is told where the values are compared
        Ok((format, job)) => format.parts(job).ok().flatten(),
        Err(_) => None,
    };
    let [first, second] = both;
    let both = [of(first)?, of(second)?];
    both.iter().any(|parts| !parts.is_one_table).then_some(both)
}

/// Compares part with part.
fn in_parts(
    args: &Diff,
    [one, other]: Both<'_>,
    [first, second]: [Parts; 2],
    out: &mut impl Write,
) -> Result<bool> {
    let (mut one, mut other) = (one?, other?);
    let mut differs = first.count != second.count;
    for number in 0..first.count.min(second.count) {
        let mut told = Vec::new();
        let pages = Pages::from(Span { from: number, to: Some(number + 1) });
        let [here, there] = [&mut one, &mut other].map(|opened| table(opened, args, Some(pages.clone())));
        let both = [here?, there?];
        if compare(args, (&args.choose, true), both, &mut told)?.0 {
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

/// A table, the name of its file, and what its format is.
type Named = (Arc<dyn Table>, Vec<String>, &'static Facts);

/// The table of these pages.
fn table((format, job): &mut Opened<'_>, args: &Diff, pages: Option<Pages>) -> Result<Named> {
    (job.pages, job.asked) = (pages, args.choose.asked());
    let table = format.table(job).map_err(|e| job.input.blamed(e))?;
    Ok((plain(table, &[]), vec![job.input.name()], format.facts()))
}

/// Compares files that are one table each, and tells whether something differs.
fn values(args: &Diff, both: Both<'_>, has_bytes: bool, out: &mut impl Write) -> Result<bool> {
    match both.into() {
        (Ok(mut one), Ok(mut other)) => {
            // rows that neither file has written are the same in both
            if let (Ok(Some(here)), Ok(Some(there))) =
                (one.0.written(&mut one.1), other.0.written(&mut other.1))
            {
                let either = Written::In(apart([here, there].concat()));
                (one.1.written, other.1.written) = (either.clone(), either);
            }
            let both = [
                table(&mut one, args, args.choose.pages.clone()),
                table(&mut other, args, args.choose.pages.clone()),
            ];
            let [first, second] = both;
            let (differs, read) = compare(args, (&args.choose, true), [first?, second?], out)?;
            let mut said = Vec::new();
            let rest_differs = match beside(args, &read, differs) {
                Some(names) => rest(args, [one, other], &read, names, &mut said)?,
                None => false,
            };
            if !differs {
                let is_all = left_out(args, &read).is_empty() && !rest_differs;
                tell_same(if is_all { "the values" } else { "the values of the rows" }, &read, out)?;
            }
            out.write_all(&said).map_err(Error::output)?;
            for (selection, rows) in &read {
                tables::tell_if_none(&args.choose, selection, *rows);
            }
            Ok(differs || rest_differs)
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

/// Compares columns and values, and what is said of the file if they are all of it; tells whether something differs, and what was read of both.
fn compare(
    args: &Diff,
    (choose, is_file): (&Choose, bool),
    [first, second]: [Named; 2],
    out: &mut impl Write,
) -> Result<(bool, [Read; 2])> {
    let all = Choose { columns: None, rename: Vec::new(), ..choose.clone() };
    let mut one = tables::kept(first.0, choose, first.1, &[&[PAGE], first.2.shows].concat())?;
    let mut other = tables::kept(second.0, &all, second.1, &[&[PAGE], second.2.shows].concat())?;
    let is_one_format = first.2.name == second.2.name;
    let differs = schemas(args, (choose, is_file, [first.2, second.2]), &mut one, &mut other, out)?;
    count_alike(&mut one, &mut other);
    // the numbers of rows are those of the file, where rows are chosen by them
    let first = one.wanted.rows.as_ref().map_or(0, |rows| rows.start.unsigned_abs());
    let Diff { tolerance, absolute, most, .. } = *args;
    let same = Same { tolerance, absolute, most, first, is_one_format };
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
    let read = [(one, found.rows.0), (other, found.rows.1)];
    Ok((!is_same, read))
}

/// Says how much is the same.
fn tell_same(what: &str, [(one, rows), _]: &[Read; 2], out: &mut impl Write) -> Result<()> {
    let columns = one.leaves.iter().filter(|leaf| !is_added(one, leaf)).count();
    let (rows, columns) = (count(*rows, "row", "rows"), count(columns as u64, "column", "columns"));
    told(out, &format!("{what} are the same: {rows} of {columns}"))
}

/// Which columns to compare of what is in no row; `None` if nothing is there that was asked for, and every one if that is said of none.
fn beside(args: &Diff, read: &[Read; 2], differs: bool) -> Option<Option<Vec<String>>> {
    let Choose { rows, condition, sample, columns, .. } = &args.choose;
    let is_whole = rows.is_none() && condition.is_none() && sample.is_none();
    if columns.is_none() {
        // what is said of all pages is beside every row
        let is_told = !left_out(args, read).is_empty();
        return (is_told || is_whole && !differs).then_some(None);
    }
    let [(one, _), _] = read;
    let field = |leaf: &Leaf| one.table.schema().fields.get(leaf.column);
    let mut meta = one.table.schema().meta.iter();
    let are_elements = meta.any(|(key, text)| key.ends_with(":rows") && text == "elements");
    let of_pages = |leaf: &Leaf| match field(leaf)?.constant {
        true if is_added(one, leaf) => None,
        true => Some(field(leaf)?.name.to_string()),
        false => are_elements.then(|| format!("array:{}", leaf.name)),
    };
    let names: Vec<String> = one.leaves.iter().filter_map(of_pages).collect();
    (is_whole && !differs && !names.is_empty()).then_some(Some(names))
}

/// Compares what is in no column of the rows; what cannot be compared differs.
fn rest(
    args: &Diff,
    both: [Opened<'_>; 2],
    read: &[Read; 2],
    columns: Option<Vec<String>>,
    out: &mut impl Write,
) -> Result<bool> {
    let both = both.map(|(format, mut job)| {
        let table = format.rest(&mut job).map_err(|e| job.input.blamed(e))?;
        Ok(table.map(|table| (plain(table, &[]), vec![job.input.name()], format.facts())))
    });
    let [one, other]: [Result<Option<Named>>; 2] = both;
    let (Some(one), Some(other)) = (one?, other?) else {
        let left_out = left_out(args, read);
        left_out.iter().try_for_each(|text| told(out, &format!("not compared: {text}")))?;
        return Ok(!left_out.is_empty());
    };
    let mut said = Vec::new();
    let all = Choose { pages: args.choose.pages.clone(), columns, ..Choose::default() };
    let (differs, read) = compare(args, (&all, false), [one, other], &mut said)?;
    if differs {
        told(out, "parameters and arrays, page by page:")?;
        out.write_all(&said).map_err(Error::output)?;
    }
    match &read {
        // no page has the values that are those of all pages
        [(one, 0), (other, 0)] => Ok(fixed(one, other, out)? || differs),
        _ => Ok(differs),
    }
}

/// What of both files is in no column, unless only some columns were asked for.
fn left_out(args: &Diff, [(one, _), (other, _)]: &[Read; 2]) -> Vec<String> {
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
