//! What the fields of a column look like.

use super::lists::SeenLists;
use super::seen_times::SeenTimes;
use super::{ALL, CellType, Item, is_integer, is_padded, parsed, unblanked};
use crate::numbers::decimal;
use crate::table::Inferred;

/// What single values were so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::table) struct Scalars {
    ty: Option<CellType>,
    is_negative: bool,
    /// An integer is beyond those of `i64`.
    is_large: bool,
    /// A float does not have an integer exactly.
    is_wide: bool,
    times: SeenTimes,
}

impl Scalars {
    pub(in crate::table) fn add(&mut self, field: &[u8]) {
        let field = unblanked(field);
        let (is_integer, size) = (is_integer(field), decimal::integer(field).map(i64::unsigned_abs));
        let narrowest = match size {
            Some(_) if field != b"-0" => CellType::I64,
            None if !is_integer && decimal::float(field).is_some() => CellType::F64,
            _ => ALL.into_iter().find(|ty| ty.takes(field)).unwrap_or(CellType::Text),
        };
        if narrowest == CellType::Text && self.add_time(field) {
            return;
        }
        // as a float it would be another number, and without its zeros another word
        let is_beyond = (narrowest == CellType::F64 && is_integer && field != b"-0") || is_padded(field);
        let narrowest = if is_beyond { CellType::Text } else { narrowest };
        let size = || size.map(u128::from).or_else(|| parsed::<i128>(field).map(i128::unsigned_abs));
        self.is_wide |= is_integer && size().is_none_or(|size| size > 1 << 53);
        self.is_negative |= narrowest == CellType::I64 && field.starts_with(b"-");
        self.is_large |= narrowest == CellType::U64;
        self.ty = Some(match (self.ty, narrowest) {
            (None, found) => found,
            (Some(seen), found) if seen == found => seen,
            (Some(seen @ (CellType::I64 | CellType::U64 | CellType::F64)), found)
                if matches!(found, CellType::I64 | CellType::U64 | CellType::F64) =>
            {
                seen.max(found)
            }
            _ => CellType::Text,
        });
    }

    /// Adds a field if it is a time; whether it is.
    fn add_time(&mut self, field: &[u8]) -> bool {
        let Some(unit) = self.times.add(field) else { return self.times.is_none(field) };
        self.ty = Some(match self.ty {
            None => CellType::Time(unit),
            Some(CellType::Time(seen)) => CellType::Time(seen.max(unit)),
            Some(_) => CellType::Text,
        });
        true
    }

    /// Adds a text that is in quotes where numbers are not, so that it may be a time.
    pub(in crate::table) fn add_quoted(&mut self, text: &[u8]) {
        if !self.add_time(text) {
            self.add_text();
        }
    }

    /// Adds bytes that are said to be some.
    pub(in crate::table) fn add_bytes(&mut self) {
        self.ty = match self.ty {
            None | Some(CellType::Bytes) => Some(CellType::Bytes),
            Some(_) => Some(CellType::Text),
        };
    }

    /// Adds a text that is one, whatever it says.
    pub(in crate::table) fn add_text(&mut self) {
        self.ty = Some(CellType::Text);
    }

    /// The narrowest type that takes all of them, which may be items of a list.
    pub(in crate::table) fn item(self) -> Option<Item> {
        match self.cell_type() {
            CellType::Time(_) => Some(Item::Text),
            ty => ty.item(),
        }
    }

    /// The narrowest type that takes all of them.
    pub(in crate::table) fn cell_type(self) -> CellType {
        match self.ty {
            Some(CellType::Time(unit)) if self.times.are_of(unit) => CellType::Time(unit),
            Some(CellType::Time(_)) => CellType::Text,
            // the word for no time is one of other columns
            _ if self.times.has_none() => CellType::Text,
            Some(CellType::I64 | CellType::U64) => match (self.is_negative, self.is_large) {
                (true, true) => CellType::Text,
                (false, true) => CellType::U64,
                (_, false) => CellType::I64,
            },
            Some(CellType::F64) if self.is_wide => CellType::Text,
            ty => ty.unwrap_or(CellType::Text),
        }
    }
}

/// What a column is, and how that is known.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct Found {
    pub(in crate::table) ty: CellType,
    /// From what it is inferred, if nobody said it.
    pub(in crate::table) inferred: Option<Inferred>,
}

/// What the fields of a column were so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::table) struct Seen {
    scalars: Scalars,
    lists: SeenLists,
}

impl Seen {
    pub(in crate::table) fn add(&mut self, field: &[u8]) {
        self.scalars.add(field);
    }

