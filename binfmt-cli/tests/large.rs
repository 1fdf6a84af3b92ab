//! Files that are larger than the memory that the command may have.

#![cfg(target_os = "linux")]

mod support;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use support::{Folder, cpu_of_children};

/// What the data may take beside the program itself, in kilobytes of address space.
const FOR_DATA: u32 = 8 << 10;

/// The command under a limit of address space, in kilobytes.
fn within(limit: u32, words: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let line = format!("ulimit -v {limit}; exec \"$0\" \"$@\"");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_binfmt")]).args(words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the command takes for a file without data: its own code, its libraries and stacks. Another format adds to it.
fn empty_run() -> u32 {
    static LEAST: OnceLock<u32> = OnceLock::new();
    *LEAST.get_or_init(|| {
        let folder = Folder::new("empty");
        let file = folder.file("empty.bin", b"");
        let words = ["check", &file, "--format", "scidb", "--schema", "(int8)"];
        let is_enough = |limit: u32| within(limit, &words).output().unwrap().status.success();
        let (mut small, mut large) = (1 << 10, 1 << 20);
        assert!(is_enough(large), "1 GiB is enough to do nothing");
        while large - small > 256 {
            let middle = small.midpoint(large);
            if is_enough(middle) { large = middle } else { small = middle }
        }
        large
    })
}

/// The command with little memory for the data of a load file.
fn limited(words: &[&str], schema: &str) -> Command {
    limited_plain(&[words, &["--format", "scidb", "--schema", schema]].concat())
}

/// A file of zeros that takes no room, with one number after `at` bytes.
fn sparse(folder: &Folder, len: u64, at: u64) -> String {
    use std::io::{Seek, SeekFrom};
    let path = folder.path("sparse.bin");
    let mut file = std::fs::File::create(&path).unwrap();
    file.set_len(len).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&7_u64.to_le_bytes()).unwrap();
    path
}

#[track_caller]
fn text(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const GB: u64 = 1 << 30;

#[test]
fn a_part_of_a_large_file_is_read_at_once() {
    let folder = Folder::new("part");
    let file = sparse(&folder, 2 * GB, GB + 8);
    let began = cpu_of_children();
    let rows = format!("{}..{}", GB / 16, GB / 16 + 2);
    assert_eq!(
        text(&mut limited(&["cat", &file, "--rows", &rows], "(uint64, uint64)")),
        "a\tb\n0\t7\n0\t0\n"
    );
    assert_eq!(text(&mut limited(&["cat", &file, "--rows", "5..6"], "(uint64, uint64)")), "a\tb\n0\t0\n");
    let summary = text(&mut limited(&["inspect", &file], "(uint64, uint64)"));
    assert!(summary.contains("134217728"), "{summary}");
    let range = format!("{}..{}", GB + 8, GB + 16);
    let dump = text(&mut limited(&["dump", &file, "--range", &range], "(uint64, uint64)"));
    assert!(dump.starts_with("0x40000008") && dump.contains("[67108864].b: 7"), "{dump}");
    let taken = cpu_of_children() - began;
    assert!(taken < Duration::from_secs(10), "{taken:?}");
}

#[test]
fn rows_are_chosen_and_summed_up_in_little_memory() {
    let folder = Folder::new("chosen");
    let schema = "(uint64, uint64)";
    let file = sparse(&folder, 2 * GB, 2 * GB - 24);
    assert_eq!(text(&mut limited(&["cat", &file, "--rows", "-2.."], schema)), "a\tb\n0\t7\n0\t0\n");
    let file = sparse(&folder, 24 << 20, (12 << 20) + 8);
    assert_eq!(text(&mut limited(&["cat", &file, "--where", "b = 7"], schema)), "a\tb\n0\t7\n");
    let some = text(&mut limited(&["cat", &file, "--sample", "3"], schema));
    assert_eq!(some.lines().count(), 4, "{some}");
    let stats = text(&mut limited(&["stats", "--json", &file], schema));
    assert!(stats.contains("\"rows\": 1572864") && stats.contains("\"max\": 7"), "{stats}");
}

/// How often the system gave pages of memory to the command.
fn page_faults(words: &[&str]) -> u64 {
    let mut command = Command::new("sh");
    command.args(["-c", "\"$0\" \"$@\" > /dev/null && cat /proc/$$/stat", env!("CARGO_BIN_EXE_binfmt")]);
    let stat = text(command.args(words));
    // after the name, which may have blanks: `cminflt` is the eleventh field
    let after = stat.rsplit(')').next().unwrap();
    after.split_whitespace().nth(8).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_env = "gnu")]
fn memory_of_batches_is_used_again() {
    let folder = Folder::new("faults");
    let row = [&[1; 12][..], &9u32.to_le_bytes(), b"some text"].concat();
    let front =
        b"SDDS1\n!# little-endian\n&column name=i, type=long &end\n&column name=x, type=double &end\n\
        &column name=s, type=string &end\n&data mode=binary &end\n";
    let faults = |rows: u32| {
        let file =
            folder.file("x.sdds", &[front, &rows.to_le_bytes()[..], &row.repeat(rows as usize)].concat());
        page_faults(&["stats", "--brief", &file])
    };
    let (few, many) = (faults(50_000), faults(650_000));
    // 15 MB more, which are decoded to as many
    assert!(many < few + 1500, "{few} and {many} page faults");
}

