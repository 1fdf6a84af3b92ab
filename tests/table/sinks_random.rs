//! Random tables through every sink and back.

use crate::support::random::Random;
use binfmt::columns::{BytesColumn, Column, Columns, ListColumn, NullableColumn};
use binfmt::numbers::{F16, Numbers};
use binfmt::storage::Memory;
use binfmt::table::{ColumnsTable, Settings, Table, Wanted};
use std::sync::Arc;

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    /// Letters of all sorts, without NUL.
    Text,
    /// Texts of any bytes.
    Raw,
    Bytes,
    /// Two numbers.
    Pair,
    /// Any number of numbers.
    List,
}

use Kind::*;

const NUMBERS: &[Kind] = &[Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64];

impl Kind {
    /// As files of lines name it.
    fn cell(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 | I16 | I32 | I64 => "i64",
            U8 | U16 | U32 | U64 => "u64",
            F16 | F32 | F64 => "f64",
            Text | Raw => "text",
            Bytes => "bytes",
            Pair | List => "[i64]",
        }
    }

    /// As a layout names it.
    fn field(self) -> String {
        match self {
            Text | Raw => "text, length_prefixed(u32)".to_owned(),
            Bytes => "bytes, length_prefixed(u32)".to_owned(),
            Pair => "[i32; 2]".to_owned(),
            List => "[i32], length_prefixed(u32)".to_owned(),
            number => format!("{number:?}").to_lowercase(),
        }
    }
}

fn float(r: &mut Random) -> f64 {
    let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, f64::MAX];
    match r.below(4) {
        0 => r.pick(&odd),
        1 => r.below(1000) as f64 / 8.0,
        _ => f64::from_bits(r.next() & !(0x7ff << 52) | (r.below(0x7ff) << 52)),
    }
}

/// A number with some chance at the end of its type.
fn bits(r: &mut Random) -> u64 {
    match r.below(3) {
        0 => r.pick(&[0, 1, u64::MAX, i64::MAX as u64, i64::MIN as u64]),
        1 => r.below(10),
        _ => r.next(),
    }
}

fn text(r: &mut Random) -> Vec<u8> {
    let letters =
        ["a", "Q1", " ", "\"", ",", "\n", "\r", "\t", "\\", "β", "日", "#", "0x00", "nan", "1e5", ";"];
    (0..r.below(5)).flat_map(|_| r.pick(&letters).bytes()).collect()
}

fn column(r: &mut Random, kind: Kind, rows: usize) -> Column {
    macro_rules! numbers {
        ($t:ty) => {
            Column::from((0..rows).map(|_| bits(r) as $t).collect::<Vec<$t>>())
        };
    }
    match kind {
        Bool => Column::from((0..rows).map(|_| r.below(2) == 1).collect::<Vec<_>>()),
        I8 => numbers!(i8),
        I16 => numbers!(i16),
        I32 => numbers!(i32),
        I64 => numbers!(i64),
        U8 => numbers!(u8),
        U16 => numbers!(u16),
        U32 => numbers!(u32),
        U64 => numbers!(u64),
        F16 => {
            let half = |r: &mut Random| F16::from_f64(f64::from(r.below(64) as u32) / 8.0 - 4.0);
            Column::Numbers(Numbers::F16((0..rows).map(|_| half(r)).collect()))
        }
        F32 => Column::from((0..rows).map(|_| float(r) as f32).collect::<Vec<_>>()),
        F64 => Column::from((0..rows).map(|_| float(r)).collect::<Vec<_>>()),
        Text => Column::Text((0..rows).map(|_| text(r)).collect::<Vec<_>>().iter().collect()),
        Raw | Bytes => {
            let any = |r: &mut Random| (0..r.below(4)).map(|_| r.next() as u8).collect::<Vec<u8>>();
            let all: BytesColumn = (0..rows).map(|_| any(r)).collect::<Vec<_>>().iter().collect();
            if kind == Raw { Column::Text(all) } else { Column::Bytes(all) }
        }
        Pair => {
            let items = column(r, I32, rows * 2);
            Column::Array { len: 2, rows, items: Box::new(items) }
        }
        List => {
            let mut offsets = vec![0];
            (0..rows).for_each(|_| offsets.push(offsets.last().unwrap() + r.below(4) as usize));
            let items = column(r, I32, *offsets.last().unwrap());
            Column::List(Box::new(ListColumn::from_parts(offsets, items).unwrap()))
        }
    }
}

