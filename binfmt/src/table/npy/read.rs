//! Files of one array as tables.

use super::dtype::{Dtype, Element, Member, product};
use super::header::{Header, MAGIC};
use super::sink::NpySink;
use super::{times, turned};
use crate::codec::Decode;
use crate::columns::Plan;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::NumberType;
use crate::schema::{ByteOrder, Description, Extent, Field, Name, Record, Type};
use crate::storage::Storage;
use crate::table::{
    ColumnsTable, Logical, Probe, RowsTable, Section, Settings, Table, TableField, TableFormat, TableSchema,
    TableSink, keys,
};
use crate::value::{Program, Value};
use crate::wire::{Encoding, Le, Options, Slice};
use std::collections::HashMap;
use std::sync::Arc;

/// Files of one array of NumPy as tables: a row for each index of the first dimension, a column for each named field, or the column
/// `value`.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Estimate, Settings, TableFormat, Wanted, npy::Npy};
/// use std::sync::Arc;
/// let header = b"{'descr': [('t', '>i2'), ('name', 'S2')], 'fortran_order': False, 'shape': (2,)}";
/// let front = [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header].concat();
/// let files = Memory::new();
/// files.write("x.npy", &[front.as_slice(), b"\0\x05ab\0\x06c\0"].concat())?;
///
/// let table = Npy.open(Arc::new(files), "x.npy", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(2));
/// let batch = table.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.get("t").unwrap().as_slice::<i16>(), Some(&[5, 6][..]));
/// assert_eq!(batch.row(1).unwrap().get("name").unwrap().as_str(), Some("c"));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Npy;

impl TableFormat for Npy {
    fn name(&self) -> &'static str {
        "npy"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        probe.head.starts_with(MAGIC)
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        table(storage, path, settings.max_memory()?)
    }

    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        let (header, _) = Header::read(&*storage, path)?;
        if header.is_in_other_order() {
            let text = "where the values of a row lie in an array in Fortran order";
            return Err(ErrorKind::unsupported("a dump", text).into());
        }
        Ok(self.open(storage, path, settings)?.sections())
    }

    fn writes(&self) -> bool {
        true
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        Ok(Box::new(NpySink::new(storage, path, schema)?))
    }
}

fn table(storage: Arc<dyn Storage>, path: &str, memory: usize) -> Result<Arc<dyn Table>> {
    let (header, start) = Header::read(&*storage, path)?;
    let too_large = || Error::from(ErrorKind::TooLarge { of: "array" });
    let inner: Vec<u64> = header.shape.iter().skip(1).copied().collect();
    let each =
        header.dtype.size().and_then(|size| size.checked_mul(product(&inner)?)).ok_or_else(too_large)?;
    let rows = header.shape.first().copied().unwrap_or(1);
    let end = each.checked_mul(rows).and_then(|bytes| bytes.checked_add(start)).ok_or_else(too_large)?;
    let missing = || Error::from(ErrorKind::Missing { of: "file", name: path.to_owned() });
    let size = storage.size(path)?.ok_or_else(missing)?;
    if size > end {
        let text = format!("{} bytes after the array, which ends at byte {end:#x}", size.saturating_sub(end));
        return Err(Error::other(text));
    }
    let members = match &header.dtype {
        Dtype::Fields(fields) if inner.is_empty() => fields.clone(),
        dtype => vec![Member { name: "value".into(), dtype: dtype.clone(), shape: inner }],
    };
    let fields = members.iter().map(|member| Field::new(member.name.as_str(), type_of(member)));
    let layout = Description::new(Type::Record(Record::new("row", fields)));
    let options = Options::new().optional_nul(true).max_memory(memory);
    let is_single = header.shape.is_empty();
    let describe = |schema: &mut TableSchema| describe(schema, &members, is_single);
    if each == 0 {
        return Ok(times::of(without_bytes(&layout, rows)?.describe(describe)));
    }
    if header.is_in_other_order() {
        let rows = turned::rows(&*storage, path, (start..end, memory), &header)?;
        let table = RowsTable::open(rows, path, &layout, &options)?;
        return Ok(times::of(table.describe(describe)));
    }
    let table = RowsTable::open(storage, path, &layout, &options)?.between(start..end);
    Ok(times::of(table.describe(describe)))
}

/// The rows of an array such as one of the shape (2, 0): no byte says how many there are, so that a header of some bytes could ask for
/// any number.
fn without_bytes(layout: &Description, rows: u64) -> Result<ColumnsTable> {
    let few = usize::try_from(rows).ok().filter(|rows| *rows <= MAX_ROWS_WITHOUT_BYTES);
    let refused = || ErrorKind::unsupported("a table", "more than 65,536 rows that have no bytes");
    let program = Program::new(layout)?;
    let row = Value::decode::<Le, _>(&mut Slice::new(&[]), &program)?;
    Ok(ColumnsTable::new(Plan::new(layout)?.columns_of(&vec![row; few.ok_or_else(refused)?])?))
}