#[test]
fn who_wants_the_first_lines_waits_for_no_others() {
    let folder = Folder::new("first");
    let file = sparse(&folder, 2 * GB, GB);
    let began = cpu_of_children();
    for form in ["--tsv", "--csv", "--json", "--table"] {
        let mut child = limited(&["cat", &file, form], "(uint64, string null)").spawn().unwrap();
        let mut some = [0; 64];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{form}: {output:?}");
    }
    let taken = cpu_of_children() - began;
    assert!(taken < Duration::from_secs(10), "{taken:?}");
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let folder = Folder::new("flat");
    let file = sparse(&folder, 2 * GB, GB);
    // large cells, so that the test takes seconds in a build that is not optimised
    let ok = |cells: u64| format!("{file}: ok ({cells} cells, 2147483648 bytes)\n");
    assert_eq!(text(&mut limited(&["check", &file], "(binary(1048576))")), ok(2048));
    assert_eq!(text(&mut limited(&["check", &file], "(uint64, skip(1048568))")), ok(2048));
    let csv = text(&mut limited(&["cat", "--csv", &file], "(uint64, skip(1048568))"));
    assert_eq!((csv.lines().count(), csv.lines().nth(1025)), (2049, Some("7")));
    // cells of any size: lengths of 0, then a damaged end
    let out = limited(&["check", &file], "(string, skip(1048570))").output().unwrap();
    assert!(
        String::from_utf8(out.stderr).unwrap().contains("[2048].padding at byte "),
        "it ends inside a cell"
    );
}

#[test]
fn memory_does_not_grow_with_the_number_of_cells() {
    let folder = Folder::new("many");
    // the whole file is more than there is for its data
    let file = sparse(&folder, 33 << 20, 8);
    let wide = format!("({})", ["uint64"; 128].join(", "));
    for form in ["--json", "--table"] {
        let done = limited(&["cat", form, &file], &wide).stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "{form}");
    }
}

#[test]
fn a_length_that_promises_much_takes_no_memory() {
    let folder = Folder::new("promise");
    let mut bytes = u32::MAX.to_le_bytes().to_vec();
    bytes.extend_from_slice(&[0x61; 100]);
    let file = folder.file("x.bin", &bytes);
    for words in [&["cat", &file][..], &["check", &file], &["dump", &file], &["inspect", &file]] {
        let output = limited(words, "(string)").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}

#[test]
fn arrays_of_any_number_are_columns_in_little_memory() {
    let folder = Folder::new("wide");
    let array = |rows: u64, byte: u8| {
        [&b"b\x02\x01 f64"[..], &rows.to_le_bytes(), &vec![byte; rows as usize * 8]].concat()
    };
    // a batch of all columns is no larger than one of few
    let long = folder.file("long.in", &(0..200).flat_map(|_| array(16_000, 0)).collect::<Vec<_>>());
    let last = text(&mut within(empty_run() + 3 * FOR_DATA, &["cat", "--csv", &long, "--rows", "8000.."]));
    assert_eq!((last.lines().count(), last.lines().last().map(str::len)), (8_001, Some(799)));
    // more than files can be open
    let many = folder.file("many.in", &(0..3000).flat_map(|_| array(2, 0)).collect::<Vec<_>>());
    let mut command = Command::new("sh");
    let line = "ulimit -n 64; exec \"$0\" \"$@\"";
    command.args(["-c", line, env!("CARGO_BIN_EXE_binfmt"), "cat", "--csv", &many, "--rows", "1.."]);
    let shown = text(&mut command);
    assert_eq!(shown.lines().nth(1).map(|line| line.split(',').count()), Some(3000));
    // those in text are read from the first row on, in several batches, of which each goes on where the last has ended
    let rows = |n: u32| (0..12_000).map(|row| format!("{}i32", row * 100 + n)).collect::<Vec<_>>().join(",");
    let texts = (0..100).map(|n| format!("[{}]\n", rows(n))).collect::<String>();
    let texts = folder.file("texts.in", texts.as_bytes());
    for (from, lines) in [("0..", 12_001), ("7000..", 5_001)] {
        let mut command = Command::new("sh");
        command.args(["-c", line, env!("CARGO_BIN_EXE_binfmt"), "cat", "--csv", &texts, "--rows", from]);
        let shown = text(&mut command);
        assert_eq!(shown.lines().count(), lines);
        let numbers =
            shown.lines().skip(1).flat_map(|line| line.split(',')).map(|n| n.parse::<usize>().unwrap());
        assert!(numbers.eq((12_001 - lines) * 100..1_200_000), "{from}");
    }
    // more than a table may have
    let values = folder.file("values.in", &b"1u8 ".repeat((1 << 18) + 1));
    let done = within(empty_run() + FOR_ALL, &["stats", &values]).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(1) && said.contains("262144 columns at most"), "{said}");
}

/// The same, on files that say what they are.
fn limited_plain(words: &[&str]) -> Command {
    within(empty_run() + FOR_DATA, words)
}

