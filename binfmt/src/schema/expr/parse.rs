//! From the text of an expression to its tree.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text, and depths that are limited")]

use super::{Expr, IntType, Like, Method, Op, Why, shortened, words};
use crate::wire::Endian;
use crate::wire::amount::times;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How deep an expression may be nested, and how many operators may stand in a row.
const DEEPEST: usize = 64;
/// How many expressions all copies have of what is compared with a list.
const MOST_COPIED: usize = 1 << 16;

/// The level of comparisons among the operators.
const COMPARISON: u32 = 3;

/// Tokens at most: enough for the tags of a variant that has every other `u16`.
const MOST_TOKENS: usize = 1 << 17;

/// A token. Names hold their whole path, `Endian::Big`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    Name(String),
    /// A name in backquotes, which is not a word.
    Quoted(String),
    Mark(&'static str),
}

/// The longer ones first.
const MARKS: &[&str] = &[
    "..=", "..", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "(", ")", "{", "}", "+", "-", "*",
    "/", "%", "!", "&", "|", "^", ".", ",",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Why> {
    tokens_of(text, false)
}

/// The tokens of a text, which may be in words.
fn tokens_of(text: &str, in_words: bool) -> Result<Vec<Token>, Why> {
    let mut list = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let special = if in_words { word(rest)? } else { None };
        let (token, len) = match special {
            Some(found) => found,
            None => plain(rest, c, list.last() == Some(&Token::Mark(".")))?,
        };
        if list.len() >= MOST_TOKENS {
            return Err("this is too long".into());
        }
        list.push(token);
        rest = rest[len..].trim_start();
    }
    Ok(list)
}

/// What begins with this letter; after a point it is the number of a field: `a.0.1`.
fn plain(rest: &str, first: char, after_point: bool) -> Result<(Token, usize), Why> {
    match first {
        '0'..='9' if after_point => int(rest),
        '0'..='9' => float(rest).map_or_else(|| int(rest), Ok),
        'b' if rest.starts_with("b\"") => bytes(&rest[2..], '"', (2, false)),
        'b' if rest.starts_with("b'") => match bytes(&rest[2..], '\'', (2, false))? {
            (Token::Bytes(b), len) if b.len() == 1 => Ok((Token::Int(b[0].into()), len)),
            _ => Err("this is not a byte".into()),
        },
        '"' => bytes(&rest[1..], '"', (1, false)),
        '`' => quoted(rest),
        _ if first.is_alphabetic() || first == '_' => Ok(name(rest)),
        _ => {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| Why::from(format!("`{first}` is not understood")))?;
            Ok((Token::Mark(mark), mark.len()))
        }
    }
}

/// A name in backquotes.
fn quoted(text: &str) -> Result<(Token, usize), Why> {
    match text[1..].find('`') {
        Some(end) => Ok((Token::Quoted(text[1..=end].into()), end + 2)),
        None => Err("a backquote is not closed".into()),
    }
}

/// What only a text in words has.
fn word(text: &str) -> Result<Option<(Token, usize)>, Why> {
    let mark = |mark: &'static str, len: usize| Ok(Some((Token::Mark(mark), len)));
    match text.as_bytes() {
        [b'\'', ..] => bytes(&text[1..], '\'', (1, true)).map(Some),
        [b'"', ..] => bytes(&text[1..], '"', (1, true)).map(Some),
        [b'`', ..] => quoted(text).map(Some),
        [b'=', b'=', ..] => Ok(None),
        [b'=', ..] => mark("==", 1),
        [b'<', b'>', ..] => mark("!=", 2),
        [b'~', ..] => {
            Err("`~` is not understood: say `not`, or `name like 'ab%'` for texts that begin so".into())
        }
        [b'[', ..] => Err("`[` is not understood: a list is in parentheses, `x in (1, 2)`".into()),
        _ => {
            let len = text.find(|c| !is_word(c)).unwrap_or(text.len());
            let marks = [("and", "&&"), ("or", "||"), ("not", "not"), ("is", "is")];
            let found = marks.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text[..len]));
            Ok(found.map(|(_, mark)| (Token::Mark(mark), len)))
        }
    }
}

