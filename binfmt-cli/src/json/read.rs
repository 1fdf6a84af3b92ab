//! A JSON document, read member by member.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::limits::Limits;
use crate::rows::Bound;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::marker::PhantomData;

/// What is done with the members of the document's object, in the order in which they stand.
pub(crate) trait Keys {
    /// Takes the value of `key` from `map`, which must be done exactly once.
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;

    /// Whether enough was seen. The rest is not read then, and may be anything.
    fn is_done(&self) -> bool {
        false
    }
}

/// What becomes of the items of a list that is a member of the document, in the order in which they stand.
pub(crate) trait Items {
    /// The name of the member.
    fn list(&self) -> &'static str;

    type Item;

    /// Takes the next item from `list`, if there is one; `number` counts from 0.
    fn next<'de, A: SeqAccess<'de>>(
        &mut self,
        number: u64,
        list: &mut A,
    ) -> Result<Option<Self::Item>, A::Error>;

    /// Writes an item. An error is not one of the document.
    fn write(&mut self, item: Self::Item) -> Result<()>;

    /// Takes the value of another member.
    fn other<'de, A: MapAccess<'de>>(&mut self, _key: &str, map: &mut A) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(|_| ())
    }
}

/// Items that a seed reads.
struct Seeded<T, S, G> {
    list: &'static str,
    seed: S,
    write: G,
    of: PhantomData<T>,
}

impl<T, S, G> Items for Seeded<T, S, G>
where
    S: for<'de> DeserializeSeed<'de, Value = T> + Copy,
    G: FnMut(T) -> Result<()>,
{
    type Item = T;

    fn list(&self) -> &'static str {
        self.list
    }

    fn next<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<Option<T>, A::Error> {
        list.next_element_seed(self.seed).map_err(|e| {
            let text = e.to_string();
            let dot = if text.starts_with(['[', '.']) { "" } else { ": " };
            A::Error::custom(format_args!("{}[{number}]{dot}{text}", self.list))
        })
    }

    fn write(&mut self, item: T) -> Result<()> {
        (self.write)(item)
    }
}

/// Looks for the list in the members of the document.
struct Listed<'a, T> {
    items: &'a mut T,
    is_found: bool,
    /// What went wrong when an item was written.
    failure: Option<Error>,
}

impl<T: Items> Keys for Listed<'_, T> {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != self.items.list() {
            return self.items.other(key, map);
        }
        if self.is_found {
            return Err(A::Error::custom(format_args!("a second member \"{key}\"")));
        }
        self.is_found = true;
        map.next_value_seed(Each(self))
    }
}

/// The list, item by item.
struct Each<'a, 'b, T>(&'a mut Listed<'b, T>);

impl<'de, T: Items> DeserializeSeed<'de> for Each<'_, '_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Items> Visitor<'de> for Each<'_, '_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.0.items.list())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Listed { items, failure, .. } = self.0;
        for number in 0.. {
            let Some(item) = items.next(number, &mut list)? else { break };
            if let Err(e) = items.write(item) {
                *failure = Some(e);
                return Err(A::Error::custom("the item cannot be written"));
            }
        }
        Ok(())
    }
}

/// A document that can be read more than once. Standard input is kept in a temporary file for that.
pub(crate) struct Source {
    file: File,
    name: String,
    limits: Limits,
}

impl Source {
    pub(crate) fn new(mut input: Input, limits: Limits) -> Result<Self> {
        let name = input.name();
        let file = match input.len() {
            Some(_) => File::open(input.path()).map_err(Error::input),
            None => spooled(&mut input),
        };
        Ok(Source { file: file.map_err(|e| e.at(&name))?, name, limits })
    }

    /// How much may be written of it.
    pub(crate) fn bound(&self) -> Bound {
        let bytes = self.file.metadata().map_or(0, |about| about.len());
        Bound::of_document(bytes, self.limits)
    }

