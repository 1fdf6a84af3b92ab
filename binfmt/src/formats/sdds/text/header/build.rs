//! Commands become definitions.

use super::error::HeaderError;
use super::error::Place;
use super::include::Resolver;
use super::scan::{Command, Field, Lines, Notes};
use crate::error::Result;
use crate::formats::sdds::layout::definition::{
    Array, Associate, Column, Definition, DialectType, Header, Parameter,
};
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::{DataType, Mode};
use crate::wire::{Endian, Erased, Slice, Source};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Files that include each other, at most that deep.
const MAX_INCLUDES: usize = 16;

/// Files that are included in all, as often as they are.
const MAX_INCLUDED: usize = 1000;

/// How a header is read.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) resolver: Option<&'a dyn Resolver>,
    pub(crate) any_names: bool,
}

impl Header {
    /// Reads the header before a file, and says how many bytes it takes.
    ///
    /// What the official library accepts is accepted, but for two contradicting declarations of the byte order, which are
    /// refused, and fixed values that are not of their type, which are refused here and not only when a page is read. Commands may be
    /// longer than its limit of 1023 bytes.
    ///
    /// ```
    /// use binfmt::formats::sdds::Header;
    /// let (header, size) = Header::parse(b"SDDS1\n&parameter name=n, type=long &end\n&data mode=binary &end\n\0\0")?;
    /// assert_eq!((header.parameters.len(), size), (1, 63));
    /// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
    /// ```
    ///
    /// # Errors
    /// The bytes do not begin with a header, or it includes another file.
    pub fn parse(bytes: &[u8]) -> Result<(Header, usize), HeaderError> {
        Header::parse_with(bytes, None)
    }

    /// [`parse`](Self::parse), with files that the header may include.
    ///
    /// ```
    /// use binfmt::formats::sdds::Header;
    /// assert!(Header::parse_with(b"SDDS1\n&data mode=ascii &end\n", None).is_ok());
    /// ```
    ///
    /// # Errors
    /// The bytes do not begin with a header, or an included file is refused.
    pub fn parse_with(bytes: &[u8], resolver: Option<&dyn Resolver>) -> Result<(Header, usize), HeaderError> {
        let mut src = Slice::new(bytes);
        let header = read(&mut src.erase(), Rules { resolver, any_names: false })?;
        Ok((header, bytes.len() - src.rest().len()))
    }
}

/// Reads a header and leaves the source after it.
pub(crate) fn read(src: &mut Erased<'_, '_>, rules: Rules<'_>) -> Result<Header, HeaderError> {
    let mut lines = Lines::new(src.erase());
    let mut builder = Builder {
        header: Header::new(Mode::Binary),
        data: false,
        rules,
        open: Vec::new(),
        included: 0,
        names: Default::default(),
    };
    builder.header.endian = None;
    builder.header.version = lines.version()?;
    builder.commands(&mut lines)?;
    if !builder.data {
        return Err(HeaderError::new(
            "the header ends without a `&data` command",
            &Place { line: 1, column: 1, line_start: 0 },
        ));
    }
    Ok(builder.header)
}

struct Builder<'a> {
    header: Header,
    /// Whether `&data` was there.
    data: bool,
    rules: Rules<'a>,
    /// The included files that are being read.
    open: Vec<String>,
    /// How many were included so far.
    included: usize,
    /// The names of parameters, of arrays, and of columns.
    names: [BTreeSet<String>; 3],
}

