//! What can be read once, for commands that look at it more than once.

use crate::support::{Folder, run, run_with};

const TURNS: &[u8] = b"SDDS1\n&parameter name=q, type=double &end\n&array name=n, type=double &end\n\
    &column name=x, type=double &end\n&data mode=ascii &end\n1\n2\n1 3\n2\n4\n5\n";

#[test]
fn standard_input_is_what_a_file_is() {
    let folder = Folder::new("once-sdds");
    let file = folder.file("a.sdds", TURNS);
    for words in [
        &["cat", "FILE", "--columns", "n"][..],
        &["cat", "FILE", "--columns", "n", "--where", "n > 1"],
        &["cat", "FILE", "--columns", "n", "--rows", "1.."],
        &["cat", "FILE", "--columns", "n", "--sample", "1"],
        &["cat", "FILE", "--columns", "q,x"],
        &["cat", "FILE", "--parameters", "q"],
        &["stats", "FILE", "--columns", "n"],
        &["stats", "FILE", "--columns", "q,x"],
        &["convert", "FILE", "-", "--to", "csv", "--columns", "n"],
        &["convert", "FILE", "-", "--to", "jsonl", "--columns", "n"],
        &["convert", "FILE", "-", "--to", "sdds", "--columns", "x"],
        #[cfg(feature = "plot")]
        &["plot", "FILE", "--y", "n", "--output", "-"],
        &["find", "3", "FILE"],
    ] {
        let of = |path: &str| {
            let word = |word: &&str| if *word == "FILE" { path.to_owned() } else { (*word).to_owned() };
            words.iter().map(word).collect::<Vec<String>>()
        };
        let (from_file, piped) = (of(&file), of("-"));
        let from_file = run(&from_file.iter().map(String::as_str).collect::<Vec<_>>());
        let piped = run_with(&piped.iter().map(String::as_str).collect::<Vec<_>>(), TURNS);
        assert_eq!((from_file.status, piped.status), (0, 0), "{words:?}: {from_file:?} {piped:?}");
        let plain = |text: &[u8]| String::from_utf8_lossy(text).replace(&file, "standard input");
        assert_eq!(plain(&from_file.out), plain(&piped.out), "{words:?}");
    }
}

#[test]
fn a_file_is_compared_with_standard_input() {
    let folder = Folder::new("once-diff");
    let file = folder.file("a.sdds", TURNS);
    for words in [["diff", &file, "-"], ["diff", "-", &file]] {
        run_with(&words, TURNS).ok();
        let other = String::from_utf8_lossy(TURNS).replace("\n1 3\n", "\n1 7\n");
        let e = run_with(&words, other.as_bytes());
        assert!(e.status == 1 && e.text().contains("array:n"), "{e:?}");
    }
    let values = folder.file("f.in", b"1i32 [2i32]");
    for words in [["diff", &values, "-"], ["diff", "-", &values]] {
        run_with(&words, b"1i32 [2i32]").ok();
        assert_eq!(run_with(&words, b"1i32 [3i32]").status, 1);
        assert_eq!(run_with(&words, b"1i32 [2i32] 4i32").status, 1);
    }
    // more than is held in memory
    let mut large = b"SDDS1\n&array name=n, type=long &end\n&column name=x, type=long &end\n&data mode=ascii &end\n1\n5\n300000\n".to_vec();
    (0..300_000).for_each(|n| large.extend_from_slice(format!("{n}\n").as_bytes()));
    let file = folder.file("large.sdds", &large);
    run_with(&["diff", &file, "-"], &large).ok();
}
