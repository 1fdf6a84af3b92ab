//! What the schema of a new array must be, so that libtiledb reads it: stricter than what can be read here.

use crate::formats::tiledb::filter::{TileCodec, floats};
use crate::formats::tiledb::layout::{
    ArraySchema, ArrayType, CellValNum, Datatype, Dimension, Filter, FilterPipeline,
};
use crate::numbers::{Number, NumberType};
use crate::{Error, ErrorKind, Result, Step};

/// The files of a fragment that belong to no attribute.
const OTHERS: [&str; 2] = ["__coords.tdb", "__fragment_metadata.tdb"];

impl ArraySchema {
    /// Whether an array may be made of this schema, which [`check`](ArraySchema::check) has found sound.
    ///
    /// # Errors
    /// libtiledb would refuse the array or read it wrongly, or two attributes would share a file.
    pub(crate) fn check_new(&self) -> Result<()> {
        let dense = self.array_type == ArrayType::Dense;
        if dense && self.attributes.is_empty() {
            return Err(ErrorKind::invalid("schema", "", "a dense array needs an attribute").into());
        }
        let coords = (&self.coords_filters, self.domain.datatype);
        check_filters(coords.0, coords.1).map_err(|e| e.within(Step::Field("coords_filters")))?;
        check_filters(&self.offsets_filters, Datatype::Uint64)
            .map_err(|e| e.within(Step::Field("offsets_filters")))?;
        let mut names = Vec::new();
        for (i, dimension) in self.domain.dimensions.iter().enumerate() {
            check_name(&dimension.name, &mut names)
                .and_then(|()| check_extent(dimension, self.domain.datatype))
                .and_then(|()| if dense { check_tiles(dimension, self.domain.datatype) } else { Ok(()) })
                .map_err(|e| e.within(Step::Index(i)).within(Step::Field("dimensions")))?;
        }
        let mut files: Vec<String> = OTHERS.map(String::from).into();
        for (i, attribute) in self.attributes.iter().enumerate() {
            let stem = attribute.file_stem();
            let variable = attribute.cell_val_num == CellValNum::VAR;
            let own = [Some(format!("{stem}.tdb")), variable.then(|| format!("{stem}_var.tdb"))];
            check_name(&attribute.name, &mut names)
                .and_then(|()| own.into_iter().flatten().try_for_each(|file| check_file(file, &mut files)))
                .and_then(|()| {
                    check_filters(&attribute.filters, attribute.datatype)
                        .map_err(|e| e.within(Step::Field("filters")))
                })
                .map_err(|e| e.within(Step::Index(i)).within(Step::Field("attributes")))?;
        }
        Ok(())
    }
}

/// Dimensions and attributes have names of their own.
fn check_name<'a>(name: &'a str, earlier: &mut Vec<&'a str>) -> Result<()> {
    if earlier.contains(&name) {
        let e = Error::from(ErrorKind::Duplicate { of: "dimension or attribute", name: name.into() });
        return Err(e.within(Step::Field("name")));
    }
    earlier.push(name);
    Ok(())
}

/// No file belongs to another attribute.
fn check_file(file: String, earlier: &mut Vec<String>) -> Result<()> {
    if earlier.contains(&file) {
        let e = Error::from(ErrorKind::Duplicate { of: "file", name: file });
        return Err(e.within(Step::Field("name")));
    }
    earlier.push(file);
    Ok(())
}

/// What libtiledb 1.6.3 demands of a tile extent, with its own arithmetic: integers of 32 bits wrap around in it.
fn check_extent(dimension: &Dimension, datatype: Datatype) -> Result<()> {
    let ([low, high], Some(extent), Some(number)) =
        (dimension.domain, dimension.tile_extent, datatype.number_type())
    else {
        return Ok(());
    };
    let wrong = |text: String| {
        let kind = ErrorKind::invalid("tile extent", extent, format!("{text}, which libtiledb 1.6 refuses"));
        Err(Error::from(kind).within(Step::Field("tile_extent")))
    };
    let longer = || wrong(format!("longer than the domain, {low} to {high}"));
    match (low, high, extent) {
        (Number::F32(low), Number::F32(high), Number::F32(extent)) if extent > high - low + 1.0 => {
            return longer();
        }
        (Number::F64(low), Number::F64(high), Number::F64(extent)) if extent > high - low + 1.0 => {
            return longer();
        }
        _ => {}
    }
    let (Some(from), Some(to), Some(len)) = (low.as_i128(), high.as_i128(), extent.as_i128()) else {
        return Ok(());
    };
    let range = match number {
        NumberType::I32 => (to - from + 1) as i32 as u64,
        NumberType::U32 => (to - from + 1) as u32 as u64,
        _ => (to - from + 1) as u64,
    };
    let len = len as u64;
    if range == 0 {
        return wrong(format!("the domain, {low} to {high}, is all of the type"));
    }
    if len > range {
        return longer();
    }
    let last = ((range - 1) / len * len).wrapping_add(from as u64);
    let is_beyond = last.checked_add(len - 1).is_none() || Number::from_i128(number, last.into()).is_none();
    if !range.is_multiple_of(len) && is_beyond {
        return wrong(format!(
            "the last tile, which {low} to {high} does not fill, begins below 0 or ends beyond the type"
        ));
    }
    Ok(())
}

