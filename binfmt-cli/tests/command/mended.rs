//! What was wrong in the command, each kind on small files.

use crate::support::{Folder, Run, run};

/// A file of the repository.
fn repository(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    root.join(name).to_str().expect("the path is text").to_owned()
}

fn twiss() -> String {
    repository("examples/data/twiss.sdds")
}

#[track_caller]
fn good(words: &[&str]) -> Run {
    let run = run(words);
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

#[test]
fn options_stand_anywhere_among_the_files_of_convert() {
    let folder = Folder::new("mended-order");
    let (twiss, out) = (twiss(), folder.path("x.csv"));
    let mut texts = Vec::new();
    for words in [
        &["--columns", "s", &twiss, &out][..],
        &[&twiss, "--columns", "s", &out],
        &[&twiss, &out, "--columns", "s"],
        &["--columns=s", &twiss, "--force", &out],
        &["--force", "--columns", "s", "--", &twiss, &out],
    ] {
        good(&[&["convert"][..], words].concat());
        texts.push(std::fs::read_to_string(&out).unwrap());
        std::fs::remove_file(&out).unwrap();
    }
    assert!(texts[0].starts_with("s\n0.0\n") && texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    good(&["convert", &twiss, "--columns", "s", &twiss, "--to", "csv", &out]);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 2 * texts[0].lines().count() - 1);
    let e = run(&["convert", &twiss]).fails(2);
    assert!(e.err.contains("not provided") && e.err.contains("<OUT>"), "{}", e.err);
    assert!(run(&["convert"]).fails(2).err.contains("Usage: binfmt convert [OPTIONS] <IN>... <OUT>"));
}
