//! User structs as cells to write.

use super::insert::{Insert, NewCells};
use crate::codec::Encode;
use crate::formats::tiledb::layout::{ArraySchema, CellValNum, Datatype};
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::cell::{CellExtent, CellField, CellFields, Presence, Source, swap};
use crate::formats::tiledb::values::{Column, whole};
use crate::numbers::{NumberType, Numbers};
use crate::wire::{Endian, Options};
use crate::{ErrorKind, Result};

/// Structs that are turned into columns at a time.
const BLOCK: usize = 4096;

impl<S: Storage> Insert<'_, S> {
    /// The cells as structs, whose fields are attributes and dimensions of the same names: see
    /// [`ArraySchema::check_struct`]. Every attribute of the array needs a field.
    ///
    /// A struct with the dimensions says where each cell is, as [`coords`](Insert::coords) does; one without them contains the
    /// cells of the [ranges](Insert::range), one after the other.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Pixel { rgb: [u8; 3] }
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(4));
    /// let rgb = Attribute::new("rgb", Datatype::Uint8).values(CellValNum::new(3).unwrap());
    /// let mut array =
    ///     Options::new().create(Memory::new(), ArraySchema::dense(Datatype::Int32, [x]).attribute(rgb))?;
    /// let pixels = [Pixel { rgb: [1, 2, 3] }, Pixel { rgb: [4, 5, 6] }];
    /// array.insert().range("x", 2..=3).cells(&pixels)?.write()?;
    /// assert_eq!(array.query().range("x", 2..=3).read_as::<Pixel>()?, pixels);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the array, has some of the dimensions, or a value contradicts its layout.
    pub fn cells<T: Encode>(mut self, cells: &[T]) -> Result<Self> {
        self.new.set_structs(&self.array.schema, cells)?;
        Ok(self)
    }
}

/// How many structs there are, and their bytes.
type Block = (usize, Vec<u8>);

impl NewCells {
    /// Not inlined: a struct is compiled once for all storages.
    #[inline(never)]
    fn set_structs<T: Encode>(&mut self, schema: &ArraySchema, cells: &[T]) -> Result<()> {
        let fields = schema.cell_fields::<T>()?;
        let options = Options::new().endian(fields.endian);
        let encoded = |block: &[T]| Ok((block.len(), crate::encode_all_with(block, &options)?));
        self.set(schema, &fields, &mut cells.chunks(BLOCK).map(encoded))
    }

    fn set(
        &mut self,
        schema: &ArraySchema,
        fields: &CellFields,
        blocks: &mut dyn Iterator<Item = Result<Block>>,
    ) -> Result<()> {
        let mut parts: Vec<Part> = fields.fields.iter().map(|field| Part::new(schema, field)).collect();
        for block in blocks {
            let (cells, bytes) = block?;
            add(&bytes, cells, fields, &mut parts)?;
        }
        let mut coords: Vec<(usize, Numbers)> = Vec::new();
        for (field, part) in fields.fields.iter().zip(parts) {
            match field.source {
                Source::Dimension(d) => coords.push((d, part.values()?)),
                Source::Attribute(a) => {
                    let attribute = &schema.attributes[a];
                    self.columns.push((attribute.name.clone(), whole(part.column()?, attribute)?));
                }
            }
        }
        coords.sort_by_key(|(d, _)| *d);
        match coords.len() {
            0 => {}
            n if n == schema.domain.dimensions.len() => {
                self.coords = Some(coords.into_iter().map(|(_, values)| values).collect());
            }
            n => {
                return Err(ErrorKind::count("dimensions", schema.domain.dimensions.len(), n).into());
            }
        }
        Ok(())
    }
}

/// The values of one field of all cells.
struct Part {
    datatype: Datatype,
    cell_val_num: CellValNum,
    extent: CellExtent,
    presence: Option<Presence>,
    /// Little-endian.
    bytes: Vec<u8>,
    /// The end of each variable cell, in values.
    ends: Vec<usize>,
}

impl Part {
    fn new(schema: &ArraySchema, field: &CellField) -> Part {
        let CellField { extent, presence, .. } = *field;
        let (datatype, cell_val_num) = match field.source {
            Source::Dimension(_) => (schema.domain.datatype, CellValNum::ONE),
            Source::Attribute(a) => {
                let of = schema.attributes.get(a);
                of.map_or((Datatype::Any, CellValNum::VAR), |a| (a.datatype, a.cell_val_num))
            }
        };
        Part { datatype, cell_val_num, extent, presence, bytes: Vec::new(), ends: vec![0] }
    }

    fn number_type(&self) -> NumberType {
        self.datatype.number_type().unwrap_or(NumberType::U8)
    }

    /// Takes the values of one cell from the front of encoded structs.
    fn take_cell(&mut self, bytes: &mut &[u8], endian: Endian) -> Result<()> {
        let size = self.number_type().size();
        if let Some(presence) = self.presence
            && take(bytes, 1)? != [presence.present]
        {
            take(bytes, if presence.blank { self.extent.blank(size) } else { 0 })?;
            let times = self.cell_val_num.fixed().unwrap_or(1);
            (0..times).for_each(|_| self.bytes.extend_from_slice(self.datatype.fill()));
            return Ok(());
        }
        let n = match self.extent {
            CellExtent::Fixed(n) => n,
            CellExtent::Prefixed(width) => length(bytes, width, endian)?,
        };
        let at = self.bytes.len();
        self.bytes
            .extend_from_slice(take(bytes, n.checked_mul(size).ok_or(ErrorKind::TooLarge { of: "cell" })?)?);
        if endian == Endian::Big {
            swap(&mut self.bytes[at..], size);
        }
        Ok(())
    }

    fn values(&self) -> Result<Numbers> {
        let mut values = Numbers::new(self.number_type());
        values.extend_from_le_bytes(&self.bytes)?;
        Ok(values)
    }

    fn column(self) -> Result<Option<Column>> {
        let values = self.values()?;
        Ok(match self.extent {
            CellExtent::Fixed(_) => Column::fixed(self.datatype, self.cell_val_num, values),
            CellExtent::Prefixed(_) => Column::variable(self.datatype, values, self.ends),
        })
    }
}

/// Takes that many encoded structs apart.
fn add(mut bytes: &[u8], cells: usize, fields: &CellFields, parts: &mut [Part]) -> Result<()> {
    for _ in 0..cells {
        for part in parts.iter_mut() {
            part.take_cell(&mut bytes, fields.endian)?;
            if let CellExtent::Prefixed(_) = part.extent {
                part.ends.push(part.bytes.len() / part.number_type().size());
            }
        }
    }
    if bytes.is_empty() { Ok(()) } else { Err(ErrorKind::TrailingBytes { count: bytes.len() as u64 }.into()) }
}

fn take<'b>(bytes: &mut &'b [u8], n: usize) -> Result<&'b [u8]> {
    let needed = || ErrorKind::RegionEnd { needed: n, remaining: bytes.len() };
    let (taken, rest) = bytes.split_at_checked(n).ok_or_else(needed)?;
    *bytes = rest;
    Ok(taken)
}

fn length(bytes: &mut &[u8], width: u8, endian: Endian) -> Result<usize> {
    let digits = take(bytes, width.into())?;
    let add = |n: u64, byte: &u8| n << 8 | u64::from(*byte);
    let n = match endian {
        Endian::Big => digits.iter().fold(0, add),
        Endian::Little => digits.iter().rev().fold(0, add),
    };
    usize::try_from(n).map_err(|_| ErrorKind::TooLarge { of: "cell" }.into())
}
