//! Rows for which a condition holds, rows by chance, and tables one after the other.

use crate::support::random::{self, Random};
use crate::table::support::{all, file, is_the_same_in_parts, picks, read, rows};
use binfmt::Options;
use binfmt::columns::{Column, ColumnType, Columns, NullableColumn, Plan};
use binfmt::numbers::NumberType;
use binfmt::schema::Description;
use binfmt::table::csv::Csv;
use binfmt::table::{
    ColumnsTable, Concatenated, Estimate, Filter, Filtered, Logical, Projected, RowsTable, Sampled,
    ScalarRange, Settings, Table, TableField, TableFormat, TableSchema, TimeUnit, Wanted,
};
use std::sync::Arc;

/// Rows of a number, a float that may be missing, and a text.
fn table(rows: u16) -> Arc<dyn Table> {
    let layout: Description =
        "Row: record, le\n  n: u16\n  x: f32, nullable\n  name: text, length_prefixed(u8)\n".parse().unwrap();
    let mut bytes = Vec::new();
    for n in 0..rows {
        bytes.extend(n.to_le_bytes());
        bytes.push(if n % 10 == 3 { 7 } else { 255 });
        bytes.extend((if n % 10 == 3 { 0.0 } else { f32::from(n) / 4.0 }).to_le_bytes());
        let name = format!("Q{}", n % 7);
        bytes.push(2);
        bytes.extend(name.as_bytes());
    }
    Arc::new(RowsTable::open(file(&bytes), "file", &layout, &Options::new()).unwrap())
}

fn filtered(table: &Arc<dyn Table>, condition: &str) -> Arc<dyn Table> {
    let filter = Filter::new(condition, table.schema()).unwrap();
    Arc::new(Filtered::new(table.clone(), filter))
}

fn all_rows(table: &Arc<dyn Table>) -> Vec<String> {
    let (found, e) = all(table, &Wanted::new(), 1);
    assert!(e.is_none(), "{e:?}");
    found
}

