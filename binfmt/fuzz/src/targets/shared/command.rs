//! The command, run in this process on files in memory.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was asked for was done.
pub(crate) const OK: ExitCode = ExitCode::SUCCESS;

/// Runs the command with these words after its name.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    binfmt_cli::run(["binfmt"].iter().chain(words).map(Into::into))
}

const SCHEMAS: &[&str] =
    &["(int8, int16 null, string null, string)", "<a:int32, b:string>[i=0:9]", "(double)"];
const DECLARATIONS: &[&str] = &[
    r#"{"value": "int32"}"#,
    r#"{"s": "string", "v": [0, 2, "float64"], "x": [0, {"a": "bool"}]}"#,
    r#"{"b": "bool", "c": "complex64", "i": [2, "int8"]}"#,
];

/// What must be said of a file of a format, which does not say it itself: one of a few.
pub(crate) fn said_of(format: &'static str, number: usize) -> Vec<&'static str> {
    let schema = |list: &[&'static str]| ["--schema", list[number % list.len()]];
    let mut options = vec!["--format", format];
    match format {
        "scidb" => options.extend(schema(SCHEMAS)),
        "beat" => options.extend(schema(DECLARATIONS)),
        _ => {}
    }
    options
}

/// The forms in which any table may be written: the words of `--to`, and the endings of their files.
pub(crate) const FORMS: &[(&str, &str)] = &[
    ("csv", "csv"),
    ("jsonl", "jsonl"),
    ("npy", "npy"),
    ("sdds", "sdds"),
    ("tiledb", "tdb"),
    ("npz", "npz"),
    ("futhark", "in"),
];

/// Writes a file in one of these forms: what is made is sound.
pub(crate) fn convert(file: &str, (form, ending): (&str, &str), options: &[&str]) {
    let folder = Folder::get();
    let out = folder.path(&format!("out.{ending}"));
    // an array is not written over
    folder.clear(&out);
    if run(&[&["convert", file, &out, "--to", form], options].concat()) == OK && form != "npz" {
        assert_eq!(run(&["check", &out, "--format", form]), OK, "what was made is not sound");
    }
}

/// A folder of this thread.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn get() -> &'static Folder {
        thread_local! {
            static FOLDER: &'static Folder = Box::leak(Box::new(Folder::new()));
        }
        FOLDER.with(|folder| *folder)
    }

    /// Below the one that `run.sh` says, and takes away; else in memory, where there is such a place.
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let said = std::env::var_os("FUZZ_FOLDER").map(PathBuf::from);
        let memory = || Some(PathBuf::from("/dev/shm")).filter(|path| path.is_dir());
        let parent = said.or_else(memory).unwrap_or_else(std::env::temp_dir);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("binfmt-fuzz-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
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
