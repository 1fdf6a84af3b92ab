//! What a header is written in: literals of Python.

use crate::error::{Error, Result};
use crate::wire::amount::between;

/// A literal of Python, as far as headers have them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Int(u64),
    Bool(bool),
    /// A tuple or a list.
    Items(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
}

impl Literal {
    /// The literal of a whole text.
    pub(super) fn parse(text: &str) -> Result<Literal> {
        let mut parser = Parser { text, rest: text };
        let literal = parser.literal(DEPTH)?;
        parser.blank();
        match parser.rest.is_empty() {
            true => Ok(literal),
            false => Err(parser.expected("the end")),
        }
    }

    /// The value under a key.
    pub(super) fn get(&self, key: &str) -> Option<&Literal> {
        let Literal::Dict(pairs) = self else { return None };
        pairs.iter().find(|(known, _)| matches!(known, Literal::Text(known) if known == key)).map(|(_, v)| v)
    }

    /// The numbers of a tuple of lengths.
    pub(super) fn lengths(&self) -> Option<Vec<u64>> {
        match self {
            Literal::Int(n) => Some(vec![*n]),
            Literal::Items(items) => items
                .iter()
                .map(|item| match item {
                    Literal::Int(n) => Some(*n),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }
}

/// Dicts and tuples that may be inside each other.
const DEPTH: usize = 16;

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Parser<'_> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn at(&self) -> usize {
        between(self.rest.len() as u64, self.text.len() as u64) as usize
    }

    fn expected(&self, what: &str) -> Error {
        let found: String = self.rest.chars().take(20).collect();
        Error::other(format!("header, character {}: expected {what}, found {found:?}", self.at()))
    }

    /// Takes a word or sign that comes next.
    fn take(&mut self, word: &str) -> bool {
        self.blank();
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// A literal with that many levels in it at most.
    fn literal(&mut self, depth: usize) -> Result<Literal> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.expected("less nesting"));
        };
        if self.take("True") {
            return Ok(Literal::Bool(true));
        }
        if self.take("False") {
            return Ok(Literal::Bool(false));
        }
        if self.take("{") {
            return self.dict(depth);
        }
        if self.take("(") {
            return self.items(depth, ")");
        }
        if self.take("[") {
            return self.items(depth, "]");
        }
        match self.rest.chars().next() {
            Some(quote @ ('\'' | '"')) => self.text(quote),
            Some('0'..='9') => self.int(),
            _ => Err(self.expected("a literal")),
        }
    }

    fn items(&mut self, depth: usize, end: &str) -> Result<Literal> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.literal(depth)?);
            if !self.take(",") {
                match self.take(end) {
                    true => break,
                    false => return Err(self.expected("a comma")),
                }
            }
        }
        Ok(Literal::Items(items))
    }

    fn dict(&mut self, depth: usize) -> Result<Literal> {
        let mut pairs = Vec::new();
        while !self.take("}") {
            let key = self.literal(depth)?;
            if !self.take(":") {
                return Err(self.expected("a colon"));
            }
            pairs.push((key, self.literal(depth)?));
            if !self.take(",") {
                match self.take("}") {
                    true => break,
                    false => return Err(self.expected("a comma")),
                }
            }
        }
        Ok(Literal::Dict(pairs))
    }

    fn text(&mut self, quote: char) -> Result<Literal> {
        let mut text = String::new();
        let mut chars = self.rest.chars();
        chars.next();
        while let Some(c) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = chars.as_str();
                    return Ok(Literal::Text(text));
                }
                '\\' => {
                    // names with other escapes are left as they are written
                    let next = chars.next().unwrap_or('\\');
                    if !matches!(next, '\\' | '\'' | '"') {
                        text.push('\\');
                    }
                    text.push(next);
                }
                c => text.push(c),
            }
        }
        Err(self.expected("a closing quote"))
    }

    fn int(&mut self) -> Result<Literal> {
        let after = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = self.rest.strip_suffix(after);
        let n = digits.and_then(|digits| digits.parse().ok());
        let n = n.ok_or_else(|| self.expected("a number of 64 bits"))?;
        self.rest = after;
        // what Python 2 wrote
        self.take("L");
        Ok(Literal::Int(n))
    }
}

#[cfg(test)]
mod tests {
    use super::Literal::{self, *};

    #[test]
    fn literals_of_headers() {
        let text = "{'descr': [('a', '<f8'), (\"b'\", '|S3', (2, 3L))], 'fortran_order': False, 'shape': (5,), }  \n";
        let header = Literal::parse(text).unwrap();
        assert_eq!(header.get("fortran_order"), Some(&Bool(false)));
        assert_eq!(header.get("shape").unwrap().lengths(), Some(vec![5]));
        let Some(Items(fields)) = header.get("descr") else { panic!("a list") };
        assert_eq!(
            fields[1],
            Items(vec![Text("b'".into()), Text("|S3".into()), Items(vec![Int(2), Int(3)])])
        );
        assert_eq!(Literal::parse("()").unwrap(), Items(vec![]));
    }

    #[test]
    fn what_is_not_a_literal_is_refused_with_its_place() {
        for (text, expected) in [
            ("{'a' 1}", "header, character 5: expected a colon, found \"1}\""),
            ("'a", "header, character 0: expected a closing quote, found \"'a\""),
            ("(1 2)", "header, character 3: expected a comma, found \"2)\""),
            ("1 x", "header, character 2: expected the end, found \"x\""),
            (
                "99999999999999999999",
                "header, character 0: expected a number of 64 bits, found \"99999999999999999999\"",
            ),
        ] {
            assert_eq!(Literal::parse(text).unwrap_err().to_string(), expected);
        }
        assert!(Literal::parse(&"(".repeat(10_000)).unwrap_err().to_string().contains("less nesting"));
    }
}
