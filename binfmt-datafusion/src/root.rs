//! The folder outside of which nothing is read or written for others.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Settings of formats that are paths.
const PATHS: [&str; 2] = ["prefix", "like"];

/// Where the files are that a machine of a cluster reads and writes: anywhere, or within a folder.
///
/// ```
/// use binfmt_datafusion::Root;
/// let here = Root::new(".")?;
/// assert!(here.admits("Cargo.toml").is_ok() && here.admits("../x.sdds").is_err());
/// assert!(Root::default().admits("/etc/passwd").is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Root(Option<Arc<Path>>);

impl Root {
    /// Within a folder, which may be a link to one.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn new(folder: impl AsRef<Path>) -> io::Result<Self> {
        let folder = folder.as_ref().canonicalize()?;
        match folder.is_dir() {
            true => Ok(Root(Some(folder.into()))),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Whether there is such a folder.
    #[cfg_attr(not(feature = "ballista"), allow(dead_code, reason = "a cluster uses it"))]
    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a file, a folder or a pattern of this name is within the folder, with whatever links and `..` it is said. URLs are not.
    ///
    /// # Errors
    /// It is not; the text says so.
    pub fn admits(&self, name: &str) -> Result<(), String> {
        let Some(root) = &self.0 else { return Ok(()) };
        let path = name.strip_prefix("file://").unwrap_or(name);
        match !path.contains("://") && is_within(root, Path::new(path)) {
            true => Ok(()),
            false => Err(self.refused(name)),
        }
    }

    /// The same of a path.
    #[cfg_attr(not(feature = "ballista"), allow(dead_code, reason = "a cluster uses it"))]
    pub(crate) fn admits_path(&self, path: &Path) -> Result<(), String> {
        match &self.0 {
            Some(root) if !is_within(root, path) => Err(self.refused(&path.display().to_string())),
            _ => Ok(()),
        }
    }

    /// Whether the paths among settings are within the folder.
    pub(crate) fn admits_settings(&self, settings: &binfmt::table::Settings) -> Result<(), String> {
        PATHS.iter().filter_map(|name| settings.get(name)).try_for_each(|path| self.admits(path))
    }

    /// What is said of a name that is not admitted.
    pub(crate) fn refused(&self, name: &str) -> String {
        let root = self.0.as_deref().unwrap_or(Path::new("/"));
        format!("{name} is not in {}, where the files of this machine must be (--root)", root.display())
    }
}

/// Whether what is there under a name, or may come there, is in a folder that has no links in its own path.
fn is_within(root: &Path, path: &Path) -> bool {
    let is_pattern = |part: Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let has_parents = path.components().any(|part| part == Component::ParentDir);
    // what a pattern stands for is looked at name by name, and before that where it begins
    let begin: PathBuf = match path.symlink_metadata() {
        Ok(_) => path.to_owned(),
        Err(_) if has_parents && path.components().any(is_pattern) => return false,
        Err(_) => path.components().take_while(|part| !is_pattern(*part)).collect(),
    };
    // of a pattern without a folder
    let begin = if begin.as_os_str().is_empty() { PathBuf::from(".") } else { begin };
    let Ok(begin) = std::path::absolute(begin) else { return false };
    let mut there = begin.as_path();
    loop {
        if let Ok(place) = there.canonicalize() {
            return place.starts_with(root);
        }
        // a link that leads nowhere may lead out as soon as something is there; and after what is not there `..` means nothing
        let may_come = there.symlink_metadata().is_err() && there.file_name().is_some();
        match there.parent().filter(|_| may_come) {
            Some(parent) => there = parent,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_lead_out_in_no_way() {
        use std::os::unix::fs::symlink;
        let outside = std::env::temp_dir().join(format!("binfmt-root-{}", std::process::id()));
        let outside = Folder(outside);
        let (root, secret) = (outside.0.join("data"), outside.0.join("secret.csv"));
        std::fs::create_dir_all(root.join("runs")).unwrap();
        std::fs::create_dir_all(outside.0.join("data-too")).unwrap();
        std::fs::write(&secret, "x\n1\n").unwrap();
        std::fs::write(root.join("runs/a.sdds"), "").unwrap();
        symlink(&secret, root.join("link.csv")).unwrap();
        symlink(&outside.0, root.join("up")).unwrap();
        symlink(outside.0.join("nothing"), root.join("dangling")).unwrap();
        symlink(root.join("runs"), root.join("inside")).unwrap();
        let rule = Root::new(&root).unwrap();
        let at = |name: &str| root.join(name).display().to_string();
        for name in [
            "",
            "runs",
            "runs/a.sdds",
            "runs/../runs/a.sdds",
            "inside/a.sdds",
            "runs/*.sdds",
            "new.csv",
            "new/x.csv",
            "*",
        ] {
            rule.admits(&at(name)).unwrap();
            rule.admits(&format!("file://{}", at(name))).unwrap();
        }
        for name in [
            "../secret.csv",
            "runs/../../secret.csv",
            "link.csv",
            "up/secret.csv",
            "up/new.csv",
            "up",
            "dangling",
            "dangling/x",
            "new/../../secret.csv",
            "*/../../secret.csv",
            "../*.csv",
            "up/*.csv",
            "../data-too/x.csv",
            "..",
        ] {
            let e = rule.admits(&at(name)).unwrap_err();
            assert!(e.contains("--root"), "{name}");
        }
        for name in [
            "/etc/passwd",
            "/",
            "s3://bucket/x",
            "http://169.254.169.254/latest",
            "file:///etc/passwd",
            "/*/passwd",
        ] {
            rule.admits(name).unwrap_err();
        }
        let settings = |path: &str| binfmt::table::Settings::new().with("prefix", path).with("schema", "/x");
        rule.admits_settings(&settings(&at("runs"))).unwrap();
        rule.admits_settings(&settings("/etc")).unwrap_err();
        Root::default().admits("/etc/passwd").unwrap();
        assert!(Root::new(secret).is_err() && Root::new(outside.0.join("none")).is_err());
    }
}
