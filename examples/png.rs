//! PNG in four types: lengths that nobody writes down, and checksums that are compared and filled in.
//!
//! `cargo run --release --example png`

use binfmt::BinFormat;

/// The signature, then chunks to the end.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be, magic = b"\x89PNG\r\n\x1a\n")]
struct Png {
    #[binfmt(until_eof)]
    chunks: Vec<Chunk>,
}

/// A chunk: how long its body is, four letters that say what it is, the body, and the CRC of the last two.
#[derive(BinFormat, Debug, PartialEq)]
struct Chunk {
    #[binfmt(len_of(body, bytes, u32))]
    len: (),
    kind: [u8; 4],
    #[binfmt(region = *len, tag_from = kind)]
    body: Body,
    #[binfmt(checksum(u32 = crc32fast::hash, over = kind..=body))]
    crc: (),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: &[u8; 4]), tag_from = kind)]
enum Body {
    #[binfmt(tag = b"IHDR")]
    Header(Header),
    #[binfmt(tag = b"tEXt")]
    Text {
        #[binfmt(nul, text = latin1)]
        keyword: String,
        #[binfmt(until_eof, text = latin1)]
        text: String,
    },
    #[binfmt(tag = b"IEND")]
    End,
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(size = 13)]
struct Header {
    width: u32,
    height: u32,
    depth: u8,
    color: u8,
    compression: u8,
    filter: u8,
    interlace: u8,
}

fn chunk(kind: &[u8; 4], body: Body) -> Chunk {
    Chunk { len: (), kind: *kind, body, crc: () }
}

fn main() -> Result<(), binfmt::Error> {
    let header = Header { width: 1, height: 1, depth: 8, color: 0, compression: 0, filter: 0, interlace: 0 };
    // one white pixel
    let pixel = vec![0x78, 0x01, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00];
    let text = Body::Text { keyword: "Title".to_owned(), text: "a pixel".to_owned() };
    let png = Png {
        chunks: vec![
            chunk(b"IHDR", Body::Header(header)),
            chunk(b"tEXt", text),
            chunk(b"IDAT", Body::Other(pixel)),
            chunk(b"IEND", Body::End),
        ],
    };
    let mut bytes = binfmt::to_vec(&png)?;
    println!("{} bytes, which end with {:02x?}", bytes.len(), &bytes[bytes.len() - 12..]);
    assert_eq!(bytes[bytes.len() - 12..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
    assert_eq!(binfmt::from_slice::<Png>(&bytes)?, png);

    bytes[20] ^= 1;
    match binfmt::from_slice::<Png>(&bytes) {
        Ok(_) => println!("the damage was not seen"),
        Err(e) => println!("{e}"),
    }
    Ok(())
}
