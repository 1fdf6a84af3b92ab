//! Files of this machine, and fresh ones that Python's standard library makes: read, and written back byte for byte.

use crate::gallery::formats::elf::Elf;
use crate::gallery::formats::{png, sqlite, tar, wav, zip};
use binfmt::{DecodeOwned, Encode};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is not there is said, so that a run that tried nothing does not look like one that did.
fn left_out(what: &str, why: &str) {
    eprintln!("LEFT OUT: {what}: {why}");
}

/// Reads a file from memory and by seeking, and writes it back.
fn comes_back<T: Encode + DecodeOwned + PartialEq>(path: &Path) -> T {
    let bytes = fs::read(path).unwrap();
    let value: T = binfmt::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let written = binfmt::to_vec(&value).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(written == bytes, "{} is written otherwise", path.display());
    let sought: T = binfmt::from_seeker(fs::File::open(path).unwrap()).unwrap();
    assert!(sought == value, "{} by seeking", path.display());
    value
}

/// Executables and libraries that many machines have, and the program that runs this.
#[test]
fn elf_files() {
    let known =
        ["/bin/true", "/bin/ls", "/usr/bin/python3", "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libc.so.6"];
    let own = std::env::current_exe().unwrap();
    for path in known.into_iter().map(PathBuf::from).chain([own]) {
        let name = path.display().to_string();
        match fs::read(&path) {
            Ok(bytes) if bytes.starts_with(b"\x7fELF\x02") => {
                let elf: Elf = comes_back(&path);
                assert!(elf.file.names.iter().any(|name| name.text == ".text"), "{name}");
            }
            Ok(_) => left_out(&name, "it is not an ELF file of 64 bits"),
            Err(e) => left_out(&name, &e.to_string()),
        }
    }
}

/// Writes one file of each format into the folder that it is given.
const SCRIPT: &str = r#"
import io, os, sqlite3, struct, sys, tarfile, wave, zipfile, zlib
os.chdir(sys.argv[1])

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(3 * 40)) for y in range(30))
with open("fresh.png", "wb") as f:
    f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Title\0fresh") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

with zipfile.ZipFile("fresh.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("stored.txt", "as it is", zipfile.ZIP_STORED)
    z.writestr("much.txt", "again and " * 500)
    z.writestr("folder/name.txt", "below")

with wave.open("fresh.wav", "wb") as w:
    w.setnchannels(2)
    w.setsampwidth(2)
    w.setframerate(44100)
    w.writeframes(b"".join(struct.pack("<hh", 100 * i, -100 * i) for i in range(300)))

with tarfile.open("fresh.tar", "w", format=tarfile.USTAR_FORMAT) as t:
    for name, data in [("a.txt", b"first"), ("folder/b.bin", bytes(range(256)) * 5), ("empty", b"")]:
        info = tarfile.TarInfo(name)
        info.size, info.mtime = len(data), 1700000000
        t.addfile(info, io.BytesIO(data))

db = sqlite3.connect("fresh.sqlite")
db.execute("create table point (id integer primary key, name text, x real, data blob)")
db.executemany("insert into point values (?, ?, ?, ?)",
               [(i, "point %d" % i, i / 3, bytes([i % 256]) * (i % 50)) for i in range(1, 400)])
db.execute("create index by_name on point (name)")
db.commit()
db.close()
"#;

/// The folder of fresh files, if there is a Python that makes them.
fn fresh() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    match Command::new("python3").args(["-c", SCRIPT]).arg(&folder).output() {
        Ok(made) if made.status.success() => Some(folder),
        Ok(made) => {
            left_out("files that Python makes", &String::from_utf8_lossy(&made.stderr));
            None
        }
        Err(e) => {
            left_out("files that Python makes", &e.to_string());
            None
        }
    }
}

#[test]
fn fresh_files() {
    let Some(folder) = fresh() else { return };
    let file = |name: &str| folder.join(name);
    let png: png::Png = comes_back(&file("fresh.png"));
    assert_eq!(png.chunks.len(), 4);
    let zip: zip::Zip = comes_back(&file("fresh.zip"));
    let names: Vec<_> = zip.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["stored.txt", "much.txt", "folder/name.txt"]);
    let _: wav::Chunk = comes_back(&file("fresh.wav"));
    let tar: tar::Archive = comes_back(&file("fresh.tar"));
    // three files, and the blocks of zeros that end the archive
    assert!(tar.records.len() > 3);
    let database: sqlite::Database = comes_back(&file("fresh.sqlite"));
    assert!(database.pages.len() > 3);
}
