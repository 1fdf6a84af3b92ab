//! Lists of JSON as values.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text and rows that are in memory")]

use super::{Cells, Item, Scalars};
use crate::columns::{Column, ListColumn};
use crate::wire::amount::{inside, known};

/// How deep lists are that become columns.
const DEEPEST: u8 = 16;

/// What is in a list, one after the other. The text is known to be JSON.
enum Token<'a> {
    Open,
    Close,
    /// A number or a bool.
    Plain(&'a [u8]),
    /// A text, with its quotes.
    Text(&'a [u8]),
    /// `null`, or an object.
    Other,
}

/// The tokens of a list, without blanks and commas.
struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b',';
        self.rest = inside(self.rest, self.rest.iter().take_while(is_between).count()..);
        let (len, token): (usize, fn(&'a [u8]) -> Token<'a>) = match self.rest.first()? {
            b'[' => (1, |_| Token::Open),
            b']' => (1, |_| Token::Close),
            b'"' => (text_len(self.rest), Token::Text),
            b'{' => (self.rest.len(), |_| Token::Other),
            _ => {
                let is_word = |byte: &&u8| !matches!(byte, b',' | b']') && !byte.is_ascii_whitespace();
                (self.rest.iter().take_while(is_word).count(), |word| match word {
                    b"null" => Token::Other,
                    word => Token::Plain(word),
                })
            }
        };
        let (found, rest) = self.rest.split_at(len.min(self.rest.len()));
        self.rest = rest;
        Some(token(found))
    }
}

/// The bytes of the text in quotes at the front.
fn text_len(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = rest.iter().skip(1).position(|byte| match (is_escaped, byte) {
        (false, b'"') => true,
        (escaped, byte) => {
            is_escaped = !escaped && *byte == b'\\';
            false
        }
    });
    end.map_or(rest.len(), |end| end + 2)
}

/// A text without its quotes and escapes.
fn text(quoted: &[u8]) -> Option<String> {
    serde_json::from_slice(quoted).ok()
}

/// What the lists of a column were so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeenLists {
    /// How deep the items are, if there was one.
    depth: Option<u8>,
    /// How deep there was a list.
    least: u8,
    items: Scalars,
    /// Something else than lists of one depth.
    is_odd: bool,
}

impl SeenLists {
    pub(super) fn any(self) -> bool {
        self.least > 0 || self.is_odd
    }

    /// Adds a list, or an object.
    pub(super) fn add(&mut self, nested: &[u8]) {
        let mut depth = 0u8;
        for token in (Tokens { rest: nested }) {
            match token {
                Token::Open => {
                    depth = depth.saturating_add(1);
                    self.least = self.least.max(depth);
                    self.is_odd |= depth > DEEPEST;
                }
                Token::Close => depth = depth.saturating_sub(1),
                Token::Other => self.is_odd = true,
                Token::Plain(word) => self.item(depth, |items| items.add(word)),
                Token::Text(quoted) => match text(quoted).as_deref() {
                    Some(word @ ("nan" | "inf" | "-inf")) => {
                        self.item(depth, |items| items.add(word.as_bytes()));
                    }
                    _ => self.item(depth, Scalars::add_text),
                },
            }
        }
    }

    fn item(&mut self, depth: u8, add: impl FnOnce(&mut Scalars)) {
        self.is_odd |= *self.depth.get_or_insert(depth) != depth;
        add(&mut self.items);
    }

    /// The items and how deep they are, if all lists are of one kind.
    pub(super) fn kind(self) -> Option<(Item, u8)> {
        let depth = self.depth.unwrap_or(self.least);
        let is_one = !self.is_odd && depth == self.least && depth > 0;
        let item = self.items.item();
        item.filter(|_| is_one).map(|item| (item, depth))
    }
}

/// Lists that grow row by row.
#[derive(Debug)]
pub(super) struct Lists {
    /// Where the lists of each depth end, the outermost first.
    offsets: Vec<Vec<usize>>,
    items: Box<Cells>,
}

impl Lists {
    pub(super) fn new(item: Item, depth: u8) -> Self {
        Lists { offsets: vec![vec![0]; usize::from(depth)], items: Box::new(Cells::new(item.cell_type())) }
    }

    /// Adds a list; whether it is one of these.
    pub(super) fn push(&mut self, nested: Option<&[u8]>) -> bool {
        let is_one = nested.is_none_or(|nested| self.items_of(nested));
        self.end(0);
        is_one
    }

    fn items_of(&mut self, nested: &[u8]) -> bool {
        let deepest = self.offsets.len();
        let mut depth = 0;
        for token in (Tokens { rest: nested }) {
            let is_one = match token {
                Token::Open if depth < deepest => {
                    depth += 1;
                    true
                }
                Token::Close => {
                    depth = depth.saturating_sub(1);
                    if depth > 0 {
                        self.end(depth);
                    }
                    true
                }
                Token::Plain(word) if depth == deepest => self.items.push(Some(word)),
                Token::Text(quoted) if depth == deepest => {
                    text(quoted).is_some_and(|text| self.items.push(Some(text.as_bytes())))
                }
                _ => false,
            };
            if !is_one {
                return false;
            }
        }
        true
    }

    /// Ends a list of this depth.
    fn end(&mut self, depth: usize) {
        let inner = self.offsets.get(depth + 1).map_or(self.items.len(), |inner| inner.len() - 1);
        if let Some(offsets) = self.offsets.get_mut(depth) {
            offsets.push(inner);
        }
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        let mut rows = rows;
        for offsets in &mut self.offsets {
            offsets.truncate(rows + 1);
            rows = known(offsets.last().copied());
        }
        self.items.truncate(rows);
    }

    pub(super) fn into_column(self) -> Option<Column> {
        let items = self.items.into_values()?;
        self.offsets.into_iter().rev().try_fold(items, |items, offsets| {
            ListColumn::from_parts(offsets, items).map(|lists| Column::List(Box::new(lists)))
        })
    }
}