/// A number with a fraction or an exponent: `1.5`, `2e-3`.
fn float(text: &str) -> Option<(Token, usize)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let mut len = digits(text);
    let whole = len;
    if text[len..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        len += 1 + digits(&text[len + 1..]);
    }
    if let Some(rest) = text[len..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['+', '-']));
        let exponent = digits(&rest[sign..]);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    let number = text[..len].replace('_', "").parse().ok().filter(|_| len > whole)?;
    let suffix =
        ["f32", "f64"].iter().find(|suffix| text[len..].starts_with(**suffix)).map_or(0, |s| s.len());
    len += suffix;
    (!text[len..].starts_with(is_word)).then_some((Token::Float(number), len))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn int(text: &str) -> Result<(Token, usize), Why> {
    let len = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let word: String = text.chars().take_while(|c| is_word(*c)).filter(|c| *c != '_').collect();
    let (radix, digits) = match word.get(..2) {
        Some("0x") => (16, &word[2..]),
        Some("0b") => (2, &word[2..]),
        Some("0o") => (8, &word[2..]),
        _ => (10, word.as_str()),
    };
    let digits = match digits.find(['u', 'i']) {
        Some(at) if int_type(&digits[at..]).is_some() => &digits[..at],
        _ => digits,
    };
    match u128::from_str_radix(digits, radix).ok().and_then(|n| i128::try_from(n).ok()) {
        Some(n) => Ok((Token::Int(n), len)),
        None => Err(format!("`{}` is not an integer", shortened(&word)).into()),
    }
}

/// Bytes up to the quote that ends them; `skipped` were read before. In words a pattern has escapes of its own.
fn bytes(text: &str, end: char, (skipped, in_words): (usize, bool)) -> Result<(Token, usize), Why> {
    let mut out = Vec::new();
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            _ if c == end => {
                return Ok((Token::Bytes(out), i + skipped + c.len_utf8()));
            }
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('n') => out.push(b'\n'),
                Some('r') => out.push(b'\r'),
                Some('t') => out.push(b'\t'),
                Some('0') => out.push(0),
                Some('x') => {
                    let mut digit = || chars.next().and_then(|(_, c)| c.to_digit(16));
                    let byte = digit()
                        .zip(digit())
                        .and_then(|(a, b)| u8::try_from(a.checked_mul(16)?.checked_add(b)?).ok());
                    out.push(byte.ok_or("`\\x` wants two hexadecimal digits")?);
                }
                Some(c @ ('\\' | '\'' | '"')) => out.extend(c.to_string().bytes()),
                Some(c @ ('%' | '_')) if in_words => out.extend(format!("\\{c}").bytes()),
                _ => return Err("an escape that is not understood".into()),
            },
            c => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Err("a quote is not closed".into())
}

/// A name or a path of names.
fn name(text: &str) -> (Token, usize) {
    let mut len = 0usize;
    loop {
        len += text[len..].find(|c| !is_word(c)).unwrap_or(text.len() - len);
        let rest = &text[len..];
        if rest.starts_with('#') && &text[..len] == "r" {
            len += 1;
        } else if rest.starts_with("::") && rest[2..].starts_with(is_word) {
            len += 2;
        } else {
            break;
        }
    }
    let name = &text[..len];
    (Token::Name(name.strip_prefix("r#").unwrap_or(name).into()), len)
}

fn int_type(name: &str) -> Option<IntType> {
    let bits = match name.get(1..)? {
        "8" => 8,
        "16" => 16,
        "32" => 32,
        "64" | "size" => 64,
        "128" => 128,
        _ => return None,
    };
    match name.get(..1)? {
        "u" => Some(IntType { bits, signed: false }),
        "i" => Some(IntType { bits, signed: true }),
        _ => None,
    }
}

