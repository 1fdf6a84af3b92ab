//! Where the values of a row lie: made once for a layout.
//!
//! A row is a chain of *runs*. A run has a size that is known; after it, at its tail, stands what has none. So the
//! beginnings of the runs say where everything is, and in rows of one size a row has one run.
#![allow(clippy::arithmetic_side_effects, reason = "there is a run when one was added")]

use super::super::column::Column;
use super::chain::Chain;
use super::narrow::Width;
use crate::schema::expr::{Range, Rule};
use crate::schema::{Encoding, Integer};
use crate::value::program::{self, Code, Field, FixedOrder, Kind, Length, Record};
use crate::wire::{Endian, Unit};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Where a value begins: at an offset from the beginning of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) run: usize,
    pub(super) offset: usize,
}

/// Rows of a layout.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// One for each field that has a value.
    pub(super) nodes: Vec<Node>,
    pub(super) checks: Vec<Check>,
    pub(super) runs: Vec<Run>,
    /// The same, where each ends with the length of a text.
    pub(super) chain: Option<Chain>,
    /// The size of every row, if there is one.
    pub(super) size: Option<usize>,
    /// Whether the values of a row are all of its bytes, with any values.
    pub(super) dense: bool,
}

/// Bytes of a known number, and what follows.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) len: usize,
    pub(super) tail: Tail,
}

/// What follows a run.
#[derive(Clone, Debug)]
pub(super) enum Tail {
    /// The next run, or the end of the row.
    Nothing,
    /// That many items as the last bytes of the run say, each of that many bytes.
    Items(Prefix, usize),
    /// That many bytes without a value.
    Skipped(Prefix),
    /// That many rows of any size each.
    Rows(Prefix, Box<Body>),
    /// Bytes up to a NUL.
    Terminated,
    /// The runs before `resume`, but only where the last byte of the run is not a missing code.
    Maybe { present: u8, missing: (u8, u8), resume: usize },
}

impl Tail {
    pub(super) fn is_terminated(&self) -> bool {
        matches!(self, Tail::Terminated)
    }
}

/// A count before it, as the last bytes of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefix {
    pub(super) bytes: u8,
    pub(super) signed: bool,
    pub(super) inclusive: bool,
    pub(super) max: u64,
    pub(super) order: Option<Endian>,
}

/// Bytes that must be what they are.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) at: At,
    pub(super) order: Option<Endian>,
    /// As the two byte orders have them.
    pub(super) little: Vec<u8>,
    pub(super) big: Vec<u8>,
    /// Whether readers look at them.
    pub(super) strict: bool,
}

/// Where the values of a column are.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Number {
        at: At,
        order: Option<Endian>,
    },
    /// An integer of a width that no number has.
    Narrow {
        at: At,
        width: Width,
        order: Option<Endian>,
    },
    Bool {
        at: At,
        lax: bool,
    },
    FixedBytes {
        at: At,
    },
    FixedText {
        at: At,
        size: usize,
        nul: bool,
        encoding: Encoding,
    },
    /// At the tail of a run.
    Text {
        run: usize,
        nul: bool,
        terminated: bool,
        encoding: Encoding,
    },
    Bytes {
        run: usize,
        terminated: bool,
    },
    List {
        run: usize,
        item: Box<Body>,
    },
    Array {
        at: At,
        item: Box<Body>,
    },
    Nullable {
        at: At,
        missing: (u8, u8),
        blank: Blank,
        body: Box<Node>,
    },
    Record {
        nodes: Vec<Node>,
    },
    /// Numbers that a rule bounds.
    Ranged {
        ranges: Vec<Range>,
        body: Box<Node>,
    },
}

impl Node {
    /// Whether it is a text or bytes at the tail of a run.
    pub(super) fn is_tail(&self) -> bool {
        matches!(self, Node::Text { .. } | Node::Bytes { .. })
    }
}

/// What stands for the body of a missing value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Blank {
    /// Nothing.
    Absent,
    /// That many zeros.
    Zeros(usize),
    /// A length of 0, or items that are stepped over, at the tail of a run.
    Empty { run: usize },
}

