//! Every file of every format that the tests of the formats have, with what must be said when it is opened.

use binfmt::table::{Settings, Table};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that may be damaged.
#[derive(Debug)]
pub(crate) struct Fixture {
    pub(crate) format: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) settings: Settings,
}

impl Fixture {
    pub(crate) fn open(&self) -> binfmt::Result<Arc<dyn Table>> {
        binfmt::open_as(&self.path, self.format, &self.settings)
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn entries(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/data").join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// All of them.
pub(crate) fn all() -> Vec<Fixture> {
    let mut all = Vec::new();
    let mut add = |format, path: PathBuf, settings| all.push(Fixture { format, path, settings });
    for folder in entries("scidb").into_iter().filter(|path| path.is_dir()) {
        let schema = json(&folder.join("content.json"))["format"].as_str().unwrap().to_owned();
        add("scidb", folder.join("input.bin"), Settings::new().with("schema", schema));
    }
    for folder in ["sdds/hand", "sdds/official", "sdds/packed"] {
        let named = |path: &PathBuf| path.to_str().unwrap().contains(".sdds");
        entries(folder).into_iter().filter(named).for_each(|path| add("sdds", path, Settings::new()));
    }
    for description in
        entries("tiledb").into_iter().filter(|path| path.extension().is_some_and(|e| e == "json"))
    {
        let key = json(&description)["key"].as_str().map(str::to_owned);
        let settings = key.map_or(Settings::new(), |key| Settings::new().with("key", key));
        add("tiledb", description.with_extension(""), settings);
    }
    for path in
        entries("futhark").into_iter().map(|folder| folder.join("input.bin")).filter(|path| path.is_file())
    {
        let values = std::fs::read(&path).ok().and_then(|bytes| binfmt::formats::futhark::read(&bytes).ok());
        for value in 0..values.map_or(1, |values| values.len()) {
            add("futhark", path.clone(), Settings::new().with("value", value.to_string()));
        }
    }
    let prefix = root().join("tests/support/beat_prefix");
    for path in
        entries("beat").into_iter().map(|folder| folder.join("input.data")).filter(|path| path.is_file())
    {
        add("beat", path, Settings::new().with("prefix", prefix.to_str().unwrap()));
    }
    all
}
