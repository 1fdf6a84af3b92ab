//! How one column goes to Arrow and back: made of the type of a column, or of a field of Arrow, and run by [`write`](crate::write) and
//! [`read`](crate::read).

use crate::marks;
use arrow_schema::{DataType, Field, FieldRef, Fields, TimeUnit, UnionFields, UnionMode};
use binfmt::columns::ColumnType;
use binfmt::numbers::NumberType;
use binfmt::schema::Name;
use std::collections::HashMap;
use std::sync::Arc;

/// What a column is on both sides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// Numbers that both have, and bools.
    Number(NumberType),
    /// Integers of 16 bytes.
    Wide(NumberType),
    /// Times in `i64`, each of which is that many of Arrow's unit.
    Time {
        ty: DataType,
        factor: i64,
    },
    Text(Coding),
    Bytes,
    FixedBytes(usize),
    /// Missing values with codes.
    Nullable {
        present: u8,
        values: Box<Node>,
    },
    /// Values under a condition.
    Optional(Box<Node>),
    /// A value in a struct of its own: it has codes beside it, or is missing in two ways.
    Value(Box<Member>),
    List(Box<Node>),
    Array {
        len: usize,
        items: Box<Node>,
    },
    /// Arrays of arrays of numbers, with the lengths from the outside in.
    Nested {
        lens: Vec<usize>,
        items: Box<Node>,
    },
    Record(Vec<Member>),
    /// Records without fields, where structs must have some.
    Nothing,
    /// Choices without fields: the names of the variants.
    Names(Vec<Name>),
    /// Choices as a dense union.
    Union(Vec<Member>),
    /// Choices as a struct of a tag and a field for each variant.
    Variants(Vec<Member>),
    /// Arrays with lengths of their own: those and the elements.
    Shaped(Box<Node>),
    /// A dictionary of someone else: its values.
    Unpacked(Box<Node>),
}

/// What the bytes of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Utf8,
    /// Text here, bytes there.
    Binary,
    Latin1,
    Lossy,
}

/// A named part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: Name,
    pub(crate) node: Node,
    /// Whether the next field has the codes of the missing values.
    pub(crate) codes: bool,
}

/// The type that a number has in Arrow.
pub(crate) fn number(kind: NumberType) -> Option<DataType> {
    Some(match kind {
        NumberType::I8 => DataType::Int8,
        NumberType::I16 => DataType::Int16,
        NumberType::I32 => DataType::Int32,
        NumberType::I64 => DataType::Int64,
        NumberType::U8 => DataType::UInt8,
        NumberType::U16 => DataType::UInt16,
        NumberType::U32 => DataType::UInt32,
        NumberType::U64 => DataType::UInt64,
        NumberType::F16 => DataType::Float16,
        NumberType::F32 => DataType::Float32,
        NumberType::F64 => DataType::Float64,
        NumberType::Bool => DataType::Boolean,
        _ => return None,
    })
}