    /// Whether there was no value so far.
    pub(in crate::table) fn is_nothing(self) -> bool {
        self.scalars.ty.is_none() && !self.scalars.times.has_none() && !self.lists.any()
    }

    /// What the column is, by its looks.
    pub(in crate::table) fn found(self) -> Found {
        let ty = self.cell_type();
        let inferred = match ty {
            _ if self.is_nothing() => Inferred::Nothing,
            CellType::Time(_) if self.scalars.times.are_zoned() => Inferred::Zoned,
            _ => Inferred::Values,
        };
        Found { ty, inferred: Some(inferred) }
    }

    /// Adds bytes that are said to be some.
    pub(in crate::table) fn add_bytes(&mut self) {
        self.scalars.add_bytes();
    }

    /// Adds a text that is in quotes where numbers are not.
    pub(in crate::table) fn add_quoted(&mut self, text: &[u8]) {
        self.scalars.add_quoted(text);
    }

    /// Adds a list or an object of JSON.
    pub(in crate::table) fn add_nested(&mut self, nested: &[u8]) {
        self.lists.add(nested);
    }

    /// The narrowest type that takes all of them.
    pub(in crate::table) fn cell_type(self) -> CellType {
        match (self.scalars.ty, self.lists.any(), self.lists.kind()) {
            (_, false, _) => self.scalars.cell_type(),
            (None, true, Some((item, depth))) => CellType::List(item, depth),
            (_, true, _) => CellType::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::TimeUnit;

    #[test]
    fn columns_are_as_narrow_as_their_fields_allow() {
        let of = |fields: &[&str]| {
            let mut seen = Seen::default();
            fields.iter().for_each(|field| seen.add(field.as_bytes()));
            seen.cell_type()
        };
        for (fields, expected) in [
            (&["1", "-2"][..], CellType::I64),
            (&["1", "18446744073709551615"], CellType::U64),
            (&["18446744073709551615", "-1"], CellType::Text),
            (&["-1", "18446744073709551615"], CellType::Text),
            (&["9007199254740993", "0.5"], CellType::Text),
            (&["9007199254740992", "0.5"], CellType::F64),
            (&["1", "1.5"], CellType::F64),
            (&["1e3", "nan", "-inf"], CellType::F64),
            // words of digits
            (&["1", "01234"], CellType::Text),
            (&["-07"], CellType::Text),
            (&["00.5"], CellType::Text),
            (&["+49"], CellType::Text),
            (&["0", "-1", "0.5"], CellType::F64),
            (&["+1.5", "+2e3"], CellType::F64),
            (&["-0"], CellType::F64),
            (&["true", "false"], CellType::Bool),
            (&["True", "FALSE", "false"], CellType::Bool),
            (&["tRUE"], CellType::Text),
            (&["true", "1"], CellType::Text),
            (&["1", "true"], CellType::Text),
            (&["1", "x"], CellType::Text),
            (&["infinity"], CellType::Text),
            // as a float it would be infinite
            (&["1e400"], CellType::Text),
            (&["0x00"], CellType::Text),
            (&["1", "2", "99999999999999999999999"], CellType::Text),
            (&["2024-03-01", " 1969-12-31 "], CellType::Time(TimeUnit::Day)),
            (&["2024-03-01", "NaT"], CellType::Time(TimeUnit::Day)),
            (&["2024-03-01", "2024-03-01T12:00:00"], CellType::Time(TimeUnit::Second)),
            (&["2024-03-01 12:00:00.5", "2024-03-01T12:00:00"], CellType::Time(TimeUnit::Milli)),
            (&["2024-03-01T12:00:00Z", "2024-03-01T12:00:00.000001+01:00"], CellType::Time(TimeUnit::Micro)),
            // what is local time is not among what is not
            (&["2024-03-01T12:00:00Z", "2024-03-01T12:00:00"], CellType::Text),
            // beyond the years that nanoseconds have in 64 bits
            (&["2024-03-01T12:00:00.000000001", "9999-12-31"], CellType::Text),
            (&["2024-03-01", "9999-12-31"], CellType::Time(TimeUnit::Day)),
            (&["2024-03-01", "20240301"], CellType::Text),
            (&["20240301"], CellType::I64),
            (&["2024-03-01", "n/a"], CellType::Text),
            (&["1", "2024-03-01"], CellType::Text),
            (&["1", "NaT"], CellType::Text),
            (&["NaT"], CellType::Text),
            (&["12:00"], CellType::Text),
            (&["2024-13-01"], CellType::Text),
        ] {
            assert_eq!(of(fields), expected, "{fields:?}");
        }
    }
}
