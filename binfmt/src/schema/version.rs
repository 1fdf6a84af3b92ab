//! A layout as one of its versions has it.

use super::types::{Description, Field, Type};
use super::{Schema, expr};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

impl Schema {
    /// The layout of one version, where structs and enums in it say their `version`: without the fields that it does not have,
    /// and with those that it has as they are.
    ///
    /// A field whose `since` or `until_version` is not a number or a constant that is one stays conditional.
    ///
    /// ```
    /// use binfmt::{BinFormat, Describe};
    /// #[derive(BinFormat)]
    /// #[binfmt(version = version)]
    /// struct Header {
    ///     version: u8,
    ///     #[binfmt(until_version = 3)]
    ///     name: Option<[u8; 4]>,
    ///     #[binfmt(since = 3)]
    ///     id: Option<u32>,
    /// }
    /// assert_eq!(Header::SCHEMA.at_version(2).to_string(), "Header: record\n  version: u8\n  name: bytes, count = 4\n");
    /// assert_eq!(Header::SCHEMA.at_version(3).to_string(), "Header: record\n  version: u8\n  id: u32\n");
    /// ```
    pub fn at_version(&self, version: u64) -> Schema {
        let mut description: Description = self.description().into_owned();
        let version = i128::from(version);
        description.definitions.values_mut().for_each(|ty| select(ty, version));
        select(&mut description.root, version);
        description.into()
    }
}

/// Only what is a struct or enum itself has versions.
fn select(ty: &mut Type, version: i128) {
    match ty {
        Type::Record(record) => fields(&mut record.fields, version),
        Type::Choice(choice) => {
            choice.variants.iter_mut().for_each(|variant| fields(&mut variant.fields, version))
        }
        _ => {}
    }
}

fn fields(fields: &mut Vec<Field>, version: i128) {
    // the padding of a field has its condition, and no rule
    let known: BTreeMap<String, bool> = fields.iter().filter_map(|field| decided(field, version)).collect();
    fields.retain_mut(|field| {
        let Type::Conditional { condition, body, .. } = &mut field.ty else { return true };
        match known.get(condition) {
            None => true,
            Some(false) => false,
            Some(true) => {
                field.ty = core::mem::replace(&mut **body, Type::Unit);
                field.rules.retain(|rule| bound(rule, "since").or(bound(rule, "until_version")).is_none());
                true
            }
        }
    });
}

/// The condition of a field, and whether it holds.
fn decided(field: &Field, version: i128) -> Option<(String, bool)> {
    let Type::Conditional { condition, .. } = &field.ty else { return None };
    let of = |word: &str| field.rules.iter().find_map(|rule| bound(rule, word));
    let holds = match (of("since"), of("until_version")) {
        (None, None) => return None,
        (since, until) => {
            let (since, until) = (since.unwrap_or(Some(i128::MIN))?, until.unwrap_or(Some(i128::MAX))?);
            version >= since && version < until
        }
    };
    Some((condition.clone(), holds))
}

/// The number of a rule of this word; `Some(None)` if it is not a number.
fn bound(rule: &str, word: &str) -> Option<Option<i128>> {
    let number = rule.strip_prefix(word)?.trim_start().strip_prefix('=')?.trim();
    Some(expr::constant(number, 0).ok())
}
