//! `binfmt cat`: the data.

use super::follow::{self, Out};
use super::tables;
use crate::args::{Cat, Form};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Format, Job, Selection};
use crate::json::JsonWriter;
use crate::pick::Pick;
use crate::table::{self, Csv, Markdown, People, Plain, Tables};
use crate::terminal::Screen;
use crate::{output, paths, style};
use binfmt::table::plain;
use std::io::Write;
use std::path::PathBuf;

pub(crate) fn run(args: &Cat, formats: Formats) -> Result<()> {
    let on_terminal = style::is_terminal();
    let paths = paths::meant(&args.paths)?;
    if args.follow {
        return follow(args, on_terminal, &paths, formats);
    }
    let path = match &paths[..] {
        [path] if !tables::asks_for_name(path, &args.reading, formats, &args.choose) => path,
        _ => return several(args, on_terminal, &paths, formats),
    };
    let (format, mut job) = super::open::open(path, &args.reading, formats, !on_terminal)?;
    if args.choose.pages.is_some() && !format.facts().has_pages {
        return Err(Error::usage(format_args!(
            "--pages means nothing for {}: it has no pages",
            format.facts().one()
        )));
    }
    let pick = args.choose.pick();
    let mut out = output::stdout();
    let is_of_a_table = match args.form.csv {
        true => args.choose.is_of_one_table(format.facts().has_pages_of_rows()),
        false => args.choose.is_of_a_table(),
    };
    let done = match is_of_a_table {
        true => tables::of_job(format, &mut job, &args.choose)
            .and_then(|selection| chosen(args, on_terminal, &selection, &mut out))
            .map(|rows| (1, rows)),
        false => write(args, on_terminal, format, &mut job, &pick, &mut out),
    };
    // what was read before the damage is shown before the message about it
    let flushed = out.flush().map_err(Error::output);
    let found = done.map_err(|e| job.input.blamed(e)).and_then(|found| flushed.map(|()| found))?;
    tables::tell_if_none_of_job(&args.choose, format, &mut job, found);
    Ok(())
}

/// The rows of a file, and those that come.
fn follow(args: &Cat, on_terminal: bool, paths: &[PathBuf], formats: Formats) -> Result<()> {
    let [path] = paths else { return Err(Error::usage("--follow is for one file")) };
    let mut out = output::stdout();
    // a table for people is laid out when all rows are known
    let form = match args.form {
        Form { jsonl: true, .. } => Out::Lines(&mut out),
        Form { csv: true, .. } => Out::Table(form(args, on_terminal, &mut out)),
        _ => Out::Table(Box::new(Plain::new(&mut out, !args.no_header))),
    };
    follow::run(args, path, formats, form)
}

/// The rows of several files, as one table.
fn several(args: &Cat, on_terminal: bool, paths: &[PathBuf], formats: Formats) -> Result<()> {
    let read = (&args.choose, tables::written(&args.choose));
    let (table, names) = tables::of_files(paths, &args.reading, formats, read)?;
    let selection = tables::chosen(table, &args.choose, names)?;
    let mut out = output::stdout();
    let done = chosen(args, on_terminal, &selection, &mut out);
    let flushed = out.flush().map_err(Error::output);
    let rows = done.and_then(|rows| flushed.map(|()| rows))?;
    tables::tell_if_none(&args.choose, &selection, rows);
    Ok(())
}

/// Writes rows that were chosen from a table, and tells how many there are.
fn chosen(args: &Cat, on_terminal: bool, selection: &Selection, out: &mut dyn Write) -> Result<u64> {
    if args.form.json {
        return Err(Error::usage(
            "--json prints what one file contains, not some of its rows or several files",
        )
        .tip("--jsonl prints a JSON object for each row"));
    }
    match args.form.jsonl {
        true => selection.lines(out),
        false => selection.show(&mut *form(args, on_terminal, out)),
    }
}

/// Writes what was asked for, and tells how many pages and rows there were, or items that are both.
fn write(
    args: &Cat,
    on_terminal: bool,
    format: &dyn Format,
    job: &mut Job<'_>,
    pick: &Pick,
    out: &mut dyn Write,
) -> Result<(u64, u64)> {
    if args.form.json {
        let mut json = JsonWriter::new(out);
        format.json(job, pick, &mut json).inspect_err(|e| json.break_off(e))?;
        return Ok((json.num_items(), json.num_items()));
    }
    if args.form.jsonl {
        (job.pages, job.asked) = (args.choose.pages.clone(), args.choose.asked());
        let table = plain(format.table(job)?, &[]);
        let rows = Selection::kept(table, pick, format.facts().shows)?.lines(out)?;
        return Ok((1, rows));
    }
    if args.form == Form::default() && format.facts().has_text {
        let mut counted = output::Counted::new(out);
        match on_terminal {
            true => text_on_screen(format, job, pick, &mut counted)?,
            false => format.text(job, pick, &mut counted)?,
        }
        return Ok((counted.bytes, counted.bytes));
    }
    let mut form = form(args, on_terminal, out);
    let mut counted = table::Counted::new(&mut *form);
    format.tables(job, pick, &mut counted)?;
    Ok((counted.tables, counted.rows))
}