/// The rows of a record, where a plan can have them in blocks.
pub(super) fn body(code: &Code, record: &Record, order: Option<Endian>) -> Option<Body> {
    let mut places = Places::new(code, order);
    let order = places.fixed(record.order.as_ref())?;
    let nodes = places.in_order(order, |places| places.fields(&record.fields))?;
    Some(places.finish(nodes))
}

struct Places<'c> {
    code: &'c Code,
    order: Option<Endian>,
    runs: Vec<Run>,
    /// Bytes of the run that is being made.
    len: usize,
    checks: Vec<Check>,
    dense: bool,
}

impl<'c> Places<'c> {
    fn new(code: &'c Code, order: Option<Endian>) -> Self {
        Places { code, order, runs: Vec::new(), len: 0, checks: Vec::new(), dense: true }
    }

    fn finish(mut self, nodes: Vec<Node>) -> Body {
        let size = (self.runs.is_empty()).then_some(self.len);
        self.close(Tail::Nothing);
        let Places { runs, checks, dense, .. } = self;
        Body { chain: Chain::of(&runs, &nodes, dense), nodes, checks, runs, size, dense }
    }

    fn here(&self) -> At {
        At { run: self.runs.len(), offset: self.len }
    }

    fn step(&mut self, n: usize) -> Option<At> {
        let at = self.here();
        self.len = self.len.checked_add(n).filter(|n| *n <= isize::MAX as usize)?;
        Some(at)
    }

    /// Ends the run; returns its number.
    fn close(&mut self, tail: Tail) -> usize {
        self.runs.push(Run { len: self.len, tail });
        self.len = 0;
        self.runs.len() - 1
    }

    /// The order of a container; `None` for one that only a value says.
    fn fixed(&self, order: Option<&FixedOrder>) -> Option<Option<Endian>> {
        match order {
            None => Some(self.order),
            Some(FixedOrder::Little) => Some(Some(Endian::Little)),
            Some(FixedOrder::Big) => Some(Some(Endian::Big)),
            Some(FixedOrder::Expr(_)) => None,
        }
    }

    fn in_order<R>(&mut self, order: Option<Endian>, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = core::mem::replace(&mut self.order, order);
        let result = f(self);
        self.order = before;
        result
    }

    fn fields(&mut self, fields: &'c [Field]) -> Option<Vec<Node>> {
        let start = self.here();
        let mut nodes = Vec::new();
        for field in fields {
            if field.silent {
                self.dense = false;
                self.silent(&field.node.kind, start)?;
            } else {
                let node = self.node(&field.node)?;
                nodes.push(ranged(node, field)?);
            }
        }
        Some(nodes)
    }

    fn silent(&mut self, kind: &Kind, start: At) -> Option<()> {
        match kind {
            Kind::Ordered { order, body } => {
                let order = self.fixed(Some(order))?;
                self.in_order(order, |places| places.silent(&body.kind, start))
            }
            Kind::Magic(magic) => {
                let (little, big) = (magic.of(true, 0).ok()?.to_vec(), magic.of(false, 0).ok()?.to_vec());
                let at = self.step(little.len())?;
                self.checks.push(Check { at, order: self.order, little, big, strict: true });
                Some(())
            }
            Kind::Padding { len: len @ Length::Prefixed { .. }, strict: false, .. } => {
                let prefix = self.prefix(len)?;
                self.close(Tail::Skipped(prefix));
                Some(())
            }
            Kind::Padding { len: Length::Fixed(n), fill, strict } => self.filling(*n, *fill, *strict),
            Kind::Alignment { to, fill, strict } if start.run == self.runs.len() => {
                let used = self.len.checked_sub(start.offset)? as u64;
                let gap = used.checked_next_multiple_of(*to)?.checked_sub(used)?;
                self.filling(gap, *fill, *strict)
            }
            _ => None,
        }
    }

