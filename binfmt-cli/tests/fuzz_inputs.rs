//! Inputs that the fuzzer found, which stay right, and some at random, so that no target stands still unnoticed.

#[path = "../../binfmt/fuzz/src/targets/mod.rs"]
#[allow(unreachable_pub, reason = "the fuzzer's programs see it from outside")]
mod targets;

#[path = "../../tests/support/random.rs"]
#[allow(dead_code, reason = "only its numbers are used")]
mod random;

use random::Random;
use std::path::PathBuf;

fn inputs(target: &str) -> Vec<PathBuf> {
    let folder = targets::repository().join("tests/data/fuzz").join(target);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn what_was_found_stays_mended() {
    for (name, run) in targets::ALL {
        for path in inputs(name) {
            println!("{}", path.display());
            run(&std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn inputs_belong_to_targets() {
    for entry in std::fs::read_dir(targets::repository().join("tests/data/fuzz")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || targets::ALL.iter().any(|(target, _)| *target == name), "{name}");
    }
    for (name, _) in targets::ALL {
        let program = targets::repository().join(format!("binfmt/fuzz/src/bin/{name}.rs"));
        assert!(program.is_file(), "{name} has no program for the fuzzer");
    }
}

#[test]
fn any_bytes() {
    for (name, run) in targets::ALL {
        let random = &mut Random::new(name.len() as u64);
        // what the command prints is for the fuzzer only
        let times = if ["command", "tables", "arrow"].contains(name) { 0 } else { 100 };
        for _ in 0..times {
            let len = random.below(200);
            let mut data = random.below(len + 1).to_le_bytes()[..2].to_vec();
            data.extend(
                (0..len)
                    .map(|_| if random.below(3) == 0 { random.next() as u8 } else { random.below(9) as u8 }),
            );
            run(&data);
        }
    }
}
