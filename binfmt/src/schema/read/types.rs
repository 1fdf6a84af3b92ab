//! What a type is, after all that its words say.

use super::SyntaxError;
use super::line::Line;
use super::piece::Piece;
use super::word::{self, Around, Word};
use crate::codec::fingerprint::pieces::DEEPEST;
use crate::schema::Integer;
use crate::schema::expr::literal;
use crate::schema::text::end_of_literal;
use crate::schema::types::{Choice, Extent, Field, Magic, Record, Tag, Type, Variant};
use crate::wire::{BitOrder, Encoding, Varint};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Words that begin a type, for suggestions.
pub(super) const NAMES: &[&str] = &[
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "bool", "text", "bytes", "record",
    "choice", "magic", "skip", "reserved", "align", "ignored", "opaque",
];

/// Whether what stands where a type does is something else than the name of one.
pub(in crate::schema) fn is_type(name: &str) -> bool {
    let piece = Piece::line(name, 1);
    let called = piece.call().map_or("", |(word, _)| word);
    word::fixed(name).is_some()
        || word::varint(name).is_some()
        || word::is_word(piece)
        || ["()", "f16"].contains(&name)
        || (name.starts_with('[') && name.ends_with(']'))
        || NAMES.contains(&name)
        || NAMES.contains(&called)
}

type Named<'a, 'n> = &'n mut Vec<(Piece<'a>, String)>;

/// The type of a definition with this name, or of the root.
pub(super) fn whole<'a>(
    words: Piece<'a>,
    line: &Line<'a>,
    name: &str,
    named: Named<'a, '_>,
) -> Result<Type, SyntaxError> {
    let (mut ty, rules) = read(words, Some(line), DEEPEST, named)?;
    if let Some(piece) = rules.first() {
        return Err(piece.error("this belongs to a field"));
    }
    entitle(&mut ty, name, &line.doc);
    Ok(ty)
}

/// A definition's record or choice has its name and documentation; a root without a name before it keeps its own.
fn entitle(ty: &mut Type, name: &str, doc: &str) {
    let (own, its_doc) = match ty {
        Type::Record(record) => (&mut record.name, &mut record.doc),
        Type::Choice(choice) => (&mut choice.name, &mut choice.doc),
        Type::Ordered { body, .. } => return entitle(body, name, doc),
        _ => return,
    };
    *its_doc = doc.to_string();
    if !name.is_empty() {
        *own = name.to_string();
    }
}

/// A type that has no lines of its own: that of a tag.
pub(super) fn inline<'a>(piece: Piece<'a>, named: Named<'a, '_>) -> Result<Type, SyntaxError> {
    read(piece, None, DEEPEST, named).map(|(ty, _)| ty)
}

/// A type and the rules of the field that has it; the lines below `line` are those of the record or choice in it.
fn read<'a>(
    piece: Piece<'a>,
    line: Option<&Line<'a>>,
    deep: usize,
    named: Named<'a, '_>,
) -> Result<(Type, Vec<Piece<'a>>), SyntaxError> {
    let (what, pieces) = piece.of_type();
    let is_choice = what.text == "choice" || what.call().is_some_and(|(word, _)| word == "choice");
    let mut said = Words { around: Vec::new(), rest: Vec::new(), rules: Vec::new() };
    for piece in pieces {
        // what is said of a type comes after it
        let word = word::word(piece, named);
        let word =
            word.map_err(|e| if word::is_word(what) { what.error(type_first(what, piece.text)) } else { e });
        let word = match word? {
            // what another type is told
            Word::Tag(Tag::Expr(_)) if !is_choice => Word::Rule,
            word => word,
        };
        said.take(piece, word);
    }
    let mut leaf = Leaf { what, said, line, deep, named };
    let inner = leaf.read()?;
    let Leaf { said, line, .. } = leaf;
    if let Some((piece, _)) = said.rest.first() {
        return Err(piece.error(format!("`{}` does not go with `{}`", piece.text, what.text)));
    }
    if let Some(extra) = line.and_then(|line| line.inner.first()) {
        return Err(match inner {
            // a record that is misspelled looks like the name of a type
            Type::Named(name) => what.without_lines(&name),
            _ => extra.words.error("only records and choices have lines of their own"),
        });
    }
    let ty = said.around.into_iter().rev().fold(inner, |body, (_, around)| around.around(body));
    Ok((ty, said.rules))
}

