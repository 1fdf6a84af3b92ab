//! Files of lines: inferred types, parts, damage.

use crate::table::support::{all, file, is_the_same_in_parts, picks, read, rows};
use binfmt::columns::{Column, ColumnData, Columns, ListColumn, NullableColumn, ValueRef};
use binfmt::storage::{Memory, Storage};
use binfmt::table::csv::Csv;
use binfmt::table::{ColumnsTable, Logical, Settings, Table, TableFormat, TimeUnit, Wanted};
use std::sync::Arc;

fn open(text: &str, settings: &Settings) -> binfmt::Result<Arc<dyn Table>> {
    Csv.open(file(text.as_bytes()), "file", settings)
}

fn types(table: &Arc<dyn Table>) -> Vec<String> {
    table.schema().fields.iter().map(|field| field.ty.to_string()).collect()
}

#[test]
fn rows_are_the_same_in_any_batches() {
    let mut text = "n,x,name\n".to_owned();
    for n in 0..2000 {
        text.push_str(&format!(
            "{n},{},\"Q\n{n}\"\n",
            if n % 3 == 0 { String::new() } else { format!("{}.5", n) }
        ));
    }
    let table = open(&text, &Settings::new()).unwrap();
    assert_eq!(types(&table), ["i64?", "f64?", "text?"]);
    let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
    let expected = rows(&batches);
    assert_eq!(expected.len(), 2000);
    is_the_same_in_parts(&table, &expected);
    picks(&table, &expected);
}

#[test]
fn rows_that_several_threads_read_are_those_that_one_reads() {
    let settings = Settings::new().with("types", "n:i64,a:text,b:text").with("max_memory", "4096");
    let ends = ["\n,x,y\n", "\n1,\"x\n", "\n1\n", "\n2,\"\",\"\"", &format!("\n{},,\n1,,", "1".repeat(9000))];
    for (line_end, bad) in
        ["\n", "\r\n", "\r"].into_iter().flat_map(|end| (0..=60).step_by(6).map(move |n| (end, n)))
    {
        for end in ends {
            let mut text = "n,a,b\n".to_owned();
            for n in 0..60 {
                let number = if n == bad { "x".to_owned() } else { n.to_string() };
                let a = ["", "\"\"", "7\"", "\"a,\"\"\n\n\"\"\"", "\"a\"b\"c"][n % 5];
                text.push_str(&format!("{number},{a},\"\"{}", if n % 7 == 0 { "\n\n\n" } else { "\n" }));
            }
            text.push_str(end);
            let table = open(&text.replace('\n', line_end), &settings).unwrap();
            let wanted = Wanted::new().batch_rows(7);
            let split = &table.splits(&wanted, 1).unwrap()[0];
            let many = table.clone().tasks(split, &wanted).unwrap().count();
            let (batches, e) = read(&table, split, &wanted);
            assert!(many > 8, "{many}");
            assert_eq!(e.is_none(), bad == 60 && [ends[0], ends[3]].contains(&end), "{text}");
            assert_eq!(rows(&batches).len(), bad + usize::from(e.is_none()));
        }
    }
}

/// What a row says in a column of numbers, one of texts and another of numbers, and how it is written.
fn mixed(n: usize) -> (String, [Option<String>; 3]) {
    let number = format!("{}", n as f64 / 64.0 - 3.0);
    let (x, x_said) = match n % 11 {
        3 => (String::new(), None),
        5 => ("NA".to_owned(), None),
        7 => (format!("\"{number}\""), Some(number)),
        9 => (format!(" {number} "), Some(number)),
        10 => (format!("{}e-3", n), Some(format!("{}", n as f64 / 1000.0))),
        _ => (number.clone(), Some(number)),
    };
    let (text, text_said) = match n % 29 {
        4 => ("\"a \"\"b\"\"\"".to_owned(), Some("a \"b\"".to_owned())),
        8 => ("\"a,\nb\"".to_owned(), Some("a,\nb".to_owned())),
        9 => ("7\"".to_owned(), Some("7\"".to_owned())),
        12 => ("\"\"".to_owned(), Some(String::new())),
        13 => (String::new(), None),
        n if n > 17 => (format!("\"Q,{n}\""), Some(format!("Q,{n}"))),
        n => (format!("Q{n}"), Some(format!("Q{n}"))),
    };
    let ends = ["\n", "\r\n", "\n\n"][n % 37 / 18];
    (format!("{x},{text},{n}{ends}"), [x_said, text_said, Some(n.to_string())])
}

