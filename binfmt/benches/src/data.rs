//! The data that every contender decodes and encodes, and the bytes it must read and write.

use std::sync::OnceLock;

/// W1: 28 bytes on the wire, 32 in memory (4 bytes of tail padding).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct W1 {
    pub a: i64,
    pub b: f64,
    pub c: u32,
    pub d: u16,
    pub e: u8,
    pub f: i8,
    pub g: f32,
}

/// A presence byte 0xFF and the value, or a missing code and a body of zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nullable<T> {
    Null(u8),
    Value(T),
}

/// W2: a record of a SciDB binary file.
#[derive(Clone, Debug, PartialEq)]
pub struct W2 {
    pub a: i8,
    pub b: Nullable<i16>,
    pub c: Option<String>,
    pub d: String,
}

/// W2 borrowing its strings from the input.
#[derive(Clone, Debug, PartialEq)]
pub struct W2Ref<'a> {
    pub a: i8,
    pub b: Nullable<i16>,
    pub c: Option<&'a str>,
    pub d: &'a str,
}

impl W2Ref<'_> {
    /// See [`w2_sum`].
    #[inline(always)]
    pub fn sum(&self) -> usize {
        let b = match self.b {
            Nullable::Null(k) => k as i32,
            Nullable::Value(v) => v as i32,
        };
        w2_sum(self.a, b, self.c, self.d)
    }
}

/// Part of W4.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    pub ty: u8,
    pub md: Vec<u8>,
}

/// Part of W4.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    pub max_chunk: u32,
    pub filters: Vec<Filter>,
}

/// W4: a nested message after TileDB's attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: String,
    pub datatype: u8,
    pub cell_val_num: u32,
    pub pipeline: Pipeline,
}

/// W5: the columns of rows of five numbers, 26 bytes each on the wire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cols {
    pub a: Vec<i32>,
    pub b: Vec<f64>,
    pub c: Vec<f32>,
    pub d: Vec<i16>,
    pub e: Vec<f64>,
}

impl Cols {
    #[inline]
    pub fn with_capacity(n: usize) -> Self {
        Cols {
            a: Vec::with_capacity(n),
            b: Vec::with_capacity(n),
            c: Vec::with_capacity(n),
            d: Vec::with_capacity(n),
            e: Vec::with_capacity(n),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, a: i32, b: f64, c: f32, d: i16, e: f64) {
        self.a.push(a);
        self.b.push(b);
        self.c.push(c);
        self.d.push(d);
        self.e.push(e);
    }
}

/// W6: a row of a SciDB load file with a name in it.
#[derive(Clone, Debug, PartialEq)]
pub struct W6 {
    pub id: i64,
    pub weight: Nullable<f64>,
    pub name: Nullable<String>,
    pub speed: f32,
}

/// The values of all workloads beside their wire bytes.
pub struct Data {
    pub w1: Vec<W1>,
    pub w1_wire: Vec<u8>,
    pub w2: Vec<W2>,
    pub w2_wire: Vec<u8>,
    /// What a borrowing decoder of W2 must return as its checksum.
    pub w2_sum: usize,
    pub f64s: Vec<f64>,
    pub i32s: Vec<i32>,
    pub f64_le: Vec<u8>,
    pub f64_be: Vec<u8>,
    pub i32_le: Vec<u8>,
    pub i32_be: Vec<u8>,
    pub w4: Vec<Attribute>,
    pub w4_wire: Vec<u8>,
    pub cols: Cols,
    pub w5_le: Vec<u8>,
    pub w5_be: Vec<u8>,
    pub w6: Vec<W6>,
    pub w6_wire: Vec<u8>,
}

/// The share of one W2 record in the checksum of a borrowing decode: touches every field once.
#[inline(always)]
pub fn w2_sum(a: i8, b: i32, c: Option<&str>, d: &str) -> usize {
    (a as u8 as usize).wrapping_add(b as usize).wrapping_add(c.map_or(7, |s| s.len())).wrapping_add(d.len())
}

/// SplitMix64: the same data in every run.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E3779B97F4A7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn f64(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 * 2000.0 - 1000.0
    }

    /// `lo..=hi` bytes, one string in ten with letters beyond ASCII.
    fn string(&mut self, lo: u64, hi: u64) -> String {
        let n = lo + self.below(hi - lo + 1);
        let mut s = String::with_capacity(n as usize);
        let odd = self.below(10) == 0;
        while (s.len() as u64) < n {
            if odd && self.below(6) == 0 && (s.len() as u64) + 2 <= n {
                s.push('é');
            } else {
                s.push((b'a' + self.below(26) as u8) as char);
            }
        }
        s
    }
}

