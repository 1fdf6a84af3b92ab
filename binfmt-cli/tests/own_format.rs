//! The command as a library: a program with a format of a laboratory, that of `examples/own_format.rs`. This file is that program, and
//! calls itself.

#[path = "../../examples/own_format.rs"]
#[allow(dead_code, reason = "its own main")]
mod own_format;

use binfmt::storage::Storage;
use binfmt::table::{Probe, RowsTable, Section, Settings, Table, TableFormat};
use binfmt::{BinFormat, Endian, Options, Result};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};
use std::sync::Arc;

/// Packets of any length after a header that says their byte order: rows of a type.
struct Packets;

#[derive(BinFormat)]
#[binfmt(be)]
struct Front {
    order: [u8; 2],
    version: u16,
}

const PACKET: &str = "Packet: record\n  time: u16\n  text: text, length_prefixed(u16)\n";

impl TableFormat for Packets {
    fn name(&self) -> &'static str {
        "packets"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        matches!(probe.head, [b'I', b'I', ..] | [b'M', b'M', ..])
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, _: &Settings) -> Result<Arc<dyn Table>> {
        let mut mark = [0; 2];
        storage.read(path, 0, &mut mark)?;
        let options = Options::new().endian(if mark == *b"MM" { Endian::Big } else { Endian::Little });
        let end = storage.size(path)?.unwrap_or(0);
        let table = RowsTable::open(storage, path, &PACKET.parse().unwrap(), &options)?;
        Ok(Arc::new(table.between(4..end)))
    }

    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        let rows = self.open(storage, path, settings)?.sections();
        Ok([Section::of::<Front>().between(0..4)].into_iter().chain(rows).collect())
    }
}

fn packets_of_any_length_are_explained() {
    let folder = Folder::new();
    let file = folder.path("traffic.pkt");
    let mut bytes = b"MM\0\x02".to_vec();
    for n in 0..3000u16 {
        let text = format!("packet {n}");
        bytes.extend_from_slice(&n.to_be_bytes());
        bytes.extend_from_slice(&(text.len() as u16).to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    fs::write(&file, &bytes).unwrap();
    let dump = ok(&["dump", &file]);
    let lines: Vec<&str> = dump.lines().collect();
    assert!(
        lines[1].ends_with("version: 2 (u16 be)") && lines[2].ends_with("[0].time: 0 (u16 be)"),
        "{dump}"
    );
    assert!(lines.last().unwrap().ends_with("[2999].text: \"packet 2999\" (UTF-8)"), "{dump}");
    let at = bytes.len() - 11;
    assert_eq!(ok(&["find", "packet 2999", &file]), format!("{at:#010x}  [2999].text: \"packet 2999\"\n"));
    // from a row before the place on, and not from the front
    let range = format!("{at}..");
    assert_eq!(ok(&["dump", &file, "--range", &range]).lines().count(), 1);
    assert_eq!(ok(&["dump", &file, "--range", "..3"]).lines().count(), 2);
    assert!(ok(&["dump", "--jsonl", &file]).starts_with("{\"start\":0,\"end\":2,\"path\":\"order\""));
    // up to the damage, which is told with its place
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let done = run(&["dump", &file]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!done.status.success() && said.contains("[2999].text at byte "), "{said}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("[2999].time: 2999"));
    // a header without rows
    fs::write(&file, b"II\x01\0").unwrap();
    assert!(ok(&["dump", &file]).contains("version: 256 (u16 be)"));
}

/// Whether the process is the command.
const IS_COMMAND: &str = "BINFMT_TEST_OWN_FORMAT";

fn main() -> ExitCode {
    if std::env::var_os(IS_COMMAND).is_some() {
        return binfmt_cli::run_with(std::env::args_os(), &[&own_format::Lab, &Packets]);
    }
    every_command_knows_the_format();
    packets_of_any_length_are_explained();
    ExitCode::SUCCESS
}

fn run(words: &[&str]) -> Output {
    let program = std::env::current_exe().unwrap();
    Command::new(program).args(words).env(IS_COMMAND, "1").output().unwrap()
}

#[track_caller]
fn ok(words: &[&str]) -> String {
    let done = run(words);
    assert!(done.status.success(), "{words:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

fn every_command_knows_the_format() {
    let folder = Folder::new();
    let lab = folder.path("run.lab");
    let mut bytes = b"LAB1\ns f64\nn u8\n\n".to_vec();
    for (s, n) in [(0.5f64, 1u8), (1.75, 2), (-3.0, 3)] {
        bytes.extend_from_slice(&s.to_le_bytes());
        bytes.push(n);
    }
    fs::write(&lab, &bytes).unwrap();
    // recognised by its first bytes
    assert_eq!(ok(&["check", &lab]), format!("{lab}: ok (3 rows, {} bytes)\n", bytes.len()));
    let told = ok(&["inspect", &lab]);
    assert!(told.starts_with("Format  lab file\nRows    3\n") && told.contains("f64"), "{told}");
    assert_eq!(ok(&["cat", &lab, "--where", "s > 0", "--columns", "n,s"]), "n\ts\n1\t0.5\n2\t1.75\n");
    assert!(ok(&["stats", "--json", &lab]).contains("\"max\": 1.75"));
    // every byte is explained by the layout that its table has
    let dump = ok(&["dump", &lab]);
    assert!(dump.contains("[2].s: -3 (f64 le)") && dump.lines().next().unwrap().contains("LAB1"), "{dump}");
    assert!(dump.lines().last().unwrap().ends_with("[2].n: 3 (u8)"), "{dump}");
    assert!(dump.contains("head.columns: \"s f64\\nn u8\""), "{dump}");
    assert_eq!(ok(&["find", "1.75", &lab]), "0x0000001a  [1].s: 1.75\n");
    assert_eq!(ok(&["dump", &lab, "--range", "0x22..0x23"]).lines().count(), 1);
    let page = folder.path("run.html");
    ok(&["dump", "--html", &lab, "--output", &page]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Head: record") && page.contains("record(row), le"), "no layouts");
    // into other formats, by the ending back, and the same bytes
    let (csv, npy, again) = (folder.path("run.csv"), folder.path("run.npy"), folder.path("again.lab"));
    ok(&["convert", &lab, &csv]);
    assert_eq!(fs::read_to_string(&csv).unwrap(), "s,n\n0.5,1\n1.75,2\n-3.0,3\n");
    ok(&["convert", &lab, &npy]);
    ok(&["convert", &npy, &again]);
    assert_eq!(fs::read(&again).unwrap(), bytes);
    assert!(ok(&["diff", &lab, &csv]).contains("the values are the same: 3 rows of 2 columns"));
    // what it cannot hold, and what is damaged, is told as of every format
    let text = folder.path("text.csv");
    fs::write(&text, "a\nx\n").unwrap();
    let bad = folder.path("bad.lab");
    fs::write(&bad, b"LAB1\ns f65\n\n").unwrap();
    for (words, status, message) in [
        (&["convert", &text, &bad][..], 2, "column `a` is text, and a lab file has numbers"),
        (&["check", &bad], 1, "expected a name and a type such as `x f64`, found \"s f65\""),
        (&["cat", &lab, "--schema", "(int8)"], 2, "--schema means nothing for a lab file"),
    ] {
        let done = run(words);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(status) && said.contains(message), "{words:?}: {said}");
    }
    // in the help, the manual, and beside the formats that are there anyway
    assert!(ok(&["cat", "--help"]).contains("lab") && ok(&["completions", "bash"]).contains("\"lab "));
    assert!(ok(&["cat", &csv]).starts_with("s\tn\n"));
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("binfmt-own-format-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
