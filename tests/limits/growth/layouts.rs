//! Descriptions of layouts: their texts, JSON, comparison, programs, and what is read and written along them.

use super::each;
use super::kit::in_proportion;
use binfmt::columns::Plan;
use binfmt::schema::{Description, Schema};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Options};

/// The ways in which a description may be large.
fn large(n: usize) -> Vec<(&'static str, String)> {
    let fields = each(n, |i| format!("  f{i}: u16, range = 1..=9  // The field {i}.\n"));
    let types = each(n, |i| format!("T{i}: record\n  a: u8\n"));
    let variants = each(n, |i| format!("  {i} => V{i}\n    a: u8\n"));
    vec![
        ("fields", format!("R: record, le\n{fields}")),
        ("types", format!("R: record, le\n{}{types}", each(n, |i| format!("  f{i}: T{i}\n")))),
        ("chain", format!("R: record, le\n  a: T0\n{}T{n}: record\n  a: u8\n", chain(n))),
        ("variants", format!("R: choice, tag(u32), le\n{variants}")),
        ("untagged", format!("R: choice, untagged, le\n{}", variants_without_tags(n))),
        ("bits", format!("R: record, le\n{}", each(n / 8, bits))),
        (
            "counts",
            format!(
                "R: record, le\n{}",
                each(n, |i| format!("  n{i}: u8\n  b{i}: bytes, count = n{i} + n0\n"))
            ),
        ),
        (
            "skipped",
            format!("R: record, le\n{}  a: u8\n", "  _: skip(bytes = 1)\n  _: magic = b\"M\"\n".repeat(n)),
        ),
        (
            "docs",
            format!(
                "R: record, le\n{}",
                each(n, |i| format!("  // {i}\n  f{i}: u8  // {}\n", "x".repeat(50)))
            ),
        ),
        (
            "calls",
            format!(
                "R: record, le\n  n: u8\n{}T: record, ctx(k: u8)\n  b: bytes, count = k\n",
                each(n, |i| format!("  f{i}: T, args(n)\n"))
            ),
        ),
    ]
}

fn chain(n: usize) -> String {
    each(n, |i| format!("T{i}: record\n  a: T{}\n", i + 1))
}

fn variants_without_tags(n: usize) -> String {
    each(n, |i| format!("  _ => V{i}\n    _: magic = b\"{i:08}\"\n    a: u8\n"))
}

fn bits(i: usize) -> String {
    each(8, |k| format!("  b{i}_{k}: u8, bits(1{})\n", if k == 0 { ", of = u8" } else { "" }))
}

fn parsed(n: usize, way: usize) -> Description {
    let (what, text) = large(n).swap_remove(way);
    text.parse().unwrap_or_else(|e| panic!("{what}: {e}"))
}

/// For each way that a description may be large.
fn for_each_way<R>(what: &str, size: usize, run: impl Fn(&Description) -> R) {
    for (way, (name, _)) in large(0).into_iter().enumerate() {
        in_proportion(&format!("{what} of {name}"), size, |n| parsed(n, way), &run);
    }
}

#[test]
fn texts_are_read_and_written() {
    for (way, (name, _)) in large(0).into_iter().enumerate() {
        let text = |n| large(n).swap_remove(way).1;
        in_proportion(&format!("text of {name}"), 4000, text, |text| {
            text.parse::<Description>().unwrap_or_else(|e| panic!("{name}: {e}"))
        });
    }
    for_each_way("printing", 4000, ToString::to_string);
}

#[test]
fn json_is_read_and_written() {
    for (way, (name, _)) in large(0).into_iter().enumerate() {
        let json = |n| serde_json::to_string(&parsed(n, way)).unwrap();
        in_proportion(&format!("JSON of {name}"), 4000, json, |json| {
            serde_json::from_str::<Description>(json)
        });
    }
    for_each_way("JSON for", 4000, |layout| serde_json::to_string(layout).unwrap());
}

