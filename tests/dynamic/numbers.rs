//! Numbers of every kind: that one does as all do.

use binfmt::Options;
use binfmt::columns::{Column, ColumnData};
use binfmt::numbers::{Element, F16, Number, NumberType, Numbers};
use binfmt::schema::{Description, Type};
use binfmt::value::{Elements, Value};
use binfmt::{Endian, columns::Columns};

/// Three different numbers of each kind.
fn all() -> Vec<Numbers> {
    let three = |kind: &NumberType| {
        let bytes: Vec<u8> = (0..3 * kind.size()).map(|i| i as u8 % 7 + u8::from(i < 5)).collect();
        let bytes = if *kind == NumberType::Bool { vec![1, 0, 1] } else { bytes };
        Numbers::from_le_bytes(*kind, &bytes).unwrap()
    };
    NumberType::ALL.iter().map(three).collect()
}

#[test]
fn a_kind_is_known_by_its_name_and_by_its_type() {
    for kind in NumberType::ALL {
        assert_eq!(NumberType::named(kind.name()), Some(*kind));
        assert_eq!(Type::from(*kind).number_type(), Some(*kind), "{kind}");
        let bytes = u8::try_from(kind.size()).unwrap();
        assert_eq!(NumberType::int(bytes, kind.is_signed()) == Some(*kind), kind.is_int(), "{kind}");
        assert_eq!(NumberType::float(bytes) == Some(*kind), kind.is_float(), "{kind}");
        assert_eq!(kind.limits().is_some(), kind.is_int());
        assert_eq!(Numbers::new(*kind).number_type(), *kind);
    }
    assert_eq!(NumberType::ALL.len(), 14);
    assert_eq!((NumberType::int(3, true), NumberType::float(1), NumberType::float(16)), (None, None, None));
    assert_eq!(Type::Bool { lax: true }.number_type(), Some(NumberType::Bool));
}

#[test]
fn integers_fit_within_their_limits() {
    for kind in NumberType::ALL.iter().filter(|kind| kind.is_int()) {
        let (least, most) = kind.limits().unwrap();
        let most = i128::try_from(most).unwrap_or(i128::MAX);
        for n in [least, -1, 0, 1, most] {
            let number = Number::from_i128(*kind, n);
            assert_eq!(number.is_some(), n >= least, "{n} {kind}");
            let Some(number) = number else { continue };
            assert_eq!((number.as_i128(), number.number_type()), (Some(n), *kind));
            assert_eq!((number.to_f64(), number.to_string()), (n as f64, n.to_string()));
            assert_eq!((number.as_f64(), number.as_bool()), (None, None));
        }
        if let Some(beyond) = most.checked_add(1) {
            assert_eq!(Number::from_i128(*kind, beyond), None, "{kind}");
        }
        assert_eq!(Number::from_f64(*kind, 1.0), None);
    }
    assert_eq!(Number::U128(u128::MAX).as_i128(), None);
    assert_eq!(Numbers::U128(vec![u128::MAX]).i128s(), None);
    assert_eq!(Numbers::U64(vec![u64::MAX]).i128s(), Some(vec![u64::MAX.into()]));
    assert_eq!(Numbers::Bool(vec![true]).i128s(), None);
}

#[test]
fn floats_are_the_nearest() {
    for (kind, expected) in
        [(NumberType::F16, 0.099_975_586), (NumberType::F32, f64::from(0.1f32)), (NumberType::F64, 0.1)]
    {
        let number = Number::from_f64(kind, 0.1).unwrap();
        assert!((number.as_f64().unwrap() - expected).abs() < 1e-9, "{kind}");
        assert_eq!((number.as_i128(), number.to_f64()), (None, number.as_f64().unwrap()));
        assert_eq!(Number::from_i128(kind, 1), None);
        let nan = Number::from_f64(kind, f64::NAN).unwrap();
        assert!(nan != nan && nan.is_same(nan) && nan.partial_cmp(&nan).is_none());
        let [zero, minus] = [0.0, -0.0].map(|n| Number::from_f64(kind, n).unwrap());
        assert!(zero == minus && !zero.is_same(minus));
    }
}

#[test]
fn numbers_of_half_precision_are_those_of_the_crate_half() {
    for bits in 0..=u16::MAX {
        let (ours, theirs) = (F16::from_bits(bits), half::f16::from_bits(bits));
        assert_eq!(ours.to_f32().to_bits() & 0x7f80_0000, theirs.to_f32().to_bits() & 0x7f80_0000);
        assert_eq!((ours.is_nan(), ours.is_infinite()), (theirs.is_nan(), theirs.is_infinite()));
        assert_eq!(
            (ours.is_finite(), ours.is_sign_negative()),
            (theirs.is_finite(), theirs.is_sign_negative())
        );
        if !ours.is_nan() {
            assert_eq!(ours.to_f32(), theirs.to_f32());
            assert_eq!(F16::from_f64(ours.into()).to_bits(), bits);
        }
        assert_eq!(half::f16::from(F16::from(theirs)).to_bits(), bits);
    }
}

