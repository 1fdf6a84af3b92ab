//! `binfmt convert`: the same data in another form.

use super::document::from_json;
use super::npz;
use super::several;
use super::spared::{named_truly, not_last_of_several, spared};
use super::tables;
use crate::args::{Choose, Convert};
use crate::error::{Error, Result};
use crate::find::{self, Formats, Target};
use crate::format::{Format, Job, Jobs, Kept, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output;
use crate::paths;
use crate::report::remark;
use crate::settings::{Sides, with_those_of_output};
use crate::table::{self, Csv, Tables};
use crate::target::delimiter;
use binfmt::table::jsonl::JsonLines;
use std::io::Write;

pub(crate) fn run(args: &Convert, formats: Formats) -> Result<()> {
    let paths = paths::meant(&args.inputs)?;
    paths.iter().try_for_each(|path| spared(path, &args.output, &args.reading, args.force))?;
    not_last_of_several(args)?;
    let path = match paths.as_slice() {
        [path] if !tables::asks_for_name(path, &args.reading, formats, &args.choose) => path,
        _ => return several::run(args, &paths, formats),
    };
    let mut input = Input::open(path, args.reading.limits, formats.recogniser())?.with_progress(true);
    let name = input.name();
    let named = args.to.as_deref().or_else(|| formats.aimed(&args.reading.settings));
    let target = formats.target(path, &args.output, named)?;
    let out = output::Target::new(&args.output);
    let done = if find::is_json(&mut input, args.reading.format.as_deref())? {
        from_json(args, Source::new(input, args.reading.limits)?, formats, target, &out)
    } else {
        from_binary(args, input, formats, target, &out)
    };
    done.map_err(|e| e.at(name).writing(out.name()))
}

fn from_binary(
    args: &Convert,
    mut input: Input,
    formats: Formats,
    target: Option<Target>,
    out: &output::Target,
) -> Result<()> {
    let named = args.reading.format.as_deref();
    let is_aimed = formats.aimed(&args.reading.settings).is_some();
    let implied = named.filter(|_| args.reading.is_implied && !is_aimed);
    let is_target = |name: &str| matches!(target, Some(Target::Format(to)) if to.facts().name == name);
    // --layout may be that of the file that is written
    let before = implied.and_then(|name| formats.before(&mut input, name, is_target(name)));
    let other = before.and(implied).and_then(|name| formats.by_name(name));
    let format = before.map_or_else(|| formats.of(&mut input, named), Ok)?;
    let settings = &args.reading.settings;
    let is_said = target.is_some();
    let target = target.unwrap_or_else(|| formats.same(other.unwrap_or(format)));
    let of_output = target.settings();
    let known = [format.facts().settings, &with_those_of_output(of_output)].concat();
    let title = match target {
        Target::Format(other) if other.facts().name == format.facts().name => format.facts().title.to_owned(),
        target => format!("{} that is written as {}", format.facts().title, target.what()),
    };
    settings.check_for(&known, &title).map_err(|e| match is_said {
        true => e,
        false => e.tip("--to says what is written, if the ending of the file does not"),
    })?;
    let written = match target {
        Target::Format(to) => Some(to.facts().name),
        _ => None,
    };
    let is_named = named.is_some() && before.is_none();
    let Sides { read, written: said } =
        settings.sides(format.facts().settings, of_output, target.how(format, is_named))?;
    let mut job = Job {
        input,
        settings: &read,
        out: &said,
        limits: args.reading.limits,
        pages: args.choose.pages.clone(),
        asked: args.choose.asked(),
        written: tables::written(&args.choose),
        to: written,
        end: None,
    };
    named_truly(args, target)?;
    if !is_said && find::is_text_under_another_name(job.input.path(), &args.output) {
        let what = target.what();
        remark(&format!(
            "{}: its name does not say what is written: it is {what}, as the input is",
            out.name()
        ));
    }
    if args.choose.pages.is_some() && !format.facts().has_pages {
        let one = format.facts().one();
        return Err(Error::usage(format_args!("--pages means nothing for {one}: it has no pages")));
    }
    let done = write(format, &mut job, args, target, out);
    let found = done.map_err(|e| job.input.blamed(typed(e, format)))?;
    tables::tell_if_none_of_job(&args.choose, format, &mut job, found);
    Ok(())
}

/// An error of a text that was to be something else; in a file whose types are read from its values, they can be said.
fn typed(e: Error, format: &dyn Format) -> Error {
    let text = e.message().map(|message| message.text.clone()).unwrap_or_default();
    let column = text.split('`').nth(1).filter(|_| text.contains("` is text"));
    let has_types =
        format.facts().settings.iter().any(|setting| setting.name == "types" && setting.value.is_some());
    match column.filter(|_| has_types && text.contains(", which cannot be written as ")) {
        Some(column) => e.tip(format_args!(
            "--types says what the texts of the file are, such as '{column}:time[s]', {column}:f64 or '{column}:[f64]'"
        )),
        None => e,
    }
}

/// Writes the file, and tells how many pages and rows there were, or items that are both.
fn write(
    format: &dyn Format,
    job: &mut Job<'_>,
    args: &Convert,
    target: Target,
    out: &output::Target,
) -> Result<(u64, u64)> {
    let choose = &args.choose;
    let pick = choose.pick();
    match target {
        Target::Json if choose.is_of_a_table() => Err(Error::usage(
            "a JSON document has what one file contains, not rows that are chosen from its end or by --where",
        )
        .tip("JSON lines have them: name the file .jsonl")),
        Target::Json => {
            let mut file = out.create()?;
            let mut json = JsonWriter::new(&mut file as &mut dyn Write);
            // a file that is not complete does not appear; what went to standard output is there
            let done = match pick.is_all() {
                true => format.document(job, &mut json),
                false => format.json(job, &pick, &mut json),
            };
            done.inspect_err(|e| json.break_off(e))?;
            let found = json.num_items();
            file.finish().map(|()| (found, found))
        }
        Target::JsonLines => {
            let selection = tables::of_job(format, job, choose)?;
            let written = selection.write_as(&JsonLines, &binfmt::table::Settings::new(), out)?;
            Ok((1, written.count))
        }
        Target::Npz => npz::write(format, job, choose, out),
        Target::Csv => csv(format, job, choose, delimiter(args.to.as_deref(), &out.name(), job.out)?, out),
        Target::Format(other) if is_copy(format, args, other) => {
            format.rewrite(job, out).map(|tally| (tally.count, tally.count))
        }
        Target::Format(other) if other.facts().takes_tables => {
            is_read(format, job, other)?;
            if other.facts().name == format.facts().name
                && let Some(tally) = chosen_again(format, job, choose, out)?
            {
                return Ok((tally.count, tally.count));
            }
            let mut selection = tables::for_format(format, job, choose, other)?;
            if other.facts().takes_records && choose.columns.is_none() && choose.rename.is_empty() {
                selection = selection.with_records(other.facts().takes_all);
            }
            let written = selection.write(other, job.out, out)?;
            Ok((1, written.count))
        }
        Target::Format(other) if other.facts().name == format.facts().name => Err(Error::usage(
            "--columns, --rows, --where and the like choose what is written as JSON, CSV or NPY",
        )),
        Target::Format(other) => Err(unlike(format, other)),
    }
}

/// Refuses options about another file than the one that is read.
fn is_read(format: &dyn Format, job: &Job<'_>, other: &dyn Format) -> Result<()> {
    let (of, facts) = (format.facts(), other.facts());
    let is_own = of.name == facts.name;
    let given = facts.reads.iter().find(|name| !is_own && job.settings.has(name));
    let Some(name) = given else { return Ok(()) };
    let told = Error::usage(format_args!(
        "--{name} is about {} that is read, and this is {}",
        facts.one(),
        of.one()
    ));
    Err(match facts.settings.iter().find(|setting| setting.name == format!("as-{name}")) {
        Some(other) => told.tip(format_args!("--{} is about the file that is written", other.name)),
        None => told,
    })
}

/// Writes a file of the same format, where that has more than a table of it.
fn chosen_again(
    format: &dyn Format,
    job: &mut Job<'_>,
    choose: &Choose,
    out: &output::Target,
) -> Result<Option<Tally>> {
    let rows = |job: &mut Job<'_>, rename: Vec<String>| {
        tables::for_format(format, job, &Choose { rename, ..choose.clone() }, format)
    };
    let kept = Kept {
        settings: job.settings,
        pages: choose.pages.as_ref(),
        columns: choose.columns.as_deref().unwrap_or_default(),
        rename: &choose.rename,
        selects_rows: choose.condition.is_some() || choose.rows.is_some() || choose.sample.is_some(),
        condition: choose.condition.as_deref().filter(|_| choose.rows.is_none() && choose.sample.is_none()),
        num_times: choose.dates.len(),
        file: None,
        of_all: None,
        rows: &rows,
    };
    format.rewrite_chosen(&mut Jobs::One(job), &kept, out)
}

