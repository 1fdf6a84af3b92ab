//! Layouts at random: values and columns of the same bytes agree, whatever is done to the bytes.

use crate::support::random::{
    Random, any_layout, contradictory, value, value_of_version, value_with_a_part, with_a_part_elsewhere,
    with_versions,
};
use binfmt::columns::{Columns, Plan};
use binfmt::schema::{Description, Extent, Field, Schema, Type};
use binfmt::value::{Program, Value, ValueSeed};
use binfmt::{Endian, ErrorKind, Options};
use serde::de::DeserializeSeed;
use std::collections::BTreeMap;
use std::io::Cursor;

const SEEDS: u64 = if cfg!(debug_assertions) { 400 } else { 4000 };

fn options(r: &mut Random) -> Options {
    Options::new()
        .endian(r.pick(&[Endian::Little, Endian::Big]))
        .lenient_presence(r.below(3) == 0)
        .optional_nul(r.below(3) == 0)
        .blank_missing(r.below(3) == 0)
}

/// As text: a NaN is equal to none.
fn shown(value: &Value) -> String {
    format!("{value:?}")
}

/// What was done to bytes: cut, or some of them changed.
fn damaged(r: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if r.below(3) == 0 && !bytes.is_empty() {
        bytes.truncate(r.below(bytes.len() as u64) as usize);
    }
    for _ in 0..r.below(3) {
        if !bytes.is_empty() {
            let place = r.below(bytes.len() as u64) as usize;
            bytes[place] = r.pick(&[0, 1, 3, 0x7f, 0x80, 0xff]);
        }
    }
    bytes
}

/// Nobody reads or writes a byte by a layout that contradicts itself.
#[test]
fn contradictions_are_refused() {
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 42));
        let good = any_layout(r, seed % 2 == 0);
        assert_eq!(good.validate(), Ok(()), "{seed}: {good:?}");
        let Some(layout) = contradictory(r, &good) else { continue };
        let e = layout.validate().expect_err("a contradiction").to_string();
        let with = Options::new().ctx(&layout);
        let value = value(r, &good.root);
        let read = binfmt::from_slice_with::<Value, _>(&[1; 100], &with).unwrap_err();
        let written = binfmt::to_vec_with(&value, &with).unwrap_err();
        for found in [read, written] {
            assert_eq!(
                found.to_string().replace(" at byte 0x0", "").replace("at byte 0x0: ", ""),
                e,
                "{seed}"
            );
        }
        assert_eq!(Plan::new(&layout).unwrap_err().to_string(), e, "{seed}");
        let json = serde_json::to_string(&layout).unwrap();
        assert!(serde_json::from_str::<Description>(&json).is_err(), "{seed}");
    }
}

#[test]
fn values_come_back() {
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed);
        let layout = any_layout(r, true);
        let value = value(r, &layout.root);
        let options = options(r);
        let with = options.ctx(&layout);
        let bytes = binfmt::to_vec_with(&value, &with)
            .unwrap_or_else(|e| panic!("{seed}: {e}\n{layout:?}\n{value:?}"));
        assert_eq!(binfmt::encoded_len_with(&value, &with).unwrap(), bytes.len(), "{seed}");
        let read: Value =
            binfmt::from_slice_with(&bytes, &with).unwrap_or_else(|e| panic!("{seed}: {e}\n{layout:?}"));
        assert_eq!(shown(&read), shown(&value), "{seed}: {layout:?}");
        let streamed: Value = binfmt::from_reader_with(&bytes[..], &with).unwrap();
        assert_eq!(shown(&streamed), shown(&value), "{seed}");

        let json = serde_json::to_string(&value).unwrap();
        let again = ValueSeed::new(&Program::new(&layout).unwrap())
            .deserialize(&mut serde_json::Deserializer::from_str(&json));
        let again = again.unwrap_or_else(|e| panic!("{seed}: {e}\n{json}\n{layout:?}"));
        assert_eq!(binfmt::to_vec_with(&again, &with).unwrap(), bytes, "{seed}: {json}");

        for _ in 0..20 {
            let bytes = damaged(r, &bytes);
            let streamed = binfmt::from_reader_with::<Value, _>(&bytes[..], &with);
            match binfmt::from_slice_with::<Value, _>(&bytes, &with) {
                Ok(value) => {
                    assert_eq!(shown(&streamed.unwrap()), shown(&value), "{seed}");
                    // text that lacks its NUL may have no room for it
                    let Ok(again) = binfmt::to_vec_with(&value, &with) else { continue };
                    let read: Value = binfmt::from_slice_with(&again, &with).unwrap();
                    assert_eq!(shown(&read), shown(&value), "{seed}");
                }
                Err(e) => assert!(e.offset().is_some_and(|at| at <= bytes.len() as u64), "{seed}: {e}"),
            }
        }
    }
}

