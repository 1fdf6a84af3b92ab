//! Declarations: which fields an object has, in the order in which they travel.

use super::error::DeclarationError;
use super::load::Loader;
use super::name::FormatName;
use crate::numbers::NumberType;
use crate::schema::{Description, Name};
use crate::value::Program;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The deepest nesting of objects, with those that are referred to.
pub(super) const MAX_DEPTH: usize = 100;
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
    /// Each with its name, and the number that it is, in the order of the variants.
    const ALL: [(Basic, &'static str, Option<NumberType>); 14] = [
        (Basic::Int8, "int8", Some(NumberType::I8)),
        (Basic::Int16, "int16", Some(NumberType::I16)),
        (Basic::Int32, "int32", Some(NumberType::I32)),
        (Basic::Int64, "int64", Some(NumberType::I64)),
        (Basic::Uint8, "uint8", Some(NumberType::U8)),
        (Basic::Uint16, "uint16", Some(NumberType::U16)),
        (Basic::Uint32, "uint32", Some(NumberType::U32)),
        (Basic::Uint64, "uint64", Some(NumberType::U64)),
        (Basic::Float32, "float32", Some(NumberType::F32)),
        (Basic::Float64, "float64", Some(NumberType::F64)),
        (Basic::Complex64, "complex64", None),
        (Basic::Complex128, "complex128", None),
        (Basic::Bool, "bool", Some(NumberType::Bool)),
        (Basic::String, "string", None),
    ];

    /// The name in declarations.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::Basic::Complex64.name(), "complex64");
    /// ```
    pub fn name(self) -> &'static str {
        Basic::ALL.get(self as usize).map_or("", |(_, name, _)| name)
    }

    /// The number that it is; `None` for text and for complex numbers, which are two.
    ///
    /// ```
    /// use binfmt::{formats::beat::Basic, numbers::NumberType};
    /// assert_eq!(Basic::Uint16.number_type(), Some(NumberType::U16));
    /// assert_eq!(Basic::Complex64.number_type(), None);
    /// ```
    pub fn number_type(self) -> Option<NumberType> {
        Basic::ALL.get(self as usize).and_then(|(.., kind)| *kind)
    }

    /// The number of which a complex one has two.
    pub(super) fn half(self) -> Option<NumberType> {
        match self {
            Basic::Complex64 => Some(NumberType::F32),
            Basic::Complex128 => Some(NumberType::F64),
            _ => None,
        }
    }

    pub(super) fn of(name: &str) -> Option<Basic> {
        // the backend takes `str`, too
        let name = if name == "str" { "string" } else { name };
        Basic::ALL.iter().find(|(_, n, _)| *n == name).map(|(basic, ..)| *basic)
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
}

impl Format {
    /// The format of these fields, which a map has put into the order of their bytes; else the limit that they exceed.
    pub(super) fn new(
        name: Option<FormatName>,
        fields: BTreeMap<Name, FieldType>,
    ) -> Result<Arc<Format>, String> {
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
            return Err(too_deep());
        }
        if num_fields > MAX_FIELDS {
            return Err(format!("more than {MAX_FIELDS} fields, with those inside"));
        }
        Ok(Arc::new(Format { name, fields: fields.into_iter().collect(), depth, num_fields }))
    }
}

/// What is said of objects nested too deep.
pub(super) fn too_deep() -> String {
    format!("objects nested deeper than {MAX_DEPTH} levels")
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

    fn new(format: Arc<Format>) -> Result<Self, DeclarationError> {
        let description = super::describe::description(&format);
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

    /// Compares a struct with the declaration, before the first object is read: fields belong together by their names.
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
        let schema = crate::schema::Schema::from(self.description().clone());
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
        self.program.description()
    }
}

/// The file of a declaration.
#[cfg(feature = "std")]
fn beneath(prefix: &std::path::Path, name: &str) -> Result<String, String> {
    let path = prefix.join("dataformats").join(format!("{name}.json"));
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}
