//! What a type needs to know and a field passes to it: `ctx(kind: u8)` of the type, `args(*kind)` of the field.
//!
//! Both are rules, as text; here the text is taken apart.

use super::DEEPEST;
use super::read::parts;
use super::types::{Choice, Extent, Field, Record, Type};
use alloc::string::String;
use alloc::vec::Vec;

impl Record {
    /// The parameters of `ctx(..)`, each with its name and its Rust type.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// let row: Description = "Row: record, ctx(columns: usize)\n  cells: bytes, count = columns\n".parse()?;
    /// let Type::Record(record) = &row.definitions["Row"] else { unreachable!() };
    /// assert_eq!(record.parameters(), [("columns", "usize")]);
    /// # Ok::<(), binfmt::schema::SyntaxError>(())
    /// ```
    pub fn parameters(&self) -> Vec<(&str, &str)> {
        parameters(&self.rules)
    }
}

impl Choice {
    /// The parameters of `ctx(..)`, each with its name and its Rust type.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// let text = "Body: choice, tag_from = kind, ctx(kind: u8)\n  1 => Byte\n    0: u8\n";
    /// let body: Description = text.parse()?;
    /// let Type::Choice(choice) = &body.definitions["Body"] else { unreachable!() };
    /// assert_eq!(choice.parameters(), [("kind", "u8")]);
    /// # Ok::<(), binfmt::schema::SyntaxError>(())
    /// ```
    pub fn parameters(&self) -> Vec<(&str, &str)> {
        parameters(&self.rules)
    }
}

impl Type {
    /// The parameters that it has itself.
    pub(crate) fn parameters(&self) -> Vec<(&str, &str)> {
        parameters(self.rules())
    }

    /// The defaults of its parameters, of which those without one come first.
    pub(crate) fn defaults(&self) -> Vec<Option<&str>> {
        each(self.rules()).map(|parameter| parameter.default).collect()
    }

    fn rules(&self) -> &[String] {
        match self {
            Type::Record(record) => &record.rules,
            Type::Choice(choice) => &choice.rules,
            _ => &[],
        }
    }

    /// The name of the type to which a field passes its arguments: that in lists, too, unless each element is passed its own.
    pub(crate) fn called(&self) -> Option<&str> {
        let mut ty = self;
        for _ in 0..DEEPEST {
            match ty {
                Type::Named(name) => return Some(name),
                Type::List { len: Extent::Each(_), .. } => return None,
                _ => ty = ty.body()?,
            }
        }
        None
    }
}

impl Field {
    /// What the field passes to its type, each a Rust expression over earlier fields and context: those of `args(..)`, without
    /// the names that the call may give them, or that of `tag_from`.
    ///
    /// ```
    /// use binfmt::schema::{Field, Type};
    /// let mut field = Field::new("body", Type::Named("Body".into()));
    /// field.rules.push("args(rows = *n * 2, b\",\")".into());
    /// assert_eq!(field.arguments(), ["*n * 2", "b\",\""]);
    /// ```
    pub fn arguments(&self) -> Vec<&str> {
        let said = self.rules.iter().find_map(|rule| said(rule));
        said.map_or_else(Vec::new, |said| parts(said).into_iter().map(value).collect())
    }

    /// The same in one text, as it stands in the rules.
    pub(super) fn call(&self) -> Option<&str> {
        self.rules.iter().find_map(|rule| said(rule))
    }
}

/// What a rule of a field passes, if it is one that does.
fn said(rule: &str) -> Option<&str> {
    match rule.strip_prefix("args(") {
        Some(inside) => inside.strip_suffix(')'),
        None => rule.strip_prefix("tag_from")?.trim_start().strip_prefix('='),
    }
}

/// An argument without the name that it may have: `rows = *n`.
fn value(argument: &str) -> &str {
    match argument.split_once('=') {
        Some((name, value)) if is_name(name.trim()) && !value.starts_with('=') => value.trim(),
        _ => argument,
    }
}

/// What `ctx(..)` among the rules of a type says.
pub(crate) fn parameters(rules: &[String]) -> Vec<(&str, &str)> {
    each(rules).map(|Parameter { name, ty, .. }| (name, ty)).collect()
}

/// A parameter as it stands in the rules: `extra: u8 = 1`.
pub(crate) struct Parameter<'r> {
    pub(crate) name: &'r str,
    ty: &'r str,
    pub(crate) default: Option<&'r str>,
}

pub(crate) fn each(rules: &[String]) -> impl Iterator<Item = Parameter<'_>> {
    let inside = rules.iter().find_map(|rule| rule.strip_prefix("ctx(")?.strip_suffix(')'));
    // a comma in angles is in a type: what comes after it has no name
    inside.map(parts).into_iter().flatten().filter_map(parameter)
}

fn parameter(text: &str) -> Option<Parameter<'_>> {
    let (name, ty) = text.split_once(':')?;
    let name = name.trim();
    let name = name.strip_prefix("r#").unwrap_or(name);
    // `=` in a type is in angles, without blanks or with a name before it
    let (ty, default) = match ty.split_once(" = ") {
        Some((ty, default)) if !ty.contains('<') || ty.contains('>') => (ty, Some(default.trim())),
        _ => (ty, None),
    };
    (is_name(name) && !ty.starts_with(':')).then(|| Parameter { name, ty: ty.trim(), default })
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn parameters_and_their_types() {
        let rules = ["assert(a < b)", "ctx(a: u8, r#type: &[u8; 4], m: HashMap<a::A, b::B>, d: u8 = 1 + 1)"];
        let rules = rules.map(ToString::to_string);
        let names: Vec<&str> = parameters(&rules).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "type", "m", "d"]);
        assert_eq!(parameters(&rules)[1].1, "&[u8; 4]");
        assert_eq!(parameters(&rules)[3].1, "u8");
        let defaults: Vec<_> = each(&rules).map(|parameter| parameter.default).collect();
        assert_eq!(defaults, [None, None, None, Some("1 + 1")]);
        assert_eq!(parameters(&[]), []);
    }

    #[test]
    fn arguments() {
        for (rule, expected) in [
            ("args(*n)", &["*n"][..]),
            ("args(rows = a == b, extra = f(1, 2))", &["a == b", "f(1, 2)"]),
            ("tag_from = kind", &["kind"]),
            ("range = 1..=9", &[]),
        ] {
            let mut field = Field::new("f", Type::Unit);
            field.rules.push(rule.into());
            assert_eq!(field.arguments(), expected, "{rule}");
        }
    }
}