/// Name, kind, and whether values may be missing.
type Named = (String, Kind, bool);

/// A format, the kinds of columns that come back as they are, and of which a value may be missing.
struct Case {
    format: &'static str,
    kinds: Vec<Kind>,
    nullable: bool,
    write: fn(&mut Random, &[Named]) -> Settings,
    open: fn(&Settings, &[Named]) -> Settings,
    /// Columns that the format adds in front.
    added: usize,
}

fn types(columns: &[Named]) -> String {
    let all: Vec<String> = columns.iter().map(|(name, kind, _)| format!("{name}:{}", kind.cell())).collect();
    all.join(",")
}

fn layout(_: &mut Random, columns: &[Named]) -> Settings {
    let field = |(name, kind, nullable): &Named| {
        format!("  {name}: {}{}\n", kind.field(), if *nullable { ", nullable" } else { "" })
    };
    Settings::new().with("layout", format!("record, be\n{}", columns.iter().map(field).collect::<String>()))
}

fn cases() -> Vec<Case> {
    let with = |more: &[Kind]| [NUMBERS, more].concat();
    let as_it_is = |_: &Settings, _: &[Named]| Settings::new();
    let nothing = |_: &mut Random, _: &[Named]| Settings::new();
    vec![
        Case {
            format: "csv",
            kinds: with(&[Text, Raw, Bytes]),
            nullable: true,
            write: |r, _| match r.below(3) {
                0 => Settings::new().with("missing", "NA"),
                1 => Settings::new().with("delimiter", ";"),
                _ => Settings::new(),
            },
            open: |write, columns| write.clone().with("types", types(columns)),
            added: 0,
        },
        Case {
            format: "jsonl",
            kinds: with(&[Text, Raw, Bytes, Pair, List]),
            nullable: true,
            write: nothing,
            open: |_, columns| Settings::new().with("types", types(columns)),
            added: 0,
        },
        Case {
            format: "npy",
            kinds: with(&[F16, Text]),
            nullable: false,
            write: nothing,
            open: as_it_is,
            added: 0,
        },
        Case {
            format: "sdds",
            kinds: vec![I16, I32, I64, U16, U32, U64, F32, F64, Text, Raw],
            nullable: false,
            write: |r, _| {
                let order = r.pick(&["row", "column"]);
                Settings::new().with("order", order).with("byte_order", r.pick(&["little", "big"]))
            },
            open: as_it_is,
            added: 0,
        },
        Case {
            format: "tiledb",
            kinds: vec![I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Text, Pair, List],
            nullable: false,
            write: nothing,
            open: as_it_is,
            added: 1,
        },
        Case {
            format: "futhark",
            kinds: with(&[F16, Pair]),
            nullable: false,
            write: |r, _| Settings::new().with("style", r.pick(&["packed", "printed", "text"])),
            open: as_it_is,
            added: 0,
        },
        Case {
            format: "scidb",
            kinds: with(&[Text, Bytes]),
            nullable: true,
            write: nothing,
            open: |_, columns| {
                let word = |(_, kind, nullable): &Named| {
                    let word = match kind {
                        Bool => "bool",
                        I8 => "int8",
                        I16 => "int16",
                        I32 => "int32",
                        I64 => "int64",
                        U8 => "uint8",
                        U16 => "uint16",
                        U32 => "uint32",
                        U64 => "uint64",
                        F32 => "float",
                        F64 => "double",
                        Text => "string",
                        _ => "binary",
                    };
                    format!("{word}{}", if *nullable { " null" } else { "" })
                };
                let all: Vec<String> = columns.iter().map(word).collect();
                Settings::new().with("schema", format!("({})", all.join(", ")))
            },
            added: 0,
        },
        Case {
            format: "beat",
            kinds: with(&[Text, Pair, List]),
            nullable: false,
            write: |_, _| Settings::new().with("dataformat", "u/random/1"),
            open: |_, columns| {
                let word = |(name, kind, _): &Named| {
                    let word = match kind {
                        Bool => "\"bool\"".to_owned(),
                        F32 => "\"float32\"".to_owned(),
                        F64 => "\"float64\"".to_owned(),
                        Text => "\"string\"".to_owned(),
                        Pair => "[2, \"int32\"]".to_owned(),
                        List => "[0, \"int32\"]".to_owned(),
                        int => {
                            format!("\"{int:?}\"").to_lowercase().replace('u', "uint").replace("\"i", "\"int")
                        }
                    };
                    format!("\"{name}\": {word}")
                };
                let all: Vec<String> = columns.iter().map(word).collect();
                Settings::new().with("schema", format!("{{{}}}", all.join(", ")))
            },
            added: 2,
        },
        Case {
            format: "layout",
            kinds: with(&[F16, Text, Bytes, Pair, List]),
            nullable: true,
            write: layout,
            open: |write, _| write.clone(),
            added: 0,
        },
    ]
}

