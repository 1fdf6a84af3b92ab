//! What the command says: help, and messages about mistakes on the command line.

use crate::support::{FLAT, Folder, data, run, run_with, scidb};

fn flat() -> String {
    data("seed_flat_35/input.bin")
}

#[test]
fn help_names_every_command_and_shows_examples() {
    let help = run(&["--help"]).ok();
    for word in
        ["inspect", "cat", "dump", "check", "convert", "make", "completions", "Examples", "Exit status"]
    {
        assert!(help.text().contains(word), "{word}: {}", help.text());
    }
    assert_eq!(run(&["help"]).ok().out, help.out);
    assert!(help.text().lines().all(|line| line.chars().count() <= 100), "{}", help.text());
}

#[test]
fn help_of_each_command_explains_its_options() {
    let words = [
        (
            "cat",
            &[
                "--json",
                "--csv",
                "--tsv",
                "--columns",
                "--rows",
                "--where",
                "--format",
                "\\N",
                "10..20",
                "--help --format",
            ][..],
        ),
        ("inspect", &["--json", "--format"]),
        ("dump", &["--depth", "--range", "--html", "--output", "--most"]),
        ("check", &["<PATHS>"]),
        ("stats", &["--where", "--sample", "--json"]),
        ("diff", &["--tolerance", "--most", "exit status"]),
        ("find", &["--bytes", "VALUE"]),
        ("convert", &["--to", "IN", "OUT", ".json"]),
        ("layout", &["--type", "--json", "--offsets", "--against", "--svg"]),
        ("plot", &["--x", "--y", "--histogram", "--image", "--log", "--where", "--output"]),
        ("make", &["--generate", "--bounds", "--seed", "futhark"]),
        ("completions", &["bash", "zsh", "fish"]),
    ];
    for (command, words) in words {
        let help = run(&[command, "--help"]).ok();
        assert_eq!(run(&["help", command]).ok().out, help.out);
        for word in words {
            assert!(help.text().contains(word), "{command}: no {word}:\n{}", help.text());
        }
    }
}

#[test]
fn help_has_the_options_of_the_named_format_only() {
    for command in ["inspect", "cat", "dump", "check", "stats", "diff", "find", "plot", "convert"] {
        let plain = run(&[command, "--help"]).ok();
        assert!(!plain.text().contains("--schema") && !plain.text().contains("--strict"), "{}", plain.text());
        // which is for files of no format
        assert!(plain.text().contains("--layout <FILE>"), "{}", plain.text());
        for words in [&["--format", "scidb"][..], &["--format=scidb"]] {
            let help = run(&[&[command, "--help"][..], words].concat()).ok();
            assert!(
                help.text().contains("--schema") && !help.text().contains("--subarray"),
                "{}",
                help.text()
            );
            assert!(!help.text().contains("--help --format"), "{}", help.text());
        }
    }
    assert!(!run(&["make", "--help"]).ok().text().contains("--subarray"));
    // and of those what means something to the command
    let of =
        |command: &str, format: &str| run(&[command, "--help", "--format", format]).ok().text().to_owned();
    assert!(of("convert", "sdds").contains("--mode") && of("cat", "sdds").contains("--no-parameters"));
    for command in ["inspect", "cat", "check", "stats", "plot"] {
        let help = of(command, "sdds");
        assert!(help.contains("--any-names") && !help.contains("--mode"), "{command}: {help}");
    }
    assert!(of("consolidate", "tiledb").contains("--amplification"));
    assert!(!of("check", "tiledb").contains("--append") && of("check", "tiledb").contains("--strict"));
    let make = run(&["make", "--help"]).ok();
    assert!(make.text().contains("--style") && !make.text().contains("--types"), "{}", make.text());
}

