//! Byte order as a type and as a value.

/// Little-endian, as a type parameter.
pub use byteorder::LittleEndian as Le;

/// Big-endian, as a type parameter.
pub use byteorder::BigEndian as Be;

/// A byte order as a type: the type parameter of every codec.
///
/// It is [`byteorder::ByteOrder`] with one constant, and [`Le`] and [`Be`] are its only two types.
///
/// ```
/// use binfmt::{Be, Le, Order};
/// assert!(Le::LE && !Be::LE);
/// ```
pub trait Order: byteorder::ByteOrder + 'static {
    /// Whether the least significant byte comes first.
    const LE: bool;
}

impl Order for Le {
    const LE: bool = true;
}

impl Order for Be {
    const LE: bool = false;
}

/// A byte order as a value: chosen at run time, once for a whole call.
///
/// ```
/// use binfmt::{Endian, Options};
/// let n: u16 = binfmt::from_slice_with(&[1, 0], &Options::new().endian(Endian::Big))?;
/// assert_eq!(n, 256);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Endian {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// A byte order that is a type.
    pub(crate) const fn of<O: Order>() -> Self {
        if O::LE { Endian::Little } else { Endian::Big }
    }

    /// The byte order of this machine.
    ///
    /// ```
    /// let first = 1u16.to_ne_bytes()[0];
    /// assert_eq!(binfmt::Endian::native() == binfmt::Endian::Little, first == 1);
    /// ```
    pub const fn native() -> Self {
        if cfg!(target_endian = "little") { Endian::Little } else { Endian::Big }
    }
}
