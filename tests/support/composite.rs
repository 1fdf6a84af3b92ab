//! One struct with a field of every kind, and values of it.

#![allow(dead_code, reason = "each test binary uses some of it")]

use binfmt::{BinFormat, Nullable};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: i16,
    pub(crate) y: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub(crate) enum Filter {
    None,
    Gzip(#[binfmt(length_prefixed(u16, in = bytes))] Level),
    #[binfmt(tag(4..=5))]
    Window {
        tag: u8,
        size: u16,
    },
    #[binfmt(other)]
    Unknown {
        tag: u8,
        #[binfmt(length_prefixed(u8))]
        metadata: Vec<u8>,
    },
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Level {
    pub(crate) kind: u8,
    #[binfmt(range = -1..=9)]
    pub(crate) level: i32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) n: u8,
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    pub(crate) next: Option<Box<Node>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"CP")]
pub(crate) struct Composite {
    pub(crate) flags: u8,
    #[binfmt(len_of(points))]
    pub(crate) num_points: u16,
    pub(crate) on: bool,
    #[binfmt(be)]
    pub(crate) big: u64,
    pub(crate) ratio: f32,
    pub(crate) origin: Point,
    #[binfmt(count = num_points)]
    pub(crate) points: Vec<Point>,
    #[binfmt(var_len)]
    pub(crate) name: String,
    #[binfmt(length_prefixed(u8), nul)]
    pub(crate) label: String,
    #[binfmt(nul, text = latin1)]
    pub(crate) note: String,
    #[binfmt(nullable)]
    pub(crate) code: Nullable<i16>,
    #[binfmt(nullable, var_len)]
    pub(crate) comment: Option<String>,
    #[binfmt(length_prefixed(u16), align_after = 4)]
    pub(crate) numbers: Vec<u32>,
    #[binfmt(length_prefixed(u8))]
    pub(crate) filters: Vec<Filter>,
    #[binfmt(if(*flags & 1 != 0), length_prefixed(i16))]
    pub(crate) extra: Option<Vec<u8>>,
    #[binfmt(skip(bytes = 3))]
    pub(crate) tree: Node,
    #[binfmt(skip)]
    pub(crate) cache: Option<u64>,
    #[binfmt(length_prefixed(u16), pad_to = 16)]
    pub(crate) fixed: String,
    #[binfmt(until = |n: &u8| *n == 0)]
    pub(crate) path: Vec<u8>,
    #[binfmt(length_prefixed(u32, in = bytes))]
    pub(crate) pairs: Vec<(u8, i16)>,
}

/// A value with something in every field.
pub(crate) fn sample() -> Composite {
    Composite {
        flags: 1,
        num_points: 2,
        on: true,
        big: 0x0102_0304_0506_0708,
        ratio: 0.5,
        origin: Point { x: -1, y: 2 },
        points: vec![Point { x: 3, y: 4 }, Point { x: -5, y: 6 }],
        name: "näme".into(),
        label: "label".into(),
        note: "nötiz".into(),
        code: Nullable::Missing(53),
        comment: Some("why".into()),
        numbers: vec![7, 8, 9],
        filters: vec![
            Filter::None,
            Filter::Gzip(Level { kind: 2, level: 9 }),
            Filter::Window { tag: 5, size: 10 },
            Filter::Unknown { tag: 200, metadata: vec![1, 2] },
        ],
        extra: Some(vec![11, 12]),
        tree: Node { n: 1, next: Some(Box::new(Node { n: 2, next: None })) },
        cache: None,
        fixed: "in 16".into(),
        path: vec![3, 2, 1, 0],
        pairs: vec![(1, -1), (2, -2)],
    }
}
