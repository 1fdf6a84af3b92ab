//! `columns`: the same values and the same errors as rows decoded one by one, from slices and readers, in blocks and
//! singly.

use binfmt::columns::{BytesColumn, ColumnData, ListColumn, NullableColumn, TextColumn};
use binfmt::{
    BinFormat, ColumnMajor, Columnar, Decode, DecodeOwned, Encode, Endian, Error, ErrorKind, Nullable,
    Options, TypedColumns,
};
use std::fmt::Debug;
use std::io::{self, Write};

use crate::support::wire::Drip;

fn big() -> Options {
    Options::new().endian(Endian::Big)
}

/// The rows have these bytes, and the columns hold them, for every source and sink and in both byte orders.
#[track_caller]
fn same<R>(rows: &[R])
where
    R: Columnar + Encode + DecodeOwned + PartialEq + Debug + Clone,
    R::Columns: PartialEq + Debug + Clone,
{
    for options in [Options::new(), big()] {
        let bytes = binfmt::encode_all_with(rows, &options).expect("rows");
        let columns = R::Columns::from_slice_with(&bytes, &options).expect("from_slice");
        assert_eq!(columns.len(), rows.len());
        assert!(columns.rows().eq(rows.iter().cloned()), "{columns:?}");
        assert_eq!(columns, R::Columns::from_rows(rows.iter().cloned()));
        assert_eq!(columns, R::Columns::from_reader(&bytes[..], &options).expect("from_reader"));
        assert_eq!(columns, R::Columns::from_reader(Drip(&bytes), &options).expect("byte by byte"));
        assert_eq!(columns.to_vec_with(&options).expect("to_vec"), bytes);
        let mut file = Vec::new();
        assert_eq!(columns.to_writer(&mut file, &options).expect("to_writer"), bytes.len() as u64);
        assert_eq!(file, bytes);
        some_rows(&columns, &bytes, &options);
    }
}

/// A number of rows, and rows after others.
#[track_caller]
fn some_rows<C: TypedColumns + PartialEq + Debug + Clone>(columns: &C, bytes: &[u8], options: &Options) {
    let n = columns.len() / 2;
    let mut front = columns.clone();
    front.truncate(n);
    let (found, rest) = C::from_prefix(bytes, n, options).expect("from_prefix");
    assert_eq!(found, front);
    let mut all = found;
    all.decode_all_with(rest, options).expect("decode_all");
    assert_eq!(&all, columns);
    let mut reader = bytes;
    let mut read = C::default();
    read.read_rows(&mut reader, n, options).expect("read_rows");
    assert_eq!((&read, reader), (&front, rest));
    read.read_rows(Drip(rest), columns.len() - n, options).expect("read_rows");
    assert_eq!(&read, columns);
}

/// Columns of damaged bytes: the error of the rows decoded one by one, and the rows before it.
#[track_caller]
fn as_rows<R>(bytes: &[u8], options: &Options)
where
    R: Columnar + Encode + for<'de> Decode<'de> + PartialEq + Debug + Clone,
    R::Columns: PartialEq + Debug,
{
    let (mut rows, mut columns) = (Vec::<R>::new(), R::Columns::default());
    let expected = binfmt::decode_all_into_with(bytes, &mut rows, options).err();
    let found = columns.decode_all_with(bytes, options).err();
    let text = |e: &Option<Error>| e.as_ref().map(|e| (e.to_string(), e.needed()));
    assert_eq!(text(&found), text(&expected), "{bytes:02x?}");
    // as texts: a changed byte may make a number that is not equal to itself
    assert_eq!(format!("{:?}", columns.rows().collect::<Vec<_>>()), format!("{rows:?}"), "{bytes:02x?}");
    let mut streamed = R::Columns::default();
    let from_stream = streamed.read_rows(bytes, usize::MAX, options).expect_err("endless");
    if let Some(e) = &found
        && !matches!(e.kind(), ErrorKind::CountTooLarge { .. } | ErrorKind::UnexpectedEnd { .. })
    {
        assert_eq!(from_stream.to_string(), e.to_string());
    }
    // whatever was read is written as rows are, or refused as they are; an `Option` in a row keeps no code
    let text = |r: Result<Vec<u8>, Error>| r.map_err(|e| e.to_string());
    let same = R::Columns::from_rows(rows.iter().cloned());
    assert_eq!(text(same.to_vec_with(options)), text(binfmt::encode_all_with(&rows, options)));
    assert_eq!(columns.to_vec_with(options).is_ok(), same.to_vec_with(options).is_ok());
    let mut file = Vec::new();
    let written = columns.to_writer(&mut file, options).map(|_| file);
    assert_eq!(text(written), text(columns.to_vec_with(options)));
}

