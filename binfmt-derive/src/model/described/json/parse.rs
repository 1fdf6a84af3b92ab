//! JSON as far as descriptions have it.

/// A value.
#[derive(Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(u64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    /// What stands under a name.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
        .filter(|value| **value != Json::Null)
    }

    pub(super) fn entries(&self) -> Vec<(&String, &Json)> {
        match self {
            Json::Map(entries) => entries.iter().map(|(name, value)| (name, value)).collect(),
            _ => Vec::new(),
        }
    }

    /// One of several: its name, and what it has.
    pub(super) fn variant(&self) -> Result<(&str, &Json), String> {
        match self {
            Json::Text(name) => Ok((name, &Json::Null)),
            Json::Map(entries) => match &entries[..] {
                [(name, value)] => Ok((name, value)),
                _ => Err("expected one name with a value".to_owned()),
            },
            _ => Err("expected a name, or one with a value".to_owned()),
        }
    }

    pub(super) fn text(&self) -> Result<&str, String> {
        match self {
            Json::Text(text) => Ok(text),
            other => Err(format!("expected a text, found {other:?}")),
        }
    }

    pub(super) fn number(&self) -> Option<u64> {
        if let Json::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }

    fn needed(&self, name: &str) -> Result<&Json, String> {
        self.get(name).ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(super) fn str(&self, name: &str) -> Result<&str, String> {
        self.needed(name)?.text()
    }

    pub(super) fn num(&self, name: &str) -> Result<u64, String> {
        self.needed(name)?.number().ok_or_else(|| format!("`{name}` is not a number"))
    }

    pub(super) fn byte(&self, name: &str) -> Result<u8, String> {
        let number = self.num(name)?;
        u8::try_from(number).map_err(|_| format!("`{name}` is {number}, but at most 255"))
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, String> {
        match self.needed(name)? {
            Json::Bool(on) => Ok(*on),
            _ => Err(format!("`{name}` is neither true nor false")),
        }
    }

    pub(super) fn list(&self, name: &str) -> Result<&[Json], String> {
        match self.needed(name)? {
            Json::List(list) => Ok(list),
            _ => Err(format!("`{name}` is not a list")),
        }
    }

    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        let byte = |value: &Json| value.number().and_then(|n| u8::try_from(n).ok());
        let bytes = self.list(name)?.iter().map(byte).collect::<Option<_>>();
        bytes.ok_or_else(|| format!("`{name}` is not a list of bytes"))
    }

    /// A list of texts, which is empty where there is none.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        match self.get(name) {
            Some(Json::List(list)) => list.iter().map(|text| text.text().map(str::to_owned)).collect(),
            _ => Ok(Vec::new()),
        }
    }
}

/// A text that is one value.
pub(super) fn whole(text: &str) -> Result<Json, String> {
    let mut rest = Rest { text, at: 0 };
    let value = rest.value(0)?;
    rest.blanks();
    if rest.at == text.len() { Ok(value) } else { Err(rest.error("the end")) }
}

/// How deep values may be in values.
const DEEPEST: usize = 200;

struct Rest<'t> {
    text: &'t str,
    at: usize,
}

impl Rest<'_> {
    fn error(&self, expected: &str) -> String {
        let line = self.text[..self.at].lines().count().max(1);
        format!("line {line}: expected {expected}")
    }

    fn left(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.left().trim_start().len();
    }

    fn is_next(&mut self, mark: &str) -> bool {
        self.blanks();
        let is_next = self.left().starts_with(mark);
        self.at += if is_next { mark.len() } else { 0 };
        is_next
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.is_next(mark) { Ok(()) } else { Err(self.error(&format!("`{mark}`"))) }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth == DEEPEST {
            return Err(self.error("fewer values in values"));
        }
        if self.is_next("{") {
            return self
                .list("}", |rest| {
                    rest.blanks();
                    let name = rest.string()?;
                    rest.expect(":")?;
                    Ok((name, rest.value(depth + 1)?))
                })
                .map(Json::Map);
        }
        if self.is_next("[") {
            return self.list("]", |rest| rest.value(depth + 1)).map(Json::List);
        }
        for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
        {
            if self.is_next(word) {
                return Ok(value);
            }
        }
        if self.left().starts_with('"') {
            return self.string().map(Json::Text);
        }
        let digits = self.left().len() - self.left().trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = self.left()[..digits].parse().map_err(|_| self.error("a value"))?;
        self.at += digits;
        Ok(Json::Number(number))
    }

    fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut list = Vec::new();
        if self.is_next(end) {
            return Ok(list);
        }
        loop {
            list.push(item(self)?);
            if !self.is_next(",") {
                return self.expect(end).map(|()| list);
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let Some(c) = self.left().chars().next() else { return Err(self.error("the end of a text")) };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let c = self.left().chars().next().ok_or_else(|| self.error("an escape"))?;
        self.at += c.len_utf8();
        Ok(match c {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let mut unit = self.unit()?;
                // of two halves
                if (0xD800..0xDC00).contains(&unit) && self.left().starts_with("\\u") {
                    self.at += 2;
                    let low = self.unit()?;
                    if !(0xDC00..0xE000).contains(&low) {
                        return Err(self.error("the second half of a character"));
                    }
                    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                }
                char::from_u32(unit).ok_or_else(|| self.error("a character"))?
            }
            c => c,
        })
    }

    fn unit(&mut self) -> Result<u32, String> {
        let digits = self.left().get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += if digits.is_some() { 4 } else { 0 };
        digits.ok_or_else(|| self.error("four digits"))
    }
}
