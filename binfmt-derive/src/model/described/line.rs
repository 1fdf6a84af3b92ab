//! The lines of a layout's text, each cut into a name, a type and words.

use super::pieces;

/// What the type of a line is about.
#[derive(Debug, PartialEq)]
pub(super) enum Leaf {
    /// Numbers, text and bytes.
    None,
    /// A struct or enum whose fields or variants are the lines below.
    Inline,
    /// A definition.
    Named(String),
}

/// A line that says something.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) name: String,
    /// The type in words, in which `*` is a struct or enum; of a variant its tags.
    pub(super) what: String,
    /// The same as it stands in the text.
    pub(super) shown: String,
    pub(super) leaf: Leaf,
    pub(super) below: Vec<Line>,
}

/// A line as it stands in the text, without its comment, and what is indented below it.
struct Raw<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
    below: Vec<Raw<'t>>,
}

/// The lines that are not indented, each with those below it.
pub(super) fn tree(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = text.lines().enumerate().filter_map(|(i, line)| {
        let line = pieces::find(line, "//").map_or(line, |end| &line[..end]).trim_end();
        let text = line.trim_start();
        let indent = line.len() - text.len();
        (!text.is_empty()).then_some(Raw { number: i + 1, indent, text, below: Vec::new() })
    });
    let mut open: Vec<Raw<'_>> = Vec::new();
    let mut done = Vec::new();
    let mut next = lines.next();
    loop {
        let indent = next.as_ref().map_or(0, |line| line.indent);
        while let Some(last) = open.pop_if(|last| last.indent >= indent) {
            match open.last_mut() {
                Some(outer) => outer.below.push(last),
                None => done.push(last),
            }
        }
        match next {
            Some(line) if open.len() == pieces::DEEPEST => {
                return Err(format!("line {}: types are in types too often", line.number));
            }
            Some(line) => open.push(line),
            None => return done.iter().enumerate().map(|(i, line)| definition(line, i == 0)).collect(),
        }
        next = lines.next();
    }
}

/// The root, which may have no name, or what others refer to.
fn definition(raw: &Raw<'_>, is_root: bool) -> Result<Line, String> {
    match (named(raw.text), is_root) {
        (Some((name, words)), _) => line(raw, unquoted(name), words),
        (None, true) => line(raw, String::new(), raw.text),
        (None, false) => Err(format!("line {}: a definition is a name, a colon and a type", raw.number)),
    }
}

fn line(raw: &Raw<'_>, name: String, words: &str) -> Result<Line, String> {
    let typed = typed(words, pieces::DEEPEST);
    let typed = typed.ok_or_else(|| format!("line {}: lists are in lists too often", raw.number));
    let Typed { what, shown, leaf, is_choice } = typed?;
    let below = raw.below.iter().map(|raw| if is_choice { variant(raw) } else { field(raw) });
    let below = below.collect::<Result<_, _>>()?;
    Ok(Line { number: raw.number, name, what, shown, leaf, below })
}

fn field(raw: &Raw<'_>) -> Result<Line, String> {
    let Some((name, words)) = named(raw.text) else {
        return Err(format!("line {}: a field is a name, a colon and a type", raw.number));
    };
    line(raw, if name == "_" { String::new() } else { unquoted(name) }, words)
}

fn variant(raw: &Raw<'_>) -> Result<Line, String> {
    let Some(mark) = pieces::find(raw.text, "=>") else {
        return Err(format!("line {}: a variant is its tag, `=>` and a name", raw.number));
    };
    let (tags, rest) = around(raw.text, mark, 2);
    let below = raw.below.iter().map(field).collect::<Result<_, _>>()?;
    let (name, shown) = (unquoted(split(rest, ',')[0]), format!("the tag {tags}"));
    Ok(Line { number: raw.number, name, what: tags.to_owned(), shown, leaf: Leaf::Inline, below })
}

/// A type with its words.
struct Typed {
    what: String,
    shown: String,
    leaf: Leaf,
    is_choice: bool,
}

/// `None` of lists that are in lists more often than this.
fn typed(text: &str, deep: usize) -> Option<Typed> {
    let (ty, words) = match pieces::end_of_type(text) {
        Some(at) => (text[..at].trim(), split(&text[at + 1..], ',')),
        None => (text.trim(), Vec::new()),
    };
    let mut words: Vec<String> = words.into_iter().filter(|word| !is_rule(word)).map(without_else).collect();
    let inside = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']'));
    let (what, shown, leaf, is_choice) = match inside {
        Some(inside) => {
            let parts = split(inside, ';');
            let item = typed(parts[0], deep.checked_sub(1)?)?;
            // a count that is a number is one, however it is written
            let is_count = |word: &String| word.strip_prefix("count = ").is_some_and(is_number);
            let said = words.iter().position(is_count).map(|at| words.remove(at));
            let num = parts.get(1).map(|num| (*num).to_owned());
            let num = num.or_else(|| said.map(|word| word["count = ".len()..].to_owned()));
            let num = num.map(|num| format!("; {num}")).unwrap_or_default();
            (format!("[{}{num}]", item.what), format!("[{}{num}]", item.shown), item.leaf, item.is_choice)
        }
        None if is_inline(ty, "record") => ("*".to_owned(), ty.to_owned(), Leaf::Inline, false),
        None if is_inline(ty, "choice") => ("*".to_owned(), ty.to_owned(), Leaf::Inline, true),
        None if is_builtin(ty) => (ty.to_owned(), ty.to_owned(), Leaf::None, false),
        None => ("*".to_owned(), ty.to_owned(), Leaf::Named(unquoted(ty)), false),
    };
    let words: String = words.iter().map(|word| format!(", {word}")).collect();
    Some(Typed { what: format!("{what}{words}"), shown: format!("{shown}{words}"), leaf, is_choice })
}

