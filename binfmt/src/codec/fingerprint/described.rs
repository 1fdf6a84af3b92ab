//! A type compared while compiling with a description in a file, which the derive has cut into lines.
#![allow(clippy::arithmetic_side_effects, reason = "places in lists and texts of a fixed size")]

use super::line::Line;
use super::notes::{fixed_order, is_transparent};
use super::pieces::quoted;
use super::text::{Constants, Message, Text};
use super::tree::known_of;
use super::walk::{self, Problem};
use super::{Fields, Inner, Own, Tree, VariantTree};
use crate::wire::{Endian, Notes, Part, Shape};

/// The most pairs of a type and a definition that are compared.
const MOST: usize = 256;
/// The most bytes of a message, and of the list of differences in it.
const WHOLE: usize = 16 << 10;
const LIST: usize = 15 << 10;
/// The most fields around a field.
const DEEPEST: usize = 32;

/// A line of the file, with the lines below it.
#[derive(Clone, Copy, Debug)]
pub struct DescribedPart {
    /// That of a field or variant; bytes without a value have none.
    pub name: &'static str,
    /// The type in words, in which `*` is a struct or enum; of a variant its tags.
    pub what: &'static str,
    /// The same as it stands in the file.
    pub shown: &'static str,
    /// The definition of what is `*`, if that has a name.
    pub definition: Option<usize>,
    /// The fields or variants.
    pub below: &'static [DescribedPart],
}

/// Refuses a type that is not what a file says: `definitions` are those of the file, that of the root first.
#[inline]
pub const fn described(tree: &Tree, definitions: &'static [DescribedPart], name: &str, file: &str) {
    let mut compare = Compare {
        definitions,
        path: [""; DEEPEST],
        depth: 0,
        met: [(0, 0); MOST],
        num: 0,
        found: 0,
        told: 0,
        message: Message::NEW,
        problem: None,
    };
    compare.definition(*tree, 0);
    let mut message = Message::<WHOLE>::NEW;
    match compare.problem {
        Some(Problem::Missing(inside)) => message.add(&[
            "binfmt: `",
            inside,
            "` is part of `",
            name,
            "`, which is compared with a file: add `#[binfmt(fingerprint)]` to it",
        ]),
        Some(Problem::Part(what)) => message.add(&[
            "binfmt: a part of `",
            name,
            "` has ",
            what,
            ", so its layout is known at run time only: compare with `Schema::check` in a test",
        ]),
        None if compare.found == 0 => return,
        None => {
            let mut number = Text::new();
            number.number(compare.found);
            let differences = if compare.found == 1 { " difference" } else { " differences" };
            let list = compare.message.as_str();
            message.add(&[
                "binfmt: ",
                number.as_str(),
                differences,
                " between `",
                name,
                "` and ",
                file,
                ":",
                list,
            ]);
            if compare.told < compare.found {
                let mut more = Text::of(&["\n  and "]);
                more.number(compare.found - compare.told);
                message.add(&[more.as_str(), " more"]);
            }
        }
    }
    panic!("{}", message.as_str())
}

/// What a line of a type is made of.
#[derive(Clone, Copy)]
enum Item<'a> {
    Field { part: &'a Part, tree: Tree, known: Constants, order: Option<Endian> },
    Transparent { own: &'a Own, fields: &'a Fields, notes: Notes },
}

impl Item<'_> {
    #[inline]
    const fn line(&self, through: bool) -> Line {
        let mut line = Line::new(through);
        match *self {
            Item::Field { part, tree, known, order } => line.field(part, tree, known, order),
            Item::Transparent { own, fields, notes } => line.transparent(own, fields, notes),
        }
        line
    }
}

struct Compare {
    definitions: &'static [DescribedPart],
    /// The names of the fields around.
    path: [&'static str; DEEPEST],
    depth: usize,
    /// Types by what they are, each with the definition that it was compared with.
    met: [(u64, usize); MOST],
    num: usize,
    found: usize,
    /// How many of them are in the message.
    told: usize,
    message: Message<LIST>,
    problem: Option<Problem>,
}

impl Compare {
    #[inline]
    const fn refuse(&mut self, problem: Option<Problem>) {
        if self.problem.is_none() {
            self.problem = problem;
        }
    }

