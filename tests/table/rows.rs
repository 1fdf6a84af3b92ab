//! Files that are rows of a layout.

use crate::support::random::{self, Random};
use crate::table::support::{all, file, is_the_same_in_parts, picks, read, rows};
use binfmt::columns::Plan;
use binfmt::schema::Description;
use binfmt::storage::{Folder, Storage};
use binfmt::table::{Estimate, RowsTable, Split, Table, Wanted};
use binfmt::{Endian, Options};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const FIXED: &str = "record\n  id: u32\n  mass: f64, nullable\n  tag: [u8; 3]\n";
const VARIABLE: &str = "record\n  id: u16\n  name: text, length_prefixed(u8)\n  last: i32, nullable\n";
/// Rows without blocks.
const CHOSEN: &str = "record\n  kind: u8\n  x: u16, if(kind == 1)\n";

fn layout(text: &str) -> Description {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// Rows of one of the layouts above.
fn sample(text: &str, count: usize, endian: Endian) -> Vec<u8> {
    let number = |n: u32, bytes: usize| match endian {
        Endian::Little => n.to_le_bytes()[..bytes].to_vec(),
        Endian::Big => n.to_be_bytes()[4 - bytes..].to_vec(),
    };
    let mut random = Random::new(count as u64);
    let mut out = Vec::new();
    for i in 0..count as u32 {
        match text {
            FIXED => {
                out.extend(number(i, 4));
                let missing = random.below(3) == 0;
                out.push(if missing { 3 } else { 255 });
                let bits = if missing { 0 } else { f64::from(i).to_bits() };
                out.extend(if endian == Endian::Little { bits.to_le_bytes() } else { bits.to_be_bytes() });
                out.extend([i as u8, 2, 3]);
            }
            VARIABLE => {
                out.extend(number(i & 0xffff, 2));
                let len = random.below(40) as usize;
                out.push(len as u8);
                out.extend(vec![b'a' + (i % 26) as u8; len]);
                out.push(255);
                out.extend(number(i, 4));
            }
            _ => {
                let kind = random.below(2) as u8;
                out.push(kind);
                if kind == 1 {
                    out.extend(number(i & 0xffff, 2));
                }
            }
        }
    }
    out
}

fn table(bytes: &[u8], text: &str, endian: Endian) -> RowsTable {
    RowsTable::open(file(bytes), "file", &layout(text), &Options::new().endian(endian)).unwrap()
}

#[test]
fn all_parts_together_are_what_the_plan_decodes() {
    for endian in [Endian::Little, Endian::Big] {
        for text in [FIXED, VARIABLE, CHOSEN] {
            for count in [0, 1, 2, 9, 1000] {
                let bytes = sample(text, count, endian);
                let plan = Plan::new(&layout(text)).unwrap();
                let expected = rows([&plan.decode_with(&bytes, &Options::new().endian(endian)).unwrap()]);
                assert_eq!(expected.len(), count);
                let whole: Arc<dyn Table> = Arc::new(table(&bytes, text, endian));
                is_the_same_in_parts(&whole, &expected);
                if count > 2 {
                    picks(&whole, &expected);
                }
                let found = table(&bytes, text, endian);
                found.find_rows().unwrap();
                assert_eq!(found.num_rows(), Estimate::Exact(count as u64));
                let found: Arc<dyn Table> = Arc::new(found);
                is_the_same_in_parts(&found, &expected);
            }
        }
    }
}

/// Rows of one column, which go to their place: as many as there are, of which the last may be cut short.
#[test]
fn rows_of_one_column_are_what_the_plan_decodes() {
    let kinds = ["x: u16", "x: f64", "x: [f32; 3]", "x: [[i64; 2]; 2]", "x: [u8; 5]", "x: u24"];
    for (kind, endian) in kinds.iter().flat_map(|kind| [(kind, Endian::Little), (kind, Endian::Big)]) {
        let text = format!("record\n  {kind}\n");
        let plan = Plan::new(&layout(&text)).unwrap();
        let size = plan.row_size().unwrap();
        let count = 600_000 / size;
        let bytes: Vec<u8> = (0..count * size).map(|i| ((i * 7) >> 3) as u8 & 0x7f).collect();
        let options = Options::new().endian(endian);
        // a limit is kept by reading in blocks
        let expected = plan.decode_with(&bytes, &options.max_memory(1 << 30)).unwrap();
        for (batch_rows, batch_bytes) in
            [(usize::MAX, u64::MAX), (count / 3, u64::MAX), (usize::MAX, 200_000)]
        {
            let whole: Arc<dyn Table> = Arc::new(table(&bytes, &text, endian));
            let wanted = Wanted { batch_rows, batch_bytes, ..Wanted::new() };
            let batches =
                whole.clone().batches(&wanted).unwrap().collect::<binfmt::Result<Vec<_>>>().unwrap();
            assert_eq!(batches.len() == 1, batch_rows == usize::MAX && batch_bytes == u64::MAX, "{kind}");
            let mut joined = batches[0].get("x").unwrap().clone();
            batches[1..].iter().for_each(|batch| joined.append(batch.get("x").unwrap()).unwrap());
            assert!(joined == *expected.get("x").unwrap(), "{kind} {endian:?}");
            let some = Wanted { rows: Some(7..count as i64 - 1), ..wanted };
            let some = whole.batches(&some).unwrap().map(|batch| batch.unwrap().num_rows());
            assert_eq!(some.sum::<usize>(), count - 8);
        }
        let cut: Arc<dyn Table> = Arc::new(table(&bytes[..bytes.len() - 1], &text, endian));
        let wanted = Wanted { batch_rows: usize::MAX, batch_bytes: u64::MAX, ..Wanted::new() };
        let mut batches = cut.batches(&wanted).unwrap();
        let rows = if size > 1 { batches.next().unwrap().unwrap().num_rows() } else { count - 1 };
        assert_eq!(rows, count - 1, "{kind}");
        if size > 1 {
            let e = batches.next().unwrap().unwrap_err();
            let (at, left) = ((count - 1) * size, size - 1);
            assert!(e.to_string().starts_with(&format!("[{}]", count - 1)), "{e}");
            assert!(e.offset().unwrap() >= at as u64 && left > 0, "{e}");
        }
    }
}

/// The bytes of rows that are those of their columns in memory.
#[test]
fn an_image_of_rows_is_their_bytes() {
    let native = if cfg!(target_endian = "little") { Endian::Little } else { Endian::Big };
    let other = if native == Endian::Little { Endian::Big } else { Endian::Little };
    let bytes: Vec<u8> = (0..12 * 9).collect();
    let image = |text: &str, endian| {
        let table: Arc<dyn Table> = Arc::new(table(&bytes, text, endian));
        let batch = table.image()?.batches(&Wanted::new()).unwrap().next()?.unwrap();
        Some(batch.get("row").unwrap().clone())
    };
    let found = image("record\n  a: u32\n  b: [f32; 2]\n", native).unwrap();
    assert_eq!(found, binfmt::columns::Column::FixedBytes { size: 12, rows: 9, bytes: bytes.clone() });
    for text in
        ["record\n  a: bool\n  b: u8\n", "record\n  a: u8, nullable\n", VARIABLE, "record\n  a: u24\n"]
    {
        assert!(image(text, native).is_none(), "{text}");
    }
    assert!(image("record\n  a: u32\n", other).is_none());
    let numbered = table(&bytes, "record\n  a: u32\n", native).with_row_numbers();
    assert!((Arc::new(numbered) as Arc<dyn Table>).image().is_none());
    let fixed = table(&bytes, FIXED, native);
    assert!(fixed.fills(&[0, 1, 2]) && !table(&bytes, VARIABLE, native).fills(&[0]));
}

#[test]
fn rows_of_any_size_are_cut_where_they_were_found() {
    let bytes = sample(VARIABLE, 100_000, Endian::Little);
    let found = table(&bytes, VARIABLE, Endian::Little);
    assert_eq!(found.num_rows(), Estimate::Unknown);
    assert_eq!(found.splits(&Wanted::new(), 4).unwrap().len(), 1);
    found.find_rows().unwrap();
    assert_eq!(found.num_rows(), Estimate::Exact(100_000));
    let splits = found.splits(&Wanted::new(), 4).unwrap();
    assert_eq!(splits.len(), 4, "{splits:?}");
    let table: Arc<dyn Table> = Arc::new(found);
    let plan = Plan::new(&layout(VARIABLE)).unwrap();
    let expected = rows([&plan.decode(&bytes).unwrap()]);
    for parts in [1, 2, 4] {
        assert_eq!(all(&table, &Wanted::new(), parts).0, expected);
    }
    let some = Wanted::new().rows(40_000..70_000);
    assert_eq!(all(&table, &some, 3).0, expected[40_000..70_000]);
    // a part of the second block: what is before it is neither read nor decoded
    let split = &table.splits(&Wanted::new().rows(40_000..40_001), 3).unwrap()[0];
    assert_eq!((split.first, split.rows.clone()), (32_768, 40_000..40_001));
}

#[test]
fn numbers_of_rows_are_a_column_and_choose_rows() {
    let bytes = sample(FIXED, 100, Endian::Big);
    let numbered = table(&bytes, FIXED, Endian::Big).with_row_numbers();
    let column = numbered.schema().position("_row").unwrap();
    let table: Arc<dyn Table> = Arc::new(numbered);
    let wanted = Wanted::new().columns([column, 0, column]).range(column, 10i64..20).batch_rows(3);
    for parts in [1, 3] {
        let mut seen = Vec::new();
        for split in table.splits(&wanted, parts).unwrap() {
            assert!(split.bytes.start >= 160 && split.bytes.end <= 320, "{split:?}");
            for batch in read(&table, &split, &wanted).0 {
                let all = batch.into_columns();
                let numbers = all[0].1.as_slice::<i64>().unwrap();
                let ids: Vec<i64> =
                    all[1].1.as_slice::<u32>().unwrap().iter().map(|id| (*id).into()).collect();
                assert_eq!((numbers, &all[0].1), (&*ids, &all[2].1));
                seen.extend_from_slice(numbers);
            }
        }
        assert_eq!(seen, (10..20).collect::<Vec<i64>>());
    }
    assert!(table.splits(&Wanted::new().range(column, 100i64..), 4).unwrap().is_empty());
}

#[test]
fn what_is_left_after_the_last_row_is_an_error_of_the_last_part() {
    for cut in 1..16 {
        let bytes = sample(FIXED, 10, Endian::Little);
        let bytes = &bytes[..bytes.len() - cut];
        let table: Arc<dyn Table> = Arc::new(table(bytes, FIXED, Endian::Little));
        assert_eq!(table.num_rows(), Estimate::About(9));
        for parts in [1, 2, 4, 20] {
            let (found, e) = all(&table, &Wanted::new(), parts);
            assert_eq!(found.len(), 9);
            let e = e.expect("a row that is not whole").to_string();
            assert!(e.starts_with("[9]") && e.contains("at byte 0x9"), "{e}");
        }
        // who wants only whole rows has them
        assert!(all(&table, &Wanted::new().rows(0..9), 2).1.is_none());
    }
    let table: Arc<dyn Table> = Arc::new(table(&[1, 2], FIXED, Endian::Little));
    assert!(all(&table, &Wanted::new(), 3).1.is_some());
}

#[test]
fn damage_has_its_place_in_the_file_and_the_rows_before_it() {
    let mut bytes = sample(FIXED, 100, Endian::Little);
    bytes[16 * 70 + 4] = 200;
    let plan = Plan::new(&layout(FIXED)).unwrap();
    let expected = plan.decode(&bytes).unwrap_err().to_string();
    let table: Arc<dyn Table> = Arc::new(table(&bytes, FIXED, Endian::Little));
    for parts in [1, 3, 100] {
        let (found, e) = all(&table, &Wanted::new().batch_rows(7), parts);
        assert_eq!((found.len(), e.unwrap().to_string()), (70, expected.clone()));
    }

    let mut bytes = sample(VARIABLE, 100_000, Endian::Little);
    let end = bytes.len() - 3;
    bytes.truncate(end);
    let plan = Plan::new(&layout(VARIABLE)).unwrap();
    let expected = plan.decode(&bytes).unwrap_err().to_string();
    let whole = self::table(&bytes, VARIABLE, Endian::Little);
    assert!(whole.find_rows().is_err());
    let table: Arc<dyn Table> = Arc::new(whole);
    let (found, e) = all(&table, &Wanted::new(), 3);
    assert_eq!((found.len(), e.unwrap().to_string()), (99_999, expected));
}

#[test]
fn a_part_of_another_file_is_told() {
    let table: Arc<dyn Table> = Arc::new(table(&sample(FIXED, 10, Endian::Little), FIXED, Endian::Little));
    let split = Split { rows: 8..20, first: 8, bytes: 128..320, ..Split::default() };
    let (found, e) = read(&table, &split, &Wanted::new());
    assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), 2);
    assert_eq!(e.unwrap().to_string(), "[10].id at byte 0xa0: 4 bytes needed, 0 remain");
}

