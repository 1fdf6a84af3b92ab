//! What the objects of a file are: its header, and the declaration that was given or found.

use super::options::Options;
use super::set;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::place::Start;
use crate::settings::Text;
use binfmt::formats::beat::{DataSet, Declaration, DeclarationError, FieldType, FileHead, FormatName};
use std::ops::RangeInclusive;
use std::path::Path;

/// The first line of a data file.
pub(super) const FIRST_LINE: &[u8] = b"binary\n";

/// The most bytes that the two lines of its header take.
const HEADER: usize = 8192;

/// The objects of a file.
pub(super) struct Declared {
    pub(super) declaration: Declaration,
    /// The name of their format: that of the header, or what `--schema` says.
    pub(super) name: Option<String>,
    /// Bytes of the two lines of the header; `None` of a file that is one object.
    pub(super) header: Option<u64>,
    /// The files, if they were named by what their names begin with.
    pub(super) set: Option<DataSet>,
    /// The indices of which chunks are wanted, if not of all.
    pub(super) indices: Option<RangeInclusive<u64>>,
    /// What stands beside each object, and the name of the objects themselves there.
    pub(super) joined: Option<Beside>,
    /// Whether the declaration is that of the objects; where it is not, only their sizes are known.
    pub(super) is_known: bool,
}

impl Declared {
    /// Reads the header, and finds the declaration.
    pub(super) fn of(options: &Options, job: &mut Job<'_>) -> Result<Self> {
        let found = Self::found(options, job, true)?;
        let joined = match (&found.set, options.join.value()) {
            (_, None) => None,
            (Some(_), Some(text)) => Some(Beside::of(text, job.input.path(), options)?),
            (None, Some(_)) => {
                return Err(Error::usage(
                    "--join is for data sets, which are named without indices and ending",
                )
                .tip("of left.0.9.data and left.10.19.data the set is left"));
            }
        };
        Ok(Declared { joined, ..found })
    }

    /// The same, where a data file may also be looked at without a declaration.
    pub(super) fn perhaps(options: &Options, job: &mut Job<'_>) -> Result<Self> {
        Self::found(options, job, options.schema.is_given() || options.prefix.is_given())
    }

    fn found(options: &Options, job: &mut Job<'_>, must_be_known: bool) -> Result<Self> {
        let located = |e: binfmt::Error| Start::default().located(&e);
        let (name, header, set) = match job.input.is_directory() {
            true => {
                let set = DataSet::open(job.input.path()).map_err(located)?;
                (set.format().map_err(located)?, 0, Some(set))
            }
            false => {
                let head = job.input.head(HEADER)?;
                if !head.starts_with(FIRST_LINE) {
                    return Self::object(options, job);
                }
                let (name, len) = header(head)?;
                (name, len, None)
            }
        };
        let (declaration, is_known) = match given(options)? {
            Some((declaration, _)) => (declaration, true),
            None if must_be_known => (beneath(&name, options)?, true),
            None => (Declaration::parse("{}").map_err(Error::data)?, false),
        };
        let (name, header, indices) = (Some(name), Some(header), options.indices()?);
        Ok(Declared { declaration, name, header, set, indices, joined: None, is_known })
    }

    /// That of a file that is one object, which it does not say itself.
    fn object(options: &Options, job: &Job<'_>) -> Result<Self> {
        let (declaration, name) = given(options)?.ok_or_else(|| {
            let text = "a file without the first line `binary` is one object, and --schema must say which";
            Error::usage(format_args!("{}: {text}", job.input.name())).tip(
                "say for example --schema '{\"value\": \"int32\"}', or --schema user/name/1 --prefix DIR",
            )
        })?;
        let (header, set, indices, joined) = (None, None, options.indices()?, None);
        Ok(Declared { declaration, name, header, set, indices, joined, is_known: true })
    }

    /// The name that is in the header, if there is a header.
    pub(super) fn header(&self) -> Option<&str> {
        self.header.and(self.name.as_deref())
    }

    /// The declaration of the objects, if it is known.
    pub(super) fn known(&self) -> Option<&Declaration> {
        self.is_known.then_some(&self.declaration)
    }

    /// What the file is, for people.
    pub(super) fn title(&self) -> &'static str {
        match (&self.set, self.header) {
            (Some(_), _) => "BEAT data set",
            (None, Some(_)) => "BEAT data file",
            (None, None) => "BEAT object",
        }
    }

    /// The declaration, with what it refers to in its place.
    pub(super) fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_str(&self.declaration.to_string()).map_err(Error::data)
    }
}

