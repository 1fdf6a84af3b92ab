//! What files have in common, of whatever format: how they are opened and made, and that their rows are in pieces.

/// Implements `TableFormat`: a format with this name, whose files begin with these bytes.
#[cfg(any(feature = "ipc", feature = "parquet"))]
macro_rules! file_format {
    ($Format:ident, $name:literal, $mark:literal, $Table:ident, $Writer:ident, $usual:expr) => {
        impl binfmt::table::TableFormat for $Format {
            fn name(&self) -> &'static str {
                $name
            }

            fn detect(&self, probe: &binfmt::table::Probe<'_>) -> bool {
                probe.head.starts_with($mark)
            }

            fn open(
                &self,
                storage: Arc<dyn Storage>,
                path: &str,
                settings: &binfmt::table::Settings,
            ) -> Result<Arc<dyn Table>> {
                settings.check(&[])?;
                Ok(Arc::new($Table::open(storage, path)?))
            }

            fn writes(&self) -> bool {
                true
            }

            fn write_settings(&self) -> &'static [binfmt::table::Setting] {
                crate::options::WRITE_SETTINGS
            }

            fn create(
                &self,
                storage: Arc<dyn Storage>,
                path: &str,
                schema: &TableSchema,
                settings: &binfmt::table::Settings,
            ) -> Result<Box<dyn binfmt::table::TableSink>> {
                let how = crate::options::of_settings(settings, $usual)?;
                let writer =
                    $Writer::with(binfmt::storage::StorageWriter::new(storage, path)?, schema, &how)?;
                Ok(Box::new(FileSink { writer, rows: 0 }))
            }
        }

        /// A file on its way.
        struct FileSink {
            writer: $Writer<binfmt::storage::StorageWriter>,
            rows: u64,
        }

        impl binfmt::table::TableSink for FileSink {
            fn write(&mut self, batch: Columns) -> Result<()> {
                self.rows = self.rows.saturating_add(batch.num_rows() as u64);
                self.writer.write(batch)
            }

            fn finish(self: Box<Self>) -> Result<binfmt::table::Written> {
                let bytes = self.writer.finish()?.finish()?;
                Ok(binfmt::table::Written::new(self.rows, bytes))
            }
        }
    };
}

/// The methods of `Table` of which its mapping and its pieces know all.
macro_rules! of_pieces {
    () => {
        fn schema(&self) -> &TableSchema {
            self.mapping.table_schema()
        }

        fn num_rows(&self) -> binfmt::table::Estimate {
            self.pieces.num_rows()
        }

        fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
            wanted.columns_of(self.schema())?;
            Ok(self.pieces.splits(wanted, parts))
        }
    };
}

#[cfg(any(feature = "ipc", feature = "parquet"))]
pub(crate) use file_format;
pub(crate) use of_pieces;