/// A reader of tokens.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Whether the text is in words, which are not all of Rust.
    in_words: bool,
}

/// The expression that is all of `text`.
pub(super) fn expression(text: &str) -> Result<Expr, Why> {
    Parser::new(text)?.whole()
}

/// Whether the text of an expression ends where an operand must come.
pub(super) fn is_cut(text: &str) -> bool {
    let Ok(mut parser) = Parser::new(text) else { return false };
    // `1.` is a number
    if text.trim_end().strip_suffix('.').is_some_and(|front| front.ends_with(|c: char| c.is_ascii_digit())) {
        return false;
    }
    // after all tokens there was one more to be read
    let all = parser.tokens.len();
    parser.expr(0).is_err() && parser.at > all
}

/// The same of a text in words.
pub(super) fn in_words(text: &str) -> Result<Expr, Why> {
    Parser { tokens: tokens_of(text, true)?, at: 0, depth: 0, in_words: true }.whole()
}

impl Parser {
    pub(super) fn new(text: &str) -> Result<Self, Why> {
        Ok(Parser { tokens: tokens(text)?, at: 0, depth: 0, in_words: false })
    }

    fn whole(mut self) -> Result<Expr, Why> {
        let expr = self.expr(0)?;
        self.end()?;
        Ok(expr)
    }