#[test]
fn files_of_a_folder_are_read_as_those_in_memory() {
    let folder = std::env::temp_dir().join(format!("binfmt-table-{}", std::process::id()));
    let files = Folder::new(&folder);
    let bytes = sample(VARIABLE, 5000, Endian::Little);
    files.write("a:b.bin", &bytes).unwrap();
    let plan = Plan::new(&layout(VARIABLE)).unwrap();
    let expected = rows([&plan.decode(&bytes).unwrap()]);
    let table = RowsTable::open(Arc::new(files), "a:b.bin", &layout(VARIABLE), &Options::new()).unwrap();
    table.find_rows().unwrap();
    let table: Arc<dyn Table> = Arc::new(table);
    assert_eq!(all(&table, &Wanted::new().rows(100..4000), 3).0, expected[100..4000]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Fields of rows at random, and their bytes.
fn any_rows(r: &mut Random, count: usize) -> (String, Vec<u8>) {
    const FIELDS: &[&str] = &[
        "i32",
        "bool",
        "f64, nullable",
        "text, length_prefixed(u32)",
        "text, length_prefixed(u32), nul",
        "text, length_prefixed(u8, max = 30)",
        "text, nul",
        "bytes, length_prefixed(i16)",
        "[u16], length_prefixed(u8)",
        "text, nullable(present = 1, missing = 0), length_prefixed(u16)",
    ];
    let fields: Vec<&str> = (0..1 + r.below(5)).map(|_| r.pick(FIELDS)).collect();
    let layout: String = fields.iter().enumerate().map(|(i, field)| format!("  f{i}: {field}\n")).collect();
    let mut out = Vec::new();
    let text = |r: &mut Random, out: &mut Vec<u8>, len: usize| {
        out.extend((0..len).map(|_| b'a' + r.below(26) as u8));
    };
    for field in (0..count).flat_map(|_| &fields) {
        let len = r.below(30) as usize;
        match *field {
            "i32" => out.extend((r.next() as i32).to_le_bytes()),
            "bool" => out.push(r.below(2) as u8),
            "f64, nullable" => {
                let missing = r.below(3) == 0;
                out.push(if missing { 3 } else { 255 });
                out.extend(if missing { [0; 8] } else { (r.below(1000) as f64).to_le_bytes() });
            }
            "text, length_prefixed(u32)" => {
                out.extend((len as u32).to_le_bytes());
                text(r, &mut out, len);
            }
            "text, length_prefixed(u32), nul" => {
                out.extend((len as u32 + 1).to_le_bytes());
                text(r, &mut out, len);
                out.push(0);
            }
            "text, length_prefixed(u8, max = 30)" => {
                out.push(len as u8);
                text(r, &mut out, len);
            }
            "text, nul" => {
                text(r, &mut out, len);
                out.push(0);
            }
            "bytes, length_prefixed(i16)" => {
                out.extend((len as i16).to_le_bytes());
                text(r, &mut out, len);
            }
            "[u16], length_prefixed(u8)" => {
                out.push(len as u8);
                text(r, &mut out, len * 2);
            }
            _ => {
                let missing = r.below(3) == 0;
                out.push(u8::from(!missing));
                out.extend(if missing { [0; 2] } else { (len as u16).to_le_bytes() });
                text(r, &mut out, if missing { 0 } else { len });
            }
        }
    }
    (format!("record, le\n{layout}"), out)
}

/// All that several threads make of the tasks of a part, up to the first error.
fn by_threads(table: &Arc<dyn Table>, wanted: &Wanted, threads: usize) -> (Vec<String>, Option<String>) {
    let split = &table.splits(wanted, 1).unwrap()[0];
    let tasks = Mutex::new((0..).zip(table.clone().tasks(split, wanted).unwrap()));
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = tasks.lock().unwrap().next();
                    let Some((number, task)) = next else { break };
                    let batches = task();
                    done.lock().unwrap().insert(number, batches);
                }
            });
        }
    });
    let (mut found, mut e) = (Vec::new(), None);
    for batch in done.into_inner().unwrap().into_values().flatten() {
        match batch {
            _ if e.is_some() => {}
            Ok(batch) => found.extend(rows([&batch])),
            Err(error) => e = Some(error.to_string()),
        }
    }
    (found, e)
}

