//! Who may import whom: arrows point downwards only. Also where `unsafe` may stand, how long a file may be, and what
//! may not stay in one.

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A source file: its path below the package's `src`, and its text without comments and strings.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) code: String,
}

impl File {
    /// `wire/raw/bulk.rs` is the module `["wire", "raw", "bulk"]`; `mod.rs` is its folder.
    pub(super) fn module(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.path.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if names.last().is_some_and(|name| name == "mod" || name == "lib") {
            names.pop();
        }
        names
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// The sources of a package, read once for all rules.
pub(super) fn files(package: &'static str) -> &'static [File] {
    static READ: Mutex<BTreeMap<&str, &[File]>> = Mutex::new(BTreeMap::new());
    READ.lock().unwrap().entry(package).or_insert_with(|| read(package).leak())
}

fn read(package: &str) -> Vec<File> {
    let src = root().join(package).join("src");
    let mut list = Vec::new();
    collect(&src, &src, &mut list);
    if package == "binfmt-cli" {
        // there the library is another crate
        list.iter_mut().for_each(|file| file.code = file.code.replace("binfmt::", "library::"));
    }
    assert!(list.len() > 10, "no sources in {}", src.display());
    list.sort_by(|a, b| a.path.cmp(&b.path));
    list
}

fn collect(root: &Path, folder: &Path, list: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, list);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = code_of(&text);
            list.push(File { path: path.strip_prefix(root).unwrap().to_owned(), text, code });
        }
    }
}

/// Code up to the unit tests of its file.
pub(super) fn without_tests(code: &str) -> &str {
    let ends = ["#[cfg(test)]\nmod ", "#[cfg(all(test, "].into_iter().filter_map(|mark| code.find(mark));
    &code[..ends.min().unwrap_or(code.len())]
}