#[test]
fn version() {
    assert_eq!(run(&["--version"]).ok().text(), format!("binfmt {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = run(&["man"]).ok();
    assert!(page.text().contains(".TH binfmt") && page.text().contains("inspect"), "{}", page.text());
    let page = run(&["man", "cat"]).ok();
    for word in ["binfmt", "\\-\\-where", "\\-\\-schema"] {
        assert!(page.text().contains(word), "{word}: {}", page.text());
    }
    let e = run(&["man", "cut"]).fails(2).err;
    assert!(e.contains("the commands are inspect, cat") && !e.contains("scheduler"), "{e}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).ok();
        assert!(script.text().contains("inspect") && script.text().contains("schema"), "{shell}");
    }
    let script = run(&["completions", "fish"]).ok();
    let of_cat = script.text().lines().filter(|line| line.contains("subcommand cat\""));
    let words: Vec<&str> = of_cat.filter_map(|line| line.split(" -l ").nth(1)?.split(' ').next()).collect();
    // what only convert and consolidate have is not among them
    assert!(words.contains(&"where") && words.contains(&"subarray"), "{words:?}");
    assert!(!words.contains(&"append") && !words.contains(&"amplification"), "{words:?}");
    let axes = script
        .text()
        .lines()
        .find(|line| line.contains("subcommand plot") && line.contains("-l log "))
        .unwrap();
    assert!(axes.contains("xy"), "{axes}");
}

#[test]
fn mistyped_words_are_answered_with_the_right_ones() {
    let flat = flat();
    let cases: [(&[&str], &str); 16] = [
        (&["cat", &flat, "--fromat", "scidb"], "'--format'"),
        (&["chek", &flat], "'check'"),
        (&["cat", &flat, "--format", "sidb"], "scidb"),
        (&["cat", &flat, "--format", "scidb", "--schema", "(int8, strng)"], "did you mean `string`?"),
        (&["cat", &flat, "--format", "scidb", "--schema", FLAT, "--columns", "a,cc"], "did you mean `c`?"),
        (&["cat", &flat, "--format", "scidb", "--schema", FLAT, "--rows", "20..10"], "did you mean 10..20?"),
        (&["cat", &flat, "--format", "scidb", "--schema", FLAT, "--rows", "1-2"], "1..=2"),
        (&["cat", &flat, "--json", "--csv"], "cannot be used with"),
        (&["convert", &flat, "x", "--to", "jsn"], "json"),
        (&["head", &flat], "--rows ..10"),
        (&["cat", &flat, "--npy"], "binfmt convert FILE out.npy"),
        (&["cat", &flat, "--sample", "x"], "expected how many rows"),
        (&["cat", &flat, "--rows", "x"], "-10.., the last ten"),
        (&["diff", &flat, &flat, "--tolerance", "-1"], "expected a part from 0"),
        (&["diff", &flat, &flat, "--tolerance", "x"], "expected a part from 0"),
        (&["diff", &flat, &flat, "--absolute", "-1"], "expected a number from 0 on"),
    ];
    for (words, answer) in cases {
        let run = run(words).fails(2);
        assert!(run.err.contains(answer), "{words:?}: {}", run.err);
        assert!(run.out.is_empty(), "{words:?}");
    }
}

#[test]
fn what_is_missing_is_asked_for() {
    let flat = flat();
    let unknown = run(&["cat", &flat]).fails(2);
    assert!(unknown.err.contains("--format scidb") && unknown.err.contains("--schema"), "{}", unknown.err);
    let no_schema = run(&["check", &flat, "--format", "scidb"]).fails(2);
    assert!(no_schema.err.contains("--schema '(int8"), "{}", no_schema.err);
    assert!(run(&["cat"]).fails(2).err.contains("<PATHS>"));
    let pages = scidb(&["cat", &flat, "--pages", "1.."], FLAT).fails(2);
    assert!(pages.err.contains("no pages"), "{}", pages.err);
    let json = Folder::new("json-words");
    let json = json.file("x.json", br#"{"format":"scidb"}"#);
    assert!(run(&["cat", &json]).fails(2).err.contains("binfmt convert"));
}

#[test]
fn a_bad_schema_is_drawn() {
    let run = scidb(&["cat", &flat()], "(int8, int16 nul)").fails(2);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines[1], "  (int8, int16 nul)", "{}", run.err);
    assert!(lines[2].starts_with("               ^^^ expected"), "{}", run.err);
    let run = scidb(&["cat", &flat()], "int8").fails(2);
    assert!(run.err.contains("(int8, string null)"), "{}", run.err);
}

#[test]
fn a_schema_may_stand_in_a_file() {
    let folder = Folder::new("schema");
    let schema = format!(
        "@{}",
        folder.file("flat.afl", b"<a:int8 NOT NULL, b:int16,\n c:string, d:string NOT NULL>[i]\n")
    );
    assert!(scidb(&["check", &flat()], &schema).ok().text().contains("ok (2 cells, 35 bytes)"));
    let missing = scidb(&["check", &flat()], "@/nowhere/x").fails(2);
    assert!(missing.err.contains("@/nowhere/x: no such file"), "{}", missing.err);
    let binary = format!("@{}", folder.file("x", b"\xff\xfe"));
    assert!(scidb(&["check", &flat()], &binary).fails(2).err.contains("UTF-8"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let run = scidb(&["cat", "/nowhere/x.bin"], FLAT).fails(1);
    assert_eq!(run.err, "error: /nowhere/x.bin: no such file or directory\n");
    let directory = scidb(&["cat", env!("CARGO_MANIFEST_DIR")], FLAT).fails(1);
    assert!(directory.err.contains("it is a directory"), "{}", directory.err);
    let target = scidb(&["convert", &flat(), "/nowhere/x.json"], FLAT).fails(1);
    assert!(target.err.contains("/nowhere/x.json: cannot write"), "{}", target.err);
}

#[test]
fn a_wrong_layout_leads_to_a_hint() {
    let run = scidb(&["check", &flat()], "(int64, string)").fails(1);
    assert!(run.err.contains("tip:") && run.err.contains("--schema"), "{}", run.err);
    let named = run_with(&["check", "-", "--format", "scidb", "--schema", "(int16)"], b"abc").fails(1);
    assert!(named.err.contains("standard input: [1]"), "{}", named.err);
}

/// The programs that are commands here, too: each is found beside this one, gets its words, and says how it ended.
#[cfg(unix)]
#[test]
fn other_programs_are_commands() {
    use std::process::{Command, Output};
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("other-programs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let here = folder.join("binfmt");
    let binfmt = env!("CARGO_BIN_EXE_binfmt");
    std::fs::hard_link(binfmt, &here).or_else(|_| std::fs::copy(binfmt, &here).map(drop)).unwrap();
    let run = |words: &[&str]| -> Output {
        Command::new(&here).args(words).current_dir(&folder).env("PATH", &folder).output().unwrap()
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();

    let none = run(&["sql", "SELECT 1"]);
    let expected = "error: `binfmt sql` is the program binfmt-sql, which is not there\n  \
                    tip: cargo install --path binfmt-datafusion --features objects,prompt\n";
    assert_eq!((none.status.code(), text(&none.stderr).as_str()), (Some(2), expected));
    let none = run(&["executor", "--cores", "4"]);
    assert!(text(&none.stderr).contains("--features ballista"), "{}", text(&none.stderr));

    for name in ["binfmt-sql", "binfmt-cluster"] {
        std::os::unix::fs::symlink("/bin/sh", folder.join(name)).unwrap();
    }
    let done = run(&["sql", "-c", "echo \"$@\"; exit 7", "x", "--help", "--color", "a b"]);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(7), "--help --color a b\n"));
    for role in ["scheduler", "executor"] {
        std::fs::write(folder.join(role), format!("echo {role} \"$@\"")).unwrap();
        let done = run(&[role, "--bind", "1"]);
        assert_eq!(text(&done.stdout), format!("{role} --bind 1\n"));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
