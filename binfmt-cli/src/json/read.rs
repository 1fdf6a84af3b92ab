//! A JSON document, read member by member.

use crate::error::{Error, Result};
use crate::input::Input;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};

/// What is done with the members of the document's object, in the order in which they stand.
pub(crate) trait Keys {
    /// Takes the value of `key` from `map`, which must be done exactly once.
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;

    /// Whether enough was seen. The rest is not read then, and may be anything.
    fn is_done(&self) -> bool {
        false
    }
}

/// What is done with the elements of a list, in the order in which they stand.
pub(crate) trait Items {
    /// What the list is one of.
    const WHAT: &'static str;

    /// Takes the next element from `list`; whether there was one. `number` counts from 0.
    fn item<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<bool, A::Error>;
}

/// A list whose elements are handed on one at a time.
pub(crate) struct List<'a, T>(pub(crate) &'a mut T);

impl<'de, T: Items> DeserializeSeed<'de> for List<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Items> Visitor<'de> for List<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", T::WHAT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        for number in 0.. {
            if !self.0.item(number, &mut list)? {
                break;
            }
        }
        Ok(())
    }
}

/// A document that can be read more than once. Standard input is kept in a temporary file for that.
pub(crate) struct Source {
    file: File,
    name: String,
}

impl Source {
    pub(crate) fn new(mut input: Input) -> Result<Self> {
        let name = input.name();
        let file = match input.len() {
            Some(_) => File::open(input.path()).map_err(Error::input),
            None => spooled(&mut input),
        };
        Ok(Source { file: file.map_err(|e| e.at(&name))?, name })
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
                return Err(serde::de::Error::custom("stopped"));
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
