//! `binfmt cat`: the data.

use crate::args::{Cat, Form};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Format, Job, Selection};
use crate::json::JsonWriter;
use crate::pick::Pick;
use crate::table::{self, Csv, Markdown, People, Plain, Tables};
use crate::terminal::Screen;
use crate::{output, style};
use std::io::Write;

pub(crate) fn run(args: &Cat, formats: Formats) -> Result<()> {
    let on_terminal = style::is_terminal();
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, !on_terminal)?;
    if args.pages.is_some() && !format.facts().has_pages {
        return Err(Error::usage(format_args!(
            "--pages means nothing for a {}: it has no pages",
            format.facts().title
        )));
    }
    let pick = Pick {
        columns: args.columns.clone(),
        rows: args.rows.unwrap_or(crate::span::Span::ALL),
        pages: args.pages,
    };
    let mut out = output::stdout();
    let done = write(args, on_terminal, format, &mut job, &pick, &mut out);
    // what was read before the damage is shown before the message about it
    let flushed = out.flush().map_err(Error::output);
    let (pages, rows) = done.map_err(|e| job.input.blamed(e)).and_then(|found| flushed.map(|()| found))?;
    if let Some(text) = pick.in_vain(pages, rows) {
        crate::report::remark(&format!("{}: {text}", job.input.name()));
    }
    Ok(())
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
    let form = args.form;
    let header = !args.no_header;
    if form.json {
        let mut json = JsonWriter::new(out);
        format.json(job, pick, &mut json).inspect_err(|e| json.break_off(e))?;
        return Ok((json.num_items(), json.num_items()));
    }
    if form.jsonl {
        let rows = Selection::of(format.table(job)?, pick)?.lines(out)?;
        return Ok((1, rows));
    }
    if form == Form::default() && format.facts().has_text {
        let mut counted = output::Counted::new(out);
        match on_terminal {
            true => text_on_screen(format, job, pick, &mut counted)?,
            false => format.text(job, pick, &mut counted)?,
        }
        return Ok((counted.bytes, counted.bytes));
    }
    let mut form: Box<dyn Tables + '_> = if form.csv {
        Box::new(Csv::new(out, header).tame(on_terminal))
    } else if form.markdown {
        Box::new(Markdown::new(out))
    } else if form.table || (on_terminal && !form.tsv) {
        Box::new(People::new(out, header, style::on_stdout()))
    } else {
        Box::new(Plain::new(out, header))
    };
    let mut counted = table::Counted::new(&mut *form);
    format.tables(job, pick, &mut counted)?;
    Ok((counted.tables, counted.rows))
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
    use std::path::{Path, PathBuf};

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
        let (format, mut job) = crate::commands::open::open(&args.path, &args.reading, formats, false)?;
        let pick = Pick { pages: args.pages, ..Pick::ALL };
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
        let column = Column { name: "\x1b[31m".into(), is_number: false };
        let head = Head { columns: vec![column], ..Head::default() };
        Csv::new(&mut out, true).tame(true).begin(&head).unwrap();
        Csv::new(&mut out, true).begin(&head).unwrap();
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
