//! Fragments put together, and the removal of what is then in the way.

use super::insert::random_id;
use crate::formats::tiledb::array::{Array, METADATA_FILE};
use crate::formats::tiledb::layout::ArrayType;
use crate::formats::tiledb::storage::{FragmentName, Storage, io_error};
use crate::numbers::Number;
use crate::{ErrorKind, Result};
use std::cmp::Ordering;

/// What [`Array::vacuum`] has removed, and what it has left.
///
/// ```
/// assert!(binfmt::formats::tiledb::Vacuumed::default().replaced.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vacuumed {
    /// Fragments that a consolidated one stands for.
    pub replaced: Vec<FragmentName>,
    /// What writers have left that ended before their fragment was whole.
    pub leftovers: Vec<FragmentName>,
    /// The same, which may be those of a writer that is at work: they are there.
    pub spared: Vec<FragmentName>,
}

impl<S: Storage> Array<S> {
    /// Writes the cells of all fragments as one, which every reader takes in their place, and gives its name; `None` if there are not two
    /// fragments. What it replaces stays for those who read the array as it was before, until [`vacuum`](Self::vacuum).
    ///
    /// In a dense array it covers the smallest region with all that was written; cells in it that never were have the fill value, with which
    /// they are read anyway. The cells are held in memory.
    ///
    /// # Errors
    /// The cells cannot be read or written, all fragments are of one time, or a fragment that another program has written in the
    /// meantime would no longer be seen.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let mut array = OpenOptions::new().create(Memory::new(), schema)?;
    /// for (from, to, values) in [(1, 4, vec![1, 2, 3, 4]), (2, 3, vec![8, 9])] {
    ///     let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(values)).unwrap();
    ///     array.insert().range("x", from..=to).column("a", a).write()?;
    /// }
    /// let whole = array.consolidate()?.unwrap();
    /// assert_eq!((array.fragments().len(), array.fragments()[0].name()), (1, &whole));
    /// assert_eq!(array.read()?.column("a").unwrap().values(), &Numbers::I32(vec![1, 8, 9, 4]));
    /// assert_eq!(array.vacuum(0)?.replaced.len(), 2);
    /// assert_eq!(array.consolidate()?, None);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn consolidate(&mut self) -> Result<Option<FragmentName>> {
        let times = self.fragments.iter().map(|fragment| fragment.name.timestamps());
        let all = times.reduce(|(first, last), (other, end)| (first.min(other), last.max(end)));
        let Some((first, last)) = all.filter(|_| self.fragments.len() > 1) else { return Ok(None) };
        if first == last {
            let text = "fragments that were all written at one time: none could stand for the others";
            return Err(ErrorKind::unsupported("consolidation", text).into());
        }
        let name = FragmentName::new(first, last, random_id()?)
            .ok_or_else(|| ErrorKind::invalid("fragment timestamp", last, ""))?;
        let is_dense = self.schema.array_type == ArrayType::Dense;
        let region = if is_dense { self.written() } else { Vec::new() };
        let mut query = self.query();
        for (dimension, [low, high]) in region.iter().enumerate() {
            query = query.range_of(dimension, *low..=*high);
        }
        let (coords, columns) = query.read()?.into_parts();
        self.check_hides_no_other(&name)?;
        let mut insert = self.insert().named(name);
        for (dimension, [low, high]) in region.iter().enumerate() {
            insert = insert.range_of(dimension, *low..=*high);
        }
        if !is_dense {
            insert = insert.coords(coords.into_iter().map(|(_, values)| values));
        }
        for (attribute, column) in columns {
            insert = insert.column(attribute, column);
        }
        let name = insert.write()?;
        self.fragments.retain(|fragment| fragment.name == name);
        Ok(Some(name))
    }

    /// The smallest region with the regions of all fragments.
    fn written(&self) -> Vec<[Number; 2]> {
        let mut regions = self.fragments.iter().map(|fragment| &fragment.metadata.footer.non_empty_domain);
        let mut all = regions.next().cloned().unwrap_or_default();
        for region in regions {
            for ([low, high], [other_low, other_high]) in all.iter_mut().zip(region) {
                if other_low.compare(*low) == Some(Ordering::Less) {
                    *low = *other_low;
                }
                if other_high.compare(*high) == Some(Ordering::Greater) {
                    *high = *other_high;
                }
            }
        }
        all
    }

    /// What was written since the array was opened would be taken for a part of what was put together.
    fn check_hides_no_other(&self, name: &FragmentName) -> Result<()> {
        let is_known = |other: &FragmentName| {
            self.fragments.iter().any(|fragment| fragment.name == *other || fragment.name.hides(other))
        };
        for other in self.names()?.into_iter().filter(|other| name.hides(other) && !is_known(other)) {
            if self.is_whole(&other)? {
                let text = format!("{other} would never be seen: open the array again");
                return Err(ErrorKind::unsupported("consolidation", text).into());
            }
        }
        Ok(())
    }

    /// Removes the fragments that a consolidated one stands for, and what writers have left that were killed before their fragment was
    /// whole, which no reader sees. Of these only what was begun before a time, in milliseconds since 1970: a writer may be at work.
    ///
    /// The array can no longer be read as it was before it was consolidated.
    ///
    /// # Errors
    /// A folder cannot be listed, or a file cannot be removed; what was removed before is gone.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let array = OpenOptions::new().create(Memory::new(), schema)?;
    /// array.storage().write("__7_7_0123456789abcdef0123456789abcdef/a.tdb", b"half")?;
    /// assert_eq!(array.vacuum(7)?.spared.len(), 1);
    /// assert_eq!(array.vacuum(8)?.leftovers.len(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn vacuum(&self, before: u64) -> Result<Vacuumed> {
        let mut done = Vacuumed::default();
        let (mut whole, mut begun) = (Vec::new(), Vec::new());
        for name in self.names()? {
            if self.is_whole(&name)? { whole.push(name) } else { begun.push(name) }
        }
        for name in &whole {
            if whole.iter().any(|other| other.hides(name)) {
                self.remove(name)?;
                done.replaced.push(name.clone());
            }
        }
        for name in begun {
            if name.timestamps().0 < before {
                self.remove(&name)?;
                done.leftovers.push(name);
            } else {
                done.spared.push(name);
            }
        }
        Ok(done)
    }

    /// The names of all fragments that are there, whole or not, the oldest first.
    fn names(&self) -> Result<Vec<FragmentName>> {
        let names = self.storage.list("").map_err(|e| io_error(e, "."))?;
        let mut names: Vec<FragmentName> =
            names.iter().filter_map(|name| FragmentName::parse(name)).collect();
        names.sort();
        Ok(names)
    }

    fn is_whole(&self, name: &FragmentName) -> Result<bool> {
        let path = format!("{name}/{METADATA_FILE}");
        Ok(self.storage.size(&path).map_err(|e| io_error(e, &path))?.is_some())
    }

    /// Removes a fragment: first what makes it one, so that who is stopped in between leaves none that is damaged.
    fn remove(&self, name: &FragmentName) -> Result<()> {
        let metadata = format!("{name}/{METADATA_FILE}");
        self.storage.delete(&metadata).map_err(|e| io_error(e, &metadata))?;
        for file in self.storage.list(name.as_str()).map_err(|e| io_error(e, name.as_str()))? {
            let path = format!("{name}/{file}");
            self.storage.delete(&path).map_err(|e| io_error(e, &path))?;
        }
        // nothing is left of it but, if nothing was in it, the folder
        self.storage.delete(name.as_str()).map_err(|e| io_error(e, name.as_str()))
    }
}