#[test]
fn rows_of_all_kinds_are_what_is_written() {
    // plain ones, and others after them
    let many: Vec<_> =
        (0..9000).map(|n| mixed(if n < 4000 { 29 * 11 * 37 * n / 100 * 100 } else { n })).collect();
    let text: String =
        ["x,name,n\n".to_owned()].into_iter().chain(many.iter().map(|(text, _)| text.clone())).collect();
    let settings = Settings::new().with("types", "x:f64,n:i64").with("missing", "NA");
    let table = open(&text, &settings).unwrap();
    for wanted in [
        Wanted::new(),
        Wanted::new().batch_rows(1),
        Wanted::new().batch_rows(777),
        Wanted { batch_bytes: 1, ..Wanted::new() },
        Wanted { batch_bytes: 5000, ..Wanted::new() },
        Wanted::new().columns([1]),
    ] {
        let batches: Vec<_> = table.clone().batches(&wanted).unwrap().map(Result::unwrap).collect();
        let mut row = 0;
        for batch in &batches {
            for at in 0..batch.num_rows() {
                for (column, said) in ["x", "name", "n"].into_iter().zip(&many[row].1) {
                    let Some(values) = batch.get(column) else { continue };
                    let found = match values.get(at).unwrap() {
                        ValueRef::Missing(_) => None,
                        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                        ValueRef::Number(number) => Some(number.to_string()),
                        other => panic!("{other:?}"),
                    };
                    assert_eq!(&found, said, "{column} of row {row}: {:?}", many[row].0);
                }
                row += 1;
            }
        }
        assert_eq!(row, many.len());
    }
}

#[test]
fn damage_among_plain_rows_is_told_with_its_place() {
    // what is damaged is beyond what says the types
    let row = |n: usize| format!("{n},{n}.5,{}\n", "Q".repeat(400));
    for (bad, expected) in [
        ("7,x,\n", "expected f64, found \"x\" in line 3002"),
        ("07,1,\n", "expected i64, found \"07\" in line 3002"),
        ("7,\"\",\n", "expected f64, found \"\" in line 3002"),
        ("7,1\n", "line 3002 has 2 fields, expected 3"),
        ("7,1,2,3\n", "line 3002 has 4 fields, expected 3"),
    ] {
        let front: String = ["n,x,name\n".to_owned()].into_iter().chain((0..3000).map(row)).collect();
        let text = format!("{front}{bad}{}", (0..2000).map(row).collect::<String>());
        let settings = Settings::new().with("types", "n:i64,x:f64");
        // a type that is said takes zeros before a number
        let settings = if bad.starts_with('0') { Settings::new() } else { settings };
        let table = open(&text, &settings).unwrap();
        let wanted = Wanted::new().batch_rows(1000);
        let (batches, e) = read(&table, &table.splits(&wanted, 1).unwrap()[0], &wanted);
        assert_eq!(batches.iter().map(Columns::num_rows).sum::<usize>(), 3000);
        let e = e.unwrap();
        assert!(e.to_string().contains(expected), "{e}");
        let at = e.offset().unwrap() as usize - front.len();
        assert!(at < bad.len(), "{e}");
        if let Some((_, found)) = expected.split_once("found \"") {
            let found = found.split('"').next().unwrap();
            assert!(bad[at..].trim_start_matches('"').starts_with(found), "{e}");
        }
    }
}