/// A word that stands where the type is to be.
fn type_first(word: Piece<'_>, ty: &str) -> String {
    format!("the type comes first: `{ty}, {}`", word.text)
}

/// What the words of a type say.
struct Words<'a> {
    /// What stands around it, outermost first.
    around: Vec<(Piece<'a>, Around)>,
    /// What is said of the type itself.
    rest: Vec<(Piece<'a>, Word)>,
    rules: Vec<Piece<'a>>,
}

impl<'a> Words<'a> {
    fn take(&mut self, piece: Piece<'a>, word: Word) {
        match (word, self.around.last_mut()) {
            (Word::Around(around), _) => self.around.push((piece, around)),
            (Word::Rule, _) => self.rules.push(piece),
            // a filling is that of the innermost thing that may have one
            (
                Word::Fill(byte),
                Some((_, Around::Padded { fill, .. } | Around::Region { fill: Some(fill), .. })),
            ) if self.rest.is_empty() => {
                *fill = byte;
            }
            (Word::Strict, Some((_, Around::Padded { strict, .. }))) if self.rest.is_empty() => {
                *strict = true
            }
            (word, _) => self.rest.push((piece, word)),
        }
    }

    /// The first of the words that mean something here.
    fn find<T>(&mut self, wanted: impl Fn(&Word) -> Option<T>) -> Option<T> {
        let (at, found) = self.rest.iter().enumerate().find_map(|(i, (_, word))| Some((i, wanted(word)?)))?;
        self.rest.remove(at);
        Some(found)
    }

    fn has(&mut self, wanted: impl Fn(&Word) -> bool) -> bool {
        self.find(|word| wanted(word).then_some(())).is_some()
    }

    fn len(&mut self) -> Option<Extent> {
        self.find(|word| if let Word::Len(len) = word { Some(len.clone()) } else { None })
    }

    fn filling(&mut self) -> (u8, bool) {
        let fill = self.find(|word| if let Word::Fill(fill) = word { Some(*fill) } else { None });
        (fill.unwrap_or(0), self.has(|word| matches!(word, Word::Strict)))
    }

    /// The byte order that stands last, of a record or choice itself.
    fn order(&mut self) -> Option<crate::schema::ByteOrder> {
        match self.around.pop() {
            Some((_, Around::Order(order))) => Some(order),
            Some(other) => {
                self.around.push(other);
                None
            }
            None => None,
        }
    }

    fn own_rules(&mut self) -> Vec<String> {
        self.rules.drain(..).map(|piece| piece.text.to_string()).collect()
    }
}

/// A type without what stands around it.
struct Leaf<'a, 'l, 'n> {
    what: Piece<'a>,
    said: Words<'a>,
    /// Where the lines of a record or choice are, until they are read.
    line: Option<&'l Line<'a>>,
    deep: usize,
    named: Named<'a, 'n>,
}

impl<'a> Leaf<'a, '_, '_> {
    fn read(&mut self) -> Result<Type, SyntaxError> {
        let bits = self.said.find(|word| match word {
            Word::Bits { bits, run, order, reserved } => Some((*bits, *run, *order, *reserved)),
            _ => None,
        });
        let Some((bits, run, order, reserved)) = bits else { return self.plain() };
        let body = match reserved {
            true => {
                let (fill, strict) = self.said.filling();
                Type::Padding { len: Extent::Fixed(0), fill, strict }
            }
            false => self.plain()?,
        };
        if !reserved && body.is_silent() {
            let text = format!(
                "`bits` does not go with `{}`; bits without a value are `(), bits({bits}, reserved)`",
                self.what.text
            );
            return Err(self.what.error(text));
        }
        // of a field in a run, reserved bits alone may have to be zero
        if run.is_none() && !reserved && self.said.has(|word| matches!(word, Word::Strict)) {
            return Ok(Type::Packed { bits, order, strict: true, body: Box::new(body) });
        }
        Ok(Type::Bits { bits, run, order, body: Box::new(body) })
    }