/// Cut at every byte, and every byte changed.
#[track_caller]
fn hostile<R>(rows: &[R])
where
    R: Columnar + Encode + for<'de> Decode<'de> + PartialEq + Debug + Clone,
    R::Columns: PartialEq + Debug,
{
    let lax = Options::new().lenient_presence(true).optional_nul(true);
    for options in [Options::new(), big(), lax, Options::new().blank_missing(true)] {
        let bytes = binfmt::encode_all_with(rows, &options).expect("rows");
        for n in 0..bytes.len() {
            as_rows::<R>(&bytes[..n], &options);
            for byte in [0, 1, 0x7f, 0x80, 0xff, bytes[n] ^ 1, bytes[n].wrapping_add(1)] {
                let mut changed = bytes.clone();
                changed[n] = byte;
                as_rows::<R>(&changed, &options);
            }
        }
    }
}

/// A writer that takes `n` bytes and fails.
struct Failing(usize);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            n => {
                self.0 -= n;
                Ok(n)
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq)]
#[binfmt(tag(u8))]
enum Kind {
    #[default]
    Day = 1,
    Night = 2,
}

/// Every row has the same size.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Fixed {
    a: i32,
    b: f64,
    on: bool,
    #[binfmt(nullable)]
    c: Nullable<u16>,
    #[binfmt(nullable(present = 1, missing = 0))]
    d: Option<bool>,
    kind: Kind,
    e: [u16; 2],
    #[binfmt(be)]
    f: u64,
    g: (u8, i8),
    #[binfmt(bool_lax)]
    h: bool,
}

fn fixed(i: usize) -> Fixed {
    Fixed {
        a: i as i32 * 7 - 100,
        b: i as f64 / 8.0,
        on: i.is_multiple_of(3),
        c: if i.is_multiple_of(5) { Nullable::Missing(i as u8 % 128) } else { Nullable::Value(i as u16) },
        d: [None, Some(true), Some(false)][i % 3],
        kind: if i.is_multiple_of(2) { Kind::Day } else { Kind::Night },
        e: [i as u16, 300],
        f: 1 << (i % 60),
        g: (i as u8, -1),
        h: i.is_multiple_of(7),
    }
}

#[test]
fn rows_of_one_size() {
    for n in [0, 1, 2, 511, 512, 513, 1500] {
        same(&(0..n).map(fixed).collect::<Vec<_>>());
    }
    let columns = FixedColumns::from_rows((0..3).map(fixed));
    assert_eq!(columns.a, [-100, -93, -86]);
    assert_eq!(columns.c.codes(), [0, 255, 255]);
    assert_eq!(columns.c.values(), &[0, 1, 2]);
    assert_eq!(columns.d.codes(), [0, 1, 1]);
    assert_eq!(columns.d.get(1), Some(Nullable::Value(&true)));
}

