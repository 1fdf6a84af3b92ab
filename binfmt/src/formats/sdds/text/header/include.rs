//! `&include`: files that a header refers to, opened only as far as the caller allows.

use alloc::string::String;
use alloc::vec::Vec;
use std::path::{Component, Path, PathBuf};

/// A file that a header includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// What tells files apart, so that one that includes itself is found out.
    pub id: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Finds the files of `&include` commands. Without one, a header that has such a command is refused.
///
/// ```
/// use binfmt::formats::sdds::{Header, Included, Resolver};
/// struct Memory;
/// impl Resolver for Memory {
///     fn resolve(&self, filename: &str) -> Result<Included, String> {
///         match filename {
///             "x.inc" => Ok(Included { id: filename.into(), bytes: b"&column name=x, type=long &end\n".into() }),
///             _ => Err("not found".into()),
///         }
///     }
/// }
/// let text = b"SDDS1\n&include filename=x.inc &end\n&data mode=ascii &end\n";
/// let (header, _) = Header::parse_with(text, Some(&Memory))?;
/// assert_eq!(header.columns[0].name, "x");
/// let e = Header::parse(text).unwrap_err();
/// assert_eq!(
///     e.to_string(),
///     "line 2, column 19: `&include filename=x.inc`: no directory was named beneath which files may be included"
/// );
/// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
/// ```
pub trait Resolver {
    /// The file of this name, or why it is refused.
    ///
    /// # Errors
    /// There is no such file, or it may not be read.
    fn resolve(&self, filename: &str) -> Result<Included, String>;
}

/// The most bytes of an included file.
const MAX_INCLUDED: u64 = 1 << 24;

/// Files beneath one directory, and nowhere else: not by `..`, not by an absolute name, not by a link.
///
/// ```no_run
/// use binfmt::formats::sdds::{Beneath, Header};
/// let text = std::fs::read("lattice.sdds")?;
/// let (header, size) = Header::parse_with(&text, Some(&Beneath::new("layouts")))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Beneath(PathBuf);

impl Beneath {
    /// Names of files are relative to this directory.
    ///
    /// ```
    /// let here = binfmt::formats::sdds::Beneath::new(".");
    /// ```
    pub fn new(directory: impl AsRef<Path>) -> Self {
        Beneath(directory.as_ref().to_path_buf())
    }
}

impl Resolver for Beneath {
    fn resolve(&self, filename: &str) -> Result<Included, String> {
        use std::io::Read;
        let inside = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
        if filename.is_empty() || !Path::new(filename).components().all(inside) {
            return Err("the name leads out of the directory of included files".into());
        }
        let root = self.0.canonicalize().map_err(|e| alloc::format!("{}: {e}", self.0.display()))?;
        let path = root.join(filename).canonicalize().map_err(|e| alloc::format!("{e}"))?;
        if !path.starts_with(&root) {
            return Err("a link leads out of the directory of included files".into());
        }
        // a pipe or a device could block for ever
        if !path.is_file() {
            return Err("not a file".into());
        }
        let file = std::fs::File::open(&path).map_err(|e| alloc::format!("{e}"))?;
        let mut bytes = Vec::new();
        let read = file.take(MAX_INCLUDED + 1).read_to_end(&mut bytes);
        read.map_err(|e| alloc::format!("{e}"))?;
        if bytes.len() as u64 > MAX_INCLUDED {
            return Err(alloc::format!("larger than {MAX_INCLUDED} bytes"));
        }
        Ok(Included { id: path.to_string_lossy().into_owned(), bytes })
    }
}
