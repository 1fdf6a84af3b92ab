//! Columns through serde: text as a list of strings, the others as their parts, which must fit together when they are
//! read.

use super::data::{ColumnData, TextColumn};
use super::list::ListColumn;
use super::nullable::NullableColumn;
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

impl Serialize for TextColumn {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = TextColumn;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a list of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<TextColumn, A::Error> {
        let mut column = TextColumn::new();
        while let Some(text) = list.next_element::<String>()? {
            column.push(&text);
        }
        Ok(column)
    }
}

impl<'de> Deserialize<'de> for TextColumn {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_seq(Texts)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct List<O, C> {
    offsets: O,
    items: C,
}

impl<C: Serialize> Serialize for ListColumn<C> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        List { offsets: self.offsets(), items: self.items() }.serialize(s)
    }
}

impl<'de, C: ColumnData + Deserialize<'de>> Deserialize<'de> for ListColumn<C> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let List { offsets, items } = List::<Vec<usize>, C>::deserialize(d)?;
        ListColumn::from_parts(offsets, items)
            .ok_or_else(|| D::Error::custom("the offsets do not fit these items"))
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Maybe<O, C> {
    codes: O,
    values: C,
    present: u8,
}

impl<C: Serialize> Serialize for NullableColumn<C> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        Maybe { codes: self.codes(), values: self.values(), present: self.present() }.serialize(s)
    }
}

impl<'de, C: ColumnData + Deserialize<'de>> Deserialize<'de> for NullableColumn<C> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let Maybe { codes, values, present } = Maybe::<Vec<u8>, C>::deserialize(d)?;
        NullableColumn::from_parts(codes, values, present)
            .ok_or_else(|| D::Error::custom("there are not as many codes as values"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::containers::nullable::Nullable;

    #[test]
    fn there_and_back() {
        let texts = TextColumn::from_iter(["a", "", "é"]);
        let json = serde_json::to_string(&texts).unwrap();
        assert_eq!(json, r#"["a","","é"]"#);
        assert_eq!(serde_json::from_str::<TextColumn>(&json).unwrap(), texts);
        let lists = ListColumn::from_iter([[1u16, 2], [3, 4]]);
        let json = serde_json::to_string(&lists).unwrap();
        assert_eq!(json, r#"{"offsets":[0,2,4],"items":[1,2,3,4]}"#);
        assert_eq!(serde_json::from_str::<ListColumn<Vec<u16>>>(&json).unwrap(), lists);
        let missing = NullableColumn::from_iter([Nullable::Value(7), Nullable::Missing(3)]);
        let json = serde_json::to_string(&missing).unwrap();
        assert_eq!(json, r#"{"codes":[255,3],"values":[7,0],"present":255}"#);
        assert_eq!(serde_json::from_str::<NullableColumn<Vec<i32>>>(&json).unwrap(), missing);
    }

    #[test]
    fn parts_that_do_not_fit() {
        for json in [
            r#"{"offsets":[0,3],"items":[1]}"#,
            r#"{"offsets":[1],"items":[1]}"#,
            r#"{"offsets":[],"items":[]}"#,
        ] {
            assert!(serde_json::from_str::<ListColumn<Vec<u16>>>(json).is_err(), "{json}");
        }
        let json = r#"{"codes":[255],"values":[],"present":255}"#;
        assert!(serde_json::from_str::<NullableColumn<Vec<i32>>>(json).is_err());
    }
}