fn rows(columns: &Columns) -> Vec<String> {
    (0..columns.num_rows()).map(|row| shown(&columns.row(row).unwrap())).collect()
}

/// All that values, columns and batches say of some bytes must be the same.
fn agree(seed: u64, r: &mut Random, layout: &Description, plan: &Plan, bytes: &[u8], options: &Options) {
    let with = options.ctx(layout);
    let (mut values, mut error) = (Vec::new(), None);
    for value in binfmt::records_with::<Value, _>(bytes, &with) {
        match value {
            Ok(value) => values.push(value),
            Err(e) => error = Some(e.to_string()),
        }
    }
    let expected: Vec<String> = values.iter().map(shown).collect();
    match (plan.decode_with(bytes, options), &error) {
        (Ok(columns), None) => {
            assert_eq!(rows(&columns), expected, "{seed}: {layout:?}");
            let written = plan.encode_with(&columns, options).map_err(|e| e.to_string());
            let expected = binfmt::encode_all_with(&values, &with).map_err(|e| e.to_string());
            assert_eq!(written, expected, "{seed}: {layout:?}");
        }
        (Err(e), Some(expected)) => assert_eq!(e.to_string(), *expected, "{seed}: {layout:?}"),
        (found, expected) => panic!("{seed}: {:?}, {expected:?}\n{layout:?}", found.map(|_| ())),
    }
    crate::dynamic::spans::agree(plan, bytes, options);
    let size = 1 + r.below(5) as usize;
    let mut reader = plan.reader(bytes, options);
    let mut found = Vec::new();
    let end = loop {
        match reader.next_batch(size) {
            Ok(Some(batch)) => found.extend(rows(&batch)),
            Ok(None) => break None,
            Err(e) => break Some(e.to_string()),
        }
    };
    assert_eq!((found, end), (expected, error), "{seed}: {layout:?}");
}

/// The plan of a layout; none of one that has no columns, for which there are few reasons.
fn plan_of(layout: &Description) -> Option<Plan> {
    const REASONS: [&str; 4] = [
        "a type that is in itself",
        "a value without bytes",
        "a value that is missing in two ways",
        "a large value that may have no bytes",
    ];
    match Plan::new(layout) {
        Ok(plan) => Some(plan),
        Err(e) => {
            assert!(REASONS.iter().any(|why| e.to_string().contains(why)), "{e}: {layout:?}");
            assert!(!e.path().is_empty(), "{e}");
            None
        }
    }
}

#[test]
fn columns_are_what_values_are() {
    let (mut in_blocks, mut refused) = (0, 0);
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 40));
        let layout = any_layout(r, seed % 2 == 0);
        let Some(plan) = plan_of(&layout) else {
            refused += 1;
            continue;
        };
        in_blocks += u64::from(plan.row_size().is_some());
        let options = options(r);
        let with = options.ctx(&layout);
        let values: Vec<Value> = (0..1 + r.below(6)).map(|_| value(r, &layout.root)).collect();
        let bytes =
            binfmt::encode_all_with(&values, &with).unwrap_or_else(|e| panic!("{seed}: {e}\n{layout:?}"));
        if bytes.is_empty() {
            continue;
        }
        agree(seed, r, &layout, &plan, &bytes, &options);
        let columns = plan.columns_of(&values).unwrap();
        assert_eq!(plan.encode_with(&columns, &options).unwrap(), bytes, "{seed}: {layout:?}");
        for _ in 0..12 {
            let bytes = damaged(r, &bytes);
            agree(seed, r, &layout, &plan, &bytes, &options);
        }
    }
    assert!(in_blocks > SEEDS / 20 && refused < SEEDS / 2, "{in_blocks}, {refused}");
}

