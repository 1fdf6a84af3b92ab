#!/usr/bin/env python3
"""What a derive costs the user's build: a library of structs of 8 fields with both derives, and for each struct one
function that decodes and one that encodes, so that generic code is really compiled.

Usage: derive_cost.py [mixed] [number of structs] [contender ...]     prints a Markdown table; CARGO_TARGET_DIR is not used

The fields are numbers, of 100 structs if nothing else is said. With `mixed` they are numbers, arrays, strings, vectors and
options in turn, and in every fourth struct the struct before it: of binfmt and borsh alone.

CPU seconds (user and system, cargo and its children) of the library alone, its dependencies built before; best of 3.
    check = `cargo check`        build = `cargo build --release` (Cargo's own defaults, not incremental)
    dependencies = `cargo build --release` of all that the contender brings, once
"""
import os, resource, subprocess, sys, tempfile

STRUCTS, REPEATS = 100, 3
TYPES = ["u8", "u16", "u32", "u64", "i32", "f32", "f64", "i64"]
# with the word that binfmt wants
MIXED = [("u8", ""), ("u32", ""), ("f64", ""), ("[u8; 4]", ""), ("i64", ""), ("String", "var_len"), ("Vec<u16>", "var_len"),
         ("Option<u32>", "nullable"), ("Vec<u8>", "var_len"), ("bool", "")]
HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.dirname(HERE)

# name: dependencies, use, attributes, decode `b: &[u8]` to Option<S>, encode `s: &S` to `o: &mut Vec<u8>`
CONTENDERS = {
    "none": ("", "", "", "", ""),
    "binfmt": (
        f'binfmt = {{ path = "{RUNTIME}" }}',
        "use binfmt::BinFormat;",
        "#[derive(BinFormat)] #[binfmt(le)]",
        "binfmt::from_slice::<S>(b).ok()",
        "binfmt::append(s, o).unwrap()",
    ),
    "borsh": (
        'borsh = { version = "1.8.1", features = ["derive"] }',
        "use borsh::{BorshDeserialize, BorshSerialize};",
        "#[derive(BorshSerialize, BorshDeserialize)]",
        "borsh::from_slice(b).ok()",
        "borsh::to_writer(o, s).unwrap()",
    ),
    "bincode": (
        'bincode = "2.0.1"',
        "use bincode::{Encode, Decode};",
        "#[derive(Encode, Decode)]",
        "bincode::decode_from_slice(b, bincode::config::legacy()).ok().map(|x| x.0)",
        "{ bincode::encode_into_std_write(s, o, bincode::config::legacy()).unwrap(); }",
    ),
    "speedy": (
        'speedy = "0.8.7"',
        "use speedy::{Readable, Writable};",
        "#[derive(Readable, Writable)]",
        "S::read_from_buffer(b).ok()",
        "s.write_to_stream(o).unwrap()",
    ),
    "scroll": (
        'scroll = { version = "0.13.0", features = ["derive"] }',
        "use scroll::{Pread, Pwrite};",
        "#[derive(Pread, Pwrite, Clone, Copy)]",
        "b.pread_with(0, scroll::LE).ok()",
        "{ o.resize(39, 0); o.pwrite_with(*s, 0, scroll::LE).unwrap(); }",
    ),
    "binrw": (
        'binrw = "0.15.2"',
        "use binrw::{BinRead, BinWrite, io::Cursor};",
        "#[derive(BinRead, BinWrite)] #[brw(little)]",
        "S::read(&mut Cursor::new(b)).ok()",
        "s.write(&mut Cursor::new(o)).unwrap()",
    ),
    "deku": (
        'deku = { version = "0.20.3", default-features = false, features = ["std"] }',
        "use deku::prelude::*;",
        '#[derive(DekuRead, DekuWrite)] #[deku(endian = "little")]',
        "S::from_bytes((b, 0)).ok().map(|x| x.1)",
        "o.extend(s.to_bytes().unwrap())",
    ),
    "wincode": (
        'wincode = { version = "0.6.3", features = ["derive"] }',
        "use wincode::{SchemaRead, SchemaWrite};",
        "#[derive(SchemaRead, SchemaWrite)]",
        "wincode::deserialize(b).ok()",
        "wincode::serialize_into(o, s).unwrap()",
    ),
    "zerocopy": (
        'zerocopy = { version = "0.8", features = ["derive"] }',
        "use zerocopy::{FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned};",
        "#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)] #[repr(C, packed)]",
        "S::read_from_bytes(b).ok()",
        "o.extend_from_slice(s.as_bytes())",
    ),
}

