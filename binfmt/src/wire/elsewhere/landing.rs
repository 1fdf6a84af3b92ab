//! Where a part is written: from where its position counts, and the positions of parts that float.

/// The first position that is not real.
pub(crate) const FLOATING: u64 = 1 << 63;
/// The bits of a position in a floating part.
pub(super) const BITS: u32 = 40;
pub(super) const LARGEST: u64 = (1 << BITS) - 1;

/// Whether a position is the first of a floating part.
pub(crate) fn is_float(at: u64) -> bool {
    at >= FLOATING && at & LARGEST == 0
}

/// From where the position of a part counts when writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// From a container, so that it belongs to the region of that.
    Container,
    /// From the first byte of the output, so that it belongs to no region.
    File,
    /// That many bytes before the end of the region or output. Such a part floats, too.
    End(u64),
}
