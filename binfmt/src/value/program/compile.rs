//! From the types of a description to nodes: names, texts and rules become what they stand for.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of fields in memory")]

use super::Code;
use super::arms::Places;
use super::node::{
    Arm, Called, Choice, Field, FixedOrder, Kind, Length, Magic, Node, Record, Shaped, Tag, Word,
};
use super::tried;
use crate::containers::encodings::Page;
use crate::schema::expr::{self, Expression, Patterns, Predicate, Rule};
use crate::schema::size::{ANY, Measured};
use crate::schema::{self, ByteOrder, DEEPEST, Description, Encoding, Extent, Integer, Name, Type, call};
use crate::value::Value;
use crate::value::expr::{Earlier, argument};
use crate::value::otherwise::Otherwise;
use crate::value::place::computed;
use crate::wire::Sizes;
use crate::wire::bits::BitPlace;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The root, and the definitions that it needs.
pub(super) fn compile(description: &Description) -> Code {
    let measured = Measured::new(description);
    let is_recursive = measured.is_recursive();
    let mut compiler = Compiler {
        description,
        measured,
        numbers: BTreeMap::new(),
        met: Vec::new(),
        own: None,
        page: None,
        sizes: Vec::new(),
    };
    let root = compiler.node(&description.root, &Slots::new(), 0);
    let mut definitions = Vec::new();
    while let Some(name) = compiler.met.get(definitions.len()).copied() {
        compiler.own = Some(name);
        definitions.push(match description.definitions.get(name) {
            Some(ty) => compiler.node(ty, &Slots::new(), 0),
            None => Node { kind: Kind::Unreachable, sizes: ANY, depth: 0 },
        });
    }
    let parameters = description.resolve(&description.root).map_or(0, |ty| ty.parameters().len());
    Code { root, definitions, is_recursive, parameters, defaults: defaults(description) }
}

/// The values of the last parameters of the root, which have a default; none if one of them is more than an expression of numbers.
fn defaults(description: &Description) -> Box<[Cow<'static, Value>]> {
    let defaults = description.resolve(&description.root).into_iter().flat_map(Type::defaults).flatten();
    let values = defaults.map(|text| {
        let expression = expression(text, &Slots::new());
        computed(&expression, &Earlier::NONE, 0).map(|value| Cow::Owned(value.into_owned())).ok()
    });
    values.collect::<Option<Vec<_>>>().unwrap_or_default().into()
}

/// The places of the earlier fields of a record among those that have values.
pub(super) type Slots<'d> = BTreeMap<&'d str, usize>;

struct Compiler<'d> {
    description: &'d Description,
    measured: Measured<'d>,
    numbers: BTreeMap<&'d str, usize>,
    /// The names of the definitions, in the order of their numbers.
    met: Vec<&'d str>,
    /// The definition at hand; `None` for the root.
    own: Option<&'d str>,
    /// The code page of the field at hand, whose text is bytes in a description.
    page: Option<Page>,
    /// The sizes of the nodes whose parents are not compiled yet.
    sizes: Vec<Sizes>,
}

impl<'d> Compiler<'d> {
    fn node(&mut self, ty: &'d Type, slots: &Slots<'d>, depth: u32) -> Node {
        if depth > DEEPEST {
            self.sizes.push(ANY);
            return Node { kind: Kind::Unreachable, sizes: ANY, depth };
        }
        let before = self.sizes.len();
        let kind = self.kind(ty, slots, depth);
        let mut children = self.sizes.drain(before..);
        let sizes = self.measured.combined(ty, &mut |_| children.next().unwrap_or(ANY));
        drop(children);
        self.sizes.push(sizes);
        Node { kind, sizes, depth }
    }

    /// A node inside one at a depth, which is never far above the deepest.
    fn inner(&mut self, ty: &'d Type, slots: &Slots<'d>, depth: u32) -> Node {
        self.node(ty, slots, depth.wrapping_add(1))
    }

