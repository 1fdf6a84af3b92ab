//! Files for what does not fit into memory.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{Error, ErrorKind, Result};

/// A new file in the folder for temporary ones, to be written and read, which no other program finds and of which nothing stays.
///
/// ```
/// use std::io::{Read, Seek, Write};
/// let mut file = binfmt::storage::unnamed_file()?;
/// file.write_all(b"abc")?;
/// file.rewind()?;
/// let mut text = String::new();
/// file.read_to_string(&mut text)?;
/// assert_eq!(text, "abc");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// There is no such folder, or no file can be made in it; the error names it.
pub fn unnamed_file() -> Result<File> {
    loop {
        let id = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("binfmt-{id:016x}"));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::new(e.kind(), format!("{}: {e}", std::env::temp_dir().display()))),
            Ok(file) => {
                // where a file that is open keeps its name it stays until the system clears it away
                let _ = fs::remove_file(&path);
                return Ok(file);
            }
        }
    }
}
