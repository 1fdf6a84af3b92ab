//! A format of one's own from nothing: a RIFF/WAVE file, defined, written, read, and damaged.
//!
//! `cargo run -p examples --example custom`

use binfmt::BinFormat;

/// `RIFF`, the size of all that follows, `WAVE`, then chunks to the end.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, magic = b"RIFF")]
struct Wave {
    #[binfmt(length_prefixed(u32, in = bytes))]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"WAVE")]
struct Body {
    #[binfmt(until_eof)]
    chunks: Vec<Chunk>,
}

/// A name of four letters, the size of the content, the content; what we do not know is kept as it is.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag([u8; 4]))]
enum Chunk {
    #[binfmt(tag = b"fmt ")]
    Format(#[binfmt(length_prefixed(u32, in = bytes))] Format),
    #[binfmt(tag = b"data")]
    Samples(#[binfmt(length_prefixed(u32, in = bytes))] Vec<[i16; 2]>),
    #[binfmt(other)]
    Other {
        tag: [u8; 4],
        #[binfmt(length_prefixed(u32), align_after = 2)]
        content: Vec<u8>,
    },
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(size = 16)]
struct Format {
    encoding: Encoding,
    #[binfmt(range = 1..=2)]
    num_channels: u16,
    sample_rate: u32,
    bytes_per_second: u32,
    #[binfmt(assert(*block_align == num_channels * 2, "a block is one sample of each channel"))]
    block_align: u16,
    bits_per_sample: u16,
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u16))]
enum Encoding {
    Pcm = 1,
    Float = 3,
}

fn main() -> Result<(), binfmt::Error> {
    let tone: Vec<[i16; 2]> = (0..8i16).map(|i| [i * 1000, -i * 1000]).collect();
    let wave = Wave {
        body: Body {
            chunks: vec![
                Chunk::Format(Format {
                    encoding: Encoding::Pcm,
                    num_channels: 2,
                    sample_rate: 48_000,
                    bytes_per_second: 192_000,
                    block_align: 4,
                    bits_per_sample: 16,
                }),
                Chunk::Other { tag: *b"note", content: b"hi!".to_vec() },
                Chunk::Samples(tone),
            ],
        },
    };

    // the encoder works out every size, tag and pad
    let bytes = binfmt::to_vec(&wave)?;
    println!("written: {} bytes", bytes.len());
    for (i, row) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = row.iter().map(|b| format!("{b:02x}")).collect();
        let text: String =
            row.iter().map(|b| if b.is_ascii_graphic() { char::from(*b) } else { '.' }).collect();
        println!("  {:04x}  {:<47}  {text}", i * 16, hex.join(" "));
    }

    let read: Wave = binfmt::from_slice(&bytes)?;
    assert_eq!(read, wave);
    println!("read:    {} chunks, equal to what was written", read.body.chunks.len());

    println!("damaged:");
    let mut damaged = bytes.clone();
    damaged[20] = 7;
    show("encoding 7", &damaged);
    let mut damaged = bytes.clone();
    damaged[22] = 9;
    show("9 channels", &damaged);
    let mut damaged = bytes.clone();
    damaged[0x34..0x38].copy_from_slice(&u32::MAX.to_le_bytes());
    show("4 GiB of samples", &damaged);
    show("cut", &bytes[..40]);

    println!("refused when writing:");
    let mut wave = read;
    if let Some(Chunk::Format(format)) = wave.body.chunks.first_mut() {
        format.block_align = 3;
    }
    if let Err(e) = binfmt::to_vec(&wave) {
        println!("  {e}");
    }
    Ok(())
}

fn show(what: &str, bytes: &[u8]) {
    match binfmt::from_slice::<Wave>(bytes) {
        Ok(_) => println!("  {what}: read"),
        Err(e) => println!("  {what}: {e}\n    {}", e.excerpt(bytes)),
    }
}