impl Builder<'_> {
    fn commands(&mut self, lines: &mut Lines<'_, '_>) -> Result<(), HeaderError> {
        while !self.data {
            let Some(command) = lines.command()? else { break };
            match command.name.as_str() {
                "description" => self.description(&command)?,
                "parameter" => self.parameter(&command)?,
                "array" => self.array(&command)?,
                "column" => self.column(&command)?,
                "associate" => self.associate(&command)?,
                "include" => self.include(&command)?,
                "data" => self.data(&command)?,
                other => {
                    let message = format!(
                        "unknown command `&{other}`, expected one of description, parameter, array, column, associate, include, data"
                    );
                    return Err(HeaderError::new(message, &command.place));
                }
            }
            if self.data {
                self.byte_order(lines.notes, &command)?;
            }
        }
        Ok(())
    }

    fn description(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(command, &["text", "contents"])?;
        self.header.text = f.text("text");
        self.header.contents = f.text("contents");
        Ok(())
    }

    fn parameter(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(
            command,
            &["name", "symbol", "units", "description", "format_string", "type", "fixed_value"],
        )?;
        let parameter = self.definition(&f, 0, Parameter::new)?;
        if let (Some(field), Some(Err(message))) = (f.get("fixed_value"), parameter.fixed()) {
            return Err(HeaderError::new(message, &field.place));
        }
        self.header.parameters.push(parameter);
        Ok(())
    }

    fn array(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(
            command,
            &[
                "name",
                "symbol",
                "units",
                "description",
                "format_string",
                "group_name",
                "type",
                "field_length",
                "dimensions",
            ],
        )?;
        let mut array = self.definition(&f, 1, |name, data_type| Array::new(name, data_type, 1))?;
        array.field_length = f.field_length(array.data_type)?;
        array.dimensions = f.number("dimensions", 1, 1)?;
        self.header.arrays.push(array);
        Ok(())
    }

    fn column(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(
            command,
            &["name", "symbol", "units", "description", "format_string", "type", "field_length"],
        )?;
        let mut column = self.definition(&f, 2, Column::new)?;
        column.field_length = f.field_length(column.data_type)?;
        self.header.columns.push(column);
        Ok(())
    }

    /// What a definition of any kind has; its name is not among the others of its kind.
    fn definition<D: Definition>(
        &mut self,
        f: &Fields<'_>,
        kind: usize,
        new: impl FnOnce(String, DataType) -> D,
    ) -> Result<D, HeaderError> {
        let (name, (data_type, of_dialect)) = (self.name(f)?, data_type(f)?);
        f.is_new(&name, &mut self.names[kind])?;
        if let Some(type_name) = of_dialect {
            self.header.dialect.push(DialectType { command: D::COMMAND, name: name.clone(), type_name });
        }
        f.check_format_string(data_type)?;
        let mut definition = new(name, data_type);
        for (tag, text) in D::TAGS.iter().zip(definition.texts_mut()) {
            *text = f.text(tag);
        }
        Ok(definition)
    }

    fn associate(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(command, &["name", "filename", "path", "description", "contents", "sdds"])?;
        let associate = Associate {
            name: f.text("name"),
            filename: f.text("filename"),
            path: f.text("path"),
            description: f.text("description"),
            contents: f.text("contents"),
            sdds: f.number::<i32>("sdds", i64::from(i32::MIN), 0)? != 0,
        };
        self.header.associates.push(associate);
        Ok(())
    }

    fn data(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(
            command,
            &[
                "mode",
                "lines_per_row",
                "no_row_counts",
                "fixed_row_count",
                "additional_header_lines",
                "column_major_order",
                "endian",
            ],
        )?;
        let Some(mode) = f.get("mode") else {
            return Err(HeaderError::new("`&data` does not say its `mode`", &command.place));
        };
        let flag = |tag| f.number::<i32>(tag, i64::from(i32::MIN), 0).map(|n| n != 0);
        let header = &mut self.header;
        header.mode = match mode.value.as_slice() {
            b"binary" => Mode::Binary,
            b"ascii" => Mode::Ascii,
            _ => return Err(mode.unknown("mode", "binary or ascii")),
        };
        header.lines_per_row = f.number("lines_per_row", 0, 1)?;
        header.no_row_counts = flag("no_row_counts")?;
        header.fixed_row_count = flag("fixed_row_count")?;
        header.additional_header_lines = f.number("additional_header_lines", 0, 0)?;
        header.column_major = flag("column_major_order")?;
        header.endian = match f.get("endian").map(|field| (field, field.value.as_slice())) {
            None => None,
            Some((_, b"big")) => Some(Endian::Big),
            Some((_, b"little")) => Some(Endian::Little),
            Some((field, _)) => return Err(field.unknown("byte order", "big or little")),
        };
        self.data = true;
        Ok(())
    }

    /// What the comments say of the data.
    fn byte_order(&mut self, notes: Notes, data: &Command) -> Result<(), HeaderError> {
        self.header.fixed_row_count |= notes.fixed_row_count;
        let said = match (notes.little, notes.big) {
            (false, false) => return Ok(()),
            (true, false) => Endian::Little,
            (false, true) => Endian::Big,
            (true, true) => {
                let message = "comments say that the data is both `little-endian` and `big-endian`";
                return Err(HeaderError::new(message, &data.place));
            }
        };
        if self.header.endian.is_some_and(|endian| endian != said) {
            let message = "a comment and `endian` in `&data` say different byte orders";
            return Err(HeaderError::new(message, &data.place));
        }
        self.header.endian = Some(said);
        Ok(())
    }

    fn include(&mut self, command: &Command) -> Result<(), HeaderError> {
        let f = Fields::of(command, &["filename"])?;
        let Some(field) = f.get("filename") else {
            return Err(HeaderError::new("`&include` does not say its `filename`", &command.place));
        };
        let filename = field.shown();
        let refused =
            |why: &str| HeaderError::new(format!("`&include filename={filename}`: {why}"), &field.place);
        let Some(resolver) = self.rules.resolver else {
            return Err(refused("no directory was named beneath which files may be included"));
        };
        let Ok(name) = core::str::from_utf8(&field.value) else {
            return Err(refused("the name is not UTF-8"));
        };
        let file = resolver.resolve(name).map_err(|why| refused(&why))?;
        if self.open.contains(&file.id) {
            return Err(refused("the file includes itself"));
        }
        if self.open.len() >= MAX_INCLUDES || self.included >= MAX_INCLUDED {
            return Err(refused("too many files that include each other"));
        }
        self.included += 1;
        self.open.push(file.id);
        let mut src = Slice::new(&file.bytes);
        self.commands(&mut Lines::new(src.erase())).map_err(|e| e.in_file(name))?;
        self.open.pop();
        Ok(())
    }

    fn name(&self, f: &Fields<'_>) -> Result<String, HeaderError> {
        let Some(field) = f.get("name") else {
            return Err(HeaderError::new(format!("this `&{}` has no `name`", f.0.name), &f.0.place));
        };
        match core::str::from_utf8(&field.value) {
            Ok(name) if is_name(name) || (self.rules.any_names && !name.is_empty()) => Ok(name.to_string()),
            _ => Err(field.wrong(&format!("is not a name: {NAME_RULE}"))),
        }
    }
}

