//! One file per contender, each with `pub fn register(&mut Registry)`; what they share is here.
//!
//! The macros redefine the types of `data` with a peer's own attributes, because a derive wants to see the struct.

pub use crate::data::{self, data, w2_sum};
pub use crate::{Aligned, Kind, Registry, Wire};

macro_rules! w1_type {
    ($(#[$m:meta])* $name:ident) => {
        $(#[$m])*
        pub struct $name { pub a: i64, pub b: f64, pub c: u32, pub d: u16, pub e: u8, pub f: i8, pub g: f32 }
        impl $name {
            #[inline]
            pub fn of(x: &$crate::data::W1) -> Self {
                Self { a: x.a, b: x.b, c: x.c, d: x.d, e: x.e, f: x.f, g: x.g }
            }
            pub fn src() -> Vec<Self> {
                $crate::data::data().w1.iter().map(Self::of).collect()
            }
            pub fn ok(v: &Vec<Self>) -> bool {
                let w = &$crate::data::data().w1;
                let same = |x: &Self, y: &$crate::data::W1| {
                    (x.a, x.c, x.d, x.e, x.f) == (y.a, y.c, y.d, y.e, y.f) && { x.b } == y.b && { x.g } == y.g
                };
                v.len() == w.len() && v.iter().zip(w).all(|(x, y)| same(x, y))
            }
        }
    };
}

/// W2 in the peer's own layout.
macro_rules! w2_type {
    ($(#[$m:meta])* $name:ident) => {
        $(#[$m])*
        pub enum Nullable { Null(u8), Value(i16) }
        $(#[$m])*
        pub struct $name { pub a: i8, pub b: Nullable, pub c: Option<String>, pub d: String }
        $crate::contenders::w2_conv!($name);
    };
}

/// Conversion and comparison for a W2 type with `Nullable` beside it.
macro_rules! w2_conv {
    ($name:ident) => {
        impl $name {
            pub fn of(x: &$crate::data::W2) -> Self {
                let b = match x.b {
                    $crate::data::Nullable::Null(k) => Nullable::Null(k),
                    $crate::data::Nullable::Value(v) => Nullable::Value(v),
                };
                Self { a: x.a, b, c: x.c.clone(), d: x.d.clone() }
            }
            pub fn same(&self, y: &$crate::data::W2) -> bool {
                let b = match self.b {
                    Nullable::Null(k) => $crate::data::Nullable::Null(k),
                    Nullable::Value(v) => $crate::data::Nullable::Value(v),
                };
                self.a == y.a && b == y.b && self.c == y.c && self.d == y.d
            }
            pub fn src() -> Vec<Self> {
                $crate::data::data().w2.iter().map(Self::of).collect()
            }
            pub fn ok(v: &Vec<Self>) -> bool {
                let w = &$crate::data::data().w2;
                v.len() == w.len() && v.iter().zip(w).all(|(x, y)| x.same(y))
            }
        }
    };
}

/// Borrowed W2 in the peer's own layout.
macro_rules! w2_ref_type {
    ($(#[$m:meta])* $name:ident) => {
        $(#[$m])*
        pub struct $name<'a> { pub a: i8, pub b: Nullable, pub c: Option<&'a str>, pub d: &'a str }
        impl<'a> $name<'a> {
            #[inline(always)]
            pub fn sum(&self) -> usize {
                let b = match self.b { Nullable::Null(k) => k as i32, Nullable::Value(v) => v as i32 };
                $crate::data::w2_sum(self.a, b, self.c, self.d)
            }
        }
    };
}

/// The W4 types with one set of attributes for all.
macro_rules! w4_type {
    ($(#[$m:meta])*) => {
        $(#[$m])*
        pub struct Filter { pub ty: u8, pub md: Vec<u8> }
        $(#[$m])*
        pub struct Pipeline { pub max_chunk: u32, pub filters: Vec<Filter> }
        $(#[$m])*
        pub struct Attribute { pub name: String, pub datatype: u8, pub cell_val_num: u32, pub pipeline: Pipeline }
        $crate::contenders::w4_conv!();
    };
}

/// Conversion and comparison for W4 types named as the canonical ones.
macro_rules! w4_conv {
    () => {
        impl Attribute {
            pub fn of(x: &$crate::data::Attribute) -> Self {
                let filters =
                    x.pipeline.filters.iter().map(|f| Filter { ty: f.ty, md: f.md.clone() }).collect();
                Self {
                    name: x.name.clone(),
                    datatype: x.datatype,
                    cell_val_num: x.cell_val_num,
                    pipeline: Pipeline { max_chunk: x.pipeline.max_chunk, filters },
                }
            }
            pub fn same(&self, y: &$crate::data::Attribute) -> bool {
                let (p, q) = (&self.pipeline, &y.pipeline);
                self.name == y.name
                    && self.datatype == y.datatype
                    && self.cell_val_num == y.cell_val_num
                    && p.max_chunk == q.max_chunk
                    && p.filters.len() == q.filters.len()
                    && p.filters.iter().zip(&q.filters).all(|(f, g)| f.ty == g.ty && f.md == g.md)
            }
            pub fn src() -> Vec<Self> {
                $crate::data::data().w4.iter().map(Self::of).collect()
            }
            pub fn ok(v: &Vec<Self>) -> bool {
                let w = &$crate::data::data().w4;
                v.len() == w.len() && v.iter().zip(w).all(|(x, y)| x.same(y))
            }
        }
    };
}

// Used by path inside the macros themselves.
pub(crate) use {w2_conv, w4_conv};

mod bincode_;
mod binfmt_;
mod binfmt_columns;
mod binfmt_plan;
mod binfmt_values;
mod binrw_;
mod borsh_;
mod byteorder_;
mod deku_;
mod hand;
mod limits;
mod scroll_;
mod speedy_;
mod wincode_;
mod zerocopy_;

pub fn w1_ok(v: &Vec<data::W1>) -> bool {
    *v == data().w1
}
pub fn w2_ok(v: &Vec<data::W2>) -> bool {
    *v == data().w2
}
pub fn w4_ok(v: &Vec<data::Attribute>) -> bool {
    *v == data().w4
}
pub fn cols_ok(c: &data::Cols) -> bool {
    *c == data().cols
}
pub fn f64_ok(v: &Vec<f64>) -> bool {
    *v == data().f64s
}
pub fn i32_ok(v: &Vec<i32>) -> bool {
    *v == data().i32s
}

// Sources that need no conversion are shared, not copied.
pub fn src_w1() -> &'static Vec<data::W1> {
    &data().w1
}
pub fn src_w2() -> &'static Vec<data::W2> {
    &data().w2
}
pub fn src_w4() -> &'static Vec<data::Attribute> {
    &data().w4
}
pub fn src_cols() -> &'static data::Cols {
    &data().cols
}
pub fn src_f64() -> &'static Vec<f64> {
    &data().f64s
}
pub fn src_i32() -> &'static Vec<i32> {
    &data().i32s
}

/// A peer's own bytes of its own values.
pub fn own<S>(source: fn() -> S, encode: fn(&S, &mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(&source(), &mut bytes);
    bytes
}

/// Adds every contender.
pub fn register(r: &mut Registry) {
    limits::register(r);
    hand::register(r);
    binfmt_::register(r);
    binfmt_columns::register(r);
    binfmt_plan::register(r);
    binfmt_values::register(r);
    bincode_::register(r);
    binrw_::register(r);
    borsh_::register(r);
    byteorder_::register(r);
    deku_::register(r);
    scroll_::register(r);
    speedy_::register(r);
    wincode_::register(r);
    zerocopy_::register(r);
}
