//! Files of JSON lines: inferred types, parts, damage.

use crate::table::support::{all, file, is_the_same_in_parts, picks, read, rows};
use binfmt::columns::{Column, Columns};
use binfmt::storage::{Memory, Storage};
use binfmt::table::jsonl::JsonLines;
use binfmt::table::{ColumnsTable, Logical, Settings, Table, TableFormat, TimeUnit, Wanted};
use std::sync::Arc;

fn open(text: &str, settings: &Settings) -> binfmt::Result<Arc<dyn Table>> {
    JsonLines.open(file(text.as_bytes()), "file", settings)
}

#[test]
fn rows_are_the_same_in_any_batches() {
    let mut text = String::new();
    for n in 0..2000 {
        let x = if n % 3 == 0 { "null".to_owned() } else { format!("{n}.5") };
        text.push_str(&format!("{{\"n\":{n},\"x\":{x},\"name\":\"Q\\n{n}\",\"list\":[{n}]}}\n"));
    }
    let table = open(&text, &Settings::new()).unwrap();
    let types: Vec<String> = table.schema().fields.iter().map(|field| field.ty.to_string()).collect();
    assert_eq!(types, ["i64?", "f64?", "text?", "[i64]?"]);
    let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
    let expected = rows(&batches);
    assert_eq!(expected.len(), 2000);
    is_the_same_in_parts(&table, &expected);
    picks(&table, &expected);
}

#[test]
fn rows_that_several_threads_read_are_those_that_one_reads() {
    let line = |n: u32| format!("{{\"n\":{n},\"text\":\"{}\"}}\n\n", "x".repeat(n as usize % 100));
    let good: String = (0..40_000).map(line).collect();
    let wanted = Wanted::new();
    for (bad, count) in [("", 40_000), ("{\"n\":1}", 40_001), ("{\"n\":\"x\"}\n", 40_000), ("{\"n\"", 40_000)]
    {
        let table = open(&format!("{good}{bad}"), &Settings::new()).unwrap();
        let split = &table.splits(&wanted, 1).unwrap()[0];
        assert!(table.clone().tasks(split, &wanted).unwrap().count() > 2);
        let (batches, e) = read(&table, split, &wanted);
        assert_eq!((rows(&batches).len(), e.is_some()), (count, !["", "{\"n\":1}"].contains(&bad)));
        if let Some(e) = e {
            assert!(e.to_string().contains("in line 80001"), "{e}");
        }
    }
}

#[test]
fn members_that_are_not_there_are_missing() {
    let table = open("{\"a\":1}\n\n{\"b\":\"x\",\"a\":{\"missing\":3}}\n{}\n", &Settings::new()).unwrap();
    assert_eq!((table.schema().position("a"), table.schema().position("b")), (Some(0), Some(1)));
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    let shown = serde_json::to_string(&batch.row(1).unwrap()).unwrap();
    assert_eq!(shown, "{\"a\":{\"missing\":3},\"b\":\"x\"}");
    // no code of a missing value
    let other = open("{\"a\":{\"missing\":255}}\n", &Settings::new()).unwrap();
    assert_eq!(other.schema().fields[0].ty.to_string(), "text?");
    assert_eq!(batch.num_rows(), 3);
    let floats = open("{\"x\":1}\n{\"x\":\"nan\"}\n", &Settings::new()).unwrap();
    assert_eq!(floats.schema().fields[0].ty.to_string(), "f64?");
}

#[test]
fn damage_is_told_after_the_rows_before_it() {
    let settings = Settings::new().with("types", "a:i64");
    for (text, rows, offset, expected) in [
        ("{\"a\":1}\n{\"a\":\"x\"}\n", 1, 13, "expected i64, found \"x\" in line 2"),
        ("{\"a\":1}\n{\"a\":}\n", 1, 13, "JSON: expected a value, found \"}\" in line 2"),
        ("{\"a\":1}\n[1]\n", 1, 8, "JSON: expected `{`, found \"[1]\" in line 2"),
    ] {
        let (found, e) = all(&open(text, &settings).unwrap(), &Wanted::new(), 1);
        let e = e.unwrap();
        assert_eq!((found.len(), e.offset()), (rows, Some(offset)), "{text:?}");
        assert!(e.to_string().contains(expected), "{e}");
    }
    let mut late = "{\"a\":1}\n".repeat(200_000);
    late.push_str("{\"b\":1}\n");
    let (found, e) = all(&open(&late, &Settings::new()).unwrap(), &Wanted::new(), 1);
    assert_eq!(found.len(), 200_000);
    assert!(e.unwrap().to_string().contains("`b` in line 200001 is in none of the first lines"));
}

