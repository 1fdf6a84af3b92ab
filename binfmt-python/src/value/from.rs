//! Objects of Python as values of a layout: the reader of JSON's values, which knows what is expected at each place, reads them.

use crate::failure::{Failure, Result};
use crate::headroom;
use crate::patience::every;
use binfmt::value::{Program, Value, ValueSeed};
use binfmt::{ErrorKind, Step};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyString};
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::vec::IntoIter;

/// The value of a layout that an object is.
pub(crate) fn from_python(object: &Bound<'_, PyAny>, program: &Program) -> Result<Value> {
    ValueSeed::new(program).deserialize(Object(object.clone(), 0)).map_err(|e| match e {
        Wrong::Text(text, steps) => steps.into_iter().fold(Failure::other(text), Failure::within),
        Wrong::Python(e) => Failure::Python(e),
    })
}

/// Why an object is not a value of the layout.
#[derive(Debug)]
enum Wrong {
    /// In which fields and elements, the innermost first.
    Text(String, Vec<Step>),
    Python(PyErr),
}

impl Wrong {
    fn text(text: String) -> Self {
        Wrong::Text(text, Vec::new())
    }

    fn within(mut self, step: Step) -> Self {
        if let Wrong::Text(_, steps) = &mut self {
            steps.push(step);
        }
        self
    }
}

impl From<PyErr> for Wrong {
    fn from(e: PyErr) -> Self {
        Wrong::Python(e)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Text(text, _) => f.write_str(text),
            Wrong::Python(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Wrong::text(text.to_string())
    }
}

/// The error of the system, as Python raises it.
fn no_memory(e: binfmt::Error) -> Wrong {
    Wrong::Python(Failure::from(e).into())
}

/// Room for so many.
fn room<T>(n: usize) -> std::result::Result<Vec<T>, Wrong> {
    let mut all = Vec::new();
    let requested = n.saturating_mul(size_of::<T>());
    all.try_reserve_exact(n).map_err(|_| no_memory(ErrorKind::OutOfMemory { requested }.into()))?;
    Ok(all)
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
            Err(_) => Err(Wrong::text("an integer of more than 128 bits".to_owned())),
        }
    }

    fn dict<'de, V: Visitor<'de>>(
        dict: &Bound<'_, PyDict>,
        level: u32,
        visitor: V,
    ) -> std::result::Result<V::Value, Wrong> {
        let mut entries = room(dict.len())?;
        for (key, value) in dict.iter() {
            entries.push((key.extract::<String>()?, value));
        }
        visitor.visit_map(Entries { entries: entries.into_iter(), value: None, level })
    }
}

/// The fields of a dict; an error in one says which.
struct Entries<'py> {
    entries: IntoIter<(String, Bound<'py, PyAny>)>,
    value: Option<(String, Bound<'py, PyAny>)>,
    level: u32,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, Wrong> {
        self.value = self.entries.next();
        let Some((name, _)) = &self.value else { return Ok(None) };
        seed.deserialize(name.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> std::result::Result<V::Value, Wrong> {
        let (name, value) =
            self.value.take().ok_or_else(|| Wrong::text("a value without a name".to_owned()))?;
        seed.deserialize(Object(value, self.level)).map_err(|e| e.within(Step::Name(name)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The items of a list; an error in one says which.
struct Items<'py> {
    items: IntoIter<Bound<'py, PyAny>>,
    next: usize,
    level: u32,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, Wrong> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.next;
        self.next = index.saturating_add(1);
        every(item.py(), index)?;
        headroom::one_more().map_err(no_memory)?;
        let found = seed.deserialize(Object(item, self.level));
        found.map(Some).map_err(|e| e.within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
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
            return Err(Wrong::text(format!("values in more than {DEEPEST} others")));
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
            let mut items = room(object.len()?)?;
            for item in object.try_iter()? {
                items.push(item?);
            }
            return visitor.visit_seq(Items { items: items.into_iter(), next: 0, level });
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