#[test]
fn damaged_rows_of_one_size() {
    hostile(&(0..3).map(fixed).collect::<Vec<_>>());
    // the first mistake is reported, whichever column comes first
    let mut bytes = binfmt::encode_all(&(0..1200).map(fixed).collect::<Vec<_>>()).unwrap();
    let size = bytes.len() / 1200;
    bytes[700 * size + 12] = 2;
    bytes[650 * size + 16] = 9;
    as_rows::<Fixed>(&bytes, &Options::new());
    let e = FixedColumns::from_slice(&bytes).unwrap_err();
    assert_eq!((e.offset(), e.path().to_string()), (Some(650 * size as u64 + 16), "[650].d".to_string()));
    bytes.truncate(600 * size + 5);
    as_rows::<Fixed>(&bytes, &Options::new());
}

/// Rows of any size.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns, len = u8)]
struct Open {
    id: u16,
    #[binfmt(var_len)]
    name: String,
    #[binfmt(nullable, var_len, nul)]
    note: Nullable<String>,
    #[binfmt(nullable, length_prefixed(u16))]
    raw: Option<Vec<u8>>,
    #[binfmt(var_len)]
    list: Vec<u32>,
    #[binfmt(nullable(body = absent))]
    x: Option<f32>,
    #[binfmt(count = 4, nul)]
    code: String,
    #[binfmt(count = 2)]
    pair: Vec<i16>,
    #[binfmt(nul)]
    ends: String,
    #[binfmt(text = latin1, length_prefixed(u8, max = 9))]
    old: String,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Vec<u16>,
    #[binfmt(var_len)]
    flags: Vec<bool>,
    #[binfmt(pad_to = 6, var_len)]
    padded: Box<str>,
    last: u8,
}

fn open(i: usize) -> Open {
    let text = ["", "a", "é…", "some longer text that is not short"][i % 4];
    Open {
        id: i as u16,
        name: format!("{text}{i}"),
        note: if i.is_multiple_of(3) { Nullable::Missing(7) } else { Nullable::Value(text.into()) },
        raw: i.is_multiple_of(2).then(|| vec![i as u8; i % 5]),
        list: (0..i as u32 % 4).collect(),
        x: (!i.is_multiple_of(4)).then_some(0.5),
        code: "abc"[..i % 4].into(),
        pair: vec![-1, i as i16],
        ends: text.into(),
        old: "ÿé"[..[0, 2, 4][i % 3]].into(),
        inner: vec![1; i % 3],
        flags: vec![true; i % 3],
        padded: "12345"[..i % 5].into(),
        last: 9,
    }
}

#[test]
fn rows_of_any_size() {
    for n in [0, 1, 7, 100, 700] {
        same(&(0..n).map(open).collect::<Vec<_>>());
    }
    let columns = OpenColumns::from_rows((0..4).map(open));
    let names: &TextColumn = &columns.name;
    assert!(names.iter().eq(["0", "a1", "é…2", "some longer text that is not short3"]));
    let notes: &NullableColumn<TextColumn> = &columns.note;
    assert_eq!((notes.get(0), notes.get(1)), (Some(Nullable::Missing(7)), Some(Nullable::Value("a"))));
    let lists: &ListColumn<Vec<u32>> = &columns.list;
    assert_eq!((lists.get(3), lists.items().len()), (Some(&[0, 1, 2][..]), 6));
    let raw: &NullableColumn<BytesColumn> = &columns.raw;
    assert_eq!(raw.validity(), [0b0101]);
}

/// Structs of a byte and of what takes the rest, each with its column: there is one row.
macro_rules! takes_the_rest {
    ($($name:ident: $ty:ty, [$($word:tt)*], $value:expr;)*) => {$({
        #[derive(BinFormat, Clone, Debug, PartialEq)]
        #[binfmt(columns)]
        struct $name {
            n: u8,
            #[binfmt(until_eof $($word)*)]
            rest: $ty,
        }
        same(&[$name { n: 7, rest: Default::default() }]);
        let rows = [$name { n: 7, rest: $value }];
        same(&rows);
        hostile(&rows);
    })*};
}

