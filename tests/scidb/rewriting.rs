//! What SciDB's loader takes and its `save` never writes: read, and written again as the documentation of the format says.

use binfmt::columns::Plan;
use binfmt::formats::scidb::{Reader, Template, Writer, save, save_values};
use binfmt::value::Value;
use binfmt::{BinFormat, Nullable, Options};

/// Format, bytes, and the bytes that are written of them.
const CASES: [(&str, &[u8], &[u8]); 17] = [
    // presence bytes
    ("(int8 null)", b"\xfe\x07\x80\x08\xff\x09", b"\xff\x07\xff\x08\xff\x09"),
    ("(string null)", b"\x80\x02\0\0\0a\0", b"\xff\x02\0\0\0a\0"),
    // after missing values
    ("(int16 null)", b"\x03\x8e\x63", b"\x03\0\0"),
    ("(string null)", b"\x00\x03\0\0\0ab\0", b"\x00\0\0\0\0"),
    ("(string(3) null)", b"\x7fabc", b"\x7f\0\0\0"),
    ("(binary(2) null)", b"\x01ab", b"\x01\0\0"),
    // bools
    ("(bool)", b"\x00\x01\x02\xff", b"\x00\x01\x01\x01"),
    // strings without a NUL
    ("(string)", b"\x02\0\0\0ab", b"\x03\0\0\0ab\0"),
    ("(string)", b"\0\0\0\0", b"\x01\0\0\0\0"),
    ("(string)", b"\x04\0\0\0a\0b\0", b"\x04\0\0\0a\0b\0"),
    // fields of a fixed size
    ("(string(4))", b"a\0bc", b"a\0\0\0"),
    ("(string(4))", b"abcdab\0\0", b"abcdab\0\0"),
    ("(string(4))", b"\0\0\0\0abcd", b"\0\0\0\0abcd"),
    ("(string(2) null, int8)", b"\xffab\x07\x05\0\0\x08", b"\xffab\x07\x05\0\0\x08"),
    ("(string(3))", b"\xe9\xff\xfe", b"\xe9\xff\xfe"),
    // what is skipped
    ("(int8, skip(2), skip)", b"\x07ab\x02\0\0\0cd", b"\x07\0\0\0\0\0\0"),
    ("(skip null, int8)", b"\xff\x01\0\0\0a\x07", b"\0\0\0\0\0\x07"),
];

#[test]
fn what_is_read_is_written_as_documented() {
    for (format, bytes, expected) in CASES {
        let plan = Plan::new(&format.parse::<Template>().unwrap().description()).unwrap();
        let cell = plan.program();
        let values: Vec<Value> = Reader::new().values(bytes, cell).collect::<Result<_, _>>().unwrap();
        let shown = |found: &[u8]| found.escape_ascii().to_string();
        assert_eq!(shown(&save_values(&values, cell).unwrap()), shown(expected), "{format}");

        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file);
        values.iter().for_each(|value| writer.write_with(value, cell).unwrap());
        writer.finish().unwrap();
        assert_eq!(shown(&file), shown(expected), "{format}");

        let columns = Reader::new().columns(bytes, &plan).unwrap();
        let options = Reader::new().options();
        assert_eq!(shown(&plan.encode_with(&columns, &options).unwrap()), shown(expected), "{format}");
        let mut file = Vec::new();
        plan.encode_to(&columns, &mut file, &options).unwrap();
        assert_eq!(shown(&file), shown(expected), "{format}");

        // and what was written is read back to the same
        let again: Vec<Value> = Reader::new().values(expected, cell).collect::<Result<_, _>>().unwrap();
        assert_eq!(again, values, "{format}");
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Code {
    #[binfmt(count = 4, nul)]
    a: String,
    #[binfmt(nullable, count = 2, nul)]
    b: Nullable<String>,
    #[binfmt(count = 3, nul)]
    c: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Borrowed<'a> {
    #[binfmt(count = 4, nul)]
    a: &'a str,
    #[binfmt(nullable, count = 2, nul)]
    b: Nullable<&'a str>,
    #[binfmt(count = 3, nul)]
    c: &'a [u8],
}

#[test]
fn full_strings_of_structs() {
    let bytes = b"abcd\xffefghia\0\0\0\x05\0\0\0\0\0";
    let reader = Reader::new();
    let cells: Vec<Code> = reader.cells(bytes).collect::<Result<_, _>>().unwrap();
    assert_eq!((&cells[0].a[..], &cells[0].c[..]), ("abcd", &b"ghi"[..]));
    assert_eq!(cells[0].b, Nullable::Value("ef".into()));
    assert_eq!(save(&cells).unwrap(), bytes);
    let lent: Vec<Borrowed<'_>> = reader.cells(bytes).collect::<Result<_, _>>().unwrap();
    assert_eq!(save(&lent).unwrap(), bytes);
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file);
    cells.iter().for_each(|cell| writer.write(cell).unwrap());
    writer.finish().unwrap();
    assert_eq!(file, bytes);

    // into memory of exactly the size, into a writer, from typed columns
    let options = reader.options();
    let mut room = [0; 10];
    assert_eq!(binfmt::to_slice_with(&cells[0], &mut room, &options).unwrap(), 10);
    assert_eq!(room, bytes[..10]);
    let mut file = Vec::new();
    binfmt::encode_all_to_writer_with(&cells, &mut file, &options).unwrap();
    assert_eq!(file, bytes);
    let columns = <CodeColumns as binfmt::TypedColumns>::from_slice_with(bytes, &options).unwrap();
    let mut file = Vec::new();
    binfmt::TypedColumns::append(&columns, &mut file, &options).unwrap();
    assert_eq!(file, bytes);

    // one byte more never fits, and without the option a NUL must
    let long = [Code { a: "abcde".into(), b: Nullable::Missing(0), c: Vec::new() }];
    assert_eq!(save(&long).unwrap_err().to_string(), "[0].a at byte 0x0: 6 bytes long, at most 4 fit");
    let e = binfmt::encode_all(&cells).unwrap_err();
    assert_eq!(e.to_string(), "[0].a at byte 0x0: 5 bytes long, at most 4 fit");
    assert!(binfmt::to_vec_with(&cells[0], &Options::new()).is_err());
    assert!(Reader::strict().cells::<Code>(bytes).next().unwrap().is_err());
}
