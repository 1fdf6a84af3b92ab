//! Where the fields of a layout lie.

use super::DEEPEST;
use super::size::Measured;
use super::text::{one_line, shown};
use super::types::{Description, Record, Type};
use crate::wire::amount::{plus, times};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Bytes of paths that the fields inside records may take, with some for each: sixty thousand fields with short names. Twenty types
/// of two fields of the next have a million.
const MOST: usize = 1 << 22;
/// What a field counts beside its path.
const EACH: usize = 48;

/// A field of a layout, and where it lies.
///
/// See [`Description::places`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The names of the fields that it is in, and its own, with dots between; empty of bytes that are in no field.
    pub path: String,
    /// The byte where it begins; `None` after something whose size depends on its value.
    pub offset: Option<u64>,
    /// The fewest bytes that it takes.
    pub min: u64,
    /// The most, if there is a limit.
    pub max: Option<u64>,
    /// Its type in words.
    pub ty: String,
    /// Whether it is a record whose fields are not listed, because there are too many or it is too deep in others.
    pub folded: bool,
    /// How many bits it is of an integer, which the first of its fields begins: that one takes the bytes, the others none.
    pub bits: Option<u8>,
}

impl Description {
    /// Where the fields lie, each record before the fields inside it. None of a type that is not a record.
    ///
    /// Every field of the record itself is listed. Fields inside it are, 256 types deep, up to some ten thousand: what is left out is
    /// [`folded`](Place::folded).
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// let layout: Description = "Row: record, le\n  a: u16\n  name: text, length_prefixed(u8)\n  b: f64\n".parse()?;
    /// let places = layout.places();
    /// assert_eq!(places.iter().map(|place| place.offset).collect::<Vec<_>>(), [Some(0), Some(2), None]);
    /// assert_eq!((places[1].path.as_str(), places[1].min, places[1].max), ("name", 1, None));
    /// assert_eq!(places[2].ty, "f64");
    /// # Ok::<(), binfmt::schema::SyntaxError>(())
    /// ```
    pub fn places(&self) -> Vec<Place> {
        let (around, found) = (Vec::new(), Vec::new());
        let mut walk = Walk { layout: self, sizes: Measured::new(self), around, found, room: MOST };
        if let Some(record) = walk.record(&self.root) {
            walk.fields(record, "", Some(0));
        }
        walk.found
    }
}

struct Walk<'d> {
    layout: &'d Description,
    sizes: Measured<'d>,
    /// The records that the next field is in.
    around: Vec<&'d Record>,
    found: Vec<Place>,
    /// What is left of [`MOST`].
    room: usize,
}

impl<'d> Walk<'d> {
    /// The record that a type is, if it is not one that it is already in.
    fn record(&self, ty: &'d Type) -> Option<&'d Record> {
        match self.layout.resolve(ty)? {
            Type::Ordered { body, .. } => self.record(body),
            Type::Record(record) => {
                let inside = self.around.iter().any(|around| core::ptr::eq(*around, record));
                (!inside).then_some(record)
            }
            _ => None,
        }
    }

    /// Whether the fields of a record are listed, too; takes what they need.
    fn has_room(&mut self, record: &Record, path: &str) -> bool {
        let needed = times(record.fields.len(), plus(path.len(), EACH));
        let left = self.room.checked_sub(needed).filter(|_| self.around.len() < DEEPEST as usize);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    fn fields(&mut self, record: &'d Record, front: &str, mut offset: Option<u64>) {
        self.around.push(record);
        for field in &record.fields {
            let sizes = self.sizes.of(&field.ty);
            let exact = sizes.exact().map(|n| n as u64);
            let path = match front.is_empty() || field.name.is_empty() {
                true => field.name.to_string(),
                false => format!("{front}.{}", field.name),
            };
            let max = (sizes.max < crate::wire::OPEN).then_some(sizes.max as u64);
            let inner = self.record(&field.ty);
            let listed = inner.filter(|inner| self.has_room(inner, &path));
            self.found.push(Place {
                path: path.clone(),
                offset,
                min: sizes.min as u64,
                max,
                ty: one_line(&shown(&field.ty, false)).into_owned(),
                folded: inner.is_some() && listed.is_none(),
                bits: bits(&field.ty),
            });
            if let Some(inner) = listed {
                self.fields(inner, &path, offset);
            }
            offset = offset.zip(exact).and_then(|(at, n)| at.checked_add(n));
        }
        self.around.pop();
    }
}

fn bits(ty: &Type) -> Option<u8> {
    match ty.unordered() {
        Type::Bits { bits, .. } => Some(*bits),
        _ => None,
    }
}
