//! Schemas, in both directions.

use super::numbers::{number, program};
use crate::formats::tiledb::layout::{
    ArraySchema, Attribute, CellValNum, CompressionOptions, DEFAULT_MAX_CHUNK_SIZE, Datatype, Dimension,
    Filter, FilterPipeline, Layout,
};
use crate::numbers::Number;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

/// `{"array_type": "dense", "tile_order": "row", .., "dims": [{"name": "x", "lo": 1, "hi": 4, "extent": 2}], "attrs": [..]}`.
///
/// ```
/// use binfmt::formats::tiledb::{ArraySchema, Attribute, Datatype, Dimension, Number};
/// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
/// let mut schema = ArraySchema::dense(Datatype::Int32, [x]);
/// schema.attributes.push(Attribute::new("a", Datatype::Float64));
/// let json = serde_json::to_value(&schema)?;
/// assert_eq!(json["dims"][0]["hi"], 4);
/// assert_eq!(serde_json::from_value::<ArraySchema>(json)?, schema);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for ArraySchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        to_json(self).serialize(serializer)
    }
}

/// The same form. What it leaves out is as TileDB has it by default; the schema must be one that an array can have.
impl<'de> Deserialize<'de> for ArraySchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_json(&Json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn to_json(schema: &ArraySchema) -> Json {
    let dims = schema.domain.dimensions.iter().map(|d| {
        let [lo, hi] = d.domain.map(of_number);
        json!({"name": d.name, "lo": lo, "hi": hi, "extent": d.tile_extent.map(of_number)})
    });
    let attrs = schema.attributes.iter().map(|a| {
        let n = a.cell_val_num.fixed().map_or(json!("var"), |n| json!(n));
        let filters = of_pipeline(&a.filters);
        json!({"name": a.name, "type": a.datatype.to_string(), "cell_val_num": n, "filters": filters})
    });
    json!({
        "array_type": schema.array_type.to_string(),
        "tile_order": of_order(schema.tile_order),
        "cell_order": of_order(schema.cell_order),
        "capacity": schema.capacity,
        "coords_filters": of_pipeline(&schema.coords_filters),
        "offsets_filters": of_pipeline(&schema.offsets_filters),
        "dim_type": schema.domain.datatype.to_string(),
        "dims": dims.collect::<Json>(),
        "attrs": attrs.collect::<Json>(),
    })
}

/// A number, as JSON has them.
fn of_number(value: Number) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}

fn of_order(order: Layout) -> &'static str {
    if order == Layout::ColumnMajor { "col" } else { "row" }
}

/// Names of filters, and which they are without their options.
static FILTERS: [(&str, Filter); 11] = [
    ("NONE", Filter::none()),
    ("GZIP", Filter::gzip(-1)),
    ("ZSTD", Filter::zstd(-1)),
    ("LZ4", Filter::lz4(-1)),
    ("RLE", Filter::rle(-1)),
    ("BZIP2", Filter::bzip2(-1)),
    ("DOUBLE_DELTA", Filter::double_delta(-1)),
    ("BIT_WIDTH_REDUCTION", Filter::bit_width_reduction(256)),
    ("BITSHUFFLE", Filter::bitshuffle()),
    ("BYTESHUFFLE", Filter::byteshuffle()),
    ("POSITIVE_DELTA", Filter::positive_delta(1024)),
];

fn of_pipeline(pipeline: &FilterPipeline) -> Json {
    let filters = pipeline.filters.iter().map(|filter| {
        let name = FILTERS.iter().find(|(_, known)| known.code() == filter.code()).map(|(name, _)| *name);
        if let Some(CompressionOptions { level, .. }) = filter.compression() {
            return json!({"type": name, "level": level});
        }
        match filter {
            Filter::BitWidthReduction(w) | Filter::PositiveDelta(w) => {
                json!({"type": name, "max_window": w.max_window})
            }
            _ => json!({"type": name}),
        }
    });
    json!({"max_chunk_size": pipeline.max_chunk_size, "filters": filters.collect::<Json>()})
}

fn from_json(json: &Json) -> Result<ArraySchema, String> {
    let members = json.as_object().ok_or("\"schema\" must be an object")?;
    let datatype = datatype(members, "dim_type")?;
    let dims = list(members, "dims")?.iter().map(|d| dimension(d, datatype));
    let dims = dims.collect::<Result<Vec<Dimension>, String>>()?;
    let mut schema = match text(members, "array_type")? {
        "dense" => ArraySchema::dense(datatype, dims),
        "sparse" => ArraySchema::sparse(datatype, dims),
        other => return Err(format!("\"array_type\" must be \"dense\" or \"sparse\", not {other:?}")),
    };
    schema.tile_order = order(members, "tile_order")?;
    schema.cell_order = order(members, "cell_order")?;
    if let Some(capacity) = members.get("capacity") {
        schema.capacity = capacity.as_u64().ok_or("\"capacity\" must be a number")?;
    }
    for (name, place) in
        [("coords_filters", &mut schema.coords_filters), ("offsets_filters", &mut schema.offsets_filters)]
    {
        if let Some(json) = members.get(name) {
            *place = pipeline(json).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    let attributes = list(members, "attrs")?.iter().map(attribute);
    schema.attributes = attributes.collect::<Result<_, String>>()?;
    schema.check().map_err(|e| format!("{}: {}", e.path(), e.kind()))?;
    Ok(schema)
}

fn text<'j>(members: &'j Map<String, Json>, name: &str) -> Result<&'j str, String> {
    members.get(name).and_then(Json::as_str).ok_or_else(|| format!("\"{name}\" must be a text"))
}

