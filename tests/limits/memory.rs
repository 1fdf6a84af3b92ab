//! No memory is an error, not the end of the process: an allocator that refuses its n-th call, for each n there is.
//!
//! Each case runs in a process of its own, because an abort is what must not be.

use crate::support::memory::{LEAST, LEFT};
use binfmt::columns::{Column, ColumnData, ColumnMajor, Columns, ListColumn, Plan, TypedColumns};
use binfmt::formats::sdds;
use binfmt::schema::Description;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Describe, ErrorKind, Nullable, Options};
use std::process::Command;

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: u32,
    y: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    flag: bool,
    #[binfmt(length_prefixed(u8))]
    name: String,
    #[binfmt(length_prefixed(u8), text = latin1)]
    title: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Tree {
    Leaf(u8),
    Boxed(Box<Tree>),
    Several(#[binfmt(length_prefixed(u8))] Vec<Tree>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct All {
    #[binfmt(length_prefixed(u32))]
    points: Vec<Point>,
    #[binfmt(length_prefixed(u32))]
    big: Vec<u64>,
    #[binfmt(endian = binfmt::Endian::Big, length_prefixed(u32))]
    turned: Vec<u16>,
    #[binfmt(length_prefixed(u32))]
    bytes: Vec<u8>,
    #[binfmt(length_prefixed(u32))]
    long: String,
    #[binfmt(length_prefixed(u8))]
    flags: Vec<bool>,
    tree: Tree,
    #[binfmt(nul)]
    ended: String,
    #[binfmt(until_eof)]
    entries: Vec<Entry>,
}

/// As many bytes as the context says.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(n: u8))]
struct Part {
    #[binfmt(count = n)]
    bytes: Vec<u8>,
}

/// Lists that nothing counts.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct Uncounted {
    #[binfmt(until = |point| point.x == 0)]
    points: Vec<Point>,
    #[binfmt(length_prefixed(u16))]
    sizes: Vec<u8>,
    #[binfmt(each(sizes.iter().copied()))]
    parts: Vec<Part>,
}

fn uncounted() -> Uncounted {
    let sizes: Vec<u8> = (0..100u8).map(|i| i % 7).collect();
    let parts = sizes.iter().map(|n| Part { bytes: vec![1; usize::from(*n)] }).collect();
    Uncounted { points: (0..100).rev().map(|x| Point { x, y: 1 }).collect(), sizes, parts }
}

/// Structs of a list, whose elements nothing counts, and of a whole input.
fn listed() -> u64 {
    let value = uncounted();
    let bytes = binfmt::to_vec(&value).unwrap();
    let flags: Vec<bool> = (0..ROWS).map(|i| i % 3 == 0).collect();
    let rows: Vec<Fixed> = (0..ROWS).map(fixed).collect();
    let (few, many) = (binfmt::encode_all(&flags).unwrap(), binfmt::encode_all(&rows).unwrap());
    refuse_each(|| done(binfmt::from_slice::<Uncounted>(&bytes), &value))
        + refuse_each(|| done(binfmt::from_reader::<Uncounted>(&bytes[..]), &value))
        + refuse_each(|| done(binfmt::decode_all::<bool>(&few), &flags))
        + refuse_each(|| done(binfmt::decode_all::<Fixed>(&many), &rows))
}

fn all() -> All {
    let leaf = || Tree::Boxed(Box::new(Tree::Leaf(1)));
    All {
        points: vec![Point { x: 1, y: 2 }; 9],
        big: vec![7; 40_000],
        turned: vec![3; 300],
        bytes: vec![5; 100_000],
        long: "text ".repeat(20_000),
        flags: vec![true; 40],
        tree: Tree::Several(vec![leaf(), Tree::Several(vec![leaf(); 20])]),
        ended: "ended".into(),
        entries: vec![Entry { flag: true, name: "näme".into(), title: "títle".into() }; 50],
    }
}