#[test]
fn rows_of_any_type_are_taken() {
    let mut count = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let layout = random::any_layout(&mut random, true);
        let Ok(plan) = Plan::new(&layout) else { continue };
        let root = layout.resolve(&layout.root).unwrap().clone();
        let values: Vec<_> = (0..6).map(|_| random::value(&mut random, &root)).collect();
        let Ok(columns) = plan.columns_of(&values) else { continue };
        let expected = rows([&columns]);
        for taken in [&[5, 0, 3, 3][..], &[], &[1], &[0, 1, 2, 3, 4, 5], &[2, 9]] {
            let some = columns.take(taken);
            let wanted: Vec<&String> = taken.iter().filter_map(|row| expected.get(*row)).collect();
            assert_eq!(rows([&some]).iter().collect::<Vec<_>>(), wanted, "{layout}");
            // what was taken is whole
            let values: Vec<_> = taken.iter().filter_map(|row| values.get(*row).cloned()).collect();
            let encoded = plan.encode(&plan.columns_of(&values).unwrap());
            assert_eq!(plan.encode(&some).ok(), encoded.ok(), "{layout}");
        }
        for (start, end) in [(0, 6), (1, 4), (2, 2), (4, 9), (5, 3)] {
            let some = columns.slice(start..end);
            let there = start.min(end.min(6))..end.min(6);
            assert_eq!(rows([&some]), expected[there.clone()], "{layout}");
            let encoded = plan.encode(&plan.columns_of(&values[there]).unwrap());
            assert_eq!(plan.encode(&some).ok(), encoded.ok(), "{layout}");
        }
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn conditions_choose_rows() {
    let table = table(1000);
    let every = all_rows(&table);
    for (condition, keep) in [
        ("n >= 100 and n < 110", &(|n: usize| (100..110).contains(&n)) as &dyn Fn(usize) -> bool),
        ("x > 200.5", &|n| n % 10 != 3 && n as f64 / 4.0 > 200.5),
        ("x is missing", &|n| n % 10 == 3),
        ("not x < 240", &|n| n % 10 != 3 && n as f64 / 4.0 >= 240.0),
        ("name = 'Q3' or n = 0", &|n| n % 7 == 3 || n == 0),
        ("n % 2 = 1 and not (x * 4 = n)", &|_| false),
        ("n > 2000", &|_| false),
        ("n between 100 and 109", &|n| (100..110).contains(&n)),
        ("x not between 1.5 and 200", &|n| n % 10 != 3 && !(6..=800).contains(&n)),
        ("name like 'Q_' and name like '%3'", &|n| n % 7 == 3),
        ("name not like 'Q3%' and not name ilike 'q4'", &|n| n % 7 != 3 && n % 7 != 4),
        ("true", &|_| true),
    ] {
        let found = filtered(&table, condition);
        let expected: Vec<String> =
            every.iter().enumerate().filter(|(n, _)| keep(*n)).map(|(_, row)| row.clone()).collect();
        is_the_same_in_parts(&found, &expected);
        if expected.len() > 5 {
            picks(&found, &expected);
        }
        assert_eq!(found.count_rows().unwrap(), expected.len() as u64, "{condition}");
    }
}

#[test]
fn what_a_condition_says_of_columns_leaves_out_parts() {
    let columns = Columns::new(vec![("a".into(), Column::from((0..100i64).collect::<Vec<_>>()))]).unwrap();
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
    let filter = Filter::new("a >= 5 and 7.5 > a and a != 6", table.schema()).unwrap();
    let mut wanted = Wanted::new();
    wanted.ranges = filter.ranges().to_vec();
    assert_eq!(wanted.integers(0), (5, 7));
    assert_eq!(all_rows(&filtered(&table, "a >= 5 and 7.5 > a and a != 6")).len(), 2);
    let schema = TableSchema::new([TableField::new("name", ColumnType::Text)]);
    let filter = Filter::new("name like 'BPM%'", &schema).unwrap();
    assert_eq!(filter.ranges(), [(0, ScalarRange::of("BPM".."BPN"))]);
}

#[test]
fn a_condition_that_cannot_be_computed_is_an_error() {
    let table = table(5);
    // known before a row is read
    for (condition, why) in [
        ("n < 3 or name > 5", "text is not a number"),
        ("n = 'x'", "text is not a number"),
        ("name", "text is not a condition"),
        ("not n", "a number is not a condition"),
        ("name + 1 = 2", "text is not a number"),
        ("n.len() > 1", "a number is not a list"),
        ("(n = 1) = name", "a bool is not compared with text"),
        ("n like 'Q%'", "a number is not text"),
        ("(name like 'Q%') > 1", "a bool is not a number"),
        ("n > 0 & x < 2", "a bool is not a number: `&` works on the bits of numbers, `and` joins conditions"),
        (
            "(n > 0) | (x < 2)",
            "a bool is not a number: `|` works on the bits of numbers, `or` joins conditions",
        ),
        (
            "name = 'Q1' & n > 0",
            "text is not a number: `&` works on the bits of numbers, `and` joins conditions",
        ),
        ("1 < n < 5", "a bool is not a number: say `1 < x and x < 5`, or `x between 1 and 5`"),
    ] {
        let e = Filter::new(condition, table.schema()).unwrap_err().to_string();
        let expected = format!("`{condition}` cannot be computed: {why}; `");
        assert!(e.starts_with(&expected), "{e}");
    }
    let (rows, e) = all(&filtered(&table, "1 / n > 0"), &Wanted::new(), 1);
    assert_eq!(rows.len(), 0);
    assert!(e.unwrap().to_string().contains("cannot be computed"));
    let unknown = Filter::new("nam = 'x'", table.schema()).unwrap_err().to_string();
    assert_eq!(unknown, "unknown column `nam`, did you mean `name`?");
    let unknown = Filter::new("x = NULL", table.schema()).unwrap_err().to_string();
    assert_eq!(unknown, "unknown column `NULL`, values that are not there are asked for by `x is missing`");
}

#[test]
fn times_are_compared_with_texts() {
    let day = TableField::new("day", ColumnType::Number(NumberType::I32))
        .logical(Logical::Timestamp(TimeUnit::Day));
    let schema = TableSchema::new([day, TableField::new("n", ColumnType::Number(NumberType::I32))]);
    // 2024-01-31, 2024-02-01 and 2024-02-02
    let column = Column::from(vec![19_753i32, 19_754, 19_755]);
    for (condition, rows) in [
        ("day > '2024-02-01'", &[2][..]),
        ("'2024-02-01' >= day", &[0, 1]),
        ("not day = '2024-02-01'", &[0, 2]),
        ("day in ('2024-01-31', '2024-02-02')", &[0, 2]),
        ("day between '2024-02-01' and '2024-02-02'", &[1, 2]),
        ("day = 19754", &[1]),
    ] {
        let filter = Filter::new(condition, &schema).unwrap();
        assert_eq!(filter.rows(&[&column], 3).unwrap(), rows, "{condition}");
    }
    let ranges = Filter::new("day > '2024-02-01'", &schema).unwrap().ranges().to_vec();
    assert_eq!(ranges, Filter::new("day > 19754", &schema).unwrap().ranges());
    let e = Filter::new("day > 'soon'", &schema).unwrap_err().to_string();
    let expected = "`day > 'soon'`: \"soon\" is not a time in D, such as '1970-01-01'";
    assert_eq!(e, expected);
    assert!(Filter::new("n > '2024-02-01'", &schema).is_err());
}

#[test]
fn times_of_different_units_are_compared_as_times() {
    let of =
        |name: &str, logical| TableField::new(name, ColumnType::Number(NumberType::I64)).logical(logical);
    let time = |name: &str, unit| of(name, Logical::Timestamp(unit));
    let maybe = ColumnType::Optional(Box::new(ColumnType::Number(NumberType::I64)));
    let maybe = TableField::new("u", maybe).logical(Logical::Timestamp(TimeUnit::Nano));
    let schema = TableSchema::new([
        time("d", TimeUnit::Day),
        time("t", TimeUnit::Second),
        maybe,
        time("m", TimeUnit::Month),
        time("w", TimeUnit::Week),
        of("e", Logical::Duration(TimeUnit::Day)),
        of("f", Logical::Duration(TimeUnit::Second)),
        of("g", Logical::Duration(TimeUnit::Month)),
    ]);
    let column = |name: &str| match name {
        // the last is beyond the 64 bits of seconds, and of nanoseconds
        "d" => Column::from(vec![31i64, 31, 31, i64::MAX]),
        "t" => Column::from(vec![31 * 86_400 - 1, 31 * 86_400, 31 * 86_400 + 1, i64::MAX]),
        "u" => {
            let times =
                Column::from(vec![31 * 86_400_000_000_000i64 - 1, 0, 31 * 86_400_000_000_000, i64::MAX]);
            Column::Optional(Box::new(NullableColumn::from_parts(vec![1, 0, 1, 1], times, 1).unwrap()))
        }
        "m" => Column::from(vec![1i64, 1, 1, 2]),
        "w" => Column::from(vec![4i64, 5, 4, 0]),
        "e" => Column::from(vec![1i64, 1, 1, i64::MAX]),
        _ => Column::from(vec![86_399i64, 86_400, 86_401, i64::MAX]),
    };
    for (condition, rows) in [
        ("d > t", &[0, 3][..]),
        ("d = t", &[1]),
        ("t > d", &[2]),
        ("not t >= d", &[0, 3]),
        ("d in (t)", &[1]),
        ("t between d and d", &[1]),
        ("t between m and d", &[1, 3]),
        ("d > u", &[0, 3]),
        ("u = d", &[2]),
        ("u != d", &[0, 3]),
        ("m = d", &[0, 1, 2]),
        ("m > w", &[0, 2, 3]),
        ("e > f", &[0, 3]),
        // what was computed on purpose
        ("t / 86400 >= d", &[1, 2]),
        ("d = 31 and t - 1 >= t - 1", &[0, 1, 2]),
        // texts of a finer unit
        ("d > '1970-02-01T13:00'", &[3]),
        ("d >= '1970-02-01T13:00:00'", &[3]),
        ("d < '1970-02-01T13:00:00'", &[0, 1, 2]),
        ("d = '1970-02-01T13:00:00'", &[]),
        ("d != '1970-02-01T13:00:00'", &[0, 1, 2, 3]),
        ("d <= '1970-01-31T23:59:59.999'", &[]),
        ("t > '1970-02-01T00:00:00.5'", &[2, 3]),
        ("'1970-01-31T23:59:59.000000001' > t", &[0]),
        ("u < '1970-01-31T23:59:59.9999999991'", &[0]),
    ] {
        let filter = Filter::new(condition, &schema).unwrap();
        let columns: Vec<Column> = filter.leaves().iter().map(|leaf| column(&leaf.name)).collect();
        let found = filter.rows(&columns.iter().collect::<Vec<_>>(), 4).unwrap();
        assert_eq!(found, rows, "{condition}");
    }
    for condition in ["t - d >= 0", "d + 1 > t", "-d < -t", "d - 1 in (t)", "e > g", "d > f", "t % d = 0"] {
        let e = Filter::new(condition, &schema).unwrap_err().to_string();
        assert!(e.starts_with(&format!("`{condition}` cannot be computed: `")), "{e}");
        assert!(e.contains("compare the columns themselves, or multiply or divide"), "{e}");
    }
    for (condition, why) in [
        (
            "d > '2024-03'",
            "`d > '2024-03'`: \"2024-03\" is not a time in D, such as '1970-01-01': for all of 2024-03 say \
             `d >= '2024-03-01' and d < '2024-04-01'`",
        ),
        (
            "d like '2024-03%'",
            "`d like '2024-03%'` cannot be computed: a number is not text; `d` is a time, such as '1970-01-01'; \
             times are found by `d >= .. and d < ..`, or read as text (setting `types`: `d:text`)",
        ),
    ] {
        assert_eq!(Filter::new(condition, &schema).unwrap_err().to_string(), why);
    }
    // what is computed is in the unit of the column
    assert!(Filter::new("d - '2024-03-01T13:00' > 0", &schema).is_err());
}

#[test]
fn some_columns_of_a_table_are_a_table() {
    let table = table(1000);
    let (expected, _) = all(&table, &Wanted::new().columns([2, 0]), 1);
    let leaves = table.schema().leaves();
    let leaves = [2, 0].map(|place: usize| leaves[place].clone()).to_vec();
    let some: Arc<dyn Table> = Arc::new(Projected::new(table, leaves));
    is_the_same_in_parts(&some, &expected);
    picks(&some, &expected);
}

#[test]
fn rows_by_chance_are_as_many_as_asked_for() {
    let table = table(1000);
    let every = all_rows(&table);
    let sample = |rows, seed| Sampled::new(table.clone(), rows, seed);
    for rows in [0, 1, 10, 999, 1000, 5000] {
        let found: Arc<dyn Table> = Arc::new(sample(rows, 1));
        let found = all_rows(&found);
        assert_eq!(found.len() as u64, rows.min(1000));
        let places: Vec<usize> =
            found.iter().map(|row| every.iter().position(|r| r == row).unwrap()).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
    }
    let of = |sampled: Sampled| all_rows(&(Arc::new(sampled) as Arc<dyn Table>));
    assert_eq!(of(sample(10, 1)), of(sample(10, 1)));
    assert_ne!(of(sample(10, 1)), of(sample(10, 2)));
    assert_eq!(of(sample(10, 1).among(5..8)), every[5..8]);
    // every row has its turn
    let mut taken = vec![0; 1000];
    for seed in 0..200 {
        for row in of(sample(100, seed)) {
            taken[every.iter().position(|r| *r == row).unwrap()] += 1;
        }
    }
    assert!(taken.iter().all(|times| (3..45).contains(times)), "{taken:?}");
    let of_matching: Arc<dyn Table> = Arc::new(Sampled::new(filtered(&table, "n < 50"), 20, 0));
    assert_eq!(all_rows(&of_matching).len(), 20);
    assert_eq!(of_matching.num_rows(), Estimate::Unknown);
}

/// Tables over tables keep to the rows, the limit and the columns that are asked for, whatever the batches.
#[test]
fn what_is_asked_of_any_table_is_kept() {
    let base = table(100);
    let layout: Description = "Row: record, le\n  n: u16\n".parse().unwrap();
    let numbered = RowsTable::open(file(&[7; 80]), "file", &layout, &Options::new()).unwrap();
    let list = [table(3), table(30)].map(|table| ("t".to_owned(), table)).to_vec();
    let of_base = |columns: [usize; 2]| {
        let leaves = base.schema().leaves();
        Projected::new(base.clone(), columns.map(|place| leaves[place].clone()).to_vec())
    };
    let tables: [Arc<dyn Table>; 7] = [
        Arc::new(numbered.with_row_numbers()),
        Arc::new(Concatenated::new(list).unwrap()),
        Arc::new(of_base([1, 0])),
        filtered(&base, "n % 3 = 1"),
        filtered(&(Arc::new(of_base([2, 1])) as Arc<dyn Table>), "x > 3"),
        Arc::new(Sampled::new(base.clone(), 40, 1)),
        // there are not so many
        Arc::new(Sampled::new(base.clone(), 40, 1).among(80..500)),
    ];
    for table in &tables {
        let expected = all_rows(table);
        let count = expected.len() as i64;
        assert!(count >= 20 && table.num_rows().exact().is_none_or(|n| n == count as u64), "{table:?}");
        for batch in [1, 3, 8192] {
            for asked in [0..count, 0..1, 4..9, count - 2..count + 5] {
                let wanted = Wanted::new().batch_rows(batch).rows(asked.clone());
                let of = &expected[asked.start as usize..asked.end.min(count) as usize];
                let (found, e) = all(table, &wanted, 3);
                assert!(e.is_none() && found == of, "{asked:?} of {table:?}");
                let limited = wanted.limit(4);
                let batches = table.clone().batches(&limited).unwrap();
                let batches: Vec<Columns> = batches.map(Result::unwrap).collect();
                assert_eq!(rows(&batches), of[..of.len().min(4)], "{asked:?} of {table:?}");
                for split in table.splits(&limited, 1).unwrap() {
                    assert!(rows(&read(table, &split, &limited).0).len() <= 4);
                }
            }
        }
        let fields = &table.schema().fields;
        for columns in [(0..fields.len()).collect::<Vec<_>>(), (0..fields.len()).rev().collect(), vec![1]] {
            for batch in table.clone().batches(&Wanted::new().columns(columns.clone())).unwrap() {
                let batch = batch.unwrap();
                let names: Vec<_> = columns.iter().map(|i| fields[*i].name.as_str()).collect();
                assert_eq!(batch.names().collect::<Vec<_>>(), names);
            }
        }
        let beyond = Wanted::new().columns([0]).range(fields.len(), 0i64..1);
        assert!(table.splits(&beyond, 1).is_err(), "{table:?}");
    }
}

/// How many rows there are is as certain as it is of the least certain table.
#[test]
fn the_number_of_rows_of_several_tables() {
    let layout: Description = "Row: record, le\n  n: u16\n".parse().unwrap();
    let open = |bytes: &[u8]| -> Arc<dyn Table> {
        Arc::new(RowsTable::open(file(bytes), "file", &layout, &Options::new()).unwrap())
    };
    let (whole, cut) = (open(&[1, 0, 2, 0]), open(&[1, 0, 2]));
    let some = filtered(&whole, "n = 1");
    for (tables, expected) in [
        ([&whole, &whole], Estimate::Exact(4)),
        ([&whole, &cut], Estimate::About(3)),
        ([&cut, &whole], Estimate::About(3)),
        ([&whole, &some], Estimate::Unknown),
        ([&some, &cut], Estimate::Unknown),
    ] {
        let tables = tables.map(|table| ("t".to_owned(), table.clone())).to_vec();
        assert_eq!(Concatenated::new(tables).unwrap().num_rows(), expected);
    }
}

/// A number that the wider type does not have is told with its row, in whatever batch it comes.
#[test]
fn a_value_that_does_not_become_wider_has_its_row() {
    let of = |column: Column| -> Arc<dyn Table> {
        Arc::new(ColumnsTable::new(Columns::new(vec![("x".into(), column)]).unwrap()))
    };
    let mut integers = vec![1i64; 10];
    integers[7] = (1 << 53) + 1;
    let (floats, integers) = (of(Column::from(vec![0.5f64; 3])), of(Column::from(integers)));
    let list = vec![("a".to_owned(), floats), ("b".to_owned(), integers)];
    let together: Arc<dyn Table> = Arc::new(Concatenated::new(list).unwrap());
    for batch in [1, 3, 8192] {
        for asked in [0..13, 8..13, 10..11] {
            let wanted = Wanted::new().batch_rows(batch).rows(asked);
            let e = all(&together, &wanted, 1).1.unwrap();
            assert_eq!(e.to_string(), "b[7].x: 9007199254740993 does not fit in f64");
        }
    }
}

#[test]
fn tables_follow_each_other() {
    let tables = [table(10), table(0), table(25)];
    let expected: Vec<String> = tables.iter().flat_map(all_rows).collect();
    let named = |i: usize, table: &Arc<dyn Table>| (format!("t{i}"), table.clone());
    let list = tables.iter().enumerate().map(|(i, table)| named(i, table)).collect();
    let together: Arc<dyn Table> = Arc::new(Concatenated::new(list).unwrap());
    is_the_same_in_parts(&together, &expected);
    picks(&together, &expected);
    let some = filtered(&together, "n = 9");
    assert_eq!(all_rows(&some), [expected[9].clone(), expected[19].clone()]);

    let other = Columns::new(vec![("n".into(), Column::from(vec![1u32]))]).unwrap();
    let other: Arc<dyn Table> = Arc::new(ColumnsTable::new(other));
    let e = Concatenated::new(vec![named(0, &tables[0]), named(1, &other)]).unwrap_err();
    assert_eq!(e.to_string(), "t1: column `x` of t0 is missing");
}

#[test]
fn errors_name_the_table_that_they_are_about() {
    let layout: Description = "Row: record, le\n  n: u16\n".parse().unwrap();
    let open = |bytes: &[u8]| -> Arc<dyn Table> {
        Arc::new(RowsTable::open(file(bytes), "file", &layout, &Options::new()).unwrap())
    };
    let list = vec![("a".to_owned(), open(&[1, 0])), ("b".to_owned(), open(&[2, 0, 3]))];
    let together: Arc<dyn Table> = Arc::new(Concatenated::new(list).unwrap());
    let (found, e) = all(&together, &Wanted::new(), 1);
    let text = e.unwrap().to_string();
    assert_eq!(found.len(), 2);
    assert!(text.starts_with("b.[1].n at byte 0x2") || text.starts_with("b[1].n at byte 0x2"), "{text}");
}

#[test]
fn columns_of_several_tables_are_of_the_wider_type() {
    let csv = |text: &str| Csv.open(file(text.as_bytes()), "file", &Settings::new()).unwrap();
    let of = |column: Column| -> Arc<dyn Table> {
        Arc::new(ColumnsTable::new(Columns::new(vec![("n".into(), column)]).unwrap()))
    };
    let together = |a: &Arc<dyn Table>, b: &Arc<dyn Table>| -> binfmt::Result<Arc<dyn Table>> {
        let named = |name: &str, table: &Arc<dyn Table>| (name.to_owned(), table.clone());
        Ok(Arc::new(Concatenated::new(vec![named("a", a), named("b", b)])?))
    };
    let whole = || csv("n\n1\n\n3\n");
    let f32s = || of(Column::from(vec![0.5f32, 1.5]));
    let f64s = || of(Column::from(vec![0.25f64]));
    type Case<'a> = (Arc<dyn Table>, Arc<dyn Table>, &'a str, &'a [&'a str]);
    let cases: Vec<Case<'_>> = vec![
        (whole(), csv("n\n0.5\n"), "f64?", &["1.0", "missing", "3.0", "0.5"]),
        // the text that stands there
        (csv("n\n01.50\n"), csv("n\nx\n"), "text?", &["\"01.50\"", "\"x\""]),
        (csv("n\ntrue\n"), csv("n\n1\n"), "text?", &["\"true\"", "\"1\""]),
        (csv("n\n-1\n"), csv("n\n18446744073709551615\n"), "text?", &["\"-1\"", "\"18446744073709551615\""]),
        (f32s(), f64s(), "f64", &["0.5", "1.5", "0.25"]),
        (of(Column::from(vec![1u32])), of(Column::from(vec![-1i8])), "i64", &["1", "-1"]),
        (whole(), f64s(), "f64?", &["1.0", "missing", "3.0", "0.25"]),
    ];
    for (a, b, ty, values) in cases {
        for (first, second, swapped) in [(&a, &b, false), (&b, &a, true)] {
            let table = together(first, second).unwrap();
            assert_eq!(table.schema().fields[0].ty.to_string(), ty);
            let batches = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap);
            let mut found: Vec<String> = batches
                .flat_map(|batch| {
                    let json = |row: usize| serde_json::to_string(&batch.cell(row, 0).unwrap()).unwrap();
                    (0..batch.num_rows()).map(json).collect::<Vec<_>>()
                })
                .map(|text| if text.contains("missing") { "missing".to_owned() } else { text })
                .collect();
            let rows = if swapped { found.len() - count(&a) } else { 0 };
            found.rotate_left(rows);
            assert_eq!(found, values, "{ty}");
            is_the_same_in_parts(&table, &all_rows(&table));
        }
    }
    let exact = together(&csv("n\n9007199254740993\n"), &csv("n\n0.5\n")).unwrap();
    let (rows, e) = all(&exact, &Wanted::new(), 1);
    assert!(rows.is_empty() && e.unwrap().to_string().contains("9007199254740993"));
    let e = together(&of(Column::from(vec![1u64])), &of(Column::from(vec![1i64]))).unwrap_err();
    assert_eq!(e.to_string(), "b: column `n` is i64, in a it is u64");
}

fn count(table: &Arc<dyn Table>) -> usize {
    usize::try_from(table.count_rows().unwrap()).unwrap()
}