fn takes_all(field: &Field) -> bool {
    matches!(&field.ty, Type::Text { len: Extent::ToEnd, .. } | Type::List { len: Extent::ToEnd, .. })
}

/// Many rows, so that there is more than one block.
#[test]
fn many_rows() {
    for seed in 0..SEEDS / 20 {
        let r = &mut Random::new(seed.wrapping_add(1 << 41));
        let layout = any_layout(r, seed % 2 == 0);
        let Some(plan) = plan_of(&layout) else { continue };
        let with = Options::new().ctx(&layout);
        let some: Vec<Value> = (0..7).map(|_| value(r, &layout.root)).collect();
        let count = if cfg!(debug_assertions) { 1100 } else { 3000 };
        let values: Vec<Value> = (0..count).map(|_| r.pick(&some)).collect();
        let bytes = binfmt::encode_all_with(&values, &with).unwrap();
        if bytes.is_empty() {
            continue;
        }
        let columns = match plan.decode(&bytes) {
            Ok(columns) => columns,
            // a text or list that takes all that there is may be none with the bytes of the next rows
            Err(e) => {
                let expected = binfmt::decode_all_with::<Value, _>(&bytes, &with).unwrap_err();
                assert_eq!(e.to_string(), expected.to_string(), "{seed}");
                let to_end =
                    matches!(&layout.root, Type::Record(r) if r.fields.last().is_some_and(takes_all));
                assert!(to_end, "{seed}: {e}\n{layout:?}");
                continue;
            }
        };
        // a row that takes all that there is is one
        let read: Vec<Value> = binfmt::records_with(&bytes, &with).map(Result::unwrap).collect();
        assert!(rows(&columns) == read.iter().map(shown).collect::<Vec<_>>(), "{seed}");
        assert_eq!(plan.encode(&columns).unwrap(), bytes, "{seed}");
        let mut written = Vec::new();
        plan.encode_to(&columns, &mut written, &Options::new()).unwrap();
        assert_eq!(written, bytes, "{seed}");
        // every name at most once, in any order
        let names: Vec<&str> = plan.names().collect();
        let last = names[names.len() - 1];
        let only = plan.select(&[last]).unwrap().decode(&bytes).unwrap();
        assert_eq!(format!("{:?}", only.get(last)), format!("{:?}", columns.get(last)));
    }
}

/// The text of a layout says all that its bytes depend on.
#[test]
fn texts_are_read_again() {
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 41));
        let layout = any_layout(r, seed % 2 == 0);
        let text = layout.to_string();
        let read: Description = text.parse().unwrap_or_else(|e| panic!("{seed}: {e}\n{text}"));
        assert_eq!(read.to_string(), text, "{seed}: {layout:?}");
        let options = options(r);
        let value = value(r, &layout.root);
        let bytes = binfmt::to_vec_with(&value, &options.ctx(&layout));
        let again = binfmt::to_vec_with(&value, &options.ctx(&read));
        let told = |e: binfmt::Error| e.to_string();
        assert_eq!(bytes.map_err(told), again.map_err(told), "{seed}: {text}");
    }
}