#[test]
fn settings_say_what_the_file_does_not() {
    let settings = Settings::new().with("types", "a:f64").with("delimiter", "tab");
    let table = open("a\t\tb\n1\t2\t-\n", &settings.clone().with("missing", "-"));
    let table = table.unwrap();
    assert_eq!(types(&table), ["f64?", "i64?", "text?"]);
    let bare = open("1,x\n2,y\n", &Settings::new().with("header", "false")).unwrap();
    assert_eq!(bare.count_rows().unwrap(), 2);
    assert_eq!(bare.schema().position("c1"), Some(1));
    for (name, value, expected) in [
        ("delimiter", "ab", "expected one character"),
        ("types", "a", "expected a name and a type"),
        ("types", "z:i64", "there is no column `z`"),
        ("header", "yes", "expected true or false"),
        ("kind", "x", "unknown setting `kind`"),
    ] {
        let e = open("a\n1\n", &Settings::new().with(name, value)).unwrap_err().to_string();
        assert!(e.contains(expected), "{e}");
    }
}

#[test]
fn damage_is_told_after_the_rows_before_it() {
    let settings = Settings::new().with("types", "a:i64,b:text");
    for (text, rows, offset, expected) in [
        ("a,b\n1,x\n2,y\nz,w\n", 2, 12, "expected i64, found \"z\" in line 4"),
        ("a,b\n1,x\n2\n", 1, 8, "line 3 has 1 field, expected 2"),
        ("a,b\n1,\"x\n", 0, 6, "the quote in line 2 is not closed"),
    ] {
        let table = open(text, &settings).unwrap();
        let (found, e) = all(&table, &Wanted::new(), 1);
        let e = e.unwrap();
        assert_eq!((found.len(), e.offset()), (rows, Some(offset)), "{text:?}");
        assert!(e.to_string().contains(expected), "{e}");
    }
    let empty = open("", &Settings::new()).unwrap();
    assert!(empty.schema().fields.is_empty() && empty.count_rows().unwrap() == 0);
}

/// The values of the first column.
fn first(table: &Arc<dyn Table>) -> Vec<String> {
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    (0..batch.num_rows()).map(|row| format!("{:?}", batch.cell(row, 0).unwrap())).collect()
}

#[test]
fn an_empty_line_is_a_row_of_one_column() {
    for (text, ty, rows) in [
        ("n\n1\n\n3\n", "i64?", 3),
        ("n\n\n2\n\n", "i64?", 3),
        // as pandas writes it
        ("n\n1\n\"\"\n3\n", "i64?", 3),
        ("n\n\"\"\nx\n\n", "text?", 3),
        ("\n\nn\n1\n", "i64?", 1),
    ] {
        let table = open(text, &Settings::new()).unwrap();
        assert_eq!((types(&table), table.count_rows().unwrap()), (vec![ty.to_owned()], rows), "{text:?}");
    }
    let of = |text: &str| first(&open(text, &Settings::new()).unwrap());
    assert_eq!(of("n\n1\n\n\"\"\n"), of("n,m\n1,\n,\n,\n"));
    // a text is empty, and not missing
    assert_eq!(of("n\nx\n\"\"\n\n"), of("n,m\nx,\n\"\",\n,\n"));
    let bare = open("1\n\n3\n", &Settings::new().with("header", "false")).unwrap();
    assert_eq!(bare.count_rows().unwrap(), 3);
    // with several columns it is not one
    assert_eq!(open("a,b\n1,2\n\n3,4\n", &Settings::new()).unwrap().count_rows().unwrap(), 2);
}

#[test]
fn a_file_with_a_nul_is_recognised() {
    let found = binfmt::open_in(
        binfmt::FORMATS,
        {
            let files = binfmt::storage::Memory::new();
            binfmt::storage::Storage::write(&files, "x.csv", b"a,b\nx\0y,1\n").unwrap();
            Arc::new(files)
        },
        "x.csv",
        None,
        &Settings::new(),
    );
    assert_eq!(first(&found.unwrap()).len(), 1);
}

