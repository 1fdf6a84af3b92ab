//! From format strings to schemas and back, and whether the two belong together.

use alloc::{collections::BTreeSet, format, string::String, vec, vec::Vec};
use core::fmt;

use super::attribute::AflAttribute;
use super::dimension::{AflDimension, DimensionBound};
use super::error::{TextError, TextErrorKind, TextKind};
use super::scan::Token;
use super::schema::AflSchema;
use super::template::{Template, TemplateColumn};

impl AflSchema {
    /// The format string of a file with all attributes, each as nullable as in the schema.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8 NOT NULL, b:string>[i]".parse().unwrap();
    /// assert_eq!(schema.template().to_string(), "(int8, string null)");
    /// ```
    #[must_use]
    pub fn template(&self) -> Template {
        // A schema has an attribute, so there is a column.
        Template::new(self.columns()).unwrap_or(Template::OPAQUE)
    }

    /// The column of each attribute.
    pub(crate) fn columns(&self) -> impl Iterator<Item = TemplateColumn> + '_ {
        self.attributes().iter().map(|a| {
            let column = TemplateColumn::new(a.ty().clone());
            if a.is_nullable() { column.nullable() } else { column }
        })
    }
}

impl Template {
    /// Checks that there is one column, `skip` aside, for each attribute of `schema`. `opaque` fits every schema.
    ///
    /// A column's type may differ from its attribute's: SciDB converts where it has a converter.
    ///
    /// # Errors
    ///
    /// [`AttributeMismatch`], which is SciDB's `SCIDB_LE_ATTRIBUTES_MISMATCH`.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflSchema, Template};
    ///
    /// let schema: AflSchema = "<a:int64, b:string>[i]".parse().unwrap();
    /// let template: Template = "(int64, skip(4), string null)".parse().unwrap();
    /// assert!(template.check_attributes(&schema).is_ok());
    ///
    /// let e = "(skip)".parse::<Template>().unwrap().check_attributes(&schema).unwrap_err();
    /// let text = "the format string has 0 attribute columns (skip does not count), the schema has 2 attributes";
    /// assert_eq!(e.to_string(), text);
    /// ```
    pub fn check_attributes(&self, schema: &AflSchema) -> Result<(), AttributeMismatch> {
        let (columns, attributes) = (self.attributes().count(), schema.attributes().len());
        if columns == attributes || self.columns().is_none() {
            Ok(())
        } else {
            Err(AttributeMismatch { columns, attributes })
        }
    }

    /// The schema of a one-dimensional array that such a file fills.
    ///
    /// The attributes are called `names`, or a, b, … as [`column_name`] makes them, if `names` is empty. What a schema cannot say is lost: `skip`
    /// columns, and the n of `string(n)`.
    ///
    /// # Errors
    ///
    /// [`TextError`] if there is no attribute to name, if the number of names is another than that of the attributes,
    /// or if a name is not valid.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// let template: Template = "(int64, skip(4), string(8) null)".parse().unwrap();
    /// assert_eq!(template.schema(&[]).unwrap().to_string(), "<a:int64 NOT NULL,b:string> [i=0:*]");
    /// assert_eq!(template.schema(&["k", "v"]).unwrap().to_string(), "<k:int64 NOT NULL,v:string> [i=0:*]");
    /// assert!(template.schema(&["k"]).is_err());
    /// ```
    pub fn schema(&self, names: &[&str]) -> Result<AflSchema, TextError> {
        let count = self.attributes().count();
        if count == 0 || (!names.is_empty() && names.len() != count) {
            let expected = format!("{} names, one for each attribute column", count.max(1));
            let given = names.join(", ");
            return Err(Token::whole(&given).error(TextErrorKind::Unexpected, TextKind::Name, expected));
        }
        let (mut attributes, mut taken) = (Vec::with_capacity(count), BTreeSet::new());
        for (i, (column, ty)) in self.attributes().filter_map(|c| Some((c, c.ty()?))).enumerate() {
            let generated: String;
            let name = match names.get(i) {
                Some(name) => name,
                None => {
                    generated = column_name(i);
                    generated.as_str()
                }
            };
            let attribute = AflAttribute::new(name, ty.clone())?;
            if !taken.insert(String::from(name)) {
                return Err(Token::whole(name).error(
                    TextErrorKind::DuplicateName,
                    TextKind::Name,
                    "another name",
                ));
            }
            attributes.push(if column.is_nullable() { attribute } else { attribute.not_null() });
        }
        // Attributes and dimensions share one space of names.
        let mut dimension = String::from("i");
        while attributes.iter().any(|a| a.name() == dimension) {
            dimension.push('_');
        }
        let dimension =
            AflDimension::new(&dimension)?.with_bounds(DimensionBound::Number(0), DimensionBound::Star);
        Ok(AflSchema::from_parts(attributes, vec![dimension]))
    }
}

/// A format string that has more or fewer columns than a schema has attributes.
///
/// ```
/// use binfmt::formats::scidb::{AflSchema, Template};
///
/// let schema: AflSchema = "<a:int64>[i]".parse().unwrap();
/// let template: Template = "(int64, int8)".parse().unwrap();
/// let e = template.check_attributes(&schema).unwrap_err();
/// assert_eq!((e.columns, e.attributes), (2, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributeMismatch {
    /// Columns of the format string that are not `skip`.
    pub columns: usize,
    /// Attributes of the schema.
    pub attributes: usize,
}

impl fmt::Display for AttributeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n| if n == 1 { "" } else { "s" };
        let (columns, attributes) = (self.columns, self.attributes);
        write!(f, "the format string has {columns} attribute column{}", plural(columns))?;
        write!(f, " (skip does not count), the schema has {attributes} attribute{}", plural(attributes))
    }
}

impl core::error::Error for AttributeMismatch {}

/// The name of a format's attribute of this number: a, b, …, z, aa, ab, …
///
/// ```
/// use binfmt::formats::scidb::column_name;
/// assert_eq!([0, 25, 26, 27, 701, 702].map(column_name), ["a", "z", "aa", "ab", "zz", "aaa"]);
/// ```
#[must_use]
pub fn column_name(i: usize) -> String {
    let mut name = Vec::new();
    let mut rest = Some(i);
    while let Some(n) = rest {
        name.push(char::from(b'a' + (n % 26) as u8));
        rest = (n / 26).checked_sub(1);
    }
    name.iter().rev().collect()
}