/// The last tile of a dense array ends within the type of the coordinates.
fn check_tiles(dimension: &Dimension, datatype: Datatype) -> Result<()> {
    let [low, high] = dimension.domain.map(Number::as_i128);
    let extent = dimension.tile_extent.and_then(Number::as_i128);
    let (Some(low), Some(high), Some(extent), Some(number)) = (low, high, extent, datatype.number_type())
    else {
        return Ok(());
    };
    let last = low + ((high - low) / extent + 1) * extent - 1;
    if Number::from_i128(number, last).is_some() {
        return Ok(());
    }
    let reason = format!("the last tile would end at {last}, beyond {datatype}, which libtiledb cannot read");
    Err(Error::from(ErrorKind::invalid("tile extent", extent, reason)).within(Step::Field("tile_extent")))
}

fn check_filters(pipeline: &FilterPipeline, datatype: Datatype) -> Result<()> {
    let float = datatype.number_type().is_some_and(|number| number.is_float());
    for (i, filter) in pipeline.filters.iter().enumerate() {
        let kind = match filter {
            Filter::Aes256Gcm(()) => ErrorKind::unsupported(
                "a schema",
                "encryption as a filter: `Options::key` encrypts the array",
            ),
            Filter::DoubleDelta(_) if float => floats("double delta"),
            // libtiledb 1.6.3 ends with a signal when it writes with these
            Filter::Gzip(c) if c.level > 9 => ErrorKind::unsupported("gzip", "levels above 9"),
            Filter::Bzip2(c) if c.level > 9 => ErrorKind::unsupported("bzip2", "levels above 9"),
            Filter::BitWidthReduction(w) | Filter::PositiveDelta(w)
                if filter.acts_on(datatype) && datatype.size() > Some(w.max_window as usize) =>
            {
                ErrorKind::invalid("window", w.max_window, "smaller than a value")
            }
            _ => continue,
        };
        return Err(Error::from(kind).within(Step::Index(i)));
    }
    // numbers of filters that do not exist
    TileCodec::new(pipeline, datatype, 1, None).map(|_| ())
}

#[cfg(test)]
mod tests {
    use crate::formats::tiledb::*;

    fn refused(schema: ArraySchema) -> String {
        schema.check().unwrap();
        Options::new().create(Memory::new(), schema).unwrap_err().to_string()
    }

    fn sparse(attributes: impl IntoIterator<Item = Attribute>) -> ArraySchema {
        let x = Dimension::new("x", Number::F32(0.0), Number::F32(9.0), Number::F32(5.0));
        attributes.into_iter().fold(ArraySchema::sparse(Datatype::Float32, [x]), ArraySchema::attribute)
    }

    fn filtered(filter: Filter) -> ArraySchema {
        sparse([Attribute::new("a", Datatype::Float64).filtered([filter])])
    }

    #[test]
    fn names_that_libtiledb_refuses() {
        let a = || Attribute::new("a", Datatype::Int32);
        assert_eq!(
            refused(sparse([a(), Attribute::new("x", Datatype::Int8)])),
            "attributes[1].name: duplicate dimension or attribute `x`"
        );
        let [one, two] = [1, 2].map(|low| Dimension::new("", Number::I8(low), Number::I8(9), Number::I8(5)));
        assert_eq!(
            refused(ArraySchema::dense(Datatype::Int8, [one, two]).attribute(a())),
            "dimensions[1].name: duplicate dimension or attribute ``"
        );
    }

    #[test]
    fn files_that_would_be_written_twice() {
        let var = Attribute::new("a", Datatype::StringUtf8).values(CellValNum::VAR);
        assert_eq!(
            refused(sparse([Attribute::new("a_var", Datatype::Int32), var])),
            "attributes[1].name: duplicate file `a_var.tdb`"
        );
        for name in ["__coords", "__fragment_metadata"] {
            let e = refused(sparse([Attribute::new(name, Datatype::Int32)]));
            assert!(e.contains("duplicate file"), "{e}");
        }
    }

