//! Properties: what is written is read again, whatever the value, the order and the way in or out; whatever the bytes,
//! nothing panics.

use crate::support::composite::{Composite, Filter, Level, Node, Point, sample};
use crate::support::wire::Drip;
use binfmt::{
    Array, ArrayD, BinFormat, Columnar, DecodeOwned, Encode, Endian, Nullable, Options, TypedColumns,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::fmt::Debug;

pub(crate) fn config() -> ProptestConfig {
    let store = FileFailurePersistence::Off;
    ProptestConfig {
        cases: if cfg!(debug_assertions) { 64 } else { 256 },
        failure_persistence: Some(Box::new(store)),
        ..ProptestConfig::default()
    }
}

fn point() -> impl Strategy<Value = Point> {
    (any::<i16>(), any::<u32>()).prop_map(|(x, y)| Point { x, y })
}

fn filter() -> impl Strategy<Value = Filter> {
    prop_oneof![
        Just(Filter::None),
        (any::<u8>(), -1..=9).prop_map(|(kind, level)| Filter::Gzip(Level { kind, level })),
        (4..=5u8, any::<u16>()).prop_map(|(tag, size)| Filter::Window { tag, size }),
        (6..=255u8, vec(any::<u8>(), 0..20)).prop_map(|(tag, metadata)| Filter::Unknown { tag, metadata }),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = any::<u8>().prop_map(|n| Node { n, next: None });
    leaf.prop_recursive(8, 8, 1, |inner| {
        (any::<u8>(), inner).prop_map(|(n, next)| Node { n, next: Some(Box::new(next)) })
    })
}

fn latin1() -> impl Strategy<Value = String> {
    vec(1..=255u8, 0..20).prop_map(|bytes| bytes.into_iter().map(char::from).collect())
}

fn nullable() -> impl Strategy<Value = Nullable<i16>> {
    prop_oneof![(0..=127u8).prop_map(Nullable::Missing), any::<i16>().prop_map(Nullable::Value)]
}

prop_compose! {
    fn numbers()(
        on in any::<bool>(),
        big in any::<u64>(),
        // a NaN is not equal to itself
        ratio in any::<f32>().prop_filter("NaN", |x| !x.is_nan()),
        origin in point(),
        points in vec(point(), 0..5),
        numbers in vec(any::<u32>(), 0..80),
        flags in any::<u8>(),
        extra in vec(any::<u8>(), 0..40),
    ) -> Composite {
        Composite {
            on,
            big,
            ratio,
            origin,
            num_points: points.len() as u16,
            points,
            numbers,
            flags,
            extra: (flags & 1 != 0).then_some(extra),
            ..sample()
        }
    }
}

prop_compose! {
    fn composite()(
        numbers in numbers(),
        name in any::<String>(),
        label in "[a-zé]{0,40}",
        note in latin1(),
        code in nullable(),
        comment in proptest::option::of(any::<String>()),
        filters in vec(filter(), 0..6),
        tree in node(),
        fixed in "[a-z]{0,14}",
        path in vec(1..=255u8, 0..9),
        pairs in vec(any::<(u8, i16)>(), 0..9),
    ) -> Composite {
        let path = [path, vec![0]].concat();
        Composite { name, label, note, code, comment, filters, tree, fixed, path, pairs, ..numbers }
    }
}

/// Slice, stream and records iterator in one byte order; what comes back is `values`.
fn agree<T>(values: &[T], order: Endian) -> Result<(), TestCaseError>
where
    T: Encode + DecodeOwned + Debug + PartialEq,
{
    let options = Options::new().endian(order);
    let mut all = Vec::new();
    for value in values {
        let bytes = binfmt::to_vec_with(value, &options)?;
        prop_assert_eq!(binfmt::encoded_len(value)?, bytes.len());
        let mut file = Vec::new();
        prop_assert_eq!(binfmt::to_writer_with(value, &mut file, &options)?, bytes.len() as u64);
        prop_assert_eq!(&file, &bytes);
        let sizes = T::FACTS.sizes();
        prop_assert!((sizes.min..=sizes.max).contains(&bytes.len()));
        prop_assert_eq!(&binfmt::from_slice_with::<T, _>(&bytes, &options)?, value);
        prop_assert_eq!(&binfmt::from_reader_with::<T, _>(Drip(&bytes), &options)?, value);
        all.extend(bytes);
    }
    let mut batch = Vec::new();
    binfmt::encode_all_into_with(values, &mut batch, &options)?;
    prop_assert_eq!(&batch, &all);
    let from_slice: Vec<T> = binfmt::records_with(&all, &options).collect::<Result<_, _>>()?;
    prop_assert_eq!(from_slice.as_slice(), values);
    let from_reader: Vec<T> =
        binfmt::records_from_reader_with(all.as_slice(), &options).collect::<Result<_, _>>()?;
    prop_assert_eq!(from_reader.as_slice(), values);
    // a reader that gives little at a time costs much
    if all.len() <= 100 {
        let drip: Vec<T> =
            binfmt::records_from_reader_with(Drip(&all), &options).collect::<Result<_, _>>()?;
        prop_assert_eq!(drip.as_slice(), values);
    }
    let at_once: Vec<T> = binfmt::decode_all_with(&all, &options)?;
    prop_assert_eq!(at_once.as_slice(), values);
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn composites_round_trip(values in vec(composite(), 0..4)) {
        agree(&values, Endian::Little)?;
        agree(&values, Endian::Big)?;
    }
}

/// Text in UTF-16: one length in units, one in bytes, and a third of what a codec writes.
#[derive(BinFormat, Debug, PartialEq)]
struct Lengths {
    #[binfmt(len_of(text, auto))]
    units: u16,
    #[binfmt(len_of(text, bytes))]
    bytes: u32,
    #[binfmt(len_of(doubled, bytes, auto))]
    taken: u16,
    #[binfmt(count = bytes / 2, try_map(decode = |v: Vec<u16>| String::from_utf16(&v), encode = |s: &String| Ok::<_, binfmt::Error>(s.encode_utf16().collect()), as = Vec<u16>))]
    text: String,
    #[binfmt(with = doubled, args(*taken))]
    doubled: Vec<u8>,
    #[binfmt(len_of(mapped, bytes, auto))]
    size: u16,
    #[binfmt(nullable(present = 1, missing = 0, body = absent), length_prefixed(u8), map(decode = |v: Option<Vec<u32>>| v, encode = |v: &Option<Vec<u32>>| v.clone()))]
    mapped: Option<Vec<u32>>,
}

/// Each byte twice, as many as are said.
mod doubled {
    #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

    use binfmt::{Order, Result, Sink, Source};

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, bytes: u16) -> Result<Vec<u8>> {
        (0..bytes / 2).map(|_| src.array::<2>().map(|[a, _]| a)).collect()
    }

    pub(super) fn encode<O: Order, W: Sink>(v: &[u8], out: &mut W, _: u16) -> Result<()> {
        v.iter().try_for_each(|b| out.array([*b, *b]))
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn lengths_are_those_on_the_wire(
        text in any::<String>(),
        doubled in vec(any::<u8>(), 0..40),
        mapped in proptest::option::of(vec(any::<u32>(), 0..9)),
        wrong in any::<u16>(),
    ) {
        let units = text.encode_utf16().count();
        let size = 1 + mapped.as_ref().map_or(0, |v| 1 + 4 * v.len());
        let right = Lengths {
            units: units as u16,
            bytes: units as u32 * 2,
            taken: doubled.len() as u16 * 2,
            size: size as u16,
            text,
            doubled,
            mapped,
        };
        let bytes = binfmt::to_vec(&right)?;
        prop_assert_eq!(bytes.len(), 10 + units * 2 + right.doubled.len() * 2 + size);
        agree(std::slice::from_ref(&right), Endian::Big)?;
        // what is filled in does not matter in memory, and what is not is refused
        let filled = Lengths { units: wrong, taken: wrong, size: wrong, ..right };
        prop_assert_eq!(&binfmt::to_vec(&filled)?, &bytes);
        if u32::from(wrong) != filled.bytes {
            let refused = binfmt::to_vec(&Lengths { bytes: wrong.into(), ..filled }).is_err();
            prop_assert!(refused);
        }
    }
}

/// Numbers in their own order: copied as memory.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Plain {
    a: u32,
    b: i16,
    c: u8,
    d: i8,
    e: u64,
}

/// The same fields in an order of the compiler's own: field by field.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
struct Loose {
    a: u32,
    b: i16,
    c: u8,
    d: i8,
    e: u64,
}

/// Padding at the end of memory that is not on the wire.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Tail {
    a: u32,
    b: u8,
}

