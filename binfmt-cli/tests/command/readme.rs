//! The README shows what the command really prints.

use crate::support::{Folder, command};
use std::path::Path;

#[test]
fn every_example_of_the_readme_is_true() {
    let text = include_str!("../../README.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // what an example writes, others read, and none of it stays
    let folder = Folder::new("readme");
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        let link = Path::new(&folder.path("")).join(entry.file_name());
        #[cfg(unix)]
        std::os::unix::fs::symlink(entry.path(), link).unwrap();
        #[cfg(windows)]
        std::os::windows::fs::symlink_dir(entry.path(), link).unwrap();
    }
    let mut examples = 0;
    for block in text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for example in block.split("$ binfmt ").skip(1) {
            let (line, expected) = example.split_once('\n').unwrap();
            let output = command().args(words(line)).current_dir(folder.path("")).output().unwrap();
            let shown = [output.stdout, output.stderr].concat();
            assert_eq!(String::from_utf8(shown).unwrap(), expected, "{line}");
            examples += 1;
        }
    }
    assert_eq!(examples, 47);
}

/// The words of a line, as a shell has them: quotes hold together what has spaces.
fn words(line: &str) -> Vec<String> {
    let quoted = line.split('\'').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}
