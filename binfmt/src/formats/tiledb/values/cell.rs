//! What a cell is as a user's struct: the schema as a description of bytes, and the way between columns and
//! such bytes.

use crate::codec::Layout;
use crate::formats::tiledb::layout::{ArraySchema, Attribute, Datatype};
use crate::numbers::{Numbers, put_le, with_numbers};
use crate::schema::{
    ByteOrder, Description, Differences, Encoding, Extent, Field, Integer, Record, Schema, Type,
};
use crate::wire::Endian;
use crate::{ErrorKind, Result};

/// The length before variable values where a struct does not say another.
const PREFIX: Extent = Extent::Prefixed { len: Integer::unsigned(4), max: None, inclusive: false };

/// Where the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// An attribute, by number.
    Attribute(usize),
    /// A dimension.
    Dimension(usize),
}

/// One field of a struct that stands for a cell.
#[derive(Clone, Debug)]
pub(crate) struct CellField {
    pub(crate) source: Source,
    pub(crate) extent: CellExtent,
    /// What is before a value that may be missing.
    pub(crate) presence: Option<Presence>,
}

/// The byte before a cell that tells whether it was ever written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presence {
    pub(crate) present: u8,
    pub(crate) missing: u8,
    /// Whether zeros, or the length 0, stand for the cell then.
    pub(crate) blank: bool,
}

impl Presence {
    fn of(ty: &Type) -> Option<Presence> {
        match ty {
            Type::Nullable { present, missing, blank, .. } => {
                Some(Presence { present: *present, missing: missing.0, blank: *blank })
            }
            _ => None,
        }
    }
}

impl CellExtent {
    /// The bytes that stand for a missing cell of values of that many bytes.
    pub(crate) fn blank(self, size: usize) -> usize {
        match self {
            CellExtent::Fixed(n) => n * size,
            CellExtent::Prefixed(width) => width.into(),
        }
    }
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellExtent {
    /// That many.
    Fixed(usize),
    /// As many as an integer of that many bytes before them says.
    Prefixed(u8),
}

/// The fields of a struct that fits an array, in their order.
#[derive(Clone, Debug)]
pub(crate) struct CellFields {
    pub(crate) fields: Vec<CellField>,
    pub(crate) endian: Endian,
}

impl ArraySchema {
    /// What a cell is: its attributes, then its coordinates. Variable values have a `u32` in front that counts them.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I64(1), Number::I64(9), Number::I64(9));
    /// let schema = ArraySchema::sparse(Datatype::Int64, [x])
    ///     .attribute(Attribute::new("rgb", Datatype::Uint8).values(CellValNum::new(3).unwrap()))
    ///     .attribute(Attribute::new("name", Datatype::StringUtf8).values(CellValNum::VAR));
    /// assert_eq!(schema.description().to_string(), "\
    /// record(cell), le
    ///   rgb: [u8; 3]
    ///   name: text, length_prefixed(u32), text = bytes
    ///   x: i64
    /// ");
    /// ```
    pub fn description(&self) -> Description {
        let attributes = self.attributes.iter().map(|a| attribute_field(a, None));
        let dimensions = self.domain.dimensions.iter().map(|d| self.dimension_field(&d.name));
        let record = Record::new("cell", attributes.chain(dimensions)).ordered(ByteOrder::Little);
        Description::new(Type::Record(record))
    }

    fn dimension_field(&self, name: &str) -> Field {
        let datatype = self.domain.datatype;
        Field::new(name, type_of_number(datatype)).native(datatype.to_string())
    }

    /// Where each field of a struct is found.
    pub(crate) fn cell_fields<T: Layout>(&self) -> Result<CellFields, Differences> {
        self.fields_of(&Schema::of::<T>())
    }

