//! `binfmt plot`: columns as a picture.

use super::spared::spared;
use super::tables;
use crate::args::{Axes, Ends, Plot};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Selection, Written};
use crate::pattern::is_meant;
use crate::plot::{self, Bins, Content, Figure, Form, Series, Title, Wanted};
use crate::{output, paths, report};
use binfmt::table::{Leaf, Logical, Table, TableSchema, TimeUnit, recounted};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(args: &Plot, formats: Formats) -> Result<()> {
    let form = form(&args.output)?;
    if args.has_seconds_below() && (args.x.is_none() || args.histogram || args.image.is_some()) {
        return Err(Error::usage("--dates alone is about the column of --x")
            .tip("--dates t:s names a column and its unit"));
    }
    let paths = paths::meant(&args.paths)?;
    for path in &paths {
        spared(path, &args.output, &args.reading, args.force)?;
    }
    let figure = match &args.image {
        Some(column) => image(args, column, &paths, formats)?,
        None => series(args, &paths, formats)?,
    };
    let bytes = figure.bytes(form)?;
    let target = output::Target::new(&args.output);
    let written = target.create().and_then(|mut out| {
        out.write_all(&bytes).map_err(Error::output)?;
        out.finish()
    });
    written.map_err(|e| e.writing(target.name()))
}

/// What the ending of the file says.
fn form(output: &Path) -> Result<Form> {
    if let output::Target::Stdout = output::Target::new(output) {
        return Ok(Form::Svg);
    }
    let ending = output.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("svg") => Ok(Form::Svg),
        Some("png") => Ok(Form::Png),
        _ => Err(Error::usage(format_args!("{}: a picture is .svg or .png", output.display()))),
    }
}

/// The column with the numbers of the pages.
const PAGE: &str = "_page";

/// The chosen rows of a file, and whether the last column is that of the pages.
fn selected(
    args: &Plot,
    path: &Path,
    mut columns: Vec<String>,
    formats: Formats,
) -> Result<(Selection, bool)> {
    let choose = args.choose(columns.clone());
    let (table, names) =
        tables::of_files(&[path.to_owned()], &args.reading, formats, (&choose, Written::Own))?;
    let has_pages = args.image.is_none() && table.schema().position(PAGE).is_some();
    if args.image.is_none() {
        columns = drawn(args, &columns, table.schema())?;
    }
    if has_pages {
        columns.push(PAGE.to_owned());
    }
    let mut selection =
        tables::chosen(table, &args.choose(columns), names).map_err(|e| e.at(path.display()))?;
    selection.table = in_days(selection.table);
    Ok((selection, has_pages))
}

/// Months and years, which have no one length, in days.
fn in_days(table: Arc<dyn Table>) -> Arc<dyn Table> {
    let fields = table.schema().fields.iter().enumerate();
    let units = fields.filter_map(|(column, field)| match field.logical {
        Some(Logical::Timestamp(TimeUnit::Year | TimeUnit::Month)) => Some((column, TimeUnit::Day)),
        _ => None,
    });
    let units: Vec<_> = units.collect();
    recounted(table, &units)
}

/// The columns with what each pattern means: those of numbers that nothing else is drawn of.
fn drawn(args: &Plot, columns: &[String], schema: &TableSchema) -> Result<Vec<String>> {
    let leaves = schema.leaves();
    let varies = |leaf: &Leaf| schema.fields.get(leaf.column).is_some_and(|field| !field.constant);
    let mut all: Vec<String> = Vec::new();
    for (place, word) in columns.iter().enumerate() {
        let is_name = leaves.iter().any(|leaf| leaf.name == *word);
        let mut meant: Vec<&Leaf> = leaves.iter().filter(|leaf| is_meant(word, &leaf.name)).collect();
        // what has one value in a page is a flat line, and drawn if nothing else is meant
        if meant.iter().any(|leaf| varies(leaf)) {
            meant.retain(|leaf| varies(leaf));
        }
        let is_x = args.x.is_some() && place == 0;
        if place > 0 && args.x.as_ref() == Some(word) {
            // it is there once
            continue;
        }
        if is_name || is_x || meant.is_empty() {
            all.push(word.clone());
            continue;
        }
        let numbers = meant.iter().filter(|leaf| leaf.name != PAGE && plot::are_numbers(leaf).is_ok());
        let numbers: Vec<&str> = numbers.map(|leaf| leaf.name.as_str()).collect();
        if numbers.is_empty() {
            return Err(Error::usage(format_args!("no column that `{word}` means has numbers to draw")));
        }
        for name in numbers {
            // a name that is said later is drawn there
            if !all.iter().chain(columns).any(|known| known == name) {
                all.push(name.to_owned());
            }
        }
    }
    Ok(all)
}

