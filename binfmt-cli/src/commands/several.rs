//! Several files that become one.

use super::spared::named_truly;
use super::{open, tables};
use crate::args::Convert;
use crate::error::{Error, Result};
use crate::find::{Formats, Target};
use crate::output;
use crate::report::remark;
use crate::table::Csv;
use crate::tabular::PAGE;
use binfmt::table::jsonl::JsonLines;
use binfmt::table::{Settings, plain};
use std::path::PathBuf;
use std::sync::Arc;

/// The column with the names of the files, as it is written.
const FILE: &str = "file";

/// Writes their rows, one file after the other; pages stay apart.
pub(super) fn run(args: &Convert, paths: &[PathBuf], formats: Formats) -> Result<()> {
    let named = args.to.as_deref().or_else(|| formats.aimed(&args.reading.settings));
    let Some(first) = paths.first() else { return Err(Error::usage("no file is named")) };
    let out = output::Target::new(&args.output);
    let said = formats.target(first, &args.output, named)?;
    let mut target = said;
    let mut tables = Vec::new();
    for path in paths {
        let to = target.map_or(&[][..], Target::settings);
        let (format, mut job) = open::beside(path, &args.reading, formats, to)?;
        let target = *target.get_or_insert_with(|| formats.same(format));
        let (takes, written) = match target {
            Target::Format(to) => (to.facts().takes, Some(to.facts().name)),
            _ => (&[][..], None),
        };
        (job.pages, job.asked, job.to) = (args.choose.pages(), args.choose.asked(), written);
        let table = format.table(&mut job).map_err(|e| job.input.blamed(e))?;
        tables.push((job.input.name(), plain(table, takes)));
    }
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    let all = tables::together(tables, &args.choose.asked())?;
    let all = all.numbered_on(PAGE).map_err(|e| crate::tabular::failure_in(&names, &e))?;
    let target = target.unwrap_or(Target::Csv);
    let kept = match target {
        Target::Format(to) => [to.facts().keeps, &[tables::FILE]].concat(),
        _ => vec![tables::FILE],
    };
    named_truly(args, target)?;
    let mut selection = tables::kept(Arc::new(all), &args.choose, names, &kept)?;
    for leaf in selection.leaves.iter_mut().filter(|leaf| leaf.name == tables::FILE) {
        leaf.name = FILE.to_owned();
    }
    match target {
        Target::Format(to) if to.facts().takes_tables => {
            selection.write(to, &args.reading.settings, &out).map(|_| ())
        }
        Target::JsonLines => selection.write_as(&JsonLines, &Settings::new(), &out).map(|_| ()),
        Target::Csv => {
            let is_tabs = args.to.as_deref() == Some("tsv") || out.name().to_lowercase().ends_with(".tsv");
            let mut csv = Csv::new(out.create()?, true).delimiter(if is_tabs { b'\t' } else { b',' });
            selection.show(&mut csv)?;
            let remarks = csv.remarks();
            csv.into_inner()?.finish()?;
            remarks.iter().chain(&selection.left_out()).for_each(|text| remark(text));
            Ok(())
        }
        other => Err(Error::usage(format_args!("several files cannot be written as {}", other.what()))
            .tip("they can be written as CSV, JSON lines, and in formats of tables")),
    }
    .map_err(|e| e.writing(out.name()))
}