#[test]
fn words_of_digits_stay_texts() {
    let table = open("zip,phone,x,n\n01234,+49,+1.5,7\n99999,+50,2,8\n", &Settings::new()).unwrap();
    assert_eq!(types(&table), ["text?", "text?", "f64?", "i64?"]);
    // said, they are numbers
    let said = Settings::new().with("types", "zip:i64");
    let table = open("zip\n01234\n", &said).unwrap();
    let batch = table.batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(format!("{:?}", batch.get("zip").unwrap().get(0)), "Some(Number(I64(1234)))");
    // of a later row nothing is lost, either
    let many = format!("n\n{}007\n", "1\n".repeat(600_000));
    let table = open(&many, &Settings::new()).unwrap();
    assert_eq!(types(&table), ["i64?"]);
    let e = table.batches(&Wanted::new()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(e.contains("expected i64, found \"007\" in line 600002"), "{e}");
}

#[test]
fn lists_and_times_are_read_again() {
    let times = Column::from(vec![-1_500i64, 1_700_000_000_123]);
    let lists = ListColumn::from_parts(vec![0, 2, 2], Column::from(vec![0.5f64, f64::NAN])).unwrap();
    let texts = ListColumn::from_parts(
        vec![0, 1, 3],
        Column::Text([&b"a,\"b"[..], b"", b"[1]"].into_iter().collect()),
    );
    let columns = vec![
        ("t".into(), times),
        ("l".into(), Column::List(Box::new(lists))),
        ("w".into(), Column::List(Box::new(texts.unwrap()))),
        ("d".into(), Column::from(vec![1i64, 2])),
    ];
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()));
    let mut schema = table.schema().clone();
    schema.fields[0].logical = Some(Logical::Timestamp(TimeUnit::Milli));
    schema.fields[3].logical = Some(Logical::Duration(TimeUnit::Day));
    let files = Arc::new(Memory::new());
    let sink = Csv.create(files.clone(), "x.csv", &schema, &Settings::new()).unwrap();
    let notes = sink.notes().join("\n");
    for expected in ["l:[f64] reads again", "w:[text] reads again", "count D is left out"] {
        assert!(notes.contains(expected), "{notes}");
    }
    table.write_to(&Wanted::new(), sink).unwrap();
    let mut text = vec![0; files.size("x.csv").unwrap().unwrap() as usize];
    files.read("x.csv", 0, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("t,l,w,d\n1969-12-31T23:59:58.500,\"[0.5,\"\"nan\"\"]\","), "{text}");
    let settings = Settings::new().with("types", "t:time[ms],l:[f64],w:[text]");
    let again = Csv.open(files, "x.csv", &settings).unwrap();
    assert_eq!(again.schema().fields[0].logical, Some(Logical::Timestamp(TimeUnit::Milli)));
    let values = |table: &Arc<dyn Table>| {
        let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
        rows(&batches)
    };
    assert_eq!(format!("{:?}", values(&again)), format!("{:?}", values(&table)));
    let e = open("l\n[1\n", &Settings::new().with("types", "l:[f64]")).unwrap();
    let e = e.batches(&Wanted::new()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(e.contains("expected [f64], found \"[1\""), "{e}");
    let e = open("t\nx\n", &Settings::new().with("types", "t:time[s]")).unwrap();
    let e = e.batches(&Wanted::new()).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(e.contains("expected time[s], found \"x\""), "{e}");
}

#[test]
fn codes_of_missing_values_are_told() {
    let values = Column::from(vec![0i64, 5, 0]);
    let column = NullableColumn::from_parts(vec![0, 255, 7], values, 255).unwrap();
    let columns = Columns::new(vec![("x".into(), Column::Nullable(Box::new(column)))]).unwrap();
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
    let sink = Csv.create(Arc::new(Memory::new()), "x.csv", table.schema(), &Settings::new()).unwrap();
    let written = table.write_to(&Wanted::new(), sink).unwrap();
    assert_eq!(written.notes, ["column `x`: the codes of missing values are left out"]);
}

#[test]
fn what_is_no_number_is_read_as_programs_write_it() {
    for text in ["x\n1\nNaN\n-Inf\n", "x\n1\nnan\n-inf\n"] {
        let table = open(text, &Settings::new()).unwrap();
        assert_eq!(table.schema().fields[0].ty.to_string(), "f64?", "{text}");
    }
    for text in ["x\n1\nInfinity\n", "x\n1\nNAME\n", "x\n1\n-NaN\n"] {
        let table = open(text, &Settings::new()).unwrap();
        assert_eq!(table.schema().fields[0].ty.to_string(), "text?", "{text}");
    }
}

