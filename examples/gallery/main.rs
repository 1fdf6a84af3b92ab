//! Real formats, each in one file and in words only. What a file contains:
//!
//! `cargo run --profile quick -p examples --features gallery --example gallery -- png FILE`, or without arguments the files in `examples/gallery/data`

// by its path, so that the modules inside are looked for in this folder
#[path = "formats.rs"]
mod formats;

use flate2::read::GzDecoder;
use formats::{FORMATS, Format};
use std::io::{self, Read};
use std::process::ExitCode;
use std::{env, fs};

/// The bytes of a file; images of disks, which are mostly zeros, may be compressed.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    if !path.ends_with(".gz") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

/// Prints what a file contains, or where it is damaged.
fn show(format: &Format, path: &str) -> Result<(), String> {
    let bytes = read(path).map_err(|e| format!("{path}: {e}"))?;
    let text = (format.summary)(&bytes).map_err(|e| format!("{path}: {e}\n  {}", e.excerpt(&bytes)))?;
    println!("{path}");
    text.lines().for_each(|line| println!("  {line}"));
    Ok(())
}

/// The sample of each format that comes with the gallery.
fn samples() -> Result<(), String> {
    for format in FORMATS {
        let path = format!("{}/gallery/data/{}", env!("CARGO_MANIFEST_DIR"), format.sample);
        show(format, &path)?;
    }
    Ok(())
}

fn run(args: &[String]) -> Result<(), String> {
    let known = || FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    match args {
        [] => samples(),
        [name, path] => match FORMATS.iter().find(|format| format.name == name) {
            Some(format) => show(format, path),
            None => Err(format!("unknown format {name}; there are {}", known())),
        },
        _ => Err(format!("expected a format ({}) and a file", known())),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}
