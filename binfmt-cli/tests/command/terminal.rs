//! Nothing that comes from a file, or from its name, drives the terminal or begins a line of its own.

#![cfg(unix)]

use crate::support::{Folder, Run, command, run, run_with};
use std::io::Write;

/// A title, a colour, a cursor, C1, a line of Unicode, the other direction, and a line that says what is not so.
const EVIL: &str = "\x1b]0;pwn\x07\x1b[31m\r\u{9b}2J\u{85}\u{2028}\u{202e}gnp\u{2066}\x7f\nFORGED: ok";

/// Characters that may not stand in what people see.
fn drives(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[track_caller]
fn is_tame(shown: &str, what: &str) {
    let found: Vec<char> = shown.chars().filter(|c| drives(*c) && !matches!(c, '\n' | '\t')).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {shown}");
    let forged = shown.lines().find(|line| line.starts_with("FORGED"));
    assert!(forged.is_none(), "{what}: {shown}");
}

#[track_caller]
fn both_tame(run: &Run, what: &str) {
    assert!(!run.err.contains("panicked"), "{what}: {}", run.err);
    is_tame(&run.err, what);
    is_tame(&String::from_utf8(run.out.clone()).expect("it is text"), what);
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A file, and the options that it needs.
struct Hostile {
    path: String,
    options: Vec<String>,
}

/// Files of every format, with such names and texts wherever the format has some.
fn files(folder: &Folder) -> Vec<Hostile> {
    let evil = EVIL.replace('\n', " ");
    let sdds = format!(
        "SDDS1\n&description text=\"{evil}\", contents=\"{evil}\", &end\n\
         &parameter name=p, type=string, units=\"{evil}\", description=\"{evil}\", &end\n\
         &array name=a, type=string, group_name=\"{evil}\", &end\n\
         &column name=c, type=string, symbol=\"{evil}\", format_string=\"{evil}\", &end\n\
         &data mode=binary, endian=little, &end\n"
    );
    let text = [&(EVIL.len() as u32).to_le_bytes(), EVIL.as_bytes()].concat();
    let one = 1_u32.to_le_bytes();
    let sdds = [sdds.as_bytes(), &one, &text, &one, &text, &text].concat();
    let named = format!("SDDS1\n&column name=\"{evil}\", type=\"{evil}\", &end\n&data mode=ascii, &end\n");
    let scidb = [&(EVIL.len() as u32 + 1).to_le_bytes(), EVIL.as_bytes(), b"\0"].concat();
    let string = [&(EVIL.len() as u64).to_le_bytes()[..], EVIL.as_bytes()].concat();
    let beat = [&1_u64.to_le_bytes()[..], &string, &string].concat();
    let declared = format!("binary\n{evil}\n");
    let array = tiledb(folder);
    let plain = |path, options: &[&str]| {
        let options = options.iter().map(|word| (*word).to_owned()).collect();
        Hostile { path, options }
    };
    let string = ["--format", "scidb", "--schema", "(string)"];
    let object = ["--format", "beat", "--schema", r#"{"s": [0, "string"], "t": "string"}"#];
    let bad = r#"{"s": "a\u001bb\u202ec\nFORGED: ok"}"#;
    vec![
        plain(folder.file("texts.sdds", &sdds), &[]),
        plain(folder.file(&format!("{EVIL}.sdds"), &sdds), &[]),
        plain(folder.file("cut.sdds", &sdds[..sdds.len() - 9]), &[]),
        plain(folder.file("names.sdds", named.as_bytes()), &[]),
        plain(folder.file("cells", &scidb), &string),
        plain(folder.file(&format!("{EVIL}.cells"), &scidb), &string),
        plain(folder.file("no.schema", &scidb), &["--format", "scidb", "--schema", EVIL]),
        plain(
            folder.file("drawn.schema", &scidb),
            &["--format", "scidb", "--schema", &format!("(int8,{EVIL})")],
        ),
        plain(folder.file("object", &beat), &object),
        plain(folder.file("declared.data", declared.as_bytes()), &["--prefix", &format!("/nowhere/{EVIL}")]),
        plain(folder.file("undeclared", &beat), &["--format", "beat", "--schema", bad]),
        plain(folder.file("text.in", format!("[1i32, {EVIL}]").as_bytes()), &["--format", "futhark"]),
        plain(folder.file(&format!("{EVIL}.in"), b"1i32"), &["--format", "futhark"]),
        plain(folder.file(&format!("{EVIL}.what"), b"?"), &[]),
        plain(folder.path(&format!("{EVIL}.missing")), &[]),
        plain(array, &[]),
    ]
}

/// An array in which a dimension, an attribute and a file have such names, and cells such values.
fn tiledb(folder: &Folder) -> String {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/tiledb/s2_f32");
    let json = folder.path("array.json");
    run(&["convert", source, &json]).ok();
    let text = std::fs::read_to_string(&json).unwrap();
    // control characters are refused in the names of attributes, for they name files
    let text = text.replace("\"s\"", &quoted("\u{202e}s\u{2066}")).replace("\"x\"", &quoted(EVIL));
    std::fs::write(&json, text.replace("\"Zrich\"", &quoted(EVIL))).unwrap();
    let array = folder.path(&format!("array {EVIL}"));
    run(&["convert", &json, &array]).ok();
    std::fs::write(format!("{array}/{EVIL}"), "what is not known").unwrap();
    array
}

#[test]
fn no_command_lets_a_file_speak_to_the_terminal() {
    let folder = Folder::new("hostile");
    let out = folder.path("out");
    for Hostile { path, options } in files(&folder) {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let commands: [&[&str]; 13] = [
            &["inspect"],
            &["inspect", "--json"],
            &["cat"],
            &["cat", "--table"],
            &["cat", "--tsv"],
            &["cat", "--json"],
            &["cat", "--table", "--columns", "nothing"],
            &["cat", "--table", "--no-header"],
            &["dump"],
            &["dump", "--depth", "1"],
            &["check"],
            &["check", "--strict"],
            &["convert", "--to", "npy"],
        ];
        for words in commands {
            let target = if words[0] == "convert" { &[out.as_str()][..] } else { &[] };
            let done = run(&[words, &[path.as_str()], target, &options].concat());
            both_tame(&done, &format!("{words:?} {path:?}"));
        }
        for to in ["json", "csv", "sdds"] {
            let done = run(&[&["convert", &path, &out, "--to", to][..], &options].concat());
            is_tame(&done.err, &format!("convert to {to}: {path:?}"));
        }
        // data for a program, which come as they are
        let csv = run(&[&["cat", "--csv", &path][..], &options].concat());
        is_tame(&csv.err, "cat --csv");
    }
}

#[test]
fn csv_for_a_program_has_the_data_as_they_are() {
    let folder = Folder::new("hostile-csv");
    let cell = [&(EVIL.len() as u32 + 1).to_le_bytes(), EVIL.as_bytes(), b"\0"].concat();
    let path = folder.file("cells", &cell);
    let csv = crate::support::scidb(&["cat", "--csv", &path], "(string)").ok();
    assert_eq!(csv.text(), format!("a\n\"{EVIL}\"\n"));
    // the same text, however it is escaped
    let json = crate::support::scidb(&["cat", "--json", &path], "(string)").ok();
    assert_eq!(json.json()["cells"][0][0], EVIL);
}

#[test]
fn words_of_the_command_line_are_quoted_tamely() {
    for words in [&["layout", "a", EVIL][..], &["cat", "a", &format!("--{EVIL}")], &[EVIL], &["make", EVIL]] {
        let done = run(words);
        assert_eq!(done.status, 2);
        both_tame(&done, "a wrong command line");
    }
    let json = format!(r#"{{"format":{},"schema":"x"}}"#, quoted(EVIL));
    both_tame(&run_with(&["convert", "-", "-"], json.as_bytes()), "a document");
    let json = format!(r#"{{"format":"scidb","schema":{},"cells":[]}}"#, quoted(&format!("(int8,{EVIL})")));
    both_tame(&run_with(&["convert", "-", "-"], json.as_bytes()), "a schema in a document");
}

/// Runs the command on a terminal; what it showed.
fn on_terminal(words: &[&str]) -> String {
    on_terminal_of(words, None)
}

fn on_terminal_of<'a>(words: &[&str], size: impl Into<Option<&'a nix::pty::Winsize>>) -> String {
    let pty = nix::pty::openpty(size.into(), None).expect("a terminal");
    let master = std::fs::File::from(pty.master);
    // a terminal holds only some lines until they are read
    let reader = std::thread::spawn(move || {
        let (mut shown, mut master) = (Vec::new(), master);
        // the other side is gone: that is an error on some systems and an end on others
        let _ = std::io::Read::read_to_end(&mut master, &mut shown);
        shown
    });
    let mut command = command();
    let slave = pty.slave.try_clone().expect("a terminal");
    command.args(words).env("NO_COLOR", "1").env_remove("COLUMNS").stdout(pty.slave).stderr(slave);
    command.stdin(std::process::Stdio::null());
    command.spawn().expect("the command runs").wait().expect("it ends");
    drop(command);
    let shown = String::from_utf8(reader.join().expect("it was read")).expect("it is text");
    // the terminal's own end of a line
    shown.replace("\r\n", "\n")
}

#[test]
fn a_real_terminal_is_not_driven_either() {
    let folder = Folder::new("screen");
    let cell = [&(EVIL.len() as u32 + 1).to_le_bytes(), EVIL.as_bytes(), b"\0"].concat();
    let path = folder.file("cells", &cell);
    let string = ["--format", "scidb", "--schema", "(string)"];
    for words in [&["cat", &path][..], &["cat", "--csv", &path], &["cat", "--json", &path], &["dump", &path]]
    {
        let shown = on_terminal(&[words, &string].concat());
        assert!(shown.contains("pwn"), "{words:?}: {shown}");
        is_tame(&shown, &format!("{words:?}"));
    }
    // the bytes of a file, which would be those of the file anywhere else
    let terminals = if cfg!(target_os = "linux") { &["-", "/dev/fd/2"][..] } else { &["-"] };
    for (to, out) in ["csv", "scidb"].iter().flat_map(|to| terminals.iter().map(move |out| (to, out))) {
        let shown = on_terminal(&[&["convert", &path, out, "--to", to][..], &string].concat());
        assert!(shown.contains("\\x1b]0;pwn\\x07\\x1b[31m\\r\\u{9b}2J"), "{shown}");
        let shown = shown.replace('\n', " ");
        is_tame(&shown, to);
    }
    let mut file = std::fs::File::create(folder.path("b.in")).unwrap();
    file.write_all(b"b\x02\x00  i8\x1b").unwrap();
    let shown = on_terminal(&["cat", "--style", "packed", &folder.path("b.in")]);
    assert_eq!(shown, "b\\x02\\x00  i8\\x1b");
}

#[test]
fn a_wide_table_fits_the_terminal() {
    let shown = |words: &[&str], width: u16| {
        let size = nix::pty::Winsize { ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 };
        on_terminal_of(words, &size)
    };
    let twiss = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/twiss.sdds");
    let words = ["cat", twiss, "--where", "s > 1"];
    assert_eq!(shown(&words, 40), "   s   betax  ElementName\n1.75  12.125  D1\n");
    assert_eq!(shown(&words, 22), "   s   betax  Element…\n1.75  12.125  D1\n");
    let narrow = shown(&words, 16);
    assert!(narrow.starts_with("   s   betax\n1.75  12.125\n… 1 more column: ElementName;"), "{narrow}");
    // who asks for the table has all of it
    assert_eq!(shown(&["cat", "--table", twiss, "--where", "s > 1"], 16), shown(&words, 40));
}
