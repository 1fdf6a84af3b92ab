//! The built command, run on files; and the SciDB files whose content is known.

#![allow(dead_code, reason = "each test program uses a part")]

use serde_json::Value as Json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The layout of `seed_flat_35.bin`, which the format's description explains byte by byte.
pub(crate) const FLAT: &str = "(int8, int16 null, string null, string)";

/// The time of the processor that runs took which have ended: other work of the machine is not counted.
#[cfg(unix)]
pub(crate) fn cpu_of_children() -> std::time::Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let time = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().user_time();
    std::time::Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs())
}

/// Not known here.
#[cfg(not(unix))]
pub(crate) fn cpu_of_children() -> std::time::Duration {
    std::time::Duration::ZERO
}

/// What a run of the command left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("the output is text")
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.out).unwrap_or_else(|e| panic!("no JSON: {e}: {self:?}"))
    }

    /// All well, and nothing to complain about.
    #[track_caller]
    pub(crate) fn ok(self) -> Run {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{self:?}");
        self
    }

    /// All well, and something is noted.
    #[track_caller]
    pub(crate) fn noted(self, text: &str) -> Run {
        assert!(self.status == 0 && self.err.contains(text), "{self:?}");
        self
    }

    /// Ended with this status and one message.
    #[track_caller]
    pub(crate) fn fails(self, status: i32) -> Run {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.err.matches("error:").count(), 1, "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// The command, without what the environment may say.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

pub(crate) fn run(words: &[&str]) -> Run {
    run_with(words, b"")
}

/// Runs it with these bytes on standard input.
pub(crate) fn run_with(words: &[&str], input: &[u8]) -> Run {
    let mut child = command()
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // a command that does not want its input to the end closes the pipe
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the input is written");
    Run {
        status: output.status.code().expect("no signal ends it"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// Runs it for so many seconds at most, and with no more output than `most` bytes.
pub(crate) fn run_bounded(words: &[&str], seconds: u64, most: u64) -> Run {
    let mut child = command()
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let (out, err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let read = |from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut all = Vec::new();
            // a command whose output nobody reads any more ends
            from.take(most + 1).read_to_end(&mut all).expect("it can be read");
            all
        })
    };
    let (out, err) = (read(Box::new(out)), read(Box::new(err)));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(seconds) {
            child.kill().expect("it can be ended");
            panic!("{words:?} has not ended in {seconds} s");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (out, err) = (out.join().expect("it is read"), err.join().expect("it is read"));
    assert!(out.len() as u64 <= most, "{words:?} writes more than {most} bytes");
    let err = String::from_utf8(err).expect("messages are text");
    Run { status: status.code().unwrap_or_else(|| panic!("{words:?}: {status}: {err}")), out, err }
}

/// Runs `words` on a SciDB file.
pub(crate) fn scidb(words: &[&str], schema: &str) -> Run {
    run(&[words, &["--format", "scidb", "--schema", schema]].concat())
}

/// A folder of this test's own, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// In memory where there is such a place: the command waits for the disk with every file that it writes, and the tests
    /// write thousands.
    pub(crate) fn new(name: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let name = format!("binfmt-test-{name}");
        if memory.is_dir() && std::fs::create_dir_all(memory.join(&name)).is_ok() {
            let _ = std::fs::remove_dir(memory.join(&name));
            return Self::within(memory, &name);
        }
        Self::within(Path::new(env!("CARGO_TARGET_TMPDIR")), &name)
    }

    /// Where the build is: on a disk.
    pub(crate) fn on_disk(name: &str) -> Self {
        Self::within(Path::new(env!("CARGO_TARGET_TMPDIR")), name)
    }

    fn within(root: &Path, name: &str) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = root.join(format!("{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn data(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    root.join("tests/data/scidb").join(name).to_str().expect("the path is text").to_owned()
}

/// A file with the description of its content.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) json: Json,
    pub(crate) bytes: Vec<u8>,
}

impl Case {
    pub(crate) fn format(&self) -> &str {
        self.json["format"].as_str().expect("a format string")
    }

    /// The format string as the command shows it.
    pub(crate) fn canonical(&self) -> String {
        self.format().parse::<binfmt::formats::scidb::Template>().expect("a format string").to_string()
    }

    /// Whether some program writes such bytes, so that they must come out again.
    pub(crate) fn is_canonical(&self) -> bool {
        self.json.get("hand_made").is_none()
    }
}

/// Every file, damaged or not.
pub(crate) fn cases(damaged: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(data("")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let text = std::fs::read_to_string(path.join("content.json")).expect("a description");
            let json: Json = serde_json::from_str(&text).expect("a description");
            if json.get("cells_before_error").is_some() != damaged {
                continue;
            }
            let file = path.join("input.bin");
            cases.push(Case {
                name: path.file_name().expect("a name").to_string_lossy().into_owned(),
                json,
                bytes: std::fs::read(&file).expect("a file"),
                path: file.to_str().expect("the path is text").to_owned(),
            });
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// A C99 hexadecimal float, as the descriptions have them: `-0x1.8p+3`.
pub(crate) fn hex_float(text: &str) -> f64 {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    match rest {
        "nan" => return f64::NAN,
        "inf" => return sign * f64::INFINITY,
        _ => {}
    }
    let (mantissa, exponent) = rest.strip_prefix("0x").and_then(|r| r.split_once('p')).expect("a float");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = i64::from_str_radix(whole, 16).expect("digits") as f64;
    for (i, c) in fraction.chars().enumerate() {
        value += f64::from(c.to_digit(16).expect("a digit")) * 16f64.powi(-(i as i32 + 1));
    }
    let mut exponent: i32 = exponent.parse().expect("an exponent");
    // in steps that do not leave the range
    while exponent < -1000 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
    }
    sign * value * 2f64.powi(exponent)
}

/// Whether a value of the JSON form is what a description says.
pub(crate) fn is_same(found: &Json, described: &Json, ty: &str) -> bool {
    if let Some(code) = described.get("null") {
        return found == &serde_json::json!({ "missing": code });
    }
    match ty {
        "float" | "double" => is_float(found, hex_float(described.as_str().expect("a float")), ty == "float"),
        "binary" => found == &serde_json::json!({ "hex": described }),
        _ => found == described,
    }
}

fn is_float(found: &Json, described: f64, single: bool) -> bool {
    if described.is_nan() {
        return found == "nan" || found.get("bits").is_some();
    }
    if described.is_infinite() {
        return found == if described > 0.0 { "inf" } else { "-inf" };
    }
    let Some(found) = found.as_f64() else { return false };
    if single {
        (found as f32).to_bits() == (described as f32).to_bits()
    } else {
        found.to_bits() == described.to_bits()
    }
}
