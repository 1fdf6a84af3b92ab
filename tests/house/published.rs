//! What crates.io and docs.rs show of the crates that are published.

use super::{file, root};

const CRATES: [&str; 5] = ["binfmt", "binfmt-arrow", "binfmt-cli", "binfmt-datafusion", "binfmt-derive"];

/// Where the links of a page go.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// A README is shown where there is no repository around it.
#[test]
fn links_survive_outside_of_the_repository() {
    for name in
        ["binfmt/README.md", "binfmt-arrow/README.md", "binfmt-cli/README.md", "binfmt-datafusion/README.md"]
    {
        let page = file(name);
        for link in links(&page) {
            let Some(target) = link.strip_prefix("https://docs.rs/") else {
                assert!(link.starts_with('#') || link.starts_with("https://"), "{name}: {link}");
                continue;
            };
            let source = target.strip_prefix("crate/").and_then(|rest| rest.split_once("/latest/source/"));
            let exists = match source {
                Some((package, path)) => root().join(package).join(path).is_file(),
                None => ["attributes", "cookbook", "schema"]
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
        for key in ["description", "license", "rust-version"] {
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
    assert!(log.contains("## [Unreleased]") && log.contains(&format!("## [{version}]")));
}