    /// A difference in the line of this name.
    #[inline]
    const fn differ(&mut self, name: &str, has: &str, said: &str) {
        self.found += 1;
        if self.told + 1 < self.found {
            return;
        }
        let before = self.message.len();
        self.message.add(&["\n  "]);
        let mut i = 0;
        while i < self.depth {
            self.message.add(&[self.path[i], "."]);
            i += 1;
        }
        let name = if name.is_empty() { "_" } else { name };
        self.message.add(&[name, ": the type has ", has, ", the file has ", said]);
        match self.message.is_cut() {
            true => self.message.cut(before),
            false => self.told += 1,
        }
    }

    /// A struct or enum with the definition of the file at this place.
    #[inline]
    const fn definition(&mut self, tree: Tree, place: usize) {
        let id = walk::id_of(&tree);
        let mut i = 0;
        while i < self.num {
            if self.met[i].0 == id && self.met[i].1 == place {
                return;
            }
            i += 1;
        }
        assert!(self.num < MOST, "binfmt: too many types to be compared with a file");
        self.met[self.num] = (id, place);
        self.num += 1;
        let said = &self.definitions[place];
        self.content(tree, said, said.what);
    }

    /// A struct or enum with what stands below a line, of which `what` is about the struct or enum itself.
    #[inline]
    const fn content(&mut self, tree: Tree, said: &'static DescribedPart, what: &str) {
        let mut line = Line::new(false);
        match (tree.inner, tree.shape) {
            (Inner::Record { own, fields }, Shape::Record { notes, .. }) if is_transparent(notes) => {
                let item = Item::Transparent { own: &own, fields: &fields, notes };
                let line = item.line(false);
                match line.leaf {
                    // a struct around another one, and nothing else, is that one
                    Some(leaf) if matches!(line.text().as_bytes(), b"*") => self.content(leaf, said, what),
                    _ => self.item("", item, said),
                }
            }
            (Inner::Record { own, fields }, Shape::Record { name, notes, .. }) => {
                line.of_record(&own, notes);
                // a tuple has the name that the file gives it
                let name = if name.is_empty() { said.name } else { name };
                self.header(("record", name), &line, said, what);
                self.fields(&fields, None, said.below);
            }
            (Inner::Choice { own, front, tag, variants }, Shape::Choice { name, notes, .. }) => {
                line.of_choice(&own, notes, front, tag);
                self.header(("choice", name), &line, said, what);
                self.variants(variants, said.below);
            }
            _ => {}
        }
    }

    /// The words of a struct or enum itself.
    #[inline]
    const fn header(&mut self, (is, name): (&str, &str), line: &Line, said: &DescribedPart, what: &str) {
        self.refuse(line.problem);
        let text = line.text();
        if !is_same(text.as_bytes(), what.as_bytes()) {
            let depth = self.depth;
            self.depth = 0;
            self.differ(name, shown(&text, is).as_str(), said.shown);
            self.depth = depth;
        }
    }

    /// A field, or a struct that is its field, with its line.
    #[inline]
    const fn item(&mut self, name: &'static str, item: Item<'_>, said: &'static DescribedPart) {
        let mut line = item.line(false);
        let mut is_found = is_same(line.text().as_bytes(), said.what.as_bytes());
        // the file may say what a struct of one field is, and not that there is one
        if !is_found && line.leaf.is_some() {
            let through = item.line(true);
            is_found = is_same(through.text().as_bytes(), said.what.as_bytes());
            if is_found {
                line = through;
            }
        }
        self.refuse(line.problem);
        if !is_found {
            let leaf = match line.leaf {
                Some(tree) => name_of(&tree),
                None => "",
            };
            self.differ(name, shown(&line.text(), leaf).as_str(), said.shown);
        }
        // what is inside may differ, too
        let Some(leaf) = line.leaf else { return };
        if !is_found && said.definition.is_none() {
            return;
        }
        let is_within = !name.is_empty() && self.depth < DEEPEST;
        if is_within {
            self.path[self.depth] = name;
            self.depth += 1;
        }
        match said.definition {
            Some(place) => self.definition(leaf, place),
            None => self.content(leaf, said, "*"),
        }
        if is_within {
            self.depth -= 1;
        }
    }