#[test]
fn dates_and_times_are_found_and_written_as_they_are() {
    let text = "day,ms,zone,odd\n2024-03-01,2024-03-01 12:00:00.5,2024-03-01T12:00:00+01:00,2024-03-01\n,2024-03-01,,5\n";
    let table = open(text, &Settings::new()).unwrap();
    let names: Vec<String> = table.schema().fields.iter().map(|field| field.type_name()).collect();
    assert_eq!(names, ["time[D]?", "time[ms]?", "time[s]?", "text?"]);
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    let number = |name: &str, row: usize| match batch.get(name).unwrap().get(row) {
        Some(binfmt::columns::ValueRef::Number(n)) => n.get::<i64>(),
        _ => None,
    };
    assert_eq!([number("day", 0), number("day", 1)], [Some(19_783), None]);
    assert_eq!([number("ms", 0), number("ms", 1)], [Some(1_709_294_400_500), Some(1_709_251_200_000)]);
    assert_eq!(number("zone", 0), Some(1_709_290_800));
    // files of lines have what is in the file
    for table in [table.clone(), binfmt::table::as_written(&table)] {
        let files = Arc::new(Memory::new());
        let sink = Csv.create(files.clone(), "out.csv", table.schema(), &Settings::new()).unwrap();
        assert_eq!(sink.notes(), Vec::<String>::new());
        table.write_to(&Wanted::new(), sink).unwrap();
        let mut found = vec![0; text.len()];
        files.read("out.csv", 0, &mut found).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), text);
    }
    // batches and parts are those of texts
    let mut long = "t,n\n".to_owned();
    (0..3000).for_each(|n| long.push_str(&format!("2024-03-01T{:02}:{:02}:00,{n}\n", n / 60 % 24, n % 60)));
    let table = open(&long, &Settings::new()).unwrap();
    let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
    let expected = rows(&batches);
    assert_eq!(expected.len(), 3000);
    is_the_same_in_parts(&table, &expected);
    picks(&table, &expected);
}

#[test]
fn missing_values_are_filled_in_any_batches() {
    let mut text = "n,name\n".to_owned();
    (0..2000).for_each(|n| text.push_str(&if n % 3 == 0 { ",\n".to_owned() } else { format!("{n},a{n}\n") }));
    let table = open(&text, &Settings::new()).unwrap();
    let filled = binfmt::table::fill_missing(table.clone(), &[(0, "-7"), (1, "none")]).unwrap();
    assert_eq!(types(&filled), ["i64", "text"]);
    let batches: Vec<_> = filled.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
    let expected = rows(&batches);
    assert!(expected[3].contains("-7") && expected[3].contains("none"), "{}", expected[3]);
    is_the_same_in_parts(&filled, &expected);
    picks(&filled, &expected);
    // a range of the column says nothing of its missing values
    let filter = binfmt::table::Filter::new("n = -7", filled.schema()).unwrap();
    let found: Arc<dyn Table> = Arc::new(binfmt::table::Filtered::new(filled, filter));
    assert_eq!(found.count_rows().unwrap(), 667);
    let e = binfmt::table::fill_missing(table.clone(), &[(0, "x")]).unwrap_err();
    assert_eq!(e.to_string(), "column `n` is i64?, and \"x\" is not");
    assert!(binfmt::table::fill_missing(table, &[(2, "x")]).is_err());
}

/// All values, column by column, or what is wrong.
fn values(text: &str, settings: &Settings) -> String {
    let table = match open(text, settings) {
        Ok(table) => table,
        Err(e) => return e.to_string(),
    };
    let (rows, e) = all(&table, &Wanted::new(), 1);
    let names: Vec<&str> = table.schema().fields.iter().map(|field| &*field.name).collect();
    format!("{} {rows:?} {}", names.join(","), e.map_or(String::new(), |e| e.to_string()))
}

