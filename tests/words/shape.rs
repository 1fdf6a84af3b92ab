//! `shape`: dimensions first, then as many elements as they say.

use crate::support::wire::{assert_error, bad, bad_with, refused, same, same_be, same_with, short};
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::Trace;
use binfmt::schema::Schema;
use binfmt::value::Value;
use binfmt::{Array, ArrayD, BinFormat, Endian, Error, ErrorKind, Nullable, Options, Result, TypedColumns};
use std::io::{Read, Write};

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Fixed {
    #[binfmt(shape(u16))]
    cells: Array<i16, 2>,
    last: u8,
}

fn fixed(shape: [usize; 2], values: Vec<i16>) -> Fixed {
    Fixed { cells: Array::new(shape, values).unwrap(), last: 9 }
}

#[test]
fn dimensions_of_the_type() {
    same(&fixed([2, 1], vec![-1, 2]), &[2, 0, 1, 0, 0xff, 0xff, 2, 0, 9]);
    same_be(&fixed([2, 1], vec![-1, 2]), &[0, 2, 0, 1, 0xff, 0xff, 0, 2, 9]);
    // a dimension of 0 is kept
    same(&fixed([0, 3], vec![]), &[0, 0, 3, 0, 9]);
    same(&fixed([3, 0], vec![]), &[3, 0, 0, 0, 9]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Known {
    #[binfmt(shape(u8, rank = 3))]
    any: ArrayD<u8>,
    #[binfmt(shape(i64, rank = 1, order = column))]
    line: Array<u16, 1>,
}

#[test]
fn dimensions_of_the_word() {
    let value = Known {
        any: ArrayD::new(vec![1, 2, 1], vec![5, 6]).unwrap(),
        line: Array::new([1], vec![0x0102]).unwrap(),
    };
    same(&value, &[1, 2, 1, 5, 6, 1, 0, 0, 0, 0, 0, 0, 0, 2, 1]);
    let e = refused(&Known { any: ArrayD::new(vec![2], vec![5, 6]).unwrap(), ..value.clone() });
    assert_error!(e, 0, "any", ErrorKind::LengthMismatch { expected: 3, found: 1 });
    let e = refused(&Known { any: ArrayD::new(vec![1, 1, 300], vec![0; 300]).unwrap(), ..value });
    assert_error!(e, 2, "any", ErrorKind::PrefixOverflow { value: 300, max: 255 });
    let e = bad::<Known>(&[0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    assert_error!(e, 3, "line", ErrorKind::InvalidLength { found: -1 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(most: u8))]
struct Counted {
    rank: i8,
    #[binfmt(shape(u32, rank = *rank))]
    any: ArrayD<u8>,
    #[binfmt(shape(u8, rank = most))]
    two: Array<u8, 2>,
}

#[test]
fn more_elements_than_can_be_counted() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Huge {
        #[binfmt(shape(u64, rank = 2))]
        any: ArrayD<u8>,
    }
    let e = bad::<Huge>(&[0xff; 16]);
    let words = "any at byte 0x0: the product of the dimensions [18446744073709551615, 18446744073709551615] overflows";
    assert_eq!(e.to_string(), words);
}

#[test]
fn dimensions_of_an_expression() {
    let options = Options::new().ctx(2u8);
    let two = Array::new([1, 1], vec![7]).unwrap();
    for (rank, shape, values) in [(0, vec![], vec![4]), (1, vec![2], vec![4, 5]), (2, vec![1, 0], vec![])] {
        let mut bytes = vec![rank as u8];
        shape.iter().for_each(|n: &usize| bytes.extend((*n as u32).to_le_bytes()));
        bytes.extend(&values);
        bytes.extend([1, 1, 7]);
        let any = ArrayD::new(shape, values).unwrap();
        same_with(&Counted { rank, any, two: two.clone() }, &bytes, &options);
    }
    let e = bad_with::<Counted, _>(&[0xff, 0], &options);
    assert_error!(e, 1, "any", ErrorKind::InvalidLength { found: -1 });
    let three = Options::new().ctx(3u8);
    let e = bad_with::<Counted, _>(&[0, 4, 1, 1, 1, 7], &three);
    assert_error!(e, 2, "two", ErrorKind::LengthMismatch { expected: 2, found: 3 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(width: u8))]
struct Record {
    id: u8,
    #[binfmt(count = width)]
    text: String,
}

/// Elements that are records or text, with arguments.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Elements {
    #[binfmt(shape(u8), args(2u8))]
    records: Array<Record, 2>,
    #[binfmt(nullable(body = absent), shape(u8))]
    maybe: Option<Array<bool, 1>>,
    #[binfmt(be, shape(u16))]
    pairs: Array<(u8, u16), 1>,
}

#[test]
fn elements_of_any_kind() {
    let record = |id, text: &str| Record { id, text: text.into() };
    let value = Elements {
        records: Array::new([1, 2], vec![record(1, "ab"), record(2, "cd")]).unwrap(),
        maybe: Array::new([2], vec![true, false]),
        pairs: Array::new([1], vec![(3, 4)]).unwrap(),
    };
    let bytes = [1, 2, 1, b'a', b'b', 2, b'c', b'd', 255, 2, 1, 0, 0, 1, 3, 0, 4];
    same(&value, &bytes);
    let e = bad::<Elements>(&[0, 2, 255, 2, 1, 7]);
    assert_error!(e, 5, "maybe[1]", ErrorKind::InvalidBool { found: 7 });
    for n in 0..bytes.len() {
        assert!(binfmt::from_slice::<Elements>(&bytes[..n]).unwrap_err().is_incomplete(), "{n}");
    }
}

#[derive(BinFormat, Debug)]
struct Wide {
    #[binfmt(shape(u64))]
    _cells: Array<u64, 2>,
}

fn dims(dims: &[u64]) -> Vec<u8> {
    dims.iter().flat_map(|n| n.to_le_bytes()).collect()
}

#[test]
fn dimensions_that_lie() {
    let [e, streamed] = short::<Wide>(&dims(&[1 << 20, 1 << 20]));
    assert_error!(e, 0, "_cells", ErrorKind::CountTooLarge { count, remaining: Some(0), .. } if *count == 1 << 40);
    assert!(streamed.is_incomplete());
    let e = bad::<Wide>(&dims(&[u64::MAX, u64::MAX]));
    assert_error!(e, 0, "_cells", ErrorKind::DimensionsOverflow { dims } if *dims == [u64::MAX; 2]);
    // a shape without elements that no memory could have without its zero
    let e = bad::<Wide>(&dims(&[u64::MAX, 0]));
    assert!(e.to_string().starts_with("_cells at byte 0x0: array does not fit in memory"), "{e}");
    let e = binfmt::from_slice_with::<Wide, ()>(&dims(&[2, 1, 0, 0]), &Options::new().max_memory(20))
        .unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
}

#[test]
fn methods_of_arrays() {
    let mut array = Array::new([2, 3], (0..6).collect::<Vec<u8>>()).unwrap();
    for i in 0..2 {
        for k in 0..3 {
            assert_eq!(array[[i, k]] as usize, i * 3 + k);
            assert_eq!(array.get_column_major(&[i, k]).copied(), Some((k * 2 + i) as u8));
        }
    }
    array[[1, 1]] = 40;
    assert_eq!(array.get(&[1, 1]), Some(&40));
    for outside in [&[2, 0][..], &[0, 3], &[0], &[0, 0, 0], &[usize::MAX, usize::MAX]] {
        assert_eq!((array.get(outside), array.get_column_major(outside)), (None, None));
    }
    let there = array.clone().row_to_column_major();
    assert_ne!(there, array);
    assert_eq!(there.column_to_row_major(), array);
    let dynamic = ArrayD::from(array.clone());
    assert_eq!(dynamic[&[1, 1][..]], 40);
    assert_eq!(Array::<u8, 2>::try_from(dynamic.clone()).unwrap(), array);
    assert_eq!(Array::<u8, 3>::try_from(dynamic.clone()).unwrap_err(), dynamic);
    assert!(ArrayD::new(vec![usize::MAX, 2], vec![1]).is_none());
    assert!(ArrayD::new(vec![], vec![1]).is_some() && ArrayD::<u8>::new(vec![], vec![]).is_none());
    let json = serde_json::to_string(&array).unwrap();
    assert_eq!(json, r#"{"shape":[2,3],"values":[0,1,2,3,40,5]}"#);
    assert_eq!(serde_json::from_str::<Array<u8, 2>>(&json).unwrap(), array);
    assert_eq!(serde_json::from_str::<ArrayD<u8>>(&json).unwrap(), dynamic);
    assert!(serde_json::from_str::<Array<u8, 3>>(&json).is_err());
    assert!(serde_json::from_str::<ArrayD<u8>>(r#"{"shape":[2,2],"values":[1]}"#).is_err());
}

/// Arrays of the crate `ndarray` as fields.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Foreign {
    #[binfmt(shape(u8))]
    rows: ndarray::Array2<u16>,
    #[binfmt(shape(u8, order = column))]
    columns: ndarray::Array2<u16>,
    n: u8,
    #[binfmt(shape(u8, rank = n))]
    any: ndarray::ArrayD<u8>,
}

#[test]
fn arrays_of_ndarray() {
    let array = ndarray::arr2(&[[1, 2, 3], [4, 5, 6]]);
    let any = ndarray::arr1(&[7]).into_dyn();
    let value = Foreign { rows: array.clone(), columns: array.clone(), n: 1, any };
    let bytes = [
        2, 3, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, /* columns */ 2, 3, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6,
        0, 1, 1, 7,
    ];
    same(&value, &bytes);
    // whatever their memory is
    let turned = ndarray::arr2(&[[1, 4], [2, 5], [3, 6]]).reversed_axes();
    let other = Foreign { rows: turned.clone(), columns: turned, ..value };
    assert_eq!(binfmt::to_vec(&other).unwrap(), bytes);
    let own: Array<u16, 2> = other.rows.clone().into();
    assert_eq!(own.as_slice(), [1, 2, 3, 4, 5, 6]);
    assert_eq!((own.view(), own.view_column_major().dim()), (array.view(), (2, 3)));
    assert_eq!(ndarray::Array2::from(own.clone()), array);
    let own = ArrayD::from(own);
    assert_eq!(
        (own.view(), ndarray::ArrayD::from(own.clone())),
        (array.view().into_dyn(), array.clone().into_dyn())
    );
    let part: Array<u16, 2> = array.slice_move(ndarray::s![1.., 1..]).into();
    assert_eq!((part.shape(), part.as_slice()), (&[1, 2][..], &[5, 6][..]));
}

/// No elements, and dimensions whose product or size no memory holds.
#[derive(BinFormat, Clone, Debug)]
struct Hollow {
    #[binfmt(shape(u64))]
    fixed: Array<f64, 3>,
    #[binfmt(shape(u64, rank = 3))]
    any: ArrayD<f64>,
}

#[derive(BinFormat, Clone, Debug)]
struct HollowForeign {
    #[binfmt(shape(u64))]
    fixed: ndarray::Array3<f64>,
    #[binfmt(shape(u64, rank = 3, order = column))]
    any: ndarray::ArrayD<f64>,
}

#[test]
fn dimensions_from_outside_never_reach_a_panic() {
    let dims: [u64; 7] = [0, 1, 2, 1 << 31, 1 << 60, i64::MAX as u64, u64::MAX];
    let (mut read, mut refused) = (0, 0);
    for a in dims {
        for b in dims {
            for c in dims {
                let mut bytes = [a, b, c].map(u64::to_le_bytes).concat();
                bytes.extend_from_within(..);
                match binfmt::from_slice::<Hollow>(&bytes) {
                    Ok(Hollow { fixed, any }) => {
                        assert!(fixed.as_slice().is_empty() && fixed.view().is_empty());
                        assert!(fixed.view_column_major().is_empty() && any.view_column_major().is_empty());
                        assert!(ndarray::Array::from(fixed).is_empty());
                        assert!(ndarray::ArrayD::from(any).is_empty());
                        read += 1;
                    }
                    Err(_) => refused += 1,
                }
                let foreign = binfmt::from_slice::<HollowForeign>(&bytes);
                assert!(foreign.is_err() || a.min(b).min(c) == 0);
            }
        }
    }
    assert!(read > 20 && refused > 200, "{read} and {refused}");
}

/// Arrays in columns.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    #[binfmt(shape(u8))]
    a: Array<u8, 2>,
    #[binfmt(shape(u8, rank = 1))]
    b: ArrayD<u16>,
}

#[test]
fn arrays_in_columns() {
    let bytes = [1, 1, 5, 2, 1, 0, 2, 0, /* second row */ 0, 0, 0];
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.a[0], Array::new([1, 1], vec![5]).unwrap());
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

#[test]
fn nothing_is_a_value_too() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Maybe {
        #[binfmt(nullable(body = absent), shape(u8))]
        a: Nullable<Array<u8, 1>>,
        #[binfmt(if(a.missing().is_some()), shape(u8))]
        b: Option<Array<u8, 1>>,
    }
    same(&Maybe { a: Nullable::Missing(1), b: Array::new([1], vec![2]) }, &[1, 1, 2]);
    same_with(
        &Maybe { a: Array::new([0], vec![]).unwrap().into(), b: None },
        &[255, 0],
        &Options::new().endian(Endian::Big),
    );
}

/// What is known of the layout at run time reads and refuses the same.
#[test]
fn described_arrays() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Both {
        rank: u8,
        #[binfmt(shape(u16, rank = rank))]
        any: ArrayD<u8>,
        #[binfmt(shape(i8))]
        two: Array<bool, 2>,
    }
    let schema = Schema::of::<Both>();
    let description = schema.description();
    let value = Both {
        rank: 2,
        any: ArrayD::new(vec![2, 1], vec![5, 6]).unwrap(),
        two: Array::new([1, 2], vec![true, false]).unwrap(),
    };
    let bytes = binfmt::to_vec(&value).unwrap();
    let options = Options::new().ctx(&*description);
    let same = |bytes: &[u8]| {
        let typed = binfmt::from_slice::<Both>(bytes).map_err(|e| e.to_string());
        let found = binfmt::from_slice_with::<Value, _>(bytes, &options).map_err(|e| e.to_string());
        assert_eq!(found.as_ref().err(), typed.as_ref().err(), "{bytes:02x?}");
        if let (Ok(found), Ok(typed)) = (found, typed) {
            assert_eq!(
                serde_json::to_value(found.get("any")).unwrap(),
                serde_json::to_value(&typed.any).unwrap()
            );
            assert_eq!(binfmt::to_vec_with(&found, &options).unwrap(), binfmt::to_vec(&typed).unwrap());
        }
    };
    for n in 0..=bytes.len() {
        same(&bytes[..n]);
    }
    for place in 0..bytes.len() {
        for byte in [0, 1, 2, 3, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] = byte;
            same(&changed);
        }
    }
    let dump = binfmt::dump::trace::<Both>(&bytes).to_string();
    let names: Vec<&str> = dump.lines().map(|line| line[79..].split(':').next().unwrap()).collect();
    let [any, two] = ["any", "two"].map(|name| [0, 1].map(|i| format!("{name} (dimension {i})")));
    assert_eq!(names, ["rank", &any[0], &any[1], "any", &two[0], &two[1], "two"]);
}

/// Dimensions beyond every number are told as what they are, and the run-time decoder says the same.
#[test]
fn products_that_overflow() {
    #[derive(BinFormat, Debug)]
    struct Many {
        #[binfmt(shape(u32, rank = 9))]
        _nothing: ArrayD<()>,
    }
    let words =
        "_nothing at byte 0x0: the product of the dimensions [2, 2, 2, 2, 2, 2, 2, 4294967295, ..] overflows";
    let mut bytes = [[2, 0, 0, 0]; 9];
    bytes[7..].fill([0xff; 4]);
    let e = bad::<Many>(bytes.as_flattened());
    assert_eq!(e.to_string(), words);
    let schema = Schema::of::<Many>();
    let description = schema.description();
    let options = Options::new().ctx(&*description);
    let e = binfmt::from_slice_with::<Value, _>(bytes.as_flattened(), &options).unwrap_err();
    assert_eq!(e.to_string(), words);
}

/// A reader that believes in every dimension: the conformance kit takes them for counts, and sees it.
#[test]
fn the_kit_tries_dimensions() {
    struct Believer;
    impl Conformance for Believer {
        type Value = ();
        fn name(&self) -> &str {
            "believer"
        }
        fn samples(&self) -> Vec<Sample> {
            vec![Sample::new("one", [1, 0, 1, 0, 7, 0, 9])]
        }
        fn decode(&self, _: &Sample, _: &[u8]) -> Result<()> {
            Ok(())
        }
        fn decode_stream(&self, _: &Sample, _: &mut dyn Read) -> Result<()> {
            Ok(())
        }
        fn encode(&self, sample: &Sample, _: &(), out: &mut dyn Write) -> Result<()> {
            out.write_all(&sample.bytes).map_err(|e| Error::other(e.to_string()))
        }
        fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
            vec![binfmt::dump::trace::<Fixed>(bytes)]
        }
        fn may_end_at(&self, _: &Sample, _: usize) -> bool {
            true
        }
        fn writes_all_it_reads(&self) -> bool {
            true
        }
        fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
            run();
            None
        }
    }
    let report = check(&Believer);
    let of_dimensions = |at: &str| {
        report
            .failures()
            .iter()
            .any(|f| f.check == "oversized length" && f.text.contains(&format!("byte {at} ")))
    };
    assert!(of_dimensions("0x0") && of_dimensions("0x2"), "{report}");
}
