//! Objects of Python as values of a layout: the reader of JSON's values, which knows what is expected at each place, reads them.

use crate::failure::{Failure, Result};
use binfmt::value::{Program, Value, ValueSeed};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyString};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use std::fmt;

/// The value of a layout that an object is.
pub(crate) fn from_python(object: &Bound<'_, PyAny>, program: &Program) -> Result<Value> {
    ValueSeed::new(program).deserialize(Object(object.clone(), 0)).map_err(|e| match e {
        Wrong::Text(text) => Failure::other(text),
        Wrong::Python(e) => Failure::Python(e),
    })
}

/// Why an object is not a value of the layout.
#[derive(Debug)]
enum Wrong {
    Text(String),
    Python(PyErr),
}

impl From<PyErr> for Wrong {
    fn from(e: PyErr) -> Self {
        Wrong::Python(e)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Text(text) => f.write_str(text),
            Wrong::Python(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Wrong::Text(text.to_string())
    }
}

/// Objects in objects that are followed: what contains itself has no end, and each level takes some of the stack.
const DEEPEST: u32 = 300;

/// An object, as serde sees it, and in how many others it is.
struct Object<'py>(Bound<'py, PyAny>, u32);

impl IntoDeserializer<'_, Wrong> for Object<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Object<'_> {
    fn int<'de, V: Visitor<'de>>(n: &Bound<'_, PyAny>, visitor: V) -> std::result::Result<V::Value, Wrong> {
        if let Ok(n) = n.extract::<i64>() {
            return visitor.visit_i64(n);
        }
        if let Ok(n) = n.extract::<i128>() {
            return visitor.visit_i128(n);
        }
        match n.extract::<u128>() {
            Ok(n) => visitor.visit_u128(n),
            Err(_) => Err(Wrong::Text("an integer of more than 128 bits".to_owned())),
        }
    }

    fn dict<'de, V: Visitor<'de>>(
        dict: &Bound<'_, PyDict>,
        level: u32,
        visitor: V,
    ) -> std::result::Result<V::Value, Wrong> {
        let mut entries = Vec::with_capacity(dict.len());
        for (key, value) in dict.iter() {
            entries.push((key.extract::<String>()?, Object(value, level)));
        }
        visitor.visit_map(MapDeserializer::new(entries.into_iter()))
    }
}

/// The function of Python that says what the objects of others are: arrays, `Missing`, structs of the decorator.
static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

impl<'de> Deserializer<'de> for Object<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Wrong> {
        let Object(object, level) = &self;
        let level = level.saturating_add(1);
        if level > DEEPEST {
            return Err(Wrong::Text(format!("values in more than {DEEPEST} others")));
        }
        if object.is_none() {
            return visitor.visit_none();
        }
        if let Ok(text) = object.cast::<PyString>() {
            return visitor.visit_str(&text.to_cow()?);
        }
        if object.is_instance_of::<PyBool>() {
            return visitor.visit_bool(object.is_truthy()?);
        }
        if object.is_instance_of::<PyInt>() {
            return Self::int(object, visitor);
        }
        if object.is_instance_of::<PyFloat>() {
            return visitor.visit_f64(object.extract()?);
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return Self::dict(dict, level, visitor);
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return visitor.visit_bytes(bytes.as_bytes());
        }
        if let Ok(bytes) = object.cast::<PyByteArray>() {
            return visitor.visit_bytes(&bytes.to_vec());
        }
        if object.is_instance_of::<pyo3::types::PyList>() || object.is_instance_of::<pyo3::types::PyTuple>() {
            let items = object.try_iter()?.map(|item| item.map(|item| Object(item, level)));
            let items = items.collect::<PyResult<Vec<_>>>()?;
            return visitor.visit_seq(SeqDeserializer::new(items.into_iter()));
        }
        let plain = PLAIN.import(object.py(), "binfmt._arrays", "plain")?.call1((object,))?;
        match plain.hasattr("nested")? {
            true => visitor.visit_newtype_struct(Grid(plain, level)),
            false => Object(plain, level).deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An array of NumPy: a map of its shape and its values, or lists in lists.
struct Grid<'py>(Bound<'py, PyAny>, u32);

impl<'de> Deserializer<'de> for Grid<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Wrong> {
        Object(self.0.getattr("nested")?, self.1).deserialize_any(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Wrong> {
        let part =
            |name: &'static str| Ok::<_, Wrong>((name.to_owned(), Object(self.0.getattr(name)?, self.1)));
        let parts = vec![part("shape")?, part("values")?];
        visitor.visit_map(MapDeserializer::new(parts.into_iter()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct struct enum identifier ignored_any
    }
}