MANIFEST = """[package]
name = "derive_cost"
version = "0.0.0"
edition = "2024"
[workspace]
[profile.release]
incremental = false
[profile.dev]
incremental = false
[dependencies]
"""


def mixed(name, i):
    """The fields of struct i: eight of the ten, in another order for each."""
    fields = [MIXED[(i * 3 + k * 7) % len(MIXED)] for k in range(8)]
    if i % 4 == 3:
        fields[7] = (f"S{i - 1}", "")
    word = lambda word: f"#[binfmt({word})] " if word and name == "binfmt" else ""
    return ", ".join(f"{word(w)}pub f{k}_{i}: {t}" for k, (t, w) in enumerate(fields))


def numbers(_, i):
    return ", ".join(f"pub f{k}_{i}: {t}" for k, t in enumerate(TYPES))


def library(name, structs, fields):
    _, use, attributes, decode, encode = CONTENDERS[name]
    lines = ["#![allow(unused_imports, dead_code)]", use if structs else ""]
    for i in range(structs):
        lines.append(f"{attributes}\npub struct S{i} {{ {fields(name, i)} }}")
        if decode:
            lines.append(f"pub fn d{i}(b: &[u8]) -> Option<S{i}> {{ type S = S{i}; let r: Option<S> = {decode}; r }}")
            lines.append(f"pub fn e{i}(s: &S{i}, o: &mut Vec<u8>) {{ {encode} }}")
    return "\n".join(lines) + "\n"


def cpu_seconds(command, folder):
    env = {k: v for k, v in os.environ.items() if k != "CARGO_TARGET_DIR"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        sys.exit(run.stderr[-3000:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, structs, fields):
    check, build = ["cargo", "check", "-j1"], ["cargo", "build", "--release", "-j1"]
    with tempfile.TemporaryDirectory() as folder:
        source = folder + "/src/lib.rs"
        os.mkdir(folder + "/src")
        open(folder + "/Cargo.toml", "w").write(MANIFEST + CONTENDERS[name][0] + "\n")
        open(source, "w").write(library(name, 0, fields))
        subprocess.run(["cargo", "fetch", "-q"], cwd=folder, check=True)
        dependencies = cpu_seconds(build, folder)
        cpu_seconds(check, folder)
        open(source, "w").write(library(name, structs, fields))
        times = ([], [])
        for _ in range(REPEATS):
            for command, into in zip((check, build), times):
                os.utime(source)
                into.append(cpu_seconds(command, folder))
        return min(times[0]), min(times[1]), dependencies


words = sys.argv[1:]
structs = next((int(word) for word in words if word.isdigit()), STRUCTS)
fields = mixed if "mixed" in words else numbers
names = [word for word in words if word in CONTENDERS] or (["none", "binfmt", "borsh"] if "mixed" in words else CONTENDERS)
what = f"{structs} structs of 8 fields" + (", mixed" if "mixed" in words else "")
print(f"| derive, {what} | check, CPU s | build, CPU s | dependencies, CPU s |")
print("|---|--:|--:|--:|")
for name in names:
    print(f"| {name} | " + " | ".join(f"{s:.2f}" for s in measure(name, structs, fields)) + " |", flush=True)