    /// Fields, of which those without an order of their own have that of a variant.
    #[inline]
    const fn fields(&mut self, fields: &Fields, order: Option<Endian>, said: &'static [DescribedPart]) {
        let mut next = 0;
        let mut i = 0;
        while i < fields.parts.len() {
            let (part, known) = (&fields.parts[i], known_of(fields, i));
            let name = name_of_part(part);
            let item = Item::Field { part, tree: fields.trees[i], known, order };
            match found(said, next, name) {
                Some(place) if place == next || !is_later(fields, i, said[next].name) => {
                    self.extra(said, next, place);
                    self.item(name, item, &said[place]);
                    next = place + 1;
                }
                _ => {
                    let line = item.line(false);
                    self.refuse(line.problem);
                    let leaf = match line.leaf {
                        Some(tree) => name_of(&tree),
                        None => "",
                    };
                    self.differ(name, shown(&line.text(), leaf).as_str(), "nothing");
                }
            }
            i += 1;
        }
        self.extra(said, next, said.len());
    }

    #[inline]
    const fn variants(&mut self, variants: &[VariantTree], said: &'static [DescribedPart]) {
        let mut next = 0;
        let mut k = 0;
        while k < variants.len() {
            let variant = &variants[k];
            let name = variant.parts.name();
            let mut tags = Text::new();
            tags.with_values(variant.parts.tag(), variant.tags);
            match found(said, next, name) {
                Some(place) => {
                    self.extra(said, next, place);
                    let line = &said[place];
                    if !is_same(tags.as_bytes(), line.what.as_bytes()) {
                        self.differ(name, Text::of(&["the tag ", tags.as_str()]).as_str(), line.shown);
                    }
                    let is_within = self.depth < DEEPEST;
                    if is_within {
                        self.path[self.depth] = name;
                        self.depth += 1;
                    }
                    let fields =
                        Fields { parts: variant.parts.parts(), trees: variant.trees, known: variant.known };
                    self.fields(&fields, fixed_order(variant.parts.notes()), line.below);
                    if is_within {
                        self.depth -= 1;
                    }
                    next = place + 1;
                }
                None => {
                    self.differ(name, Text::of(&["a variant of the tag ", tags.as_str()]).as_str(), "nothing")
                }
            }
            k += 1;
        }
        self.extra(said, next, said.len());
    }

    /// Lines of the file that nothing in the type is.
    #[inline]
    const fn extra(&mut self, said: &[DescribedPart], from: usize, to: usize) {
        let mut i = from;
        while i < to {
            self.differ(said[i].name, "nothing", said[i].shown);
            i += 1;
        }
    }
}

#[inline]
const fn name_of_part(part: &Part) -> &'static str {
    if part.is_beside() { "" } else { part.name() }
}

#[inline]
const fn name_of(tree: &Tree) -> &'static str {
    match tree.shape {
        Shape::Record { name, .. } | Shape::Choice { name, .. } if !name.is_empty() => name,
        _ => "record",
    }
}

/// The line of a name; bytes without one are what comes next, or are not there.
#[inline]
const fn found(said: &[DescribedPart], from: usize, name: &str) -> Option<usize> {
    let mut i = from;
    while i < said.len() {
        if is_text(said[i].name.as_bytes(), name.as_bytes()) {
            return Some(i);
        }
        if name.is_empty() {
            return None;
        }
        i += 1;
    }
    None
}

/// Whether a later field has this name.
#[inline]
const fn is_later(fields: &Fields, place: usize, name: &str) -> bool {
    let mut i = place + 1;
    while i < fields.parts.len() {
        if !name.is_empty() && is_text(name_of_part(&fields.parts[i]).as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// A line with the name of its struct or enum.
#[inline]
const fn shown(line: &Text, name: &str) -> Text {
    let mut text = Text::new();
    let mut rest = line.as_bytes();
    let mut is_open = !name.is_empty();
    while let [first, others @ ..] = rest {
        match *first {
            b'*' if is_open => {
                text.add(&[name]);
                is_open = false;
            }
            first => text.all(&[first]),
        }
        rest = others;
    }
    text
}

#[inline]
const fn is_text(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Whether two texts are the same but for blanks outside quotes.
#[inline]
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let (mut a, mut b) = (a, b);
    loop {
        let ((first, rest), (other, others)) = (piece(a), piece(b));
        if !is_text(first, other) {
            return false;
        }
        if first.is_empty() {
            return true;
        }
        (a, b) = (rest, others);
    }
}

/// What is quoted at the front of a text, or its first byte that is not a blank, and what comes after it.
#[inline]
const fn piece(text: &[u8]) -> (&[u8], &[u8]) {
    let mut text = text;
    while let [b' ', rest @ ..] = text {
        text = rest;
    }
    match quoted(text) {
        0 if text.is_empty() => (text, text),
        0 => text.split_at(1),
        len => text.split_at(len),
    }
}