#[test]
fn what_takes_the_rest() {
    takes_the_rest! {
        Text: String, [], "aé".into();
        Raw: Vec<u8>, [, text = bytes], vec![1, 0xff];
        Bytes: Vec<u8>, [], vec![1, 0xff];
        Numbers: Vec<u16>, [], vec![1, 2, 300];
        Nibbles: Vec<u8>, [, bits(4)], vec![1, 2, 15, 0];
        Wide: Box<[u32]>, [, as = u24], [1, 1 << 23].into();
        Points: Vec<Point>, [, columns], vec![Point { x: 1, y: 2 }, Point { x: -3, y: 4 }];
        Units: String, [, text = utf16le], "aé".into();
        Trimmed: String, [, trim = b' '], " a".into();
    }
}

/// Parts whose length in bytes stands before them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Parts {
    #[binfmt(length_prefixed(u8, in = bytes))]
    numbers: Vec<u16>,
    #[binfmt(length_prefixed(u8, in = bytes), bits(4))]
    nibbles: Vec<u8>,
    #[binfmt(length_prefixed(u16, in = bytes), as = leb128)]
    wide: Vec<u32>,
    #[binfmt(length_prefixed(u8, in = bytes), columns)]
    points: Vec<Point>,
}

#[test]
fn parts_of_so_many_bytes() {
    let parts = |i: usize| Parts {
        numbers: (0..i as u16 % 5).collect(),
        nibbles: (0..i as u8 % 4 * 2).collect(),
        wide: (0..i as u32 % 3).map(|i| i << 20).collect(),
        points: (0..i as i16 % 4).map(|x| Point { x, y: 7 }).collect(),
    };
    for n in [0, 1, 7, 100] {
        same(&(0..n).map(parts).collect::<Vec<_>>());
    }
    let columns = PartsColumns::from_rows((0..4).map(parts));
    assert_eq!((columns.numbers.get(3), columns.points.items().len()), (Some(&[0, 1, 2][..]), 6));
    hostile(&(1..4).map(parts).collect::<Vec<_>>());
}

#[test]
fn a_bit_is_that_of_its_row() {
    for rows in 0..70u32 {
        let there = |row: u32| row * row % 7 < 3;
        let codes = (0..rows).map(|row| if there(row) { 255 } else { row as u8 });
        let column = NullableColumn::from_parts(codes.collect(), vec![0u8; rows as usize], 255).unwrap();
        let bits = column.validity();
        assert_eq!(bits.len() as u32, rows.div_ceil(8));
        for bit in 0..bits.len() as u32 * 8 {
            assert_eq!(
                (bits[bit as usize / 8] >> (bit % 8)) & 1 == 1,
                bit < rows && there(bit),
                "{bit} of {rows}"
            );
        }
    }
}

#[test]
fn damaged_rows_of_any_size() {
    hostile(&(1..4).map(open).collect::<Vec<_>>());
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns, le)]
struct Point {
    x: i16,
    y: u8,
}

/// Bytes beside the values, and columns in columns.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns = Beside, magic = b"ab")]
struct Framed {
    #[binfmt(pad_before = 2, fill = 7, strict)]
    a: u16,
    #[binfmt(magic = 0x1234u16, pad_after = 1)]
    b: u16,
    #[binfmt(columns)]
    place: Point,
    whole: Point,
    #[binfmt(reserved(3))]
    none: (),
    #[binfmt(skip, default = a + 1)]
    more: u16,
}

fn framed(i: usize) -> Framed {
    let point = Point { x: -(i as i16), y: i as u8 };
    Framed { a: i as u16, b: 1, place: point.clone(), whole: point, none: (), more: i as u16 + 1 }
}

#[test]
fn bytes_beside_the_values() {
    for n in [0, 3, 900] {
        same(&(0..n).map(framed).collect::<Vec<_>>());
    }
    let columns = Beside::from_rows((0..2).map(framed));
    assert_eq!(columns.place, PointColumns { x: vec![0, -1], y: vec![0, 1] });
    assert_eq!(columns.whole[1], Point { x: -1, y: 1 });
    hostile(&(0..2).map(framed).collect::<Vec<_>>());
}

