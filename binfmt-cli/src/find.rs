//! Which format a file has, and which form is to be written.

use crate::error::{Error, Result};
use crate::format::Format;
use crate::input::Input;
use crate::probe::{Probe, Recogniser};
use crate::resembles;
use crate::settings::Settings;
pub(crate) use crate::target::Target;
use std::path::Path;

/// The formats that the command knows, in the order in which files are tried and help names them.
#[derive(Clone, Copy)]
pub(crate) struct Formats(pub(crate) &'static [&'static dyn Format]);

impl Formats {
    /// Each of them.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static dyn Format> {
        self.0.iter().copied()
    }

    /// The names of all formats.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|format| format.facts().name)
    }

    /// The names of those in which `make` writes random data.
    pub(crate) fn makers(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|format| format.facts().makes).map(|format| format.facts().name)
    }

    /// The names of all that `convert` can write.
    pub(crate) fn targets(self) -> impl Iterator<Item = &'static str> {
        let forms = || FORMS.iter().map(|(name, _)| *name);
        let others = NAMED_TOO.iter().map(|(_, other)| *other);
        self.names().filter(move |name| forms().all(|form| form != *name)).chain(forms()).chain(others)
    }

    /// The format of this name.
    pub(crate) fn by_name(self, name: &str) -> Option<&'static dyn Format> {
        self.0.iter().find(|format| format.facts().name == name).copied()
    }

    /// The name of the format that one of the options implies.
    pub(crate) fn implied(self, settings: &Settings) -> Option<&'static str> {
        let facts = self.iter().map(Format::facts);
        facts
            .filter(|facts| facts.implied_by.is_some_and(|option| settings.has(option)))
            .map(|facts| facts.name)
            .next()
    }

    /// The name of the format in which a file is written, as one of the options says.
    pub(crate) fn aimed(self, settings: &Settings) -> Option<&'static str> {
        self.iter().map(Format::facts).find(|facts| facts.is_aimed(settings)).map(|facts| facts.name)
    }

    /// Whether the option says that a file is of that format.
    pub(crate) fn tells(self, format: &str, option: &str) -> bool {
        let facts = self.by_name(format).map(Format::facts);
        facts.is_some_and(|facts| [facts.implied_by, facts.aimed_by].contains(&Some(option)))
    }

    /// What to say of a file that lies beside another one and is read with it, and whether that one is there.
    pub(crate) fn beside(self, path: &Path) -> Option<(String, bool)> {
        let whole = self.iter().find_map(|format| Some((format.whole_of(path)?, format.facts().one())));
        let ((what, file), of) = whole?;
        let (is_there, file) = (file.is_file(), file.display());
        let text = match is_there {
            true => format!("it is {what} of {of}, and is read with {file}"),
            false => format!("it is {what} of {of}, {file}, which is not there"),
        };
        Some((text, is_there))
    }

    /// The format of a file: the one that was named, or the one that its first bytes tell.
    pub(crate) fn of(self, input: &mut Input, named: Option<&str>) -> Result<&'static dyn Format> {
        // a stream whose format is said is not waited for
        if named.is_none() || input.len().is_some() {
            whole(input)?;
        }
        if let Some(format) = named.and_then(|name| self.by_name(name)) {
            return Ok(format);
        }
        let (path, is_directory) = (input.path().to_owned(), input.is_directory());
        let head = input.head(Probe::BYTES)?;
        let probe = Probe { head, path: &path, is_directory };
        if let Some(format) = self.0.iter().find(|format| format.detect(&probe)) {
            return Ok(*format);
        }
        if let Some((text, _)) = self.beside(&path).filter(|_| !is_directory) {
            return Err(Error::usage(format_args!("{}: {text}", input.name())));
        }
        if resembles::is_array_of_objects(head) {
            let text = format_args!("{}: it is a JSON array", input.name());
            return Err(Error::usage(text).tip(resembles::LINES_OF_ARRAY));
        }
        let is_json = looks_like_json(head);
        let what = if is_directory { "folder" } else { "file" };
        if head.is_empty() && !is_directory {
            return Err(Error::usage(format_args!("{}: the file is empty", input.name()))
                .tip("--format says of which format an empty file is"));
        }
        let likeness = resembles::what(head).filter(|_| !is_json);
        let likeness = likeness.map(|what| format!("; it begins like {what}")).unwrap_or_default();
        let error =
            Error::usage(format_args!("{}: cannot tell the format of this {what}{likeness}", input.name()));
        Err(if is_directory {
            error.tips(self.0.iter().filter_map(|format| format.facts().undetected_folder))
        } else if is_json {
            error.tip(
                "it looks like JSON: binfmt convert writes the binary file that a JSON document describes",
            )
        } else {
            let tips = self.0.iter().filter_map(|format| format.facts().undetected);
            error.tips(tips.chain([
                "whatever it is, binfmt dump shows its bytes, and binfmt find --bytes looks for some",
            ]))
        })
    }

    /// The format of a file that is written in another one, which an option implies: the one that the file tells itself, if its name
    /// says so too, or `is_said` that the other is written.
    pub(crate) fn before(
        self,
        input: &mut Input,
        implied: &str,
        is_said: bool,
    ) -> Option<&'static dyn Format> {
        let found = self.of(input, None).ok().filter(|found| found.facts().name != implied)?;
        let facts = found.facts();
        // no option makes a folder a file
        if input.is_directory() {
            return Some(found);
        }
        let ending = ending(input.path())?;
        let is_named = facts.name == ending
            || facts.endings.contains(&ending.as_str())
            || NAMED_TOO.contains(&(facts.name, &ending));
        (is_said || is_named).then_some(found)
    }

    /// What tells whether a file is of any format, as far as its first bytes tell.
    pub(crate) fn recogniser(self) -> Recogniser {
        Box::new(move |probe| self.0.iter().any(|format| format.detect(probe)))
    }

    /// What is to be written: what was named, or what the ending of the file says; `None` if neither says it. An ending that
    /// says something else than this program can write is an error, unless it is that of the input.
    pub(crate) fn target(self, input: &Path, path: &Path, named: Option<&str>) -> Result<Option<Target>> {
        if let (None, Some(format)) = (named, self.compressed(path)) {
            return Ok(Some(Target::Format(format)));
        }
        let Some(word) = named.map(str::to_owned).or_else(|| ending(path)) else { return Ok(None) };
        let target = self.known(&word, named.is_none());
        let is_open =
            named.is_some() || SILENT.contains(&word.as_str()) || ending(input).is_some_and(|e| e == word);
        if target.is_some() || is_open {
            return Ok(target);
        }
        let forms = FORMS.iter().map(|(name, _)| name);
        let endings = self.0.iter().flat_map(|format| format.facts().endings).chain(forms);
        let endings: Vec<String> = endings.map(|ending| format!(".{ending}")).collect();
        let name = path.display();
        if OF_ARROW.contains(&word.as_str()) {
            let text = format!("{name}: this program was built without Parquet and Arrow");
            return Err(Error::usage(text).tip("its cargo feature `arrow` has them"));
        }
        Err(Error::usage(format_args!("{name}: the ending .{word} does not say what is to be written"))
            .tip(format_args!("say it with --to, or use one of {} or .bin", endings.join(", "))))
    }

    /// The format of a file whose name says that it is compressed, and before that what it is.
    fn compressed(self, path: &Path) -> Option<&'static dyn Format> {
        ending(path).filter(|ending| ["gz", "xz"].contains(&ending.as_str()))?;
        let inner = ending(Path::new(path.file_stem()?))?;
        self.iter()
            .find(|format| format.facts().compresses && format.facts().endings.contains(&inner.as_str()))
    }

    /// What is written where nothing else is said: the format that was read.
    pub(crate) fn same(self, format: &'static dyn Format) -> Target {
        self.known(format.facts().name, false).unwrap_or(Target::Format(format))
    }

    /// The form that a word names, or an ending.
    fn known(self, word: &str, is_ending: bool) -> Option<Target> {
        let named = NAMED_TOO.iter().find(|(_, other)| *other == word);
        let form = named.map_or(word, |(name, _)| name);
        if let Some((_, form)) = FORMS.iter().find(|(name, _)| *name == form) {
            return Some(*form);
        }
        let of_word =
            |f: &&&dyn Format| f.facts().name == word || (is_ending && f.facts().endings.contains(&word));
        self.0.iter().find(of_word).map(|format| Target::Format(*format))
    }
}

