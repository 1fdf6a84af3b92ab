//! The text of a header, byte for byte as the official library writes it where that can be read back.

use super::build::{NAME_RULE, is_name, name_like};
use super::error::HeaderError;
use crate::formats::sdds::layout::definition::{Definition, Header};
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::Mode;
use crate::wire::Endian;
use alloc::format;
use alloc::vec::Vec;

/// The longest command that the official library reads.
const MAX_COMMAND: usize = 1023;

impl Header {
    /// The header as the official library writes it, of the lowest version that will do.
    ///
    /// Beside what that library puts in quotes, values are quoted that it writes bare and then cannot read, those with `!` or
    /// `&end`, and any other with `&`, which other readers take for a command. A `"` gets a backslash unless it has one; the
    /// library adds one each time that a header is read and written.
    ///
    /// Left out is what that library leaves out: symbols, units, descriptions, formats and groups of blanks alone, the order
    /// of the columns of an ascii file, `additional_header_lines`, `field_length` and associates. Types of CERN's dialect have
    /// the names of the format.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Header, Mode};
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns.push(Column::new("x", DataType::Double).units("a!b").description("say \"x\""));
    /// assert_eq!(
    ///     String::from_utf8(header.to_bytes()?).unwrap(),
    ///     "SDDS1\n!# little-endian\n\
    ///      &column name=x, units=\"a!b\", description=\"say \\\"x\\\"\", type=double,  &end\n\
    ///      &data mode=binary, &end\n"
    /// );
    /// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
    /// ```
    ///
    /// # Errors
    /// A value would not read back (it has a line feed or a NUL, or a blank and a backslash at its end), a command is longer than the
    /// official library can read, a name is not valid or a duplicate, an array has no dimensions, or a fixed value is not
    /// of its type.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.check()?;
        let version = self.required_version();
        let mut out = format!("SDDS{version}\n").into_bytes();
        let old = version < 3 && self.mode == Mode::Binary;
        match self.endian {
            Some(Endian::Little) if old => out.extend_from_slice(b"!# little-endian\n"),
            Some(Endian::Big) if old => out.extend_from_slice(b"!# big-endian\n"),
            _ => {}
        }
        if self.fixed_row_count && version < 3 {
            out.extend_from_slice(b"!# fixed-rowcount\n");
        }
        self.definitions(&mut out)?;
        out.extend_from_slice(&self.data_command(version));
        Ok(out)
    }

    fn definitions(&self, out: &mut Vec<u8>) -> Result<(), HeaderError> {
        if self.text.is_some() || self.contents.is_some() {
            let mut c = CommandText::new("description");
            c.text("text", &self.text)?;
            c.text("contents", &self.contents)?;
            c.end("", out)?;
        }
        for p in &self.parameters {
            let mut c = CommandText::of(p)?;
            c.text("fixed_value", &p.fixed_value)?;
            c.end("", out)?;
        }
        for a in &self.arrays {
            let mut c = CommandText::of(a)?;
            if a.dimensions != 1 {
                c.bare("dimensions", &format!("{}", a.dimensions));
            }
            c.end(" ", out)?;
        }
        for column in &self.columns {
            CommandText::of(column)?.end(" ", out)?;
        }
        Ok(())
    }

    fn data_command(&self, version: u8) -> Vec<u8> {
        let mut c = CommandText::new("data");
        let binary = self.mode == Mode::Binary;
        c.bare("mode", self.mode.name());
        if self.lines_per_row > 1 {
            c.bare("lines_per_row", &format!("{}", self.lines_per_row));
        }
        if self.no_row_counts {
            c.bare("no_row_counts", "1");
        }
        match self.endian {
            Some(Endian::Little) if binary && version >= 3 => c.bare("endian", "little"),
            Some(Endian::Big) if binary && version >= 3 => c.bare("endian", "big"),
            _ => {}
        }
        if self.is_column_major() && version >= 3 {
            c.bare("column_major_order", "1");
        }
        if self.fixed_row_count && version >= 3 {
            c.bare("fixed_row_count", "1");
        }
        c.0.extend_from_slice(b"&end\n");
        c.0
    }

    /// What no text can say, or no reader would take.
    fn check(&self) -> Result<(), HeaderError> {
        check_all(&self.parameters)?;
        check_all(&self.arrays)?;
        check_all(&self.columns)?;
        if let Some(a) = self.arrays.iter().find(|a| a.dimensions == 0) {
            return Err(HeaderError::unwritable(format!("array `{}` has no dimensions", a.name)));
        }
        for p in &self.parameters {
            if let Some(Err(message)) = p.fixed() {
                return Err(HeaderError::unwritable(format!("parameter `{}`: {message}", p.name)));
            }
        }
        Ok(())
    }
}