fn plain() -> impl Strategy<Value = Plain> {
    any::<(u32, i16, u8, i8, u64)>().prop_map(|(a, b, c, d, e)| Plain { a, b, c, d, e })
}

/// A list after its length, and one to the end: the two ways to elements in a batch.
#[derive(BinFormat, Debug, PartialEq)]
struct Lists<T> {
    #[binfmt(length_prefixed(u16))]
    counted: Vec<T>,
    #[binfmt(until_eof)]
    rest: Vec<T>,
}

/// The bytes of a list made from those of each element alone.
fn one_by_one<T: Encode>(items: &[T], options: &Options) -> Vec<u8> {
    let length = binfmt::to_vec_with(&(items.len() as u16), options).unwrap();
    let each = || items.iter().flat_map(|item| binfmt::to_vec_with(item, options).unwrap());
    length.into_iter().chain(each()).chain(each()).collect()
}

fn bulk_is_plain<T>(items: &[T]) -> Result<(), TestCaseError>
where
    T: Encode + DecodeOwned + Clone + Debug + PartialEq,
{
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let lists = Lists { counted: items.to_vec(), rest: items.to_vec() };
        let bytes = binfmt::to_vec_with(&lists, &options)?;
        prop_assert_eq!(&bytes, &one_by_one(items, &options));
        prop_assert_eq!(&binfmt::from_slice_with::<Lists<T>, _>(&bytes, &options)?, &lists);
        prop_assert_eq!(&binfmt::from_reader_with::<Lists<T>, _>(bytes.as_slice(), &options)?, &lists);
        agree(items, order)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn bulk_numbers_equal_single_ones(
        a in vec(any::<u16>(), 0..300),
        b in vec(any::<u32>(), 0..300),
        c in vec(any::<i64>(), 0..100),
        d in vec(any::<u128>(), 0..50),
        e in vec(any::<[u16; 3]>(), 0..50),
        f in vec(any::<u8>(), 0..70),
    ) {
        bulk_is_plain(&a)?;
        bulk_is_plain(&b)?;
        bulk_is_plain(&c)?;
        bulk_is_plain(&d)?;
        bulk_is_plain(&e)?;
        bulk_is_plain(&f)?;
    }

    #[test]
    fn bulk_structs_equal_single_ones(items in vec(plain(), 0..60)) {
        let loose: Vec<Loose> =
            items.iter().map(|&Plain { a, b, c, d, e }| Loose { a, b, c, d, e }).collect();
        let tails: Vec<Tail> = items.iter().map(|p| Tail { a: p.a, b: p.c }).collect();
        bulk_is_plain(&items)?;
        bulk_is_plain(&loose)?;
        bulk_is_plain(&tails)?;
        for order in [Endian::Little, Endian::Big] {
            let options = Options::new().endian(order);
            prop_assert_eq!(one_by_one(&items, &options), one_by_one(&loose, &options));
        }
    }

    #[test]
    fn text_is_what_std_says(bytes in vec(any::<u8>(), 0..80), ascii in "[ -~]{0,80}", any in any::<String>()) {
        #[derive(BinFormat, Debug)]
        struct Text { #[binfmt(until_eof)] text: String }
        for bytes in [bytes.as_slice(), ascii.as_bytes(), any.as_bytes()] {
            let found = binfmt::from_slice::<Text>(bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => prop_assert_eq!(found?.text, text),
                Err(e) => prop_assert_eq!(found.unwrap_err().offset(), Some(e.valid_up_to() as u64)),
            }
        }
    }
}

/// Whatever the bytes: slice and stream agree on whether they are a value and on which.
fn any_bytes<T>(bytes: &[u8]) -> Result<(), TestCaseError>
where
    T: Encode + DecodeOwned + Debug + PartialEq,
{
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let prefix = binfmt::from_prefix_with::<T, _>(bytes, &options);
        let streamed = binfmt::from_reader_with::<T, _>(bytes, &options);
        match (prefix, streamed) {
            (Ok((a, rest)), Ok(b)) => {
                prop_assert_eq!(format!("{a:?}"), format!("{b:?}"));
                // what was padded or written in a looser form is written in the strict one: the same from then on
                let once = binfmt::to_vec_with(&a, &options)?;
                let again = binfmt::from_slice_with::<T, _>(&once, &options)?;
                prop_assert_eq!(binfmt::to_vec_with(&again, &options)?, once);
                prop_assert!(rest.len() <= bytes.len());
            }
            (Err(a), Err(b)) => {
                let inside = |e: &binfmt::Error| e.offset().is_some_and(|at| at <= bytes.len() as u64);
                prop_assert!(inside(&a) && inside(&b))
            }
            (a, b) => prop_assert!(false, "slice: {a:?}, stream: {b:?}"),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..300)) {
        any_bytes::<Composite>(&bytes)?;
        any_bytes::<Filter>(&bytes)?;
        any_bytes::<Node>(&bytes)?;
        any_bytes::<Lists<Plain>>(&bytes)?;
        any_bytes::<Lists<Filter>>(&bytes)?;
    }

    #[test]
    fn damaged_bytes_never_panic(value in composite(), place in any::<prop::sample::Index>(), noise in vec(any::<u8>(), 1..9)) {
        let mut bytes = binfmt::to_vec(&value)?;
        let at = place.index(bytes.len());
        for (b, n) in bytes[at..].iter_mut().zip(&noise) {
            *b = *n;
        }
        any_bytes::<Composite>(&bytes)?;
        bytes.truncate(at);
        any_bytes::<Composite>(&bytes)?;
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    a: u16,
    on: bool,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, length_prefixed(u8))]
    name: Nullable<String>,
    #[binfmt(length_prefixed(u8))]
    list: Vec<u32>,
    #[binfmt(length_prefixed(u8))]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct FixedRow {
    a: u16,
    on: bool,
    #[binfmt(nullable(present = 1, missing = 0))]
    b: Option<[u8; 3]>,
    #[binfmt(be)]
    c: i128,
}