#[test]
fn descriptions_are_looked_at() {
    for_each_way("fingerprint", 4000, |layout| Schema::from(layout.clone()).fingerprint());
    for_each_way("contradictions", 4000, Description::validate);
    for_each_way("places", 4000, Description::places);
    for_each_way("one type", 4000, |layout| layout.only("T1"));
    for_each_way("parts elsewhere", 4000, Description::has_parts_elsewhere);
}

#[test]
fn descriptions_are_compared() {
    let compared = |layout: &Description, other: &Description| {
        Schema::from(layout.clone()).check(&Schema::from(other.clone())).map_err(|e| e.to_string())
    };
    for_each_way("comparison with itself", 4000, |layout| compared(layout, layout));
    let other = |text: &str| text.replace("a: u8", "a: u16").replace("u16, range", "u32, range");
    for (way, (name, _)) in large(0).into_iter().enumerate() {
        let both = |n| {
            let text = large(n).swap_remove(way).1;
            [text.parse::<Description>().unwrap(), other(&text).parse().unwrap()]
        };
        in_proportion(&format!("comparison of {name}"), 4000, both, |[one, other]| compared(one, other));
    }
    // fields without names are compared by their places
    let tuple = |n| format!("record, le\n{}", each(n, |i| format!("  {i}: u16\n")));
    let both = |n| [tuple(n).parse::<Description>().unwrap(), tuple(n + 1).parse().unwrap()];
    in_proportion("comparison of tuples", 4000, both, |[one, other]| compared(one, other));
}

#[test]
fn programs_and_plans_are_made() {
    for_each_way("program", 3000, |layout| Program::new(layout).is_ok());
    for_each_way("plan", 3000, |layout| Plan::new(layout).is_ok());
}

#[test]
fn values_are_read_and_written() {
    let fields = |n: usize| {
        let program = Program::new(&parsed(n, 0)).unwrap();
        let bytes: Vec<u8> = [1, 0].repeat(n);
        (program, bytes)
    };
    in_proportion("values of fields", 8000, fields, |(program, bytes)| {
        let options = Options::new().ctx(program);
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), *bytes);
    });
    // a value of each variant
    let variants = |n: usize| {
        let text = format!("[R], until_eof\n{}", large(n).swap_remove(3).1);
        let bytes: Vec<u8> = (0..n as u32).flat_map(|i| [&i.to_le_bytes()[..], &[1]].concat()).collect();
        (Program::new(&text.parse().unwrap()).unwrap(), bytes)
    };
    in_proportion("values of variants", 4000, variants, |(program, bytes)| {
        let options = Options::new().ctx(program);
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), *bytes);
    });
}

#[test]
fn conditions_are_read() {
    use binfmt::columns::ColumnType;
    use binfmt::numbers::NumberType;
    use binfmt::table::{Filter, TableField, TableSchema};
    let schema = |n: usize| {
        TableSchema::new(
            (0..n).map(|i| TableField::new(format!("c{i}"), ColumnType::Number(NumberType::I64))),
        )
    };
    let chained = |n: usize| (schema(4), vec!["c0 > 1"; n].join(" and "));
    in_proportion("condition of and", 4000, chained, |(schema, text)| Filter::new(text, schema).is_ok());
    let list =
        |n: usize| (schema(1), format!("c0 in ({})", each(n, |i| format!("{i}, ")).trim_end_matches(", ")));
    in_proportion("condition of a list", 4000, list, |(schema, text)| Filter::new(text, schema).is_ok());
    let names = |n: usize| (schema(n), (0..n).map(|i| format!("c{i} > 1")).collect::<Vec<_>>().join(" and "));
    in_proportion("condition of many columns", 4000, names, |(schema, text)| {
        Filter::new(text, schema).is_ok()
    });
    let open = |n: usize| (schema(1), format!("{}c0{} > 1", "(".repeat(n), ")".repeat(n)));
    in_proportion("condition in parentheses", 4000, open, |(schema, text)| Filter::new(text, schema).is_ok());
}

