//! The command, run in this process on files in memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

/// What was asked for was done.
pub(crate) const OK: ExitCode = ExitCode::SUCCESS;

/// Runs the command with these words after its name.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    binfmt_cli::run(["binfmt"].iter().chain(words).map(Into::into))
}

/// A folder of this process.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn get() -> &'static Folder {
        static FOLDER: OnceLock<Folder> = OnceLock::new();
        FOLDER.get_or_init(|| {
            let memory = Path::new("/dev/shm");
            let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
            let folder = parent.join(format!("binfmt-fuzz-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder can be made");
            Folder(folder)
        })
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("it is text").to_owned()
    }

    /// Writes a file.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// Nothing stands at this place any more.
    pub(crate) fn clear(&self, path: &str) {
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
}