/// Parts elsewhere come back from slices and from what can seek, and say the same of damage.
#[test]
fn parts_elsewhere() {
    let mut tried = 0;
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 43));
        let Some(layout) = with_a_part_elsewhere(r) else { continue };
        tried += 1;
        let value = value_with_a_part(r, &layout);
        let options = options(r);
        let with = options.ctx(&layout);
        let bytes =
            binfmt::to_vec_with(&value, &with).unwrap_or_else(|e| panic!("{seed}: {e}\n{layout}\n{value:?}"));
        let read: Value =
            binfmt::from_slice_with(&bytes, &with).unwrap_or_else(|e| panic!("{seed}: {e}\n{layout}"));
        assert_eq!(shown(&read), shown(&value), "{seed}: {layout}");
        let mut written = Vec::new();
        binfmt::to_writer_with(&value, &mut written, &with).unwrap();
        assert_eq!(written, bytes, "{seed}: {layout}");
        for i in 0..20 {
            let bytes = if i == 0 { bytes.clone() } else { damaged(r, &bytes) };
            let sought = binfmt::from_seeker_with::<Value, _>(Cursor::new(&bytes), &with);
            match (binfmt::from_slice_with::<Value, _>(&bytes, &with), sought) {
                (Ok(value), Ok(sought)) => assert_eq!(shown(&sought), shown(&value), "{seed}"),
                // a slice sees at a length that its bytes are not there
                (Err(a), Err(b)) => {
                    let (known, found) = (a.path().to_string(), b.path().to_string());
                    assert!(found.starts_with(&known), "{seed}: {a}, {b}");
                }
                // what comes after a value concerns a slice alone
                (Err(a), Ok(_)) if matches!(a.kind(), ErrorKind::TrailingBytes { .. }) => {}
                (a, b) => panic!("{seed}: {a:?}, {b:?}\n{layout}"),
            }
        }
    }
    assert!(tried > SEEDS / 3, "{tried}");
}

/// A layout of all versions, and the one of each.
#[test]
fn versions() {
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 44));
        let layout = with_versions(r);
        let version = r.below(8) as u8;
        let value = value_of_version(r, &layout, version);
        let one = Schema::from(layout.clone()).at_version(version.into()).description().into_owned();
        assert!(!one.to_string().contains("since"), "{seed}: {one}");
        let bytes = binfmt::to_vec_with(&value, &Options::new().ctx(&layout))
            .unwrap_or_else(|e| panic!("{seed}: {e}\n{layout}\n{value:?}"));
        let read: Value = binfmt::from_slice_with(&bytes, &Options::new().ctx(&layout)).unwrap();
        assert_eq!(shown(&read), shown(&value), "{seed}: {layout}");
        // the same bytes, in which what this version does not have is not even absent
        let read: Value = binfmt::from_slice_with(&bytes, &Options::new().ctx(&one)).unwrap();
        let Value::Record(fields) = &value else { unreachable!() };
        let there = fields.iter().filter(|(name, _)| one.to_string().contains(&format!("\n  {name}: ")));
        let there = Value::record(there.map(|(name, value)| (name.clone(), value.clone())));
        assert_eq!(shown(&read), shown(&there), "{seed}: {one}");
        assert_eq!(binfmt::to_vec_with(&read, &Options::new().ctx(&one)).unwrap(), bytes, "{seed}: {one}");
    }
}

/// The same number for the same text, and another for another.
#[test]
fn fingerprints() {
    let mut known: BTreeMap<u64, String> = BTreeMap::new();
    for seed in 0..SEEDS {
        let r = &mut Random::new(seed.wrapping_add(1 << 45));
        let layout = match seed % 3 {
            0 => with_versions(r),
            1 => any_layout(r, true),
            _ => with_a_part_elsewhere(r).unwrap_or_else(|| any_layout(r, false)),
        };
        // the names of types that stand where they are used are not in the text
        let layout: Description = layout.to_string().parse().unwrap();
        let of = |layout: &Description| Schema::from(layout.clone()).fingerprint().get();
        let (number, text) = (of(&layout), layout.to_string());
        assert_eq!(of(&text.parse().unwrap()), number, "{seed}: {text}");
        let json = serde_json::to_string(&layout).unwrap();
        assert_eq!(of(&serde_json::from_str(&json).unwrap()), number, "{seed}: {text}");
        // rules and what is never shown change no byte
        let plain = |text: &str| -> String {
            let rule =
                |word: &&str| !["range", "since", "until_version"].iter().any(|rule| word.starts_with(rule));
            text.split(", ").filter(rule).collect()
        };
        if let Some(other) = known.insert(number, plain(&text)) {
            assert_eq!(other, plain(&text), "{seed}: two layouts have the fingerprint {number:x}");
        }
    }
    assert!(known.len() as u64 > SEEDS * 9 / 10, "{}", known.len());
}