    /// Hands every member of the document's object to `keys`.
    pub(crate) fn read(&mut self, keys: &mut impl Keys) -> Result<()> {
        let result = self.file.seek(SeekFrom::Start(0)).map_err(Error::input).and_then(|_| {
            let mut json =
                serde_json::Deserializer::from_reader(BufReader::with_capacity(64 << 10, &self.file));
            let mut stopped = false;
            match json.deserialize_map(Members { keys, stopped: &mut stopped }) {
                Ok(()) => json.end().map_err(failure),
                Err(_) if stopped => Ok(()),
                Err(e) => Err(failure(e)),
            }
        });
        result.map_err(|e| e.at(&self.name))
    }

    /// Hands the items of a list to `items`, one at a time; whether the document has the list.
    pub(crate) fn items_if_any<T: Items>(&mut self, items: &mut T) -> Result<bool> {
        let mut listed = Listed { items, is_found: false, failure: None };
        let read = self.read(&mut listed);
        match listed.failure {
            Some(e) => Err(e),
            None => read.map(|()| listed.is_found),
        }
    }

    /// The same of a list that the document must have.
    pub(crate) fn items<T: Items>(&mut self, items: &mut T) -> Result<()> {
        match self.items_if_any(items)? {
            true => Ok(()),
            false => Err(Error::data(format_args!("the document has no member \"{}\"", items.list()))),
        }
    }

    /// Reads each item of a list, which the document must have, by a seed, and writes it. Errors tell which one it is.
    pub(crate) fn each<T, S>(
        &mut self,
        list: &'static str,
        seed: S,
        write: impl FnMut(T) -> Result<()>,
    ) -> Result<()>
    where
        S: for<'de> DeserializeSeed<'de, Value = T> + Copy,
    {
        self.items(&mut Seeded { list, seed, write, of: PhantomData })
    }

    /// The texts of these members of the document's object, where they are texts.
    pub(crate) fn texts<const N: usize>(&mut self, names: [&'static str; N]) -> Result<[Option<String>; N]> {
        let mut texts = Texts { names, found: [const { None }; N] };
        self.read(&mut texts)?;
        Ok(texts.found.map(|text| text.flatten()))
    }
}

/// A file without a name that holds all of a stream.
fn spooled(input: &mut Input) -> Result<File> {
    const TRIES: u32 = 100;
    let folder = std::env::temp_dir();
    let open = |attempt| {
        let path = folder.join(format!("binfmt-{}-{attempt}.json", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // without its name the file goes when the program ends, however it ends
        let _ = std::fs::remove_file(&path);
        Ok(file)
    };
    let in_use =
        |opened: &io::Result<File>| opened.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::AlreadyExists);
    let opened = (1..TRIES).map(open).find(|opened| !in_use(opened)).unwrap_or_else(|| open(TRIES));
    let mut file = opened.map_err(|e| Error::input(e).at(folder.display()))?;
    io::copy(&mut input.reader(0)?, &mut file).map_err(Error::input)?;
    Ok(file)
}

fn failure(e: serde_json::Error) -> Error {
    if e.is_io() { Error::input(io::Error::from(e)) } else { Error::data(format_args!("bad JSON: {e}")) }
}

struct Members<'a, K> {
    keys: &'a mut K,
    stopped: &'a mut bool,
}

impl<'de, K: Keys> Visitor<'de> for Members<'_, K> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"format\" and the data")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.keys.member(&key, &mut map)?;
            if self.keys.is_done() {
                *self.stopped = true;
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

struct Texts<const N: usize> {
    names: [&'static str; N],
    /// Outer: whether the member was there; inner: whether it was a text.
    found: [Option<Option<String>>; N],
}

impl<const N: usize> Keys for Texts<N> {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match self.names.iter().position(|name| *name == key) {
            Some(i) => self.found[i] = Some(map.next_value_seed(TextOrNot)?),
            None => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.found.iter().all(Option::is_some)
    }
}

/// A text, or nothing where another value stands.
struct TextOrNot;

impl<'de> DeserializeSeed<'de> for TextOrNot {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<String>, D::Error> {
        use serde::Deserialize;
        Ok(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Some(text),
            _ => None,
        })
    }
}