fn list<'j>(members: &'j Map<String, Json>, name: &str) -> Result<&'j [Json], String> {
    match members.get(name) {
        None => Ok(&[]),
        Some(json) => json.as_array().map(Vec::as_slice).ok_or_else(|| format!("\"{name}\" must be a list")),
    }
}

fn datatype(members: &Map<String, Json>, name: &str) -> Result<Datatype, String> {
    let text = text(members, name)?;
    Datatype::named(text).ok_or_else(|| format!("\"{name}\": unknown type {text:?}"))
}

fn order(members: &Map<String, Json>, name: &str) -> Result<Layout, String> {
    match members.get(name).map(Json::as_str) {
        None | Some(Some("row")) => Ok(Layout::RowMajor),
        Some(Some("col")) => Ok(Layout::ColumnMajor),
        Some(_) => Err(format!("\"{name}\" must be \"row\" or \"col\"")),
    }
}

fn dimension(json: &Json, datatype: Datatype) -> Result<Dimension, String> {
    let members = json.as_object().ok_or("a dimension must be an object")?;
    let name = text(members, "name")?;
    let end = |member: &str| {
        let json = members.get(member).unwrap_or(&Json::Null);
        of_type(json, datatype).map_err(|e| format!("dimension {name:?}: \"{member}\": {e}"))
    };
    let extent = members.get("extent").filter(|extent| !extent.is_null());
    let tile_extent = extent.map(|_| end("extent")).transpose()?;
    Ok(Dimension::new(name, end("lo")?, end("hi")?, tile_extent))
}

/// A number of a datatype.
pub(super) fn of_type(json: &Json, datatype: Datatype) -> Result<Number, String> {
    number(json, &program(datatype.number_type().ok_or("it has no type")?)?)
}

fn attribute(json: &Json) -> Result<Attribute, String> {
    let members = json.as_object().ok_or("an attribute must be an object")?;
    let name = text(members, "name")?;
    let wrong = |e: String| format!("attribute {name:?}: {e}");
    let mut attribute = Attribute::new(name, datatype(members, "type").map_err(wrong)?);
    match members.get("cell_val_num") {
        None => {}
        Some(Json::String(var)) if var == "var" => attribute.cell_val_num = CellValNum::VAR,
        Some(json) => {
            let n = json.as_u64().and_then(|n| u32::try_from(n).ok()).and_then(CellValNum::new);
            attribute.cell_val_num =
                n.ok_or_else(|| wrong("\"cell_val_num\" must be a number or \"var\"".into()))?;
        }
    }
    if let Some(json) = members.get("filters") {
        attribute.filters = pipeline(json).map_err(wrong)?;
    }
    Ok(attribute)
}

fn pipeline(json: &Json) -> Result<FilterPipeline, String> {
    let members = json.as_object().ok_or("filters must be an object with a list \"filters\"")?;
    let filters = list(members, "filters")?.iter().map(filter).collect::<Result<_, String>>()?;
    let size = match members.get("max_chunk_size") {
        None => DEFAULT_MAX_CHUNK_SIZE,
        Some(json) => {
            json.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("\"max_chunk_size\" must be a number")?
        }
    };
    Ok(FilterPipeline { max_chunk_size: size, filters })
}

fn filter(json: &Json) -> Result<Filter, String> {
    let members = json.as_object().ok_or("a filter must be an object")?;
    let name = text(members, "type")?;
    let known = FILTERS.iter().find(|(known, _)| *known == name);
    let (_, mut filter) = known.cloned().ok_or_else(|| format!("unknown filter {name:?}"))?;
    match &mut filter {
        Filter::Gzip(CompressionOptions { level, .. })
        | Filter::Zstd(CompressionOptions { level, .. })
        | Filter::Lz4(CompressionOptions { level, .. })
        | Filter::Rle(CompressionOptions { level, .. })
        | Filter::Bzip2(CompressionOptions { level, .. })
        | Filter::DoubleDelta(CompressionOptions { level, .. }) => {
            if let Some(json) = members.get("level") {
                let n = json.as_i64().and_then(|n| i32::try_from(n).ok());
                *level = n.ok_or("\"level\" must be a number")?;
            }
        }
        Filter::BitWidthReduction(window) | Filter::PositiveDelta(window) => {
            if let Some(json) = members.get("max_window") {
                let n = json.as_u64().and_then(|n| u32::try_from(n).ok());
                window.max_window = n.ok_or("\"max_window\" must be a number")?;
            }
        }
        _ => {}
    }
    Ok(filter)
}