    /// That many bytes without a value.
    fn filling(&mut self, n: u64, fill: u8, strict: bool) -> Option<()> {
        let n = usize::try_from(n).ok()?;
        let at = self.step(n)?;
        if strict || fill != 0 {
            // as much memory as there are bytes in a row
            let filling = alloc::vec![fill; if n <= 1 << 16 { n } else { return None }];
            self.checks.push(Check { at, order: None, little: filling.clone(), big: filling, strict });
        }
        Some(())
    }

    fn prefix(&mut self, len: &Length) -> Option<Prefix> {
        let Length::Prefixed { len, max, inclusive, .. } = len else { return None };
        let Integer::Fixed { bytes, signed } = **len else { return None };
        if !matches!(bytes, 1..=8) {
            return None;
        }
        self.step(usize::from(bytes))?;
        Some(Prefix { bytes, signed, inclusive: *inclusive, max: *max, order: self.order })
    }

    fn node(&mut self, node: &'c program::Node) -> Option<Node> {
        Some(match &node.kind {
            Kind::Number(number) => Node::Number { order: self.order, at: self.step(number.size())? },
            Kind::Integer(of, _) => {
                let Integer::Fixed { bytes, signed } = **of else { return None };
                let at = self.step(usize::from(bytes))?;
                Node::Narrow { at, width: Width { bytes, signed }, order: self.order }
            }
            Kind::Bool { lax } => Node::Bool { lax: *lax, at: self.step(1)? },
            Kind::Text { encoding, nul, len } => self.text(*encoding, *nul, len)?,
            Kind::Bytes { len: Length::Fixed(n) } => {
                Node::FixedBytes { at: self.step(usize::try_from(*n).ok()?)? }
            }
            Kind::Bytes { len: Length::Terminated } => {
                self.dense = false;
                Node::Bytes { run: self.close(Tail::Terminated), terminated: true }
            }
            Kind::Bytes { len } => {
                let prefix = self.prefix(len)?;
                Node::Bytes { run: self.close(Tail::Items(prefix, 1)), terminated: false }
            }
            Kind::Opaque { min, max, .. } if *max == Some(*min) => {
                Node::FixedBytes { at: self.step(usize::try_from(*min).ok()?)? }
            }
            Kind::List { item, len } => self.list(item, len)?,
            Kind::Nullable { present, missing, blank, body } => {
                self.nullable(*present, *missing, *blank, body)?
            }
            Kind::Ordered { order, body } => {
                let order = self.fixed(Some(order))?;
                self.in_order(order, |places| places.node(body))?
            }
            Kind::Padded { size, fill, strict, body } => {
                self.dense = false;
                let (start, runs) = (self.len, self.runs.len());
                let node = self.node(body)?;
                let used = self.len.checked_sub(start).filter(|_| runs == self.runs.len())?;
                self.filling(size.checked_sub(used as u64)?, *fill, *strict)?;
                node
            }
            Kind::Record(record) => {
                let order = self.fixed(record.order.as_ref())?;
                Node::Record { nodes: self.in_order(order, |places| places.fields(&record.fields))? }
            }
            Kind::Named(_) => {
                let code = self.code;
                self.node(code.resolve(node))?
            }
            _ => return None,
        })
    }

    fn text(&mut self, encoding: Encoding, nul: bool, len: &Length) -> Option<Node> {
        if encoding.unit() != Unit::BYTE {
            return None;
        }
        self.dense &= !nul && matches!(len, Length::Prefixed { .. });
        Some(match len {
            Length::Fixed(n) => {
                let size = usize::try_from(*n).ok()?;
                Node::FixedText { at: self.step(size)?, size, nul, encoding }
            }
            Length::Terminated => {
                Node::Text { run: self.close(Tail::Terminated), nul: true, terminated: true, encoding }
            }
            len => {
                let prefix = self.prefix(len)?;
                Node::Text { run: self.close(Tail::Items(prefix, 1)), nul, terminated: false, encoding }
            }
        })
    }

    /// The items as rows of one value each.
    fn items(&self, item: &'c program::Node) -> Option<Body> {
        let mut places = Places::new(self.code, self.order);
        let node = places.node(item)?;
        let body = places.finish(alloc::vec![node]);
        // nothing bounds the number of items without bytes
        (body.size != Some(0)).then_some(body)
    }