/// No more of the stack than a thread has, regardless of how many types name each other: what cannot be followed is refused or told.
#[test]
fn types_in_each_other_need_no_stack() {
    #[derive(BinFormat)]
    struct Point {
        _x: u32,
    }
    let looked_at = || {
        let layout = parsed(30_000, 2);
        let schema = Schema::from(layout.clone());
        assert_eq!(schema.to_string().lines().count(), 60_004);
        assert_eq!(schema.fingerprint(), Schema::from(layout.clone()).fingerprint());
        assert_eq!(layout.only("T15000").unwrap().definitions.len(), 15_001);
        assert!(layout.clone() == layout);
        let e = schema.check(&schema.clone()).unwrap_err().to_string();
        assert!(e.contains("has T255, inside 256 other types: deeper ones are not compared"), "{e}");
        let [one, other] = ["u8", "u16"].map(|last| {
            let text = format!("R: record, le\n  a: T0\n{}T200: record\n  a: {last}\n", chain(200));
            Schema::from(text.parse::<Description>().unwrap())
        });
        assert!(one.check(&one).is_ok());
        let e = one.check(&other).unwrap_err();
        assert_eq!((e.list().len(), e.list()[0].path().len()), (1, 2 * 202 - 1));
        assert!(Schema::of::<Point>().check(&schema).is_err());
        assert!(layout.places().last().is_some_and(|place| place.folded));
        drop((layout.validate(), Plan::new(&layout), Program::new(&layout)));
        let json = serde_json::to_string(&layout).unwrap();
        drop(serde_json::from_str::<Description>(&json));
        // in lists, behind a tag, under a condition
        for field in [
            "[T{}], length_prefixed(u8)",
            "T{}, if(true)",
            "T{}, nullable",
            "T{}, length_prefixed(u8, in = bytes)",
        ] {
            let types = each(4_000, |i| {
                format!("T{i}: record\n  a: {}\n", field.replace("{}", &(i + 1).to_string()))
            });
            let layout: Description = format!("{types}T4000: record\n  a: u8\n").parse().unwrap();
            let schema = Schema::from(layout.clone());
            assert!(schema.check(&schema.clone()).is_err());
            drop((
                schema.to_string(),
                schema.fingerprint(),
                layout.places(),
                layout.validate(),
                Plan::new(&layout),
            ));
        }
        let choices = each(4_000, |i| format!("T{i}: choice, tag(u8)\n  1 => V\n    a: T{}\n", i + 1));
        let layout: Description = format!("{choices}T4000: record\n  a: u8\n").parse().unwrap();
        let schema = Schema::from(layout.clone());
        assert!(schema.check(&schema.clone()).is_err());
        drop((
            schema.to_string(),
            schema.fingerprint(),
            layout.places(),
            layout.validate(),
            Plan::new(&layout),
        ));
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(looked_at).unwrap().join().unwrap();
}

/// Half of what a thread has.
const STACK: usize = 1 << 20;

/// Types that hold the next one twice have more fields than are listed.
#[test]
fn places_are_bounded() {
    let text = |n: usize| {
        let types = each(n, |i| format!("T{i}: record\n  a: T{0}\n  b: T{0}\n", i + 1));
        format!("{types}T{n}: record\n  a: u8\n")
    };
    let places = |n: usize| text(n).parse::<Description>().unwrap().places();
    // what is not much is listed
    assert_eq!(places(8).len(), (1 << 9) - 2 + (1 << 8));
    assert!(!places(8).iter().any(|place| place.folded));
    for n in [20, 40, 80] {
        let places = places(n);
        assert!(places.len() < 100_000 && places.iter().any(|place| place.folded), "{n}: {}", places.len());
        // those of the record itself are there
        assert_eq!(places.iter().filter(|place| matches!(&*place.path, "a" | "b")).count(), 2);
    }
}