/// `BENCH_SCALE`: 1 (default) = the nominal sizes, in DRAM; 0.01 = in cache; 0.002 = for counting instructions.
pub fn scale() -> f64 {
    std::env::var("BENCH_SCALE").ok().and_then(|s| s.parse().ok()).unwrap_or(1.0)
}

fn w1(r: &mut Rng, n: usize) -> (Vec<W1>, Vec<u8>) {
    let mut one = || W1 {
        a: r.next() as i64,
        b: r.f64(),
        c: r.next() as u32,
        d: r.next() as u16,
        e: r.next() as u8,
        f: r.next() as i8,
        g: r.f64() as f32,
    };
    let values: Vec<W1> = (0..n).map(|_| one()).collect();
    let mut wire = Vec::with_capacity(n * 28);
    for x in &values {
        wire.extend_from_slice(&x.a.to_le_bytes());
        wire.extend_from_slice(&x.b.to_le_bytes());
        wire.extend_from_slice(&x.c.to_le_bytes());
        wire.extend_from_slice(&x.d.to_le_bytes());
        wire.extend_from_slice(&[x.e, x.f as u8]);
        wire.extend_from_slice(&x.g.to_le_bytes());
    }
    (values, wire)
}

fn w2(r: &mut Rng, n: usize) -> (Vec<W2>, Vec<u8>, usize) {
    let mut one = || W2 {
        a: r.next() as i8,
        b: if r.below(5) == 0 {
            Nullable::Null(r.below(128) as u8)
        } else {
            Nullable::Value(r.next() as i16)
        },
        c: if r.below(4) == 0 { None } else { Some(r.string(0, 20)) },
        d: r.string(4, 28),
    };
    let values: Vec<W2> = (0..n).map(|_| one()).collect();
    let (mut wire, mut sum) = (Vec::new(), 0usize);
    let text = |wire: &mut Vec<u8>, s: &str| {
        wire.extend_from_slice(&(s.len() as u32 + 1).to_le_bytes());
        wire.extend_from_slice(s.as_bytes());
        wire.push(0);
    };
    for x in &values {
        wire.push(x.a as u8);
        match x.b {
            Nullable::Null(k) => wire.extend_from_slice(&[k, 0, 0]),
            Nullable::Value(v) => {
                wire.push(0xFF);
                wire.extend_from_slice(&v.to_le_bytes());
            }
        }
        match &x.c {
            None => wire.extend_from_slice(&[0; 5]),
            Some(t) => {
                wire.push(0xFF);
                text(&mut wire, t);
            }
        }
        text(&mut wire, &x.d);
        let r = W2Ref { a: x.a, b: x.b, c: x.c.as_deref(), d: &x.d };
        sum = sum.wrapping_add(r.sum());
    }
    (values, wire, sum)
}

fn w4(r: &mut Rng, n: usize) -> (Vec<Attribute>, Vec<u8>) {
    let filter = |r: &mut Rng| {
        let ty = r.below(17) as u8;
        let k = [0, 5, 9, 12][r.below(4) as usize];
        Filter { ty, md: (0..k).map(|_| r.next() as u8).collect() }
    };
    let mut one = || Attribute {
        name: r.string(3, 16),
        datatype: r.below(40) as u8,
        cell_val_num: 1 + r.below(3) as u32,
        pipeline: Pipeline { max_chunk: 65536, filters: (0..r.below(5)).map(|_| filter(r)).collect() },
    };
    let values: Vec<Attribute> = (0..n).map(|_| one()).collect();
    let mut wire = Vec::new();
    for x in &values {
        wire.extend_from_slice(&(x.name.len() as u32).to_le_bytes());
        wire.extend_from_slice(x.name.as_bytes());
        wire.push(x.datatype);
        wire.extend_from_slice(&x.cell_val_num.to_le_bytes());
        wire.extend_from_slice(&x.pipeline.max_chunk.to_le_bytes());
        wire.extend_from_slice(&(x.pipeline.filters.len() as u32).to_le_bytes());
        for f in &x.pipeline.filters {
            wire.push(f.ty);
            wire.extend_from_slice(&(f.md.len() as u32).to_le_bytes());
            wire.extend_from_slice(&f.md);
        }
    }
    (values, wire)
}