/// Fields that depend on each other: rows are structs in between.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns, assert(low <= high, "low is above high"))]
struct Dependent {
    #[binfmt(len_of(list))]
    n: u8,
    #[binfmt(count = *n)]
    list: Vec<u16>,
    low: u8,
    #[binfmt(range = ..=100)]
    high: u8,
    #[binfmt(if(*low > 1))]
    extra: Option<u32>,
    #[binfmt(if(*low > 1, else = 9))]
    otherwise: u32,
    #[binfmt(map(decode = |n: u8| n.to_string(), encode = |s: &String| s.parse::<u8>().unwrap_or(0)))]
    text: String,
    #[binfmt(endian = if *low > 1 { Endian::Big } else { Endian::Little })]
    turned: u16,
    #[binfmt(align_before = 4)]
    aligned: u8,
    #[binfmt(until = |n: &u8| *n == 0)]
    until: Vec<u8>,
}

fn dependent(i: usize) -> Dependent {
    let low = i as u8 % 3;
    Dependent {
        n: i as u8 % 4,
        list: (0..i as u16 % 4).collect(),
        low,
        high: 50,
        extra: (low > 1).then_some(7),
        otherwise: if low > 1 { 7 } else { 9 },
        text: (i % 200).to_string(),
        turned: 3,
        aligned: 1,
        until: vec![5, 0],
    }
}

#[test]
fn fields_that_depend_on_each_other() {
    for n in [0, 5, 300] {
        same(&(0..n).map(dependent).collect::<Vec<_>>());
    }
    let columns = DependentColumns::from_rows((0..3).map(dependent));
    assert_eq!(columns.list.offsets(), [0, 0, 1, 3]);
    assert_eq!(columns.extra, [None, None, Some(7)]);
    hostile(&(1..4).map(dependent).collect::<Vec<_>>());
}

/// Columns without names, of types of the user's own.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Tuple(u8, #[binfmt(skip)] u32, pub Kind, #[binfmt(length_prefixed(u8))] Vec<Point>);

#[test]
fn structs_without_names() {
    let rows: Vec<Tuple> =
        (0..5).map(|i| Tuple(i, 0, Kind::Night, vec![Point { x: 1, y: i }; i as usize])).collect();
    same(&rows);
    let columns = TupleColumns::from_rows(rows.clone());
    assert_eq!((columns.0.len(), columns.1[0], columns.2.items().len()), (5, Kind::Night, 10));
    hostile(&rows[..3]);
}

/// One column after the other.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Major {
    a: u16,
    #[binfmt(nullable)]
    b: Nullable<f32>,
    on: bool,
    #[binfmt(length_prefixed(u8))]
    name: String,
    #[binfmt(le)]
    c: i64,
    #[binfmt(columns)]
    place: Point,
}

fn major(i: usize) -> Major {
    Major {
        a: i as u16,
        b: if i.is_multiple_of(2) { Nullable::Missing(3) } else { Nullable::Value(1.5) },
        on: i.is_multiple_of(2),
        name: "abcdef"[..i % 6].into(),
        c: -1,
        place: Point { x: i as i16, y: 1 },
    }
}

/// What the bytes of columns are, field by field.
fn by_fields(rows: &[Major], options: &Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    let one = |name: &str| {
        let mut c = vec![name.len() as u8];
        c.extend_from_slice(name.as_bytes());
        c
    };
    rows.iter().for_each(|r| binfmt::append_with(&r.a, &mut bytes, options).unwrap());
    for r in rows {
        match r.b {
            Nullable::Missing(code) => bytes.extend([code, 0, 0, 0, 0]),
            Nullable::Value(v) => {
                bytes.push(255);
                binfmt::append_with(&v, &mut bytes, options).unwrap();
            }
        }
    }
    bytes.extend(rows.iter().map(|r| u8::from(r.on)));
    rows.iter().for_each(|r| bytes.extend(one(&r.name)));
    rows.iter().for_each(|r| bytes.extend(r.c.to_le_bytes()));
    rows.iter().for_each(|r| binfmt::append(&r.place, &mut bytes).unwrap());
    bytes
}

