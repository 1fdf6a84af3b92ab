//! New arrays.

use crate::formats::tiledb::array::{Array, LOCK_FILE, Options, SCHEMA_FILE};
use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::metadata::later::SCHEMA_FOLDER;
use crate::formats::tiledb::storage::{Storage, in_file, io_error};
use crate::{Error, Result};
use std::io;

/// The name of an attribute without one.
const ANONYMOUS: &str = "__attr";

impl Options {
    /// Makes an array without cells. With a key, all of it is encrypted. An attribute without a name is called `__attr`, as
    /// libtiledb has it.
    ///
    /// # Errors
    /// There is an array already; the schema cannot be written ([`ArraySchema::check`]), or is not one that libtiledb
    /// would read: two dimensions or attributes of the same name, a dense array without attributes or with tiles that end
    /// beyond the type of the coordinates, filters that the format does not have; the files cannot be written.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// assert!(array.fragments().is_empty());
    /// assert!(Options::new().create(array.storage(), array.schema().clone()).is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn create<S: Storage>(&self, storage: S, schema: ArraySchema) -> Result<Array<S>> {
        self.write_schema(&storage, schema)?;
        self.open(storage)
    }

    fn write_schema(&self, storage: &dyn Storage, mut schema: ArraySchema) -> Result<()> {
        let exists = |file| in_file(Error::other("an array exists already"), file);
        if storage.size(SCHEMA_FILE).map_err(|e| io_error(e, SCHEMA_FILE))?.is_some() {
            return Err(exists(SCHEMA_FILE));
        }
        if storage.list("").map_err(|e| io_error(e, "."))?.iter().any(|name| name == SCHEMA_FOLDER) {
            return Err(exists(SCHEMA_FOLDER));
        }
        for attribute in schema.attributes.iter_mut().filter(|attribute| attribute.name.is_empty()) {
            // as libtiledb calls one without a name
            attribute.name = ANONYMOUS.into();
        }
        let bytes = schema.to_file(self.encryption_key())?;
        schema.check_new()?;
        storage.write(LOCK_FILE, &[]).map_err(|e| io_error(e, LOCK_FILE))?;
        // of two that come at the same time one makes the array
        storage.create_new(SCHEMA_FILE, &bytes).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => exists(SCHEMA_FILE),
            _ => io_error(e, SCHEMA_FILE),
        })
    }
}
