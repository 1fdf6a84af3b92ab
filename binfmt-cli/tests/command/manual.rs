//! The README and the pages of the manual show what the command really prints.

use crate::support::{Folder, command, run};
use std::fs;
use std::path::{Path, PathBuf};

/// What the examples read, from the root of the repository. Nothing else of it is there, so that nothing is written to it.
const READ: [(&str, &str); 3] = [("examples", "data"), ("tests", "data"), ("tests", "support")];

/// This crate.
fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages below a folder, each with its name: `docs/formats/scidb.md`.
fn pages_below(folder: &str, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(here().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            pages_below(&name, found);
        } else {
            assert!(name.ends_with(".md"), "{name} is not a page");
            found.push((fs::read_to_string(path).unwrap(), name));
        }
    }
}

/// Every page, with its text before its name.
fn pages() -> Vec<(String, String)> {
    let readme = "README.md";
    let mut found = vec![(fs::read_to_string(here().join(readme)).unwrap(), readme.to_owned())];
    pages_below("docs", &mut found);
    found
}

/// A folder of a page's own: what an example writes, later ones on the page read, and none of it stays.
fn folder(page: &str) -> Folder {
    let folder = Folder::new(&format!("manual-{}", page.replace(['/', '.'], "-")));
    for (parent, name) in READ {
        let source = here().parent().unwrap().join(parent).join(name);
        fs::create_dir_all(folder.path(parent)).unwrap();
        let link = Path::new(&folder.path(parent)).join(name);
        #[cfg(unix)]
        std::os::unix::fs::symlink(source, link).unwrap();
        #[cfg(windows)]
        std::os::windows::fs::symlink_dir(source, link).unwrap();
    }
    folder
}

#[test]
fn every_example_of_the_manual_is_true() {
    let mut examples = 0;
    for (text, page) in pages() {
        let folder = folder(&page);
        for block in text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            for example in block.split("$ binfmt ").skip(1) {
                let (line, expected) = example.split_once('\n').unwrap();
                let output = command().args(words(line)).current_dir(folder.path("")).output().unwrap();
                let shown = [output.stdout, output.stderr].concat();
                assert_eq!(String::from_utf8(shown).unwrap(), expected, "{page}: {line}");
                examples += 1;
            }
        }
    }
    assert!(examples >= 47, "only {examples} examples are found");
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

/// The commands that `binfmt help` lists, without `help` itself.
fn commands() -> Vec<String> {
    let help = run(&["help"]).ok();
    let (_, list) = help.text().split_once("\nCommands:\n").expect("the help has a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    // a name has two spaces before it, the rest of a long explanation more
    let names = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

/// A page tells by its first line of which commands it is: `# binfmt man, binfmt completions`. It goes on with a sentence and a synopsis.
#[test]
fn every_command_has_its_page() {
    let commands = commands();
    assert!(commands.len() >= 15, "the commands are not found: {commands:?}");
    let pages = pages();
    let of_commands: Vec<(Vec<&str>, &(String, String))> = pages
        .iter()
        .filter_map(|page| {
            let heads = page.0.lines().next()?.strip_prefix("# ")?.split(", ");
            let names: Option<Vec<&str>> = heads.map(|head| head.strip_prefix("binfmt ")).collect();
            Some((names.filter(|_| page.1.starts_with("docs/"))?, page))
        })
        .collect();
    let index = &pages.iter().find(|(_, name)| name == "docs/README.md").expect("an index").0;
    let readme = &pages[0].0;
    for command in &commands {
        let found: Vec<_> =
            of_commands.iter().filter(|(names, _)| names.contains(&command.as_str())).collect();
        let [(_, (text, name))] = found[..] else {
            panic!("`binfmt {command}` has {} pages below binfmt-cli/docs", found.len())
        };
        let synopsis = format!("\nbinfmt {command} ");
        assert!(text.contains(&synopsis), "{name} has no synopsis of `binfmt {command}`");
        let file = name.strip_prefix("docs/").unwrap();
        assert!(index.contains(&format!("({file})")), "docs/README.md does not lead to {name}");
        assert!(index.contains(&format!("`binfmt {command}`")), "docs/README.md does not name {command}");
        assert!(readme.contains(&format!("`binfmt {command} ")), "README.md does not name {command}");
    }
    for (names, (_, name)) in of_commands {
        let gone: Vec<_> = names.iter().filter(|name| !commands.iter().any(|c| c == *name)).collect();
        assert!(gone.is_empty(), "{name} is about {gone:?}, which are not commands");
    }
}