#[test]
fn threads_read_what_one_reads_whatever_is_damaged() {
    const SEEDS: u64 = if cfg!(debug_assertions) { 150 } else { 600 };
    let mut failed = 0;
    for seed in 0..SEEDS {
        let mut r = Random::new(seed);
        // some have several blocks
        let count = if seed % 7 == 0 { 3000 } else { r.pick(&[1, 7, 100]) };
        let (text, mut bytes) = any_rows(&mut r, count);
        if !bytes.is_empty() {
            for _ in 0..r.below(3) {
                let at = r.below(bytes.len() as u64) as usize;
                bytes[at] = r.next() as u8;
            }
            let cut = r.below(4 * bytes.len() as u64) as usize;
            bytes.truncate(if cut < bytes.len() { cut } else { bytes.len() });
        }
        let table = table(&bytes, &text, Endian::Little);
        let table = if seed % 2 == 0 { table.with_row_numbers() } else { table };
        let table: Arc<dyn Table> = Arc::new(table);
        let mut wanted = Wanted::new().batch_rows(r.pick(&[1, 10, 500, 8192]));
        wanted.batch_bytes = r.pick(&[1, 1000, 4 << 20]);
        let wanted = if r.below(4) == 0 { wanted.rows(5..1 + count as i64 / 2) } else { wanted };
        if table.splits(&wanted, 1).unwrap().is_empty() {
            continue;
        }
        let (expected, e) = all(&table, &wanted, 1);
        let e = e.map(|e| e.to_string());
        failed += u64::from(e.is_some());
        for threads in [1, 2, 3] {
            assert_eq!(by_threads(&table, &wanted, threads), (expected.clone(), e.clone()), "{seed}: {text}");
        }
    }
    assert!(failed > SEEDS / 6, "{failed}");
}