    fn plain(&mut self) -> Result<Type, SyntaxError> {
        let what = self.what;
        if let Some(inside) = what.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return self.list(what.part(1..inside.len().saturating_add(1)));
        }
        if let Some((bytes, signed)) = word::fixed(what.text) {
            let code = self.said.find(|word| if let Word::As(code) = word { Some(*code) } else { None });
            return Ok(code.map_or(Type::Int { bytes, signed }, |code| Type::Varint { code, bytes }));
        }
        Ok(match what.text {
            "()" => Type::Unit,
            "f16" => Type::Float { bytes: 2 },
            "f32" => Type::Float { bytes: 4 },
            "f64" => Type::Float { bytes: 8 },
            "bool" => Type::Bool { lax: self.said.has(|word| matches!(word, Word::Lax)) },
            "text" => self.text()?,
            "bytes" => {
                let len = self.end()?;
                self.trimmed(Type::Bytes { len })
            }
            "ignored" => {
                let len = self.end()?;
                self.padding(len)
            }
            "record" => Type::Record(self.record("")?),
            "choice" => Type::Choice(self.choice("")?),
            "opaque" => self.opaque("")?,
            _ => return self.worded(),
        })
    }

    /// What is said with brackets or an equals sign, or a name.
    fn worded(&mut self) -> Result<Type, SyntaxError> {
        let what = self.what;
        if let Some(("magic", value)) = what.assignment() {
            let size = self.size().and_then(|(_, max)| max?.try_into().ok());
            return magic(value, size).map(|value| Type::Magic { value });
        }
        match what.call() {
            Some(("skip", inside)) => {
                let bytes = match inside.assignment() {
                    Some(("bytes", n)) => word::int(n)?,
                    _ => return Err(inside.error("`skip(bytes = 4)` says how many bytes are skipped")),
                };
                Ok(self.padding(Extent::Fixed(bytes)))
            }
            Some(("reserved", n)) => {
                let len = Extent::Fixed(word::int(n)?);
                Ok(self.padding(len))
            }
            Some(("align", n)) => {
                let to = word::int(n)?;
                let (fill, strict) = self.said.filling();
                Ok(Type::Alignment { to, fill, strict })
            }
            Some(("opaque", by)) => self.opaque(by.text),
            Some(("record", name)) => Ok(Type::Record(self.record(&name.name()?)?)),
            Some(("choice", name)) => Ok(Type::Choice(self.choice(&name.name()?)?)),
            Some(("text", encoding)) => {
                let text = encoding.text;
                Err(what
                    .error(format!("a text has a length and then its encoding: `text, nul, text = {text}`")))
            }
            _ if word::varint(what.text).is_some() => {
                let (code, signed) = (what.text, word::varint(what.text).is_some_and(Varint::is_signed));
                let sign = if signed { 'i' } else { 'u' };
                Err(what.error(format!("`{code}` is how an integer is written: `{sign}64, as = {code}`")))
            }
            _ if word::is_word(what) => Err(what.error(type_first(what, "u16"))),
            _ => {
                let name = what.name()?;
                self.named.push((what, name.clone()));
                Ok(Type::Named(name))
            }
        }
    }

    /// Where it ends.
    fn end(&mut self) -> Result<Extent, SyntaxError> {
        if let Some(len) = self.said.len() {
            return Ok(len);
        }
        if self.said.has(|word| matches!(word, Word::Nul)) {
            return Ok(Extent::Terminated);
        }
        let text = self.what.text;
        Err(self.what.error(format!(
            "`{text}` does not say where it ends: add `count = 4`, `length_prefixed(u8)` or the like"
        )))
    }

    fn padding(&mut self, len: Extent) -> Type {
        let (fill, strict) = self.said.filling();
        Type::Padding { len, fill, strict }
    }

    fn trimmed(&mut self, body: Type) -> Type {
        match self.said.find(|word| if let Word::Trim(byte) = word { Some(*byte) } else { None }) {
            Some(byte) => Type::Trimmed { byte, body: Box::new(body) },
            None => body,
        }
    }

    fn text(&mut self) -> Result<Type, SyntaxError> {
        let nul = self.said.has(|word| matches!(word, Word::Nul));
        let len = match self.said.len() {
            Some(len) => len,
            None if nul => Extent::Terminated,
            None => self.end()?,
        };
        let encoding =
            self.said.find(|word| if let Word::Encoding(encoding) = word { Some(*encoding) } else { None });
        Ok(self.trimmed(Type::Text { encoding: encoding.unwrap_or(Encoding::Utf8), nul, len }))
    }

    /// `[item]`, `[item; 3]`; the lines are those of the item.
    fn list(&mut self, inside: Piece<'a>) -> Result<Type, SyntaxError> {
        let deep = self.deep.checked_sub(1).ok_or_else(|| inside.error("lists are in lists too often"))?;
        let parts = inside.split(';');
        let (item, fixed) = match parts[..] {
            [item] => (item, None),
            [item, n] => (item, Some(word::int(n)?)),
            _ => return Err(inside.error("a list is `[item]` or `[item; 3]`")),
        };
        let (item, _) = read(item, self.line.take(), deep, self.named)?;
        let item = Box::new(match item {
            // bits that are not those of a run
            Type::Bits { bits, run: None, order, body } if !body.is_silent() => {
                Type::Packed { bits, order, strict: false, body }
            }
            item => item,
        });
        if let Some(n) = fixed {
            return Ok(Type::List { item, len: Extent::Fixed(n) });
        }
        let shape = self.said.find(|word| match word {
            Word::Shape { dim, rank, column_major } => Some((dim.clone(), rank.clone(), *column_major)),
            _ => None,
        });
        match shape {
            Some((Integer::Fixed { bytes, signed }, rank, column_major)) => {
                Ok(Type::Shaped { item, dim_bytes: bytes, dim_signed: signed, rank, column_major })
            }
            Some(_) => Err(self.what.error("dimensions are integers of a fixed size")),
            None => {
                let in_region = matches!(self.said.around.last(), Some((_, Around::Region { .. })));
                let len = match self.said.len() {
                    None if in_region => Extent::ToEnd,
                    Some(len) => len,
                    None => self.end()?,
                };
                Ok(Type::List { item, len })
            }
        }
    }

    fn size(&mut self) -> Option<(u64, Option<u64>)> {
        self.said.find(|word| if let Word::Size(min, max) = word { Some((*min, *max)) } else { None })
    }

    /// The magic before a tag.
    fn magic(&mut self) -> Result<Option<Magic>, SyntaxError> {
        let place = self.said.rest.iter().position(|(_, word)| matches!(word, Word::Magic));
        let Some((piece, _)) = place.map(|place| self.said.rest.remove(place)) else { return Ok(None) };
        let size = self.size().and_then(|(_, max)| max?.try_into().ok());
        piece.assignment().map(|(_, value)| magic(value, size)).transpose()
    }

    fn opaque(&mut self, by: &str) -> Result<Type, SyntaxError> {
        let size =
            self.said.find(|word| if let Word::Size(min, max) = word { Some((*min, *max)) } else { None });
        let (min, max) = size.ok_or_else(|| self.what.error("`size(..)` must say how many bytes it has"))?;
        Ok(Type::Opaque { by: by.to_string(), min, max })
    }

    fn record(&mut self, name: &str) -> Result<Record, SyntaxError> {
        let order = self.said.order();
        let rules = self.said.own_rules();
        let fields = self.fields()?;
        Ok(Record { order, rules, ..Record::new(name, fields) })
    }

    fn fields(&mut self) -> Result<Vec<Field>, SyntaxError> {
        let lines = self.line.take().map_or(&[][..], |line| &line.inner);
        fields(lines, None, self.named)
    }

    fn choice(&mut self, name: &str) -> Result<Choice, SyntaxError> {
        let order = self.said.order();
        let rules = self.said.own_rules();
        let tag = self.said.find(|word| if let Word::Tag(tag) = word { Some(tag.clone()) } else { None });
        let mut tag: Tag = tag.ok_or_else(|| {
            self.what.error("a choice says where its tag is: `tag(u8)` or `tag_from = field`, or that there is none: `untagged`")
        })?;
        // the fields of the variants go on with the run of a tag
        let first = match &mut tag {
            Tag::Front(tag) => bits_in(tag).and_then(|(_, order)| *order),
            _ => None,
        };
        let magic = self.magic()?;
        let mut variants = Vec::new();
        for line in self.line.take().map_or(&[][..], |line| &line.inner) {
            let (tag, name) = line
                .words
                .cut(" => ")
                .ok_or_else(|| line.words.error("a variant is its tag, `=>` and a name"))?;
            let (name, rules) = name.of_type();
            let fields = fields(&line.inner, first, self.named)?;
            let mut variant = Variant::new(name.name()?, tag.expression()?, fields);
            for rule in rules {
                match word::word(rule, self.named)? {
                    Word::Rule => variant.rules.push(rule.text.to_string()),
                    _ => return Err(rule.error("this belongs to a field")),
                }
            }
            variant.doc.clone_from(&line.doc);
            variants.push(variant);
        }
        Ok(Choice { order, rules, magic, ..Choice::new(name, tag, variants) })
    }
}

