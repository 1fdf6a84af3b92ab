//! Test data of the BEAT platform, and what they should hold.

use binfmt::numbers::Number;
use binfmt::value::{Elements, Value};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The folder beneath which the declarations of all cases stand, as the platform keeps them.
pub(crate) fn prefix() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/beat_prefix")
}

/// A case: its folder, what it holds, its bytes.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) content: Json,
    pub(crate) bytes: Vec<u8>,
}

impl Case {
    /// The name of the data format.
    pub(crate) fn format(&self) -> &str {
        self.content["format"].as_str().unwrap()
    }
}

/// The cases that are objects (`bin`) or data files (`data`).
pub(crate) fn cases(ending: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beat")).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(bytes) = std::fs::read(folder.join("input").with_extension(ending)) else { continue };
        let content = std::fs::read_to_string(folder.join("content.json")).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        cases.push(Case { name, content: serde_json::from_str(&content).unwrap(), bytes, folder });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// A C99 hexadecimal float, as the descriptions have them: `-0x1.8p+3`.
fn hex_float(text: &str) -> f64 {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    match rest {
        "nan" => return f64::NAN,
        "inf" => return sign * f64::INFINITY,
        _ => {}
    }
    let (mantissa, exponent) = rest.strip_prefix("0x").unwrap().split_once('p').unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap();
    let exponent: i32 = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
    // in two steps, so that neither leaves the range
    sign * (digits as f64) * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// Whether a value is what its description says.
pub(crate) fn is(value: &Value, json: &Json) -> bool {
    let all = |values: &Elements, list: &Json| {
        let list = list.as_array().unwrap();
        values.len() == list.len() && values.iter().zip(list).all(|(value, json)| is(&value, json))
    };
    match value {
        Value::Number(Number::Bool(b)) => json.as_bool() == Some(*b),
        Value::Number(n) if n.number_type().is_float() => same(n.to_f64(), hex_float(json.as_str().unwrap())),
        Value::Text(text) => json.as_str() == Some(text),
        Value::List(values) => all(&values.clone().into(), json),
        Value::Array { shape, values } => {
            let dims: Vec<u64> =
                json["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
            **shape == dims && all(values, &json["values"])
        }
        Value::Record(fields) => {
            let object = json.as_object().unwrap();
            fields.len() == object.len() && fields.iter().all(|(name, value)| is(value, &object[&**name]))
        }
        value => match json.as_i64() {
            Some(n) => value.as_i128() == Some(n.into()),
            None => value.as_i128() == json.as_u64().map(i128::from),
        },
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
