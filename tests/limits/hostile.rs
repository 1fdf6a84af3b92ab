//! Hostile input: lengths that lie, nesting without end, bytes cut and changed. An error each time, at once, and
//! without the memory that the input asks for.
//!
//! A binary of its own, because its allocator counts: for each thread, so that tests do not disturb each other.

use crate::support::composite::{Composite, sample};
use crate::support::memory::memory_of;
use binfmt::{BinFormat, DecodeOwned, Encode, Endian, ErrorKind, Options};
use std::fmt::Debug;
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// A hang fails, a slow machine does not: the best of several runs counts.
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 20 } else { 1 });

fn refused_at_once(what: &str, decode: &dyn Fn() -> Option<binfmt::Error>) {
    let mut best = Duration::MAX;
    for _ in 0..8 {
        let start = Instant::now();
        let (e, peak, total) = memory_of(decode);
        best = best.min(start.elapsed());
        assert!(e.is_some(), "{what} was decoded");
        assert!(peak < MIB, "{what}: {peak} bytes at the peak");
        assert!(total < 2 * MIB, "{what}: {total} bytes altogether");
    }
    assert!(best <= TIME, "{what}: {best:?}");
}

/// The bytes are refused as a `T`, from a slice and from a stream, in both orders.
fn refused<T: DecodeOwned + Debug>(bytes: &[u8]) {
    let what = format!("{} of {:02x?}..", std::any::type_name::<T>(), &bytes[..bytes.len().min(16)]);
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let slice = || binfmt::from_slice_with::<T, _>(bytes, &options).err();
        refused_at_once(&format!("{what} (slice, {order:?})"), &slice);
        let stream = || binfmt::from_reader_with::<T, _>(bytes, &options).err();
        refused_at_once(&format!("{what} (stream, {order:?})"), &stream);
        let records = || binfmt::records_with::<T, _>(bytes, &options).find_map(Result::err);
        refused_at_once(&format!("{what} (records, {order:?})"), &records);
        let records = || binfmt::records_from_reader_with::<T, _, _>(bytes, &options).find_map(Result::err);
        refused_at_once(&format!("{what} (records of a stream, {order:?})"), &records);
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Record {
    id: u64,
    #[binfmt(length_prefixed(u32))]
    name: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Nothing;

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Maybe {
    #[binfmt(if(false))]
    large: Option<[u64; 200]>,
}

macro_rules! prefixed {
    ($($module:ident $t:ident)*) => { $( mod $module {
        use super::{BinFormat, Maybe, Nothing, Record};

        #[derive(BinFormat, Debug)]
        pub(super) struct Bytes { #[binfmt(length_prefixed($t))] _v: Vec<u8> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Text { #[binfmt(length_prefixed($t))] _v: String }
        #[derive(BinFormat, Debug)]
        pub(super) struct NulText { #[binfmt(length_prefixed($t), nul)] _v: String }
        #[derive(BinFormat, Debug)]
        pub(super) struct Latin { #[binfmt(length_prefixed($t), text = latin1)] _v: String }
        #[derive(BinFormat, Debug)]
        pub(super) struct Numbers { #[binfmt(length_prefixed($t))] _v: Vec<u32> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Records { #[binfmt(length_prefixed($t))] _v: Vec<Record> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Nothings { #[binfmt(length_prefixed($t))] _v: Vec<Nothing> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Units { #[binfmt(length_prefixed($t))] _v: Vec<()> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Maybes { #[binfmt(length_prefixed($t))] _v: Vec<Maybe> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Region { #[binfmt(length_prefixed($t, in = bytes))] _v: Vec<Record> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Inclusive { #[binfmt(length_prefixed($t, inclusive))] _v: Vec<u8> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Missing { #[binfmt(nullable, length_prefixed($t))] _v: Option<Vec<u8>> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Unwanted { #[binfmt(length_prefixed($t))] _v: binfmt::Ignored }
        #[derive(BinFormat, Debug)]
        pub(super) struct Counted { _n: $t, #[binfmt(count = _n)] _v: Vec<u8> }
        #[derive(BinFormat, Debug)]
        pub(super) struct CountedText { _n: $t, #[binfmt(count = _n)] _v: String }
        #[derive(BinFormat, Debug)]
        pub(super) struct CountedFixed { _n: $t, #[binfmt(count = _n, nul)] _v: String }
        #[derive(BinFormat, Debug)]
        pub(super) struct CountedNumbers { _n: $t, #[binfmt(count = _n)] _v: Vec<u64> }
        #[derive(BinFormat, Debug)]
        pub(super) struct CountedRecords { _n: $t, #[binfmt(count = _n)] _v: Vec<Record> }
        #[derive(BinFormat, Debug)]
        pub(super) struct CountedNothings { _n: $t, #[binfmt(count = _n)] _v: Vec<Nothing> }
        #[derive(BinFormat, Debug)]
        pub(super) struct Padded { _n: $t, #[binfmt(count = _n)] _v: binfmt::Ignored }

        pub(super) fn all(length: $t) {
            for tail in [0usize, 1, 100, 4000] {
                for bytes in [length.to_le_bytes(), length.to_be_bytes()] {
                    // bytes that are not another length in either order
                    let bytes: Vec<u8> = bytes.into_iter().chain(vec![0x41; tail]).collect();
                    super::refused::<Bytes>(&bytes);
                    super::refused::<Text>(&bytes);
                    super::refused::<NulText>(&bytes);
                    super::refused::<Latin>(&bytes);
                    super::refused::<Numbers>(&bytes);
                    super::refused::<Records>(&bytes);
                    super::refused::<Nothings>(&bytes);
                    super::refused::<Units>(&bytes);
                    super::refused::<Maybes>(&bytes);
                    super::refused::<Region>(&bytes);
                    super::refused::<Inclusive>(&bytes);
                    super::refused::<Unwanted>(&bytes);
                    super::refused::<Counted>(&bytes);
                    super::refused::<CountedText>(&bytes);
                    super::refused::<CountedFixed>(&bytes);
                    super::refused::<CountedNumbers>(&bytes);
                    super::refused::<CountedRecords>(&bytes);
                    super::refused::<CountedNothings>(&bytes);
                    super::refused::<Padded>(&bytes);
                    let missing: Vec<u8> = [7].into_iter().chain(bytes).collect();
                    super::refused::<Missing>(&missing);
                }
            }
        }
    } )* };
}

prefixed! {
    u32_lengths u32
    u64_lengths u64
}

#[test]
fn lengths_that_lie() {
    u32_lengths::all(u32::MAX);
    u32_lengths::all(0x7FFF_FFFF);
    u64_lengths::all(u64::MAX);
    u64_lengths::all(1 << 32);
    u64_lengths::all(i64::MAX as u64);
    u64_lengths::all(u64::MAX / 4);
}

/// As many elements of no size as are allowed: their memory is not the input's size but must stay small all the same.
#[test]
fn elements_of_no_size() {
    let bytes = (1u32 << 16).to_le_bytes();
    let (n, peak, _) = memory_of(|| binfmt::from_slice::<u32_lengths::Nothings>(&bytes).is_ok());
    assert!(n && peak < MIB, "{peak}");
    for count in [1u32 << 16, 1 << 15] {
        let bytes = count.to_le_bytes();
        let (_, peak, _) = memory_of(|| drop(binfmt::from_slice::<u32_lengths::Maybes>(&bytes)));
        assert!(peak < MIB, "{count} elements that may be nothing took {peak} bytes from an input of four");
    }
}

/// They are counted for the whole value: each of many lists in a list may not have as many as a list alone.
#[test]
fn elements_of_no_size_in_lists() {
    use binfmt::schema::Schema;
    use binfmt::value::Value;
    #[derive(BinFormat, Debug)]
    struct Rows {
        #[binfmt(length_prefixed(u16))]
        rows: Vec<Row>,
    }
    #[derive(BinFormat, Debug)]
    struct Row {
        #[binfmt(length_prefixed(u16))]
        list: Vec<Nothing>,
    }
    let input = |rows: &[u16]| {
        let mut bytes = (rows.len() as u16).to_le_bytes().to_vec();
        bytes.extend(rows.iter().flat_map(|n| n.to_le_bytes()));
        bytes
    };
    let schema = Schema::of::<Rows>();
    let layout = schema.description();
    let described = Options::new().ctx(&*layout);
    let refusals = |bytes: &[u8]| {
        [
            binfmt::from_slice::<Rows>(bytes).err(),
            binfmt::from_reader::<Rows>(bytes).err(),
            binfmt::from_slice_with::<Value, _>(bytes, &described).err(),
            binfmt::from_reader_with::<Value, _>(bytes, &described).err(),
        ]
    };
    assert!(refusals(&input(&[5000])).iter().all(Option::is_none));
    assert!(refusals(&input(&[1000; 5])).iter().all(Option::is_none));
    for rows in [&[40_000; 2][..], &[1000; 200], &[u16::MAX; 500]] {
        for e in refusals(&input(rows)) {
            let e = e.expect("so many elements without bytes are refused");
            assert!(matches!(e.kind(), ErrorKind::TooManyEmpty { .. }), "{e}");
            assert!(e.path().to_string().starts_with("rows["), "{e}");
        }
    }
}

#[test]
fn nesting_without_end() {
    #[derive(BinFormat, Debug)]
    struct Node {
        #[binfmt(nullable(present = 1, missing = 0, body = absent))]
        _next: Option<Box<Node>>,
    }
    #[derive(BinFormat, Debug)]
    struct Tree {
        #[binfmt(length_prefixed(u8))]
        _children: Vec<Tree>,
    }
    #[derive(BinFormat, Debug)]
    struct Region {
        #[binfmt(length_prefixed(u8, in = bytes))]
        _inner: Vec<Region>,
    }
    #[derive(BinFormat, Debug)]
    #[binfmt(tag(u8))]
    enum Either {
        _Leaf,
        _Not(Box<Either>),
    }
    #[derive(BinFormat, Debug)]
    struct Until {
        #[binfmt(until = |_: &Until| true)]
        _inner: Vec<Until>,
    }
    let ones = vec![1; 2 * MIB];
    refused::<Node>(&ones);
    refused::<Tree>(&ones);
    refused::<Either>(&ones);
    refused::<Until>(&ones);
    assert!(binfmt::from_slice::<Until>(&[]).is_err());
    refused::<Region>(&vec![200; 2 * MIB]);
    let e = binfmt::from_slice::<Node>(&ones).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { max: 128 }), "{e}");
}

/// A stream that is endless and never has what the layout waits for.
#[test]
fn streams_without_end() {
    #[derive(BinFormat, Debug)]
    struct Text {
        #[binfmt(nul)]
        _text: String,
    }
    #[derive(BinFormat, Debug)]
    struct Rest {
        #[binfmt(until_eof)]
        _bytes: Vec<u8>,
    }
    #[derive(BinFormat, Debug)]
    struct Numbers {
        #[binfmt(until_eof)]
        _numbers: Vec<u64>,
    }
    #[derive(BinFormat, Debug)]
    struct Until {
        #[binfmt(until = |n: &u8| *n == 0)]
        _bytes: Vec<u8>,
    }
    fn limited<T: DecodeOwned + Debug>() {
        let options = Options::new().max_memory(1 << 16);
        let (e, peak, _) =
            memory_of(|| binfmt::from_reader_with::<T, _>(std::io::repeat(1), &options).unwrap_err());
        assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
        assert!(peak < 4 << 16, "{}: {peak} bytes under a limit of 64 KiB", std::any::type_name::<T>());
    }
    limited::<Text>();
    limited::<Rest>();
    limited::<Numbers>();
    limited::<Until>();
}

/// Decodes, and when that succeeds the value is written and read again. Never panics, never takes much.
fn survives<T: Encode + DecodeOwned + Debug + PartialEq>(bytes: &[u8], options: &Options) {
    let (found, peak, _) = memory_of(|| binfmt::from_slice_with::<T, _>(bytes, options));
    assert!(peak < MIB, "{peak} bytes for {} of input", bytes.len());
    let streamed = binfmt::from_reader_with::<T, _>(bytes, options);
    match found {
        Ok(value) => {
            let again = binfmt::to_vec_with(&value, options).expect("what was decoded can be written");
            assert_eq!(binfmt::from_slice_with::<T, _>(&again, options).expect("and read again"), value);
            assert_eq!(streamed.expect("the stream sees the same"), value);
        }
        Err(e) => {
            assert!(
                e.offset().unwrap() <= bytes.len() as u64,
                "{e} is beyond the {} bytes of input",
                bytes.len()
            );
            let trailing = matches!(e.kind(), ErrorKind::TrailingBytes { .. });
            assert_eq!(streamed.is_ok(), trailing, "{e}: {streamed:?}");
            let _ = (e.excerpt(bytes).to_string(), format!("{e:?}"), e.expected(), e.found());
        }
    }
}

#[test]
fn cut_and_changed() {
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let bytes = binfmt::to_vec_with(&sample(), &options).unwrap();
        for end in 0..bytes.len() {
            let e = binfmt::from_slice_with::<Composite, _>(&bytes[..end], &options).unwrap_err();
            assert!(e.is_incomplete(), "cut at {end}: {e}");
            let needed = e.needed().unwrap_or(0);
            assert!(
                needed > 0 && end as u64 + needed <= bytes.len() as u64,
                "cut at {end}: {needed} more bytes"
            );
            let e = binfmt::from_reader_with::<Composite, _>(&bytes[..end], &options).unwrap_err();
            assert!(e.is_incomplete(), "cut at {end}: {e}");
            survives::<Composite>(&bytes[..end], &options);
        }
        for place in 0..bytes.len() {
            for b in [0x00, 0x7F, 0x80, 0xFF] {
                let mut changed = bytes.clone();
                changed[place] = b;
                survives::<Composite>(&changed, &options);
            }
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        let e = binfmt::from_slice_with::<Composite, _>(&longer, &options).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::TrailingBytes { count: 1 }), "{e}");
        assert_eq!(e.offset(), Some(bytes.len() as u64));
    }
}

#[test]
fn memory_limit_of_the_caller() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    let enough = binfmt::from_slice_with::<Composite, _>(&bytes, &Options::new().max_memory(4096));
    assert_eq!(enough.unwrap(), sample());
    let mut before = Some(0);
    for limit in 0..2000 {
        let options = Options::new().max_memory(limit);
        let (found, peak, _) = memory_of(|| binfmt::from_slice_with::<Composite, _>(&bytes, &options));
        let streamed = binfmt::from_reader_with::<Composite, _>(bytes.as_slice(), &options);
        match found {
            Ok(_) => break,
            Err(e) => {
                let ErrorKind::MemoryLimit { requested, remaining } = *e.kind() else { panic!("{e}") };
                assert!(requested > remaining && remaining <= limit, "{e}");
                assert!(e.offset() >= before, "a larger limit reaches less far: {e}");
                before = e.offset();
                // the error itself, and what one step may ask for beside the data
                assert!(peak <= limit + 1024, "{peak} bytes under a limit of {limit}");
                assert!(matches!(streamed.unwrap_err().kind(), ErrorKind::MemoryLimit { .. }));
            }
        }
        assert!(limit < 1999, "nothing was enough");
    }
}

#[test]
fn depth_limit_of_the_caller() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    for depth in 0..4 {
        let found = binfmt::from_slice_with::<Composite, _>(&bytes, &Options::new().max_depth(depth));
        let deep = found.is_err_and(|e| matches!(e.kind(), ErrorKind::DepthLimit { max } if *max == depth));
        assert_eq!(deep, depth == 0, "the sample is one level deep; depth {depth}");
        let options = Options::new().max_depth(depth);
        let streamed = binfmt::from_reader_with::<Composite, _>(bytes.as_slice(), &options);
        assert_eq!(streamed.is_err(), deep, "a stream counts levels as a slice does: {streamed:?}");
    }
}

#[test]
fn the_budget_is_that_of_one_record() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    // the budget is that of one record, in a slice as in a stream
    let options = Options::new().max_memory(4096);
    let many = bytes.repeat(50);
    assert_eq!(
        binfmt::records_from_reader_with::<Composite, _, _>(many.as_slice(), &options)
            .filter(Result::is_ok)
            .count(),
        50
    );
    assert_eq!(binfmt::records_with::<Composite, _>(&many, &options).filter(Result::is_ok).count(), 50);
    // and of a whole batch where all come at once
    assert!(binfmt::decode_all_with::<Composite, _>(&many, &options).is_err());
    // the depth of one record does not count for the next
    let options = Options::new().max_depth(1);
    assert_eq!(binfmt::records_with::<Composite, _>(&many, &options).filter(Result::is_ok).count(), 50);
}

/// The same of layouts that are known at run time, as values and as columns.
#[test]
fn lengths_that_lie_at_run_time() {
    use binfmt::columns::Plan;
    use binfmt::schema::{Description, Encoding, Extent, Field, Integer, Record, Type};
    use binfmt::value::Value;
    let len = |bytes| Extent::Prefixed { len: Integer::unsigned(bytes), max: None, inclusive: false };
    let byte = || Box::new(Type::Int { bytes: 1, signed: false });
    let text = |bytes| Type::Text { encoding: Encoding::Utf8, nul: false, len: len(bytes) };
    for bytes in [4u8, 8] {
        let missing =
            Type::Nullable { present: 255, missing: (0, 127), blank: true, body: Box::new(text(bytes)) };
        let types = [
            Type::Bytes { len: len(bytes) },
            text(bytes),
            Type::List { item: byte(), len: len(bytes) },
            Type::List { item: Box::new(Type::Float { bytes: 8 }), len: len(bytes) },
            Type::List { item: Box::new(text(bytes)), len: len(bytes) },
            Type::List { item: Box::new(Type::Record(Record::new("Nothing", []))), len: len(bytes) },
            Type::List { item: Box::new(Type::Unit), len: len(bytes) },
            Type::Region {
                len: len(bytes),
                fill: None,
                body: Box::new(Type::List { item: byte(), len: Extent::ToEnd }),
            },
            Type::Shaped {
                item: byte(),
                dim_bytes: bytes,
                dim_signed: false,
                rank: Extent::Fixed(2),
                column_major: true,
            },
            Type::Padding { len: len(bytes), fill: 0, strict: false },
            missing,
        ];
        for ty in types {
            let what = format!("{ty:?}");
            let layout = Description::new(Type::Record(Record::new("Row", [Field::new("x", ty)])));
            let plan = Plan::new(&layout).ok();
            for length in [u64::MAX, 0x7fff_ffff_ffff_ffff, 1 << 62] {
                for tail in [0usize, 100, 4000] {
                    let input: Vec<u8> = [
                        &length.to_le_bytes()[..bytes.into()],
                        &length.to_le_bytes()[..bytes.into()],
                        &vec![0x41; tail],
                    ]
                    .concat();
                    let options = Options::new().ctx(&layout);
                    if bytes == 4 && length as u32 == 0 {
                        continue;
                    }
                    let slice = || binfmt::from_slice_with::<Value, _>(&input, &options).err();
                    refused_at_once(&format!("{what} (slice)"), &slice);
                    let stream = || binfmt::from_reader_with::<Value, _>(&input[..], &options).err();
                    refused_at_once(&format!("{what} (stream)"), &stream);
                    let Some(plan) = &plan else { continue };
                    refused_at_once(&format!("{what} (columns)"), &|| plan.decode(&input).err());
                    refused_at_once(&format!("{what} (batches)"), &|| {
                        plan.reader(&input[..], &Options::new()).next_batch(100).err()
                    });
                }
            }
        }
    }
}

/// Columns take little more memory than what they hold at the end.
#[test]
fn memory_of_columns() {
    use binfmt::columns::Plan;
    use binfmt::schema::{Description, Encoding, Extent, Field, Integer, Record, Type};
    let len = Extent::Prefixed { len: Integer::unsigned(4), max: None, inclusive: false };
    let text = Type::Text { encoding: Encoding::Any, nul: true, len };
    let null = |body| Type::Nullable { present: 255, missing: (0, 127), blank: true, body: Box::new(body) };
    let number = |bytes| Type::Int { bytes, signed: true };
    let rows = 20_000usize;
    let fixed = [Field::new("a", number(4)), Field::new("b", null(Type::Float { bytes: 8 }))];
    let open = [Field::new("a", number(8)), Field::new("b", null(text)), Field::new("c", number(4))];
    for (fields, decoded) in [(&fixed[..], rows * 13), (&open[..], rows * (8 + 1 + 8 + 4) + 20 * rows)] {
        let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields.to_vec())))).unwrap();
        let mut bytes = Vec::new();
        for i in 0..rows {
            if fields.len() == 2 {
                bytes.extend([1, 2, 3, 4, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
            } else {
                let text = "abcdefghij".repeat(1 + i % 3);
                bytes.extend([0; 8]);
                bytes.push(255);
                bytes.extend((text.len() as u32 + 1).to_le_bytes());
                bytes.extend(text.as_bytes());
                bytes.extend([0; 5]);
            }
        }
        let (columns, peak, _) = memory_of(|| plan.decode(&bytes).unwrap());
        assert_eq!(columns.num_rows(), rows);
        assert!(peak < decoded * 13 / 10, "{peak} bytes at the peak for {decoded}");
        let (_, peak, _) = memory_of(|| {
            let mut reader = plan.reader(&bytes[..], &Options::new());
            while reader.next_batch(1000).unwrap().is_some() {}
        });
        assert!(peak < 2 * MIB, "{peak} bytes at the peak of a reader");
    }
}