/// What `convert` writes beside formats. A format of one of these names is only read.
const FORMS: [(&str, Target); 4] =
    [("json", Target::Json), ("jsonl", Target::JsonLines), ("csv", Target::Csv), ("npz", Target::Npz)];

/// Other endings of files that are only recognised by name, and other words for what is written.
const NAMED_TOO: [(&str, &str); 2] = [("csv", "tsv"), ("jsonl", "ndjson")];

/// Whether a text whose name says what it is becomes the same, under a name that may mean anything.
pub(crate) fn is_text_under_another_name(input: &Path, output: &Path) -> bool {
    let is_form = |ending: &str| {
        let named = NAMED_TOO.iter().any(|(_, other)| *other == ending);
        named || FORMS.iter().any(|(name, _)| *name == ending)
    };
    ending(input).is_some_and(|e| is_form(&e)) && ending(output).is_some_and(|e| !is_form(&e))
}

/// Endings of what is not in every build.
const OF_ARROW: [&str; 3] = ["parquet", "arrow", "feather"];

/// Whether `convert` is given a JSON document: by the ending of its name, or by its first bytes.
pub(crate) fn is_json(input: &mut Input, named: Option<&str>) -> Result<bool> {
    match ending(input.path()) {
        Some(ending) if ending == "json" => {
            whole(input)?;
            return Ok(!resembles::is_array_of_objects(input.head(Probe::BYTES)?));
        }
        // lines of JSON are not a document
        Some(ending) if FORMS.iter().any(|(name, _)| *name == ending) => return Ok(false),
        _ => {}
    }
    Ok(named.is_none() && looks_like_json(input.head(Probe::BYTES)?))
}

