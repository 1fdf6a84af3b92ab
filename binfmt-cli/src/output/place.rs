//! Which file a name stands for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// As many links as a system follows, one after the other.
const LINKS: u32 = 40;

/// The file that is written: a link stays one, and what it names is replaced or, where there is nothing, made.
pub(super) fn of(path: &Path) -> io::Result<PathBuf> {
    if let Ok(place) = fs::canonicalize(path) {
        return Ok(place);
    }
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&place) {
            // from the folder of the link on
            Ok(named) => place = place.parent().map_or(named.clone(), |folder| folder.join(&named)),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_where_nothing_stands() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("binfmt-cli-{}-links", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let at = |name: &str| folder.join(name);
        symlink("sub/new", at("a")).unwrap();
        symlink(at("a"), at("b")).unwrap();
        assert_eq!(of(&at("b")).unwrap(), at("sub/new"));
        assert_eq!(of(&at("plain")).unwrap(), at("plain"));
        fs::write(at("sub/new"), "x").unwrap();
        assert_eq!(of(&at("b")).unwrap(), fs::canonicalize(at("sub/new")).unwrap());
        symlink("loop", at("loop")).unwrap();
        assert!(of(&at("loop")).unwrap_err().to_string().contains("symbolic links"));
        fs::remove_dir_all(folder).unwrap();
    }
}
