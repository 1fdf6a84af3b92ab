//! Schemas of very many columns. A program of its own, because it measures what its runs of the command take.

mod support;

use std::time::Duration;
use support::{Folder, cpu_of_children, run};

#[test]
fn schemas_of_many_columns_take_no_longer_for_each() {
    const COLUMNS: usize = 60_000;
    // a time that grows with the square would be minutes
    const LONGEST: Duration = Duration::from_secs(60);
    let folder = Folder::new("scidb-wide");
    let bytes = folder.file("wide.bin", &[7; COLUMNS]);
    let format = format!("({})", ["int8"; COLUMNS].join(", "));
    let names: Vec<String> = (0..COLUMNS).map(|i| format!("a{i}:int8 NOT NULL")).collect();
    let schema = format!("<{}>[i=0:*]", names.join(", "));
    let (document, again) = (folder.path("wide.json"), folder.path("again.bin"));
    let start = cpu_of_children();
    for text in [&format, &schema] {
        let text = format!("@{}", folder.file("schema.txt", text.as_bytes()));
        let said = ["--format", "scidb", "--schema", &text];
        run(&[&["check", &bytes][..], &said].concat()).ok();
        run(&[&["convert", &bytes, &document][..], &said].concat()).ok();
        run(&["convert", &document, &again]).ok();
        assert_eq!(std::fs::read(&again).unwrap(), [7; COLUMNS]);
    }
    let taken = cpu_of_children() - start;
    assert!(taken < LONGEST, "{taken:?}");
    let twice = schema.replace("a59999:", "a7:");
    let twice = format!("@{}", folder.file("schema.txt", twice.as_bytes()));
    let e = run(&["check", &bytes, "--format", "scidb", "--schema", &twice]).fails(2).err;
    assert!(e.contains("a second attribute `a7`"), "{e}");
}