/// Rows that have no bytes.
const MAX_ROWS_WITHOUT_BYTES: usize = 1 << 16;

fn describe(schema: &mut TableSchema, members: &[Member], is_single: bool) {
    *schema = std::mem::take(schema)
        .with(keys::FORMAT, "npy")
        .with(keys::SINGLE, if is_single { "true" } else { "" });
    let places = schema.fields.iter().map(|field| field.name.clone()).zip(0..);
    let places: HashMap<Name, usize> = places.collect();
    for member in members {
        let place = places.get(member.name.as_str()).copied();
        if let Some(field) = place.and_then(|place| schema.fields.get_mut(place)) {
            field.logical = logical(member);
            let native = match &member.dtype {
                Dtype::Element(element) => Dtype::Element(element.clone()).text().replace('\'', ""),
                Dtype::Fields(_) => String::new(),
            };
            let said = TableField::new(field.name.clone(), field.ty.clone()).logical(field.logical.clone());
            let mut inside = String::new();
            natives("", &member.dtype, &mut inside);
            *field = said.with(keys::NATIVE, native).with(keys::NATIVE_INSIDE, inside);
        }
    }
}

/// What NumPy calls the types of fields inside, a line for each.
fn natives(front: &str, dtype: &Dtype, out: &mut String) {
    let Dtype::Fields(fields) = dtype else { return };
    for field in fields {
        let name = format!("{front}.{}", field.name);
        match &field.dtype {
            Dtype::Element(_) => {
                out.push_str(&format!("{name} {}\n", field.dtype.text().replace('\'', "")));
            }
            inner => natives(&name, inner, out),
        }
    }
}

fn logical(member: &Member) -> Option<Logical> {
    match &member.dtype {
        dtype if member.shape.len() > 1 && !means_more(dtype) => {
            Some(Logical::Tensor { shape: member.shape.clone(), column_major: false })
        }
        Dtype::Element(Element { letter: 'c', .. }) => Some(Logical::Complex),
        Dtype::Element(element) => element.logical(),
        Dtype::Fields(_) => None,
    }
}

/// Whether its values are times or complex, which a column says of them in place of its dimensions: those are arrays in arrays then.
fn means_more(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Element(Element { letter: 'c' | 'M' | 'm', .. }))
}

/// A field, its own dimensions in one list.
fn type_of(member: &Member) -> Type {
    let element = match &member.dtype {
        Dtype::Element(element) => of_element(element),
        Dtype::Fields(fields) => {
            let fields = fields.iter().map(|member| Field::new(member.name.as_str(), type_of(member)));
            Type::Record(Record::new("fields", fields))
        }
    };
    if means_more(&member.dtype) {
        let list = |item, n: &u64| Type::List { item: Box::new(item), len: Extent::Fixed(*n) };
        return member.shape.iter().rev().fold(element, list);
    }
    match product(&member.shape).filter(|_| !member.shape.is_empty()) {
        Some(n) => Type::List { item: Box::new(element), len: Extent::Fixed(n) },
        None => element,
    }
}

fn of_element(element: &Element) -> Type {
    let Element { letter, size, big, .. } = *element;
    let bytes = || Type::Bytes { len: Extent::Fixed(size) };
    let ordered = |kind: Option<NumberType>| {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        kind.map_or_else(bytes, |kind| Type::Ordered { order, body: Box::new(kind.into()) })
    };
    match letter {
        'b' => Type::Bool { lax: true },
        'i' => ordered(integer("i", size)),
        'u' => ordered(integer("u", size)),
        'M' | 'm' => ordered(Some(NumberType::I64)),
        'f' => ordered(float(size)),
        'c' => Type::List { item: Box::new(ordered(float(size / 2))), len: Extent::Fixed(2) },
        'S' => Type::Trimmed {
            byte: 0,
            body: Box::new(Type::Text { encoding: Encoding::Any, nul: false, len: Extent::Fixed(size) }),
        },
        'U' => Type::Trimmed {
            byte: 0,
            body: Box::new(Type::Text {
                encoding: if big { Encoding::Utf32Be } else { Encoding::Utf32Le },
                nul: false,
                len: Extent::Fixed(size / 4),
            }),
        },
        _ => bytes(),
    }
}

fn integer(letter: &str, size: u64) -> Option<NumberType> {
    NumberType::named(&format!("{letter}{}", size.saturating_mul(8)))
}

fn float(size: u64) -> Option<NumberType> {
    NumberType::float(size.try_into().ok()?)
}