/// Other sets, whose objects stand beside those of the first.
pub(super) struct Beside {
    /// What the objects of the first are called.
    pub(super) own: String,
    pub(super) sets: Vec<Side>,
}

/// One of them.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) set: DataSet,
    pub(super) declaration: Declaration,
}

impl Beside {
    /// `BASE,NAME=BASE`; a base without a name is called as its files are.
    fn of(text: &str, own: &Path, options: &Options) -> Result<Self> {
        let called = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            name.strip_suffix(".data").unwrap_or(&name).to_owned()
        };
        let wrong = |e: binfmt::Error| Start::default().located(&e);
        let mut sets: Vec<Side> = Vec::new();
        let own = called(own);
        for text in text.split(',') {
            let (name, base) = match text.split_once('=') {
                Some((name, base)) => (name.to_owned(), base),
                None => (called(Path::new(text)), text),
            };
            if name == own || sets.iter().any(|side| side.name == name) {
                return Err(Error::usage(format_args!("--join: two sets are called `{name}`"))
                    .tip("NAME=BASE gives one another name"));
            }
            let set = set::named(base)?;
            let declaration = beneath(&set.format().map_err(wrong)?, options)?;
            sets.push(Side { name, set, declaration });
        }
        Ok(Beside { own, sets })
    }
}

impl Beside {
    /// The declarations of all, by the names of the sets.
    pub(super) fn json(&self, first: &Declared) -> Result<serde_json::Value> {
        let of =
            |declaration: &Declaration| serde_json::from_str(&declaration.to_string()).map_err(Error::data);
        let others = self.sets.iter().map(|side| Ok((side.name.clone(), of(&side.declaration)?)));
        std::iter::once(Ok((self.own.clone(), first.json()?))).chain(others).collect()
    }
}

/// The name in the two lines of the header, and their bytes.
fn header(head: &[u8]) -> Result<(String, u64)> {
    let found = binfmt::from_prefix::<FileHead>(head);
    let (file, rest) = found.map_err(|e| Start::default().located(&e))?;
    Ok((file.format, (head.len() - rest.len()) as u64))
}

/// The declaration that `--schema` gives, and its name if it was named.
pub(super) fn given(options: &Options) -> Result<Option<(Declaration, Option<String>)>> {
    let Some(Text(text)) = options.schema.value() else { return Ok(None) };
    let text = text.trim();
    let wrong = |e: DeclarationError| Error::usage(format_args!("--schema: {e}"));
    if text.starts_with('{') {
        return Ok(Some((parsed(text, options, wrong)?, None)));
    }
    if FormatName::parse(text).is_none() {
        let shown: String = text.chars().take(60).collect();
        return Err(Error::usage(format_args!("--schema: `{shown}` is not a declaration"))
            .tip("a declaration is JSON such as '{\"value\": \"int32\"}'; a name such as user/name/1 needs --prefix"));
    }
    let Some(prefix) = options.prefix()? else {
        return Err(Error::usage(format_args!("--schema {text} is a name: --prefix must say where it is")));
    };
    Ok(Some((Declaration::load(text, prefix).map_err(wrong)?, Some(text.to_owned()))))
}

/// A declaration in JSON, with what it refers to.
pub(super) fn parsed(
    text: &str,
    options: &Options,
    wrong: impl FnOnce(DeclarationError) -> Error,
) -> Result<Declaration> {
    let found = match options.prefix()? {
        Some(prefix) => Declaration::parse_beneath(text, prefix),
        None => Declaration::parse(text),
    };
    found.map_err(wrong)
}

/// The declaration of the name in a header.
pub(super) fn beneath(name: &str, options: &Options) -> Result<Declaration> {
    let unknown = |text: String| Error::usage(text).tip("say --schema with the declaration, or @FILE");
    let Some(prefix) = options.prefix()? else {
        return Err(Error::usage(format_args!(
            "the file has objects of `{name}`, which it does not declare"
        ))
        .tip("say --prefix with the folder of the declarations, or --schema with the declaration"));
    };
    Declaration::load(name, prefix).map_err(|e| unknown(format!("--prefix {prefix}: {e}")))
}

/// A type as declarations have it: `int32`, `[0, 3, float64]`, the name of a format, or `object`.
pub(super) fn type_name(ty: &FieldType) -> String {
    match ty {
        FieldType::Basic(basic) => basic.name().to_owned(),
        FieldType::Array(dims, item) => {
            let dims: String = dims.iter().map(|n| format!("{n}, ")).collect();
            format!("[{dims}{}]", type_name(item))
        }
        FieldType::Object(format) => format.name().map_or_else(|| "object".to_owned(), ToString::to_string),
        _ => "unknown".to_owned(),
    }
}