#[test]
fn rows_of_a_large_page_are_read_in_ranges() {
    use std::io::{Seek, SeekFrom};
    let folder = Folder::new("pages");
    let rows = 4_u64 << 20;
    for order in ["", "column_major_order=1, "] {
        let mut bytes =
            b"SDDS3\n&column name=a, type=long, &end\n&column name=b, type=double, &end\n".to_vec();
        bytes.extend_from_slice(format!("&data mode=binary, {order}endian=little, &end\n").as_bytes());
        let table = bytes.len() as u64 + 4;
        bytes.extend_from_slice(&(rows as u32).to_le_bytes());
        let path = folder.file("x.sdds", &bytes);
        let mut file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(table + rows * 12).unwrap();
        let row = rows - 2;
        let at = if order.is_empty() { table + row * 12 + 4 } else { table + rows * 4 + row * 8 };
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&0.5_f64.to_le_bytes()).unwrap();
        let range = format!("{}..", rows - 3);
        let shown = text(&mut limited_plain(&["cat", &path, "--rows", &range, "--columns", "b,a"]));
        assert_eq!(shown, "# page 0\nb\ta\n0.0\t0\n0.5\t0\n0.0\t0\n");
        assert!(text(&mut limited_plain(&["check", &path])).contains(": ok (1 page, "));
        assert!(text(&mut limited_plain(&["inspect", &path])).contains("4194304"));
    }
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    let folder = Folder::new("none");
    let source =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/tiledb/d2_var_nofilter/__array_schema.tdb");
    let mut schema = std::fs::read(source).unwrap();
    // what the tile of the schema is without its filters
    schema[12..20].copy_from_slice(&(900_u64 << 20).to_le_bytes());
    folder.file("__array_schema.tdb", &schema);
    let done = limited_plain(&["dump", &folder.path("__array_schema.tdb")]).output().unwrap();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("cannot allocate 943718400 bytes"), "{said}");
    // an object is held whole, and what there is room for is shown
    let object = begun(&folder, "object.bin", &(24u64 << 17).to_le_bytes(), 24 << 20);
    let words = ["dump", &object, "--format", "beat", "--schema", r#"{"x": [0, "float64"]}"#];
    let done = limited_plain(&words).output().unwrap();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(done.stdout.starts_with(b"0x00000000  00 00 30 00"), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stderr).starts_with("error: "), "{done:?}");
}

#[test]
fn pages_of_any_number_are_read_in_little_memory() {
    const PAGES: u32 = 150_000;
    let folder = Folder::new("many pages");
    let mut bytes = b"SDDS1\n!# little-endian\n&parameter name=p, type=long &end\n\
        &column name=a, type=short &end\n&data mode=binary &end\n"
        .to_vec();
    for page in 0..PAGES {
        bytes.extend_from_slice(&[1_u32.to_le_bytes(), page.to_le_bytes()].concat());
        bytes.extend_from_slice(&7_u16.to_le_bytes());
    }
    let file = folder.file("x.sdds", &bytes);
    // what is remembered of pages is some megabytes
    let limit = empty_run() + 3 * FOR_DATA;
    let last = ["cat", "--jsonl", "--where", "p >= 149998", "--columns", "p,a", &file];
    assert_eq!(text(&mut within(limit, &last)), "{\"p\":149998,\"a\":7}\n{\"p\":149999,\"a\":7}\n");
    let stats = text(&mut within(limit, &["stats", "--json", "--brief", &file]));
    assert!(stats.contains("\"rows\": 150000"), "{stats}");
}