/// Whether this is a struct or enum that stands where it is used, with a name or without.
fn is_inline(ty: &str, kind: &str) -> bool {
    ty.strip_prefix(kind).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

fn is_rule(word: &&str) -> bool {
    let name: String = word.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let is_page = || {
        let value = word[name.len()..].trim_start().strip_prefix('=').map_or("", str::trim_start);
        name == "text" && (value.starts_with("with(") || value.starts_with("encoding("))
    };
    pieces::RULES.contains(&name.as_str()) || is_page()
}

/// A condition without the value of a field that is not there: it says nothing of the bytes.
fn without_else(word: &str) -> String {
    let inside = word.strip_prefix("if(").and_then(|word| word.strip_suffix(')'));
    let Some(inside) = inside else { return word.to_owned() };
    let kept: Vec<&str> = split(inside, ',').into_iter().filter(|part| !part.starts_with("else ")).collect();
    format!("if({})", kept.join(", "))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_builtin(ty: &str) -> bool {
    let is_called =
        |name: &str| ty.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['(', '=']));
    matches!(ty, "()" | "bool" | "text" | "bytes" | "ignored" | "opaque")
        || ty.strip_prefix(['u', 'i', 'f']).is_some_and(is_number)
        || ["magic", "skip", "reserved", "align", "opaque"].into_iter().any(is_called)
}

/// The parts between the places of a mark outside quotes and brackets.
fn split(text: &str, mark: char) -> Vec<&str> {
    pieces::split(text, mark).map(|range| text[range].trim()).collect()
}

/// The parts before and after a mark.
fn around(text: &str, at: usize, len: usize) -> (&str, &str) {
    (text[..at].trim(), text[at + len..].trim())
}

fn named(text: &str) -> Option<(&str, &str)> {
    pieces::end_of_name(text).map(|at| around(text, at, 1))
}

/// A name, without the quotes that one has that is not a word.
fn unquoted(name: &str) -> String {
    let is_quoted = name.starts_with('"');
    let literal = is_quoted.then(|| syn::parse_str::<syn::LitStr>(name).ok()).flatten();
    literal.map_or_else(|| name.to_owned(), |literal| literal.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(text: &str) -> (String, Leaf) {
        let Typed { what, leaf, .. } = typed(text, pieces::DEEPEST).unwrap();
        (what, leaf)
    }

    #[test]
    fn types_are_words_and_a_star() {
        let named = |name: &str| Leaf::Named(name.to_owned());
        assert_eq!(what("u16, le"), ("u16, le".into(), Leaf::None));
        assert_eq!(what("Point, if(n > 1, else = 2)"), ("*, if(n > 1)".into(), named("Point")));
        assert_eq!(what("[Pair<u8, i8>], count = 3"), ("[*; 3]".into(), named("Pair<u8, i8>")));
        assert_eq!(
            what("[[u8, nullable; 2]], count = n"),
            ("[[u8, nullable; 2]], count = n".into(), Leaf::None)
        );
        assert_eq!(what("bytes, ends(b','), range = 1..=2"), ("bytes, ends(b',')".into(), Leaf::None));
        assert_eq!(what("text, count = 3, text = encoding(SJIS)"), ("text, count = 3".into(), Leaf::None));
        assert_eq!(what("record, be, ctx(a: u8)"), ("*, be".into(), Leaf::Inline));
    }

    #[test]
    fn types_are_in_types_so_often_and_no_more() {
        let nested = |deep: usize| {
            let lines = (0..deep).map(|i| format!("{:1$}a: record\n", "", i));
            tree(&lines.collect::<String>()).err()
        };
        assert_eq!(nested(pieces::DEEPEST), None);
        assert_eq!(nested(9999).unwrap(), "line 65: types are in types too often");
        let lists = |deep: usize| tree(&format!("a: {}u8{}", "[".repeat(deep), "]".repeat(deep))).err();
        assert_eq!(lists(pieces::DEEPEST), None);
        assert_eq!(lists(9999).unwrap(), "line 1: lists are in lists too often");
    }

    #[test]
    fn lines_are_below_others() {
        let lines = tree(
            "A: record // x\n  b: B, args(\"//\")\n  _: skip(bytes = 2)\n\nB: choice, tag(u8)\n  1 | 2 => \"C d\"\n    e: u8\n",
        );
        let lines = lines.unwrap();
        assert_eq!(lines.iter().map(|line| &*line.name).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(lines[0].below[0].what, "*, args(\"//\")");
        assert_eq!(lines[0].below[1].name, "");
        let variant = &lines[1].below[0];
        assert_eq!((&*variant.name, &*variant.what, &*variant.below[0].name), ("C d", "1 | 2", "e"));
    }
}