#[test]
fn a_comment_is_left_out_whatever_quotes_it_has() {
    let comment = Settings::new().with("comment", "#");
    let plain = values("a,b\n1,2\n3,4\n5,6\n", &Settings::new());
    for text in [
        "a,b\n1,2\n#x,\"y\n3,4\n#z\"\n5,6\n",
        "#\"\na,b\n#,\"\n#\n1,2\n3,4\n5,6\n#,\"",
        "#\"x\r\na,b\r\n1,2\r\n#,\"y\r\n3,4\r\n5,6\r\n",
        "#\"x\ra,b\r1,2\r#,\"y\r3,4\r5,6\r",
    ] {
        assert_eq!(values(text, &comment), plain, "{text:?}");
    }
    // a row that is damaged is told with its line
    let e = values("a,b\n1,2\n#,\"\n#\n1\n", &comment);
    assert!(e.contains("line 5 has 1 field"), "{e}");
    // with more than one block
    let long = format!("a,b\n#{}\n1,2\n#,\"{}\n3,4\n5,6\n", ",\"x".repeat(200_000), "y".repeat(300_000));
    assert_eq!(values(&long, &comment), plain);
}

#[test]
fn what_ends_lines_is_the_same_at_every_place_of_a_block() {
    for memory in ["4096", "1000000"] {
        let settings = Settings::new().with("max_memory", memory).with("types", "b:i64");
        for (block, length) in
            [4096usize, 256 << 10].into_iter().flat_map(|n| (n - 2..=n + 2).map(move |end| (n, end)))
        {
            if block > memory.parse().unwrap() {
                continue;
            }
            // with its end the first line has so many bytes, and a few
            let name = "a".repeat(length - 3);
            for mark in ["", "\u{feff}"] {
                for end in ["\n", "\r\n", "\r"] {
                    let text = format!("{mark}{name},b\n1,2\n3,4\n").replace('\n', end);
                    let found = values(&text, &settings);
                    let expected = values(&format!("{name},b\n1,2\n3,4\n"), &Settings::new());
                    assert!(found == expected, "{length} {mark:?} {end:?}: {}", found.replace(&name, ""));
                    let bare = settings.clone().with("header", "false").with("types", "c1:text");
                    let table = open(&text, &bare).unwrap();
                    assert_eq!(all(&table, &Wanted::new().batch_rows(1), 1).0.len(), 3, "{length} {end:?}");
                }
            }
        }
    }
    // a line of more than a block
    let name = "a".repeat(700_000);
    let text = format!("\u{feff}{name},b\r1,2\r3,4\r");
    assert_eq!(open(&text, &Settings::new()).unwrap().count_rows().unwrap(), 2);
}

#[test]
fn lines_are_skipped_and_fields_have_quotes_whatever_ends_lines() {
    let expected = values("a,b\n1,2\n", &Settings::new());
    for (lines, front) in [("1", "junk\n"), ("2", "\"\n\n"), ("3", "a \"b\",\"c\n\"d\"\n\n")] {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("{front}a,b\n1,2\n").replace('\n', end);
            assert_eq!(values(&text, &Settings::new().with("skip", lines)), expected, "{text:?}");
        }
    }
    let skip = Settings::new().with("skip", "1");
    // a carriage return is one of the letters of other lines
    for text in ["ju\rnk\na,b\n1,2\n", "\rjunk\r\na,b\r\n1,2\r\n"] {
        assert_eq!(values(text, &skip), expected, "{text:?}");
    }
    // a newline in quotes ends no line
    assert_eq!(values("junk\ra\r\"x\ny\"\r", &skip), values("a\n\"x\ny\"\n", &Settings::new()));
    assert_eq!(open("junk\ra,b", &skip).unwrap().schema().fields.len(), 2);
    for text in ["", "junk", "junk\r", "junk\n"] {
        assert!(open(text, &skip).unwrap().schema().fields.is_empty(), "{text:?}");
    }
    let e = values("junk\ra,b\r1\r", &skip);
    assert!(e.contains("line 3 has 1 field"), "{e}");
    // a quote is one of the letters of a field that begins with another
    for (text, same) in [
        ("size 5\",b\r1,2\r3,4\r", "size 5\",b\n1,2\n3,4\n"),
        ("size 5\",\"b\n\"\r1,2\r", "size 5\",\"b\n\"\n1,2\n"),
    ] {
        assert_eq!(values(text, &Settings::new()), values(same, &Settings::new()), "{text:?}");
    }
}

