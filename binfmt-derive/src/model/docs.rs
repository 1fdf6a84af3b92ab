//! What `///` says of an item.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The documentation: its lines, each without the space after `///`, and without what is empty around them. Links are the text that is
/// read: those who read data have no page of Rust before them.
pub(crate) fn text(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(line);
    let text = lines.collect::<Vec<_>>().join("\n");
    without_links(text.trim())
}

/// One `///`, or all of a `/** */`; nothing for `#[doc(hidden)]` and what only rustc can read (`include_str!`).
fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    let text = text.value();
    let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The text without the brackets and targets of links; what is in backquotes is code, and stays.
fn without_links(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['`', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (shown, len) = if from.starts_with('[') { link(from) } else { (code(from), code(from).len()) };
        out.push_str(shown);
        rest = &from[len..];
    }
    out + rest
}

/// A span of code, with its backquotes; the backquotes alone if nothing closes it.
fn code(text: &str) -> &str {
    let quotes = &text[..text.len() - text.trim_start_matches('`').len()];
    let end = text[quotes.len()..].find(quotes).map(|at| at + 2 * quotes.len());
    &text[..end.unwrap_or(quotes.len())]
}

/// What is read of `[text](target)` and of a bracket around code, and how long all of it is; of any other bracket the bracket itself.
fn link(text: &str) -> (&str, usize) {
    let bracket = ("[", 1);
    let Some(end) = closed(text, '[', ']') else { return bracket };
    let (inner, after) = (&text[1..end], &text[end + 1..]);
    match closed(after, '(', ')').filter(|end| !after[..*end].contains(' ')) {
        Some(target) if after.starts_with('(') => (inner, end + 1 + target + 1),
        _ if inner.len() > 2 && code(inner) == inner => (inner, end + 1),
        _ => bracket,
    }
}

/// The place of what closes the bracket at the front.
fn closed(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    text.char_indices().find_map(|(at, c)| {
        depth += usize::from(c == open);
        depth = depth.checked_sub(usize::from(c == close))?;
        (depth == 0 && c == close).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_are_what_is_read_of_them() {
        for (text, read) in [
            (
                "See [`File`], and [the\nother one](crate::dump::trace_in_parts()).",
                "See `File`, and the\nother one.",
            ),
            ("[`Row::a`](Row::a) in `[a](b)`, [0..3], [x] (y)", "`Row::a` in `[a](b)`, [0..3], [x] (y)"),
            ("```\n[`a`]\n``` [`b`] [c [`d`](e) f", "```\n[`a`]\n``` `b` [c `d` f"),
            ("`a [ é ]( b", "`a [ é ]( b"),
        ] {
            assert_eq!(without_links(text), read);
        }
    }
}
