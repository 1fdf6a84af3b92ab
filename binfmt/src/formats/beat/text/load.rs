//! From JSON to declarations: references are resolved, `#extends` is merged.

use super::error::DeclarationError;
use super::format::{Basic, FieldType, Format, MAX_DEPTH, too_deep};
use super::json::{self, Json, Kind};
use super::name::{FormatName, is_field_name};
use crate::schema::Name;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The most dimensions of an array: what the platform's own backend can hold.
const MAX_RANK: usize = 32;

/// Gives the JSON of a name, or says why it has none.
type Find<'f> = dyn FnMut(&str) -> Result<String, String> + 'f;

/// Loads a declaration and those that it refers to, each once.
pub(super) struct Loader<'f> {
    find: &'f mut Find<'f>,
    done: BTreeMap<String, Arc<Format>>,
    /// Names of the declarations that are being loaded, outermost first.
    open: Vec<String>,
    /// Objects around the place that is read, in all declarations that are open.
    level: usize,
}

impl<'f> Loader<'f> {
    pub(super) fn new(find: &'f mut Find<'f>) -> Self {
        Loader { find, done: BTreeMap::new(), open: Vec::new(), level: 0 }
    }

    /// One level deeper; every `enter` that succeeds is followed by a `leave`, or by the end of everything.
    fn enter(&mut self, at: usize) -> Result<(), DeclarationError> {
        if self.level == MAX_DEPTH {
            return Err(DeclarationError::at(at, too_deep()));
        }
        self.level += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.level -= 1;
    }

    /// The format of a name that is at byte `at` of the declaration that refers to it.
    pub(super) fn named(&mut self, name: &str, at: usize) -> Result<Arc<Format>, DeclarationError> {
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
    pub(super) fn declared(
        &mut self,
        text: &str,
        name: Option<FormatName>,
    ) -> Result<Arc<Format>, DeclarationError> {
        let json = json::parse(text)?;
        let Kind::Object(entries) = &json.kind else {
            return Err(DeclarationError::at(json.at, "expected an object".into()));
        };
        self.object(entries, name, json.at)
    }

    /// The format of the results of an algorithm, whose declaration this is: each has a type.
    #[cfg(feature = "std")]
    pub(super) fn results(&mut self, text: &str) -> Result<Arc<Format>, DeclarationError> {
        let json = json::parse(text)?;
        let missing =
            || DeclarationError::at(json.at, "expected an object with the `results` of an analyzer".into());
        let Kind::Object(entries) = &json.kind else { return Err(missing()) };
        let results = entries.iter().find(|(key, _)| key == "results").map(|(_, results)| results);
        let Some(Json { kind: Kind::Object(results), at }) = results else { return Err(missing()) };
        let mut fields = Vec::new();
        for (name, result) in results {
            let parts = match &result.kind {
                Kind::Object(parts) => parts.as_slice(),
                _ => &[],
            };
            let Some((_, ty)) = parts.iter().find(|(key, _)| key == "type") else {
                return Err(DeclarationError::at(result.at, format!("the result `{name}` has no `type`")));
            };
            fields.push((name.clone(), ty.clone()));
        }
        self.object(&fields, None, *at)
    }

    /// The format of an object: that of a whole text, or one that is declared where it is used.
    fn object(
        &mut self,
        entries: &[(String, Json)],
        name: Option<FormatName>,
        at: usize,
    ) -> Result<Arc<Format>, DeclarationError> {
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
        Format::new(name, fields).map_err(|text| DeclarationError::at(at, text))
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
                let format = self.object(entries, None, json.at)?;
                self.leave();
                Ok(FieldType::Object(format))
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
