//! Formats: the fields of an object in the order in which they travel, and their types.

use super::name::FormatName;
use crate::numbers::NumberType;
use crate::schema::Name;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
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
    pub(crate) fn half(self) -> Option<NumberType> {
        match self {
            Basic::Complex64 => Some(NumberType::F32),
            Basic::Complex128 => Some(NumberType::F64),
            _ => None,
        }
    }

    /// The type that is this number.
    #[cfg(feature = "table")]
    pub(crate) fn of_number(kind: NumberType) -> Option<Basic> {
        Basic::ALL.iter().find(|(.., number)| *number == Some(kind)).map(|(basic, ..)| *basic)
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
            num_fields += 1;
            if let FieldType::Object(format) = inner {
                depth = depth.max(format.depth);
                // each has at most a million
                num_fields += format.num_fields;
            }
        }
        let depth = depth + 1;
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
