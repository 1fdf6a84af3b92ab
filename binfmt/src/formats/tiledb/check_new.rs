//! What the schema of a new array must be, so that libtiledb reads it: stricter than what can be read here.

use super::datatype::Datatype;
use super::filter::TileCodec;
use super::pipeline::{Filter, FilterPipeline};
use super::scalar::Scalar;
use super::schema::{ArraySchema, ArrayType, CellValNum, Dimension};
use crate::{Error, Result, Step};

/// The files of a fragment that are no attribute's.
const OTHERS: [&str; 2] = ["__coords.tdb", "__fragment_metadata.tdb"];

impl ArraySchema {
    /// Whether an array may be made of this schema, which [`check`](ArraySchema::check) has found sound.
    ///
    /// # Errors
    /// libtiledb would refuse the array or read it wrongly, or two attributes would share a file.
    pub(super) fn check_new(&self) -> Result<()> {
        let dense = self.array_type == ArrayType::Dense;
        if dense && self.attributes.is_empty() {
            return Err(Error::message("a dense array needs an attribute", 0));
        }
        let coords = (&self.coords_filters, self.domain.datatype);
        check_filters(coords.0, coords.1).map_err(|e| e.within(Step::Field("coords_filters")))?;
        check_filters(&self.offsets_filters, Datatype::Uint64)
            .map_err(|e| e.within(Step::Field("offsets_filters")))?;
        let mut names = Vec::new();
        for (i, dimension) in self.domain.dimensions.iter().enumerate() {
            check_name(&dimension.name, &mut names)
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
        let e = Error::message(format!("a second dimension or attribute {name:?}"), 0);
        return Err(e.within(Step::Field("name")));
    }
    earlier.push(name);
    Ok(())
}

/// No file is that of somebody else.
fn check_file(file: String, earlier: &mut Vec<String>) -> Result<()> {
    if earlier.contains(&file) {
        let e = Error::message(format!("its file {file} would be another's, too"), 0);
        return Err(e.within(Step::Field("name")));
    }
    earlier.push(file);
    Ok(())
}

/// The last tile of a dense array ends within the type of the coordinates.
fn check_tiles(dimension: &Dimension, datatype: Datatype) -> Result<()> {
    let [low, high] = dimension.domain.map(Scalar::integer);
    let extent = dimension.tile_extent.and_then(Scalar::integer);
    let (Some(low), Some(high), Some(extent), Some(number)) = (low, high, extent, datatype.number()) else {
        return Ok(());
    };
    let last = low + ((high - low) / extent + 1) * extent - 1;
    if Scalar::of_integer(last, number).is_some() {
        return Ok(());
    }
    let text =
        format!("the last tile would end at {last}, which is no {datatype}: libtiledb cannot read that");
    Err(Error::message(text, 0).within(Step::Field("tile_extent")))
}

fn check_filters(pipeline: &FilterPipeline, datatype: Datatype) -> Result<()> {
    let float = datatype.number().is_some_and(|number| number.is_float());
    for (i, filter) in pipeline.filters.iter().enumerate() {
        let wrong = match filter {
            Filter::Aes256Gcm(()) => {
                "the key that an array is made with encrypts it, no filter of its schema"
            }
            Filter::DoubleDelta(_) if float => "double delta has no floats",
            _ => continue,
        };
        return Err(Error::message(wrong, 0).within(Step::Index(i)));
    }
    // numbers of filters that are none
    TileCodec::new(pipeline, datatype, 1, None).map(|_| ())
}

#[cfg(test)]
mod tests {
    use crate::formats::tiledb::*;

    fn refused(schema: ArraySchema) -> String {
        schema.check().unwrap();
        OpenOptions::new().create(Memory::new(), schema).unwrap_err().to_string()
    }

    fn sparse(attributes: impl IntoIterator<Item = Attribute>) -> ArraySchema {
        let x = Dimension::new("x", Scalar::F32(0.0), Scalar::F32(9.0), Scalar::F32(5.0));
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
            "attributes[1].name at byte 0x0: a second dimension or attribute \"x\""
        );
        let [one, two] = [1, 2].map(|low| Dimension::new("", Scalar::I8(low), Scalar::I8(9), Scalar::I8(5)));
        assert_eq!(
            refused(ArraySchema::dense(Datatype::Int8, [one, two]).attribute(a())),
            "dimensions[1].name at byte 0x0: a second dimension or attribute \"\""
        );
    }

    #[test]
    fn files_that_would_be_written_twice() {
        let var = Attribute::new("a", Datatype::StringUtf8).values(CellValNum::VAR);
        assert_eq!(
            refused(sparse([Attribute::new("a_var", Datatype::Int32), var])),
            "attributes[1].name at byte 0x0: its file a_var.tdb would be another's, too"
        );
        for name in ["__coords", "__fragment_metadata"] {
            let e = refused(sparse([Attribute::new(name, Datatype::Int32)]));
            assert!(e.contains("would be another's"), "{e}");
        }
    }

    #[test]
    fn filters_that_are_none_of_a_schema() {
        assert_eq!(
            refused(filtered(Filter::Unknown { tag: 20, options: vec![] })),
            "attributes[0].filters at byte 0x0: filter 20 is none of format version 3"
        );
        assert_eq!(
            refused(filtered(Filter::double_delta(-1))),
            "attributes[0].filters[0] at byte 0x0: double delta has no floats"
        );
        let e = refused(filtered(Filter::Aes256Gcm(())));
        assert!(e.contains("the key that an array is made with"), "{e}");
        let coords = FilterPipeline::new([Filter::double_delta(-1)]);
        let e = refused(ArraySchema { coords_filters: coords, ..sparse([]) });
        assert!(e.starts_with("coords_filters[0]"), "{e}");
    }

    #[test]
    fn dense_tiles_end_within_the_type() {
        let of = |high, extent| {
            let x = Dimension::new("x", Scalar::U8(0), Scalar::U8(high), Scalar::U8(extent));
            ArraySchema::dense(Datatype::Uint8, [x])
        };
        let a = || Attribute::new("a", Datatype::Int32);
        assert_eq!(
            refused(of(250, 100).attribute(a())),
            "dimensions[0].tile_extent at byte 0x0: the last tile would end at 299, which is no UINT8: \
             libtiledb cannot read that"
        );
        OpenOptions::new().create(Memory::new(), of(250, 128).attribute(a())).unwrap();
        assert_eq!(refused(of(9, 5)), "at byte 0x0: a dense array needs an attribute");
    }
}