    pub(super) fn end(&self) -> Result<(), Why> {
        match self.tokens.get(self.at) {
            None => Ok(()),
            Some(Token::Name(word)) if self.in_words => Err(words::unknown(word)),
            Some(_) => Err("this is more than is understood".into()),
        }
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(super) fn at_number(&self) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Int(_) | Token::Mark("-")))
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Mark(m)) if *m == mark);
        self.at += usize::from(found);
        found
    }

    fn require(&mut self, mark: &str) -> Result<(), Why> {
        if self.take(mark) { Ok(()) } else { Err(format!("`{mark}` is missing").into()) }
    }

    /// An operator that binds at least as tightly as `level`, with its own level.
    fn operator(&self, level: u32) -> Option<(Op, u32)> {
        let Some(Token::Mark(mark)) = self.tokens.get(self.at) else { return None };
        let found = match *mark {
            "||" => (Op::Or, 1),
            "&&" => (Op::And, 2),
            "==" => (Op::Eq, 3),
            "!=" => (Op::Ne, 3),
            "<" => (Op::Lt, 3),
            "<=" => (Op::Le, 3),
            ">" => (Op::Gt, 3),
            ">=" => (Op::Ge, 3),
            "|" => (Op::BitOr, 4),
            "^" => (Op::BitXor, 5),
            "&" => (Op::BitAnd, 6),
            "<<" => (Op::Shl, 7),
            ">>" => (Op::Shr, 7),
            "+" => (Op::Add, 8),
            "-" => (Op::Sub, 8),
            "*" => (Op::Mul, 9),
            "/" => (Op::Div, 9),
            "%" => (Op::Rem, 9),
            _ => return None,
        };
        (found.1 >= level).then_some(found)
    }

    fn expr(&mut self, level: u32) -> Result<Expr, Why> {
        self.enter()?;
        let mut left = match self.take("not") {
            // of a comparison as it stands
            true => Expr::Not(Box::new(self.expr(COMPARISON)?)),
            false => self.unary()?,
        };
        if self.take("is") {
            left = self.missing(left)?;
        }
        if self.in_words && level <= COMPARISON {
            left = self.tested(left)?;
        }
        let mut row = 0usize;
        while let Some((op, own)) = self.operator(level) {
            // the tree grows to the left, and a walk through it goes as deep
            row += 1;
            if row > DEEPEST {
                return Err("this is too long".into());
            }
            self.at += 1;
            let right = self.expr(own + 1)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
            if self.in_words && own > COMPARISON && level <= COMPARISON {
                left = self.tested(left)?;
            }
        }
        self.leave();
        Ok(left)
    }

    /// What comes before `in`, `between` or `like`, with that; or the same, if none of them comes.
    fn tested(&mut self, mut of: Expr) -> Result<Expr, Why> {
        let not = self.tokens.get(self.at) == Some(&Token::Mark("not"));
        let Some(Token::Name(word)) = self.tokens.get(self.at + usize::from(not)) else { return Ok(of) };
        let word = word.to_ascii_lowercase();
        if !["in", "between", "like", "ilike"].contains(&&*word) {
            return Ok(of);
        }
        self.at += 1 + usize::from(not);
        let test = match &*word {
            "in" => self.one_of(&mut of)?,
            "between" => self.between(of)?,
            _ => match self.next() {
                Some(Token::Bytes(pattern)) => {
                    Expr::Like(Box::new(of), Box::new(Like::new(&pattern, &*word == "ilike")))
                }
                _ => {
                    return Err(
                        format!("a text in quotes is expected after `{word}`, such as `'ab%'`").into()
                    );
                }
            },
        };
        Ok(if not { Expr::Not(Box::new(test)) } else { test })
    }

    /// After `in`.
    fn one_of(&mut self, of: &mut Expr) -> Result<Expr, Why> {
        if !self.take("(") {
            return Err("a list in parentheses is expected after `in`, such as `(1, 2)`".into());
        }
        let (mut tests, nodes) = (Vec::new(), of.nodes());
        loop {
            // each test has a copy of what is compared, in which there may be lists again
            if times(nodes, tests.len()) > MOST_COPIED {
                return Err("this is too long".into());
            }
            // what is compared has an operator of its own
            let value = self.expr(COMPARISON + 1)?;
            tests.push(Expr::Binary(Op::Eq, Box::new(of.clone()), Box::new(value)));
            if !self.take(",") {
                break;
            }
        }
        self.require(")")?;
        Ok(words::any(tests))
    }

    /// After `between`.
    fn between(&mut self, mut of: Expr) -> Result<Expr, Why> {
        if times(of.nodes(), 2) > MOST_COPIED {
            return Err("this is too long".into());
        }
        let low = self.expr(COMPARISON + 1)?;
        if !self.take("&&") {
            return Err("`and` is expected after `between` and a value, such as `between 1 and 5`".into());
        }
        let high = self.expr(COMPARISON + 1)?;
        let from = Expr::Binary(Op::Ge, Box::new(of.clone()), Box::new(low));
        let to = Expr::Binary(Op::Le, Box::new(of), Box::new(high));
        Ok(Expr::Binary(Op::And, Box::new(from), Box::new(to)))
    }

    /// After `is`.
    fn missing(&mut self, of: Expr) -> Result<Expr, Why> {
        let not = self.take("not");
        match self.next() {
            Some(Token::Name(name))
                if name.eq_ignore_ascii_case("missing") || name.eq_ignore_ascii_case("null") =>
            {
                Ok(of.missing(not))
            }
            _ => Err("`missing` is expected after `is`, or `not missing`".into()),
        }
    }

    /// Goes one level deeper: what calls itself ends.
    pub(super) fn enter(&mut self) -> Result<(), Why> {
        self.depth += 1;
        if self.depth > DEEPEST { Err("this is too long".into()) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn unary(&mut self) -> Result<Expr, Why> {
        let mut signs = Vec::new();
        loop {
            // a reference is what it refers to
            if !self.in_words && (self.take("*") || self.take("&") || self.take("&&")) {
            } else if self.take("-") {
                signs.push('-');
            } else if self.take("!") {
                signs.push('!');
            } else {
                break;
            }
        }
        if signs.len() > DEEPEST {
            return Err("this is too long".into());
        }
        let mut expr = self.postfix()?;
        for sign in signs.iter().rev() {
            expr = if *sign == '-' { Expr::Minus(Box::new(expr)) } else { Expr::Not(Box::new(expr)) };
        }
        for _ in 0..DEEPEST {
            if self.tokens.get(self.at) != Some(&Token::Name("as".into())) {
                return Ok(expr);
            }
            self.at += 1;
            let ty = match self.next() {
                Some(Token::Name(name)) => int_type(&name),
                _ => None,
            };
            expr = Expr::Cast(Box::new(expr), ty.ok_or("`as` is understood with an integer type only")?);
        }
        Err("this is too long".into())
    }

    fn postfix(&mut self) -> Result<Expr, Why> {
        let mut expr = self.primary()?;
        for _ in 0..DEEPEST {
            if !self.take(".") {
                return Ok(expr);
            }
            let name = match self.next() {
                Some(Token::Name(name) | Token::Quoted(name)) => name,
                Some(Token::Int(n)) => n.to_string(),
                _ => return Err("a name is missing after `.`".into()),
            };
            if !self.take("(") {
                expr = Expr::Member(Box::new(expr), name);
                continue;
            }
            if self.in_words && self.tokens.get(self.at) != Some(&Token::Mark(")")) {
                return Err(words::no_function(&name));
            }
            self.require(")")?;
            let method = match name.as_str() {
                // what is named is the same
                "into" | "clone" | "to_owned" | "iter" | "copied" | "cloned" => continue,
                "len" => Method::Len,
                "is_empty" => Method::IsEmpty,
                "is_some" => Method::IsSome,
                "is_none" => Method::IsNone,
                _ if self.in_words => return Err(words::no_function(&name)),
                _ => return Err(format!("`{}()` is not understood", shortened(&name)).into()),
            };
            expr = Expr::Call(Box::new(expr), method);
        }
        Err("this is too long".into())
    }

    fn primary(&mut self) -> Result<Expr, Why> {
        match self.next() {
            Some(Token::Int(n)) => Ok(Expr::Int(n)),
            Some(Token::Float(x)) => Ok(Expr::Float(x)),
            Some(Token::Quoted(name)) => Ok(Expr::Field(name, None)),
            Some(Token::Bytes(b)) => Ok(Expr::Bytes(b)),
            Some(Token::Mark("(")) => {
                let expr = self.expr(0)?;
                self.require(")")?;
                Ok(expr)
            }
            Some(Token::Name(name)) => self.named(&name),
            Some(Token::Mark(mark)) => Err(format!("`{mark}` is not understood here").into()),
            None => Err("something is missing at the end".into()),
        }
    }

    fn named(&mut self, name: &str) -> Result<Expr, Why> {
        match name {
            "true" => return Ok(Expr::Bool(true)),
            "false" => return Ok(Expr::Bool(false)),
            "if" => return self.condition(),
            _ => {}
        }
        let Some((before, last)) = name.rsplit_once("::") else {
            if self.take("(") {
                if self.in_words {
                    return Err(words::no_function(name));
                }
                return Err(format!("the function `{}` is not known here", shortened(name)).into());
            }
            return Ok(Expr::Field(name.into(), None));
        };
        match (before.rsplit_once("::").map_or(before, |(_, ty)| ty), last) {
            ("Endian", "Big") => Ok(Expr::Order(Endian::Big)),
            ("Endian", "Little") => Ok(Expr::Order(Endian::Little)),
            (ty, "from") if int_type(ty).is_some() => {
                self.require("(")?;
                let expr = self.expr(0)?;
                self.require(")")?;
                Ok(expr)
            }
            _ => Err(format!("`{}` is not known here", shortened(name)).into()),
        }
    }

    /// After `if`.
    fn condition(&mut self) -> Result<Expr, Why> {
        let condition = self.expr(0)?;
        self.require("{")?;
        let yes = self.expr(0)?;
        self.require("}")?;
        if self.next() != Some(Token::Name("else".into())) {
            return Err("`else` is missing".into());
        }
        self.require("{")?;
        let no = self.expr(0)?;
        self.require("}")?;
        Ok(Expr::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }
}