/// How tables are shown.
fn form<'a>(args: &Cat, on_terminal: bool, out: &'a mut dyn Write) -> Box<dyn Tables + 'a> {
    let header = !args.no_header;
    let Form { csv, markdown, table, tsv, .. } = args.form;
    if csv {
        Box::new(Csv::new(out, header).tame(on_terminal))
    } else if markdown {
        Box::new(Markdown::new(out))
    } else if table || (on_terminal && !tsv) {
        // who asks for the table itself has all of it
        let width = if table { None } else { style::width() };
        Box::new(People::new(out, header, style::on_stdout()).fitted(width))
    } else {
        Box::new(Plain::new(out, header))
    }
}

/// The text form of a format may be anything, also bytes.
fn text_on_screen(format: &dyn Format, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Write) -> Result<()> {
    let mut screen = Screen::new(out);
    let done = format.text(job, pick, &mut screen);
    done.and(screen.flush().map_err(Error::output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, parse};
    use std::path::Path;

    fn file(name: &str, bytes: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("binfmt-cat-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn cat(path: &Path, words: &[&str]) -> Result<String> {
        let line = ["binfmt", "cat", path.to_str().unwrap()];
        let formats = Formats(crate::formats::ALL);
        let words: Vec<_> = line.iter().chain(words).map(Into::into).collect();
        let cli = parse(&words, formats).unwrap();
        let Command::Cat(args) = cli.command else { unreachable!("it is cat") };
        let (format, mut job) = crate::commands::open::open(&args.paths[0], &args.reading, formats, false)?;
        let pick = Pick { pages: args.choose.pages.clone(), ..Pick::ALL };
        let mut out = Vec::new();
        write(&args, false, format, &mut job, &pick, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_format_with_pages_is_recognised_and_shown() {
        let path = file("pages", b"SMPL\x02\x01\x02\x01\x63");
        assert_eq!(cat(&path, &[]).unwrap(), "# page 0\nv\n1\n2\n# page 1\nv\n99\n");
        assert_eq!(cat(&path, &["--table", "--pages", "1.."]).unwrap(), "page 1\n v\n99\n");
        assert_eq!(cat(&path, &["--csv", "--no-header"]).unwrap(), "1\n2\n99\n");
        let json = "{\"format\":\"sample\",\"pages\":[\n[1,2],\n[99]\n]}\n";
        assert_eq!(cat(&path, &["--json"]).unwrap(), json);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn csv_does_not_drive_a_terminal() {
        use crate::table::{Column, Head, Tables};
        let mut out = Vec::new();
        let column = Column::new("\x1b[31m", false);
        let head = Head { columns: vec![column], ..Head::default() };
        let mut screen = Csv::new(&mut out, true).tame(true);
        screen.begin(&head).and_then(|()| screen.end()).unwrap();
        let mut pipe = Csv::new(&mut out, true);
        pipe.begin(&head).and_then(|()| pipe.end()).unwrap();
        assert_eq!(out, b"\\x1b[31m\n\x1b[31m\n");
    }

    #[test]
    fn an_option_of_another_format_is_refused() {
        let path = file("options", b"SMPL");
        assert_eq!(cat(&path, &["--sample-key", "k"]).unwrap(), "");
        let e = cat(&path, &["--strict"]).unwrap_err();
        assert_eq!(
            (e.status(), e.message().unwrap().text.as_str()),
            (2, "--strict means nothing for a sample file")
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_of_no_format_is_told_so() {
        let path = file("unknown", b"????");
        let e = cat(&path, &[]).unwrap_err();
        assert_eq!(e.status(), 2);
        assert!(e.message().unwrap().tip.as_ref().unwrap().contains("--format scidb"));
        std::fs::write(&path, b" {\"format\": 1}").unwrap();
        let e = cat(&path, &[]).unwrap_err();
        assert!(e.message().unwrap().tip.as_ref().unwrap().contains("convert"));
        std::fs::remove_file(path).unwrap();
    }
}