#[test]
fn one_column_after_the_other() {
    for (n, options) in [(0, Options::new()), (5, big()), (900, Options::new())] {
        let rows: Vec<Major> = (0..n).map(major).collect();
        let columns = MajorColumns::from_rows(rows.clone());
        let bytes = by_fields(&rows, &options);
        assert_eq!(columns.to_column_major(&options).unwrap(), bytes);
        assert_eq!(MajorColumns::from_column_major(&bytes, n, &options).unwrap(), columns);
        let mut read = MajorColumns::default();
        read.read_column_major(Drip(&bytes), n, &options).unwrap();
        assert_eq!(read, columns);
        let mut more = bytes.clone();
        more.push(0);
        let e = MajorColumns::from_column_major(&more, n, &options).unwrap_err();
        assert_eq!(e.to_string(), format!("at byte {:#x}: 1 byte after the value", bytes.len()));
    }
}

#[test]
fn damaged_columns_keep_what_was_there() {
    let rows: Vec<Major> = (0..4).map(major).collect();
    let bytes = by_fields(&rows, &Options::new());
    let before = MajorColumns::from_rows(rows);
    for n in 0..bytes.len() {
        let mut columns = before.clone();
        columns.read_column_major(&bytes[..n], 4, &Options::new()).unwrap_err();
        assert_eq!(columns, before);
        assert!(MajorColumns::from_column_major(&bytes[..n], 4, &Options::new()).is_err());
    }
    let mut wrong = bytes.clone();
    wrong[4 * 7 + 2] = 9;
    let e = MajorColumns::from_column_major(&wrong, 4, &Options::new()).unwrap_err();
    assert_eq!((e.offset(), e.path().to_string()), (Some(30), "on[2]".to_string()));
    // as many rows as there are bytes for: nothing is allocated for the others
    let e = MajorColumns::from_column_major(&bytes, usize::MAX, &Options::new()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::CountTooLarge { .. }), "{e}");
}

#[test]
fn columns_of_different_length() {
    let columns = PointColumns { x: vec![1, 2], y: vec![3] };
    let text = "columns of different length: `x` has 2 rows, `y` has 1";
    assert_eq!(columns.to_vec().unwrap_err().to_string(), text);
    assert_eq!(columns.to_writer(io::sink(), &Options::new()).unwrap_err().to_string(), text);
    assert_eq!(columns.to_column_major(&Options::new()).unwrap_err().to_string(), text);
    let mut more = columns.clone();
    assert_eq!(more.decode_all(&[0; 3]).unwrap_err().to_string(), text);
    assert_eq!(more, columns);
}

#[test]
fn values_that_cannot_be_written() {
    let mut columns = FixedColumns::from_rows((0..600).map(fixed));
    let (mut codes, values) = columns.c.into_parts();
    codes[550] = 200;
    columns.c = NullableColumn::from_parts(codes, values, 255).unwrap();
    let e = columns.to_vec().unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::InvalidMissingCode { found: 200, .. }), "{e}");
    assert_eq!(e.path().to_string(), "[550].c");
    let mut out = vec![1];
    columns.append(&mut out, &Options::new()).unwrap_err();
    assert_eq!(out, [1]);
    let written = columns.to_writer(io::sink(), &Options::new()).unwrap_err();
    assert_eq!(written.to_string(), e.to_string());
}