#[test]
fn lists_of_one_kind_are_lists() {
    for (lists, ty) in [
        (&["[1,2]", "[]", "[-3]"][..], "[i64]?"),
        (&["[1, 2.5]", "[\"nan\"]"], "[f64]?"),
        (&["[[1],[2,3]]", "[]", "[[]]", "null"], "[[i64]]?"),
        (&["[\"a]\",\"\\\"\"]", "[]"], "[text]?"),
        (&["[true,false]"], "[bool]?"),
        // of no type, of several depths, with something else in them
        (&["[]"], "[text]?"),
        (&["[1,[2]]"], "text?"),
        (&["[1]", "[[2]]"], "text?"),
        (&["[1,null]"], "text?"),
        (&["[{\"b\":1}]"], "text?"),
        (&["[1]", "2"], "text?"),
        (&["{\"b\":[1]}"], "text?"),
        (&["[9007199254740993,0.5]"], "[text]?"),
    ] {
        let text: String = lists.iter().map(|list| format!("{{\"a\":{list}}}\n")).collect();
        let table = open(&text, &Settings::new()).unwrap();
        assert_eq!(table.schema().fields[0].ty.to_string(), ty, "{text}");
        let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
        let expected = rows(&batches);
        assert_eq!(expected.len(), lists.len());
        is_the_same_in_parts(&table, &expected);
        if ty != "text?" && !text.contains("0.5") {
            // as they were
            let blank = |text: &str| text.replace([' '], "");
            let mut lines = binfmt::table::jsonl::Writer::new(Vec::new(), ["a"]).unwrap();
            batches.iter().for_each(|b| lines.rows(&[b.get("a").unwrap()], b.num_rows()).unwrap());
            let written = String::from_utf8(lines.into_inner().unwrap()).unwrap();
            let text = blank(&text).replace("[1,2.5]", "[1.0,2.5]").replace("null", "{\"missing\":0}");
            assert_eq!(written, text);
        }
    }
    let said = Settings::new().with("types", "a:[f64]");
    let (found, e) = all(&open("{\"a\":[1]}\n{\"a\":[\"x\"]}\n", &said).unwrap(), &Wanted::new(), 1);
    assert_eq!(found.len(), 1);
    assert!(e.unwrap().to_string().contains("expected [f64], found \"[\\\"x\\\"]\" in line 2"));
    let (found, e) = all(&open("{\"a\":5}\n", &said).unwrap(), &Wanted::new(), 1);
    assert!(found.is_empty() && e.is_some());
}

#[test]
fn times_are_read_again() {
    let times = Column::from(vec![-1_500i64, 1_700_000_000_123]);
    let columns = vec![("t".into(), times), ("d".into(), Column::from(vec![1i64, 2]))];
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()));
    let mut schema = table.schema().clone();
    schema.fields[0].logical = Some(Logical::Timestamp(TimeUnit::Milli));
    schema.fields[1].logical = Some(Logical::Duration(TimeUnit::Day));
    let files = Arc::new(Memory::new());
    let sink = JsonLines.create(files.clone(), "x.jsonl", &schema, &Settings::new()).unwrap();
    let notes = sink.notes().join("\n");
    assert!(notes.contains("column `d`") && !notes.contains("column `t`"), "{notes}");
    table.clone().write_to(&Wanted::new(), sink).unwrap();
    let mut text = vec![0; files.size("x.jsonl").unwrap().unwrap() as usize];
    files.read("x.jsonl", 0, &mut text).unwrap();
    let lines = "{\"t\":\"1969-12-31T23:59:58.500\",\"d\":1}\n{\"t\":\"2023-11-14T22:13:20.123\",\"d\":2}\n";
    assert_eq!(String::from_utf8(text).unwrap(), lines);
    let settings = Settings::new().with("types", "t:time[ms]");
    let again = JsonLines.open(files, "x.jsonl", &settings).unwrap();
    assert_eq!(again.schema().fields[0].logical, schema.fields[0].logical);
    let values = |table: &Arc<dyn Table>| {
        let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
        format!("{:?}", rows(&batches))
    };
    assert_eq!(values(&again), values(&table));
}
