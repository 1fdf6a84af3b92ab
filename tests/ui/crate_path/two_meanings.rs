//! A type that means one thing where the struct stands and another in the code that is derived: the field's own counts.

use binfmt::BinFormat;

mod fake {
    pub mod __private {
        pub use binfmt::__private::*;
        pub type X = u8;
    }
}

mod __p {
    pub type X = bool;
}

macro_rules! ty {
    () => {
        __p::X
    };
}

#[derive(BinFormat)]
#[binfmt(crate = crate::fake)]
struct TwoMeanings {
    b: ty!(),
}

fn main() {}