/// A file that is still coming: who asks how long it is would wait for ever.
struct Arriving(Vec<u8>);

impl Storage for Arriving {
    fn list(&self, _: &str) -> std::io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn size(&self, _: &str) -> std::io::Result<Option<u64>> {
        panic!("nobody waits for the end")
    }

    fn read(&self, _: &str, _: u64, _: &mut [u8]) -> std::io::Result<()> {
        panic!("it is read as far as it has come")
    }

    fn read_some(&self, _: &str, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(5);
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }

    fn is_arriving(&self, _: &str) -> bool {
        true
    }

    fn write(&self, _: &str, _: &[u8]) -> std::io::Result<()> {
        panic!("it is only read")
    }
}

#[test]
fn rows_of_a_file_that_is_still_coming_are_read_forward() {
    for text in [FIXED, VARIABLE, CHOSEN] {
        let bytes = sample(text, 100, Endian::Little);
        let whole: Arc<dyn Table> = Arc::new(table(&bytes, text, Endian::Little));
        let options = Options::new().endian(Endian::Little);
        let coming = Arc::new(Arriving(bytes));
        let coming: Arc<dyn Table> =
            Arc::new(RowsTable::open(coming, "file", &layout(text), &options).unwrap());
        assert_eq!(coming.num_rows(), Estimate::Unknown);
        for wanted in [Wanted::new(), Wanted::new().rows(10..20), Wanted::new().rows(90..i64::MAX)] {
            assert_eq!(coming.splits(&wanted, 4).unwrap().len(), 1);
            let of = |table| all(table, &wanted, 1);
            let ((found, damage), (expected, _)) = (of(&coming), of(&whole));
            assert_eq!((found, damage.is_none()), (expected, true), "{text} {wanted:?}");
        }
    }
}

