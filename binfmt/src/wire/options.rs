//! What the caller decides: byte order, limits, leniency, context.

use super::endian::Endian;

/// Byte order, limits and leniency of one call, and the context of the outermost type.
///
/// What a type fixes for itself (`le`, `be`) wins over the byte order given here.
///
/// ```
/// use binfmt::{Endian, Options};
/// let options = Options::new().endian(Endian::Big).max_depth(16).max_memory(1 << 20);
/// let n: u32 = binfmt::from_slice_with(&[0, 0, 1, 0], &options)?;
/// assert_eq!(n, 256);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Options<C = ()> {
    pub(crate) endian: Endian,
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
    /// The most bytes of an output.
    pub(crate) most: u64,
    pub(crate) ctx: C,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Little-endian, 128 levels deep, memory bounded by the input alone, strict.
    ///
    /// ```
    /// assert_eq!(binfmt::from_slice_with::<u8, _>(&[7], &binfmt::Options::new())?, 7);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub const fn new() -> Self {
        Options {
            endian: Endian::Little,
            limits: Limits::DEFAULT,
            policy: Policy::STRICT,
            most: u64::MAX,
            ctx: (),
        }
    }

    /// Says what [`huge_pages`](Self::huge_pages) is in this process where neither it nor the environment says anything: for programs that
    /// know what they do with the memory. Say it first: after the first large vector it is settled.
    ///
    /// ```
    /// use binfmt::Options;
    /// Options::prefer_huge_pages(true);
    /// # let values = binfmt::from_slice_with::<[u64; 1], _>(&[0; 8], &Options::new())?;
    /// # assert_eq!(values, [0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn prefer_huge_pages(on: bool) {
        crate::wire::raw::huge::prefer(on);
    }
}

