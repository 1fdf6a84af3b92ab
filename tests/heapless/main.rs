//! Without a heap: a program that has no allocator links, reads, writes, and says what is wrong.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = r#"
[package]
name = "heapless"
version = "0.0.0"
edition = "2024"
publish = false

[[bin]]
name = "heapless"
path = "{program}"

[dependencies]
binfmt = { path = "{binfmt}", default-features = false, features = ["derive"] }

# the handler of panics is the program's own
[profile.dev]
panic = "abort"
opt-level = 1

[workspace]
"#;

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "the program is linked as on Linux")]
fn a_program_without_an_allocator_reads_and_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heapless");
    fs::create_dir_all(&folder).unwrap();
    let package = PACKAGE
        .replace("{program}", &root.join("tests/heapless/program.rs").display().to_string())
        .replace("{binfmt}", &root.join("binfmt").display().to_string());
    fs::write(folder.join("Cargo.toml"), package).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let built = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["build", "--quiet", "--offline", "--target-dir"])
        .arg(folder.join("target"))
        .current_dir(&folder)
        // what the tests themselves are built with is not for this program
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("target/debug/heapless")).status().unwrap();
    assert_eq!(ran.code(), Some(0), "the step that went wrong, as `program.rs` numbers them");
}