#[test]
fn bytes_come_back_in_both_orders() {
    for numbers in all() {
        let kind = numbers.number_type();
        let bytes = numbers.to_le_bytes();
        assert_eq!((bytes.len(), numbers.num_bytes()), (3 * kind.size(), 3 * kind.size()));
        let mut each = Vec::new();
        numbers.iter().for_each(|n| n.put_le_bytes(&mut each));
        assert_eq!(each, bytes, "{kind}");
        assert_eq!(Numbers::from_le_bytes(kind, &bytes[1..]).is_some(), kind.size() == 1);
        for endian in [Endian::Little, Endian::Big] {
            let options = Options::new().endian(endian).ctx((kind, 3));
            let wire = binfmt::to_vec_with(&numbers, &options).unwrap();
            assert_eq!(binfmt::from_slice_with::<Numbers, _>(&wire, &options).unwrap(), numbers);
            assert_eq!(wire == bytes, endian == Endian::Little || kind.size() == 1, "{kind}");
            // and the same as a column of rows, and as elements of a value
            let one = Options::new().endian(endian).ctx(kind);
            let alone = binfmt::to_vec_with(&numbers.get(1).unwrap(), &one).unwrap();
            assert_eq!(alone, wire[kind.size()..2 * kind.size()]);
            let layout = Description::new(kind.into());
            let value = Options::new().endian(endian).ctx(&layout);
            let read: Value = binfmt::from_slice_with(&alone, &value).unwrap();
            assert_eq!(read, Value::from(numbers.get(1).unwrap()));
            assert_eq!(binfmt::to_vec_with(&read, &value).unwrap(), alone);
        }
    }
}

#[test]
fn only_numbers_of_the_own_kind_go_together() {
    for (i, numbers) in all().into_iter().enumerate() {
        for (k, other) in all().into_iter().enumerate() {
            let mut both = numbers.clone();
            assert_eq!(both.append(&other), i == k);
            assert_eq!(both.push(other.get(0).unwrap()).is_ok(), i == k);
            assert_eq!(both.len(), if i == k { 7 } else { 3 });
            assert_eq!((numbers == other, numbers.is_same(&other)), (i == k, i == k));
            let (a, b) = (numbers.get(0).unwrap(), other.get(2).unwrap());
            assert_eq!(a.partial_cmp(&b).is_some(), i == k);
            both.truncate(3);
            assert_eq!(both, numbers);
        }
    }
}

#[test]
fn values_columns_and_cells_hold_them() {
    for numbers in all() {
        let column = Column::from(numbers.clone());
        assert_eq!((column.len(), column.numbers()), (3, Some(&numbers)));
        let columns = Columns::new(vec![("x".into(), column)]).unwrap();
        for (i, number) in numbers.iter().enumerate() {
            assert_eq!(columns.cell(i, 0).unwrap().to_value(), Value::from(number));
        }
        let elements: Elements = numbers.iter().map(Value::from).collect();
        assert_eq!(elements.numbers(), Some(&numbers));
        assert_eq!(numbers.f64s(), numbers.iter().map(Number::to_f64).collect::<Vec<_>>());
        let json = serde_json::to_string(&numbers).unwrap();
        let array = serde_json::to_string(&elements).unwrap();
        assert_eq!(array, json);
    }
}

/// What a function generic over the Rust types sees.
#[test]
fn rust_types_and_kinds_are_one_to_one() {
    fn check<T: Element>(found: &mut Vec<NumberType>) {
        let numbers = Numbers::from(vec![T::default(); 2]);
        assert_eq!((numbers.number_type(), T::TYPE.size()), (T::TYPE, size_of::<T>()));
        assert_eq!(numbers.as_slice::<T>().map(<[T]>::len), Some(2));
        assert_eq!(numbers.get(0).and_then(Number::get::<T>), Some(T::default()));
        assert_eq!(numbers.into_vec::<T>().map(|v| v.len()), Ok(2));
        found.push(T::TYPE);
    }
    let mut found = Vec::new();
    check::<bool>(&mut found);
    check::<i8>(&mut found);
    check::<i16>(&mut found);
    check::<i32>(&mut found);
    check::<i64>(&mut found);
    check::<i128>(&mut found);
    check::<u8>(&mut found);
    check::<u16>(&mut found);
    check::<u32>(&mut found);
    check::<u64>(&mut found);
    check::<u128>(&mut found);
    check::<F16>(&mut found);
    check::<f32>(&mut found);
    check::<f64>(&mut found);
    assert_eq!(found, NumberType::ALL);
}