/// The type of a definition, and its name if that is one of CERN's dialect.
fn data_type(f: &Fields<'_>) -> Result<(DataType, Option<String>), HeaderError> {
    let Some(field) = f.get("type") else {
        return Err(HeaderError::new(format!("this `&{}` has no `type`", f.0.name), &f.0.place));
    };
    let name = &*String::from_utf8_lossy(&field.value);
    if let Some(found) = DataType::named(name) {
        return Ok((found, None));
    }
    let Some(found) = DataType::of_dialect(name) else {
        let names = DataType::ALL.map(DataType::name).join(", ");
        return Err(field.unknown("data type", &format!("one of {names}")));
    };
    Ok((found, Some(name.to_string())))
}

/// What names are made of.
pub(super) const NAME_RULE: &str =
    "it must begin with a letter, `.` or `:`, and go on with letters, digits and `@:#+%-._$&/[]`";

/// A name that is like a text.
pub(super) fn name_like(text: &str) -> String {
    let plain = |c: char| if is_name(&format!("a{c}")) { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    if is_name(&name) { name } else { format!("n{name}") }
}

/// Whether the official library would take this as a name.
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'.' | b':'))
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"@:#+%-._$&/[]".contains(&b))
}

/// The fields of a command whose tags are known; of two with one tag, the last counts.
struct Fields<'c>(&'c Command);

impl<'c> Fields<'c> {
    fn of(command: &'c Command, tags: &[&str]) -> Result<Self, HeaderError> {
        match command.fields.iter().find(|f| !tags.contains(&f.tag.as_str())) {
            None => Ok(Fields(command)),
            Some(f) => {
                let (name, tags) = (&command.name, tags.join(", "));
                let message = format!("unknown field `{}` of `&{name}`, expected one of {tags}", f.tag);
                Err(HeaderError::new(message, &f.tag_place))
            }
        }
    }

    fn get(&self, tag: &str) -> Option<&'c Field> {
        self.0.fields.iter().rev().find(|f| f.tag == tag)
    }

    fn text(&self, tag: &str) -> Option<Text> {
        self.get(tag).map(|f| Text::new(f.value.as_slice()))
    }

    fn check_format_string(&self, kind: DataType) -> Result<(), HeaderError> {
        match self.get("format_string").and_then(|f| kind.misfit(&f.value).map(|wrong| (f, wrong))) {
            Some((field, wrong)) => Err(HeaderError::new(wrong, &field.place)),
            None => Ok(()),
        }
    }

    /// A whole number that is at least `least`.
    fn number<N: TryFrom<i64>>(&self, tag: &str, least: i64, default: N) -> Result<N, HeaderError> {
        let Some(field) = self.get(tag) else { return Ok(default) };
        let text = String::from_utf8_lossy(&field.value);
        let number = text.trim().parse::<i64>().ok().filter(|n| *n >= least);
        number.and_then(|n| N::try_from(n).ok()).ok_or_else(|| {
            field.wrong(&match least {
                0 | 1 => format!("is not a value of `{tag}`: expected a whole number of at least {least}"),
                _ => format!("is not a value of `{tag}`: expected a whole number"),
            })
        })
    }

    /// Bytes that a value takes in ascii; below 0, the blanks around it belong to no string, and other values have none.
    fn field_length(&self, kind: DataType) -> Result<i32, HeaderError> {
        let length = self.number("field_length", i64::from(i32::MIN), 0)?;
        match self.get("field_length") {
            Some(field) if length < 0 && kind != DataType::String => {
                let message = "only strings can have a negative `field_length`";
                Err(HeaderError::new(message, &field.place))
            }
            _ => Ok(length),
        }
    }

    /// Refuses a name that is there already.
    fn is_new(&self, name: &str, names: &mut BTreeSet<String>) -> Result<(), HeaderError> {
        let is_new = names.insert(name.to_string());
        match self.get("name") {
            Some(field) if !is_new => {
                let message = format!("there is another {} `{name}`", self.0.name);
                Err(HeaderError::new(message, &field.place))
            }
            _ => Ok(()),
        }
    }
}

impl Field {
    /// The value for people; long ones are cut.
    fn shown(&self) -> String {
        const MOST: usize = 60;
        let text = String::from_utf8_lossy(&self.value);
        match text.char_indices().nth(MOST) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text.into_owned(),
        }
    }

    fn wrong(&self, why: &str) -> HeaderError {
        HeaderError::new(format!("`{}` {why}", self.shown()), &self.place)
    }

    fn unknown(&self, what: &str, expected: &str) -> HeaderError {
        HeaderError::new(format!("unknown {what} `{}`, expected {expected}", self.shown()), &self.place)
    }
}
