//! The JSON form of an array, read: fragment by fragment into a new array.

use super::options::Options;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Keys, Source};
use crate::output::Target;
use binfmt::formats::tiledb::{ArraySchema, ArrayType, FragmentContent, FragmentSeed};
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess};
use serde_json::Value as Json;

/// Writes the array that a document describes.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    if options.chooses_cells() {
        return Err(Error::usage("--subarray and --order choose cells of an array, not of a document"));
    }
    let mut about = About::default();
    json.read(&mut about)?;
    let Some(schema) = about.schema else {
        return Err(Error::data("the document has no member \"schema\""));
    };
    let schema: ArraySchema =
        serde_json::from_value(schema).map_err(|e| Error::data(format_args!("schema: {e}")))?;
    let mut writer = Writer::new(schema.clone(), about.encrypted, options, out)?;
    if about.has_cells {
        let mut whole = Whole { schema: &schema, content: FragmentContent::default() };
        json.read(&mut whole)?;
        let mut content = whole.content;
        match (options.at(), about.fragments.as_slice()) {
            (Some(at), _) => content.times = Some([at, at]),
            // nothing was overlaid: it is the fragment that it was
            (None, [one]) => content.name.clone_from(one),
            (None, _) => {}
        }
        // a document of an empty array has no cells
        if schema.array_type == ArrayType::Dense
            || content.coords.as_ref().is_some_and(|c| c.iter().any(|v| !v.is_empty()))
        {
            writer.write(content)?;
        }
        return writer.finish();
    }
    let mut fragments = Fragments { schema: &schema, writer };
    json.items_if_any(&mut fragments)?;
    fragments.writer.finish()
}

/// What has to be known before the first cell.
#[derive(Default)]
struct About {
    schema: Option<Json>,
    encrypted: bool,
    /// The names of the fragments.
    fragments: Vec<Option<String>>,
    /// Whether cells stand outside the fragments.
    has_cells: bool,
}

impl Keys for About {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        #[derive(serde::Deserialize)]
        struct Named {
            name: Option<String>,
        }
        match key {
            "schema" => self.schema = Some(map.next_value()?),
            "encrypted" => self.encrypted = map.next_value()?,
            "fragments" => {
                let named: Vec<Named> = map.next_value()?;
                self.fragments = named.into_iter().map(|one| one.name).collect();
            }
            _ => {
                self.has_cells |= matches!(key, "attributes" | "coords");
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The cells of the whole array.
struct Whole<'a> {
    schema: &'a ArraySchema,
    content: FragmentContent,
}

impl Keys for Whole<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "fragments" => map.next_value::<IgnoredAny>().map(|_| ()),
            _ => FragmentSeed::new(self.schema).member(key, map, &mut self.content),
        }
    }
}

/// Every fragment, written when it was read.
struct Fragments<'a> {
    schema: &'a ArraySchema,
    writer: Writer,
}

impl Items for Fragments<'_> {
    type Item = FragmentContent;

    fn list(&self) -> &'static str {
        "fragments"
    }

    fn next<'de, A: SeqAccess<'de>>(
        &mut self,
        number: u64,
        list: &mut A,
    ) -> Result<Option<FragmentContent>, A::Error> {
        let content = list.next_element_seed(FragmentSeed::new(self.schema));
        content.map_err(|e| A::Error::custom(format_args!("fragments[{number}].{e}")))
    }

    fn write(&mut self, content: FragmentContent) -> Result<()> {
        self.writer.write(content)
    }
}
