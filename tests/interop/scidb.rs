//! Files for scidb-py, and files of scidb-py. Driven by `scidb.py`.

use binfmt::formats::scidb::{Reader, Template, save};
use binfmt::{BinFormat, Encode, Nullable};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Where the two halves meet; without the script, a folder of this test's own.
fn folder(name: &str) -> Option<PathBuf> {
    let base = PathBuf::from(std::env::var_os("BINFMT_INTEROP_DIR")?).join(name);
    std::fs::create_dir_all(&base).unwrap();
    Some(base)
}

fn bits(v: f64) -> Json {
    json!({ "bits": format!("{:016x}", v.to_bits()) })
}

fn hex(b: &[u8]) -> Json {
    json!({ "hex": b.iter().map(|b| format!("{b:02x}")).collect::<String>() })
}

fn or_missing<T>(v: &Nullable<T>, json: impl Fn(&T) -> Json) -> Json {
    match v {
        Nullable::Value(v) => json(v),
        Nullable::Missing(code) => json!({ "missing": code }),
    }
}

fn write<T: Encode>(name: &str, schema: &str, cells: &[T], json: impl Fn(&T) -> Json) {
    let bytes = save(cells).unwrap();
    let description = json!({ "schema": schema, "cells": cells.iter().map(json).collect::<Vec<_>>() });
    let Some(folder) = folder("rust") else {
        // run by `cargo test` alone: the files are made, but no one else reads them
        println!(
            "{name}: {} bytes written; scidb-py reads them when tests/interop/scidb.py is run",
            bytes.len()
        );
        return;
    };
    std::fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
    std::fs::write(folder.join(format!("{name}.json")), description.to_string()).unwrap();
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Fixed {
    a: bool,
    b: u8,
    c: i8,
    d: i16,
    e: i32,
    f: i64,
    g: u8,
    h: u16,
    i: u32,
    j: u64,
    k: f32,
    l: f64,
    m: i64,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct AllNullable {
    #[binfmt(nullable)]
    a: Nullable<i8>,
    #[binfmt(nullable)]
    b: Nullable<u64>,
    #[binfmt(nullable)]
    c: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    d: Nullable<String>,
    #[binfmt(nullable, var_len)]
    e: Nullable<Vec<u8>>,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Texts<'a> {
    #[binfmt(var_len, nul)]
    a: &'a str,
    #[binfmt(var_len)]
    b: &'a [u8],
}

/// Half of the cells missing, with every code.
fn half<T>(i: u8, v: T) -> Nullable<T> {
    if i.is_multiple_of(2) { Nullable::Missing(i / 2) } else { Nullable::Value(v) }
}

#[test]
fn writes_files_for_scidb_py() {
    let fixed: Vec<Fixed> = (0..50i64)
        .map(|i| Fixed {
            a: i % 2 == 0,
            b: 65 + i as u8,
            c: i as i8 - 25,
            d: i as i16 * -600,
            e: i as i32 * 40_000_000,
            f: i64::MIN + i,
            g: i as u8,
            h: i as u16,
            i: u32::MAX - i as u32,
            j: u64::MAX - i as u64,
            k: i as f32 / 8.0,
            l: i as f64 / 7.0,
            m: i * 86_400,
        })
        .collect();
    let schema = "<a:bool NOT NULL,b:char NOT NULL,c:int8 NOT NULL,d:int16 NOT NULL,e:int32 NOT NULL,f:int64 NOT NULL,\
                  g:uint8 NOT NULL,h:uint16 NOT NULL,i:uint32 NOT NULL,j:uint64 NOT NULL,k:float NOT NULL,\
                  l:double NOT NULL,m:datetime NOT NULL>[i=0:*]";
    write("fixed", schema, &fixed, |c| {
        json!([
            c.a,
            hex(&[c.b]),
            c.c,
            c.d,
            c.e,
            c.f,
            c.g,
            c.h,
            c.i,
            c.j,
            bits(f64::from(c.k)),
            bits(c.l),
            c.m
        ])
    });

    let nullable: Vec<AllNullable> = (0..=255u8)
        .map(|i| AllNullable {
            a: half(i, i as i8),
            b: half(i, u64::MAX - u64::from(i)),
            c: half(i, f64::from(i) / 3.0),
            d: half(i, "é".repeat(usize::from(i) % 7)),
            e: half(i, vec![i; usize::from(i) % 9]),
        })
        .collect();
    write("nullable", "<a:int8,b:uint64,c:double,d:string,e:binary>[i=0:*]", &nullable, |c| {
        json!([
            or_missing(&c.a, |v| json!(v)),
            or_missing(&c.b, |v| json!(v)),
            or_missing(&c.c, |v| bits(*v)),
            or_missing(&c.d, |v| json!(v)),
            or_missing(&c.e, |v| hex(v)),
        ])
    });

    let texts =
        [Texts { a: "", b: b"" }, Texts { a: "☃ snow", b: b"\0\xff" }, Texts { a: "x", b: &[7; 300] }];
    write("texts", "<a:string NOT NULL,b:binary NOT NULL>[i=0:*]", &texts, |c| json!([c.a, hex(c.b)]));
    write("empty", "<a:int8 NOT NULL>[i=0:*]", &[] as &[i8], |c| json!([c]));
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Mixed {
    a: i64,
    b: f64,
    #[binfmt(var_len, nul)]
    c: String,
    #[binfmt(nullable)]
    d: Nullable<i16>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Plain {
    a: bool,
    b: u8,
    c: u64,
    d: f32,
    e: i64,
}

#[test]
fn reads_files_of_scidb_py() {
    let Some(folder) = folder("python") else {
        println!("not run: the files are those that tests/interop/scidb.py makes with scidb-py");
        return;
    };
    let bytes = std::fs::read(folder.join("mixed.bin")).unwrap();
    let format: Template = "(int64, double, string, int16 null)".parse().unwrap();
    let cells = Reader::strict().checked_cells::<Mixed>(&bytes, &format).unwrap();
    let cells: Vec<Mixed> = cells.collect::<Result<_, _>>().unwrap();
    assert_eq!(cells.len(), 100);
    for (i, cell) in (0i16..).zip(&cells) {
        let d = if i % 3 == 0 { Nullable::Missing(i as u8) } else { Nullable::Value(i - 50) };
        let c = "x".repeat(i as usize % 5);
        assert_eq!(*cell, Mixed { a: i64::from(i) * 1_000_003, b: f64::from(i) / 7.0, c, d });
    }
    assert_eq!(save(&cells).unwrap(), bytes);

    let bytes = std::fs::read(folder.join("fixed.bin")).unwrap();
    let format: Template = "(bool, char, uint64, float, datetime)".parse().unwrap();
    let cells = Reader::strict().checked_cells::<Plain>(&bytes, &format).unwrap();
    let cells: Vec<Plain> = cells.collect::<Result<_, _>>().unwrap();
    assert_eq!(cells.len(), 20);
    assert_eq!(cells[3], Plain { a: false, b: b'D', c: u64::MAX - 3, d: 0.75, e: 3 * 86_400 });
    assert_eq!(save(&cells).unwrap(), bytes);
}
