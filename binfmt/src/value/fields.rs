//! The fields of a record.

use super::Value;
use crate::schema::Name;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// The names of the fields of a layout, which all records that are read along it share.
pub(crate) type Names = Arc<[Name]>;

/// The fields of a record in the order of the wire: their values, and their names.
///
/// Records that are read along one description share the names.
///
/// ```
/// use binfmt::value::{Fields, Value};
/// let point: Fields = [("x", 1u8), ("y", 2)].into_iter().collect();
/// assert_eq!(point.get("y"), Some(&Value::from(2u8)));
/// assert_eq!(point.names(), ["x", "y"]);
/// assert_eq!(point.values(), [Value::from(1u8), Value::from(2u8)]);
/// ```
#[derive(Clone, Default)]
pub struct Fields {
    /// As many as values.
    names: Names,
    values: Vec<Value>,
}

impl Fields {
    /// Values, one for each of these names.
    #[inline]
    pub(crate) fn new(names: &Names, values: Vec<Value>) -> Self {
        debug_assert_eq!(names.len(), values.len(), "each field has a name");
        Fields { names: Arc::clone(names), values }
    }

    /// How many.
    ///
    /// ```
    /// use binfmt::value::Fields;
    /// assert_eq!([("x", 1u8)].into_iter().collect::<Fields>().len(), 1);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(binfmt::value::Fields::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Their names.
    ///
    /// ```
    /// use binfmt::value::Fields;
    /// assert_eq!([("x", 1u8)].into_iter().collect::<Fields>().names(), ["x"]);
    /// ```
    #[inline]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Their values.
    ///
    /// ```
    /// use binfmt::value::{Fields, Value};
    /// assert_eq!([("x", 1u8)].into_iter().collect::<Fields>().values(), [Value::from(1u8)]);
    /// ```
    #[inline]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Their values, to be changed.
    ///
    /// ```
    /// use binfmt::value::{Fields, Value};
    /// let mut point: Fields = [("x", 1u8), ("y", 2)].into_iter().collect();
    /// point.values_mut()[1] = Value::from(3u8);
    /// assert_eq!(point.get("y"), Some(&Value::from(3u8)));
    /// ```
    pub fn values_mut(&mut self) -> &mut [Value] {
        &mut self.values
    }

    /// The values alone.
    ///
    /// ```
    /// use binfmt::value::{Fields, Value};
    /// assert_eq!([("x", 1u8)].into_iter().collect::<Fields>().into_values(), [Value::from(1u8)]);
    /// ```
    pub fn into_values(self) -> Vec<Value> {
        self.values
    }

    /// The value of a field.
    ///
    /// ```
    /// use binfmt::value::{Fields, Value};
    /// let point: Fields = [("x", 1u8)].into_iter().collect();
    /// assert_eq!((point.get("x"), point.get("y")), (Some(&Value::from(1u8)), None));
    /// ```
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(field, _)| **field == *name).map(|(_, value)| value)
    }

    /// All of them.
    ///
    /// ```
    /// use binfmt::value::Fields;
    /// let point: Fields = [("x", 1u8), ("y", 2)].into_iter().collect();
    /// let text: Vec<String> = point.iter().map(|(name, value)| format!("{name} = {value:?}")).collect();
    /// assert_eq!(text, ["x = Number(U8(1))", "y = Number(U8(2))"]);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &Value)> + Clone {
        self.names.iter().zip(&self.values)
    }

    /// Whether the names are these, in this order.
    #[inline]
    pub(super) fn has_names(&self, names: &Names) -> bool {
        self.shares(names) || self.names == *names
    }

    /// Whether these names are its own, as they are of a record that was read along their layout.
    #[inline]
    pub(super) fn shares(&self, names: &Names) -> bool {
        Arc::ptr_eq(&self.names, names)
    }
}

impl<N: Into<Name>, V: Into<Value>> FromIterator<(N, V)> for Fields {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        let (names, values): (Vec<Name>, Vec<Value>) =
            fields.into_iter().map(|(name, value)| (name.into(), value.into())).unzip();
        Fields { names: names.into(), values }
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Fields) -> bool {
        self.has_names(&other.names) && self.values == other.values
    }
}

/// As a list of pairs.
impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec};

    #[test]
    fn records_of_one_layout_share_their_names() {
        let names: Names = ["x", "y"].map(Name::from).into();
        let one = Fields::new(&names, vec![1u8.into(), 2u8.into()]);
        let other: Fields = [("x", 1u8), ("y", 2)].into_iter().collect();
        assert!(Arc::ptr_eq(&one.names, &names) && !Arc::ptr_eq(&other.names, &names));
        assert!(one.has_names(&names) && other.has_names(&names));
        assert_eq!(one, other);
        assert_ne!(one, [("x", 1u8), ("z", 2)].into_iter().collect());
        assert_ne!(one, [("y", 1u8), ("x", 2)].into_iter().collect());
        assert_ne!(one, [("x", 1u8)].into_iter().collect());
        assert_eq!(
            format!("{:?}", Value::Record(one)),
            r#"Record([("x", Number(U8(1))), ("y", Number(U8(2)))])"#
        );
    }
}
