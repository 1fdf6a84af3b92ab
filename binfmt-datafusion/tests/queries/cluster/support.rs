//! Files of the tests.

use std::path::PathBuf;

pub(crate) const ROWS: i64 = 1_000_000;

/// A folder that is gone after the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("binfmt-cluster-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// (int64, int64): n, and n modulo 10.
pub(crate) fn cells() -> Vec<u8> {
    (0..ROWS).flat_map(|n| [n.to_le_bytes(), (n % 10).to_le_bytes()]).flatten().collect()
}

pub(crate) const CELLS: &str = "<n: int64 NOT NULL, d: int64 NOT NULL>[i]";