    #[test]
    fn filters_that_are_none_of_a_schema() {
        assert_eq!(
            refused(filtered(Filter::Unknown { tag: 20, options: vec![] })),
            "attributes[0].filters: unknown filter 20"
        );
        assert_eq!(
            refused(filtered(Filter::double_delta(-1))),
            "attributes[0].filters[0]: double delta does not support floating-point values"
        );
        let e = refused(filtered(Filter::Aes256Gcm(())));
        assert!(e.contains("encryption as a filter"), "{e}");
        let coords = FilterPipeline::new([Filter::double_delta(-1)]);
        let e = refused(ArraySchema { coords_filters: coords, ..sparse([]) });
        assert!(e.starts_with("coords_filters[0]"), "{e}");
    }

    #[test]
    fn dense_tiles_end_within_the_type() {
        let of = |high, extent| {
            let x = Dimension::new("x", Number::U8(0), Number::U8(high), Number::U8(extent));
            ArraySchema::dense(Datatype::Uint8, [x])
        };
        let a = || Attribute::new("a", Datatype::Int32);
        assert_eq!(
            refused(of(250, 100).attribute(a())),
            "dimensions[0].tile_extent: invalid tile extent 100: the last tile would end at 299, beyond UINT8, \
             which libtiledb cannot read"
        );
        Options::new().create(Memory::new(), of(250, 128).attribute(a())).unwrap();
        assert_eq!(refused(of(9, 5)), "invalid schema: a dense array needs an attribute");
    }

    #[test]
    fn options_that_end_libtiledb() {
        let of = |filter| refused(sparse([Attribute::new("a", Datatype::Int32).filtered([filter])]));
        assert_eq!(of(Filter::gzip(10)), "attributes[0].filters[0]: gzip does not support levels above 9");
        assert!(of(Filter::bzip2(50)).contains("bzip2 does not support levels above 9"));
        assert!(of(Filter::bit_width_reduction(3)).contains("smaller than a value"));
        assert!(of(Filter::positive_delta(0)).contains("smaller than a value"));
        // these do no harm: zlib takes any level below 0 for its own, and floats pass through windows
        for filter in [Filter::gzip(-7), Filter::zstd(99), Filter::bzip2(0), Filter::bit_width_reduction(4)] {
            let schema = sparse([Attribute::new("a", Datatype::Int32).filtered([filter])]);
            Options::new().create(Memory::new(), schema).unwrap();
        }
        Options::new().create(Memory::new(), filtered(Filter::positive_delta(0))).unwrap();
        let offsets = FilterPipeline::new([Filter::positive_delta(7)]);
        let e = refused(ArraySchema { offsets_filters: offsets, ..sparse([]) });
        assert!(e.starts_with("offsets_filters[0]"), "{e}");
    }

    /// Whether a sparse array of such a dimension can be made.
    fn makes(low: Number, high: Number, extent: Number, datatype: Datatype) -> bool {
        let schema = ArraySchema::sparse(datatype, [Dimension::new("x", low, high, extent)]);
        Options::new().create(Memory::new(), schema).is_ok()
    }

    #[test]
    fn extents_that_libtiledb_refuses() {
        let i8 =
            |low, high, extent| makes(Number::I8(low), Number::I8(high), Number::I8(extent), Datatype::Int8);
        assert!(i8(-10, -1, 5) && i8(-10, 8, 7) && i8(6, 127, 7) && i8(-128, 127, 16));
        assert!(!i8(-10, 3, 8) && !i8(-8, -4, 4) && !i8(0, 3, 5));
        let i32 = |low, high, extent| {
            makes(Number::I32(low), Number::I32(high), Number::I32(extent), Datatype::Int32)
        };
        assert!(i32(0, i32::MAX - 1, 1) && !i32(-6, -2, 3) && !i32(i32::MIN, i32::MAX, 1));
        let i64 = |low, high, extent| {
            makes(Number::I64(low), Number::I64(high), Number::I64(extent), Datatype::Int64)
        };
        assert!(!i64(i64::MIN, i64::MIN + 4, 2) && i64(i64::MIN, i64::MIN + 5, 2));
        let u64 = |low, high, extent| {
            makes(Number::U64(low), Number::U64(high), Number::U64(extent), Datatype::Uint64)
        };
        assert!(u64(0, u64::MAX - 1, 1) && !u64(0, u64::MAX, 1));
        assert!(u64(u64::MAX - 9, u64::MAX - 2, 4) && !u64(u64::MAX - 9, u64::MAX - 1, 4));
        let f64 = |low, high, extent| {
            makes(Number::F64(low), Number::F64(high), Number::F64(extent), Datatype::Float64)
        };
        assert!(f64(0.0, 9.0, 10.0) && f64(0.0, 0.0, 1.0) && !f64(0.0, 9.0, 10.5));
    }
}
