//! Facts of another type instead of the struct's own.

use binfmt::BinFormat;

mod fake {
    pub mod __private {
        pub use binfmt::__private::*;
        pub trait Other {
            type Facts;
        }
        impl<T> Other for T {
            type Facts = binfmt::Facts<crate::Image>;
        }
        pub type Facts<T> = <T as Other>::Facts;
    }
}

struct Image(bool);

impl binfmt::Layout for Image {
    const FACTS: binfmt::Facts<Self> = <Numbers as fake::__private::Layout>::FACTS;
}

#[derive(BinFormat)]
#[binfmt(crate = crate::fake)]
struct Numbers {
    b: u8,
}

fn main() {}
