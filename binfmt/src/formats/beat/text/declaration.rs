//! Declarations: which fields an object has, and how it is read and written.

use super::describe::{description, put_json};
use super::error::DeclarationError;
use super::format::Format;
use super::load::Loader;
#[cfg(feature = "std")]
use super::name::FormatName;
use crate::schema::Description;
use crate::value::Program;
#[cfg(feature = "std")]
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

/// What the objects of a data format contain.
///
/// Displays as JSON with all references replaced by what they refer to.
///
/// ```
/// use binfmt::formats::beat::Declaration;
/// let json = r##"{"#extends": "u/base/1", "value": [0, 3, "float64"], "name": "string"}"##;
/// let declaration = Declaration::parse_with(json, |name| match name {
///     "u/base/1" => Ok(r#"{"value": "int32", "id": "uint64"}"#.into()),
///     _ => Err("no such format".into()),
/// })?;
/// assert_eq!(declaration.to_string(), r#"{"id": "uint64", "name": "string", "value": [0, 3, "float64"]}"#);
/// # Ok::<(), binfmt::formats::beat::DeclarationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    format: Arc<Format>,
    program: Arc<Program>,
}

impl Declaration {
    /// A declaration that refers to no other.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// assert!(Declaration::parse(r#"{"value": "int32"}"#).is_ok());
    /// let e = Declaration::parse(r#"{"value": "u/other/1"}"#).unwrap_err();
    /// assert_eq!(e.to_string(), "declaration, byte 10: `u/other/1`: no place to look for it was given");
    /// ```
    ///
    /// # Errors
    /// The text is not a declaration, or refers to another.
    pub fn parse(json: &str) -> Result<Self, DeclarationError> {
        Declaration::parse_with(json, |_| Err("no place to look for it was given".into()))
    }

    /// A declaration, and where the JSON of those comes from that it refers to.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let e = Declaration::parse_with(r#"{"a": "u/b/1"}"#, |_| Ok(r#"{"a": "u/b/1"}"#.into())).unwrap_err();
    /// assert_eq!(e.to_string(), "declaration u/b/1, byte 6: `u/b/1` refers to itself");
    /// ```
    ///
    /// # Errors
    /// The text, or one that it refers to, is not a declaration or not found; references form a circle; objects are nested
    /// too deep.
    pub fn parse_with(
        json: &str,
        mut find: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, DeclarationError> {
        Declaration::new(Loader::new(&mut find).declared(json, None)?)
    }

    /// The declaration of a name, and where its JSON and that of others comes from.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::resolve("u/a/1", |_| Ok(r#"{"value": "bool"}"#.into()))?;
    /// assert_eq!(declaration.format().fields().len(), 1);
    /// # Ok::<(), binfmt::formats::beat::DeclarationError>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse_with`](Self::parse_with).
    pub fn resolve(
        name: &str,
        mut find: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, DeclarationError> {
        Declaration::new(Loader::new(&mut find).named(name, 0)?)
    }

    /// The declaration of a name, found beneath a folder as the platform keeps it: `dataformats/user/name/version.json`. Of
    /// `analysis:user/name/version` it is the results of an analyzer, which `algorithms/user/name/version.json` declares
    /// (beat.backend.python 1.7.15).
    ///
    /// ```
    /// let e = binfmt::formats::beat::Declaration::load("u/a/1", "/no/such/folder").unwrap_err();
    /// assert!(e.to_string().starts_with("declaration, byte 0: `u/a/1`: /no/such/folder/dataformats/u/a/1.json: "));
    /// ```
    ///
    /// # Errors
    /// As [`parse_with`](Self::parse_with), or a file cannot be read.
    #[cfg(feature = "std")]
    pub fn load(name: &str, prefix: impl AsRef<std::path::Path>) -> Result<Self, DeclarationError> {
        let Some(analyzer) = name.strip_prefix("analysis:") else {
            return Declaration::resolve(name, |name| beneath(prefix.as_ref(), name));
        };
        if FormatName::parse(analyzer).is_none() {
            let text = format!("`{analyzer}` is not the name of an algorithm, `user/name/version`");
            return Err(DeclarationError::at(0, text));
        }
        let text = file(prefix.as_ref(), "algorithms", analyzer);
        let text = text.map_err(|e| DeclarationError::at(0, format!("`{name}`: {e}")))?;
        let mut find = |name: &str| beneath(prefix.as_ref(), name);
        Declaration::new(Loader::new(&mut find).results(&text).map_err(|e| e.of(name))?)
    }

    /// A declaration that refers to others beneath a folder.
    ///
    /// ```
    /// assert!(binfmt::formats::beat::Declaration::parse_beneath("{}", "/no/such/folder").is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load).
    #[cfg(feature = "std")]
    pub fn parse_beneath(json: &str, prefix: impl AsRef<std::path::Path>) -> Result<Self, DeclarationError> {
        Declaration::parse_with(json, |name| beneath(prefix.as_ref(), name))
    }

    fn new(format: Arc<Format>) -> Result<Self, DeclarationError> {
        let description = description(&format);
        let program = Program::new(&description).map_err(|e| DeclarationError::at(0, e.to_string()))?;
        Ok(Declaration { format, program: Arc::new(program) })
    }

    /// What reads and writes the objects.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"n": "int8"}"#).unwrap();
    /// assert_eq!(declaration.program().description(), declaration.description());
    /// ```
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The fields.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// assert!(Declaration::parse("{}").unwrap().format().fields().is_empty());
    /// ```
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// The bytes of an object as data.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"text": "string", "n": "int8"}"#).unwrap();
    /// assert_eq!(declaration.description().to_string(), "record(object), le\n  n: i8\n  text: text, length_prefixed(u64)\n");
    /// ```
    pub fn description(&self) -> &Description {
        self.program.description()
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        put_json(self.format(), f)
    }
}

/// The declaration of a format.
#[cfg(feature = "std")]
fn beneath(prefix: &std::path::Path, name: &str) -> Result<String, String> {
    file(prefix, "dataformats", name)
}

#[cfg(feature = "std")]
fn file(prefix: &std::path::Path, folder: &str, name: &str) -> Result<String, String> {
    let path = prefix.join(folder).join(format!("{name}.json"));
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}
