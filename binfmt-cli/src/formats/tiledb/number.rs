//! Numbers and texts of the JSON form, as the bytes of cells.

use super::value::encoded;
use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Number, NumberType, Numbers};
use serde_json::Value as Json;

/// A number of a type.
pub(super) fn number(json: &Json, kind: NumberType) -> Result<Number, String> {
    if !kind.is_float() {
        let n = json.as_i64().map(i128::from).or(json.as_u64().map(i128::from));
        let n = n.ok_or_else(|| format!("{json} is not an integer"))?;
        return Number::from_i128(kind, n).ok_or_else(|| format!("{n} does not fit {}", kind.name()));
    }
    let found = match (bits(json), kind) {
        (Some(bits), NumberType::F32) => {
            u32::try_from(bits).ok().map(|bits| Number::F32(f32::from_bits(bits)))
        }
        (Some(bits), _) => Some(Number::F64(f64::from_bits(bits))),
        (None, _) => Number::from_f64(kind, float(json)?),
    };
    found.ok_or_else(|| format!("{json} has no {} bits", 8 * kind.size()))
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
    cell_val_num: CellValNum,
    values: Numbers,
    /// Where cells begin, and where the last ends.
    offsets: Vec<usize>,
}

impl Cells {
    pub(super) fn new(datatype: Datatype, cell_val_num: CellValNum) -> Result<Self, String> {
        let kind = datatype.number_type().ok_or_else(|| datatype.to_string())?;
        Ok(Cells { datatype, cell_val_num, values: Numbers::new(kind), offsets: vec![0] })
    }

    /// One more cell.
    pub(super) fn push(&mut self, json: &Json) -> Result<(), String> {
        let (before, kind) = (self.values.len(), self.values.number_type());
        let found = match json {
            Json::String(text) if self.datatype.is_text() => encoded(self.datatype, text),
            json if self.datatype.is_text() => Numbers::from_le_bytes(kind, &hex(json)?)
                .ok_or_else(|| format!("{json} ends inside of a value"))?,
            json => {
                let list = match json {
                    json if self.cell_val_num == CellValNum::ONE => std::slice::from_ref(json),
                    Json::Array(list) => list,
                    json => return Err(format!("{json} is not a list of numbers")),
                };
                let mut found = Numbers::new(kind);
                for json in list {
                    // of this kind they all are
                    let _ = found.push(number(json, kind)?);
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
    let wrong = || format!("{json} is not text, and not {{\"hex\": …}}");
    let digits = json.get("hex").and_then(Json::as_str).ok_or_else(wrong)?;
    let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2)).ok_or_else(wrong)?;
    Ok(digits.as_chunks::<2>().0.iter().map(|[a, b]| (a << 4 | b) as u8).collect())
}