/// The names and formats of all definitions of a kind.
fn check_all<D: Definition>(all: &[D]) -> Result<(), HeaderError> {
    let class = D::COMMAND;
    let mut names: Vec<&str> = all.iter().map(D::name).collect();
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        let like = name_like(name);
        let message = format!("`{name}` is not a name for a {class} of SDDS: {NAME_RULE}, such as `{like}`");
        return Err(HeaderError::unwritable(message));
    }
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(HeaderError::unwritable(format!("there are two {class}s `{}`", pair[0])));
    }
    for definition in all {
        let texts = D::TAGS.iter().zip(definition.texts());
        // a blank one is not written
        let format = texts.filter(|(tag, _)| **tag == "format_string").find_map(|(_, text)| text.as_ref());
        let format = format.filter(|text| !text.is_blank());
        if let Some(wrong) = format.and_then(|text| definition.data_type().misfit(text.as_bytes())) {
            return Err(HeaderError::unwritable(format!("{class} `{}`: {wrong}", definition.name())));
        }
    }
    Ok(())
}

/// A command being written.
struct CommandText(Vec<u8>);

impl CommandText {
    fn new(name: &str) -> Self {
        CommandText(format!("&{name} ").into_bytes())
    }

    /// The command of a definition, but for what only one kind has after the type.
    fn of<D: Definition>(definition: &D) -> Result<Self, HeaderError> {
        let mut command = CommandText::new(D::COMMAND);
        command.text("name", &Some(definition.name().into()))?;
        for (tag, text) in D::TAGS.iter().zip(definition.texts()) {
            match text {
                // left out, or written after the type
                Some(text) if text.is_blank() || *tag == "fixed_value" => {}
                _ => command.text(tag, text)?,
            }
        }
        command.bare("type", definition.data_type().name());
        Ok(command)
    }

    fn bare(&mut self, tag: &str, value: &str) {
        self.0.extend_from_slice(format!("{tag}={value}, ").as_bytes());
    }

    fn text(&mut self, tag: &str, value: &Option<Text>) -> Result<(), HeaderError> {
        let Some(text) = value else { return Ok(()) };
        let refused = |why: &str| HeaderError::unwritable(format!("{tag} {text:?} {why}"));
        let mut value = Vec::with_capacity(text.as_bytes().len());
        for b in text.as_bytes() {
            match b {
                b'\n' | 0 => return Err(refused("has a line feed or NUL, which no header can contain")),
                b'"' if value.last() != Some(&b'\\') => value.extend_from_slice(b"\\\""),
                b => value.push(*b),
            }
        }
        let mut quoted = value.is_empty()
            || value.iter().any(|b| matches!(b, b' ' | b',' | b'*' | b'$' | b'\t' | b'\x08' | b'!' | b'&'));
        if quoted && value.last() == Some(&b'\\') {
            // it would take the quote after it along: bare, with the comment sign escaped, it can be read
            if value.iter().any(|b| matches!(b, b' ' | b',' | b'\t')) {
                return Err(refused(
                    "has blanks or commas and ends with a backslash, which no header can contain",
                ));
            }
            if value.windows(4).any(|w| w == b"&end") {
                return Err(refused("has `&end` and ends with a backslash, which no header can contain"));
            }
            value = value
                .iter()
                .flat_map(|b| if *b == b'!' { &b"\\!"[..] } else { core::slice::from_ref(b) })
                .copied()
                .collect();
            quoted = false;
        }
        let quote: &[u8] = if quoted { b"\"" } else { b"" };
        for part in [tag.as_bytes(), b"=", quote, &value, quote, b", "] {
            self.0.extend_from_slice(part);
        }
        Ok(())
    }

    fn end(mut self, blank: &str, out: &mut Vec<u8>) -> Result<(), HeaderError> {
        self.0.extend_from_slice(format!("{blank}&end").as_bytes());
        if self.0.len() > MAX_COMMAND {
            let start = alloc::string::String::from_utf8_lossy(&self.0[..40]);
            let message =
                format!("the command `{start}…` takes {} bytes, {MAX_COMMAND} can be read", self.0.len());
            return Err(HeaderError::unwritable(message));
        }
        out.append(&mut self.0);
        out.push(b'\n');
        Ok(())
    }
}