    fn kind(&mut self, ty: &'d Type, slots: &Slots<'d>, depth: u32) -> Kind {
        let length = |len| length(len, slots);
        let mut inner = |ty| self.inner(ty, slots, depth);
        match ty {
            Type::Unit => Kind::Unit,
            Type::Int { .. } | Type::Float { .. } | Type::Varint { .. } => number(ty),
            Type::Bool { lax } => Kind::Bool { lax: *lax },
            Type::Text { encoding, nul, len } => {
                let nul = *nul || *len == Extent::Terminated;
                match self.page.filter(|_| *encoding == Encoding::Any) {
                    Some(page) => Kind::Paged { page, nul, len: length(len) },
                    None => Kind::Text { encoding: *encoding, nul, len: length(len) },
                }
            }
            Type::Bytes { len } => match self.page {
                Some(page) => Kind::Paged { page, nul: *len == Extent::Terminated, len: length(len) },
                None => Kind::Bytes { len: length(len) },
            },
            Type::List { item, len } => Kind::List { len: length(len), item: Box::new(inner(item)) },
            Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } => {
                Kind::Shaped(Box::new(Shaped {
                    item: inner(item),
                    dim_bytes: *dim_bytes,
                    dim_signed: *dim_signed,
                    word: Word::of(&Integer::Fixed { bytes: *dim_bytes, signed: *dim_signed }),
                    rank: length(rank),
                    column_major: *column_major,
                    dimensions: Box::default(),
                }))
            }
            Type::Region { len, fill, body } => {
                Kind::Region { len: length(len), fill: *fill, body: Box::new(inner(body)) }
            }
            Type::At { position, from, body } => Kind::At {
                position: Box::new(expression(position, slots)),
                from: *from,
                body: Box::new(inner(body)),
            },
            Type::Peeked { body } => Kind::Peeked { body: Box::new(inner(body)) },
            Type::Tail { body } => Kind::Tail { body: Box::new(inner(body)) },
            // the functions are those of another program, so the bytes stay as they are
            Type::Processed { .. } => Kind::Bytes { len: Length::ToEnd },
            Type::Nullable { present, missing, blank, body } => Kind::Nullable {
                present: *present,
                missing: *missing,
                blank: *blank,
                body: Box::new(inner(body)),
            },
            Type::Conditional { condition, otherwise, body } => Kind::Conditional {
                condition: Box::new(expression(condition, slots)),
                otherwise: otherwise.as_ref().map(|text| Box::new(otherwise_of(text, slots))),
                body: Box::new(inner(body)),
            },
            Type::Ordered { order: own, body } => {
                Kind::Ordered { order: order(own, slots), body: Box::new(inner(body)) }
            }
            Type::Padded { size, fill, strict, body } => {
                Kind::Padded { size: *size, fill: *fill, strict: *strict, body: Box::new(inner(body)) }
            }
            Type::Bits { bits, run, order, body } => Kind::Bits {
                place: BitPlace { bytes: run.unwrap_or(0), before: 0, width: *bits, order: *order },
                body: Box::new(inner(body)),
            },
            Type::Packed { bits, order, strict, body } => {
                Kind::Packed { bits: *bits, order: *order, strict: *strict, body: Box::new(inner(body)) }
            }
            Type::Trimmed { byte, body } => Kind::Trimmed { byte: *byte, body: Box::new(inner(body)) },
            Type::Padding { len, fill, strict } => {
                Kind::Padding { len: length(len), fill: *fill, strict: *strict }
            }
            Type::Alignment { to, fill, strict } => Kind::Alignment { to: *to, fill: *fill, strict: *strict },
            Type::Magic { value } => Kind::Magic(magic(value)),
            Type::Record(record) => {
                let parameters = parameters(&record.rules);
                let own = record.order.as_ref().map(|own| order(own, either(&parameters, slots)));
                Kind::Record(Box::new(self.fields(&record.fields, parameters, own, (false, (0, 0)), depth)))
            }
            Type::Choice(choice) => Kind::Choice(Box::new(self.choice(choice, slots, depth))),
            Type::Named(name) => Kind::Named(self.call(name)),
            Type::Opaque { by, min, max } => Kind::Opaque { by: by.as_str().into(), min: *min, max: *max },
        }
    }

    /// The type of a field: a definition itself, and not its name, where a rule of the field is for the array that it is.
    fn ruled(&self, field: &'d schema::Field) -> &'d Type {
        let definition = match &field.ty {
            Type::Named(name) if dimensions(field).is_some() => self.description.definitions.get(&**name),
            _ => None,
        };
        definition.filter(|ty| matches!(ty, Type::Shaped { .. })).unwrap_or(&field.ty)
    }

    /// What a field passes to its type, with the defaults of what it leaves out.
    fn arguments(&self, field: &schema::Field, slots: &Slots<'_>) -> Box<[Expression]> {
        let said = field.arguments();
        let definition = field.ty.called().and_then(|name| self.description.definitions.get(name));
        let left_out = definition.into_iter().flat_map(Type::defaults).skip(said.len()).flatten();
        let said = said.into_iter().map(|text| expression(text, slots));
        said.chain(left_out.map(|text| expression(text, &Slots::new()))).collect()
    }

    /// The number of a definition.
    fn call(&mut self, name: &'d str) -> usize {
        let next = self.met.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.met.push(name);
        }
        number
    }

    /// The fields of a record, or of a variant whose value keeps its tag before them, or whose tag opens a run of bits.
    fn fields(
        &mut self,
        fields: &'d [schema::Field],
        mut slots: Slots<'d>,
        order: Option<FixedOrder>,
        (tag, mut open): (bool, (u8, u8)),
        depth: u32,
    ) -> Record {
        let mut names = Vec::new();
        if tag {
            slots.insert("tag", 0);
            names.push(Name::from("tag"));
        }
        let (mut values, mut compiled) = (Vec::new(), Vec::with_capacity(fields.len()));
        let mut has_bits = false;
        for (place, field) in fields.iter().enumerate() {
            let silent = field.ty.is_silent();
            let arguments = self.arguments(field, &slots);
            self.page = Page::of_rules(&field.rules);
            let mut node = passing(self.inner(self.ruled(field), &slots, depth), arguments);
            self.page = None;
            if let (Some(fixed), Some(array)) = (dimensions(field), node.array()) {
                array.dimensions = fixed;
            }
            has_bits |= place_bits(&mut node, &mut open);
            let is_around = self.own.is_some_and(|own| self.measured.is_around(own, &field.ty));
            let rules: Box<[Rule]> = field.rules.iter().filter_map(|text| range(text, &slots)).collect();
            compiled.push(Field {
                number: node.number().filter(|_| rules.is_empty()),
                plain: node.plain().filter(|_| rules.is_empty()),
                part: if is_around { ANY } else { node.sizes },
                node,
                run: 0,
                name: field.name.clone(),
                silent,
                rules,
                native: field.native.as_str().into(),
                called: called(field, silent),
            });
            if !silent {
                slots.insert(&field.name, names.len());
                names.push(field.name.clone());
                values.push(place);
            }
        }
        runs(&mut compiled);
        Record {
            order,
            has_tail: compiled.iter().any(|field| field.node.is_tail()),
            looks_ahead: compiled.iter().any(|field| field.node.is_peeked()),
            has_frame: has_bits || compiled.iter().any(|field| field.node.has_alignment()),
            keeps_gaps: compiled
                .iter()
                .any(|field| matches!(field.node.kind, Kind::List { len: Length::Gaps, .. })),
            fields: compiled,
            values,
            is_tuple: !tag && are_numbers(names.iter().map(Name::as_str)),
            names: names.into(),
        }
    }

    fn choice(&mut self, choice: &'d schema::Choice, slots: &Slots<'d>, depth: u32) -> Choice {
        let parameters = parameters(&choice.rules);
        let slots = either(&parameters, slots);
        // the bytes of the run that the tag opens, and its bits
        let mut open = (0, 0);
        let (tag, in_front) = match &choice.tag {
            // of the fields around it a tag sees none
            schema::Tag::Front(ty) => {
                let mut node = self.inner(ty, &Slots::new(), depth);
                place_bits(&mut node, &mut open);
                let is_kept = !node.is_peeked();
                (Tag::Front(node), is_kept)
            }
            schema::Tag::Expr(text) => (Tag::Expr(expression(text, slots)), false),
            schema::Tag::Untagged => (Tag::Untagged { by: None }, false),
        };
        let (mut tag, last) = (tag, choice.variants.len().wrapping_sub(1));
        let arms = choice.variants.iter().enumerate().map(|(i, variant)| {
            let tags = Patterns::new(&variant.tag);
            let keeps_tag = in_front && matches!(tags.one(0), Ok(None));
            let record = self.fields(&variant.fields, parameters.clone(), None, (keeps_tag, open), depth);
            let mut tests = Vec::new();
            if let Tag::Untagged { by } = &mut tag
                && i != last
                && let Err(rule) = tried::tests(variant, &parameters, &mut tests)
            {
                by.get_or_insert_with(|| rule.into());
            }
            Arm { name: variant.name.clone(), rest: tags.is_rest(), tags, record, tests: tests.into() }
        });
        let arms: Vec<Arm> = arms.collect();
        let places = Places::of(&arms).map(Box::new);
        let order = choice.order.as_ref().map(|own| order(own, slots));
        let magic = choice.magic.as_ref().map(magic);
        Choice { name: choice.name.as_str().into(), order, magic, tag, arms, places }
    }
}

