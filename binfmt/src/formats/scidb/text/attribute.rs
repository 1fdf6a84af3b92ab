//! One attribute of an AFL schema.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;

use super::afl::{self, Name, Quoted};
use super::error::{TextError, TextKind};
use super::scan::{Lexeme, Scanner};
use super::types::{ScidbType, UserType};

/// One attribute of a schema: a value in each cell.
///
/// ```
/// use binfmt::formats::scidb::{AflAttribute, ScidbType};
///
/// let attribute = AflAttribute::new("a", ScidbType::String).unwrap().not_null().with_default("'x, y'").unwrap();
/// assert_eq!(attribute.to_string(), "a:string NOT NULL DEFAULT 'x, y'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AflAttribute {
    name: String,
    ty: ScidbType,
    not_null: bool,
    default: Option<String>,
    compression: Option<String>,
    reserve: Option<u32>,
}

impl AflAttribute {
    /// A nullable attribute.
    ///
    /// # Errors
    ///
    /// [`TextError`] unless `name` is a letter, `_` or `$`, then letters, digits, `_` and `$`.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// assert_eq!(AflAttribute::new("a", ScidbType::Int8).unwrap().to_string(), "a:int8");
    /// assert!(AflAttribute::new("a b", ScidbType::Int8).is_err());
    /// ```
    pub fn new(name: &str, ty: ScidbType) -> Result<Self, TextError> {
        let name = afl::checked_name(name)?;
        Ok(AflAttribute { name, ty, not_null: false, default: None, compression: None, reserve: None })
    }

    /// Forbids missing values.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// assert_eq!(AflAttribute::new("a", ScidbType::Int8).unwrap().not_null().to_string(), "a:int8 NOT NULL");
    /// ```
    #[must_use]
    pub fn not_null(self) -> Self {
        AflAttribute { not_null: true, ..self }
    }

    /// Sets the default value, given as AFL: a constant, a function call, or an expression in parentheses.
    ///
    /// # Errors
    ///
    /// [`TextError`] if it is something else.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// let a = AflAttribute::new("a", ScidbType::Int8).unwrap();
    /// assert_eq!(a.clone().with_default("(1 + 2)").unwrap().default(), Some("(1 + 2)"));
    /// assert!(a.with_default("1 + 2").is_err());
    /// ```
    pub fn with_default(self, value: &str) -> Result<Self, TextError> {
        let scanner = &mut Scanner::new(value, TextKind::Default);
        let default = Some(afl::default_value(scanner)?);
        match scanner.next.kind {
            Lexeme::End => Ok(AflAttribute { default, ..self }),
            _ => Err(scanner.unexpected("the end of the value")),
        }
    }

    /// Sets how SciDB compresses the attribute's chunks: `zlib` or `bzlib`. Load files are never compressed.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// let attribute = AflAttribute::new("a", ScidbType::Int8).unwrap().with_compression("zlib");
    /// assert_eq!(attribute.to_string(), "a:int8 COMPRESSION 'zlib'");
    /// ```
    #[must_use]
    pub fn with_compression(self, compression: &str) -> Self {
        AflAttribute { compression: Some(compression.to_owned()), ..self }
    }

    /// The name.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// assert_eq!(AflAttribute::new("a", ScidbType::Int8).unwrap().name(), "a");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, ScidbType};
    ///
    /// assert_eq!(AflAttribute::new("a", ScidbType::Int8).unwrap().ty(), &ScidbType::Int8);
    /// ```
    #[must_use]
    pub fn ty(&self) -> &ScidbType {
        &self.ty
    }

    /// Whether values may be missing.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8, b:int8 null, c:int8 not null>".parse().unwrap();
    /// let nullable: Vec<bool> = schema.attributes().iter().map(|a| a.is_nullable()).collect();
    /// assert_eq!(nullable, [true, true, false]);
    /// ```
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        !self.not_null
    }

    /// The default value, as it is in the text.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:string DEFAULT 'x, (y' COMPRESSION 'zlib'>[i]".parse().unwrap();
    /// assert_eq!(schema.attributes()[0].default(), Some("'x, (y'"));
    /// ```
    #[must_use]
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// How SciDB compresses the attribute's chunks, without the quotes.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8 compression 'zlib'>[i]".parse().unwrap();
    /// assert_eq!(schema.attributes()[0].compression(), Some("zlib"));
    /// ```
    #[must_use]
    pub fn compression(&self) -> Option<&str> {
        self.compression.as_deref()
    }

    /// The percentage of a chunk that SciDB keeps free for updates.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8 reserve 20>[i]".parse().unwrap();
    /// assert_eq!(schema.attributes()[0].reserve(), Some(20));
    /// ```
    #[must_use]
    pub fn reserve(&self) -> Option<u32> {
        self.reserve
    }

    pub(super) fn parse(scanner: &mut Scanner<'_>, user: &[UserType]) -> Result<Self, TextError> {
        let name = afl::name(scanner, "the name of an attribute")?.to_owned();
        scanner.require(':', "`:` and a type")?;
        let token = scanner.next;
        let type_name = afl::name(scanner, "the name of a type")?;
        let ty = ScidbType::find(type_name, user)
            .ok_or_else(|| ScidbType::unknown(TextKind::Schema, &token, type_name, user))?;
        let not_null = scanner.take_word("not");
        if !scanner.take_word("null") && not_null {
            return Err(scanner.unexpected("`null`"));
        }
        let default = if scanner.take_word("default") { Some(afl::default_value(scanner)?) } else { None };
        let compression = if scanner.take_word("compression") {
            let Lexeme::Literal(quoted) = scanner.next.kind else {
                return Err(scanner.unexpected("the name of a compression in single quotes"));
            };
            scanner.take();
            Some(afl::unescape(quoted))
        } else {
            None
        };
        let reserve = if scanner.take_word("reserve") { Some(afl::number(scanner)?) } else { None };
        Ok(AflAttribute { name, ty, not_null, default, compression, reserve })
    }

    /// The error for what stands where `,` or `>` should.
    #[cold]
    pub(super) fn out_of_place(scanner: &Scanner<'_>) -> TextError {
        let clause =
            ["not", "null", "default", "compression", "reserve"].iter().any(|w| scanner.next.is_word(w));
        scanner.unexpected(if clause {
            "`,` or `>` (the order is: type, null or not null, default, compression, reserve)"
        } else {
            "`,` or `>`"
        })
    }
}

impl fmt::Display for AflAttribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Name(&self.name), Name(self.ty.name()))?;
        f.write_str(if self.not_null { " NOT NULL" } else { "" })?;
        if let Some(default) = &self.default {
            write!(f, " DEFAULT {default}")?;
        }
        if let Some(compression) = &self.compression {
            write!(f, " COMPRESSION {}", Quoted(compression))?;
        }
        if let Some(reserve) = self.reserve {
            write!(f, " RESERVE {reserve}")?;
        }
        Ok(())
    }
}