/// Whether the call went through; what it says where it did not.
fn done<T: PartialEq + std::fmt::Debug>(result: binfmt::Result<T>, expected: &T) -> bool {
    LEFT.set(0);
    match result {
        Ok(value) => {
            assert!(value == *expected);
            true
        }
        Err(e) => {
            let refused = match e.kind() {
                ErrorKind::OutOfMemory { .. } => true,
                ErrorKind::Io(e) => e.kind() == std::io::ErrorKind::OutOfMemory,
                _ => false,
            };
            assert!(refused, "{e}");
            false
        }
    }
}

/// Runs a case with each call of the allocator refused in turn; how many there were.
fn refuse_each(case: impl Fn() -> bool) -> u64 {
    for n in 1..10_000 {
        println!("call {n}");
        LEFT.set(n);
        if case() {
            return n - 1;
        }
    }
    panic!("it never goes through");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Fixed {
    a: u32,
    #[binfmt(nullable(present = 1, missing = 0))]
    b: Nullable<f64>,
    c: [u8; 3],
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Wild {
    a: u16,
    #[binfmt(length_prefixed(u8))]
    text: String,
    #[binfmt(length_prefixed(u8))]
    list: Vec<u16>,
    #[binfmt(length_prefixed(u8), columns)]
    inner: Vec<Fixed>,
}

/// Rows that are read as structs, since one field counts another.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Dependent {
    n: u8,
    #[binfmt(count = n)]
    list: Vec<u16>,
    #[binfmt(length_prefixed(u8))]
    text: String,
}

/// A text whose form is not taken apart in blocks.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct Wide {
    k: u8,
    #[binfmt(length_prefixed(u32, in = bytes))]
    text: Body,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Body {
    #[binfmt(until_eof)]
    text: String,
}

fn fixed(i: u32) -> Fixed {
    let b = if i.is_multiple_of(7) { Nullable::Missing(0) } else { Nullable::Value(f64::from(i)) };
    Fixed { a: i, b, c: [1, 2, 3] }
}

fn wild(i: u32) -> Wild {
    let inner = (0..i % 4).map(fixed).collect();
    Wild { a: i as u16, text: "text ".repeat(i as usize % 5), list: vec![3; i as usize % 9], inner }
}

fn dependent(i: u32) -> Dependent {
    Dependent { n: (i % 5) as u8, list: vec![7; i as usize % 5], text: "text".repeat(i as usize % 9) }
}

/// Columns of a struct: from a slice and from a stream.
fn typed<C: TypedColumns + PartialEq + std::fmt::Debug>(rows: C) -> u64 {
    let bytes = rows.to_vec().unwrap();
    LEAST.set(256);
    refuse_each(|| done(C::from_slice(&bytes), &rows))
        + refuse_each(|| done(C::from_reader(&bytes[..], &Options::new()), &rows))
        + refuse_each(|| done(rows.to_vec(), &bytes))
}

/// Columns of a plan. Where the runs of a block begin is noted in less than the first bytes of a stream take.
fn planned(description: &Description, bytes: &[u8]) -> u64 {
    let plan = Plan::new(description).unwrap();
    let columns = plan.decode(bytes).unwrap();
    let batches = || -> binfmt::Result<Vec<Columns>> {
        let mut reader = plan.reader(bytes, &Options::new());
        let mut all = Vec::new();
        while let Some(batch) = reader.next_batch(usize::MAX)? {
            all.push(batch);
        }
        Ok(all)
    };
    let expected = batches().unwrap();
    let owned = bytes.to_vec();
    LEAST.set(4 << 10);
    refuse_each(|| done(plan.decode(bytes), &columns))
        + refuse_each(|| done(batches(), &expected))
        + refuse_each(|| done(plan.encode(&columns), &owned))
}

/// All of one column, then all of the next.
fn major(rows: &FixedColumns) -> u64 {
    let n = rows.a.len();
    let bytes = rows.to_column_major(&Options::new()).unwrap();
    let plan = Plan::new(&Fixed::SCHEMA.description()).unwrap();
    let columns = plan.decode_column_major(&bytes, n, &Options::new()).unwrap();
    LEAST.set(256);
    let typed = refuse_each(|| done(FixedColumns::from_column_major(&bytes, n, &Options::new()), rows));
    LEAST.set(16 << 10);
    typed
        + refuse_each(|| done(plan.decode_column_major(&bytes, n, &Options::new()), &columns))
        + refuse_each(|| done(plan.encode_column_major(&columns, &Options::new()), &bytes))
}

/// A row in doubt, which is written by itself: its text is longer than its prefix can say in a block.
fn doubtful() -> u64 {
    let text = "text ".repeat(20_000);
    let description = Wide::SCHEMA.description();
    let (plan, bytes) =
        (Plan::new(&description).unwrap(), binfmt::to_vec(&Wide { k: 1, text: Body { text } }).unwrap());
    let columns = plan.decode(&bytes).unwrap();
    LEAST.set(16 << 10);
    refuse_each(|| done(plan.encode(&columns), &bytes))
        + refuse_each(|| done(plan.encode_column_major(&columns, &Options::new()).map(|_| ()), &()))
}

/// Values of a description, from a slice and from a stream.
fn described() -> u64 {
    let bytes = binfmt::to_vec(&all()).unwrap();
    let program = Program::new(&All::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
    // the tag of a variant and a tuple take as much memory as their types say
    LEAST.set(1 << 10);
    refuse_each(|| done(binfmt::from_slice_with::<Value, _>(&bytes, &options), &value))
        + refuse_each(|| done(binfmt::from_reader_with::<Value, _>(&bytes[..], &options), &value))
        + refuse_each(|| done(binfmt::to_vec_with(&value, &options), &bytes))
}

/// Rows of columns as values: texts, lists in lists, records and arrays.
fn copied() -> u64 {
    let list =
        |items: Column| Column::List(Box::new(ListColumn::from_parts(vec![0, items.len()], items).unwrap()));
    let numbers = || list(Column::from((0..ROWS).collect::<Vec<u32>>()));
    let text = || Column::Text([&b"text ".repeat(2000)[..]].into_iter().collect());
    let deep = list(list(Column::from(vec![1.5f64; 500])));
    let inner = Column::Record { rows: 1, fields: vec![("text".into(), text()), ("deep".into(), deep)] };
    let columns = vec![("text".into(), text()), ("list".into(), numbers()), ("inner".into(), inner)];
    let columns = Columns::new(columns).unwrap();
    let expected = columns.row(0);
    // names take as much memory as the layout says
    LEAST.set(256);
    refuse_each(|| done(columns.try_row(0), &expected))
}

fn sdds_header(data: &str) -> Vec<u8> {
    let fields = "&array name=a, type=double, &end\n&array name=s, type=string, &end\n\
        &column name=n, type=long, &end\n&column name=t, type=string, &end\n&column name=x, type=double, &end\n";
    format!("SDDS1\n!# little-endian\n{fields}&data mode={data} &end\n").into_bytes()
}

fn sdds_text(out: &mut Vec<u8>, n: u32) {
    let text = "text ".repeat(n as usize);
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

/// A page with arrays, and rows with strings, one of them long.
fn sdds_page(column_major: bool) -> Vec<u8> {
    let mut out = sdds_header(if column_major { "binary, column_major_order=1," } else { "binary," });
    out.extend(ROWS.to_le_bytes());
    out.extend(ROWS.to_le_bytes());
    (0..ROWS).for_each(|i| out.extend(f64::from(i).to_le_bytes()));
    out.extend(ROWS.to_le_bytes());
    (0..ROWS).for_each(|i| sdds_text(&mut out, i % 5));
    let text = |i: u32, out: &mut Vec<u8>| sdds_text(out, if i == 99 { 40_000 } else { i % 7 });
    if column_major {
        (0..ROWS).for_each(|i| out.extend(i.to_le_bytes()));
        (0..ROWS).for_each(|i| text(i, &mut out));
        (0..ROWS).for_each(|i| out.extend(f64::from(i).to_le_bytes()));
    } else {
        for i in 0..ROWS {
            out.extend(i.to_le_bytes());
            text(i, &mut out);
            out.extend(f64::from(i).to_le_bytes());
        }
    }
    out
}

/// The same in text.
fn sdds_ascii() -> Vec<u8> {
    use std::io::Write as _;
    let mut out = sdds_header("ascii,");
    writeln!(out, "{ROWS}").unwrap();
    (0..ROWS).for_each(|i| writeln!(out, "{i}.5").unwrap());
    writeln!(out, "{ROWS}").unwrap();
    (0..ROWS).for_each(|i| writeln!(out, "text{i}").unwrap());
    writeln!(out, "{ROWS}").unwrap();
    (0..ROWS).for_each(|i| writeln!(out, "{i} word{i} {i}.25").unwrap());
    out
}

/// A page without strings: rows of one size.
fn sdds_fixed() -> Vec<u8> {
    let mut out =
        b"SDDS1\n!# little-endian\n&column name=n, type=short, &end\n&data mode=binary, &end\n".to_vec();
    out.extend(ROWS.to_le_bytes());
    (0..ROWS).for_each(|i| out.extend((i as u16).to_le_bytes()));
    out
}

fn sdds() -> u64 {
    let mut calls = 0;
    for file in [sdds_page(false), sdds_page(true), sdds_ascii(), sdds_fixed()] {
        let slice = || sdds::Options::new().slice(&file)?.next_page().map_err(binfmt::Error::from);
        let stream = || sdds::Options::new().reader(&file[..])?.next_page().map_err(binfmt::Error::from);
        let page = slice().unwrap();
        assert_eq!(page.as_ref().map(|page| page.rows()), Some(u64::from(ROWS)));
        // the header is read by then, and the errors hold the page as far as it came
        LEAST.set(4 << 10);
        calls += refuse_each(|| done(slice(), &page)) + refuse_each(|| done(stream(), &page));
        LEAST.set(0);
    }
    calls
}

/// Blocks of rows of text: those before a call that is refused are the ones of the file, the error comes once, and nothing after it.
fn sdds_blocks() -> u64 {
    let mut calls = 0;
    let plain = String::from_utf8(sdds_ascii()).unwrap();
    // rows of several lines are read value by value
    let two = plain.replace("=ascii,", "=ascii, lines_per_row=2,");
    let two: String = two.lines().map(|line| line.replace(" word", "\nword") + "\n").collect();
    for file in [plain, two] {
        LEAST.set(1 << 10);
        calls += refuse_each(|| {
            // the header and what is before the rows have their memory
            let n = LEFT.replace(0);
            let mut reader = sdds::Options::new().reader(file.as_bytes()).unwrap();
            assert_eq!(reader.begin_page().unwrap().map(|start| start.rows), Some(u64::from(ROWS)));
            let (mut row, mut error) = (0, None);
            LEFT.set(n);
            loop {
                match reader.next_rows(1000) {
                    Ok(Some(page)) => {
                        assert!(error.is_none(), "rows after {error:?}");
                        row = sdds_rows_are_those(&page, row);
                    }
                    Ok(None) => break,
                    Err(e) => assert!(error.replace(binfmt::Error::from(e)).is_none()),
                }
            }
            LEFT.set(0);
            assert!(error.is_some() || row == ROWS);
            assert!(reader.next_rows(1000).unwrap().is_none() && reader.begin_page().unwrap().is_none());
            done(error.map_or(Ok(()), Err), &())
        });
        LEAST.set(0);
    }
    calls
}

/// Looks at rows from that one on; which one comes next.
fn sdds_rows_are_those(page: &sdds::Page, first: u32) -> u32 {
    let n = LEFT.replace(0);
    let [numbers, texts, floats] = page.columns() else { panic!("{page:?}") };
    let mut row = first;
    for i in 0..numbers.len() {
        assert_eq!(numbers.get(i), Some(sdds::Value::from(row as i32)));
        assert_eq!(texts.get(i), Some(sdds::Value::from(format!("word{row}").as_str())));
        assert_eq!(floats.get(i), Some(sdds::Value::from(f64::from(row) + 0.25)));
        row += 1;
    }
    assert_eq!(
        (texts.len(), floats.len(), page.rows()),
        (numbers.len(), numbers.len(), numbers.len() as u64)
    );
    LEFT.set(n);
    row
}

fn futhark() -> u64 {
    use binfmt::formats::futhark;
    let numbers: Vec<f64> = (0..ROWS).map(f64::from).collect();
    let value = futhark::Value::new(vec![u64::from(ROWS) / 2, 2], numbers).unwrap();
    let binary = binfmt::to_vec(&value).unwrap();
    let text = value.to_string().into_bytes();
    let mut calls = 0;
    for file in [binary, text] {
        let slice = || futhark::values(&file).next().unwrap();
        let stream = || futhark::values_from_reader(&file[..]).next().unwrap();
        assert_eq!(slice().unwrap(), value);
        LEAST.set(256);
        calls += refuse_each(|| done(slice(), &value)) + refuse_each(|| done(stream(), &value));
        LEAST.set(0);
    }
    let array = ndarray::Array1::from_iter((0..ROWS).map(f64::from));
    let flat = futhark::Value::from_ndarray(&array).unwrap();
    for style in [futhark::OutputStyle::Packed, futhark::OutputStyle::Printed, futhark::OutputStyle::Text] {
        let write = || futhark::write(std::slice::from_ref(&value), style);
        let expected = write().unwrap();
        LEAST.set(256);
        calls += refuse_each(|| done(write(), &expected));
        LEAST.set(0);
    }
    let text = futhark::write(std::slice::from_ref(&flat), futhark::OutputStyle::Text).unwrap();
    let arguments = || futhark::arguments::<Numbers>(&text);
    let expected = arguments().unwrap();
    LEAST.set(256);
    calls
        + refuse_each(|| done(arguments(), &expected))
        + refuse_each(|| done(futhark::Value::from_ndarray(&array), &flat))
}

/// Cells of a sparse array: their coordinates are chosen, then sorted. What both take is asked for at once, which is more than any
/// single call for a part of it.
fn tiledb() -> u64 {
    use binfmt::formats::tiledb::{self, ArraySchema, Datatype, Dimension, Layout, Memory, Number};
    let dimension = |name| Dimension::new(name, Number::I64(0), Number::I64(1 << 20), Number::I64(1 << 20));
    let mut schema = ArraySchema::sparse(Datatype::Int64, ["x", "y"].map(dimension));
    schema.capacity = u64::from(ROWS);
    let mut array = tiledb::Options::new().threads(1).create(Memory::new(), schema).unwrap();
    let of = |scale: i64| (0..i64::from(ROWS)).map(|i| i * scale % 6007).collect::<Vec<_>>();
    array.insert().coords([of(7).into(), of(11).into()]).write().unwrap();
    let mut calls = 0;
    for order in [Layout::RowMajor, Layout::ColumnMajor] {
        let read = || array.query().order(order).read().map(|cells| cells.coords().to_vec());
        let expected = read().unwrap();
        assert_eq!(expected[0].1.len(), ROWS as usize);
        LEAST.set(32 * ROWS as usize);
        let refused = refuse_each(|| done(read(), &expected));
        assert_eq!(refused, 2, "one for choosing, one for sorting");
        LEAST.set(0);
        calls += refused;
    }
    calls
}

/// The rows of columns of any kind after those of others. What is refused leaves the column as it was.
fn joined() -> u64 {
    let layout = "record, le
  x: u32
  name: text, length_prefixed(u8)
  maybe: f64, nullable
  pair: [u16; 2]
  list: [u8], length_prefixed(u8)
  kind: u8
  later: u16, if(kind == 1)
";
    let layout: Description = layout.parse().unwrap();
    let row = |i: u8| [i, 0, 0, 0, 1, b'a', 255, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, i, 9, 1, 5, 0];
    let bytes: Vec<u8> = (0..200).flat_map(row).collect();
    let all = Plan::new(&layout).unwrap().decode(&bytes).unwrap();
    let half = bytes.len() / 2;
    let part = |bytes: &[u8]| Plan::new(&layout).unwrap().decode(bytes).unwrap().into_columns();
    let (first, second) = (part(&bytes[..half]), part(&bytes[half..]));
    let mut calls = 0;
    for ((name, first), (_, second)) in first.into_iter().zip(second) {
        calls += refuse_each(|| {
            let left = LEFT.replace(0);
            let mut column = first.clone();
            LEFT.set(left);
            let appended = column.append(&second);
            LEFT.set(0);
            if appended.is_err() {
                assert_eq!(column, first, "{name}");
            }
            done(appended.map(|()| column), all.get(&name).unwrap())
        });
    }
    calls
}

/// Rows of one column, which are read to their place.
fn straight() -> u64 {
    let layout: Description = "record, le\n  x: [u32; 4]\n".parse().unwrap();
    let plan = Plan::new(&layout).unwrap();
    let bytes: Vec<u8> = (0..400_000u32).map(|i| i as u8).collect();
    let expected = plan.decode_with(&bytes, &Options::new().max_memory(1 << 30)).unwrap();
    // what an empty column takes is not refused
    LEAST.set(1 << 10);
    refuse_each(|| done(plan.decode(&bytes), &expected))
}

/// The arguments of a Futhark function.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Numbers {
    #[binfmt(shape(u64, rank = 1))]
    numbers: binfmt::Array<f64, 1>,
}

/// Enough for several blocks.
const ROWS: u32 = 6000;

fn run(case: &str) -> u64 {
    let value = all();
    let bytes = binfmt::to_vec(&value).unwrap();
    match case {
        "slice" => refuse_each(|| done(binfmt::from_slice::<All>(&bytes), &value)),
        "stream" => refuse_each(|| done(binfmt::from_reader::<All>(&bytes[..]), &value)),
        "vec" => refuse_each(|| done(binfmt::to_vec(&value), &bytes)),
        "lists" => listed(),
        "columns" => typed(FixedColumns::from_rows((0..ROWS).map(fixed))),
        "columns of texts" => typed(WildColumns::from_rows((0..ROWS).map(wild))),
        "columns of structs" => typed(DependentColumns::from_rows((0..ROWS).map(dependent))),
        "one column after the other" => major(&FixedColumns::from_rows((0..ROWS).map(fixed))),
        "plan" => {
            let rows = FixedColumns::from_rows((0..ROWS).map(fixed));
            planned(&Fixed::SCHEMA.description(), &rows.to_vec().unwrap())
        }
        "plan of texts" => {
            let rows = WildColumns::from_rows((0..ROWS).map(wild));
            planned(&Wild::SCHEMA.description(), &rows.to_vec().unwrap())
        }
        "row in doubt" => doubtful(),
        "joined columns" => joined(),
        "straight rows" => straight(),
        "value" => described(),
        "row" => copied(),
        "sdds" => sdds(),
        "blocks of sdds" => sdds_blocks(),
        "futhark" => futhark(),
        "tiledb" => tiledb(),
        _ => unreachable!(),
    }
}

fn in_a_process(case: &str) {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this)
        .args(["--exact", "memory::one_case", "--nocapture", "--test-threads=1"])
        .env("MEMORY_CASE", case)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    let last: Vec<&str> = said.lines().rev().take(5).collect();
    assert!(child.status.success(), "{case}: {last:?} {}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("call 2"), "nothing was refused");
}

/// The case that the environment names.
#[test]
fn one_case() {
    if let Ok(case) = std::env::var("MEMORY_CASE") {
        println!("{} calls of the allocator", run(&case));
    }
}

#[test]
fn decoding_a_slice() {
    in_a_process("slice");
}

#[test]
fn decoding_a_stream() {
    in_a_process("stream");
}

#[test]
fn encoding_to_a_vector() {
    in_a_process("vec");
}

#[test]
fn lists_that_nothing_counts() {
    in_a_process("lists");
}

#[test]
fn typed_columns() {
    in_a_process("columns");
    in_a_process("columns of texts");
    in_a_process("columns of structs");
    in_a_process("one column after the other");
}

#[test]
fn columns_of_a_plan() {
    in_a_process("plan");
    in_a_process("plan of texts");
    in_a_process("row in doubt");
    in_a_process("joined columns");
    in_a_process("straight rows");
}

#[test]
fn values_of_a_description() {
    in_a_process("value");
    in_a_process("row");
}

#[test]
fn pages_of_sdds() {
    in_a_process("sdds");
}

#[test]
fn blocks_of_sdds_text() {
    in_a_process("blocks of sdds");
}

#[test]
fn values_of_futhark() {
    in_a_process("futhark");
}

#[test]
fn cells_of_tiledb() {
    in_a_process("tiledb");
}