/// Refuses what stands for a file that is elsewhere, whatever its name says.
fn whole(input: &mut Input) -> Result<()> {
    match resembles::is_pointer(input.head(Probe::BYTES)?) {
        true => Err(Error::usage(format_args!("{}: it is a pointer of Git LFS", input.name()))
            .tip("git lfs pull fetches the file itself")),
        false => Ok(()),
    }
}

fn looks_like_json(head: &[u8]) -> bool {
    let mut bytes = head.iter().filter(|b| !b.is_ascii_whitespace());
    bytes.next() == Some(&b'{') && matches!(bytes.next(), Some(b'"' | b'}'))
}

/// Endings of files that say nothing of what is in them.
const SILENT: &[&str] = &["bin", "dat", "data", "gz", "in", "lzma", "out", "tmp", "txt", "xz", "zst"];

/// The ending of a file's name in small letters.
fn ending(path: &Path) -> Option<String> {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_and_ending_means_one_thing() {
        let mut words: BTreeSet<&str> = FORMS.iter().map(|(name, _)| *name).collect();
        assert_eq!(words.len(), FORMS.len());
        let is_form = |name: &str| FORMS.iter().any(|(form, _)| *form == name);
        for format in crate::formats::ALL {
            if is_form(format.facts().name) {
                assert!(format.facts().endings.is_empty() && !format.facts().takes_tables);
                continue;
            }
            let own: BTreeSet<&str> =
                format.facts().endings.iter().copied().chain([format.facts().name]).collect();
            for word in own {
                assert!(words.insert(word), "{}: `{word}` means something already", format.facts().name);
            }
        }
    }
}
