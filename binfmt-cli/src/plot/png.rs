//! A picture of bytes as a PNG file.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::{self, Write};

/// Rows of three bytes a pixel as a file.
pub(super) fn encode(pixels: &[u8], (width, height): (u32, u32)) -> io::Result<Vec<u8>> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // eight bits of red, green and blue, not interlaced
    head.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &head);
    let mut data = ZlibEncoder::new(Vec::new(), Compression::default());
    let row = width as usize * 3;
    let mut before = vec![0; row];
    for pixels in pixels.chunks_exact(row) {
        // each byte as its difference to that above it
        let differences: Vec<u8> =
            pixels.iter().zip(&before).map(|(now, before)| now.wrapping_sub(*before)).collect();
        data.write_all(&[2])?;
        data.write_all(&differences)?;
        before.copy_from_slice(pixels);
    }
    chunk(&mut file, b"IDAT", &data.finish()?);
    chunk(&mut file, b"IEND", b"");
    Ok(file)
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(name);
    sum.update(data);
    // no picture has 4 GiB
    file.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    file.extend(name);
    file.extend(data);
    file.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_smallest() {
        let file = super::encode(&[255, 0, 0], (1, 1)).unwrap();
        assert_eq!(
            &file[..33],
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde"
        );
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }
}
