//! What crates.io and docs.rs show of the crates that are published.

use super::{file, root};
use std::fs;

const CRATES: [&str; 5] = ["binfmt", "binfmt-arrow", "binfmt-cli", "binfmt-datafusion", "binfmt-derive"];

/// Where the links of a page go: `[text](link)`, and `[name]: link` on a line of its own.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let inline = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let named = page.lines().filter(|line| line.starts_with('['));
    inline.chain(named.filter_map(|line| Some(line.split_once("]: ")?.1.trim())))
}

/// The READMEs that crates.io shows, and the pages that are published beside them.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = ["binfmt", "binfmt-arrow", "binfmt-cli", "binfmt-datafusion"]
        .map(|name| format!("{name}/README.md"))
        .into();
    let mut folders = vec!["binfmt-cli/docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap().map(Result::unwrap) {
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() { folders.push(name) } else { pages.push(name) }
        }
    }
    assert!(pages.len() > 20, "the pages are not found: {pages:?}");
    pages
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Whether a page, or a place in one, is there. Links between pages of one folder of documents may be relative.
fn is_beside(page: &str, link: &str) -> bool {
    let (path, place) = link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
    let target = match path {
        "" => root().join(page),
        path => root().join(page).parent().unwrap().join(path),
    };
    let is_published = path.is_empty() || (page.contains("/docs/") && path.ends_with(".md"));
    let has = |place: &str| {
        let text = fs::read_to_string(&target).unwrap_or_default();
        text.lines().any(|line| line.starts_with('#') && anchor(line) == place)
    };
    let inside = target.canonicalize().is_ok_and(|target| {
        let folder =
            page.split_once("/docs/").map_or(page.to_owned(), |(package, _)| format!("{package}/docs"));
        target.is_file() && target.starts_with(root().join(folder).canonicalize().unwrap())
    });
    is_published && inside && place.is_none_or(has)
}

/// A README is shown where there is no repository around it, and a page beside the others of its folder.
#[test]
fn links_survive_outside_of_the_repository() {
    for name in pages() {
        let page = file(&name);
        for link in links(&page) {
            let Some(target) = link.strip_prefix("https://docs.rs/") else {
                assert!(link.starts_with("https://") || is_beside(&name, link), "{name}: {link}");
                continue;
            };
            let source = target.strip_prefix("crate/").and_then(|rest| rest.split_once("/latest/source/"));
            let exists = match source {
                Some((package, path)) => root().join(package).join(path).is_file(),
                None => ["attributes", "cookbook", "features", "formats", "schema"]
                    .iter()
                    .any(|page| target.starts_with(&format!("binfmt/latest/binfmt/{page}/"))),
            };
            assert!(exists, "{name}: {link} leads nowhere");
        }
    }
}

#[test]
fn docs_have_all_features() {
    for name in CRATES {
        let manifest = file(&format!("{name}/Cargo.toml"));
        let docs = manifest.split("[package.metadata.docs.rs]").nth(1).unwrap_or_else(|| panic!("{name}"));
        assert!(docs.contains("all-features = true") && docs.contains("docsrs"), "{name}");
        for key in ["description", "license", "rust-version", "homepage", "repository", "documentation"] {
            assert!(manifest.contains(&format!("\n{key}")), "{name} has no {key}");
        }
    }
    assert!(file("binfmt/src/lib.rs").contains("cfg_attr(docsrs, feature(doc_cfg))"));
}

#[test]
fn the_changelog_knows_the_version() {
    let manifest = file("Cargo.toml");
    let version = manifest.split("\nversion = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let log = file("CHANGELOG.md");
    let releases: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let is_it =
        |release: &&str| release.trim_start_matches('[').split([',', ' ', ']']).next() == Some(version);
    assert!(releases.iter().any(is_it), "CHANGELOG.md has no `## {version}` among {releases:?}");
}

/// The first pages are short, and the code of the first is that of the crate's page, whose examples are tested.
#[test]
fn first_pages_are_short_and_their_code_is_tested() {
    for (name, most) in [("README.md", 7000), ("binfmt/README.md", 7000), ("binfmt-cli/README.md", 6000)] {
        let bytes = file(name).len();
        assert!(bytes <= most, "{name} has {bytes} bytes: {most} are the most");
    }
    let (page, tested) = (file("README.md"), file("binfmt/README.md"));
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty(), "README.md shows no Rust");
    for block in blocks {
        assert!(tested.contains(block), "binfmt/README.md, which is tested, does not have\n{block}");
    }
}