/// A length that was looked at when the node was made.
pub(crate) fn length(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

impl Node {
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            // every kind but those of 16 bytes, which are `Wide`
            Node::Number(kind) => number(*kind).unwrap_or(DataType::Null),
            Node::Wide(_) => DataType::FixedSizeBinary(16),
            Node::Time { ty, .. } => ty.clone(),
            Node::Text(Coding::Binary) | Node::Bytes => DataType::LargeBinary,
            Node::Text(_) => DataType::LargeUtf8,
            Node::FixedBytes(n) => DataType::FixedSizeBinary(length(*n)),
            Node::Nullable { values, .. } | Node::Optional(values) => values.data_type(),
            Node::Value(member) => DataType::Struct(members(std::slice::from_ref(member))),
            Node::List(items) => DataType::LargeList(items.item()),
            Node::Array { len, items } => DataType::FixedSizeList(items.item(), length(*len)),
            Node::Nested { lens, items } => {
                DataType::FixedSizeList(items.item(), length(lens.iter().product()))
            }
            Node::Record(all) => DataType::Struct(members(all)),
            Node::Nothing => DataType::Boolean,
            Node::Names(_) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Node::Union(all) => DataType::Union(variants(all), UnionMode::Dense),
            Node::Variants(all) => DataType::Struct(tagged(all)),
            Node::Shaped(item) => DataType::Struct(shaped(item)),
            Node::Unpacked(node) => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(node.data_type()))
            }
        }
    }

    pub(crate) fn is_nullable(&self) -> bool {
        matches!(self, Node::Nullable { .. } | Node::Optional(_))
    }

    /// The type of the column.
    pub(crate) fn column_type(&self) -> ColumnType {
        let fields = |all: &[Member]| all.iter().map(|m| (m.name.clone(), m.node.column_type())).collect();
        match self {
            Node::Number(kind) | Node::Wide(kind) => ColumnType::Number(*kind),
            Node::Time { .. } => ColumnType::Number(NumberType::I64),
            Node::Text(_) => ColumnType::Text,
            Node::Bytes => ColumnType::Bytes,
            Node::FixedBytes(n) => ColumnType::FixedBytes(*n),
            Node::Nullable { present, values } => {
                ColumnType::Nullable { present: *present, values: Box::new(values.column_type()) }
            }
            Node::Optional(values) => ColumnType::Optional(Box::new(values.column_type())),
            Node::Value(member) => member.node.column_type(),
            Node::List(items) => ColumnType::List(Box::new(items.column_type())),
            Node::Array { len, items } => {
                ColumnType::Array { len: *len, items: Box::new(items.column_type()) }
            }
            Node::Nested { lens, items } => lens
                .iter()
                .rev()
                .fold(items.column_type(), |ty, len| ColumnType::Array { len: *len, items: Box::new(ty) }),
            Node::Record(all) => ColumnType::Record(fields(all)),
            Node::Nothing => ColumnType::Record(Vec::new()),
            Node::Names(names) => ColumnType::Choice(
                names.iter().map(|n| (n.clone(), ColumnType::Record(Vec::new()))).collect(),
            ),
            Node::Union(all) | Node::Variants(all) => ColumnType::Choice(fields(all)),
            Node::Shaped(item) => ColumnType::Shaped(Box::new(item.column_type())),
            Node::Unpacked(node) => node.column_type(),
        }
    }

    /// A field of this node with what must be said of it besides.
    pub(crate) fn field(&self, name: &str, mut said: HashMap<String, String>) -> Field {
        marks::put(self, &mut said);
        Field::new(name, self.data_type(), self.is_nullable()).with_metadata(said)
    }

    /// The field of what is in a list.
    pub(crate) fn item(&self) -> FieldRef {
        Arc::new(self.field("item", HashMap::new()))
    }
}

/// The name of the field with the codes of another's missing values.
pub(crate) fn codes_of(name: &str) -> Field {
    let said = HashMap::from([(marks::CODES_OF.to_owned(), name.to_owned())]);
    Field::new(format!("{name}.missing"), DataType::UInt8, true).with_metadata(said)
}

pub(crate) fn members(all: &[Member]) -> Fields {
    let fields = all.iter().flat_map(|member| {
        let field = member.node.field(&member.name, HashMap::new());
        [Some(field), member.codes.then(|| codes_of(&member.name))]
    });
    fields.flatten().collect()
}

/// The variants of a union; their numbers were looked at when the node was made.
pub(crate) fn variants(all: &[Member]) -> UnionFields {
    let fields = all.iter().map(|member| Arc::new(member.node.field(&member.name, HashMap::new())));
    let ids = 0..i8::try_from(all.len()).unwrap_or(i8::MAX);
    ids.zip(fields).collect()
}

/// The tag, and the variants, each of which may be null.
pub(crate) fn tagged(all: &[Member]) -> Fields {
    let names = Node::Names(all.iter().map(|member| member.name.clone()).collect());
    let tag = names.field("tag", HashMap::new());
    let fields = all.iter().map(|member| member.node.field(&member.name, HashMap::new()).with_nullable(true));
    std::iter::once(tag).chain(fields).collect()
}

/// The elements, and the lengths of the dimensions.
pub(crate) fn shaped(item: &Node) -> Fields {
    let lengths = Node::List(Box::new(Node::Number(NumberType::U64)));
    let data = DataType::LargeList(item.item());
    [Field::new("data", data, false), lengths.field("shape", HashMap::new())].into_iter().collect()
}

/// The unit of a time.
pub(crate) fn timestamp(unit: TimeUnit) -> DataType {
    DataType::Timestamp(unit, None)
}
