//! Declarations: which fields an object has, in the order in which they travel.

use super::error::DeclarationError;
use super::json::{self, Json, Kind};
use super::name::{FormatName, is_field_name};
use crate::schema::{Description, Name};
use crate::value::measure::run;
use crate::wire::{OPEN, Sizes};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The most dimensions of an array: what the platform's own backend can hold.
pub(super) const MAX_RANK: usize = 32;
/// The deepest nesting of objects, with those that are referred to.
const MAX_DEPTH: usize = 100;
/// The most fields of an object, with those of the objects inside.
const MAX_FIELDS: u64 = 1 << 20;

/// A basic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Basic {
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Complex64,
    Complex128,
    Bool,
    String,
}

impl Basic {
    const ALL: [(Basic, &'static str); 14] = [
        (Basic::Int8, "int8"),
        (Basic::Int16, "int16"),
        (Basic::Int32, "int32"),
        (Basic::Int64, "int64"),
        (Basic::Uint8, "uint8"),
        (Basic::Uint16, "uint16"),
        (Basic::Uint32, "uint32"),
        (Basic::Uint64, "uint64"),
        (Basic::Float32, "float32"),
        (Basic::Float64, "float64"),
        (Basic::Complex64, "complex64"),
        (Basic::Complex128, "complex128"),
        (Basic::Bool, "bool"),
        (Basic::String, "string"),
    ];

    /// The name in declarations.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::Basic::Complex64.name(), "complex64");
    /// ```
    pub fn name(self) -> &'static str {
        Basic::ALL.iter().find(|(basic, _)| *basic == self).map_or("", |(_, name)| name)
    }

    /// Bytes of a value; of a text those of its length.
    pub(super) fn width(self) -> usize {
        match self {
            Basic::Int8 | Basic::Uint8 | Basic::Bool => 1,
            Basic::Int16 | Basic::Uint16 => 2,
            Basic::Int32 | Basic::Uint32 | Basic::Float32 => 4,
            Basic::Int64 | Basic::Uint64 | Basic::Float64 | Basic::Complex64 | Basic::String => 8,
            Basic::Complex128 => 16,
        }
    }

    fn of(name: &str) -> Option<Basic> {
        // the backend takes `str`, too
        let name = if name == "str" { "string" } else { name };
        Basic::ALL.iter().find(|(_, n)| *n == name).map(|(basic, _)| *basic)
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldType {
    /// A basic type.
    Basic(Basic),
    /// An array: its dimensions, 0 where any length will do, and its elements.
    Array(Vec<u64>, Box<FieldType>),
    /// An object inside.
    Object(Arc<Format>),
}

/// The fields of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    name: Option<FormatName>,
    fields: Vec<(Name, FieldType)>,
    /// Levels of objects, and fields with those inside.
    depth: usize,
    num_fields: u64,
    sizes: Sizes,
    /// For each field the bytes that are always there from it on, if its predecessor is not of a fixed size; else 0.
    runs: Vec<usize>,
}

impl FieldType {
    /// The numbers of bytes that it may take.
    pub(super) fn sizes(&self) -> Sizes {
        let (min, max) = match self {
            FieldType::Basic(Basic::String) => (8, OPEN),
            FieldType::Basic(basic) => (basic.width(), basic.width()),
            FieldType::Array(dims, _) => (dims.len().saturating_mul(8), OPEN),
            FieldType::Object(format) => return format.sizes,
        };
        Sizes { head: min, min, max }
    }
}

impl Format {
    /// The bytes for which one check is made at a field; 0 where an earlier field made it.
    pub(super) fn run(&self, field: usize) -> usize {
        self.runs.get(field).copied().unwrap_or(0)
    }
}

impl Format {
    /// The name `user/name/version`; `None` of an object that is declared where it is used.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::resolve("u/a/1", |_| Ok("{}".into())).unwrap();
    /// assert_eq!(declaration.format().name().unwrap().to_string(), "u/a/1");
    /// ```
    pub fn name(&self) -> Option<&FormatName> {
        self.name.as_ref()
    }