#[test]
fn a_wanted_row_that_is_cut_short_is_missed() {
    let bytes = sample(FIXED, 5, Endian::Little);
    let cut: Arc<dyn Table> = Arc::new(table(&bytes[..bytes.len() - 1], FIXED, Endian::Little));
    let is_whole = |rows: std::ops::Range<i64>| all(&cut, &Wanted::new().rows(rows), 1).1.is_none();
    assert!(is_whole(0..4) && is_whole(2..3));
    assert!(!is_whole(0..5) && !is_whole(3..i64::MAX) && !is_whole(4..5));
    assert!(is_whole(5..9) && all(&cut, &Wanted::new().rows(4..9), 1).0.is_empty());
}

#[test]
fn tasks_of_any_layout_are_what_one_reads_of_any_bytes() {
    let (mut whole, mut damaged) = (0, 0);
    for seed in 0..600 {
        let mut r = Random::new(seed);
        let layout = random::any_layout(&mut r, true);
        let Some(root) = layout.resolve(&layout.root) else { continue };
        let values: Vec<_> = (0..1 + r.below(40)).map(|_| random::value(&mut r, root)).collect();
        let Ok(mut bytes) = binfmt::encode_all_with(&values, &Options::new().ctx(&layout)) else { continue };
        // rows without bytes have no end
        if bytes.is_empty() {
            continue;
        }
        if seed % 2 == 0 {
            let at = r.below(bytes.len() as u64) as usize;
            bytes[at] = r.next() as u8;
            bytes.truncate(bytes.len() - r.below(2) as usize * at / 3);
        }
        let Ok(table) = RowsTable::open(file(&bytes), "file", &layout, &Options::new()) else { continue };
        let table: Arc<dyn Table> = Arc::new(table);
        let mut wanted = Wanted::new().batch_rows(r.pick(&[1, 3, 20]));
        wanted.batch_bytes = r.pick(&[1, 100, 4 << 20]);
        wanted.limit = r.pick(&[None, None, Some(1), Some(5)]);
        // which compares what tasks make
        match all(&table, &wanted, 1) {
            (rows, None) => whole += usize::from(rows.len() > 1),
            (_, Some(_)) => damaged += 1,
        }
    }
    assert!(whole > 20 && damaged > 20, "{whole} {damaged}");
}
