//! What a schema must be so that cells can be found: checked once, when an array is opened or made.

use super::version::check_version;
use crate::formats::tiledb::layout::{
    ArraySchema, ArrayType, Attribute, CompressionOptions, Compressor, Datatype, Dimension, FilterPipeline,
    Layout,
};
use crate::numbers::Number;
use crate::{Error, ErrorKind, Result, Step};
use std::collections::BTreeSet;

impl ArraySchema {
    /// Whether an array of this schema can be read and written.
    ///
    /// # Errors
    /// The first thing that is wrong: an unknown number, a domain without dimensions, bounds in the wrong order, a
    /// missing extent, an attribute whose name is that of no file or of another attribute.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(4), Number::I32(1), Number::I32(2));
    /// let e = ArraySchema::dense(Datatype::Int32, [x]).check().unwrap_err();
    /// assert_eq!(e.to_string(), "dimensions[0].domain: invalid range 4 to 1");
    /// ```
    pub fn check(&self) -> Result<()> {
        check_version(self.version)?;
        let unknown = |of, code: u8| Err(ErrorKind::UnknownCode { of, code: code.into() }.into());
        if let ArrayType::Unknown(code) = self.array_type {
            return unknown("array type", code);
        }
        for order in [self.tile_order, self.cell_order] {
            if let Layout::Unknown(code) = order {
                return unknown("order", code);
            }
        }
        if self.capacity == 0 {
            return Err(ErrorKind::invalid("capacity", 0, "").into());
        }
        if self.domain.dimensions.is_empty() {
            return Err(ErrorKind::invalid("domain", "", "no dimensions").into());
        }
        let number = self.domain.datatype.number_type();
        let dense = self.array_type == ArrayType::Dense;
        if number.is_none() || self.domain.datatype.is_text() || dense && !self.domain.datatype.is_integer() {
            let by = if dense { "a dense array" } else { "a sparse array" };
            let feature = format!("dimensions of type {}", self.domain.datatype);
            return Err(ErrorKind::unsupported(by, feature).into());
        }
        for (name, pipeline) in
            [("coords_filters", &self.coords_filters), ("offsets_filters", &self.offsets_filters)]
        {
            check_pipeline(pipeline).map_err(|e| e.within(Step::Field(name)))?;
        }
        for (i, dimension) in self.domain.dimensions.iter().enumerate() {
            check_dimension(dimension, dense)
                .map_err(|e| e.within(Step::Index(i)).within(Step::Field("dimensions")))?;
        }
        let mut names = BTreeSet::new();
        for (i, attribute) in self.attributes.iter().enumerate() {
            let again = !names.insert(attribute.name.as_str());
            check_attribute(attribute, again)
                .map_err(|e| e.within(Step::Index(i)).within(Step::Field("attributes")))?;
        }
        Ok(())
    }
}

fn check_dimension(dimension: &Dimension, dense: bool) -> Result<()> {
    let [low, high] = dimension.domain;
    if !matches!(low.partial_cmp(&high), Some(o) if o.is_le()) {
        let e = Error::from(ErrorKind::invalid("range", format_args!("{low} to {high}"), ""));
        return Err(e.within(Step::Field("domain")));
    }
    let wrong = |kind: ErrorKind| Err(Error::from(kind).within(Step::Field("tile_extent")));
    match dimension.tile_extent {
        None if dense => {
            wrong(ErrorKind::Missing { of: "tile extent of dimension", name: dimension.name.clone() })
        }
        None => Ok(()),
        Some(extent) => {
            let positive = match extent {
                Number::F32(v) => v > 0.0,
                Number::F64(v) => v > 0.0,
                other => other.as_i128() > Some(0),
            };
            if positive { Ok(()) } else { wrong(ErrorKind::invalid("tile extent", extent, "")) }
        }
    }
}

fn check_attribute(attribute: &Attribute, again: bool) -> Result<()> {
    let name = &attribute.name;
    let wrong = |kind: ErrorKind| Err(Error::from(kind).within(Step::Field("name")));
    if again {
        return wrong(ErrorKind::Duplicate { of: "attribute", name: name.clone() });
    }
    if name.contains(['/', '\\', '\0', ':']) || matches!(name.as_str(), "." | "..") {
        return wrong(ErrorKind::invalid("file name", format_args!("{name:?}"), ""));
    }
    if let Datatype::Unknown(code) = attribute.datatype {
        let e = Error::from(ErrorKind::UnknownCode { of: "datatype", code: code.into() });
        return Err(e.within(Step::Field("datatype")));
    }
    check_pipeline(&attribute.filters).map_err(|e| e.within(Step::Field("filters")))?;
    if attribute.cell_val_num.fixed() == Some(0) {
        let e = Error::from(ErrorKind::invalid("number of values", 0, ""));
        return Err(e.within(Step::Field("cell_val_num")));
    }
    Ok(())
}

/// A filter that compresses says twice how: both must agree, and be known.
pub(crate) fn check_pipeline(pipeline: &FilterPipeline) -> Result<()> {
    for (i, filter) in pipeline.filters.iter().enumerate() {
        let Some(CompressionOptions { compressor: found, .. }) = filter.compression() else { continue };
        let own: Compressor = crate::from_slice(&[filter.code()])?;
        if found != own {
            let e = Error::from(ErrorKind::mismatch("compressor", format!("{own:?}"), format!("{found:?}")));
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

impl Attribute {
    /// The name of the file of its values, or of the offsets of its values, without the ending.
    pub(crate) fn file_stem(&self) -> &str {
        // libtiledb gives an attribute without a name this one
        if self.name.is_empty() { "__attr" } else { &self.name }
    }
}
