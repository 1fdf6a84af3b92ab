//! Bytes as a file of gzip, in which they stand as they are.

/// The most bytes of a block.
const BLOCK: usize = 0xffff;

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for block in bytes.chunks(BLOCK) {
        let len = block.len() as u16;
        out.push(0);
        out.extend(len.to_le_bytes());
        out.extend((!len).to_le_bytes());
        out.extend(block);
    }
    // the last block has no bytes
    out.extend([1, 0, 0, 0xff, 0xff]);
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