fn row() -> impl Strategy<Value = Row> {
    let name = prop_oneof![(0..=127u8).prop_map(Nullable::Missing), "[a-zé]{0,40}".prop_map(Nullable::Value)];
    let rest = (nullable(), name, vec(any::<u32>(), 0..5), vec(any::<u8>(), 0..40));
    (any::<u16>(), any::<bool>(), rest).prop_map(|(a, on, (b, name, list, bytes))| Row {
        a,
        on,
        b,
        name,
        list,
        bytes,
    })
}

fn fixed_row() -> impl Strategy<Value = FixedRow> {
    let b = proptest::option::of(any::<[u8; 3]>());
    (any::<u16>(), any::<bool>(), b, any::<i128>()).prop_map(|(a, on, b, c)| FixedRow { a, on, b, c })
}

/// Columns and rows say the same of bytes that a few changes have damaged.
fn columns_are_rows<R>(rows: &[R], damage: &[(usize, u8)]) -> Result<(), TestCaseError>
where
    R: Columnar + Clone + Debug + PartialEq,
    R::Columns: Debug + PartialEq,
{
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let mut bytes = binfmt::encode_all_with(rows, &options)?;
        let columns = R::Columns::from_slice_with(&bytes, &options)?;
        prop_assert!(columns.rows().eq(rows.iter().cloned()));
        prop_assert_eq!(&columns.to_vec_with(&options)?, &bytes);
        for (at, byte) in damage {
            let len = bytes.len().max(1);
            if let Some(place) = bytes.get_mut(at % len) {
                *place = *byte;
            }
        }
        let (mut expected, mut found) = (Vec::<R>::new(), R::Columns::default());
        let by_rows = binfmt::decode_all_into_with(&bytes, &mut expected, &options);
        let by_columns = found.decode_all_with(&bytes, &options);
        prop_assert_eq!(by_columns.map_err(|e| e.to_string()), by_rows.map_err(|e| e.to_string()));
        prop_assert!(found.rows().eq(expected));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn columns_equal_rows(
        rows in vec(row(), 0..40),
        fixed in vec(fixed_row(), 0..1200),
        damage in vec(any::<(usize, u8)>(), 0..4),
    ) {
        columns_are_rows(&rows, &damage)?;
        columns_are_rows(&fixed, &damage)?;
    }
}