    /// The fields in the order of the wire: that of the bytes of their names.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"b": "int8", "_": "int8", "Z": "int8"}"#).unwrap();
    /// let names: Vec<_> = declaration.format().fields().iter().map(|(name, _)| &name[..]).collect();
    /// assert_eq!(names, ["Z", "_", "b"]);
    /// ```
    pub fn fields(&self) -> &[(Name, FieldType)] {
        &self.fields
    }
}

/// What the objects of a data format hold.
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
    description: Description,
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
    /// The text is no declaration, or refers to another.
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
    /// The text, or one that it refers to, is no declaration or not found; references form a circle; objects are nested
    /// too deep.
    pub fn parse_with(
        json: &str,
        mut find: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, DeclarationError> {
        let mut loader = Loader { find: &mut find, done: BTreeMap::new(), open: Vec::new(), level: 0 };
        let format = loader.declared(json, None)?;
        Ok(Declaration::new(format))
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
        let mut loader = Loader { find: &mut find, done: BTreeMap::new(), open: Vec::new(), level: 0 };
        let format = loader.named(name, 0)?;
        Ok(Declaration::new(format))
    }

    /// The declaration of a name, found beneath a folder as the platform keeps it: `dataformats/user/name/version.json`.
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
        Declaration::resolve(name, |name| beneath(prefix.as_ref(), name))
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

    fn new(format: Arc<Format>) -> Self {
        let description = super::describe::description(&format);
        Declaration { format, description }
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

    /// Compares a struct with the declaration, before the first object is read.
    ///
    /// ```
    /// use binfmt::{Array, BinFormat};
    /// use binfmt::formats::beat::Declaration;
    /// #[derive(BinFormat)]
    /// #[binfmt(le, key_order = lexicographic, len = u64)]
    /// struct Eyes {
    ///     right: [f32; 2],
    ///     #[binfmt(bool_lax)]
    ///     open: bool,
    ///     #[binfmt(var_len)]
    ///     name: String,
    ///     #[binfmt(shape(u64))]
    ///     image: Array<u8, 2>,
    /// }
    /// let json = r#"{"right": "complex64", "open": "bool", "name": "string", "image": [0, 0, "uint8"]}"#;
    /// Declaration::parse(json)?.check_struct::<Eyes>()?;
    ///
    /// let json = r#"{"right": "float64", "open": "bool", "name": "string", "image": [0, 0, "uint8"]}"#;
    /// let differences = Declaration::parse(json)?.check_struct::<Eyes>().unwrap_err();
    /// assert_eq!(differences.to_string(), "\
    /// 1 difference between struct `Eyes` and the declaration:
    ///   right: struct has [f32; 2], file has float64 (f64)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Dimensions that the declaration fixes are no part of the comparison.
    ///
    /// # Errors
    /// All differences, in the order of the fields.
    pub fn check_struct<T: crate::Layout>(&self) -> Result<(), crate::schema::Differences> {
        let schema = crate::schema::Schema::from(self.description.clone());
        let compared = crate::schema::Schema::of::<T>().check(&schema);
        compared.map_err(|differences| differences.found_in("the declaration"))
    }

    /// The bytes of an object as data.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"text": "string", "n": "int8"}"#).unwrap();
    /// assert_eq!(declaration.description().to_string(), "record, le\n  n: i8\n  text: text, length_prefixed(u64)\n");
    /// ```
    pub fn description(&self) -> &Description {
        &self.description
    }
}

/// The file of a declaration.
#[cfg(feature = "std")]
fn beneath(prefix: &std::path::Path, name: &str) -> Result<String, String> {
    let path = prefix.join("dataformats").join(format!("{name}.json"));
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

type Find<'f> = dyn FnMut(&str) -> Result<String, String> + 'f;

/// Loads a declaration and those that it refers to, each once.
struct Loader<'f> {
    find: &'f mut Find<'f>,
    done: BTreeMap<String, Arc<Format>>,
    /// Names of the declarations that are being loaded, outermost first.
    open: Vec<String>,
    /// Objects around the place that is read, in all declarations that are open.
    level: usize,
}

impl Loader<'_> {
    /// One level deeper; every `enter` that succeeds is followed by a `leave`, or by the end of everything.
    fn enter(&mut self, at: usize) -> Result<(), DeclarationError> {
        if self.level == MAX_DEPTH {
            let text = format!("objects nested deeper than {MAX_DEPTH} levels");
            return Err(DeclarationError::at(at, text));
        }
        self.level = self.level.saturating_add(1);
        Ok(())
    }

    fn leave(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// The format of a name that stands at byte `at` of the declaration that refers to it.
    fn named(&mut self, name: &str, at: usize) -> Result<Arc<Format>, DeclarationError> {
        if let Some(format) = self.done.get(name) {
            return Ok(Arc::clone(format));
        }
        if self.open.iter().any(|open| open == name) {
            let circle = if self.open.last().is_some_and(|last| last == name) {
                "refers to itself".to_owned()
            } else {
                format!("refers to itself, through {}", self.open.join(", "))
            };
            return Err(DeclarationError::at(at, format!("`{name}` {circle}")));
        }
        let Some(parsed) = FormatName::parse(name) else {
            let text = format!("`{name}` is neither a type nor the name of a format");
            return Err(DeclarationError::at(at, text));
        };
        let json = (self.find)(name).map_err(|e| DeclarationError::at(at, format!("`{name}`: {e}")))?;
        self.enter(at)?;
        self.open.push(name.to_owned());
        let format = self.declared(&json, Some(parsed)).map_err(|e| e.of(name))?;
        self.open.pop();
        self.leave();
        self.done.insert(name.to_owned(), Arc::clone(&format));
        Ok(format)
    }

    /// The format of a text.
    fn declared(&mut self, text: &str, name: Option<FormatName>) -> Result<Arc<Format>, DeclarationError> {
        let json = json::parse(text)?;
        let Kind::Object(entries) = &json.kind else {
            return Err(DeclarationError::at(json.at, "expected an object".into()));
        };
        let mut fields = BTreeMap::new();
        for (key, value) in entries {
            match (&key[..], &value.kind) {
                ("#extends", Kind::Text(parent)) => {
                    let parent = self.named(parent, value.at)?;
                    for (name, ty) in parent.fields() {
                        // what this declaration says itself wins, wherever it stands
                        fields.entry(name.clone()).or_insert_with(|| ty.clone());
                    }
                }
                ("#extends", _) => {
                    return Err(DeclarationError::at(value.at, "expected the name of a format".into()));
                }
                ("#description" | "#schema_version", _) => {}
                _ => {
                    let ty = self.field(key, value)?;
                    fields.insert(Name::from(key), ty);
                }
            }
        }
        finished(name, fields, json.at)
    }

    fn field(&mut self, key: &str, value: &Json) -> Result<FieldType, DeclarationError> {
        if !is_field_name(key) {
            return Err(DeclarationError::at(value.at, format!("`{key}` cannot be the name of a field")));
        }
        self.field_type(value)
    }

    fn field_type(&mut self, json: &Json) -> Result<FieldType, DeclarationError> {
        match &json.kind {
            Kind::Text(name) => match Basic::of(name) {
                Some(basic) => Ok(FieldType::Basic(basic)),
                None => Ok(FieldType::Object(self.named(name, json.at)?)),
            },
            Kind::Object(entries) => {
                self.enter(json.at)?;
                let mut fields = BTreeMap::new();
                for (key, value) in entries {
                    fields.insert(Name::from(key), self.field(key, value)?);
                }
                self.leave();
                Ok(FieldType::Object(finished(None, fields, json.at)?))
            }
            Kind::Array(items) => self.array(items, json.at),
            Kind::Number(_) | Kind::Other => {
                Err(DeclarationError::at(json.at, "expected a type, an object or an array".into()))
            }
        }
    }

    fn array(&mut self, items: &[Json], at: usize) -> Result<FieldType, DeclarationError> {
        let Some((item, dims)) = items.split_last() else {
            return Err(DeclarationError::at(at, "an array without a type".into()));
        };
        if dims.len() > MAX_RANK {
            return Err(DeclarationError::at(at, format!("more than {MAX_RANK} dimensions")));
        }
        let mut sizes = Vec::with_capacity(dims.len());
        for dim in dims {
            match dim.kind {
                Kind::Number(n) => sizes.push(n),
                _ => return Err(DeclarationError::at(dim.at, "expected a dimension".into())),
            }
        }
        if matches!(item.kind, Kind::Array(_)) {
            return Err(DeclarationError::at(item.at, "an array of arrays: give it more dimensions".into()));
        }
        let item = self.field_type(item)?;
        // a list of a type alone is the type
        Ok(if sizes.is_empty() { item } else { FieldType::Array(sizes, Box::new(item)) })
    }
}

/// The format of these fields, which a map has put into the order of their bytes.
fn finished(
    name: Option<FormatName>,
    fields: BTreeMap<Name, FieldType>,
    at: usize,
) -> Result<Arc<Format>, DeclarationError> {
    let (mut depth, mut num_fields) = (0usize, 0u64);
    for ty in fields.values() {
        let inner = match ty {
            FieldType::Array(_, item) => item,
            ty => ty,
        };
        num_fields = num_fields.saturating_add(1);
        if let FieldType::Object(format) = inner {
            depth = depth.max(format.depth);
            num_fields = num_fields.saturating_add(format.num_fields);
        }
    }
    let depth = depth.saturating_add(1);
    if depth > MAX_DEPTH {
        return Err(DeclarationError::at(at, format!("objects nested deeper than {MAX_DEPTH} levels")));
    }
    if num_fields > MAX_FIELDS {
        return Err(DeclarationError::at(at, format!("more than {MAX_FIELDS} fields, with those inside")));
    }
    let (sizes, runs) = measured(fields.values().map(FieldType::sizes).collect());
    Ok(Arc::new(Format { name, fields: fields.into_iter().collect(), depth, num_fields, sizes, runs }))
}

/// The sizes of all fields together, and the runs of those that are always there.
fn measured(parts: Vec<Sizes>) -> (Sizes, Vec<usize>) {
    let all = |of: fn(&Sizes) -> usize| parts.iter().fold(0usize, |n, part| n.saturating_add(of(part)));
    let mut runs = Vec::with_capacity(parts.len());
    let mut begins = true;
    for (i, part) in parts.iter().enumerate() {
        runs.push(if begins { run(parts.iter().skip(i).copied()) } else { 0 });
        begins = part.exact().is_none();
    }
    (Sizes { head: run(parts.iter().copied()), min: all(|part| part.min), max: all(|part| part.max) }, runs)
}