#[test]
fn what_is_told_of_chunks_does_not_grow_with_them() {
    let folder = Folder::new("chunks");
    let mut bytes = b"binary\nuser/x/1\n".to_vec();
    for i in 0..600_000 {
        bytes.extend_from_slice(format!("{i} {i} 2\nx\n").as_bytes());
    }
    let file = folder.file("x.data", &bytes);
    let told = text(&mut limited_plain(&["inspect", &file]));
    assert!(told.contains("Chunks       600000\n") && told.contains("0 to 599999\n"), "{told}");
    for chosen in [["--rows", "-1.."], ["--where", "_start >= 599999"]] {
        let words = [&["cat", "--csv", &file, "--schema", r#"{"x": "int8"}"#][..], &chosen].concat();
        assert_eq!(text(&mut limited_plain(&words)), "_start,_end,x\n599999,599999,120\n", "{chosen:?}");
    }
}

/// A file of which the first bytes are these, and `len` bytes after them zeros that take no room.
fn begun(folder: &Folder, name: &str, front: &[u8], len: u64) -> String {
    let path = folder.file(name, front);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(front.len() as u64 + len).unwrap();
    path
}

#[test]
fn a_cell_is_held_once() {
    const LEN: u32 = 40 << 20;
    let folder = Folder::new("cell");
    let mut front =
        b"SDDS1\n!# little-endian\n&column name=s, type=string &end\n&data mode=binary &end\n\x01\0\0\0"
            .to_vec();
    front.extend_from_slice(&LEN.to_le_bytes());
    let file = begun(&folder, "x.sdds", &front, LEN.into());
    // its bytes come in blocks, for which room doubles
    let limit = empty_run() + FOR_DATA + (LEN >> 10) * 2;
    for form in ["--csv", "--tsv", "--table", "--json"] {
        let done = within(limit, &["cat", form, &file]).stdout(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{form}: {done:?}");
    }
}

#[test]
fn a_dump_takes_no_more_than_it_may() {
    let folder = Folder::new("dump");
    let text = begun(&folder, "x.bin", &u32::MAX.to_le_bytes(), (4 * GB) - 1);
    let object = begun(&folder, "object.bin", &(2 * GB / 8).to_le_bytes(), 2 * GB);
    for words in [
        &["dump", &text, "--format", "scidb", "--schema", "(string)"][..],
        &["find", "x", &text, "--format", "scidb", "--schema", "(string)"],
        &["dump", &object, "--format", "beat", "--schema", r#"{"x": [0, "float64"]}"#],
    ] {
        let done = within(empty_run() + (2 << 20), words).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains("--max-memory allows more"), "{words:?}: {said}");
    }
}

#[test]
fn a_dump_comes_in_parts() {
    const LEN: u64 = 64 << 20;
    let folder = Folder::new("parts");
    let mut front = b"b\x02\x01 f64".to_vec();
    front.extend_from_slice(&(LEN / 8).to_le_bytes());
    let array = begun(&folder, "x.in", &front, LEN);
    let dump = text(&mut limited_plain(&["dump", &array]));
    assert!(dump.contains("[0, 0, 0, 0, 0, 0, 0, 0, … 8388600 more]"), "{dump}");
    let pages = |name: &str, order: &str, rows: u32, columns: &str| {
        let mut front =
            format!("SDDS1\n!# little-endian\n{columns}&data mode=binary {order}&end\n").into_bytes();
        front.extend_from_slice(&rows.to_le_bytes());
        begun(&folder, name, &front, u64::from(rows) * 12)
    };
    let columns = "&column name=a, type=long &end\n&column name=b, type=double &end\n";
    let wide = pages("columns.sdds", "column_major_order=1 ", 4 << 20, columns);
    let dump = text(&mut limited_plain(&["dump", &wide]));
    assert!(dump.contains("pages[0].table.b: [0, 0, 0, 0, 0, 0, 0, 0, … 4194296 more]"), "{dump}");
    // what is noted of a value takes more than ten times its bytes
    let rows = pages("rows.sdds", "", 60_000, columns);
    let dump = text(&mut limited_plain(&["dump", &rows]));
    assert!(dump.ends_with("pages[0].table[59999].b: 0 (f64 le)\n"));
    // a group is told where it ends
    let json = text(&mut limited_plain(&["dump", "--jsonl", &rows]));
    let pages: Vec<&str> = json.lines().filter(|line| line.contains("\"path\":\"pages\"")).collect();
    assert!(pages.len() == 1 && pages[0].contains("\"end\":720"), "{pages:?}");
    let overview = text(&mut limited_plain(&["dump", &rows, "--depth", "1"]));
    assert!(
        overview.ends_with(" … 719940 bytes more\n") && overview.contains("pages[0]: 720004 bytes"),
        "{overview}"
    );
}

/// A page of rows of a `long` and a `double`, and the header of one.
fn numbered(folder: &Folder, rows: u32) -> String {
    let mut bytes =
        b"SDDS1\n!# little-endian\n&parameter name=p, type=short &end\n&column name=a, type=long &end\n\
        &column name=b, type=double &end\n&data mode=binary &end\n"
            .to_vec();
    bytes.extend_from_slice(&rows.to_le_bytes());
    bytes.extend_from_slice(&7_u16.to_le_bytes());
    for i in 0..rows {
        bytes.extend_from_slice(&i.to_le_bytes());
        bytes.extend_from_slice(&(f64::from(i) / 2.0).to_le_bytes());
    }
    folder.file("numbered.sdds", &bytes)
}

#[test]
fn a_page_of_any_size_is_converted_in_blocks() {
    const ROWS: u32 = 900_000;
    let folder = Folder::new("blocks");
    let rows = numbered(&folder, ROWS);
    let converted = |words: &[&str], input: &str, name: &str| {
        let out = folder.path(name);
        let done = limited_plain(&[&["convert", input, &out], words].concat()).output().unwrap();
        assert!(done.status.success() && done.stderr.is_empty(), "{words:?}: {done:?}");
        out
    };
    let read = |path: &str| std::fs::read(path).unwrap();
    let big = converted(&["--byte-order", "big"], &rows, "big.sdds");
    let columns = converted(&["--order", "column"], &big, "columns.sdds");
    let other = converted(&["--byte-order", "little"], &columns, "other.sdds");
    let again = converted(&["--order", "row", "--byte-order", "little"], &other, "again.sdds");
    assert!(read(&big) != read(&rows) && read(&columns) != read(&other) && read(&other) != read(&again));
    // the header says a little more than one made by hand
    let tail = ROWS as usize * 12 + 6;
    let (again, rows_of) = (read(&again), read(&rows));
    assert!(again[again.len() - tail..] == rows_of[rows_of.len() - tail..]);
    // a compressed one, and a stream, is put aside where one column comes after the other
    let packed = converted(&["--compression", "gz"], &rows, "packed.sdds.gz");
    let again = converted(&["--order", "column", "--byte-order", "big"], &packed, "columns.again.sdds");
    assert!(read(&again) == read(&columns));
    let packed_columns = converted(&["--compression", "gz"], &columns, "columns.sdds.gz");
    let again = converted(&["--order", "row"], &packed_columns, "rows.again.sdds");
    assert!(read(&again) == read(&big));
    let stream = folder.path("stream.sdds");
    let mut command = limited_plain(&["convert", "-", &stream, "--order", "column", "--byte-order", "big"]);
    let done = command.stdin(std::fs::File::open(&rows).unwrap()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(read(&stream) == read(&columns));
    for file in [&rows, &columns, &packed, &packed_columns] {
        let json = text(&mut limited_plain(&["cat", "--json", file]));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let page = &json["pages"][0];
        assert_eq!((page["rows"].as_u64(), page["parameters"]["p"].as_u64()), (Some(ROWS.into()), Some(7)));
        let b = page["columns"]["b"].as_array().unwrap();
        assert!(
            b.iter().enumerate().all(|(i, b)| b.as_f64() == Some(i as f64 / 2.0)) && b.len() == ROWS as usize
        );
    }
    let some = text(&mut limited_plain(&["cat", "--json", "--rows", "899998..", "--columns", "b", &rows]));
    assert!(some.contains("\"columns\":{\"b\":[449999.0,449999.5]}"), "{some}");
    let csv = text(&mut limited_plain(&["cat", "--csv", "--rows", "899998..", &columns]));
    assert_eq!(csv, "a,b\n899998,449999.0\n899999,449999.5\n");
    // compressed and as text, which are read only forward
    let last =
        text(&mut limited_plain(&["cat", "--csv", "--where", "a = 899999", "--columns", "a,b", &packed]));
    assert_eq!(last, "a,b\n899999,449999.5\n");
    let ascii = converted(&["--mode", "ascii"], &packed, "text.sdds");
    let csv = limited_plain(&["cat", "--csv", &ascii]).stdout(Stdio::null()).status().unwrap();
    assert!(csv.success());
}

#[test]
fn strings_of_columns_are_read_in_blocks() {
    const ROWS: u32 = 30_000;
    let folder = Folder::new("strings");
    let head =
        "SDDS1\n!# little-endian\n&column name=s, type=string &end\n&column name=x, type=double &end\n";
    let string = |i: u32| format!("{i}{}", "-".repeat(1000 - i as usize % 500));
    let text_of = |i: u32| [&(string(i).len() as u32).to_le_bytes()[..], string(i).as_bytes()].concat();
    let number = |i: u32| f64::from(i).to_le_bytes();
    let page = |order: &str| format!("{head}&data mode=binary{order} &end\n").into_bytes();
    let count = ROWS.to_le_bytes().to_vec();
    let texts: Vec<u8> = (0..ROWS).flat_map(text_of).collect();
    let numbers: Vec<u8> = (0..ROWS).flat_map(number).collect();
    let columns = folder
        .file("columns.sdds", &[page(", column_major_order=1"), count.clone(), texts, numbers].concat());
    let mixed: Vec<u8> = (0..ROWS).flat_map(|i| [text_of(i), number(i).to_vec()].concat()).collect();
    let rows = folder.file("rows.sdds", &[page(""), count, mixed].concat());
    // in parts of a table, too
    for words in
        [&["cat", "--csv"][..], &["cat", "--jsonl"], &["cat", "--csv", "--rows", "29000..29500"], &["stats"]]
    {
        let of = |limit, file| text(&mut within(limit, &[words, &[file]].concat()));
        assert!(of(empty_run() + FOR_DATA, &columns) == of(1 << 20, &rows), "{words:?}");
    }
    let json = |limit, file| -> serde_json::Value {
        serde_json::from_str(&text(&mut within(limit, &["cat", "--json", file]))).unwrap()
    };
    let all = json(1 << 20, &rows);
    assert!(json(empty_run() + FOR_DATA, &columns)["pages"] == all["pages"]);
    let out = folder.path("out.sdds");
    let done = limited_plain(&["convert", &columns, &out, "--order", "row"]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(json(1 << 20, &out)["pages"] == all["pages"]);
    for words in [&["check", &columns][..], &["inspect", &columns]] {
        assert!(limited_plain(words).output().unwrap().status.success(), "{words:?}");
    }
}

#[test]
fn a_page_of_text_that_does_not_count_its_rows_is_read_in_blocks() {
    let folder = Folder::new("uncounted");
    let mut page = String::from(
        "SDDS1\n&column name=a, type=long &end\n&column name=b, type=double &end\n&data mode=ascii, no_row_counts=1 &end\n",
    );
    (0..900_000).for_each(|i| page += &format!("{i} {}.5\n", i % 7));
    page += "\n7 7\n";
    let file = folder.file("x.sdds", page.as_bytes());
    assert!(text(&mut limited_plain(&["check", &file])).contains(": ok (2 pages, "));
    assert!(text(&mut limited_plain(&["inspect", &file])).contains("900001"));
    let csv = text(&mut limited_plain(&["cat", "--csv", "--rows", "899999..", &file]));
    assert_eq!(csv, "a,b\n899999,2.5\n7,7.0\n");
    let stats = text(&mut limited_plain(&["stats", "--json", &file]));
    assert!(stats.contains("\"rows\": 900001"), "{stats}");
    let json: serde_json::Value =
        serde_json::from_str(&text(&mut limited_plain(&["cat", "--json", &file]))).unwrap();
    assert_eq!((&json["pages"][0]["rows"], &json["pages"][1]["rows"]), (&900_000.into(), &1.into()));
    assert_eq!(json["pages"][0]["columns"]["a"][899_999], 899_999);
    let out = folder.path("out.sdds");
    let done = limited_plain(&["convert", "--mode", "binary", &file, &out]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let again: serde_json::Value =
        serde_json::from_str(&text(&mut limited_plain(&["cat", "--json", &out]))).unwrap();
    assert!(again["pages"] == json["pages"]);
}

#[test]
fn a_text_is_no_larger_than_it_may_be() {
    let folder = Folder::new("texts");
    let long = "x".repeat(3 << 20);
    let len = long.len() as u32;
    let bytes = |front: &[u8]| [front, long.as_bytes()].concat();
    let head = |mode: &str| {
        format!("SDDS1\n!# little-endian\n&column name=s, type=string &end\n&data mode={mode} &end\n")
    };
    let binary = |order: &str| {
        [head(&format!("binary{order}")).as_bytes(), &1_u32.to_le_bytes(), &len.to_le_bytes()].concat()
    };
    let scidb = [&(len + 1).to_le_bytes()[..], long.as_bytes(), b"\0"].concat();
    let object = bytes(&u64::from(len).to_le_bytes());
    let files = [
        ("text.sdds", format!("{}1\n{long}\n", head("ascii")).into_bytes(), &[][..]),
        ("quoted.sdds", format!("{}1\n\"{long}\" ! c\n", head("ascii")).into_bytes(), &[]),
        ("uncounted.sdds", format!("{}{long}\n", head("ascii, no_row_counts=1")).into_bytes(), &[]),
        ("binary.sdds", bytes(&binary("")), &[]),
        ("columns.sdds", bytes(&binary(", column_major_order=1")), &[]),
        ("x.csv", format!("a,b\n1,{long}\n").into_bytes(), &[]),
        ("x.jsonl", format!("{{\"a\":\"{long}\"}}\n").into_bytes(), &[]),
        ("x.bin", scidb, &["--format", "scidb", "--schema", "(string)"]),
        ("object.bin", object, &["--format", "beat", "--schema", r#"{"x": "string"}"#]),
    ];
    for (name, content, said) in files {
        let file = folder.file(name, &content);
        for command in [&["check"][..], &["cat", "--csv"], &["cat", "--jsonl"], &["stats"]] {
            let run = |most: &str| {
                let words = [command, &[&file, "--max-memory", most], said].concat();
                Command::new(env!("CARGO_BIN_EXE_binfmt")).args(&words).output().unwrap()
            };
            let (refused, shown) = (run("1M"), run("64M"));
            let told = String::from_utf8_lossy(&refused.stderr);
            assert!(
                refused.status.code() == Some(1) && told.contains("limit"),
                "{name}, {command:?}: {told}"
            );
            assert!(
                shown.status.success(),
                "{name}, {command:?}: {:?}",
                String::from_utf8_lossy(&shown.stderr)
            );
        }
    }
}

#[test]
fn columns_of_a_large_table_wait_in_a_file() {
    const ROWS: u64 = 3 << 20;
    let folder = Folder::new("aside");
    let mut front = b"\x93NUMPY\x01\0\x76\0".to_vec();
    let dtype = "{'descr': [('a', '<i8'), ('b', '<f8')], 'fortran_order': False, ";
    front.extend_from_slice(format!("{:117}\n", format!("{dtype}'shape': ({ROWS},), }}")).as_bytes());
    let file = begun(&folder, "x.npy", &front, ROWS * 16);
    let mut out = std::fs::File::options().write(true).open(&file).unwrap();
    std::io::Seek::seek(&mut out, std::io::SeekFrom::End(-16)).unwrap();
    out.write_all(&7_u64.to_le_bytes()).unwrap();
    // the table has 48 MiB
    let limit = empty_run() + (40 << 10);
    for (name, words) in [
        ("x.sdds", &["--order", "column"][..]),
        ("x.in", &["--to", "futhark"]),
        ("x.npz", &[]),
        ("x.sdds.gz", &[]),
        ("sparse", &["--to", "tiledb"]),
        ("dense", &["--to", "tiledb", "--array", "dense"]),
    ] {
        let to = folder.path(name);
        let done = within(limit, &[&["convert", &file, &to], words].concat()).output().unwrap();
        assert!(done.status.success(), "{name}: {done:?}");
        if name == "x.npz" {
            continue;
        }
        let last = match name {
            "x.in" => &["cat", "--csv", &to, "--rows", "0..0"][..],
            "dense" | "sparse" => &["cat", "--csv", &to, "--columns", "a,b", "--subarray", "3145727"],
            _ => &["cat", "--csv", &to, "--columns", "a,b", "--rows", "3145727.."],
        };
        let last = text(&mut within(limit, last));
        assert!(last.ends_with("\n7,0.0\n") || name == "x.in", "{name}: {last}");
    }
    let both = text(&mut within(limit, &["inspect", &folder.path("x.in")]));
    assert!(both.contains("i64   [3145728]") && both.contains("f64   [3145728]"), "{both}");
    for array in ["sparse", "dense"].map(|name| folder.path(name)) {
        for words in [&["cat", "--json"][..], &["stats"], &["check"]] {
            let words = [words, &[&array]].concat();
            let done = within(empty_run() + FOR_ALL, &words).stdout(Stdio::null()).output().unwrap();
            assert!(done.status.success(), "{words:?}: {done:?}");
        }
    }
}

#[test]
fn an_array_is_printed_in_pieces() {
    const LEN: u64 = 24 << 20;
    let folder = Folder::new("print");
    let mut front = b"b\x02\x01 f64".to_vec();
    front.extend_from_slice(&(LEN / 8).to_le_bytes());
    let array = begun(&folder, "x.in", &front, LEN);
    let limit = empty_run() + FOR_DATA + 2 * (LEN >> 10) as u32;
    for words in [&["cat", &array][..], &["convert", &array, "/dev/null", "--style", "text"]] {
        let done = within(limit, words).stdout(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
}

#[test]
fn an_array_is_never_held_whole() {
    const LEN: u64 = 64 << 20;
    // batches of a table are some megabytes each
    let limit = empty_run() + (LEN >> 10) as u32 / 2;
    let folder = Folder::new("pieces");
    let mut front = b"b\x02\x02 i64".to_vec();
    front.extend_from_slice(&(LEN >> 16).to_le_bytes());
    front.extend_from_slice(&(1_u64 << 13).to_le_bytes());
    let array = begun(&folder, "x.in", &front, LEN);
    let (again, npy) = (folder.path("again.in"), folder.path("x.npy"));
    for words in [
        &["inspect", &array][..],
        &["check", &array],
        &["cat", &array],
        &["cat", "--json", &array],
        &["cat", "--csv", &array, "--rows", "1020.."],
        &["convert", &array, "/dev/null", "--style", "text"],
        &["convert", &array, &again],
        &["convert", &array, &npy],
    ] {
        let done = within(limit, words).stdout(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
    assert_eq!(std::fs::metadata(&again).unwrap().len(), LEN + front.len() as u64);
}

#[test]
fn what_is_left_of_a_large_page_is_written_in_blocks() {
    const ROWS: u32 = 900_000;
    const ROW: usize = 12;
    let folder = Folder::new("cut");
    let whole = std::fs::read(numbered(&folder, ROWS)).unwrap();
    let rows = whole.len() - ROWS as usize * ROW;
    // a row and a half are not there
    let cut = &whole[..whole.len() - ROW * 3 / 2];
    let kept = &cut[rows..rows + (ROWS as usize - 2) * ROW];
    let damaged = folder.file("damaged.sdds", cut);
    let log =
        String::from_utf8_lossy(&cut[..rows - 6]).replace("mode=binary", "mode=binary, fixed_row_count=1,");
    let log = folder.file("log.sdds", &[log.as_bytes(), &cut[rows - 6..]].concat());
    let out = folder.path("out.sdds");
    for (words, said) in [
        (&["convert", "--recover", &damaged, &out][..], "recovered 0 whole pages and 899998 rows"),
        (&["convert", &log, &out], "states 900000 rows and has 899998"),
    ] {
        let done = limited_plain(words).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
        assert!(String::from_utf8_lossy(&done.stderr).contains(said), "{done:?}");
        let written = std::fs::read(&out).unwrap();
        assert!(written.ends_with(kept), "{words:?}");
        assert_eq!(written[written.len() - kept.len() - 6..][..4], (ROWS - 2).to_le_bytes());
    }
}

#[test]
fn a_table_becomes_a_page_row_by_row() {
    const LEN: u64 = 24 << 20;
    let folder = Folder::new("page");
    let file = sparse(&folder, LEN, LEN - 8);
    let out = folder.path("out.sdds");
    for mode in ["binary", "ascii"] {
        let done = limited(&["convert", &file, &out, "--mode", mode], "(int64, int64)").output().unwrap();
        assert!(done.status.success() && done.stderr.is_empty(), "{mode}: {done:?}");
        let last = text(&mut limited_plain(&["cat", "--csv", "--rows", "1572863..", &out]));
        assert_eq!(last, "a,b\n0,7\n", "{mode}");
    }
}

#[test]
fn values_are_found_in_lists_that_are_larger_than_memory() {
    use std::io::{Seek, SeekFrom};
    const LEN: u64 = 24 << 20;
    let folder = Folder::new("found");
    let mut array = b"b\x02\x01 f64".to_vec();
    array.extend_from_slice(&(LEN / 8).to_le_bytes());
    let mut page = b"SDDS1\n!# little-endian\n&column name=x, type=double &end\n\
        &data mode=binary, column_major_order=1 &end\n"
        .to_vec();
    page.extend_from_slice(&((LEN / 8) as u32).to_le_bytes());
    for (name, front, path) in [("x.in", &array, "[0].elements"), ("x.sdds", &page, "pages[0].table.x")] {
        let file = begun(&folder, name, front, LEN);
        let mut out = std::fs::File::options().write(true).open(&file).unwrap();
        let mut expected = String::new();
        for number in [3, (64 << 10) / 8, LEN / 8 - 1] {
            let at = front.len() as u64 + number * 8;
            out.seek(SeekFrom::Start(at)).unwrap();
            out.write_all(&0.5_f64.to_le_bytes()).unwrap();
            expected += &format!("{at:#010x}  {path}[{number}]: 0.5\n");
        }
        assert_eq!(text(&mut limited_plain(&["find", "0.5", &file])), expected);
    }
}

#[test]
fn an_array_in_text_is_read_in_pieces() {
    let folder = Folder::new("pieces of text");
    // both the text and its values are more than there is room for, in few elements
    const ELEMENTS: usize = 5 << 18;
    let element = "1,         ";
    // what the elements are only the last one tells
    let array = format!("[{}2.5]\n[[1i8, 2i8], [3i8, 4i8]]", element.repeat(ELEMENTS));
    let file = folder.file("x.in", array.as_bytes());
    let shown = text(&mut limited_plain(&["inspect", "--types", &file]));
    assert_eq!(shown, "[1310721]f64\n[2][2]i8\n");
    assert!(text(&mut limited_plain(&["check", &file])).contains("ok (2 values"));
    let last = ["cat", "--csv", "--pages", "0", "--rows", "1310719..", &file];
    assert_eq!(text(&mut limited_plain(&last)), "0\n1.0\n2.5\n");
    let out = folder.path("out.in");
    let done = limited_plain(&["convert", &file, &out]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert_eq!(std::fs::metadata(&out).unwrap().len(), 15 + (8 * 1_310_721) + 23 + 4);
    let json = limited_plain(&["cat", "--json", &file]).stdout(Stdio::null()).status().unwrap();
    assert!(json.success());
    let dump = text(&mut limited_plain(&["dump", &file]));
    assert!(dump.contains("[1].text: \"[[1i8, 2i8], [3i8, 4i8]]\""), "{}", dump.len());
    // an element that its type does not have is told wherever the type is
    let wrong = folder
        .file("wrong.in", format!("[{}300, {}2i8]", "1, ".repeat(9), element.repeat(ELEMENTS)).as_bytes());
    let done = limited_plain(&["check", &wrong]).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("[0][9] at byte 28") && said.contains("i8"), "{said}");
}

#[test]
fn long_strings_make_short_blocks() {
    const ROWS: u32 = 200;
    let folder = Folder::new("long");
    let mut page = b"SDDS1\n!# little-endian\n&column name=i, type=long &end\n\
        &column name=s, type=string &end\n&data mode=binary &end\n"
        .to_vec();
    page.extend_from_slice(&ROWS.to_le_bytes());
    for i in 0..ROWS {
        page.extend_from_slice(&i.to_le_bytes());
        page.extend_from_slice(&100_000_u32.to_le_bytes());
        page.extend_from_slice(&[b'x'; 100_000]);
    }
    let file = folder.file("x.sdds", &page);
    // batches of a table are some megabytes each
    let limit = empty_run() + 2 * FOR_DATA;
    let copies = ["row", "column"].map(|order| folder.path(&format!("{order}.sdds")));
    for words in [
        &["cat", "--csv", &file][..],
        &["cat", "--jsonl", &file],
        &["cat", "--json", &file],
        &["convert", &file, &copies[0]],
        &["convert", &file, &copies[1], "--order", "column"],
    ] {
        let done = within(limit, words).stdout(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
    let pages = |file: &str| {
        let json = text(&mut within(limit, &["cat", "--json", file]));
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["pages"].clone()
    };
    let whole = pages(&file);
    assert_eq!((&whole[0]["rows"], &whole[0]["columns"]["i"][199]), (&ROWS.into(), &199.into()));
    assert!(copies.iter().all(|copy| pages(copy) == whole));
}

#[test]
fn long_strings_are_summed_up_in_little_memory() {
    const TEXT: u32 = 1 << 20;
    let folder = Folder::new("long texts");
    let layout = folder.file("x.layout", b"Row: record, le\n  t: text, length_prefixed(u32)\n");
    let row = |i: u8| [&TEXT.to_le_bytes()[..], &vec![b'A' + i; TEXT as usize]].concat();
    let file = folder.file("x.bin", &(0..48).flat_map(row).collect::<Vec<_>>());
    let csv = folder.path("x.csv");
    let words = ["stats", "--json", &file, "--layout", &layout];
    let json = text(&mut within(empty_run() + 4 * FOR_DATA, &words));
    assert!(json.contains("\"distinct\": 48"), "{}", json.len());
    text(&mut limited_plain(&["convert", &file, &csv, "--layout", &layout]));
    let json = text(&mut within(empty_run() + 4 * FOR_DATA, &["stats", "--json", &csv]));
    assert!(json.contains("\"distinct\": 48"), "{}", json.len());
}

#[test]
fn files_of_text_become_arrays_in_parts() {
    let folder = Folder::new("array of text");
    let long = "x".repeat(1000);
    let csv: String = (0..96 << 10).map(|i| format!("{i},{long}\n")).collect();
    let file = folder.file("x.csv", format!("n,t\n{csv}").as_bytes());
    drop(csv);
    let array = folder.path("x.tdb");
    let done = within(empty_run() + FOR_ALL, &["convert", &file, &array]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let last = text(&mut within(
        empty_run() + FOR_ALL,
        &["cat", "--csv", "--columns", "n", "--rows", "98303..", &array],
    ));
    assert_eq!(last, "n\n98303\n");
}

#[test]
fn rows_of_long_lists_come_a_few_at_a_time() {
    const LIST: u64 = 1 << 17;
    let folder = Folder::new("lists");
    let mut chunks = b"binary\nuser/x/1\n".to_vec();
    for i in 0..96 {
        chunks.extend(format!("{i} {i} {}\n", 8 + LIST + 1).bytes());
        chunks.extend([&(LIST / 8).to_le_bytes()[..], &vec![0; LIST as usize], b"\n"].concat());
    }
    let file = folder.file("x.data", &chunks);
    let words = ["cat", "--csv", &file, "--schema", r#"{"x": [0, "float64"]}"#];
    let done = limited_plain(&words).stdout(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    // rows that become an array, which counts the bytes of lists as well
    let layout = folder.file("x.layout", b"Row: record, le\n  v: [f64], length_prefixed(u32)\n");
    let row = [&((LIST / 8) as u32).to_le_bytes()[..], &vec![0; LIST as usize]].concat();
    let file = folder.file("x.bin", &row.repeat(600));
    let to = folder.path("x.tdb");
    let done = within(empty_run() + FOR_ALL, &["convert", &file, &to, "--layout", &layout]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

/// What the data may take as the manual says it, in kilobytes.
const FOR_ALL: u32 = 64 << 10;

#[test]
fn chunks_of_a_large_set_are_held_one_at_a_time() {
    const CHUNK: u64 = 8 << 20;
    use std::io::{Seek, SeekFrom};
    let folder = Folder::new("set");
    let path = folder.file("x.0.15.data", b"binary\nuser/x/1\n");
    let mut file = std::fs::File::options().append(false).write(true).open(&path).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    for i in 0..16 {
        writeln!(file, "{i} {i} {}", CHUNK + 9).unwrap();
        file.write_all(&CHUNK.to_le_bytes()).unwrap();
        // zeros that take no room
        file.seek(SeekFrom::Current(CHUNK as i64)).unwrap();
        file.write_all(b"\n").unwrap();
    }
    let declared = ["--schema", r#"{"x": [0, "int8"]}"#];
    let base = folder.path("x");
    for words in
        [&["check", &path][..], &["inspect", &base], &["convert", &base, "/dev/null", "--to", "beat"]]
    {
        let done = within(empty_run() + FOR_ALL, &[words, &declared].concat()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
}

#[test]
fn cells_of_a_large_array_are_read_and_put_together_in_parts() {
    use binfmt::formats::tiledb::{
        ArraySchema, Attribute, CellValNum, Column, Datatype, Dimension, Filter, FilterPipeline, Number,
        Numbers, Options,
    };
    const CELLS: i64 = 3 << 20;
    let folder = Folder::new("array");
    let path = folder.path("x");
    let row = Dimension::new("row", Number::I64(0), Number::I64(1 << 40), Number::I64(1 << 20));
    let mut schema = ArraySchema::sparse(Datatype::Int64, [row])
        .attribute(Attribute::new("a", Datatype::Float64).filtered([Filter::zstd(1)]));
    schema.coords_filters = FilterPipeline::new([Filter::double_delta(-1)]);
    let mut array = Options::new().create(binfmt::formats::tiledb::Folder::new(&path), schema).unwrap();
    for first in [0, CELLS] {
        let a =
            Column::fixed(Datatype::Float64, CellValNum::ONE, vec![0.5f64; CELLS as usize].into()).unwrap();
        let coords = Numbers::I64((first..first + CELLS).collect());
        array.insert().coords([coords]).column("a", a).write().unwrap();
    }
    // the cells are 96 MiB, and more while they are sorted
    let limit = empty_run() + FOR_ALL;
    for words in [&["cat", "--csv", &path][..], &["check", &path], &["consolidate", &path]] {
        let done = within(limit, words).stdout(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
    assert!(text(&mut within(limit, &["inspect", &path])).contains("Fragments               1\n"));
}
