//! Values by binfmt of a layout that is known only at run time: what conditions and expressions cost, beside records of the same
//! bytes without them. `W7/if` is six numbers, three of which a condition decides on; `W7/list` a number and a list.

use super::*;
use crate::Bench;
use binfmt::schema::{Describe, Schema};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Options};
use std::hint::black_box;
use std::rc::Rc;

#[derive(BinFormat)]
#[binfmt(le)]
struct Always {
    flags: u8,
    a: u32,
    b: u16,
    x: u32,
    y: u64,
    z: f64,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Conditional {
    flags: u8,
    a: u32,
    b: u16,
    #[binfmt(if(flags & 1 == 1))]
    x: Option<u32>,
    #[binfmt(if(flags & 2 != 0))]
    y: Option<u64>,
    #[binfmt(if(*a > 9))]
    z: Option<f64>,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Fixed {
    n: u8,
    #[binfmt(count = 4)]
    values: Vec<u16>,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Counted {
    n: u8,
    #[binfmt(count = *n)]
    values: Vec<u16>,
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Computed {
    n: u8,
    #[binfmt(count = usize::from(*n) * 2 - 4)]
    values: Vec<u16>,
}

/// As many records as W6 has.
fn rows() -> u32 {
    data().w6.len() as u32
}

fn numbers() -> Vec<u8> {
    let one = |i: u32| Always { flags: 3, a: 10 + i, b: i as u16, x: i * 7, y: i.into(), z: f64::from(i) };
    binfmt::encode_all(&(0..rows()).map(one).collect::<Vec<_>>()).unwrap()
}

fn lists() -> Vec<u8> {
    let one = |i: u32| Fixed { n: 4, values: [1, 2, 3, 4].map(|k| (i * k) as u16).to_vec() };
    binfmt::encode_all(&(0..rows()).map(one).collect::<Vec<_>>()).unwrap()
}

fn both(r: &mut Registry, ops: [&'static str; 2], name: &'static str, schema: &'static Schema, wire: fn() -> Vec<u8>) {
    let bytes = wire().len() as u64;
    let program = Rc::new(Program::new(&schema.description()).unwrap());
    let mut add = |op, make| {
        r.benches.push(Bench { workload: "W7", op, name, wire: Wire::Exact, kind: Kind::Plain, bytes, make });
    };
    let own = Rc::clone(&program);
    add(ops[0], Box::new(move || {
        let (own, wire) = (Rc::clone(&own), wire());
        Box::new(move || {
            let found: Vec<Value> = binfmt::decode_all_with(black_box(&wire), &Options::new().ctx(&*own)).unwrap();
            assert_eq!(found.len(), rows() as usize);
            black_box(&found);
        })
    }));
    add(ops[1], Box::new(move || {
        let (own, wire) = (Rc::clone(&program), wire());
        let values: Vec<Value> = binfmt::decode_all_with(&wire, &Options::new().ctx(&*own)).unwrap();
        let mut out = Vec::with_capacity(wire.len() + 64);
        binfmt::encode_all_into_with(&values, &mut out, &Options::new().ctx(&*own)).unwrap();
        assert!(out == wire, "{name}: bytes differ");
        Box::new(move || {
            out.clear();
            binfmt::encode_all_into_with(black_box(&values), &mut out, &Options::new().ctx(&*own)).unwrap();
            black_box(&out);
        })
    }));
}

pub fn register(r: &mut Registry) {
    let condition = ["if-dec", "if-enc"];
    both(r, condition, "binfmt (none)", Always::SCHEMA, numbers);
    both(r, condition, "binfmt (conditions)", Conditional::SCHEMA, numbers);
    let list = ["list-dec", "list-enc"];
    both(r, list, "binfmt (4)", Fixed::SCHEMA, lists);
    both(r, list, "binfmt (*n)", Counted::SCHEMA, lists);
    both(r, list, "binfmt (*n * 2 - 4)", Computed::SCHEMA, lists);
}