    fn fields_of(&self, schema: &Schema) -> Result<CellFields, Differences> {
        let description = schema.description();
        let (own, order) = match description.resolve(&description.root) {
            Some(Type::Record(record)) => (record.fields.as_slice(), record.order.as_ref()),
            _ => Default::default(),
        };
        let endian = if order == Some(&ByteOrder::Big) { Endian::Big } else { Endian::Little };
        let (mut fields, mut found) = (Vec::new(), Vec::new());
        for field in own {
            let same = |name: &String| *name == field.name;
            let ty = description.resolve(&field.ty);
            if let Some(a) = self.attributes.iter().position(|a| same(&a.name)) {
                let wanted = attribute_field(&self.attributes[a], ty);
                fields.push(CellField {
                    source: Source::Attribute(a),
                    extent: extent(&wanted.ty),
                    presence: Presence::of(&wanted.ty),
                });
                found.push(wanted);
            } else if let Some(d) = self.domain.dimensions.iter().position(|d| same(&d.name)) {
                let source = Source::Dimension(d);
                fields.push(CellField { source, extent: CellExtent::Fixed(1), presence: None });
                found.push(self.dimension_field(&field.name));
            }
        }
        // values are encoded again for the struct, so that its own byte order is the one
        let order = if endian == Endian::Big { ByteOrder::Big } else { ByteOrder::Little };
        let found = Description::new(Type::Record(Record::new("cell", found).ordered(order)));
        schema.check(&Schema::from(found)).map_err(|e| e.found_in("the array"))?;
        Ok(CellFields { fields, endian })
    }
}

fn extent(ty: &Type) -> CellExtent {
    match ty {
        Type::Text { len, .. } | Type::Bytes { len } | Type::List { len, .. } => match len {
            Extent::Prefixed { len: Integer::Fixed { bytes, .. }, .. } => CellExtent::Prefixed(*bytes),
            Extent::Fixed(n) => CellExtent::Fixed(usize::try_from(*n).unwrap_or(usize::MAX)),
            _ => CellExtent::Fixed(1),
        },
        Type::Nullable { body, .. } => extent(body),
        _ => CellExtent::Fixed(1),
    }
}

fn type_of_number(datatype: Datatype) -> Type {
    match datatype.number_type() {
        Some(number) => number.into(),
        None => Type::Opaque { by: datatype.to_string(), min: 0, max: None },
    }
}

/// An attribute as a field; what only a struct can say is as the struct has it.
fn attribute_field(attribute: &Attribute, own: Option<&Type>) -> Field {
    // a cell that was never written may be told apart from the others
    if let Some(Type::Nullable { present, missing, blank, body }) = own {
        let mut field = attribute_field(attribute, Some(body));
        let body = Box::new(field.ty);
        field.ty = Type::Nullable { present: *present, missing: *missing, blank: *blank, body };
        return field;
    }
    let Attribute { name, datatype, cell_val_num, .. } = attribute;
    let text = datatype.is_byte_text();
    let own_len = match own {
        Some(Type::Text { len, .. } | Type::Bytes { len } | Type::List { len, .. }) => Some(len),
        _ => None,
    };
    let len = match (cell_val_num.fixed(), own_len) {
        (Some(n), _) => Extent::Fixed(n.into()),
        // how a length in front is written is nothing that the array has
        (None, Some(len @ Extent::Prefixed { inclusive: false, .. })) => len.clone(),
        (None, _) => PREFIX,
    };
    let many = |len| match (text, own) {
        (true, Some(Type::Text { nul, .. })) => {
            let nul = *nul && matches!(len, Extent::Fixed(_));
            Type::Text { encoding: Encoding::Any, nul, len }
        }
        (true, None) => Type::Text { encoding: Encoding::Any, nul: false, len },
        _ => Type::List { item: Box::new(type_of_number(*datatype)), len },
    };
    let (ty, native) = match cell_val_num.fixed() {
        Some(1) if own_len.is_none() => (type_of_number(*datatype), datatype.to_string()),
        Some(1) => (many(len), datatype.to_string()),
        Some(n) => (many(len), format!("{datatype} x {n}")),
        None => (many(len), format!("{datatype}, any number of them")),
    };
    Field::new(name.clone(), ty).native(native)
}

/// Appends values in a byte order, after the length that they may need.
pub(crate) fn put(
    values: &Numbers,
    range: std::ops::Range<usize>,
    extent: CellExtent,
    endian: Endian,
    out: &mut Vec<u8>,
) -> Result<()> {
    if let CellExtent::Prefixed(bytes) = extent {
        put_length(range.len() as u64, bytes, endian, out)?;
    }
    let at = out.len();
    with_numbers!(values, values => put_le(&values[range], out));
    if endian == Endian::Big {
        swap(&mut out[at..], values.number_type().size());
    }
    Ok(())
}

fn put_length(len: u64, bytes: u8, endian: Endian, out: &mut Vec<u8>) -> Result<()> {
    let width = usize::from(bytes.min(8));
    let raw = len.to_le_bytes();
    if raw[width..].iter().any(|byte| *byte != 0) {
        return Err(ErrorKind::PrefixOverflow { value: len, max: (1 << (8 * width)) - 1 }.into());
    }
    let at = out.len();
    out.extend_from_slice(&raw[..width]);
    if endian == Endian::Big {
        swap(&mut out[at..], width);
    }
    Ok(())
}

/// The other byte order.
pub(crate) fn swap(bytes: &mut [u8], size: usize) {
    if size > 1 {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}