/// The text with comments and the insides of literals blanked, lines kept.
fn code_of(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |n| n + 2)
        } else if let Some(n) =
            raw_string(rest).filter(|_| !out.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        {
            n
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' {
            char_literal(rest)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.extend(rest[..len].chars().filter(|c| *c == '\n'));
        out.push(' ');
        rest = &rest[len..];
    }
    out
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let open = hashes.find(|c| c != '#')?;
    if !hashes[open..].starts_with('"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(open));
    let body = rest.len() - hashes.len() + open + 1;
    Some(rest[body..].find(&close).map_or(rest.len(), |n| body + n + close.len()))
}

fn quoted(rest: &str, end: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == end => return i + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal; 1 for the tick of a lifetime.
fn char_literal(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted(rest, '\''),
        (Some(_), Some((i, '\''))) => i + 1,
        _ => 1,
    }
}

/// The tokens of code, names whole.
fn tokens(code: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match rest.find(|c| !is_word(c)) {
            Some(0) if rest.starts_with("::") => 2,
            Some(0) => first.len_utf8(),
            Some(n) => n,
            None => rest.len(),
        };
        list.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    list
}

/// Every path of the crate's own that the file names, in `use` and in code, as absolute module paths.
pub(super) fn imports(file: &File) -> BTreeSet<Vec<String>> {
    let tokens = tokens(&file.code);
    let mut found = BTreeSet::new();
    for (i, token) in tokens.iter().enumerate() {
        let starts = i == 0 || tokens[i - 1] != "::";
        // `pub(crate)` and `pub(super)` name no import, and `macro_rules` writes `$crate`
        if !starts || tokens.get(i + 1) != Some(&"::") {
            continue;
        }
        let base = match *token {
            "crate" | "binfmt" => Vec::new(),
            "super" | "self" => file.module(),
            _ => continue,
        };
        walk(&tokens[i..], base, &mut found);
    }
    found
}

/// Follows `a::{b, c::d}` from its first segment.
fn walk(tokens: &[&str], base: Vec<String>, found: &mut BTreeSet<Vec<String>>) {
    let mut path = base;
    let mut i = 0;
    loop {
        match tokens.get(i) {
            Some(&"crate" | &"binfmt" | &"self") => {}
            Some(&"super") => {
                path.pop();
            }
            Some(&"{") => {
                let mut depth = 0;
                let mut start = true;
                for (k, token) in tokens.iter().enumerate().skip(i) {
                    match *token {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        "," if depth == 1 => start = true,
                        _ if depth == 1 && start => {
                            walk(&tokens[k..], path.clone(), found);
                            start = false;
                        }
                        _ => {}
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            Some(name) if name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                path.push((*name).into())
            }
            _ => break,
        }
        if tokens.get(i + 1) != Some(&"::") {
            break;
        }
        i += 2;
    }
    found.insert(path);
}

/// The layers of the runtime from the lowest to the highest. What is re-exported at the root belongs to `api`.
const LAYERS: &[&str] = &[
    "error",
    "storage",
    "wire",
    "codec",
    "containers",
    "numbers",
    "schema",
    "value",
    "columns",
    "dump",
    "table",
    "api",
    "formats",
    "open",
    "__private",
];

fn layer(module: &[String]) -> usize {
    let first = module.first().map_or("api", String::as_str);
    LAYERS.iter().position(|layer| *layer == first).unwrap_or_else(|| root_item(first))
}

/// Where an item that is named by its short path (`crate::Result`) comes from.
fn root_item(name: &str) -> usize {
    let place = |layer| LAYERS.iter().position(|l| *l == layer).unwrap();
    match name {
        "Error" | "ErrorKind" | "Excerpt" | "KeyProblem" | "Path" | "Result" | "Step" => place("error"),
        "Decode" | "DecodeOwned" | "Encode" | "Layout" => place("codec"),
        "Nullable" | "Ignored" => place("containers"),
        "Describe" => place("schema"),
        "Be" | "Endian" | "Facts" | "Le" | "Options" | "Order" | "Part" | "Shape" | "Sink" | "Sizes"
        | "Source" | "VariantParts" => place("wire"),
        _ => place("api"),
    }
}

#[test]
fn imports_point_downwards() {
    for file in files("binfmt") {
        let module = file.module();
        // the root re-exports everything
        if module.is_empty() {
            continue;
        }
        for path in imports(file) {
            assert!(
                layer(&path) <= layer(&module),
                "{} ({}) imports {}, which is above it",
                file.name(),
                LAYERS[layer(&module)],
                path.join("::"),
            );
            assert!(
                layer(&path) < LAYERS.len() - 1 || module[0] == "__private",
                "{} imports {}: only generated code may name `__private`",
                file.name(),
                path.join("::"),
            );
        }
    }
}

#[test]
fn errors_know_nothing_of_the_crate() {
    for file in
        files("binfmt").iter().filter(|file| file.module().first().is_some_and(|name| name == "error"))
    {
        for path in imports(file) {
            assert_eq!(layer(&path), 0, "{} imports {}", file.name(), path.join("::"));
        }
    }
}

#[test]
fn the_unsafe_module_stands_alone() {
    let allowed = [
        &["error"][..],
        &["wire", "amount"],
        &["wire", "budget"],
        &["wire", "endian"],
        &["wire", "options"],
        &["wire", "origin"],
        &["wire", "raw"],
    ];
    for file in files("binfmt").iter().filter(|file| file.path.starts_with("wire/raw")) {
        for path in imports(file) {
            let known = allowed
                .iter()
                .any(|allowed| path.iter().zip(*allowed).all(|(a, b)| a == b) && path.len() >= allowed.len());
            assert!(known, "{} imports {}", file.name(), path.join("::"));
        }
    }
}

#[test]
fn formats_know_nothing_of_each_other() {
    for file in files("binfmt") {
        let module = file.module();
        let Some([_, own]) = module.get(..2).filter(|module| module[0] == "formats") else { continue };
        for path in imports(file).iter().filter(|path| path.first().is_some_and(|name| name == "formats")) {
            let same = path.get(1).is_none_or(|other| other == own);
            assert!(same, "{} imports {}", file.name(), path.join("::"));
        }
    }
}

/// In no folder of a format do modules import each other in a circle. What stands in the folder's own file is one of
/// them, so that it either re-exports the others or is used by them. A file that imports from the front of its format,
/// which re-exports everything, makes a circle too.
#[test]
fn rooms_of_formats_have_no_circles() {
    let files: Vec<&File> = files("binfmt").iter().filter(|file| file.path.starts_with("formats/")).collect();
    let modules: Vec<Vec<String>> = files.iter().map(|file| file.module()).collect();
    let arrows = arrows(&files);
    let formats: BTreeSet<&String> = modules.iter().filter_map(|module| module.get(1)).collect();
    assert!(formats.len() >= 5, "{formats:?}");
    for format in formats {
        let inside = |module: &&Vec<String>| module.get(1) == Some(format);
        let folders: BTreeSet<&[String]> = modules
            .iter()
            .filter(inside)
            .flat_map(|module| (2..=module.len()).map(|n| &module[..n]))
            .collect();
        let found: Vec<_> =
            folders.into_iter().map(|folder| (folder, in_circles(&children(folder, &arrows)))).collect();
        let found: Vec<_> = found.into_iter().filter(|(_, circle)| !circle.is_empty()).collect();
        assert!(found.is_empty(), "{format}: {found:#?}");
    }
}

/// In the command no file is reached from itself; what is only handed on under another path does not count. Of the formats
/// only the entry knows, which hands them in.
#[test]
fn the_command_has_no_circles() {
    let files: Vec<&File> =
        files("binfmt-cli").iter().filter(|file| file.path != Path::new("formats/sample.rs")).collect();
    let arrows: Vec<Arrow> = arrows(&files).into_iter().filter(|arrow| !arrow.is_reexport).collect();
    assert!(arrows.len() > 200, "the imports are not found");
    let files: Vec<(String, String)> =
        arrows.iter().map(|arrow| (arrow.from.join("/"), arrow.to.join("/"))).collect();
    let circles = in_circles(&files);
    assert!(circles.is_empty(), "{circles:?}");
    for arrow in arrows.iter().filter(|arrow| arrow.to == ["formats"]) {
        assert!(arrow.from.is_empty(), "{} imports the list of formats", arrow.from.join("/"));
    }
}

/// A module that names another one of its package.
struct Arrow {
    from: Vec<String>,
    to: Vec<String>,
    /// It hands on what it names.
    is_reexport: bool,
}

/// Which of these modules the code of each names, tests left out.
fn arrows(files: &[&File]) -> Vec<Arrow> {
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| file.module()).collect();
    let module_of = |path: &Vec<String>| {
        (1..=path.len()).rev().map(|n| path[..n].to_vec()).find(|module| modules.contains(module))
    };
    let mut arrows = Vec::new();
    for file in files {
        let own = file.module();
        let code = without_tests(&file.code);
        let is_reexport = |item: &&str| {
            let mut item = item.trim_start();
            // it may be there for a feature only
            while let Some((_, rest)) = item.strip_prefix("#[").and_then(|rest| rest.split_once("]\n")) {
                item = rest.trim_start();
            }
            ["pub use ", "pub(crate) use ", "pub(super) use "].iter().any(|word| item.starts_with(word))
        };
        let (handed_on, used): (Vec<&str>, Vec<&str>) = code.split_inclusive(';').partition(is_reexport);
        for (code, is_reexport) in [(used.concat(), false), (handed_on.concat(), true)] {
            let code = File { path: file.path.clone(), text: String::new(), code };
            let mut found = imports(&code);
            // a folder's own file names what is in the folder without `self`
            let tokens = tokens(&code.code);
            for (i, name) in tokens.iter().enumerate().filter(|(i, _)| *i == 0 || tokens[i - 1] != "::") {
                let child = [&own[..], &[(*name).to_owned()]].concat();
                if tokens.get(i + 1) == Some(&"::") && modules.contains(&child) {
                    found.insert(child);
                }
            }
            let named: BTreeSet<_> = found.iter().filter_map(module_of).filter(|to| *to != own).collect();
            arrows.extend(named.into_iter().map(|to| Arrow { from: own.clone(), to, is_reexport }));
        }
    }
    arrows
}

/// The arrows between the children of a folder; `.` is the folder's own file.
fn children(folder: &[String], arrows: &[Arrow]) -> Vec<(String, String)> {
    let child = |module: &Vec<String>| {
        let rest = module.strip_prefix(folder)?;
        Some(rest.first().map_or(".", String::as_str).to_owned())
    };
    let between = |arrow: &Arrow| child(&arrow.from).zip(child(&arrow.to)).filter(|(from, to)| from != to);
    arrows.iter().filter_map(between).collect()
}

/// What is in a circle of arrows, or between two circles.
fn in_circles(arrows: &[(String, String)]) -> BTreeSet<String> {
    let mut left: BTreeSet<&str> =
        arrows.iter().flat_map(|(from, to)| [from.as_str(), to.as_str()]).collect();
    // what leads to nothing that is left is in no circle, nor is what nothing leads to
    loop {
        let inside =
            |(from, to): &&(String, String)| left.contains(from.as_str()) && left.contains(to.as_str());
        let (starts, ends): (BTreeSet<&str>, BTreeSet<&str>) =
            arrows.iter().filter(inside).map(|(from, to)| (from.as_str(), to.as_str())).unzip();
        let kept: BTreeSet<&str> = starts.intersection(&ends).copied().collect();
        if kept == left {
            return left.into_iter().map(str::to_owned).collect();
        }
        left = kept;
    }
}

#[test]
fn circles_are_found() {
    let arrows = |all: &[&str]| -> Vec<(String, String)> {
        all.iter().map(|arrow| (arrow[..1].to_owned(), arrow[1..].to_owned())).collect()
    };
    assert_eq!(
        in_circles(&arrows(&["ab", "bc", "ca", "da", "ce"])),
        ["a", "b", "c"].map(str::to_owned).into()
    );
    assert_eq!(in_circles(&arrows(&["ab", "bc", "ac"])), BTreeSet::new());
}

/// The layers of the macro: each module may import those before it, and what stands in its own folder.
const STAGES: &[&[&str]] =
    &[&["diag", "keyword", "paths", "names"], &["attr"], &["model"], &["check", "bounds"], &["expand"]];

#[test]
fn stages_of_the_macro_point_downwards() {
    let stage = |module: &[String]| {
        let first = module.first()?;
        STAGES.iter().position(|stage| stage.contains(&first.as_str()))
    };
    for file in files("binfmt-derive") {
        let module = file.module();
        if module.is_empty() {
            continue;
        }
        let own = stage(&module)
            .unwrap_or_else(|| panic!("{}: a module without a place in the table", file.name()));
        for path in imports(file) {
            let Some(other) = stage(&path) else { continue };
            let same = path[0] == module[0];
            // `bounds` and `keyword` are read by their neighbours, never the other way round
            assert!(
                same || other < own || (own == 0 && other == 0),
                "{} imports {}",
                file.name(),
                path.join("::")
            );
        }
    }
}

#[test]
fn unsafe_stands_in_one_place() {
    for file in files("binfmt") {
        let has = tokens(&file.code).contains(&"unsafe");
        assert!(!has || file.path.starts_with("wire/raw"), "`unsafe` in {}", file.name());
    }
    let quoted: Vec<_> = files("binfmt-derive")
        .iter()
        .flat_map(|file| {
            tokens(&file.code)
                .into_iter()
                .filter(|token| *token == "unsafe")
                .map(|_| file.name())
                .collect::<Vec<_>>()
        })
        .collect();
    // the one that is quoted into the facts of a struct
    assert_eq!(quoted, ["expand/layout.rs"]);
}

#[test]
fn files_are_short_and_finished() {
    for package in ["binfmt", "binfmt-derive"] {
        for file in files(package) {
            let lines = file.text.lines().count();
            assert!(lines <= 600, "{package}/src/{} has {lines} lines", file.name());
            let tokens = tokens(&file.code);
            for words in tokens.windows(2) {
                let left = matches!(words, ["todo" | "unimplemented" | "dbg", "!"]);
                assert!(!left, "{package}/src/{}: {}!", file.name(), words[0]);
            }
        }
    }
}

#[test]
fn the_reader_of_sources_reads() {
    let code = code_of(
        "use crate::a; // crate::b\nlet s = \"crate::c\"; let c = '\"'; let l: &'a str = r#\"unsafe\"#;",
    );
    assert!(code.contains("crate::a") && !code.contains("crate::b") && !code.contains("crate::c"));
    assert!(!code.contains("unsafe") && code.contains("a str"));
    let file = File { path: "wire/raw/bulk.rs".into(), text: String::new(), code: "use super::super::{endian::Order, raw as r}; use crate::error::{self, Result}; pub(crate) fn f() {}".into() };
    let found: Vec<String> = imports(&file).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["error", "error::Result", "wire::endian::Order", "wire::raw"]);
}
