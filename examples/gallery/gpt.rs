//! Disks with an MBR or a GPT: [UEFI 2.10](https://uefi.org/specs/UEFI/2.10/05_GUID_Partition_Table_Format.html), §5.

use binfmt::{BinFormat, Result};
use std::fmt::{self, Write};

/// §5.3.1, with blocks of 512 bytes. What the partitions contain, and the second table at the end of the disk, are kept.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Disk {
    pub mbr: Mbr,
    #[binfmt(if(mbr.is_protective()))]
    pub gpt: Option<Gpt>,
    #[binfmt(until_eof)]
    pub blocks: Vec<[[u8; 256]; 2]>,
}

/// §5.2.1
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(size = 512)]
pub struct Mbr {
    pub boot_code: [[u8; 220]; 2],
    pub disk_signature: u32,
    pub unknown: u16,
    #[binfmt(pad_after = 0)]
    pub partitions: [Partition; 4],
    #[binfmt(magic = b"\x55\xaa")]
    pub end: (),
}

/// §5.2.1, "Legacy MBR Partition Record"
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
pub struct Partition {
    /// 0x80 if the firmware boots from it.
    pub boot: u8,
    pub start_chs: [u8; 3],
    pub os_type: u8,
    pub end_chs: [u8; 3],
    pub start: u32,
    pub size: u32,
}

impl Mbr {
    /// §5.2.3: a GPT follows.
    pub fn is_protective(&self) -> bool {
        self.partitions[0].os_type == 0xee
    }
}

/// §5.3.2 and §5.3.3: one block for the header, then the entries.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"EFI PART")]
pub struct Gpt {
    pub revision: u32,
    #[binfmt(range = 92..=92)]
    pub header_size: u32,
    #[binfmt(checksum(crc32fast::hash, over = ..=entries_crc, self_as = 0))]
    pub header_crc: u32,
    pub zero: u32,
    pub own_block: u64,
    pub other_block: u64,
    pub first_usable: u64,
    pub last_usable: u64,
    pub disk: Guid,
    #[binfmt(range = 2..=2)]
    pub entries_block: u64,
    #[binfmt(len_of(entries, u32))]
    pub num_entries: (),
    #[binfmt(range = 128..=128)]
    pub entry_size: u32,
    #[binfmt(checksum(u32 = crc32fast::hash, over = entries))]
    pub entries_crc: (),
    #[binfmt(reserved(420), strict)]
    pub rest_of_block: (),
    #[binfmt(count = num_entries)]
    pub entries: Vec<Entry>,
}

/// §5.3.3; without a kind it is unused.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Entry {
    pub kind: Guid,
    pub id: Guid,
    pub first: u64,
    pub last: u64,
    pub attributes: u64,
    /// UTF-16, filled with zeros.
    pub name: [u16; 36],
}

/// Appendix A: three numbers, then bytes.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq)]
pub struct Guid(pub u32, pub u16, pub u16, pub [u8; 8]);

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Guid(a, b, c, [d, e, rest @ ..]) = self;
        write!(f, "{a:08x}-{b:04x}-{c:04x}-{d:02x}{e:02x}-")?;
        rest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Entry {
    pub fn name(&self) -> String {
        let units = self.name.split(|unit| *unit == 0).next().unwrap_or_default();
        String::from_utf16_lossy(units)
    }
}

/// The partitions.
pub fn summary(file: &[u8]) -> Result<String> {
    let disk: Disk = binfmt::from_slice(file)?;
    let mut out = format!("disk of {} blocks\n", file.len() / 512);
    for Partition { os_type, start, size, .. } in disk.mbr.partitions.iter().filter(|p| p.os_type != 0) {
        let _ = writeln!(out, "MBR type {os_type:#04x}: {size} blocks from {start}");
    }
    let entries = disk.gpt.iter().flat_map(|gpt| &gpt.entries);
    for entry in entries.filter(|entry| entry.kind != Guid::default()) {
        let _ = writeln!(
            out,
            "{:?}, blocks {} to {}, kind {}",
            entry.name(),
            entry.first,
            entry.last,
            entry.kind
        );
    }
    Ok(out)
}