#[test]
fn codes_of_another_layout_are_adapted() {
    let rows: Vec<Fixed> = (0..2).map(fixed).collect();
    let mut columns = FixedColumns::from_rows(rows.clone());
    // in memory any byte may stand for a value
    columns.d = NullableColumn::from_parts(vec![9, 0], vec![true, false], 255).unwrap();
    let e = columns.to_vec().unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::InvalidMissingCode { found: 9, .. }), "{e}");
    columns.d = NullableColumn::from_parts(vec![7, 0], vec![true, false], 7).unwrap();
    let bytes = columns.to_vec().unwrap();
    assert_eq!(FixedColumns::from_slice(&bytes).unwrap().d.codes(), [1, 0]);
    columns.decode_all(&bytes).unwrap();
    assert_eq!((columns.d.present(), columns.d.codes()), (1, &[1, 0, 1, 0][..]));
    columns.d = NullableColumn::from_parts(vec![1; 4], vec![true; 4], 2).unwrap();
    assert!(columns.decode_all(&bytes).is_err());
}

#[test]
fn writers_that_fail() {
    let columns = OpenColumns::from_rows((0..50).map(open));
    let blocks = FixedColumns::from_rows((0..5000).map(fixed));
    let options = Options::new();
    for n in 0..columns.to_vec().unwrap().len() {
        let e = columns.to_writer(Failing(n), &options).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Io(_)), "{e}");
    }
    let len = blocks.to_vec().unwrap().len();
    for n in (0..len).step_by(977) {
        let e = blocks.to_writer(Failing(n), &options).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Io(_)), "{e}");
    }
}

#[test]
fn memory_is_bounded() {
    let bytes = binfmt::encode_all(&(0..100).map(open).collect::<Vec<_>>()).unwrap();
    for options in [Options::new().max_memory(100), Options::new().max_memory(1000)] {
        let e = OpenColumns::from_slice_with(&bytes, &options).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
    }
    let e = PointColumns::from_slice_with(&[0; 30], &Options::new().max_memory(20)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
    let e = PointColumns::from_reader(&[0; 30][..], &Options::new().max_memory(20)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
    // rows that a caller wants and a reader has not
    let e = PointColumns::default().read_rows(&[0u8; 4][..], usize::MAX, &Options::new()).unwrap_err();
    assert_eq!(e.to_string(), "[1].x at byte 0x3: 2 bytes needed, 1 remain");
}

/// Any number of structs in a row, in their columns.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Nested {
    #[binfmt(length_prefixed(u8), columns)]
    points: Vec<Point>,
    #[binfmt(length_prefixed(u8, in = bytes), columns)]
    rows: Vec<Major>,
    n: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Counted {
    n: u8,
    #[binfmt(count = *n, columns)]
    points: Vec<Point>,
}

#[test]
fn lists_of_structs() {
    let nested = |i: usize| Nested {
        points: (0..i % 4).map(|y| Point { x: i as i16, y: y as u8 }).collect(),
        rows: (0..i % 3).map(major).collect(),
        n: 7,
    };
    for n in [0, 1, 5, 600] {
        same(&(0..n).map(nested).collect::<Vec<_>>());
    }
    let columns = NestedColumns::from_rows((0..4).map(nested));
    let points: &ListColumn<PointColumns> = &columns.points;
    assert_eq!((points.offsets(), &points.items().y[..]), (&[0, 0, 1, 3, 6][..], &[0, 0, 1, 0, 1, 2][..]));
    assert!(points.get(2).unwrap().iter().eq([Point { x: 2, y: 0 }, Point { x: 2, y: 1 }]));
    assert_eq!(columns.rows.items().name.get(0), Some(""));
    hostile(&(1..4).map(nested).collect::<Vec<_>>());
    let counted = |n: u8| Counted { n, points: vec![Point { x: 1, y: 2 }; n.into()] };
    same(&(0..4).map(counted).collect::<Vec<_>>());
    assert_eq!(CountedColumns::from_rows((0..4).map(counted)).points.items().len(), 6);
    hostile(&(0..3).map(counted).collect::<Vec<_>>());
}