/// The rows between two places have the ends of the whole file.
#[test]
fn parts_of_a_file_have_its_line_ends() {
    let table = open("a,b\r1,2\r3,4\r5,6\r", &Settings::new()).unwrap();
    let part = table.between(8..16).unwrap();
    assert_eq!(all(&part, &Wanted::new(), 1).0, all(&table, &Wanted::new(), 1).0[1..]);
}

#[test]
fn a_later_number_that_would_be_another_is_damage() {
    let front = |ty: &str| {
        let first = if ty == "f64" { "1.5" } else { "15" };
        // beyond what says the types
        format!("n,x\n{}", format!("{first},{}\n", "Q".repeat(400)).repeat(3000))
    };
    for (ty, number, is_kept) in [
        ("i64", "007", false),
        ("i64", " 007", false),
        ("i64", "007 ", false),
        ("i64", "\t+5", false),
        ("i64", "\" 007\"", false),
        ("i64", " 7 ", true),
        ("f64", "007", false),
        ("f64", " 007", false),
        ("f64", " +5", false),
        ("f64", " +5.5", true),
        ("f64", "9007199254740993", false),
        ("f64", "-9007199254740993", false),
        ("f64", " 9007199254740993", false),
        ("f64", "\"9007199254740993\"", false),
        ("f64", "12345678901234567", false),
        ("f64", "1234567890123456789", false),
        ("f64", "99999999999999999999999999999999999999999", false),
        ("f64", "9007199254740992", true),
        ("f64", "-9007199254740994", true),
        ("f64", "1000000000000000000000", true),
        ("f64", "999999999999999", true),
        ("f64", "-999999999999999", true),
        // a point or an exponent says that it is rounded
        ("f64", "9007199254740993.0", true),
        ("f64", "9007199254740993e0", true),
        ("f64", "0.1234567890123456789", true),
    ] {
        for rest in ["", "1,q\n", "1,q\n1,q\n1,q\n1,q\n1,q\n1,q\n1,q\n1,q\n"] {
            let text = format!("{}{number},q\n{rest}", front(ty));
            let table = open(&text, &Settings::new()).unwrap();
            assert_eq!(types(&table)[0], format!("{ty}?"));
            let e = table.clone().batches(&Wanted::new()).unwrap().find_map(Result::err);
            let e = e.map(|e| e.to_string());
            assert_eq!(e.is_none(), is_kept, "{number:?}: {e:?}");
            let said = number.trim_matches('"');
            let expected = format!("expected {ty}, found {said:?} in line 3002");
            assert!(e.is_none_or(|e| e.contains(&expected)), "{number:?}");
            // a type that is said takes all of them but those beyond its numbers
            let said = open(&text, &Settings::new().with("types", format!("n:{ty}"))).unwrap();
            assert_eq!(said.count_rows().unwrap(), 3001 + rest.lines().count() as u64);
            assert!(said.batches(&Wanted::new()).unwrap().all(|batch| batch.is_ok()), "{number:?}");
        }
    }
}

#[test]
fn blanks_and_tabs_are_between_fields_and_not_in_quotes() {
    let blanks = Settings::new().with("delimiter", "blanks");
    let same = |text: &str, plain: &str| {
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            assert_eq!(values(&text, &blanks), values(plain, &Settings::new()), "{text:?}");
        }
    };
    same("a b\n1 \"x\ty\"\n", "a,b\n1,\"x\ty\"\n");
    same("a\tb\n\t1 \t\"x\ty \" \t\n \t\n2\t\t z\t\n", "a,b\n1,\"x\ty \"\n2,z\n");
    same("\"a\tb\" c\n1\t2", "\"a\tb\",c\n1,2\n");
    // an empty line is a row of one column, and so is one of blanks
    same("\n \nn\n1\n\n 3\t\n \t \n4", "n\n1\n\n3\n\n4\n");
    same("n\n\"\"\n x \n\n", "n\n\"\"\nx\n\n");
    let bare = blanks.with("header", "false");
    assert_eq!(open("1\n\n\t3\n", &bare).unwrap().count_rows().unwrap(), 3);
    assert_eq!(open("1 2\n\n\t3 4\n", &bare).unwrap().count_rows().unwrap(), 2);
}