/// `order` is that of the bits of a run that is open: which bit is the first is said once in a run.
fn fields<'a>(
    lines: &[Line<'a>],
    mut order: Option<BitOrder>,
    named: Named<'a, '_>,
) -> Result<Vec<Field>, SyntaxError> {
    let mut fields = Vec::with_capacity(lines.len());
    let mut places = BTreeMap::new();
    for line in lines {
        let (piece, words) =
            line.named().ok_or_else(|| line.words.error("a field is a name, a colon and a type"))?;
        let name = if piece.text == "_" { String::new() } else { piece.name()? };
        if !name.is_empty()
            && let Some(first) = places.insert(name.clone(), piece)
        {
            return Err(piece.second("field", &name, first));
        }
        let (mut ty, rules) = read(words, Some(line), DEEPEST, named)?;
        if let Some((run, own)) = bits_in(&mut ty) {
            match run {
                Some(_) => order = *own,
                None if own.is_some() && *own != order => {
                    return Err(line.words.error("the order of bits is said where their run begins (`of`)"));
                }
                None => *own = order,
            }
        }
        let mut field = Field::new(name, ty);
        field.doc.clone_from(&line.doc);
        field.rules = rules.iter().map(|piece| piece.text.to_string()).collect();
        fields.push(field);
    }
    Ok(fields)
}

/// The run that bits open, and the order of bits.
fn bits_in(ty: &mut Type) -> Option<(Option<u8>, &mut Option<BitOrder>)> {
    match ty {
        Type::Bits { run, order, .. } => Some((*run, order)),
        Type::Ordered { body, .. } | Type::Conditional { body, .. } => bits_in(body),
        _ => None,
    }
}

/// Bytes, or a number whose end or `size` says its width.
pub(super) fn magic(piece: Piece<'_>, size: Option<u8>) -> Result<Magic, SyntaxError> {
    if let Some(bytes) = literal::bytes(piece.text) {
        return Ok(Magic::Bytes(bytes));
    }
    // a number may be a byte in quotes
    if piece.text.contains(['"', '\'']) && literal::int(piece.text).is_none() {
        return Err(piece.error("these are no bytes, such as b\"\\x7fELF\""));
    }
    match size.or(end_of_literal(piece.text)) {
        Some(bytes) => Ok(Magic::Number { value: piece.expression()?, bytes }),
        None => Err(piece.error("a magic is bytes, or a number with its type, such as 0x1234u16")),
    }
}