fn magic(value: &schema::Magic) -> Magic {
    match value {
        schema::Magic::Bytes(bytes) => Magic::bytes(bytes),
        schema::Magic::Number { value, bytes } => Magic::number(value, *bytes),
    }
}

/// Says of bits where they are in their run, of which its bytes and the bits of earlier fields are `open`; whether it is some.
fn place_bits(node: &mut Node, open: &mut (u8, u8)) -> bool {
    match &mut node.kind {
        Kind::Ordered { body, .. } => place_bits(body, open),
        Kind::Bits { place, .. } => {
            if place.bytes > 0 {
                *open = (place.bytes, 0);
            }
            (place.bytes, place.before) = *open;
            open.1 = open.1.saturating_add(place.width);
            true
        }
        _ => false,
    }
}

/// A number as it is, or an integer that the next wider number holds.
fn number(ty: &Type) -> Kind {
    if let Some(kind) = ty.number_type() {
        return Kind::Number(kind);
    }
    let integer = ty.integer().and_then(|integer| integer.value_type().map(|kind| (integer, kind)));
    integer.map_or(Kind::Unreachable, |(integer, kind)| Kind::Integer(Box::new(integer), kind))
}

/// The leading bytes that fields always have are one run, up to the first field that may have more of them.
fn runs(fields: &mut [Field]) {
    for run in fields.split_inclusive_mut(|field| field.part.exact().is_none()) {
        let bytes = run.iter().fold(0, |n: usize, field| n.saturating_add(field.part.head));
        run.iter_mut().take(1).for_each(|field| field.run = bytes);
    }
}