/// Arrays whose number of dimensions comes first.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Shaped {
    rank: u8,
    #[binfmt(shape(u16, rank = rank))]
    any: ArrayD<u32>,
    #[binfmt(shape(u8))]
    two: Array<bool, 2>,
    #[binfmt(shape(i32, order = column))]
    words: Array<Word, 1>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Word {
    #[binfmt(length_prefixed(u8))]
    text: String,
}

prop_compose! {
    fn shaped()(
        dims in vec(0..4usize, 0..5),
        two in any::<[bool; 6]>(),
        words in vec("[a-zé]{0,9}", 0..5),
        seed in any::<u32>(),
    ) -> Shaped {
        let n: usize = dims.iter().product();
        let values = (0..n).map(|i| seed.wrapping_mul(i as u32 + 1)).collect();
        let words: Vec<Word> = words.into_iter().map(|text| Word { text }).collect();
        Shaped {
            rank: dims.len() as u8,
            any: ArrayD::new(dims, values).unwrap(),
            two: Array::new([3, 2], two.to_vec()).unwrap(),
            words: Array::new([words.len()], words).unwrap(),
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arrays_round_trip(values in vec(shaped(), 0..4)) {
        agree(&values, Endian::Little)?;
        agree(&values, Endian::Big)?;
        for value in &values {
            let turned = value.any.clone().row_to_column_major();
            prop_assert_eq!(turned.shape(), value.any.shape());
            prop_assert_eq!(&turned.column_to_row_major(), &value.any);
        }
    }
}
