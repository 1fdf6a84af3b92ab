//! Numbers and texts of the JSON form, as the bytes of cells.

use super::value::encoded;
use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Number, Values};
use serde_json::Value as Json;

/// Appends a number of a type, little-endian.
pub(super) fn put(json: &Json, number: Number, out: &mut Vec<u8>) -> Result<(), String> {
    macro_rules! integer {
        ($t:ident) => {{
            let n = json.as_i64().map(i128::from).or(json.as_u64().map(i128::from));
            let n = n.ok_or_else(|| format!("{json} is not an integer"))?;
            let n = $t::try_from(n).map_err(|_| format!("{n} is out of range for {}", stringify!($t)))?;
            out.extend_from_slice(&n.to_le_bytes());
        }};
    }
    match number {
        Number::I8 => integer!(i8),
        Number::U8 => integer!(u8),
        Number::I16 => integer!(i16),
        Number::U16 => integer!(u16),
        Number::I32 => integer!(i32),
        Number::U32 => integer!(u32),
        Number::I64 => integer!(i64),
        Number::U64 => integer!(u64),
        Number::F32 => match bits(json) {
            Some(bits) => {
                let bits = u32::try_from(bits).map_err(|_| format!("{json} has no 32 bits"))?;
                out.extend_from_slice(&bits.to_le_bytes());
            }
            None => out.extend_from_slice(&(float(json)? as f32).to_le_bytes()),
        },
        Number::F64 => match bits(json) {
            Some(bits) => out.extend_from_slice(&bits.to_le_bytes()),
            None => out.extend_from_slice(&float(json)?.to_le_bytes()),
        },
    }
    Ok(())
}

/// The bits of a NaN that is not the usual one.
fn bits(json: &Json) -> Option<u64> {
    u64::from_str_radix(json.get("bits")?.as_str()?, 16).ok()
}

fn float(json: &Json) -> Result<f64, String> {
    match json.as_str() {
        Some("nan") => Ok(f64::NAN),
        Some("inf") => Ok(f64::INFINITY),
        Some("-inf") => Ok(f64::NEG_INFINITY),
        _ => json.as_f64().ok_or_else(|| format!("{json} is not a number")),
    }
}

/// A column that grows cell by cell.
#[derive(Debug)]
pub(super) struct Cells {
    datatype: Datatype,
    number: Number,
    values: CellValNum,
    bytes: Vec<u8>,
    /// Where cells begin, in values, and where the last ends.
    offsets: Vec<usize>,
}

impl Cells {
    pub(super) fn new(datatype: Datatype, values: CellValNum) -> Result<Self, String> {
        let number = datatype.number().ok_or_else(|| datatype.to_string())?;
        Ok(Cells { datatype, number, values, bytes: Vec::new(), offsets: vec![0] })
    }

    /// One more cell.
    pub(super) fn push(&mut self, json: &Json) -> Result<(), String> {
        let before = self.bytes.len();
        match (self.datatype.is_text(), json) {
            (true, Json::String(text)) => self.bytes.extend(encoded(self.datatype, text).to_bytes()),
            (true, json) => self.bytes.extend(hex(json)?),
            (false, Json::Array(list)) if self.values != CellValNum::ONE => {
                list.iter().try_for_each(|json| put(json, self.number, &mut self.bytes))?;
            }
            (false, json) if self.values == CellValNum::ONE => put(json, self.number, &mut self.bytes)?,
            (false, json) => return Err(format!("{json} is not a list of numbers")),
        }
        let size = self.number.size();
        let count = (self.bytes.len() - before) / size;
        match self.values.fixed() {
            _ if !(self.bytes.len() - before).is_multiple_of(size) => {
                Err(format!("{json} ends inside a value"))
            }
            Some(n) if count != n as usize => Err(format!("{json} has {count} values, a cell has {n}")),
            Some(_) => Ok(()),
            None => {
                self.offsets.push(self.bytes.len() / size);
                Ok(())
            }
        }
    }

    pub(super) fn finish(self) -> Option<Column> {
        let values = Values::from_bytes(self.number, &self.bytes)?;
        match self.values.fixed() {
            Some(_) => Column::fixed(self.datatype, self.values, values),
            None => Column::variable(self.datatype, values, self.offsets),
        }
    }

    /// The numbers, of a dimension.
    pub(super) fn into_values(self) -> Option<Values> {
        Values::from_bytes(self.number, &self.bytes)
    }
}

fn hex(json: &Json) -> Result<Vec<u8>, String> {
    let wrong = || format!("{json} is neither a text nor {{\"hex\": …}}");
    let digits = json.get("hex").and_then(Json::as_str).ok_or_else(wrong)?;
    let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2)).ok_or_else(wrong)?;
    Ok(digits.as_chunks::<2>().0.iter().map(|[a, b]| (a << 4 | b) as u8).collect())
}