/// Lines, points or histograms of all files.
fn series(args: &Plot, paths: &[PathBuf], formats: Formats) -> Result<Figure> {
    let (mut all, mut x, mut y) = (Vec::new(), Title::default(), Title::default());
    let mut is_told = false;
    for path in paths {
        let columns = args.x.iter().chain(&args.y).cloned().collect();
        let (selection, has_pages) = selected(args, path, columns, formats)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let draws_x = args.x.as_ref().is_some_and(|x| args.y.contains(x));
        let wanted = Wanted {
            has_x: args.x.is_some(),
            draws_x,
            has_pages,
            counts: args.has_seconds_below().then_some(TimeUnit::Second),
            times: [x.time, y.time],
        };
        let found = plot::points(&selection, wanted, name.as_deref().filter(|_| paths.len() > 1));
        let (series, across, up) = found.map_err(|e| e.at(path.display()))?;
        let rows = series.iter().map(|series| series.points.len() as u64).sum();
        tables::tell_if_none(&args.choose(Vec::new()), &selection, rows);
        all.extend(series);
        if let Some([name, unit, there]) = x.unlike(&across).or_else(|| y.unlike(&up)) {
            let path = path.display();
            let text =
                format_args!("{path}: column `{name}` is in {there}, and in the files before it in {unit}");
            return Err(Error::usage(text));
        }
        if let Some([name, unit]) = x.one_sided(&across).or_else(|| y.one_sided(&up))
            && !is_told
        {
            is_told = true;
            report::remark(&format!(
                "column `{name}` is in {unit} in one file and has no unit in another: drawn as they are"
            ));
        }
        x.join(across);
        y.join(up);
    }
    let is_log = (matches!(args.log, Some(Axes::X | Axes::Xy)), matches!(args.log, Some(Axes::Y | Axes::Xy)));
    told_of_nothing(&all, args.histogram, is_log);
    let ends =
        (args.x_range.map(|Ends(low, high)| (low, high)), args.y_range.map(|Ends(low, high)| (low, high)));
    for (ends, is_log, name) in [(ends.0, is_log.0, "x"), (ends.1, is_log.1, "y")] {
        if is_log && ends.is_some_and(|(low, _)| low <= 0.0) {
            return Err(Error::usage(format_args!("--{name}-range: a logarithmic axis begins above 0")));
        }
    }
    told_of_beside(&all, args.histogram, ends.into());
    let (x, y, content) = match (args.histogram, args.points) {
        (false, false) => (x, y, Content::Lines(all)),
        (false, true) => (x, y, Content::Points(all)),
        (true, _) => (y, Title::of("count"), Content::Histogram(counted(all, args.bins, is_log.0, ends.0))),
    };
    if is_log.0 && x.time.is_some() {
        let names = x.names.join("`, `");
        return Err(Error::usage(format_args!("--log x: `{names}` has times, and dates have no logarithm")));
    }
    Ok(Figure { title: args.title.clone(), x, y, is_log, ends, size: (args.size.0, args.size.1), content })
}

/// Says so where nothing is drawn, and why.
fn told_of_nothing(all: &[Series], is_histogram: bool, (x_log, y_log): (bool, bool)) {
    let is_there = |x: f64, is_log: bool| x.is_finite() && (!is_log || x > 0.0);
    // the values of a histogram are along the bottom
    let drawn = |(x, y): &(f64, f64), logs: (bool, bool)| match is_histogram {
        true => is_there(*y, logs.0),
        false => is_there(*x, logs.0) && is_there(*y, logs.1),
    };
    let any = |logs| all.iter().any(|series| series.points.iter().any(|point| drawn(point, logs)));
    if !any((false, false)) {
        report::remark("there is nothing to draw: no row has a value");
    } else if !any((x_log, y_log)) {
        report::remark(
            "there is nothing to draw: a logarithmic axis has only numbers above 0, and no row has one",
        );
    }
}

/// Says so where an axis ends before all values, or begins after them.
fn told_of_beside(all: &[Series], is_histogram: bool, ends: [Option<(f64, f64)>; 2]) {
    for (ends, name) in ends.into_iter().zip(["x", "y"]) {
        let of = |(x, y): &(f64, f64)| if name == "x" && !is_histogram { *x } else { *y };
        let values = all.iter().flat_map(|series| &series.points).map(of).filter(|value| value.is_finite());
        let (least, most) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if let Some((low, high)) = ends.filter(|(low, high)| least <= most && (most < *low || *high < least))
        {
            report::remark(&format!(
                "there is nothing to draw: --{name}-range {low}:{high} is beside all values, {least} to {most}"
            ));
        }
    }
}

/// How many values of each are in the same parts.
fn counted(
    all: Vec<Series>,
    bins: Option<u16>,
    is_log: bool,
    ends: Option<(f64, f64)>,
) -> Vec<(String, Bins)> {
    let is_in = |x: &f64| ends.is_none_or(|(low, high)| low <= *x && *x <= high);
    let values = |series: &Series| series.points.iter().map(|point| point.1).filter(is_in).collect();
    let values: Vec<Vec<f64>> = all.iter().map(values).collect();
    let bins = Bins::of(&values, bins.map(usize::from), is_log);
    all.into_iter().map(|series| series.label).zip(bins).collect()
}

fn image(args: &Plot, column: &str, paths: &[PathBuf], formats: Formats) -> Result<Figure> {
    let ([path], true) = (paths, args.y.len() == usize::from(args.x.is_some())) else {
        return Err(Error::usage(
            "--image draws one file, with --x and --y where each number is, or without both",
        ));
    };
    let columns = args.x.iter().chain(&args.y).cloned().chain([column.to_owned()]).collect();
    let (selection, _) = selected(args, path, columns, formats)?;
    let (grid, titles) = plot::image(&selection).map_err(|e| e.at(path.display()))?;
    let (x, y, z) = match <[Title; 3]>::try_from(titles) {
        Ok([x, y, z]) => (x, y, z),
        Err(titles) => {
            (Title::of("column"), Title::of("row"), titles.into_iter().next_back().unwrap_or_default())
        }
    };
    let content = Content::Image(grid, z);
    let (title, size) = (args.title.clone(), (args.size.0, args.size.1));
    Ok(Figure { title, x, y, is_log: (false, false), ends: (None, None), size, content })
}