fn w5(r: &mut Rng, n: usize) -> (Cols, Vec<u8>, Vec<u8>) {
    let mut cols = Cols::with_capacity(n);
    let (mut le, mut be) = (Vec::with_capacity(n * 26), Vec::with_capacity(n * 26));
    for _ in 0..n {
        let (a, b, c, d, e) = (r.next() as i32, r.f64(), r.f64() as f32, r.next() as i16, r.f64());
        cols.push(a, b, c, d, e);
        le.extend_from_slice(&a.to_le_bytes());
        le.extend_from_slice(&b.to_le_bytes());
        le.extend_from_slice(&c.to_le_bytes());
        le.extend_from_slice(&d.to_le_bytes());
        le.extend_from_slice(&e.to_le_bytes());
        be.extend_from_slice(&a.to_be_bytes());
        be.extend_from_slice(&b.to_be_bytes());
        be.extend_from_slice(&c.to_be_bytes());
        be.extend_from_slice(&d.to_be_bytes());
        be.extend_from_slice(&e.to_be_bytes());
    }
    (cols, le, be)
}

fn w6(r: &mut Rng, n: usize) -> (Vec<W6>, Vec<u8>) {
    let mut one = || W6 {
        id: r.next() as i64,
        weight: if r.below(5) == 0 { Nullable::Null(r.below(128) as u8) } else { Nullable::Value(r.f64()) },
        name: if r.below(5) == 0 {
            Nullable::Null(r.below(128) as u8)
        } else {
            Nullable::Value(r.string(4, 28))
        },
        speed: r.f64() as f32,
    };
    let values: Vec<W6> = (0..n).map(|_| one()).collect();
    let mut wire = Vec::new();
    for x in &values {
        wire.extend_from_slice(&x.id.to_le_bytes());
        match x.weight {
            Nullable::Null(k) => wire.extend_from_slice(&[k, 0, 0, 0, 0, 0, 0, 0, 0]),
            Nullable::Value(v) => {
                wire.push(0xFF);
                wire.extend_from_slice(&v.to_le_bytes());
            }
        }
        match &x.name {
            Nullable::Null(k) => wire.extend_from_slice(&[*k, 0, 0, 0, 0]),
            Nullable::Value(s) => {
                wire.push(0xFF);
                wire.extend_from_slice(&(s.len() as u32 + 1).to_le_bytes());
                wire.extend_from_slice(s.as_bytes());
                wire.push(0);
            }
        }
        wire.extend_from_slice(&x.speed.to_le_bytes());
    }
    (values, wire)
}

/// The data of this process, made on first use.
pub fn data() -> &'static Data {
    static D: OnceLock<Data> = OnceLock::new();
    D.get_or_init(|| {
        let scale = scale();
        let n = |nominal: f64| ((nominal * scale) as usize).max(16);
        let mut r = Rng(42);
        let (w1, w1_wire) = w1(&mut r, n(1e6));
        let (w2, w2_wire, w2_sum) = w2(&mut r, n(3e5));
        let f64s: Vec<f64> = (0..n(8e6)).map(|_| r.f64()).collect();
        let i32s: Vec<i32> = (0..n(8e6)).map(|_| r.next() as i32).collect();
        let (w4, w4_wire) = w4(&mut r, n(1e5));
        let (cols, w5_le, w5_be) = w5(&mut r, n(2e6));
        let (w6, w6_wire) = w6(&mut r, n(5e5));
        Data {
            f64_le: f64s.iter().flat_map(|x| x.to_le_bytes()).collect(),
            f64_be: f64s.iter().flat_map(|x| x.to_be_bytes()).collect(),
            i32_le: i32s.iter().flat_map(|x| x.to_le_bytes()).collect(),
            i32_be: i32s.iter().flat_map(|x| x.to_be_bytes()).collect(),
            w1,
            w1_wire,
            w2,
            w2_wire,
            w2_sum,
            f64s,
            i32s,
            w4,
            w4_wire,
            cols,
            w5_le,
            w5_be,
            w6,
            w6_wire,
        }
    })
}

/// The prescribed bytes of a workload.
pub fn wire_bytes(workload: &str, op: &str) -> &'static [u8] {
    let d = data();
    match (workload, op.split('-').next().unwrap()) {
        ("W1", _) => &d.w1_wire,
        ("W2", _) => &d.w2_wire,
        ("W3", "f64le") => &d.f64_le,
        ("W3", "f64be") => &d.f64_be,
        ("W3", "i32le") => &d.i32_le,
        ("W3", "i32be") => &d.i32_be,
        ("W4", _) => &d.w4_wire,
        ("W5", "le") => &d.w5_le,
        ("W5", "be") => &d.w5_be,
        ("W6", _) => &d.w6_wire,
        other => panic!("no such workload: {other:?}"),
    }
}
