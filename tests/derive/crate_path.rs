//! `#[binfmt(crate = ..)]` names a module of the user's, which may be hostile: whatever names it hides behind its own,
//! safe code gets no value that cannot be, and no byte that was never set. The last two are what a type's facts decide, so
//! each test tries to make them lie.

#![forbid(unsafe_code)]
#![allow(dead_code)]

use binfmt::{BinFormat, Decode, Encode, Layout, Le};

/// The module behind `crate`, and the struct that is derived through it. The items of the module hide those of the real one.
macro_rules! derived {
    ($fake:ident { $($items:tt)* } $($structure:tt)*) => {
        mod $fake {
            pub(super) mod __private {
                #[allow(unused_imports)]
                pub(crate) use binfmt::__private::*;
                $($items)*
            }
        }
        $($structure)*
    };
}

/// Three records in memory after three bytes on the wire; a byte of 2 is not a bool.
#[track_caller]
fn no_bool_of_two<T>()
where
    T: Layout + Encode + for<'de> Decode<'de>,
{
    assert!(!T::FACTS.is_plain::<Le>(), "facts that lie");
    #[derive(BinFormat)]
    struct Several<T> {
        #[binfmt(length_prefixed(u8))]
        all: Vec<T>,
    }
    assert!(binfmt::from_slice::<Several<T>>(&[3, 0, 1, 2]).is_err());
    assert!(binfmt::from_reader::<Several<T>>(&[3, 0, 1, 2][..]).is_err());
    assert!(binfmt::from_slice::<[T; 3]>(&[0, 1, 2]).is_err());
}

derived! {
    other_parts {
        pub(crate) const fn link<const N: usize>(_: [Part; N]) -> [Part; N] {
            [Part::of::<Own, u8>("b", "u8"); N]
        }
    }
    #[derive(BinFormat)]
    #[binfmt(crate = crate::derive::crate_path::other_parts)]
    struct OtherParts { b: bool }
}

#[test]
fn parts_of_another_type() {
    no_bool_of_two::<OtherParts>();
}

derived! {
    other_runs {
        #[allow(clippy::extra_unused_type_parameters)] // as the true one has it
        pub(crate) const fn run_parts<F, V, const N: usize>(
            _: [&'static str; N],
            _: [&'static str; N],
        ) -> [Part; N] {
            [Part::of::<Own, u8>("b", "u8"); N]
        }
        pub(crate) const fn splice<const N: usize, const K: usize>(
            _: [Part; N],
            _: usize,
            _: [Part; K],
        ) -> [Part; N] {
            [Part::of::<Own, [u8; 0]>("b", "u8"); N]
        }
        pub(crate) const OPEN: usize = 0;
    }
    #[derive(BinFormat)]
    #[binfmt(crate = crate::derive::crate_path::other_runs)]
    struct OtherRuns { b: bool, x: Nothing, y: Nothing }
    #[derive(BinFormat)]
    struct Nothing;
}

#[test]
fn runs_of_other_types() {
    no_bool_of_two::<OtherRuns>();
}

derived! {
    other_form {
        pub(crate) struct Own;
        impl<T: Layout> As<T> for Own {
            const FACTS: Facts<T> = T::FACTS;
            const SHAPE: Shape = Shape::Opaque;
        }
        impl As<bool> for In<Le, Own> {
            const FACTS: Facts<bool> = Facts::exact(1);
            const SHAPE: Shape = Shape::Opaque;
        }
        pub(crate) struct In<O, F>(O, F);
        impl<'de> DecodeAs<'de, bool> for In<Le, Own> {
            fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<bool> {
                <bool as Decode>::decode::<O, S>(src, ())
            }
        }
        impl EncodeAs<bool> for In<Le, Own> {
            fn encode<O: Order, W: Sink>(value: &bool, out: &mut W, _: ()) -> Result<()> {
                value.encode::<O, W>(out, ())
            }
        }
    }
    #[derive(BinFormat)]
    #[binfmt(crate = crate::derive::crate_path::other_form)]
    struct OtherForm { #[binfmt(le)] b: bool }
}

#[test]
fn forms_of_the_users_own() {
    no_bool_of_two::<OtherForm>();
}

derived! {
    other_core {
        pub(crate) mod core {
            pub(crate) mod mem {
                /// Room for a value, in the middle of a larger one.
                pub(crate) struct MaybeUninit<T>([::core::mem::MaybeUninit<T>; 3]);
                impl<T> MaybeUninit<T> {
                    pub(crate) const fn uninit() -> Self {
                        MaybeUninit([const { ::core::mem::MaybeUninit::uninit() }; 3])
                    }
                    pub(crate) const fn as_ptr(&self) -> *const T {
                        self.0[1].as_ptr()
                    }
                }
                #[allow(unused_macros)]
                macro_rules! nowhere {
                    ($ty:ty, a) => { 0 };
                    ($ty:ty, b) => { 1 };
                    ($ty:ty, c) => { 5 };
                }
                #[allow(unused_imports)]
                pub(crate) use nowhere as offset_of;
            }
        }
    }
    #[derive(BinFormat)]
    #[binfmt(crate = crate::derive::crate_path::other_core)]
    struct OtherCore { b: bool }
    #[derive(BinFormat, Clone, Copy)]
    #[binfmt(crate = crate::derive::crate_path::other_core)]
    #[repr(C)]
    struct Gap { a: u8, b: u32, c: u8 }
    #[derive(BinFormat, Clone, Copy)]
    #[binfmt(crate = crate::derive::crate_path::other_core)]
    #[repr(C)]
    struct Tail { a: u32, b: u8 }
}

#[test]
fn places_that_are_none() {
    no_bool_of_two::<OtherCore>();
    // of a struct with a gap the gap is not written, of one with a tail not the tail
    let gaps = [Gap { a: 1, b: u32::from_le_bytes([2, 3, 4, 5]), c: 6 }; 2];
    assert!(!Gap::FACTS.is_plain::<Le>());
    assert_eq!(binfmt::to_vec(&gaps).unwrap(), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
    let tails = [Tail { a: u32::from_le_bytes([1, 2, 3, 4]), b: 5 }; 2];
    assert!(Tail::FACTS.is_plain::<Le>());
    assert_eq!(binfmt::to_vec(&tails).unwrap(), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
}
