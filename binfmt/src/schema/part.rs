//! One type of a description alone.

use super::text::names_of;
use super::types::{Description, Type};

impl Description {
    /// The description of one of its types, with those that it consists of. A byte order that it has from where it is used is left open.
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// let file: Description = "Log: record, le\n  from: Head\n  n: u16\n\nHead: record\n  id: u32\n".parse()?;
    /// assert_eq!(file.only("Head").unwrap().to_string(), "Head: record\n  id: u32\n");
    /// assert_eq!(file.only("Tail"), None);
    /// # Ok::<(), binfmt::schema::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn only(&self, name: &str) -> Option<Description> {
        let is_root = matches!(&self.root, Type::Record(record) if record.name == name)
            || matches!(&self.root, Type::Choice(choice) if choice.name == name);
        let root = match self.definitions.contains_key(name) {
            true => Type::Named(name.into()),
            false if is_root => self.root.clone(),
            false => return None,
        };
        let needed = names_of(self, &root).into_iter();
        let named = |name| self.definitions.get_key_value(name).map(|(name, ty)| (name.clone(), ty.clone()));
        let definitions = needed.filter_map(named).collect();
        Some(Description { root, definitions })
    }
}