/// Whether the whole file becomes one of the same format, with the same table.
fn is_copy(format: &dyn Format, args: &Convert, other: &dyn Format) -> bool {
    let is_remade = other.facts().remakes.iter().any(|name| args.reading.settings.has(name));
    other.facts().name == format.facts().name && !args.choose.is_some() && !is_remade
}

/// Writes comma-separated values, or with another separator.
fn csv(
    format: &dyn Format,
    job: &mut Job<'_>,
    choose: &Choose,
    delimiter: u8,
    out: &output::Target,
) -> Result<(u64, u64)> {
    let mut csv = Csv::new(out.create()?, true).delimiter(delimiter);
    let found = match choose.is_of_one_table(format.facts().has_pages_of_rows()) {
        true => {
            let selection = tables::of_job(format, job, choose)?;
            let rows = selection.show(&mut csv)?;
            selection.left_out().into_iter().chain(selection.merged()).for_each(|text| csv.leaves_out(text));
            (1, rows)
        }
        false => {
            let mut counted = table::Counted::new(&mut csv);
            format.tables(job, &choose.pick(), &mut counted)?;
            (counted.tables, counted.rows)
        }
    };
    let remarks = csv.remarks();
    csv.into_inner()?.finish()?;
    remarks.iter().for_each(|text| remark(text));
    Ok(found)
}

fn unlike(from: &dyn Format, to: &dyn Format) -> Error {
    Error::usage(format_args!("{} cannot be written as {}", from.facts().one(), to.facts().one()))
        .tip("it can be written as JSON, CSV or NPY")
}