    fn list(&mut self, item: &'c program::Node, len: &Length) -> Option<Node> {
        let item = Box::new(self.items(item)?);
        self.dense &= item.dense;
        if let Length::Fixed(n) = len {
            let all = item.size?.checked_mul(usize::try_from(*n).ok()?)?;
            return Some(Node::Array { at: self.step(all)?, item });
        }
        let prefix = self.prefix(len)?;
        let tail = match item.size {
            Some(size) => Tail::Items(prefix, size),
            None => Tail::Rows(prefix, item.clone()),
        };
        Some(Node::List { run: self.close(tail), item })
    }

    fn nullable(
        &mut self,
        present: u8,
        missing: (u8, u8),
        blank: bool,
        body: &'c program::Node,
    ) -> Option<Node> {
        let at = self.step(1)?;
        self.dense = false;
        if !blank {
            let before = self.close(Tail::Nothing);
            let body = Box::new(self.node(body)?);
            self.close(Tail::Nothing);
            let resume = self.runs.len();
            self.runs.get_mut(before)?.tail = Tail::Maybe { present, missing, resume };
            return Some(Node::Nullable { at, missing, blank: Blank::Absent, body });
        }
        let (checks, run, offset) = (self.checks.len(), self.runs.len(), self.len);
        let body = Box::new(self.node(body)?);
        // what is checked is there only with the value
        if checks != self.checks.len() {
            return None;
        }
        let blank = match (self.runs.len().checked_sub(run)?, self.runs.last().map(|run| &run.tail)) {
            (0, _) => Blank::Zeros(self.len.checked_sub(offset)?),
            (1, Some(Tail::Items(..) | Tail::Terminated)) if self.len == 0 => Blank::Empty { run },
            _ => return None,
        };
        Some(Node::Nullable { at, missing, blank, body })
    }
}

/// A field with its rules; `None` if an earlier field says what they allow.
fn ranged(node: Node, field: &Field) -> Option<Node> {
    let is_number = match &node {
        Node::Nullable { body, .. } => matches!(**body, Node::Number { .. } | Node::Narrow { .. }),
        node => matches!(node, Node::Number { .. } | Node::Narrow { .. }),
    };
    if !is_number || field.rules.is_empty() {
        return Some(node);
    }
    let ranges: Vec<Range> = field.rules.iter().map(Rule::constant).collect::<Option<_>>()?;
    Some(Node::Ranged { ranges, body: Box::new(node) })
}

/// The fixed size of a row of a record, whether or not it can be had in blocks.
pub(super) fn row_size(body: Option<&Body>, record: &Record) -> Option<usize> {
    match body {
        Some(body) => body.size,
        None => {
            record.fields.iter().try_fold(0usize, |all, field| all.checked_add(field.node.sizes.exact()?))
        }
    }
}

/// Whether a column and its place belong together; they are made of the same type.
pub(super) fn fits(node: &Node, column: &Column) -> bool {
    match (node, column) {
        (Node::Ranged { body, .. }, column) => fits(body, column),
        (Node::Record { nodes }, Column::Record { fields, .. }) => {
            nodes.len() == fields.len()
                && nodes.iter().zip(fields).all(|(node, (_, column))| fits(node, column))
        }
        (Node::Nullable { body, .. }, Column::Nullable(v)) => fits(body, v.values()),
        (Node::Array { item, .. }, Column::Array { items, .. }) => {
            item.nodes.first().is_some_and(|node| fits(node, items))
        }
        (Node::List { item, .. }, Column::List(v)) => {
            item.nodes.first().is_some_and(|node| fits(node, v.items()))
        }
        (Node::Record { .. } | Node::Nullable { .. } | Node::Array { .. } | Node::List { .. }, _) => false,
        (_, Column::Record { .. } | Column::Nullable(_) | Column::Array { .. } | Column::List(_)) => false,
        _ => true,
    }
}