/// The values as JSON, in which a number is the same whatever its type. Why something is missing is not compared.
fn shown(table: &Arc<dyn Table>, added: usize) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for batch in table.clone().batches(&Wanted::new().batch_rows(7)).unwrap() {
        let batch = batch.unwrap();
        for row in 0..batch.num_rows() {
            let cell = |column: usize| {
                let text = serde_json::to_string(&batch.cell(row, column).unwrap()).unwrap();
                // an array says its shape, too
                let values = text.strip_prefix("{\"shape\":").and_then(|rest| rest.split_once("\"values\":"));
                match values {
                    _ if text.starts_with("{\"missing\"") => "missing".to_owned(),
                    Some((_, values)) => values.trim_end_matches('}').to_owned(),
                    None => text,
                }
            };
            all.push((added..batch.num_columns()).map(cell).collect());
        }
    }
    all
}

/// A float as the number that it is: one of single precision may have another exponent.
fn number(text: &str) -> String {
    let is_float = text.contains(['.', 'e']);
    let found = text.parse::<f64>().ok().filter(|_| is_float);
    found.map_or_else(|| text.to_owned(), |n| format!("{n:?}"))
}

#[test]
fn random_tables_come_back_from_every_sink() {
    for case in cases() {
        let mut r = Random::new(7);
        for round in 0..80 {
            let rows = r.below(20) as usize;
            let mut described = Vec::new();
            let mut columns = Vec::new();
            for i in 0..1 + r.below(5) {
                let kind = r.pick(&case.kinds);
                let nullable = case.nullable && r.below(2) == 0 && !matches!(kind, Pair | List);
                let mut made = column(&mut r, kind, rows);
                if nullable {
                    let codes = (0..rows).map(|_| if r.below(3) == 0 { 3 } else { 255 }).collect();
                    made = Column::Nullable(Box::new(NullableColumn::from_parts(codes, made, 255).unwrap()));
                }
                described.push((format!("c{i}"), kind, nullable));
                columns.push((format!("c{i}").into(), made));
            }
            let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()));
            let write = (case.write)(&mut r, &described);
            let files = Arc::new(Memory::new());
            let context = format!("{} {round}: {described:?} {write:?}", case.format);
            let sink =
                binfmt::create_in(binfmt::FORMATS, files.clone(), "out", case.format, table.schema(), &write);
            let sink = sink.unwrap_or_else(|e| panic!("{context}: {e}"));
            let wanted = Wanted::new().batch_rows(1 + r.below(9) as usize);
            let written = table.write_to(&wanted, sink).unwrap_or_else(|e| panic!("{context}: {e}"));
            assert_eq!(written.rows, rows as u64, "{context}");
            if rows == 0 {
                // nothing says what there is
                continue;
            }
            let open = (case.open)(&write, &described);
            let again = binfmt::open_in(binfmt::FORMATS, files, "out", Some(case.format), &open);
            let again = again.unwrap_or_else(|e| panic!("{context}: {e}"));
            let numbers = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
                rows.into_iter().map(|row| row.iter().map(|text| number(text)).collect()).collect()
            };
            assert_eq!(numbers(shown(&again, case.added)), numbers(shown(&table, 0)), "{context}");
        }
    }
}
