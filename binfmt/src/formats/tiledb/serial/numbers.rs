//! Numbers and texts of JSON, as the values of cells.

use crate::formats::tiledb::layout::{CellValNum, Datatype};
use crate::formats::tiledb::values::Column;
use crate::numbers::{Number, NumberType, Numbers};
use crate::schema::Description;
use crate::value::{Program, Value, ValueSeed};
use serde::de::DeserializeSeed;
use serde_json::Value as Json;

/// What reads numbers of a type.
pub(super) fn program(kind: NumberType) -> Result<Program, String> {
    Program::new(&Description::new(kind.into())).map_err(|e| e.to_string())
}

/// A number, as the library reads it.
pub(super) fn number(json: &Json, program: &Program) -> Result<Number, String> {
    match ValueSeed::new(program).deserialize(json) {
        Ok(Value::Number(n)) => Ok(n),
        Ok(_) => Err(format!("{json} is not a number")),
        Err(e) => Err(e.to_string()),
    }
}

/// A column that grows cell by cell.
#[derive(Debug)]
pub(super) struct Cells {
    datatype: Datatype,
    cell_val_num: CellValNum,
    program: Program,
    values: Numbers,
    /// Where cells begin, and where the last ends.
    offsets: Vec<usize>,
}

impl Cells {
    pub(super) fn new(datatype: Datatype, cell_val_num: CellValNum) -> Result<Self, String> {
        let kind = datatype.number_type().ok_or_else(|| datatype.to_string())?;
        let program = program(kind)?;
        Ok(Cells { datatype, cell_val_num, program, values: Numbers::new(kind), offsets: vec![0] })
    }

    /// One more cell.
    pub(super) fn push(&mut self, json: &Json) -> Result<(), String> {
        let (before, kind) = (self.values.len(), self.values.number_type());
        let found = match json {
            Json::String(text) if self.datatype.is_text() => encoded(self.datatype, text),
            json if self.datatype.is_text() => Numbers::from_le_bytes(kind, &hex(json)?)
                .ok_or_else(|| format!("{json} ends inside a value"))?,
            json => {
                let list = match json {
                    json if self.cell_val_num == CellValNum::ONE => std::slice::from_ref(json),
                    Json::Array(list) => list,
                    json => return Err(format!("{json} is not a list of numbers")),
                };
                let mut found = Numbers::new(kind);
                for json in list {
                    // of this kind they all are
                    let _ = found.push(number(json, &self.program)?);
                }
                found
            }
        };
        self.values.append(&found);
        let count = self.values.len() - before;
        match self.cell_val_num.fixed() {
            Some(n) if count != n as usize => Err(format!("{json} has {count} values, a cell has {n}")),
            Some(_) => Ok(()),
            None => {
                self.offsets.push(self.values.len());
                Ok(())
            }
        }
    }

    pub(super) fn finish(self) -> Option<Column> {
        match self.cell_val_num.fixed() {
            Some(_) => Column::fixed(self.datatype, self.cell_val_num, self.values),
            None => Column::variable(self.datatype, self.values, self.offsets),
        }
    }

    /// The numbers, of a dimension.
    pub(super) fn into_values(self) -> Numbers {
        self.values
    }
}

fn hex(json: &Json) -> Result<Vec<u8>, String> {
    let wrong = || format!("{json} is neither a text nor {{\"hex\": …}}");
    let digits = json.get("hex").and_then(Json::as_str).ok_or_else(wrong)?;
    let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2)).ok_or_else(wrong)?;
    Ok(digits.as_chunks::<2>().0.iter().map(|[a, b]| (a << 4 | b) as u8).collect())
}

/// The values of a text in the encoding of a type.
fn encoded(datatype: Datatype, text: &str) -> Numbers {
    match datatype {
        Datatype::StringUtf16 | Datatype::StringUcs2 => Numbers::U16(text.encode_utf16().collect()),
        Datatype::StringUtf32 | Datatype::StringUcs4 => Numbers::U32(text.chars().map(u32::from).collect()),
        _ => Numbers::U8(text.as_bytes().to_vec()),
    }
}