/// The slots of what a type is passed.
fn parameters(rules: &[String]) -> Slots<'_> {
    call::parameters(rules).into_iter().enumerate().map(|(i, (name, _))| (name, argument(i))).collect()
}

/// A type that is passed something names that, and else what the type around it does.
fn either<'s, 'd>(parameters: &'s Slots<'d>, slots: &'s Slots<'d>) -> &'s Slots<'d> {
    if parameters.is_empty() { slots } else { parameters }
}

/// A type with the arguments that a field passes to it.
fn passing(body: Node, arguments: Box<[Expression]>) -> Node {
    match arguments.is_empty() {
        true => body,
        false => Node {
            sizes: body.sizes,
            depth: body.depth,
            kind: Kind::Passing { arguments, body: Box::new(body) },
        },
    }
}

fn slot(slots: &Slots<'_>, name: &str) -> Option<usize> {
    expr::named(name, |name| slots.get(name).copied())
}

pub(super) fn expression(text: &str, slots: &Slots<'_>) -> Expression {
    Expression::new(text, &|name| slot(slots, name))
}

fn otherwise_of(text: &str, slots: &Slots<'_>) -> Otherwise {
    Otherwise::new(text, &|name| slots.get(name).copied())
}

fn length(len: &Extent, slots: &Slots<'_>) -> Length {
    match len {
        Extent::Fixed(n) => Length::Fixed(*n),
        Extent::Prefixed { len, max, inclusive } => {
            let (word, max) = (Word::of(len), max.unwrap_or(u64::MAX));
            Length::Prefixed { word, len: Box::new(len.clone()), max, inclusive: *inclusive }
        }
        Extent::Expr(text) => Length::Expr(Box::new(expression(text, slots))),
        Extent::Each(text) => Length::Each(Box::new(expression(text, slots))),
        Extent::Until(text) => Length::Until(Box::new(Predicate::new(text))),
        Extent::Terminated => Length::Terminated,
        Extent::Ends(end) => Length::Ends(*end),
        Extent::ToEnd => Length::ToEnd,
        Extent::Gaps => Length::Gaps,
    }
}

fn order(order: &ByteOrder, slots: &Slots<'_>) -> FixedOrder {
    match order {
        ByteOrder::Little => FixedOrder::Little,
        ByteOrder::Big => FixedOrder::Big,
        ByteOrder::Expr(text) => FixedOrder::Expr(Box::new(expression(text, slots))),
    }
}

/// The range that a value is held to; other rules are left to the types that say them.
fn range(text: &str, slots: &Slots<'_>) -> Option<Rule> {
    Rule::new(text, &|name| slot(slots, name))
}

/// The dimensions that a rule of a field fixes: `dimensions = [0, 2]`.
fn dimensions(field: &schema::Field) -> Option<Box<[u64]>> {
    let lists = field.rules.iter().filter_map(|text| text.strip_prefix("dimensions = [")?.strip_suffix(']'));
    lists.map(|list| list.split(',').map(|n| n.trim().parse().ok()).collect()).next()?
}

fn called(field: &schema::Field, silent: bool) -> Called {
    if !field.name.is_empty() {
        return Called::Name;
    }
    // what a struct calls bytes that stand beside a field, in the place of a type's name
    let words = [" (magic)", " (padding)", " (alignment)"];
    if words.iter().any(|word| field.native.ends_with(word)) {
        return Called::Owner(field.native.as_str().into());
    }
    Called::Word(match field.ty.unordered() {
        Type::Magic { .. } => "magic",
        Type::Alignment { .. } => "alignment",
        _ if silent => "padding",
        _ => "",
    })
}

/// Whether names are `0`, `1` and so on: those of a tuple.
pub(crate) fn are_numbers<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut found = 0usize;
    for name in names {
        // the first byte of most names is not a digit
        if !name.bytes().all(|b| b.is_ascii_digit()) || name.parse() != Ok(found) {
            return false;
        }
        found += 1;
    }
    found > 0
}
