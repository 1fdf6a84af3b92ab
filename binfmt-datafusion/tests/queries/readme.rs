//! The lines of `binfmt-arrow/docs/arrow.md`, as they are there: one query on one machine, and on a cluster.

use super::cluster::processes::{Process, port};
use super::cluster::support::Folder;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

/// What the query finds in the files of `made`.
const ANSWER: &str = "Run,cells,celsius,weight\n1,3,20.0,2.0\n2,2,20.5,2.0\n";

/// The lines that use SQL, after those that build the programs.
fn lines() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../binfmt-arrow/docs/arrow.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, after) = page.split_once("```sh\nQUERY=").expect("the page has a query");
    let (block, _) = after.split_once("```").unwrap();
    format!("QUERY={block}").lines().map(str::to_owned).collect()
}

/// A line of a shell that knows the programs.
fn shell(folder: &Folder, line: &str) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_binfmt-sql")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(&folder.0);
    command.env("PATH", format!("{}:{path}", programs.display()));
    command
}

fn printed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Two runs of SDDS, an array of TileDB and a load file of SciDB that have `x` in common.
fn made(folder: &Folder) {
    for (run, rows) in [(1, "1\n2\n3\n"), (2, "2\n3\n4\n")] {
        let head = "SDDS1\n&parameter name=Run, type=long, &end\n&column name=x, type=long64, &end\n&data mode=ascii, &end\n";
        folder.write(&format!("run{run}.sdds"), format!("{head}{run}\n3\n{rows}"));
    }
    let cells = [(1i64, 0.5f64), (2, 1.0), (3, 2.0)];
    let present = |(x, weight): (i64, f64)| [&x.to_le_bytes()[..], &[255], &weight.to_le_bytes()].concat();
    folder.write("load.bin", cells.map(present).concat());
    folder.write("grid.csv", "x,celsius\n1,19\n2,20\n3,21\n");
    let array = "binfmt-sql \"SELECT * FROM 'grid.csv'\" --output grid.tdb --set dimensions=x";
    printed(shell(folder, array).output().unwrap());
}

#[test]
fn the_lines_of_the_page() {
    let folder = Folder::new("readme");
    made(&folder);
    let (first, second) = (port(), port());
    let lines = lines();
    let (setting, lines) = lines.split_first().unwrap();
    let (mut background, mut answers) = (Vec::new(), 0);
    for line in lines {
        let line = line.split(" #").next().unwrap().trim_end();
        let line = line.replace(":50050", &format!(":{first}")).replace(":50051", &format!(":{second}"));
        if let Some(line) = line.strip_suffix(" &") {
            background.push(Process(shell(&folder, &format!("exec {line}")).spawn().unwrap()));
            // a scheduler listens before an executor asks for it
            std::thread::sleep(Duration::from_secs(2));
        } else {
            let line = format!("{setting}\n{line} --format csv");
            assert_eq!(printed(shell(&folder, &line).output().unwrap()), ANSWER, "{line}");
            answers += 1;
        }
    }
    assert_eq!((background.len(), answers), (2, 2));
}
