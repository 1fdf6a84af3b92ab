//! How much there is of something.

/// Parts of a file that are tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) count: u64,
    /// One of them, as people call it.
    pub(crate) unit: &'static str,
    /// Whether all are one table, too.
    pub(crate) is_one_table: bool,
}

/// How much was read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// What was counted, in the singular and the plural.
    pub(crate) unit: (&'static str, &'static str),
    pub(crate) bytes: u64,
}
