//! Arrays, written: a new folder, fragment by fragment.

use super::fragment::{alone, each_column, each_coords, is_dense, region};
use super::open::{failure, is_encrypted, key, open, open_options};
use super::options::Options;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::output::{Gated, NewFolder, Target};
use binfmt::ErrorKind;
use binfmt::formats::tiledb::{
    self, Array, ArraySchema, Column, FragmentContent, FragmentName, Layout, NumberType, Numbers,
};
use std::{fs, io};

/// What is counted.
pub(super) const FRAGMENTS: (&str, &str) = ("fragment", "fragments");

/// An array that is being written. Without [`Writer::finish`] there is none.
#[derive(Debug)]
pub(super) struct Writer {
    folder: NewFolder,
    array: Array<Gated>,
    /// Of the fragments.
    names: Vec<FragmentName>,
    tally: Tally,
}

impl Writer {
    /// A new array, encrypted where it must be, or where `--key` was said.
    pub(super) fn new(schema: ArraySchema, encrypted: bool, options: &Options, out: &Target) -> Result<Self> {
        // a key from the environment may be meant for another array
        let key = if encrypted || options.key.is_on_command_line() { key(options)? } else { None };
        let open = match key {
            Some(key) => tiledb::Options::new().key(key).threads(options.threads()),
            None if encrypted => {
                return Err(Error::data("the document is that of an encrypted array: a key is needed")
                    .tip("say --key, or take \"encrypted\" out of the document to write it unencrypted"));
            }
            None => tiledb::Options::new().threads(options.threads()),
        };
        let folder = out.create_folder()?;
        let array = open.create(folder.files(), schema);
        let array = array.map_err(|e| unwritten(&e, failure))?;
        Ok(Writer { folder, array, names: Vec::new(), tally: Tally { count: 0, unit: FRAGMENTS, bytes: 0 } })
    }

    /// Writes a fragment; leaves out one without cells, which TileDB does not write either.
    pub(super) fn write(&mut self, content: FragmentContent) -> Result<()> {
        let number = self.tally.count;
        if content.coords.as_ref().is_some_and(|coords| coords.iter().all(|values| values.is_empty())) {
            let name = content.name.unwrap_or_else(|| format!("fragments[{number}]"));
            crate::report::remark(&format!("{name} has no cells: left out"));
            return Ok(());
        }
        let wrong = |text: String| Error::data(format_args!("fragments[{number}]: {text}"));
        let name =
            content.name.as_deref().map(|name| known(name, content.times)).transpose().map_err(wrong)?;
        let times = name.as_ref().map(FragmentName::timestamps).or(content.times.map(|[a, b]| (a, b)));
        let mut insert = self.array.insert().order(content.order.unwrap_or(Layout::RowMajor));
        if let Some((first, _)) = times {
            insert = insert.at(first);
        }
        for (i, span) in content.region.iter().flatten().enumerate() {
            insert = insert.range_of(i, *span);
        }
        if let Some(coords) = content.coords {
            insert = insert.coords(coords);
        }
        for (attribute, column) in content.columns {
            insert = insert.column(attribute, column);
        }
        let written = insert.write().map_err(|e| unwritten(&e, |e| wrong(e.kind().to_string())))?;
        let kept = match (name, times) {
            (Some(name), _) => Some(name.to_string()),
            (None, Some((first, last))) if first != last => {
                let id = written.as_str().rsplit('_').next().unwrap_or_default();
                Some(format!("__{first}_{last}_{id}"))
            }
            _ => None,
        };
        self.names.extend(match &kept {
            Some(kept) => FragmentName::parse(kept),
            None => Some(written.clone()),
        });
        if let Some(kept) = kept {
            let (from, to) = (self.folder.path().join(written.as_str()), self.folder.path().join(&kept));
            if to.exists() {
                return Err(wrong(format!("a second fragment {kept}")));
            }
            // a fragment's name is nowhere but in the name of its folder
            fs::rename(from, to).map_err(Error::output)?;
        }
        self.tally.count += 1;
        Ok(())
    }

    /// The array takes its place. Fragments that another one hides would be lost.
    pub(super) fn finish(self) -> Result<Tally> {
        let hidden = self.names.iter().find(|name| self.names.iter().any(|other| other.hides(name)));
        if let Some(name) = hidden {
            let text =
                format!("{name} would never be seen: a consolidated fragment replaces those of its times");
            return Err(Error::data(text));
        }
        self.folder.commit()?;
        Ok(self.tally)
    }
}

/// What went wrong when files were written: the file system is the output's, everything else is the data's.
fn unwritten(e: &binfmt::Error, of_data: impl FnOnce(&binfmt::Error) -> Error) -> Error {
    match e.kind() {
        ErrorKind::Io(io) => Error::output(io::Error::new(io.kind(), io.to_string())),
        _ => of_data(e),
    }
}

/// A fragment's name that both TileDB 1.6 and later ones understand.
fn known(name: &str, times: Option<[u64; 2]>) -> Result<FragmentName, String> {
    let wrong = || format!("{name:?} is not the name of a fragment: __FIRST_LAST_ and 32 hexadecimal digits");
    let parsed = FragmentName::parse(name).ok_or_else(wrong)?;
    let id = name.split('_').nth(4).unwrap_or_default();
    if id.len() != 32 || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(wrong());
    }
    match times {
        Some([first, last]) if (first, last) != parsed.timestamps() => {
            Err(format!("{name:?} and \"timestamps\" name other times"))
        }
        _ => Ok(parsed),
    }
}

/// Writes the array again: every fragment with its name and its cells. The second options are about what is written.
pub(super) fn rewrite(
    (options, of_output): (&Options, &Options),
    job: &mut Job<'_>,
    out: &Target,
) -> Result<Tally> {
    if options.chooses_cells() {
        return Err(Error::usage("an array is written again as a whole, without --subarray and --order")
            .tip("a part can be written as JSON, and the JSON as an array"));
    }
    let array = open(options, job)?;
    let open = open_options(array.storage(), options, job)?;
    let schema = array.schema().clone();
    let encrypted = is_encrypted(array.storage());
    let mut writer = Writer::new(schema.clone(), encrypted, of_output, out)?;
    for fragment in array.fragments() {
        let only = alone(array.storage(), fragment.name().as_str(), &open)?;
        let mut content =
            FragmentContent { name: Some(fragment.name().to_string()), ..FragmentContent::default() };
        if is_dense(&schema, fragment) {
            content.region = Some(region(fragment));
        } else {
            let kind = schema.domain.datatype.number_type().unwrap_or(NumberType::U8);
            let mut all = vec![Numbers::new(kind); schema.domain.dimensions.len()];
            each_coords(&only, |coords| {
                all.iter_mut().zip(coords).for_each(|(all, values)| _ = all.append(values));
                Ok(())
            })?;
            content.coords = Some(all);
        }
        for (a, attribute) in schema.attributes.iter().enumerate() {
            let mut whole: Option<Column> = None;
            each_column(&only, a, |column| {
                match &mut whole {
                    Some(whole) => _ = whole.append(column),
                    None => whole = Some(column.clone()),
                }
                Ok(())
            })?;
            content.columns.extend(whole.map(|column| (attribute.name.clone(), column)));
        }
        writer.write(content)?;
    }
    writer.finish()
}