impl<C> Options<C> {
    /// The byte order of everything that does not fix its own.
    ///
    /// ```
    /// use binfmt::{Endian, Options};
    /// let big = Options::new().endian(Endian::Big);
    /// assert_eq!(binfmt::to_vec_with(&1u16, &big)?, [0, 1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn endian(mut self, endian: Endian) -> Self {
        self.endian = endian;
        self
    }

    /// The deepest nesting of boxes and sequences that is followed, 128 by default.
    ///
    /// ```
    /// use binfmt::{ErrorKind, Options};
    /// let e = binfmt::from_slice_with::<Box<Box<u8>>, _>(&[1], &Options::new().max_depth(1)).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::DepthLimit { max: 1 }));
    /// ```
    #[must_use]
    pub fn max_depth(mut self, levels: u32) -> Self {
        self.limits.depth = levels;
        self
    }

    /// The most bytes of memory that one value, or one batch, may allocate; of a trace, with what is noted of its bytes.
    ///
    /// Without it the input bounds the memory: a length is believed only as far as bytes are there.
    ///
    /// ```
    /// use binfmt::{ErrorKind, Options};
    /// let e = binfmt::from_slice_with::<Box<u64>, _>(&[0; 8], &Options::new().max_memory(4)).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::MemoryLimit { requested: 8, remaining: 4 }));
    /// ```
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// The most bytes that one value, or one batch, may be written as. Without it nothing bounds them where the value itself says how
    /// much is written: by a position ([`at`](crate::attributes#at)), or by padding.
    ///
    /// What waits in memory to be written is bounded with it: by twice as many bytes.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// #[derive(BinFormat)]
    /// struct Far { place: u64, #[binfmt(at = *place)] part: [u8; 4] }
    /// let far = Far { place: 1 << 40, part: [1; 4] };
    /// let e = binfmt::to_vec_with(&far, &Options::new().max_output(1 << 20)).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::OutputLimit { .. }));
    /// ```
    #[must_use]
    pub fn max_output(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Room for `n` bytes, but no more than may be written.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn room(&self, n: usize) -> usize {
        if n as u64 > self.most { self.most as usize } else { n }
    }

    /// How many parts that lie elsewhere ([`at`](crate::attributes#at)) one value may have, 1,048,576 by default.
    ///
    /// Pointers may form loops and meet: what bounds the work is their number, the bytes that they lead to
    /// ([`max_jump_bytes`](Self::max_jump_bytes)), and, in types that hold themselves, the depth.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// #[derive(BinFormat)]
    /// struct Name { place: u8, #[binfmt(at = *place, nul)] name: String }
    /// let e = binfmt::from_slice_with::<Name, _>(b"\x01a\0", &Options::new().max_jumps(0)).err().unwrap();
    /// assert!(matches!(e.kind(), ErrorKind::JumpLimit));
    /// ```
    #[must_use]
    pub fn max_jumps(mut self, jumps: u32) -> Self {
        self.limits.jumps = jumps;
        self
    }

    /// How many bytes the parts that lie elsewhere ([`at`](crate::attributes#at)) of one value may have in all; by default 16
    /// times as many as the input has, and 65,536 more. Pointers to one place read it again and again.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// #[derive(BinFormat)]
    /// struct Name { place: u8, #[binfmt(at = *place, nul)] name: String }
    /// let e = binfmt::from_slice_with::<Name, _>(b"\x01a\0", &Options::new().max_jump_bytes(1)).err().unwrap();
    /// assert!(matches!(e.kind(), ErrorKind::JumpBytesLimit { requested: 2, remaining: 1 }));
    /// ```
    #[must_use]
    pub fn max_jump_bytes(mut self, bytes: u64) -> Self {
        self.limits.jump_bytes = bytes;
        self
    }

    /// Takes every presence byte 0x80..=0xFF as "present", as SciDB's loader does. Off by default: only 0xFF is.
    ///
    /// Concerns `nullable` in its bare form.
    ///
    /// ```
    /// use binfmt::{BinFormat, Options};
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Cell { #[binfmt(nullable)] a: Option<u8> }
    /// assert!(binfmt::from_slice::<Cell>(&[0x80, 1]).is_err());
    /// let cell: Cell = binfmt::from_slice_with(&[0x80, 1], &Options::new().lenient_presence(true))?;
    /// assert_eq!(cell, Cell { a: Some(1) });
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn lenient_presence(mut self, on: bool) -> Self {
        self.policy.lenient_presence = on;
        self
    }

    /// Demands that the bytes of a missing value are zero. Off by default: they are stepped over.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Cell { #[binfmt(nullable)] a: Option<u8> }
    /// assert_eq!(binfmt::from_slice::<Cell>(&[3, 1])?, Cell { a: None });
    /// let e = binfmt::from_slice_with::<Cell, _>(&[3, 1], &Options::new().blank_missing(true)).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::MissingNotBlank));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn blank_missing(mut self, on: bool) -> Self {
        self.policy.blank_missing = on;
        self
    }

    /// Reads `nul` text of a length also without the NUL, and writes text that fills its field of `count = N` bytes without
    /// one. Off by default.
    ///
    /// ```
    /// use binfmt::{BinFormat, Options};
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Name { #[binfmt(length_prefixed(u8), nul)] text: String }
    /// assert!(binfmt::from_slice::<Name>(b"\x02ab").is_err());
    /// let name: Name = binfmt::from_slice_with(b"\x02ab", &Options::new().optional_nul(true))?;
    /// assert_eq!(name.text, "ab");
    ///
    /// #[derive(BinFormat)]
    /// struct Code { #[binfmt(count = 2, nul)] text: String }
    /// let code: Code = binfmt::from_slice_with(b"ab", &Options::new().optional_nul(true))?;
    /// assert_eq!(binfmt::to_vec_with(&code, &Options::new().optional_nul(true))?, b"ab");
    /// assert!(binfmt::to_vec(&code).is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn optional_nul(mut self, on: bool) -> Self {
        self.policy.optional_nul = on;
        self
    }

    /// Reads integers of variable length (`as = leb128` and its like) also where they are longer than they need to be, as
    /// WebAssembly, DWARF and protobuf allow: a value padded with `0x80` up to the most bytes that its type takes. Off by
    /// default: only the shortest form is read, which is the one that is written.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Section { #[binfmt(as = leb128)] size: u32 }
    /// let padded = [0x85, 0x80, 0x80, 0x80, 0x00];
    /// let e = binfmt::from_slice::<Section>(&padded).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::PaddedInteger { .. }));
    /// let section: Section = binfmt::from_slice_with(&padded, &Options::new().padded_integers(true))?;
    /// assert_eq!(section, Section { size: 5 });
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn padded_integers(mut self, on: bool) -> Self {
        self.policy.padded_integers = on;
        self
    }

    /// Reads values whose checksums are wrong, and computes none. Off by default.
    ///
    /// ```
    /// use binfmt::{BinFormat, ErrorKind, Options};
    /// fn add_up(bytes: &[u8]) -> u8 { bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)) }
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Block { data: [u8; 2], #[binfmt(checksum(add_up, over = ..))] sum: u8 }
    /// let e = binfmt::from_slice::<Block>(&[1, 2, 4]).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::Checksum { .. }));
    /// let block: Block = binfmt::from_slice_with(&[1, 2, 4], &Options::new().ignore_checksums(true))?;
    /// assert_eq!(block.sum, 4);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn ignore_checksums(mut self, on: bool) -> Self {
        self.policy.ignore_checksums = on;
        self
    }

    /// Asks the kernel for huge pages for large vectors of numbers, or does not. Concerns Linux with `std` alone.
    ///
    /// Without this the environment variable `BINFMT_HUGE_PAGES` decides, `1` or `0`, which is read once in a process, then what the
    /// program prefers (`Options::prefer_huge_pages`); without that nothing is asked for. It is a gamble in virtual machines: measured on one (Xeon, Linux 6.18, load 7 to 9; median
    /// and most of nine whole processes, seconds of the clock on the wall), 600 MB of a mapped Futhark array took 0.42 and
    /// 0.94 with huge pages, 0.91 and 1.08 without, 1 GB of SDDS columns 1.01 and 1.57, without 1.46 and 1.60, but 1 GB of
    /// SDDS rows 1.94 and 2.95, without 1.59 and 2.22. Another time 1 GB of SDDS took up to 10.6 with, 3.1 without.
    ///
    /// Room of less than 2 MiB is never asked for, and so neither is what grows in small steps as a stream brings it.
    ///
    /// ```
    /// use binfmt::{BinFormat, Options};
    /// #[derive(BinFormat)]
    /// struct Samples { #[binfmt(length_prefixed(u32))] samples: Vec<f64> }
    /// let bytes = binfmt::to_vec(&Samples { samples: vec![0.5; 1 << 20] })?;
    /// let read: Samples = binfmt::from_slice_with(&bytes, &Options::new().huge_pages(true))?;
    /// assert_eq!(read.samples.len(), 1 << 20);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn huge_pages(mut self, on: bool) -> Self {
        self.policy.huge_pages = Some(on);
        self
    }

    /// The context that the outermost type asks for with `ctx(..)`: a value, or a tuple of several.
    ///
    /// ```
    /// use binfmt::{BinFormat, Options};
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// #[binfmt(ctx(columns: usize))]
    /// struct Row { #[binfmt(count = columns)] cells: Vec<u8> }
    /// let row: Row = binfmt::from_slice_with(&[1, 2, 3], &Options::new().ctx(3))?;
    /// assert_eq!(row.cells, [1, 2, 3]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn ctx<D>(self, ctx: D) -> Options<D> {
        Options { endian: self.endian, limits: self.limits, policy: self.policy, most: self.most, ctx }
    }
}

/// How deep and how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) depth: u32,
    pub(crate) memory: usize,
    pub(crate) jumps: u32,
    /// `u64::MAX`: the size of the input decides.
    pub(crate) jump_bytes: u64,
}

impl Limits {
    pub(crate) const DEFAULT: Limits =
        Limits { depth: 128, memory: usize::MAX, jumps: 1 << 20, jump_bytes: u64::MAX };
}

/// What a reader lets pass, and how it gets its memory. Looked at on the cold paths only.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub(crate) lenient_presence: bool,
    pub(crate) blank_missing: bool,
    pub(crate) optional_nul: bool,
    pub(crate) padded_integers: bool,
    pub(crate) ignore_checksums: bool,
    /// None: as the process does.
    pub(crate) huge_pages: Option<bool>,
}

impl Policy {
    pub(crate) const STRICT: Policy = Policy {
        lenient_presence: false,
        blank_missing: false,
        optional_nul: false,
        padded_integers: false,
        ignore_checksums: false,
        huge_pages: None,
    };
}
